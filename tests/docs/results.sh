#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# results.sh SOURCE - sentences of bench/RESULTS.md that summarise a table agree with it.
set -eu
cd "$1/bench"
status=0

complain() {
    echo "RESULTS.md: $*"
    status=1
}

# METIS beyond the bound in the table of growth, in words.
marked=$(grep -c '^r.* METIS .*beyond the bound' RESULTS.md)
word=$(echo zero one two three four five six | cut -d' ' -f$((marked + 1)))
grep -q "METIS is beyond the bound on $word of them" RESULTS.md ||
    complain "$marked rows of METIS are beyond the bound, and the text does not say $word"

# Goals for the cut that are missed: rows "| effort | land | goal @ time | reached @ time |".
missed=$(awk -F'|' '/^\| effort \| land \| goal \(1/ { on = 1; next } !/^\|/ { on = 0 }
    on && $4 + 0 > 0 && $5 + 0 > $4 + 0 { sub(/, .*/, "", $2); gsub(/ /, "", $2)
        printf "%s graphs (%s, goal %.2f)\n", $2, $5 + 0, $4 + 0 }' RESULTS.md)
[ -z "$missed" ] || grep -q "but that of $missed" RESULTS.md || complain "the goal is missed for $missed"

# Means of families that depend on a few graphs are marked.
roads=$(grep -c ', ROAD,' partition/partition_set.c)
[ "$roads" -gt 2 ] || grep -q '`road` has two graphs only' RESULTS.md || complain "road has $roads graphs"
exit $status
