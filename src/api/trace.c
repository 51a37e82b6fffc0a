/* SPDX-License-Identifier: Apache-2.0 */
/* api/trace.c - cleave_trsv_trace: a measured solve next to its cost model. */
#include "view/solve_trace.h"

#include <string.h>

#include "base/context.h"
#include "engine/solve/solve_plan.h"
#include "run/run_spans.h"

/* ---- The steps -------------------------------------------------------------------------- */

static cleave_status take_steps(cleave_trace *t, const clv_tri_plan *plan, cleave_error *err)
{
    const clv_run_sync *sync = clv_tri_plan_steps(plan);
    t->threads = sync->threads;
    t->layers = sync->layers;
    t->count = sync->xstep[sync->threads];
    t->span = clv_arena_zalloc(&t->arena, t->count, sizeof *t->span);
    int64_t *xwait = clv_arena_alloc(&t->arena, t->count + 1, sizeof *xwait);
    int64_t *wait = clv_arena_alloc(&t->arena, sync->waits, sizeof *wait);
    if (!t->span || !xwait || !wait)
        return clv_fail_memory(err);
    clv_run_spans(sync, clv_tri_plan_work(plan), t->span, xwait, wait);
    t->xwait = xwait;
    t->wait = wait;
    return CLEAVE_OK;
}

static cleave_status trace_solve(cleave_trace *t, cleave_trsv *p, clv_ws *ws,
                                 cleave_error *err)
{
    enum { usual_sync = 1000 }; /* as in cleave_run_options */
    cleave_run_info info = {.size = sizeof info};
    cleave_trsv_info(p, &info);
    t->kind = info.sync;
    t->barrier = clv_tri_plan_sync(p->plan) == CLV_SYNC_BARRIER;
    t->sync = p->opt.costs ? p->costs.sync : usual_sync;
    memcpy(t->method, p->schedule->method, sizeof t->method);
    CLV_TRY(take_steps(t, p->plan, err));
    clv_tri_moment *moment = clv_ws_zalloc(ws, t->count, sizeof *moment);
    if (!moment)
        return clv_fail_memory(err);
    CLV_TRY(clv_solve_timed(p, moment, t->count, &t->seconds, ws, err));
    for (int64_t i = 0; i < t->count; i++) {
        t->span[i].wait = moment[i].wait;
        t->span[i].begin = moment[i].begin;
        t->span[i].end = moment[i].end;
    }
    return clv_trace_predict(t, ws, err);
}

cleave_status cleave_trsv_trace(cleave_trace **out, cleave_trsv *plan, cleave_error *err)
{
    clv_ws ws = {0};
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!plan)
        return clv_fail(err, CLEAVE_EINVAL, "the plan is NULL");
    cleave_trace *t = clv_zalloc(1, sizeof *t);
    if (!t)
        return clv_fail_memory(err);
    cleave_status status = trace_solve(t, plan, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        *out = t;
    else
        cleave_trace_free(t);
    return status;
}

/* ---- Accessors -------------------------------------------------------------------------- */

void cleave_trace_free(cleave_trace *t)
{
    if (!t)
        return;
    clv_arena_free(&t->arena);
    clv_sys_free(t);
}

void cleave_span_init(cleave_span *span, size_t size)
{
    clv_sized_init(span, size);
}

double cleave_trace_seconds(const cleave_trace *t)
{
    return t ? t->seconds : 0;
}

int32_t cleave_trace_threads(const cleave_trace *t)
{
    return t ? t->threads : 0;
}

int32_t cleave_trace_layers(const cleave_trace *t)
{
    return t ? t->layers : 0;
}

int64_t cleave_trace_count(const cleave_trace *t)
{
    return t ? t->count : 0;
}

cleave_status cleave_trace_span(const cleave_trace *t, int64_t i, cleave_span *span,
                                cleave_error *err)
{
    if (!t || !span)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", t ? "span" : "the trace");
    if (i < 0 || i >= t->count)
        return clv_fail(err, CLEAVE_EINVAL, "there is no span %lld among %lld", (long long)i,
                        (long long)t->count);
    clv_sized_write(span, &t->span[i], sizeof *span);
    return CLEAVE_OK;
}
