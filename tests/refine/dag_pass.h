/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/dag_pass.h - what the tests of the passes of dagP have in common. */
#ifndef CLV_TESTS_REFINE_DAG_PASS_H
#define CLV_TESTS_REFINE_DAG_PASS_H

#include "refine/dag_fixture.h"

/* On any DAG, from good partitions and bad ones: promises kept, never worse, often better. */
static inline void pass_keeps_promises(fixture_refiner refine)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int better = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
        dag_make(&f, &o);
        if (seed % 4)
            dag_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
        int64_t cut = f.s.cut, overload = clv_state_overload(&f.s);
        CHECK_OK(refine(&f.s, &ctx, &err));
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        int64_t now = clv_state_overload(&f.s);
        CHECK(now < overload || (now == overload && f.s.cut <= cut));
        better += now < overload || f.s.cut < cut;
        dag_free(&f);
    }
    CHECK(better > 600);
    clv_context_close(&ctx);
}

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
    pass_best now = {clv_state_overload(s), dag_cut(s)};
    if (now.overload < best->overload ||
        (now.overload == best->overload && now.cut < best->cut))
        *best = now;
}

#endif
