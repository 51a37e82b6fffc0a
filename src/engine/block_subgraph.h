/* SPDX-License-Identifier: Apache-2.0 */
/* engine/block_subgraph.h - a graph that is being divided: blocks of vertices, each to be
 * spread over a range of parts.  For engine/bisection.c. */
#ifndef CLV_ENGINE_BLOCK_SUBGRAPH_H
#define CLV_ENGINE_BLOCK_SUBGRAPH_H

#include "engine/multilevel.h"

typedef struct clv_block {
    int32_t part, nparts; /* part .. part + nparts - 1 */
    int32_t first, count; /* of its vertices, in clv_blocks.order */
    int32_t age;          /* blocks made before it */
    clv_domain domain;    /* with a machine: the domain of its places */
} clv_block;

typedef struct clv_blocks {
    const clv_multilevel_task *task;
    int32_t *order; /* vertices, block by block */
    int32_t *label; /* by vertex: first part of its block */
    int32_t *local; /* by vertex: number inside its block */
    int32_t *at;    /* by first part: the block in `block` */
    clv_block *block;
    int32_t count;
    double *ahead;  /* by block: scratch of clv_block_subgraph_make with anchors, as is */
    int32_t *known; /* by block: for which division `ahead` was computed; -1 at first */
} clv_blocks;

/* The graph that a block's vertices induce.  With anchors, two more vertices stand for the
 * two domains that it is to be divided between: they weigh nothing, are fixed, and pull
 * vertices by what neighbours outside the block, whose domains are known, make one side
 * cheaper than the other [Pellegrini, Roman 1996]. */
typedef struct clv_block_subgraph {
    clv_graph g;
    int32_t *fixed; /* the way that a vertex must go, or -1; NULL: all are free */
} clv_block_subgraph;

/* first[i]: the first part of the i-th way, first[ways] the end; domain: of the two ways,
 * when there are anchors; NULL: none.  Arrays are from ws.  O(vertices and arcs of the
 * block). */
cleave_status clv_block_subgraph_make(clv_block_subgraph *sub, const clv_blocks *all,
                                      const clv_block *b, int32_t ways, const int32_t *first,
                                      const clv_domain *domain, clv_ws *ws, cleave_error *err);

/* Out of time: blocks of several parts are cut along the line of their vertices, a DAG's in a
 * topological order; label becomes the part of every vertex.  O(nvtx + narc). */
cleave_status clv_blocks_cut(clv_blocks *all, clv_context *ctx, cleave_error *err);

#endif
