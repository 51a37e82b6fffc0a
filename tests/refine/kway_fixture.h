/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/kway_fixture.h - graphs with partitions to refine, and a slow checker of the
 * promises of refine/kway.h. */
#ifndef CLV_TESTS_REFINE_KWAY_FIXTURE_H
#define CLV_TESTS_REFINE_KWAY_FIXTURE_H

#include "base/rng.h"
#include "refine/kway.h"
#include "support/test.h"

typedef enum fixture_shape {
    FIXTURE_RANDOM,  /* edges anywhere, some vertices isolated */
    FIXTURE_GRID,    /* a square grid, the last row maybe short */
    FIXTURE_STARS,   /* hubs with many leaves, in a ring */
    FIXTURE_CLIQUES, /* of ten vertices, not connected to each other */
    FIXTURE_SHAPES
} fixture_shape;

typedef struct fixture_options {
    fixture_shape shape;
    int32_t nvtx, nparts, ncon;
    int32_t vertex_weight; /* 0..this at random; 0: no weights (all 1) */
    int32_t edge_weight;
    double slack; /* max = 1 + slack times what a hidden solution has, rounded down */
    bool lower;   /* min = 1 - slack times that */
    int fixed; /* each so-manyth vertex is fixed where the hidden solution has it; 0: none */
    uint64_t seed;
} fixture_options;

typedef struct fixture {
    clv_graph g;
    clv_kway s;
    int32_t *hidden; /* a solution within the bounds */
    int32_t *part, *fixed, *count;
    int64_t *weight, *max, *min;
    uint8_t *near;
    void *blocks[16];
    int nblocks;
} fixture;

/* The partition is the hidden one; fixture_scatter and the tests change it. */
void fixture_make(fixture *f, const fixture_options *options);
void fixture_free(fixture *f);
/* Any options that a seed gives, for nvtx up to `largest`. */
fixture_options fixture_any(uint64_t seed, int32_t largest);

/* Puts every free vertex anywhere (spread = nparts), or all into the first `spread` parts. */
void fixture_scatter(fixture *f, int32_t spread, uint64_t seed);

/* Recomputed from the definitions. */
int64_t fixture_cut(const clv_kway *s);
int64_t fixture_overload(const clv_kway *s);
/* NULL, or which promise is broken. */
const char *fixture_fault(const fixture *f);

/* A context with that many threads; aborts the test program when that fails. */
void fixture_context(clv_context *ctx, int threads, uint64_t seed);

/* Runs `refine` from the partition as it is with 1, 2, 3 and 8 threads; true when all end in
 * the same parts.  The state is that of the last run. */
typedef cleave_status (*fixture_refiner)(clv_kway *s, clv_context *ctx, cleave_error *err);
bool fixture_is_deterministic(fixture *f, fixture_refiner refine);

/* Every allocation fails in turn: CLEAVE_ENOMEM, nothing leaked, no promise broken, and the
 * state no worse.  Only in programs with the failing allocator. */
void fixture_fail_allocations(fixture *f, fixture_refiner refine);

#endif
