#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# law.sh SOURCE - CONTRIBUTING.md has the include law that tools/check-layers enforces.
#
# In CONTRIBUTING.md the law is the table with the column "may include"; a row is
# | `src/graph/` | ... | graph matrix |.
set -eu
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sed -n "/^law='/,/^'/p" tools/check-layers | sed -n 's/^\([a-z]*\): *\(.*\)/\1: \2/p' |
    sed 's/ *$//' | LC_ALL=C sort >"$scratch/tool"
sed -n 's/^| `src\/\([a-z]*\)\/`[^|]*|[^|]*| *\([^|]*\)|$/\1: \2/p' CONTRIBUTING.md |
    sed 's/ *$//; s/,//g; s/—//' | sed 's/ *$//' | LC_ALL=C sort >"$scratch/page"
if ! diff -u --label tools/check-layers --label CONTRIBUTING.md "$scratch/tool" "$scratch/page"; then
    echo "CONTRIBUTING.md and tools/check-layers disagree about the law of includes"
    exit 1
fi
# The rooms of the law are those that exist.
for room in $(sed 's/:.*//' "$scratch/tool"); do
    [ -f "src/$room/CMakeLists.txt" ] || { echo "CONTRIBUTING.md: there is no src/$room"; exit 1; }
done
for room in src/*/CMakeLists.txt; do
    name=$(basename "$(dirname "$room")")
    grep -q "^$name:" "$scratch/tool" || { echo "CONTRIBUTING.md: src/$name has no row"; exit 1; }
done
echo "$(wc -l <"$scratch/tool") rooms, the same law"
