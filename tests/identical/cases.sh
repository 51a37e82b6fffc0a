#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cases.sh - prints the runs of tests/identical/run, one per line: arguments of cleave.
#
# "out" is the file that a run writes; what it prints with --json counts as well.  The graphs
# are made by the lines "generate", which come first.
set -eu

efforts="fast default quality best"

# ---- Graphs: small ones of every kind -------------------------------------------------------

cat <<'END_OF_GRAPHS'
generate grid2d:30x20 -o grid.clv
generate grid3d:7x6x5:27 -o cube.clv
generate mesh2d:30x25 -o mesh.clv
generate rgg:600:9:3 -o points.clv
generate rgg:20000:8 -o wide.clv
generate rmat:8:8 -o power.clv
generate tree:700:random -o tree.clv
generate gnp:300:0.05 -o random.clv
generate stencil:11x10:6 -o stencil.clv
generate layered:20:30:3 -o layered.clv
generate polybench:gemm:8x8x8 -o gemm.clv
generate polybench:jacobi-2d:4x9 -o jacobi.clv
generate factor --of grid2d:24x24 --order mindeg -o factor.clv
generate factor --of grid2d:24x24 --order mindeg --values -o factor.mtx
generate grid2d:24x24 -o matrix.mtx
END_OF_GRAPHS

# ---- partition ------------------------------------------------------------------------------

# Boundaries long enough for batches of searches.
echo "partition wide.clv -k 100"
echo "partition wide.clv -k 64 --effort fast --threads 3"

for graph in grid cube mesh points power tree random; do
    for effort in $efforts; do
        echo "partition $graph.clv -k 2 --effort $effort"
        echo "partition $graph.clv -k 13 --effort $effort --seed 2"
    done
    echo "partition $graph.clv -k 16 --threads 2 --effort quality"
    echo "partition $graph.clv -k 100"
    echo "partition $graph.clv -k 7 --objective volume"
    echo "partition $graph.clv -k 7 --objective volume --effort fast"
    echo "partition $graph.clv -k 5 --connected"
    echo "partition $graph.clv -t 3,2,2,1,0,1 --imbalance 0.1"
    echo "partition $graph.clv -k 6 --imbalance 0 --seed 3"
    echo "partition $graph.clv -k 6 --method rsb"
    echo "partition $graph.clv --separator"
    echo "partition $graph.clv --separator --effort quality"
done
for graph in grid mesh points; do
    for method in rcb zci hci rsb; do
        echo "partition $graph.clv -k 8 --method $method"
        echo "partition $graph.clv -t 5,3,1,1 --method $method --grouping simple --params refine=1"
    done
done
for graph in stencil layered gemm jacobi factor; do
    for effort in $efforts; do
        echo "partition $graph.clv -k 2 --effort $effort"
        echo "partition $graph.clv -k 9 --effort $effort --seed 2"
    done
    echo "partition $graph.clv -k 8 --threads 2"
    echo "partition $graph.clv -k 6 --objective volume"
    echo "partition $graph.clv -t 3,2,1 --imbalance 0.1"
    for method in dagp kernighan fauzia; do
        echo "partition $graph.clv -k 4 --method $method"
    done
    echo "partition $graph.clv -k 4 --method dagp --order top --match hem --initial gp"
    echo "partition $graph.clv -k 4 --method dagp --match nwhem --initial kern --refine acyckway"
    echo "partition $graph.clv -k 4 --method dagp --runs 4 --seed 5"
    echo "partition $graph.clv -k 9 --method dagp --params version=2019"
    for coarsen in cotop cocyc cohyb; do
        echo "partition $graph.clv -k 2 --method dagp --coarsen $coarsen --constrain no --seed 2"
    done
    echo "partition $graph.clv -k 4 --method dagp --coarsen cohyb --constrain clusters --threads 2"
    echo "partition $graph.clv -k 4 --method dagp --coarsen cotop --initial greedy --match nwhem"
    echo "partition $graph.clv -k 4 --method dagp --coarsen none --initial undirected --runs 2"
done

# ---- Constraints ----------------------------------------------------------------------------

for graph in grid power stencil; do
    echo "partition $graph.clv -k 5 --fix $graph.fixed"
    echo "partition $graph.clv -k 5 --groups $graph.groups"
    echo "partition $graph.clv -k 5 --groups $graph.groups --objective volume"
    echo "partition $graph.clv -k 5 --start $graph.start"
    echo "partition $graph.clv -k 5 --start $graph.start --effort best"
    echo "partition $graph.clv -k 5 --max 400 --min 50"
    echo "map $graph.clv -t mesh:3x2 --fix $graph.fixed"
    echo "map $graph.clv -t mesh:3x2 --groups $graph.groups"
done
for weights in 2 4; do
    for effort in $efforts; do
        echo "partition several$weights.graph -k 6 --effort $effort"
    done
    echo "partition several$weights.graph -t 3,2,1 --imbalance 0.05"
    echo "map several$weights.graph -t mesh:3x2"
done
echo "partition heavy.graph -k 7"
echo "partition heavy.graph -k 7 --effort best"
echo "partition zero.graph -k 4"
echo "partition empty.graph -k 4"
echo "map heavy.graph -t torus:3x3"

# ---- map ------------------------------------------------------------------------------------

