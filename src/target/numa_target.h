/* SPDX-License-Identifier: Apache-2.0 */
/* target/numa_target.h - one computer: a tree of cores, with the distances of its NUMA nodes
 * if they are known. */
#ifndef CLV_TARGET_NUMA_TARGET_H
#define CLV_TARGET_NUMA_TARGET_H

#include "target/floorplan.h"

enum { clv_most_numa_nodes = 4096 };

typedef struct clv_numa {
    int32_t nodes;           /* 0: nothing is known about NUMA nodes */
    const int32_t *node_of;  /* by PE */
    const uint64_t *latency; /* nodes * nodes, [i][i] from a node to itself; as measured */
    const clv_nest *nest;    /* its drawing, from the tree's arena; NULL: that of the tree */
} clv_numa;

/* Takes over tree, from clv_target_switches, also on failure.  The new target has the
 * properties of the tree, its own description (`words`, copied) and these distances: between
 * NUMA nodes the mean of the two latencies; inside a node the latency to itself times the
 * level, divided by the number of levels in a node; scaled to integers >= 1 without a common
 * divisor.  Without latencies: the distances of the tree. numa is only read. */
cleave_status clv_target_numa(clv_target **out, clv_target *tree, const clv_numa *numa,
                              const char *words, cleave_error *err);

#endif
