/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/engine_fixture.h - tasks for the multilevel engine from the graphs of
 * tests/refine/kway_fixture.h, and a slow checker of what comes out. */
#ifndef CLV_TESTS_ENGINE_ENGINE_FIXTURE_H
#define CLV_TESTS_ENGINE_ENGINE_FIXTURE_H

#include "engine/multilevel/multilevel.h"
#include "refine/kway_fixture.h"
#include "refine/merge_parallel.h"

typedef struct engine_fixture {
    fixture f;
    clv_multilevel_task task; /* shares and bounds of the fixture's hidden solution */
    double *share;
    int32_t *part; /* for the result */
} engine_fixture;

static inline void engine_fixture_make(engine_fixture *e, const fixture_options *o)
{
    fixture_make(&e->f, o);
    merge_parallel(&e->f.g);
    fixture_scatter(&e->f, 0, 0);
    int64_t places = (int64_t)o->nparts * o->ncon;
    e->share = calloc((size_t)places + 1, sizeof *e->share);
    e->part = calloc((size_t)o->nvtx + 1, sizeof *e->part);
    if (!e->share || !e->part)
        abort();
    for (int64_t i = 0; i < places; i++)
        e->share[i] = (double)e->f.weight[i];
    e->task = (clv_multilevel_task){
        .g = &e->f.g,
        .bounds = {o->nparts, e->f.g.ncon, e->share, e->f.max, e->f.s.bounds.min},
        .fixed = e->f.s.fixed};
}

static inline void engine_fixture_free(engine_fixture *e)
{
    fixture_free(&e->f);
    free(e->share);
    free(e->part);
}

/* Recomputed from e->part, which the state of the fixture takes over. */
static inline int64_t engine_cut(engine_fixture *e)
{
    memcpy(e->f.part, e->part, (size_t)e->f.g.nvtx * sizeof *e->part);
    return fixture_cut(&e->f.s);
}
static inline int64_t engine_overload(engine_fixture *e)
{
    memcpy(e->f.part, e->part, (size_t)e->f.g.nvtx * sizeof *e->part);
    return fixture_overload(&e->f.s);
}

/* NULL, or what is wrong with e->part. */
static inline const char *engine_fault(const engine_fixture *e)
{
    for (int32_t v = 0; v < e->f.g.nvtx; v++) {
        if (e->part[v] < 0 || e->part[v] >= e->task.bounds.nparts)
            return "a part is out of range";
        if (e->task.fixed && e->task.fixed[v] >= 0 && e->task.fixed[v] != e->part[v])
            return "a fixed vertex is elsewhere";
    }
    return NULL;
}

/* An effort that coarsens small graphs, too. */
static inline clv_preset engine_small_effort(cleave_effort effort)
{
    clv_preset small = *clv_preset_of(effort, CLEAVE_UNDIRECTED);
    small.coarsening.limit_per_part = 5;
    small.coarsening.limit_least = 20;
    small.coarsening.limit_pair = 20;
    return small;
}

/* Calls solve(e, ctx) with 1, 2, 3 and 8 threads; do all fill e->part alike? */
static inline bool engine_is_deterministic(engine_fixture *e,
                                           cleave_status (*solve)(engine_fixture *e,
                                                                  clv_context *ctx,
                                                                  cleave_error *err))
{
    static const int threads[] = {1, 2, 3, 8};
    size_t bytes = (size_t)e->f.g.nvtx * sizeof *e->part;
    int32_t *first = malloc(bytes + 1);
    bool same = first != NULL;
    for (int i = 0; i < 4 && same; i++) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, threads[i], 5);
        memset(e->part, 99, bytes);
        same = solve(e, &ctx, &err) == CLEAVE_OK;
        clv_context_close(&ctx);
        if (i == 0)
            memcpy(first, e->part, bytes);
        same = same && memcmp(first, e->part, bytes) == 0;
    }
    free(first);
    return same;
}

/* Each allocation fails in turn, every `step`-th of them: CLEAVE_ENOMEM, or a valid result
 * where the library can do without; nothing leaks. */
static inline void engine_fail_allocations(engine_fixture *e, int threads, int64_t step,
                                           cleave_status (*solve)(engine_fixture *e,
                                                                  clv_context *ctx,
                                                                  cleave_error *err))
{
    int32_t failures = 0;
    int64_t nth = 1;
    for (bool failed = true; failed && nth < 100000; nth += nth < 50 ? 1 : step) {
        clv_context ctx;
        cleave_error err = {0};
        int64_t live = test_alloc_live();
        fixture_context(&ctx, threads, 5);
        test_alloc_fail_at(nth);
        cleave_status status = solve(e, &ctx, &err);
        failed = test_alloc_calls() >= nth;
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK || (failed && status == CLEAVE_ENOMEM));
        CHECK(status == CLEAVE_OK || err.status == CLEAVE_ENOMEM);
        clv_context_close(&ctx);
        CHECK_EQ(test_alloc_live(), live);
        const char *fault = status == CLEAVE_OK ? engine_fault(e) : NULL;
        CHECK_STR(fault ? fault : "none", "none");
        failures += status == CLEAVE_ENOMEM;
    }
    CHECK(failures > 10 && nth < 100000);
}

#endif
