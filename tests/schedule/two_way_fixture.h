/* SPDX-License-Identifier: Apache-2.0 */
/* tests/schedule/two_way_fixture.h - instances of the two-way model, their optimum by
 * exhaustive search, and the example of the paper's Figure 6. */
#ifndef CLV_TESTS_SCHEDULE_TWO_WAY_FIXTURE_H
#define CLV_TESTS_SCHEDULE_TWO_WAY_FIXTURE_H

#include "base/rng.h"
#include "schedule/two_way.h"
#include "support/test.h"

typedef enum two_way_shape {
    TWO_WAY_RANDOM, /* arcs anywhere along a hidden order */
    TWO_WAY_LOCAL,  /* arcs to one of the next few vertices of the order */
    TWO_WAY_GRID,   /* a strip of a mesh: each vertex reads three of the row below */
    TWO_WAY_TREE,   /* arcs to one successor */
    TWO_WAY_PIECES, /* not connected to each other */
    TWO_WAY_SHAPES
} two_way_shape;

typedef struct two_way_options {
    two_way_shape shape;
    int32_t nvtx;
    int32_t weight;    /* 0..this at random; 0: no weights (all 1) */
    int32_t narrivals; /* arcs from earlier layers */
    int32_t ws, wc;
    uint64_t seed;
} two_way_options;

typedef struct two_way_fixture {
    clv_two_way model;
    clv_graph *g;
    int32_t *weight, *to, *from;
} two_way_fixture;

/* Aborts the program when that fails. */
void two_way_make(two_way_fixture *f, const two_way_options *options);
/* Any options that a seed gives, for nvtx up to `largest`. */
two_way_options two_way_any(uint64_t seed, int32_t largest);
void two_way_figure_6(two_way_fixture *f);
void two_way_free(two_way_fixture *f);

/* The largest objective of all 3^nvtx labellings that the model allows. */
int64_t two_way_optimum(const clv_two_way *model);

/* Aborts the program when that fails. */
void two_way_open(clv_context *ctx, int threads, uint64_t seed, double limit);

/* NULL, or what is wrong with a solution and its result. */
const char *two_way_fault(const clv_two_way *model, const int32_t *part,
                          const clv_two_way_result *result);

#endif
