/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/dag_fixture.h - DAGs with acyclic partitions to refine, and a slow checker of
 * the invariants of refine/state/partition_state.h for DAGs. Link dag_fixture.c and
 * kway_fixture.c (contexts, overload); dag_fixture_oom.c in programs with the failing
 * allocator. */
#ifndef CLV_TESTS_REFINE_DAG_FIXTURE_H
#define CLV_TESTS_REFINE_DAG_FIXTURE_H

#include "refine/kway_fixture.h"

typedef enum dag_shape {
    DAG_RANDOM, /* arcs anywhere along a hidden order, some vertices isolated */
    DAG_LOCAL,  /* arcs to one of the next few vertices of the order */
    DAG_GRID,   /* right and down: a wave front */
    DAG_HUBS,   /* the first vertices are read by very many */
    DAG_CHAINS, /* of ten vertices, not connected to each other */
    DAG_SHAPES
} dag_shape;

typedef struct dag_options {
    dag_shape shape;
    int32_t nvtx, nparts, ncon; /* nparts may exceed nvtx */
    int32_t vertex_weight;      /* 0..this at random; 0: no weights (all 1) */
    int32_t edge_weight;        /* the same */
    double slack;               /* max = 1 + slack times what a hidden solution has */
    bool lower;                 /* min = 1 - slack times that */
    int fixed; /* each so-manyth vertex is fixed where the hidden solution has it; 0: none */
    uint64_t seed;
} dag_options;

typedef struct dag_fixture {
    clv_graph g; /* rows not sorted, as on coarse levels; no parallel arcs */
    clv_partition_state s;
    int32_t *order;  /* a topological order of the vertices, unlike their numbers */
    int32_t *hidden; /* a solution within the bounds: the order in slices, labels shuffled */
    int32_t *part, *fixed, *count, *rank, *hidden_rank;
    int64_t *weight, *max, *min;
    uint8_t *maybe_boundary;
    void *blocks[24];
    int nblocks;
} dag_fixture;

/* The partition is the hidden one; dag_scatter and the tests change it. */
void dag_make(dag_fixture *f, const dag_options *options);
void dag_free(dag_fixture *f);
/* Any options that a seed gives, for nvtx up to `largest`. */
dag_options dag_any(uint64_t seed, int32_t largest);

/* A random acyclic partition with the hidden ranks: every free vertex goes to any part that
 * its predecessors and the fixed vertices behind it allow (spread = nparts), or, as far as
 * the fixed vertices allow, to one of the first `spread` ranks only.  0: measures what is
 * there. */
void dag_scatter(dag_fixture *f, int32_t spread, uint64_t seed);

/* Has the quotient graph no cycle?  By depth-first search on a dense matrix, without ranks.
 */
bool dag_is_acyclic(const clv_partition_state *s);
/* NULL, or which promise is broken: those of fixture_fault, and the quotient and the ranks. */
const char *dag_fault(const dag_fixture *f);

/* Refines so many DAGs of any kind, two of three from a scattered partition; ctx->seed is
 * theirs, so that a refiner may vary with it.  Checks the promises, that (overload, cut) is
 * not larger and, with `each`, that neither of the two is.  Returns how many became better. */
int dag_refine_any(uint64_t count, fixture_refiner refine, bool each);

/* Runs `refine` from the partition as it is with 1, 2, 3 and 8 threads; true when all end in
 * the same parts and ranks.  The state is that of the last run. */
bool dag_is_deterministic(dag_fixture *f, fixture_refiner refine);

/* Every allocation fails in turn: CLEAVE_ENOMEM, nothing leaked, no promise broken, and the
 * state no worse. */
void dag_fail_allocations(dag_fixture *f, fixture_refiner refine);

/* Where a state stands, to come back to; dag_return measures. */
typedef struct dag_snapshot {
    int32_t *part, *rank;
} dag_snapshot;
dag_snapshot dag_keep(const dag_fixture *f);
void dag_return(dag_fixture *f, const dag_snapshot *to);
void dag_drop(dag_snapshot *snapshot);

#endif
