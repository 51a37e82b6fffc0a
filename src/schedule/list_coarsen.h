/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/list_coarsen.h - S3 of [Shah et al. 2022], Algorithm 5: a depth-first list of the
 * vertices of a DAG, divided into clusters. */
#ifndef CLV_SCHEDULE_LIST_COARSEN_H
#define CLV_SCHEDULE_LIST_COARSEN_H

#include "base/mem.h"

/* The rows of predecessors of a DAG; each predecessor has a smaller number than the vertex. */
typedef struct clv_pred_rows {
    int32_t nvtx;
    const int64_t *xpred;
    const int32_t *pred;
} clv_pred_rows;

typedef struct clv_list_limits {
    int32_t coarse; /* approximate number of clusters, >= 1: the size threshold is nvtx /
                       coarse */
    int32_t depth;  /* threshold of the difference in depth; 0: log2 of the size threshold */
    int32_t degree; /* threshold of the number of successors */
} clv_list_limits;

/* cluster[v] in 0..*nclusters-1, ascending along the list: arcs between clusters lead to
 * larger numbers.  O(nvtx + arcs). */
cleave_status clv_list_coarsen(const clv_pred_rows *dag, const clv_list_limits *limits,
                               clv_ws *ws, int32_t *cluster, int32_t *nclusters,
                               cleave_error *err);

#endif
