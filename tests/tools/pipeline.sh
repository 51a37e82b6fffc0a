#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pipeline.sh CLEAVE TREE - a back trace of 'cleave partition' reads like the pipeline.
#
# No function of the engine is called just run, prepare, measure, search or work, and from
# cleave_map it is at most 8 calls to the function that coarsens (docs/design/engine.md).  Calls are counted
# by gdb, which knows those that the compiler has inlined; without it the exit status is 77.
set -eu
cleave=$1 tree=$2 most=8

names='(run|prepare|measure|search|work|settle)'
if grep -nE "^static [a-z_0-9 ]*[ *]$names\(" "$tree"/src/engine/*.c "$tree"/src/api/*map*.c; then
    echo "pipeline: a name should say what is run, prepared, measured, searched or worked on"
    exit 1
fi

command -v gdb >/dev/null || { echo "pipeline: no gdb, calls are not counted"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cleave" generate grid2d:40x40 -o "$scratch/grid.clv" >/dev/null
gdb -q -nx -batch -ex 'set debuginfod enabled off' -ex 'break clv_hierarchy_build' -ex run -ex backtrace \
    --args "$cleave" partition "$scratch/grid.clv" -k 8 --threads 1 -o "$scratch/part" >"$scratch/trace" 2>&1 || true
if ! grep -q '^#0 .*clv_hierarchy_build' "$scratch/trace"; then
    echo "pipeline: gdb did not stop in clv_hierarchy_build, calls are not counted"
    exit 77
fi
# Frame 0 is clv_hierarchy_build and frame 1 the function that coarsens.
frame=$(sed -n 's/^#\([0-9]*\) .*\bcleave_map (.*/\1/p' "$scratch/trace")
calls=$((frame - 1))
echo "pipeline: $calls calls from cleave_map to the coarsening"
if [ "$calls" -gt "$most" ]; then
    echo "pipeline: more than $most:"
    grep '^#' "$scratch/trace"
    exit 1
fi
