#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpmetis.sh BUILD SOURCE - gpmetis, ndmetis and mpmetis of Debian with our METIS_* symbols
# over those of libmetis: valid results, and in the geometric mean no worse than their own.
#
# They also import internal functions of libmetis (gk_*), so ours is preloaded.  Cuts and orders are
# evaluated by cleave, not taken from the output of the programs.
. "$(dirname "$0")/compat.sh"
need gpmetis
need ndmetis
need mpmetis
cleave=$build/cleave
[ -x "$cleave" ] || skip "the program cleave is not built"
shared=${CLEAVE_SHARED:-$source/../shared}

# value KEY FILE: of a flat JSON object.
value() {
    sed -n "s/.*\"$1\": *\([-0-9.e+]*\).*/\1/p" "$2" | head -n 1
}

# judge GRAPH K: the cut; fails unless no part is empty and 3 % are kept.
judge() {
    "$cleave" evaluate "$1" "$1.part.$2" --json >"$scratch/judged" 2>/dev/null || return 1
    [ "$(value empty_parts "$scratch/judged")" = 0 ] || return 1
    value cut "$scratch/judged"
}

ratios() {
    awk -v what="$1" '{ sum += log(($1 + 1) / ($2 + 1)); n++ }
        END { printf "%s: %d results, geometric mean of ours over theirs %.3f\n", what, n, exp(sum / n)
              exit !(sum <= 0) }' "$2"
}

grid 30 20 >"$scratch/grid.graph"
graphs=$scratch/grid.graph
if [ -d "$shared/data/walshaw" ]; then
    for name in 3elt 4elt add20 add32 crack cs4 cti data memplus uk wing_nodal; do
        cp "$shared/data/walshaw/$name.graph" "$scratch/"
        graphs="$graphs $scratch/$name.graph"
    done
else
    echo "skipped: 11 cases need ../shared/data/walshaw"
fi

# ---- gpmetis -----------------------------------------------------------------------

calls_ours METIS_PartGraphKway preloaded gpmetis "$scratch/grid.graph" 4
calls_ours METIS_PartGraphRecursive preloaded gpmetis -ptype=rb "$scratch/grid.graph" 4
: >"$scratch/kway"
for graph in $graphs; do
    for k in 2 8 32; do
        gpmetis "$graph" $k >/dev/null || fail "gpmetis $graph $k"
        "$cleave" evaluate "$graph" "$graph.part.$k" --json >"$scratch/judged" 2>/dev/null || true
        theirs=$(value cut "$scratch/judged")
        rm "$graph.part.$k"
        preloaded gpmetis "$graph" $k >/dev/null || fail "gpmetis with ours: $graph $k"
        cut=$(judge "$graph" $k) || fail "the parts of $graph $k are not valid"
        echo "$cut $theirs" >>"$scratch/kway"
    done
done
ratios "gpmetis, k-way" "$scratch/kway" || fail "cuts are worse than the original's"
for flags in -ptype=rb -objtype=vol -contig -minconn "-ncuts=3 -niter=30 -seed=7" -ufactor=50 -dbglvl=1; do
    # shellcheck disable=SC2086 # flags are words
    preloaded gpmetis $flags "$scratch/grid.graph" 5 >/dev/null || fail "gpmetis $flags"
    judge "$scratch/grid.graph" 5 >/dev/null || [ "$flags" = -ufactor=50 ] ||
        fail "the parts of gpmetis $flags are not valid"
done
echo "ok gpmetis"

# ---- ndmetis -----------------------------------------------------------------------

# fill GRAPH: by the inverse permutation that ndmetis writes.
fill() {
    awk '{ at[$1] = NR - 1 } END { print "% cleave order 1", NR, "given"
        for (p = 0; p < NR; p++) print at[p], 1 }' "$1.iperm" >"$scratch/order"
    "$cleave" evaluate "$1" --order "$scratch/order" --json >"$scratch/judged" || return 1
    value fill "$scratch/judged"
}

calls_ours METIS_NodeND preloaded ndmetis "$scratch/grid.graph"
: >"$scratch/nd"
for graph in $graphs; do
    ndmetis "$graph" >/dev/null || fail "ndmetis $graph"
    theirs=$(fill "$graph") || fail "the order of the original cannot be judged"
    preloaded ndmetis "$graph" >/dev/null || fail "ndmetis with ours: $graph"
    cut=$(fill "$graph") || fail "the order of $graph is not valid"
    echo "$cut $theirs" >>"$scratch/nd"
done
ratios "ndmetis, fill" "$scratch/nd" || fail "fill is worse than the original's"
echo "ok ndmetis"

# ---- mpmetis -----------------------------------------------------------------------

awk 'BEGIN { w = 20; h = 15; print w * h
    for (y = 0; y < h; y++) for (x = 0; x < w; x++) {
        c = y * (w + 1) + x + 1; print c, c + 1, c + w + 2, c + w + 1 } }' >"$scratch/quads.mesh"
calls_ours METIS_PartMeshDual preloaded mpmetis "$scratch/quads.mesh" 4
calls_ours METIS_PartMeshNodal preloaded mpmetis -gtype=nodal "$scratch/quads.mesh" 4
for flags in -gtype=dual -gtype=nodal "-gtype=dual -ncommon=2" "-gtype=dual -ptype=rb"; do
    # shellcheck disable=SC2086
    preloaded mpmetis $flags "$scratch/quads.mesh" 6 >/dev/null || fail "mpmetis $flags"
    for kind in epart npart; do
        awk '{ if ($1 < 0 || $1 > 5 || $1 != int($1)) bad = 1; if (!seen[$1]++) parts++ }
            END { exit bad || parts != 6 }' "$scratch/quads.mesh.$kind.6" ||
            fail "mpmetis $flags: $kind is not valid"
    done
    [ "$(wc -l <"$scratch/quads.mesh.epart.6")" = 300 ] || fail "mpmetis $flags: epart is short"
    [ "$(wc -l <"$scratch/quads.mesh.npart.6")" = 336 ] || fail "mpmetis $flags: npart is short"
done
echo "ok mpmetis"
