/* SPDX-License-Identifier: Apache-2.0 */
/* generate/minimum_degree.h - an elimination order with little fill: next comes a vertex with
 * few neighbours. */
#ifndef CLV_GENERATE_MINIMUM_DEGREE_H
#define CLV_GENERATE_MINIMUM_DEGREE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_minimum_degree_task {
    const clv_graph *g;    /* undirected; rows need not ascend */
    int32_t ninner;        /* vertices below are ordered; those from it on, the halo, are
                              eliminated later by the caller and count as neighbours alone
                              [Pellegrini, Roman, Amestoy 2000]; edges inside the halo do not
                              matter and may be missing */
    const int32_t *copies; /* by vertex: it stands for so many, > 0; NULL: for itself.  All
                              together fit an int32_t */
    clv_context *ctx;      /* NULL; when it says stop, the rest comes by number */
    bool dense;            /* vertices with more than 10 sqrt(nvtx) neighbours come last */
} clv_minimum_degree_task;

/* order[0..ninner) becomes the inner vertices, the first to be eliminated first: quotient
 * graph with approximate external degrees, element absorption, mass elimination and
 * supervariables [Amestoy, Davis, Duff 1996].  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_minimum_degree(const clv_minimum_degree_task *task, clv_ws *ws,
                                 int32_t *order, cleave_error *err);

#endif
