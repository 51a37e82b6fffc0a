/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/dag_pass.h - the common part of the tests of the passes of dagP. */
#ifndef CLV_TESTS_REFINE_DAG_PASS_H
#define CLV_TESTS_REFINE_DAG_PASS_H

#include "refine/dag_fixture.h"

/* Two weights per vertex, every allocation failing in turn, any number of threads. */
static inline void pass_survives_failures(fixture_refiner refine)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 300, .nparts = 5, .ncon = 2, .slack = 0.1};
    dag_make(&f, &o);
    dag_scatter(&f, 5, 3);
    dag_fail_allocations(&f, refine);
    CHECK(dag_is_deterministic(&f, refine));
    dag_free(&f);
}

/* The moved vertex's neighbours may be looked at again. */
static inline void pass_free_neighbours(const clv_graph *g, int32_t v, uint8_t *dropped)
{
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        dropped[g->adj[a]] = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        dropped[g->pred[a]] = 0;
}

/* The best state on the way. */
typedef struct pass_best {
    int64_t overload, cut;
} pass_best;
static inline void pass_keep_best(const clv_partition_state *s, pass_best *best)
{
    pass_best now = {clv_state_overload(s), fixture_cut(s)};
    if (now.overload < best->overload ||
        (now.overload == best->overload && now.cut < best->cut))
        *best = now;
}

#endif
