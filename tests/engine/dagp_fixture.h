/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/dagp_fixture.h - a DAG as a task of dagP, and a check of the result from the
 * parts alone. */
#ifndef CLV_TESTS_ENGINE_DAGP_FIXTURE_H
#define CLV_TESTS_ENGINE_DAGP_FIXTURE_H

#include "engine/acyclic/dagp.h"
#include "refine/dag_fixture.h"

typedef struct dagp_fixture {
    dag_fixture f;
    clv_multilevel_task task;
    double *share;
    int32_t *part;
    clv_dagp_method method;
    clv_dagp_params params;
} dagp_fixture;

static inline void dagp_make(dagp_fixture *d, const dag_options *o)
{
    dag_make(&d->f, o);
    int64_t places = (int64_t)o->nparts * o->ncon;
    d->share = calloc((size_t)places + 1, sizeof *d->share);
    d->part = calloc((size_t)o->nvtx + 1, sizeof *d->part);
    if (!d->share || !d->part)
        abort();
    for (int64_t i = 0; i < places; i++)
        d->share[i] = (double)d->f.weight[i];
    d->task = (clv_multilevel_task){
        .g = &d->f.g,
        .bounds = {o->nparts, d->f.g.ncon, d->share, d->f.max, d->f.s.bounds.min}};
}

static inline void dagp_free(dagp_fixture *d)
{
    free(d->share);
    free(d->part);
    dag_free(&d->f);
}

static inline cleave_status solve(dagp_fixture *d, int threads, uint64_t seed,
                                  clv_multilevel_result *result, cleave_error *err)
{
    clv_context ctx;
    fixture_context(&ctx, threads, seed);
    memset(d->part, 99, (size_t)d->f.g.nvtx * sizeof *d->part);
    cleave_status status =
        clv_dagp(&d->task, d->method, &d->params, &ctx, d->part, result, err);
    clv_context_close(&ctx);
    return status;
}

/* Recomputed from the parts alone. */
static inline void check_result(dagp_fixture *d, const clv_multilevel_result *result)
{
    for (int32_t v = 0; v < d->f.g.nvtx; v++)
        REQUIRE(d->part[v] >= 0 && d->part[v] < d->task.bounds.nparts);
    memcpy(d->f.part, d->part, (size_t)d->f.g.nvtx * sizeof *d->part);
    CHECK(dag_is_acyclic(&d->f.s));
    CHECK_EQ(result->worth.cut, fixture_cut(&d->f.s));
    CHECK_EQ(result->worth.overload, fixture_overload(&d->f.s));
}

#endif
