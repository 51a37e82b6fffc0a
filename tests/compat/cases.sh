#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cases.sh BUILD SOURCE - calls that users of METIS have reported as problems have the results of
# docs/metis.md. The column of the original is printed where Debian's is installed.
. "$(dirname "$0")/compat.sh"
original=-
for file in /usr/lib/*/libmetis.so.5; do
    [ ! -f "$file" ] || original=$file
done
"$build/tests/compat/metis_cases" "$original" "$dropin/libmetis.so.5" 2>"$scratch/complaints" >"$scratch/table" || {
    cat "$scratch/table" "$scratch/complaints"
    fail "not what was promised"
}
cat "$scratch/table"
# The first and the last cell of each row are in the document.
sed -n 's/^| \([^|]*\) |.*| \([^|]*\) |$/\1|\2/p' "$scratch/table" | sed 1d >"$scratch/rows"
sed -n 's/^| \([^|]*\) | [^|]* | \([^|]*\) |$/\1|\2/p' "$source/docs/metis.md" >"$scratch/documented"
[ "$original" != - ] || sed -n 's/^| \([^|]*\) | \([^|]*\) |$/\1|\2/p' "$scratch/table" | sed 1d >"$scratch/rows"
[ -s "$scratch/rows" ] || fail "no rows"
while read -r row; do
    grep -qxF -- "$row" "$scratch/documented" || fail "docs/metis.md does not say: $row"
done <"$scratch/rows"
