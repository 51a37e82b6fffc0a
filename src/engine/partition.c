/* SPDX-License-Identifier: Apache-2.0 */
/* engine/partition.c - see engine/partition.h. */
#include "engine/partition.h"

#include "coarsen/contract.h"
#include "engine/search.h"
#include "refine/connect.h"
#include "refine/volume_moves.h"

/* The task in terms of units: the same graph when every vertex is one. */
typedef struct work {
    const clv_partition_task *task;
    clv_multilevel_task t;
    clv_graph *contracted; /* NULL: the units are the vertices */
    int32_t *part;         /* by unit */
    clv_context *ctx;
} work;

/* ---- Groups ----------------------------------------------------------------------------- */

static int32_t *values_of_units(const work *w, const int32_t *by_vertex)
{
    const clv_units *units = w->task->units;
    int32_t *values = clv_ws_alloc(w->ctx->ws, units->count, sizeof *values);
    for (int32_t v = 0; values && v < w->task->g->nvtx; v++)
        values[units->unit[v]] = by_vertex[v];
    return values;
}

/* What a group has to send is taken to be what its vertices send. */
static cleave_status sum_sizes(work *w, cleave_error *err)
{
    const clv_graph *g = w->task->g;
    clv_graph *c = w->contracted;
    int64_t *sum = clv_ws_zalloc(w->ctx->ws, c->nvtx, sizeof *sum);
    int32_t *size = clv_arena_alloc(&c->arena, c->nvtx, sizeof *size);
    if (!sum || !size)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        sum[w->task->units->unit[v]] += g->vsize ? g->vsize[v] : 1;
    for (int32_t u = 0; u < c->nvtx; u++)
        size[u] = sum[u] > INT32_MAX ? INT32_MAX : (int32_t)sum[u];
    c->vsize = size;
    return CLEAVE_OK;
}

static cleave_status scale_bounds(work *w, int shift, cleave_error *err)
{
    int64_t n = (int64_t)w->t.nparts * w->task->g->ncon;
    double *share = clv_ws_alloc(w->ctx->ws, n, sizeof *share);
    int64_t *max = clv_ws_alloc(w->ctx->ws, n, sizeof *max);
    int64_t *min = w->t.min ? clv_ws_alloc(w->ctx->ws, n, sizeof *min) : NULL;
    if (!share || !max || (w->t.min && !min))
        return clv_fail_memory(err);
    for (int64_t i = 0; i < n; i++) {
        share[i] = w->t.share[i] / (double)(INT64_C(1) << shift);
        max[i] = w->t.max[i] >> shift;
        if (min)
            min[i] = (w->t.min[i] + (INT64_C(1) << shift) - 1) >> shift;
    }
    w->t.share = share;
    w->t.max = max;
    w->t.min = min;
    return CLEAVE_OK;
}

static cleave_status contract_groups(work *w, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_contraction how = {.scale = clv_scale_for(task->g)};
    CLV_TRY(clv_contract(&w->contracted, task->g, task->units->unit, task->units->count, &how,
                         w->ctx, err));
    w->t.g = w->contracted;
    w->t.fixed = task->units->fixed;
    if (task->start) {
        w->t.start = values_of_units(w, task->start);
        if (!w->t.start)
            return clv_fail_memory(err);
    }
    w->part = clv_ws_alloc(w->ctx->ws, task->units->count, sizeof *w->part);
    if (!w->part)
        return clv_fail_memory(err);
    if (how.scale.vertex_shift > 0)
        CLV_TRY(scale_bounds(w, how.scale.vertex_shift, err));
    return task->objective == CLEAVE_OBJECTIVE_VOLUME ? sum_sizes(w, err) : CLEAVE_OK;
}

/* ---- After the search ------------------------------------------------------------------- */

/* What the engine only approaches, on the finest level. */
static cleave_status finish(work *w, cleave_error *err)
{
    clv_kway s = {.g = w->t.g,
                  .nparts = w->t.nparts,
                  .part = w->part,
                  .fixed = w->t.fixed,
                  .max = w->t.max,
                  .min = w->t.min};
    clv_ws *ws = w->ctx->ws;
    s.weight = clv_ws_alloc(ws, (int64_t)s.nparts * s.g->ncon, sizeof *s.weight);
    s.count = clv_ws_alloc(ws, s.nparts, sizeof *s.count);
    s.near = clv_ws_alloc(ws, s.g->nvtx, sizeof *s.near);
    if (!s.weight || !s.count || !s.near)
        return clv_fail_memory(err);
    clv_kway_measure(&s, w->ctx);
    if (w->task->objective == CLEAVE_OBJECTIVE_VOLUME) {
        clv_volume_params params = clv_volume_defaults();
        params.rounds = w->task->effort == CLEAVE_EFFORT_FAST ? 3 : 20;
        CLV_TRY(clv_volume_refine(&s, &params, w->ctx, err));
    }
    bool connected = true;
    return w->task->connected ? clv_connect_parts(&s, w->ctx, &connected, err) : CLEAVE_OK;
}

static cleave_status run(work *w, int32_t *part, clv_partition_stats *stats, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_search_result r;
    if (task->units->unit)
        CLV_TRY(contract_groups(w, err));
    CLV_TRY(clv_search(&w->t, clv_effort_of(task->effort), w->ctx, w->part, &r, err));
    double before = clv_clock();
    if (task->objective == CLEAVE_OBJECTIVE_VOLUME || task->connected)
        CLV_TRY(finish(w, err));
    for (int32_t v = 0; w->contracted && v < task->g->nvtx; v++)
        part[v] = w->part[task->units->unit[v]];
    *stats = (clv_partition_stats){r.last.levels, r.runs, r.last.coarsen, r.last.initial,
                                   r.last.refine + (clv_clock() - before)};
    return CLEAVE_OK;
}

cleave_status clv_partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                            clv_partition_stats *stats, cleave_error *err)
{
    work w = {.task = task, .part = part, .ctx = ctx};
    w.t = (clv_multilevel_task){.g = task->g,
                                .nparts = task->nparts,
                                .share = task->share,
                                .max = task->max,
                                .min = task->min,
                                .fixed = task->fixed,
                                .start = task->start};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = run(&w, part, stats, err);
    clv_graph_free(w.contracted);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