for graph in grid cube power tree; do
    for target in mesh:4x4 torus:3x3x2 tree:2:3:2@1:5:20 hypercube:4 6 graph:ring.graph \
        'mesh:4x4[0-2,5,8-15]'; do
        echo "map $graph.clv -t $target"
        echo "map $graph.clv -t $target --effort fast"
    done
    for effort in quality best; do
        echo "map $graph.clv -t mesh:4x3 --effort $effort"
        echo "map $graph.clv -t tree:2:3:2@1:5:20 --effort $effort"
    done
    for policy in depth breadth size; do
        echo "map $graph.clv -t mesh:5x2 --method drb --policy $policy"
    done
    for method in kway rsb; do
        echo "map $graph.clv -t torus:4x4 --method $method"
    done
    echo "map $graph.clv -t tree:2:3:2@1:5:20 --method multisection"
    for objective in cut volume congestion; do
        echo "map $graph.clv -t torus:4x4 --objective $objective"
    done
    echo "map $graph.clv -t torus:4x4 --threads 2 --effort quality"
done
for graph in stencil gemm layered; do
    echo "map $graph.clv -t mesh:4x2"
    echo "map $graph.clv -t tree:2:4@1:10 --effort quality"
done
echo "map ring.graph -t mesh:6x5 --one-to-one"
echo "map ring.graph -t mesh:100x100 --one-to-one"
echo "map grid.clv -t mesh:30x20 --one-to-one --effort fast"
echo "map grid.clv -t mesh:300x300"

# ---- order, split ---------------------------------------------------------------------------

for graph in grid mesh points; do
    for method in hci zci rcbi; do
        echo "order $graph.clv --method $method"
    done
    echo "order $graph.clv --method rcbi --leaves 16"
done
for graph in grid cube power tree; do
    for method in rsbi multilevel nd mindeg; do
        echo "order $graph.clv --method $method"
    done
    for effort in fast quality best; do
        echo "order $graph.clv --method nd --effort $effort"
        echo "order $graph.clv --effort $effort"
    done
done
for graph in stencil layered jacobi; do
    echo "order $graph.clv --method topo"
    echo "order $graph.clv --method multilevel"
    echo "order $graph.clv --method multilevel --effort fast"
done
for graph in grid power stencil; do
    echo "split $graph.line -k 7 --graph $graph.clv"
    echo "split $graph.line -t 4,3,1,1 --refine $graph.clv"
    echo "split $graph.line -t 4,3,1,1 --grouping simple --graph $graph.clv"
done

# ---- remap ----------------------------------------------------------------------------------

for graph in grid power stencil; do
    for strategy in auto interval diffuse scratch; do
        echo "remap $graph.clv $graph.start -t 5[0-2,4] --strategy $strategy"
    done
    echo "remap $graph.clv $graph.start -t 3,1,1,1,2 --migration-price 0"
    echo "remap $graph.clv $graph.start -t 3,1,1,1,2 --migration-price 10 --effort quality"
    echo "remap $graph.clv $graph.start -t 8 --effort fast"
    echo "remap $graph.clv $graph.start -t mesh:3x2"
done

# ---- schedule, solve, circuits --------------------------------------------------------------

for graph in stencil layered gemm factor; do
    for method in graphopt grow levels serial; do
        echo "schedule $graph.clv -p 2 --method $method"
        echo "schedule $graph.clv -p 5 --method $method"
    done
    echo "schedule $graph.clv -p 4 --method graphopt --no-window"
    echo "schedule $graph.clv -p 4 --method graphopt --no-components --no-coarsening"
    echo "schedule $graph.clv -p 4 --method graphopt --alpha 2 --ws 5 --wc 3 --seed 4"
    echo "schedule $graph.clv -p 4 --costs costs.txt"
done
echo "schedule factor.mtx --as lower -p 4 --split-rows --method grow"
for how in --lower --upper --ic0 --ilu0 --factor "--lower --transpose" "--lower --float" "--lower --rhs 3"; do
    echo "run solve matrix.mtx $how -p 2 --repeat 1 --method grow --sync barrier"
done
echo "run solve factor.mtx --lower -p 2 --repeat 1 --method levels --sync p2p"
echo "run circuit circuit.psdd -p 2 --repeat 1 --method grow --random 20"
echo "run circuit circuit.psdd -p 2 --repeat 1 --method grow --random 20 --query max --space linear"

# ---- evaluate, view, convert ----------------------------------------------------------------

for graph in grid power stencil; do
    echo "evaluate $graph.clv $graph.start --parts"
    echo "evaluate $graph.clv $graph.start -t mesh:3x2"
    for form in svg html dot; do
        echo "view $graph.clv --parts $graph.start --format $form"
    done
    echo "view $graph.clv --parts $graph.start --before $graph.fixed0 --format html"
    echo "view $graph.clv --parts $graph.start -t mesh:3x2 --machine --format svg"
    echo "convert $graph.clv --to metis"
done
echo "view stencil.clv --schedule stencil.schedule --format svg"
echo "view stencil.clv --schedule stencil.schedule --format html"
echo "view -t torus:4x4 --format svg"

# ---- Several ranks (cleave-mpi) -------------------------------------------------------------

for graph in grid power stencil; do
    echo "mpi partition $graph.clv -k 6"
    echo "mpi map $graph.clv -t mesh:3x2"
    echo "mpi remap $graph.clv $graph.start -t 5[0-2,4]"
done
echo "mpi order grid.clv --method multilevel"
echo "mpi partition grid.clv -k 6 --effort quality"
