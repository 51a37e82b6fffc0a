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
    int32_t steps; /* on the finest level */
    bool converged; /* the residual is below the tolerance */
} clv_fiedler_result;

/* x: nvtx, norm 1, perpendicular to the constant vector.  g: undirected, nvtx >= 2,
 * connected (else the value is 0 and x is constant on components).  Deterministic: sums are
 * taken in a fixed order whatever the number of threads. */
cleave_status clv_fiedler(const clv_graph *g, double tolerance, clv_context *ctx, double *x,
                          clv_fiedler_result *result, cleave_error *err);

#endif
