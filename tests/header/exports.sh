#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh HEADER LIBRARY [VERSION SONAME] - the shared library exports every function of the
# header and of those beside it, which it includes, under the version (CLEAVE_0), and nothing
# else; its SONAME is that (libcleave.so.0).
set -eu
header=$1
library=$2
version=${3:-CLEAVE_0}
wanted=${4:-libcleave.so.0}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A declaration is CLEAVE_API up to the parenthesis; its last word is the name.
cat "$(dirname "$header")"/*.h | grep -v '^#' | tr '\n' ' ' | grep -o 'CLEAVE_API [^(;]*(' |
    sed 's/ *($//; s/.*[ *]//' | LC_ALL=C sort >"$scratch/promised"
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@@/, "@", $3); print $3 }' |
    LC_ALL=C sort >"$scratch/exported"
sed "s/\$/@$version/" "$scratch/promised" >"$scratch/expected"

count=$(wc -l <"$scratch/promised")
if [ "$count" -lt 10 ]; then
    echo "only $count functions found in $header: the pattern is wrong"
    exit 1
fi
if ! diff -u --label promised --label exported "$scratch/expected" "$scratch/exported"; then
    echo "$library does not export what $header promises"
    exit 1
fi
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
if [ "$soname" != "$wanted" ]; then
    echo "SONAME is '$soname', not $wanted"
    exit 1
fi
echo "$count functions exported as promised"
