#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples.sh DOCUMENT CLEAVE SOURCE BUILD CC [fresh] - run the examples of a Markdown file.
#
# All blocks of a document run in order in one scratch folder that holds a copy of
# examples/data, or nothing (fresh).  ```sh blocks must succeed; in ```console blocks the lines
# after "$ command" (and "> more of it") must be what it prints, but for the numbers in lines
# that begin with "seconds", which are times and threads; ```c blocks must compile, and run on
# grid.graph; ```python blocks must succeed where the package of bindings/python, numpy and scipy
# are, and are skipped with a remark elsewhere.  Other blocks are not examples.
set -eu
document=$1
cleave=$2
source=$3
build=$4
cc=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/blocks" "$scratch/work"
[ "${6:-}" = fresh ] || cp "$source"/examples/data/* "$scratch/work"
PATH=$(dirname "$cleave"):$PATH
export PATH
LC_ALL=C
export LC_ALL
failures=0
count=0

# blocks/0123.sh holds the block that starts at line 123.
awk -v folder="$scratch/blocks" '
    /^```/ && file != "" { close(file); file = ""; next }
    /^```(sh|console|c|python)$/ { file = sprintf("%s/%05d.%s", folder, NR, substr($0, 4)); printf "" >file; next }
    /^```/ { file = "/dev/null"; next }
    file != "" { print >file }' "$document"

complain() {
    echo "$(basename "$document"):$line: $*"
    failures=$((failures + 1))
}

run_sh() {
    (cd "$scratch/work" && sh -eu "$1") >"$scratch/out" 2>&1 || {
        complain "the commands fail:"
        cat "$scratch/out"
    }
}

mask() {
    sed -E '/^ *seconds /{s/[0-9][0-9.e-]*/N/g;s/N threads?/N threads/;}' "$1"
}

# Splits a transcript into commands and what they are said to print, runs and compares.
run_console() {
    rm -f "$scratch"/step.*
    awk -v folder="$scratch" '
        /^\$ / { n++; print substr($0, 3) >(folder "/step." n ".cmd"); printf "" >(folder "/step." n ".want"); open = 1; next }
        /^>( |$)/ && open { print substr($0, 3) >(folder "/step." n ".cmd"); next }
        n { open = 0; print >(folder "/step." n ".want") }' "$1"
    n=1
    while [ -f "$scratch/step.$n.cmd" ]; do
        (cd "$scratch/work" && sh "$scratch/step.$n.cmd") >"$scratch/printed" 2>&1 || true
        mask "$scratch/printed" >"$scratch/out"
        mask "$scratch/step.$n.want" >"$scratch/want" && mv "$scratch/want" "$scratch/step.$n.want"
        if ! diff -u --label document --label printed "$scratch/step.$n.want" "$scratch/out"; then
            complain "prints something else: $(cat "$scratch/step.$n.cmd")"
        fi
        n=$((n + 1))
    done
}

run_c() {
    "$cc" -std=c11 -Wall -Wextra -Werror -I"$source/include" -o "$scratch/program" "$1" \
        -L"$build" -lcleave -Wl,-rpath,"$build" >"$scratch/out" 2>&1 || {
        complain "does not compile:"
        cat "$scratch/out"
        return
    }
    (cd "$scratch/work" && "$scratch/program" grid.graph) >"$scratch/out" 2>&1 || {
        complain "the program fails:"
        cat "$scratch/out"
    }
}

# A program, or a session with prompts.
python='
import doctest, sys
path = sys.argv[1]
if ">>>" in open(path).read():
    sys.exit(doctest.testfile(path, module_relative=False).failed)
exec(compile(open(path).read(), path, "exec"))'
run_python() {
    if [ ! -d "$source/bindings/python/cleave" ] ||
        ! /usr/bin/python3 -c 'import numpy, scipy' 2>/dev/null; then
        echo "$(basename "$document"):$line: skipped: no Python package, numpy or scipy here"
        return
    fi
    (cd "$scratch/work" && CLEAVE_LIBRARY=$build/libcleave.so \
        PYTHONPATH=$source/bindings/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c "$python" "$1") \
        >"$scratch/out" 2>&1 || {
        complain "the program fails:"
        cat "$scratch/out"
    }
}

for block in "$scratch"/blocks/*; do
    [ -f "$block" ] || continue
    line=$(basename "$block" | sed 's/^0*//; s/\..*//')
    count=$((count + 1))
    "run_${block##*.}" "$block"
done
echo "$(basename "$document"): $count examples, $failures failures"
[ $count -gt 0 ] && [ $failures = 0 ]
