/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/block_subgraph.h - the induced subgraph of a block in recursive bisection
 * (engine/multilevel/bisection.c).  A block is a set of vertices to be assigned to a range of
 * parts. */
#ifndef CLV_ENGINE_MULTILEVEL_BLOCK_SUBGRAPH_H
#define CLV_ENGINE_MULTILEVEL_BLOCK_SUBGRAPH_H

#include "engine/multilevel/multilevel.h"

typedef struct clv_block {
    int32_t part, nparts; /* part .. part + nparts - 1 */
    int32_t first, count; /* range of its vertices in clv_blocks.order */
    int32_t age;          /* number of blocks created before it */
    clv_domain domain;    /* with a machine: the domain of its places */
} clv_block;

typedef struct clv_blocks {
    const clv_multilevel_task *task;
    int32_t *order; /* vertices, grouped by block */
    int32_t *label; /* by vertex: first part of its block */
    int32_t *local; /* by vertex: index within its block */
    int32_t *at;    /* by first part: index of the block in `block` */
    clv_block *block;
    int32_t count;
    double *ahead;  /* by block: scratch of clv_block_subgraph_make with anchors; not
                       initialised */
    int32_t *known; /* by block: the division that `ahead` was computed for; -1 at first */
} clv_blocks;

/* The ways that a block is divided into: ranges of its parts. */
typedef struct clv_block_ways {
    const clv_block *block;
    int32_t count;
    int32_t *first;     /* count + 1: first part of each way, and the end */
    clv_domain *domain; /* count, with a machine; otherwise NULL */
    bool anchored;      /* two ways: neighbours outside the block attract its vertices */
} clv_block_ways;

/* The subgraph induced by a block.  With anchors, two more vertices represent the two domains
 * that the block is divided between.  Anchors have weight 0 and are fixed.  Their edges model
 * how much the neighbours outside the block, whose domains are known, make one side cheaper
 * than the other (terminal propagation) [Pellegrini, Roman 1996]. */
typedef struct clv_block_subgraph {
    clv_graph g;
    int32_t *fixed; /* the way that a vertex is fixed to, or -1; NULL: all are free */
} clv_block_subgraph;

/* The subgraph of ways->block, with anchors if ways->anchored.  Arrays come from ws.
 * O(vertices and arcs of the block). */
cleave_status clv_block_subgraph_make(clv_block_subgraph *sub, const clv_blocks *all,
                                      const clv_block_ways *ways, clv_ws *ws,
                                      cleave_error *err);

/* After the deadline: cuts blocks of several parts along the order of their vertices, those of
 * a DAG along a topological order.  label becomes the part of every vertex.  O(nvtx +
 * narc). */
cleave_status clv_blocks_cut(clv_blocks *all, clv_context *ctx, cleave_error *err);

#endif
