/* SPDX-License-Identifier: Apache-2.0 */
/* graph/order.h - vertex -> place in a linear order. */
#ifndef CLV_GRAPH_ORDER_H
#define CLV_GRAPH_ORDER_H

#include "graph/graph.h"
#include "graph/mapping.h"

/* So that some dozens of crossings still add up.  Lines across which more may lead are cut
 * by weights alone. */
static const int64_t clv_most_crossing = INT64_C(1) << 57;

typedef struct cleave_order clv_order;
struct cleave_order {
    int32_t nvtx;
    char method[16];         /* that made it; "given": the caller did */
    uint64_t hash;           /* clv_order_hash of the graph; 0: not known */
    const int32_t *vertex;   /* by place */
    const int64_t *before;   /* nvtx + 1: weight of the vertices before a place */
    const int64_t *crossing; /* nvtx + 1: weight of the edges between the places before a
                                place and those from it on, at most clv_most_crossing;
                                NULL: not known */
    double residual;         /* the worst of the eigenvectors that it was made by; -1: none, or
                                not known, and not in files */
    int32_t converged;       /* 1: all of them; -1 likewise */
    clv_arena arena;         /* owns the arrays, not the order itself */
};

/* An order of the graph's vertices: copies vertex, computes weights (of several per vertex the
 * first counts), hash and, where all edges together weigh no more than clv_most_crossing,
 * crossings.  CLEAVE_EINVAL: not every vertex once.  O(nvtx + narc). */
cleave_status clv_order_new(clv_order **out, const clv_graph *g, const char *method,
                            const int32_t *vertex, clv_ws *ws, cleave_error *err);
/* The same without a graph: weight by vertex, NULL: all 1. */
cleave_status clv_order_given(clv_order **out, int32_t nvtx, const int32_t *vertex,
                              const int32_t *weight, cleave_error *err);
void clv_order_free(clv_order *o);

/* CLEAVE_EINVAL: the order is not of g, or an arc of the DAG g runs backward. */
cleave_status clv_order_check(const clv_order *o, const clv_graph *g, cleave_error *err);
/* Adds hash and crossings of g where the order has none; it has passed the check. */
cleave_status clv_order_complete(clv_order *o, const clv_graph *g, cleave_error *err);
/* The mean weight across the nvtx - 1 places between vertices; -1: not known. */
double clv_order_average_crossing(const clv_order *o);
/* Vertices at places begin[pe] .. end[pe] - 1 are in part pe.  CLEAVE_EINVAL: a place is
 * outside, of no part, or of two. */
cleave_status clv_order_mapping(clv_mapping **out, const clv_order *o, int32_t npes,
                                const int32_t *begin, const int32_t *end, cleave_error *err);

/* *view becomes g with one weight per vertex, the first: the only one that orders use.  Arrays
 * are those of g, or from ws. */
cleave_status clv_order_graph(clv_graph *view, const clv_graph *g, clv_ws *ws,
                              cleave_error *err);

/* Of structure and all weights; never 0. */
uint64_t clv_order_hash(const clv_graph *g);

#endif
