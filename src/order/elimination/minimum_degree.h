/* SPDX-License-Identifier: Apache-2.0 */
/* order/elimination/minimum_degree.h - minimum-degree ordering: an elimination order with
 * small fill. */
#ifndef CLV_ORDER_ELIMINATION_MINIMUM_DEGREE_H
#define CLV_ORDER_ELIMINATION_MINIMUM_DEGREE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_minimum_degree_task {
    const clv_graph *g;    /* undirected; rows need not ascend */
    int32_t ninner;        /* vertices below are ordered; those from it on, the halo, are
                              eliminated later by the caller and count only as neighbours
                              [Pellegrini, Roman, Amestoy 2000]; edges inside the halo have no
                              effect and may be missing */
    const int32_t *copies; /* by vertex: number of vertices it represents, > 0; NULL: 1 each.
                              The sum fits an int32_t */
    clv_context *ctx;      /* may be NULL; when it signals a stop, the rest is ordered by
                              number */
    bool dense;            /* vertices with more than 10 sqrt(nvtx) neighbours come last */
} clv_minimum_degree_task;

/* order[0..ninner) becomes the inner vertices in elimination order: quotient graph with
 * approximate external degrees, element absorption, mass elimination and supervariables
 * [Amestoy, Davis, Duff 1996].  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_minimum_degree(const clv_minimum_degree_task *task, clv_ws *ws,
                                 int32_t *order, cleave_error *err);

#endif
