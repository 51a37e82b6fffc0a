#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# functions.sh HEADER PROGRAM... - checks that each program covers every public function that can
# fail: with --list it prints all functions of the headers that have a cleave_error argument.
set -eu
header=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat "$(dirname "$header")"/*.h | grep -v '^#' | tr '\n' ' ' | grep -o 'CLEAVE_API [^;]*cleave_error \*err)' |
    sed 's/(.*//; s/.*[ *]//' | LC_ALL=C sort >"$scratch/promised"
count=$(wc -l <"$scratch/promised")
if [ "$count" -lt 20 ]; then
    echo "only $count functions found in $header: the pattern is wrong"
    exit 1
fi
for program; do
    "$program" --list | LC_ALL=C sort -u >"$scratch/covered"
    if ! diff -u --label "$header" --label "$program" "$scratch/promised" "$scratch/covered"; then
        echo "$program does not cover exactly the functions that can fail"
        exit 1
    fi
done
echo "$count functions covered by $# programs"
