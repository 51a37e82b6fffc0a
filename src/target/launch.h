/* SPDX-License-Identifier: Apache-2.0 */
/* target/launch.h - a placement of ranks in the formats of launchers.
 *
 * Forms:
 *   rankfile     Open MPI, `mpirun --rankfile FILE` (version 4) or
 *                `--map-by rankfile:file=FILE` (5): "rank 3=host slot=1", where the slot is
 *                the number of the core in hwloc.  Without host names "+n2", the third node
 *                of the allocation.
 *   hostfile     Slurm, `SLURM_HOSTFILE=FILE srun --distribution=arbitrary`: a host per rank.
 *   cpu-bind     Slurm, `srun $(cat FILE)`: "--cpu-bind=map_cpu:0,4", the CPUs of the ranks of
 *                a node in their order.  One line if it is the same for all nodes, otherwise
 *                one line per node that starts with --nodelist=HOST.
 *   rank-order   Cray MPICH, MPICH_RANK_ORDER with MPICH_RANK_REORDER_METHOD=3: the ranks in
 *                the order in which the cores of the allocation are filled, a line per node.
 *   permutation  The PE of each rank, one per line.
 *
 * Nodes are numbered in the order of their first PEs.  Their names are those of the PEs if a
 * PE is a whole node, otherwise those in `hosts`; a single computer is localhost. */
#ifndef CLV_TARGET_LAUNCH_H
#define CLV_TARGET_LAUNCH_H

#include "target/target.h"

typedef struct clv_placed_ranks {
    int32_t nranks;
    const int32_t *pe; /* by rank: 0..npes-1 */
    const clv_target *t;
    const char *hosts; /* a list as in target/node_list.h, with one name per node of the
                          target; NULL: none */
} clv_placed_ranks;

/* CLEAVE_EINVAL: the message explains why the form cannot express this placement and what
 * would help. */
cleave_status clv_launch_write(const char *path, const char *form,
                               const clv_placed_ranks *ranks, cleave_error *err);

#endif
