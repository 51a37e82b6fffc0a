/* SPDX-License-Identifier: Apache-2.0 */
/* tests/order/spectral_oracle.h - graphs edge by edge, and all eigenvectors of a matrix by
 * Jacobi's rotations: slow, and independent of src/order. */
#ifndef CLV_TESTS_ORDER_SPECTRAL_ORACLE_H
#define CLV_TESTS_ORDER_SPECTRAL_ORACLE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct sketch {
    clv_graph g; /* from sketch_close on */
    int32_t n;
    int64_t count, room;
    int32_t *tail, *head, *weight;
    int64_t *xadj;
    int32_t *adj, *ewgt;
} sketch;

void sketch_open(sketch *s, int32_t n);
/* No edge twice, please, and no loops. */
void sketch_edge(sketch *s, int32_t u, int32_t v, int32_t weight);
/* weighted: g.ewgt is there. */
void sketch_close(sketch *s, bool weighted);
void sketch_free(sketch *s);

/* periodic: a torus. */
void sketch_grid(sketch *s, int32_t width, int32_t height, bool periodic);
void sketch_hypercube(sketch *s, int dimension);
/* Every pair with that chance, on top of a random tree if connected; weights 1..most, or 0
 * with chance zero. */
typedef struct sketch_options {
    int32_t n;
    double chance, zero;
    int32_t most;
    bool connected, extreme; /* extreme: weights are 1 or most, nothing between */
    uint64_t seed;
} sketch_options;
void sketch_random(sketch *s, const sketch_options *o);

/* a: n * n, symmetric, destroyed.  values ascend; row i of vectors belongs to values[i]. */
void oracle_eigen(int32_t n, double *a, double *values, double *vectors);
/* n * n, to be freed. */
double *oracle_laplacian(const clv_graph *g);
/* The second least eigenvalue. */
double oracle_fiedler(const clv_graph *g);

/* A context with that many threads; ends the program when that fails. */
void sketch_context(clv_context *ctx, int threads);
void *sketch_alloc(int64_t count, size_t each);

#endif
