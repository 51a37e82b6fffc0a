/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler.h - the eigenvector of the second least eigenvalue of a graph's Laplacian, by
 * levels: solved on a small graph, carried up, improved on every level.
 *
 * Source: Barnard, Simon 1993 (multilevel); Knyazev 2001 (LOBPCG). */
#ifndef CLV_ORDER_FIEDLER_H
#define CLV_ORDER_FIEDLER_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_fiedler_result {
    double value; /* Rayleigh quotient of the vector */
    double
        residual;  /* norm of (L x - value x), x of norm 1, over the largest weighted degree */
    int32_t steps; /* on the finest level; 0: solved as a dense matrix, or disconnected */
    bool converged; /* that norm is at most tolerance times the value, or is rounding */
} clv_fiedler_result;

/* x: nvtx, norm 1, perpendicular to the constant vector; of the two signs the one whose
 * entries ascend with the numbers of the vertices (the sum of x[v] * v is positive; where it
 * is 0, the first entry that is not 0 is negative).  g: undirected, nvtx >= 2; edges of weight
 * 0 are none; weights of vertices do not count.  Where g falls apart the value is 0 and x is
 * constant on the components, in equal steps from the largest to the smallest.
 *
 * tolerance: of the residual's norm, relative to the value: with a gap of about the value's
 * size to the next one, also the error of the vector.  Deterministic: sums are taken in a
 * fixed order whatever the number of threads.  When the context says stop, x is what was
 * reached.  About O((nvtx + narc) * steps); fails only with CLEAVE_ENOMEM. */
cleave_status clv_fiedler(const clv_graph *g, double tolerance, clv_context *ctx, double *x,
                          clv_fiedler_result *result, cleave_error *err);

/* The components that edges of weight above 0 make, 0 the one with the most vertices, ties by
 * the least vertex.  component: nvtx.  O(nvtx + narc) (order/fiedler_pieces.c). */
cleave_status clv_fiedler_pieces(const clv_graph *g, clv_ws *ws, int32_t *component,
                                 int32_t *ncomponents, cleave_error *err);

#endif
