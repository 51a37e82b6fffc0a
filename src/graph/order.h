/* SPDX-License-Identifier: Apache-2.0 */
/* graph/order.h - linear orders of the vertices. */
#ifndef CLV_GRAPH_ORDER_H
#define CLV_GRAPH_ORDER_H

#include "graph/graph.h"
#include "graph/mapping.h"

/* Limit that allows several dozens of crossings to be added.  An order that exceeds it has no
 * crossings, and is split by vertex weights only. */
static const int64_t clv_most_crossing = INT64_C(1) << 57;

typedef struct cleave_order clv_order;
struct cleave_order {
    int32_t nvtx;
    char method[16];         /* that computed it; "given": the caller's own */
    uint64_t hash;           /* clv_order_hash of the graph; 0: unknown */
    const int32_t *vertex;   /* by position */
    const int64_t *before;   /* nvtx + 1: total weight of the vertices before a position */
    const int64_t *crossing; /* nvtx + 1: weight of the edges between vertices before a
                                position and vertices from it on, at most clv_most_crossing;
                                NULL: unknown */
    double residual;         /* largest residual of the eigenvectors that it was computed from;
                                -1: none, or unknown; not stored in files */
    int32_t converged;       /* 1: all eigenvectors converged; -1 as above */
    clv_arena arena;         /* owns the arrays, not the order itself */
};

/* An order of the graph's vertices: copies vertex, computes weights (the first per vertex),
 * hash and, if all edges together weigh at most clv_most_crossing, crossings.  CLEAVE_EINVAL:
 * not a permutation.  O(nvtx + narc). */
cleave_status clv_order_new(clv_order **out, const clv_graph *g, const char *method,
                            const int32_t *vertex, clv_ws *ws, cleave_error *err);
/* The same without a graph; weight by vertex, NULL: all 1. */
cleave_status clv_order_given(clv_order **out, int32_t nvtx, const int32_t *vertex,
                              const int32_t *weight, cleave_error *err);
void clv_order_free(clv_order *o);

/* CLEAVE_EINVAL: the order does not belong to g, or an arc of the DAG g goes backward. */
cleave_status clv_order_check(const clv_order *o, const clv_graph *g, cleave_error *err);
/* Adds the hash and the crossings of g if the order has none; clv_order_check has passed. */
cleave_status clv_order_complete(clv_order *o, const clv_graph *g, cleave_error *err);
/* Mean weight across the nvtx - 1 positions between vertices; -1: unknown. */
double clv_order_average_crossing(const clv_order *o);
/* Maps the vertices at positions begin[pe] .. end[pe] - 1 to part pe.  CLEAVE_EINVAL: a range
 * is outside, or a position is in no range or in two. */
cleave_status clv_order_mapping(clv_mapping **out, const clv_order *o, int32_t npes,
                                const int32_t *begin, const int32_t *end, cleave_error *err);

/* *view becomes g with only the first weight per vertex, the one that orders use.  Arrays are
 * those of g, or from ws. */
cleave_status clv_order_graph(clv_graph *view, const clv_graph *g, clv_ws *ws,
                              cleave_error *err);

/* Hash of structure and weights; never 0. */
uint64_t clv_order_hash(const clv_graph *g);

#endif
