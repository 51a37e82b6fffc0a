#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_examples.sh PROGRAMS CLEAVE SOURCE - checks what the examples print and write, and that they
# fail with a message on invalid input.
set -eu
programs=$1
cleave=$2
source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

# prints TEXT PROGRAM ARGUMENTS...: succeeds with exactly this output
prints() {
    text=$1
    program=$2
    shift 2
    if ! "$programs/$program" "$@" >out 2>err || [ "$(cat out)" != "$text" ] || [ -s err ]; then
        echo "$program $*: printed"
        cat out err
        echo "and not"
        echo "$text"
        failures=$((failures + 1))
    fi
}

# refuses TEXT PROGRAM ARGUMENTS...: fails with a message
refuses() {
    text=$1
    program=$2
    shift 2
    if "$programs/$program" "$@" >out 2>err || [ "$(cat err)" != "$text" ]; then
        echo "$program $*: should say '$text', not"
        cat err
        failures=$((failures + 1))
    fi
}

expect() {
    [ "$2" = "$3" ] || {
        echo "$1 is '$2', not '$3'"
        failures=$((failures + 1))
    }
}

grid=$source/examples/data/grid.graph
"$cleave" generate mesh2d:60x40 -o wing.graph --coords wing.xyz >/dev/null

prints "vertices 96, edges 172
cut 36, volume 72, imbalance 0.000" slices "$grid" 4
refuses "usage: slices GRAPH PARTS" slices

prints "vertices 2400, parts 8, cut 346, volume 359, imbalance 0.007" decompose wing.graph 8 wing.part
expect "the judgement" "$("$cleave" evaluate --strict wing.graph wing.part | grep -c 'cut  *346$')" 1
"$programs/decompose" wing.graph 8 cellDecomposition >/dev/null
expect "cells for OpenFOAM" "$(sed -n '/^(/,/^)/p' cellDecomposition | grep -c '^[0-7]$')" 2400
printf '4\n1 2 5 4\n2 3 6 5\n4 5 8 7\n5 6 9 8\n' >quads.mesh
printf '0 0\n1 0\n2 0\n0 1\n1 1\n2 1\n0 2\n1 2\n2 2\n' >quads.coords
prints "vertices 4, parts 2, cut 2, volume 4, imbalance 0.000" decompose quads.mesh 2 quads.vtk
expect "elements" "$(grep -c '^4 [0-9] [0-9] [0-9] [0-9]$' quads.vtk)" 4
refuses "decompose: reading: none.graph: cannot open it: no such file or directory" \
    decompose none.graph 2

prints "cost 3200, in the order of the ranks 16160
PEs of the ranks: 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15" place_ranks
"$programs/place_ranks" tree:4:2@1:10 'n[1-2]' >/dev/null
expect "lines of a rankfile" "$(grep -c '^rank [0-7]=n[12] slot=[0-3]$' ranks)" 8
refuses "place_ranks: the machine has no multiple of 4 PEs" place_ranks mesh:3x3

prints "tasks 1280, cut 687, acyclic yes, critical path 69
part 1: work 321, sends 110
part 0: work 321, sends 98
part 2: work 321, sends 84
part 3: work 317, sends 0" tasks 4
echo 'digraph { a -> b -> c -> a }' >cycle.dot
refuses "tasks: reading: cycle.dot: the graph has a cycle: a -> b -> c -> a" tasks cycle.dot 2

prints "four equal PEs: cut 198, moved 0
one at half speed: cut 209, moved 1617
it is lost: cut 160, moved 387, at least 346 must move" adapt wing.graph
refuses "usage: adapt GRAPH" adapt

"$programs/pcg" 40 >out
expect "lines of pcg with the same iterations" \
    "$(sed -n 's/.*iterations \([0-9]*\), residual [0-9.]*e-[01][0-9],.*/\1/p' out | uniq -c |
        sed 's/^ *2 [1-9].*/same/')" same
refuses "usage: pcg [SIDE | MATRIX.mtx] [TOLERANCE]" pcg -1
[ $failures = 0 ]
