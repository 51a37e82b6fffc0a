/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler.h - the Fiedler vector: the eigenvector of the second smallest eigenvalue of a
 * graph's Laplacian, computed by a multilevel method.
 *
 * [Barnard, Simon 1993] (multilevel); [Knyazev 2001] (LOBPCG). */
#ifndef CLV_ORDER_FIEDLER_H
#define CLV_ORDER_FIEDLER_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_fiedler_result {
    double value; /* Rayleigh quotient of the vector */
    double
        residual;  /* norm of (L x - value x), x of norm 1, over the largest weighted degree */
    int32_t steps; /* on the finest level; 0: dense solution, or disconnected */
    bool converged; /* that norm is at most tolerance times the value, or at rounding level */
} clv_fiedler_result;

/* x: nvtx, norm 1, orthogonal to the constant vector, with the sign for which the sum of x[v]
 * * v is positive; if that is 0, the first non-zero entry is negative.  g: undirected, nvtx >=
 * 2; edges of weight 0 and vertex weights are ignored.  If g is disconnected, the value is 0
 * and x is constant on the components, in equal steps from the largest to the smallest.
 *
 * tolerance: of the residual norm, relative to the value.  If the gap to the next eigenvalue
 * is about as large as the value, this also bounds the error of the vector.  Deterministic:
 * sums are taken in a fixed order on any number of threads.  If the context is stopped, x is
 * the current iterate; before the first one x[v] is v and the residual 1.  About O((nvtx +
 * narc) * steps); fails only with CLEAVE_ENOMEM. */
cleave_status clv_fiedler(const clv_graph *g, double tolerance, clv_context *ctx, double *x,
                          clv_fiedler_result *result, cleave_error *err);

/* Connected components by edges of positive weight; component 0 has the most vertices, ties by
 * the smallest vertex.  component: nvtx.  O(nvtx + narc) (order/fiedler_pieces.c). */
cleave_status clv_fiedler_pieces(const clv_graph *g, clv_ws *ws, int32_t *component,
                                 int32_t *ncomponents, cleave_error *err);

#endif
