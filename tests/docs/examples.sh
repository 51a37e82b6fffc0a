#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples.sh DOCUMENT CLEAVE SOURCE BUILD CC - run the examples of a Markdown file.
#
# All blocks of a document run in order in one scratch folder that holds a copy of
# examples/data.  ```sh blocks must succeed; in ```console blocks the lines after "$ command"
# must be what it prints; ```c blocks must compile, and run on grid.graph.  Other blocks are
# not examples.
set -eu
document=$1
cleave=$2
source=$3
build=$4
cc=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/blocks" "$scratch/work"
cp "$source"/examples/data/* "$scratch/work"
PATH=$(dirname "$cleave"):$PATH
export PATH
failures=0
count=0

# blocks/0123.sh holds the block that starts at line 123.
awk -v folder="$scratch/blocks" '
    /^```/ && file != "" { close(file); file = ""; next }
    /^```(sh|console|c)$/ { file = sprintf("%s/%05d.%s", folder, NR, substr($0, 4)); printf "" >file; next }
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

# Splits a transcript into commands and what they are said to print, runs and compares.
run_console() {
    rm -f "$scratch"/step.*
    awk -v folder="$scratch" '
        /^\$ / { n++; print substr($0, 3) >(folder "/step." n ".cmd"); printf "" >(folder "/step." n ".want"); next }
        n { print >(folder "/step." n ".want") }' "$1"
    n=1
    while [ -f "$scratch/step.$n.cmd" ]; do
        (cd "$scratch/work" && sh "$scratch/step.$n.cmd") >"$scratch/out" 2>&1 || true
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

for block in "$scratch"/blocks/*; do
    [ -f "$block" ] || continue
    line=$(basename "$block" | sed 's/^0*//; s/\..*//')
    count=$((count + 1))
    "run_${block##*.}" "$block"
done
echo "$(basename "$document"): $count examples, $failures failures"
[ $count -gt 0 ] && [ $failures = 0 ]
