/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_paths.h - shortest paths from one vertex to all. */
#ifndef CLV_TARGET_DECO_PATHS_H
#define CLV_TARGET_DECO_PATHS_H

#include "base/queue.h"
#include "graph/graph.h"

typedef struct clv_paths {
    const clv_graph *g;
    int64_t *far;   /* by vertex: distance from the source; -1: unreachable */
    int32_t *order; /* the reached vertices, nearest first */
    clv_heap heap;  /* by the negative distance, with lengths */
} clv_paths;

/* Arrays from ws; the caller restores it. */
cleave_status clv_paths_open(clv_paths *s, const clv_graph *g, clv_ws *ws, cleave_error *err);
/* O(narc) without lengths, otherwise O((narc + nvtx) log nvtx).  Lengths are >= 1. */
void clv_paths_from(clv_paths *s, int32_t source);

#endif
