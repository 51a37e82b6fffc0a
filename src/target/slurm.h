/* SPDX-License-Identifier: Apache-2.0 */
/* target/slurm.h - the nodes of a cluster, from Slurm's topology.conf.
 *
 * A PE is a node; its name is the node's.  Plugin tree (SwitchName=, Switches=, Nodes=): the
 * distance of two nodes is the number of levels of switches climbed from either, on the way
 * with more of them, to the lowest switch above both; several top switches get one above
 * them.  Plugin block (BlockName=, Nodes=, BlockSizes=): nodes of a block are at distance 1;
 * each size but the first joins so many consecutive blocks, and is one more; blocks that no
 * size joins are one further apart. */
#ifndef CLV_TARGET_SLURM_H
#define CLV_TARGET_SLURM_H

#include "target/target.h"

enum { clv_most_slurm_nodes = 1 << 20, clv_most_slurm_switches = 1 << 18 };

/* Errors start with path:line.  O(names log names). */
cleave_status clv_target_slurm(clv_target **out, const char *path, cleave_error *err);

#endif
