/* SPDX-License-Identifier: Apache-2.0 */
/* tests/schedule/layers_fixture.h - DAGs of many shapes and weights, and a slow checker of
 * super layers that shares no code with the library. */
#ifndef CLV_TESTS_SCHEDULE_LAYERS_FIXTURE_H
#define CLV_TESTS_SCHEDULE_LAYERS_FIXTURE_H

#include "base/context.h"
#include "graph/graph.h"
#include "support/test.h"

typedef enum layers_shape {
    LAYERS_RANDOM,  /* arcs anywhere along a hidden order */
    LAYERS_CHAIN,   /* one */
    LAYERS_STAR,    /* one producer */
    LAYERS_SINK,    /* one consumer */
    LAYERS_FREE,    /* no arcs */
    LAYERS_LAYERED, /* ranks of ten, arcs from rank to rank */
    LAYERS_GRID,    /* a wave front */
    LAYERS_TREES,   /* of twenty vertices, towards their roots */
    LAYERS_SHAPES
} layers_shape;

typedef enum layers_weights {
    LAYERS_NONE, /* no weights: all 1 */
    LAYERS_SOME, /* 0..9 */
    LAYERS_ZERO, /* all 0 */
    LAYERS_HUGE, /* 2^31-1, some 0 */
    LAYERS_WEIGHTS
} layers_weights;

/* NULL when memory runs out.  Numbers of vertices are shuffled, but for the grid. */
clv_graph *layers_graph(layers_shape shape, int32_t nvtx, layers_weights weights,
                        uint64_t seed);

/* NULL, or what is wrong with the schedule. */
const char *layers_fault(const clv_graph *g, int32_t threads, const int32_t *layer,
                         const int32_t *thread);
/* Sum over layers with vertices of (largest work of a thread + sync). */
double layers_cost(const clv_graph *g, int32_t threads, const int32_t *layer,
                   const int32_t *thread, double sync);
/* Layers with vertices. */
int32_t layers_count(const clv_graph *g, const int32_t *layer);

#endif
