#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# manual.sh CLEAVE SOURCE BUILD CC - the examples of the manual's overview pages run, and the
# pages are complete.
#
#   1. Displays (.Bd -literal) that begin with "$ " are transcripts, those that begin with
#      "$ cat FILE" are the files that later ones read, and those that begin with #include are
#      programs: all run as examples.sh runs those of Markdown.
#   2. cleave-formats(5) has a section for each of docs/formats.md, cleave-target(7) an entry for
#      each form that src/target reads, libcleave(3) every header and the first word of every
#      function.
#   3. mandoc, if installed, and man report no error in any page, and all pages of cleave that are
#   referred to exist.
set -eu
cleave=$1
source=$2
build=$3
cc=$4
man=$source/docs/man
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

complain() {
    echo "$*"
    failures=$((failures + 1))
}

# ---- 1. Examples
for page in cleave-formats.5 cleave-target.7 libcleave.3; do
    awk '/^\.Bd -literal/ { display = 1; next }
        /^\.Ed/ { if (file) print "END"; if (display) print "```"; display = file = 0; next }
        !display { next }
        { gsub(/\\e/, "\\"); sub(/^\\&/, "") }
        display == 1 && /^\$ cat [^ ]*$/ { print "```sh"; print "cat >" $3 " <<\047END\047"; file = 1; display = 2; next }
        display == 1 { print /^\$ / ? "```console" : /^#include/ ? "```c" : "```text"; display = 2 }
        { print }' "$man/$page" >"$scratch/$page.md"
    sh "$source/tests/docs/examples.sh" "$scratch/$page.md" "$cleave" "$source" "$build" "$cc" ||
        complain "$page: an example fails"
done

# ---- 2. Completeness
sed -n 's/^## //p' "$source/docs/formats.md" | grep -v -x -e 'At a glance' -e 'Detection' \
    -e 'Messages and exit statuses' -e 'Errors of all readers' -e 'Requirements on graphs' \
    -e 'Writing' >"$scratch/sections"
while read -r section; do
    grep -q -e "^\.Ss $section\( Pq .*\)\{0,1\}\$" "$man/cleave-formats.5" ||
        complain "cleave-formats.5 has no section \"$section\" of docs/formats.md"
done <"$scratch/sections"
sed -n 's/^    \.prefix = "\([a-z]*:\{0,1\}\)",$/\1/p' "$source"/src/target/*.c | grep . >"$scratch/forms"
[ -s "$scratch/forms" ] || complain "no forms found in src/target"
while read -r form; do
    grep -q -e "^\.It .*Cm .*$form" "$man/cleave-target.7" || complain "cleave-target.7 lacks $form"
done <"$scratch/forms"
for header in "$source"/include/cleave/*.h; do
    grep -q "cleave/$(basename "$header")" "$man/libcleave.3" ||
        complain "libcleave.3 lacks $(basename "$header")"
done
grep -h -o '\bcleave_[a-z]*[a-z_0-9]*(' "$source"/include/cleave/*.h | sed 's/($//; s/(//' | sort -u |
    sed 's/^cleave_\([a-z]*\).*/\1/' | sort -u >"$scratch/nouns"
while read -r noun; do
    grep -q "cleave_$noun" "$man/libcleave.3" || complain "libcleave.3 does not mention cleave_$noun"
done <"$scratch/nouns"

# ---- 3. Form
for page in "$man"/*.[1-9]; do
    name=$(basename "$page")
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" >"$scratch/lint" 2>&1 || true
        grep -v -e 'mandoc.db' "$scratch/lint" && complain "$name: mandoc complains"
    fi
    if command -v man >/dev/null && man --version >/dev/null 2>&1; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" \
            2>"$scratch/lint" >/dev/null || true
        ! grep . "$scratch/lint" || complain "$name: man complains"
    fi
    sed -n 's/^\.Xr \(cleave[a-z-]*\|libcleave\) \([0-9]\).*/\1.\2/p' "$page" | sort -u >"$scratch/refs"
    while read -r reference; do
        [ -f "$man/$reference" ] || complain "$name refers to $reference, which is not there"
    done <"$scratch/refs"
done
echo "$(wc -l <"$scratch/sections") formats, $(wc -l <"$scratch/forms") machines," \
    "$(wc -l <"$scratch/nouns") nouns, $failures failures"
[ -s "$scratch/sections" ] && [ -s "$scratch/forms" ] && [ -s "$scratch/nouns" ] && [ $failures = 0 ]
