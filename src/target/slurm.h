/* SPDX-License-Identifier: Apache-2.0 */
/* target/slurm.h - the nodes of a cluster, from Slurm's topology.conf.
 *
 * A PE is a node, with its name.  Plugin tree (SwitchName=, Switches=, Nodes=): the distance
 * of two nodes is the larger number of switch levels from either of them up to their lowest
 * common switch; several top switches get a common one above them.  Plugin block (BlockName=,
 * Nodes=, BlockSizes=): nodes of a block have distance 1; each size but the first joins that
 * many consecutive blocks, and adds 1; blocks that are not joined are one further apart. */
#ifndef CLV_TARGET_SLURM_H
#define CLV_TARGET_SLURM_H

#include "target/target.h"

enum { clv_most_slurm_nodes = 1 << 20, clv_most_slurm_switches = 1 << 18 };

/* Errors start with path:line.  O(names log names). */
cleave_status clv_target_slurm(clv_target **out, const char *path, cleave_error *err);

#endif
