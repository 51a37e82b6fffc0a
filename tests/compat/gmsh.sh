#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gmsh.sh BUILD SOURCE - gmsh of Debian, unchanged, cuts a mesh with our libmetis.so.5 into
# non-empty parts, with no more elements on their borders than with the original.
. "$(dirname "$0")/compat.sh"
need gmsh
cat >"$scratch/square.geo" <<END
Point(1) = {0, 0, 0, 0.03}; Point(2) = {1, 0, 0, 0.03};
Point(3) = {1, 1, 0, 0.03}; Point(4) = {0, 1, 0, 0.03};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
END
gmsh -v 0 -2 "$scratch/square.geo" -o "$scratch/square.msh" -format msh22 >/dev/null 2>&1 ||
    skip "gmsh makes no mesh here"

# partition NAME COMMAND...: into 7 parts; prints how many, and the lines on borders.
partition() {
    name=$1
    shift
    "$@" gmsh -v 0 -part 7 "$scratch/square.msh" -save -o "$scratch/$name.msh" -format msh22 \
        >/dev/null 2>&1 || fail "gmsh with $name"
    # Elements of type 2 are triangles: number, type, tags, entities, partitions, the part.
    awk '/^\$Elements/ { inside = 1; getline; next } /^\$EndElements/ { inside = 0 }
        inside && $2 == 2 { if (!seen[$7]++) parts++; triangles++
           
            a = $(NF - 2); b = $(NF - 1); c = $NF
            note(a, b, $7); note(b, c, $7); note(a, c, $7) }
        function note(p, q, part,   k) { k = p < q ? p " " q : q " " p
            if (k in owner && owner[k] != part) borders++; owner[k] = part }
        END { print parts, borders, triangles }' "$scratch/$name.msh"
}

theirs=$(partition theirs env)
own=$(partition ours ours)
echo "ours: $own; the original: $theirs (parts, borders, triangles)"
calls_ours METIS_PartGraph ours gmsh -v 0 -part 7 "$scratch/square.msh" -save \
    -o "$scratch/again.msh" -format msh22
[ "${own%% *}" = 7 ] || fail "not 7 parts"
[ "${own##* }" = "${theirs##* }" ] || fail "triangles are lost"
at_most "$(echo "$own" | cut -d' ' -f2)" "$(echo "$theirs" | cut -d' ' -f2)" 1.15 ||
    fail "longer borders"
echo "ok gmsh"
