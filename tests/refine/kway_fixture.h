/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/kway_fixture.h - graphs with partitions to refine, and a slow checker of the
 * invariants of refine/state/partition_state.h. */
#ifndef CLV_TESTS_REFINE_KWAY_FIXTURE_H
#define CLV_TESTS_REFINE_KWAY_FIXTURE_H

#include "base/rng.h"
#include "refine/state/partition_state.h"
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
    int fixed;   /* each so-manyth vertex is fixed where the hidden solution has it; 0: none */
    bool simple; /* no neighbour is named twice, as in the graphs of the library */
    uint64_t seed;
} fixture_options;

typedef struct fixture {
    clv_graph g;
    clv_partition_state s;
    int32_t *hidden; /* a solution within the bounds */
    int32_t *part, *fixed, *count;
    int64_t *weight, *max, *min;
    uint8_t *maybe_boundary;
    void *blocks[16];
    int nblocks;
} fixture;

/* The partition is the hidden one; fixture_scatter and the tests change it. */
void fixture_make(fixture *f, const fixture_options *options);
/* Around a graph of the test's own with one constraint; f->fixed has no fixed vertices. */
void fixture_around(fixture *f, const clv_graph *g, int32_t nparts, const int32_t *part,
                    const int64_t *max);
void fixture_free(fixture *f);
/* Any options that a seed gives, for nvtx up to `largest`. */
fixture_options fixture_any(uint64_t seed, int32_t largest);

/* Puts every free vertex anywhere (spread = nparts), or all into the first `spread` parts. */
void fixture_scatter(fixture *f, int32_t spread, uint64_t seed);

/* Recomputed from the definitions. */
int64_t fixture_arc_cost(const clv_partition_state *s, int32_t v, int64_t a);
int64_t fixture_cut(const clv_partition_state *s);
int64_t fixture_overload(const clv_partition_state *s);
/* NULL, or which promise is broken; of a DAG those that do not concern its ranks. */
const char *fixture_state_fault(const clv_partition_state *s);
const char *fixture_fault(const fixture *f);

/* For what returns NULL or a fault. */
static inline const char *fixture_said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(fixture_said(fault), "none")

/* A context with that many threads; aborts the test program when that fails. */
void fixture_context(clv_context *ctx, int threads, uint64_t seed);

/* ---- What most tests of refiners do ------------------------------------------------- */

typedef cleave_status (*fixture_refiner)(clv_partition_state *s, clv_context *ctx,
                                         cleave_error *err);

/* What a refiner promises beyond fixture_fault: NULL, or what is broken.  `before` has the
 * parts and the cut that it began with (its other numbers are those of f); failed: it ran out
 * of memory. */
typedef const char *(*fixture_judge)(const fixture *f, const clv_partition_state *before,
                                     bool failed);
/* Parts of its own, which the caller frees. */
clv_partition_state fixture_copy(const fixture *f);
/* (overload, cut) is not larger. */
const char *fixture_no_worse(const fixture *f, const clv_partition_state *before, bool failed);
/* Neither of the two is. */
const char *fixture_none_worse(const fixture *f, const clv_partition_state *before,
                               bool failed);

/* The faults of so many fixtures, of any kind, every other one scattered; ctx->seed is theirs,
 * so that a refiner may vary with it. */
const char *fixture_fault_any(uint64_t count, fixture_refiner refine, fixture_judge judge);

/* Runs `refine` from the partition as it is with 1, 2, 3 and 8 threads; true when all end in
 * the same parts.  The state is that of the last run. */
bool fixture_is_deterministic(fixture *f, fixture_refiner refine);
/* That, and the faults of the last run. */
const char *fixture_fault_threads(fixture *f, fixture_refiner refine);
/* That for every shape, of which every other one has the weights and constraints of `o`, and
 * the others none; scattered, better in the end, and then within the bounds. */
const char *fixture_fault_shapes(const fixture_options *o, int32_t spread,
                                 fixture_refiner refine);

/* In programs with the failing allocator (kway_fixture_oom.c).  The nth allocation fails, if
 * there are so many: CLEAVE_ENOMEM, nothing leaked. */
const char *fixture_refine_failing(clv_partition_state *s, fixture_refiner refine, int64_t nth,
                                   bool *failed);
/* Every allocation fails in turn, and no promise is broken. */
const char *fixture_fault_memory(fixture *f, fixture_refiner refine, fixture_judge judge);
/* That for a scattered fixture. */
const char *fixture_fault_memory_of(const fixture_options *o, int32_t spread,
                                    fixture_refiner refine, fixture_judge judge);
static inline void fixture_fail_allocations(fixture *f, fixture_refiner refine)
{
    CHECK_FINE(fixture_fault_memory(f, refine, fixture_no_worse));
}

#endif
