#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pipeline.sh CLEAVE - a back trace of 'cleave partition' reads like the pipeline.
#
# From cleave_map it is at most 8 calls to the function that coarsens (docs/design/engine.md).  gdb
# counts the calls, also those that the compiler has inlined; without it the exit status is 77.
set -eu
cleave=$1 most=8

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
