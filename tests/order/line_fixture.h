/* SPDX-License-Identifier: Apache-2.0 */
/* tests/order/line_fixture.h - points with edges between close ones, their orders, and
 * machines with unequal PEs. */
#ifndef CLV_TESTS_ORDER_LINE_FIXTURE_H
#define CLV_TESTS_ORDER_LINE_FIXTURE_H

#include "base/context.h"
#include "base/rng.h"
#include "graph/order.h"
#include "support/test.h"

typedef enum line_shape {
    LINE_SPREAD,    /* points anywhere in a cube */
    LINE_CLUSTERED, /* most of them near a corner */
    LINE_GRID,      /* many equal coordinates */
    LINE_STRAIGHT,  /* all on a slanted line */
    LINE_TWICE,     /* every point more than once */
    LINE_ONE_POINT,
    LINE_SHAPES
} line_shape;

typedef enum line_weights {
    LINE_UNIT, /* no weights */
    LINE_SMALL,
    LINE_ZEROS, /* some 0 */
    LINE_NOTHING,
    LINE_HEAVY, /* one weighs half of all */
    LINE_WEIGHTS
} line_weights;

/* A graph whose vertices are joined to the next one and to one or two others; ndim 2 or 3.
 * Aborts the program when that fails. */
clv_graph *line_graph(line_shape shape, line_weights weights, int32_t nvtx, int32_t ndim,
                      uint64_t seed);
/* Its order in random sequence. */
clv_order *line_order(const clv_graph *g, uint64_t seed);

/* Speeds of 1..ratio, some 0 with idle, but not all. */
void line_speeds(double *speed, int32_t npes, double ratio, bool idle, uint64_t seed);

/* NULL, or why vertex[] is no permutation of 0..nvtx-1. */
const char *line_fault(int32_t nvtx, const int32_t *vertex);

static inline const char *line_said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(line_said(fault), "none")

/* A context of so many threads; aborts the program when that fails. */
void line_context(clv_context *ctx, int threads, uint64_t seed);

#endif
