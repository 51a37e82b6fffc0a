/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel.c - see engine/multilevel.h. */
#include "engine/multilevel.h"

#include <string.h>

#include "coarsen/hierarchy.h"
#include "engine/bisection.h"
#include "initial/portfolio.h"

typedef struct climb {
    const clv_multilevel_task *task;
    const clv_effort *effort;
    clv_context *ctx;
    clv_hierarchy h;
    const int32_t *fixed[clv_most_levels]; /* by level */
    int64_t *max, *min;                    /* in the units of the coarse levels */
    clv_kway s;                            /* of the current level */
} climb;

/* ---- Down ------------------------------------------------------------------------------- */

/* A given solution wants many levels to be refined on; for the first one, bisection goes on
 * coarsening by itself. */
static int32_t coarse_limit(const climb *c)
{
    const clv_effort *e = c->effort;
    int64_t k = c->task->nparts;
    int64_t limit = k * (c->task->start ? e->limit_pair / 2 : e->limit_per_part);
    if (!c->task->start && limit < e->limit_least)
        limit = e->limit_least;
    return limit < INT32_MAX ? (int32_t)limit : INT32_MAX;
}

static cleave_status coarsen(climb *c, cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    int32_t ncon = t->g->ncon, limit = coarse_limit(c);
    int64_t *heaviest = clv_ws_zalloc(c->ctx->ws, ncon, sizeof *heaviest);
    if (!heaviest)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < ncon; i++) {
        double total = 0;
        for (int32_t p = 0; p < t->nparts; p++)
            total += t->share[(int64_t)p * ncon + i];
        heaviest[i] = (int64_t)(c->effort->heaviest * total / (double)limit) + 1;
    }
    clv_coarsening how = {.limit = limit,
                          .max_weight = heaviest,
                          .sparsify_from = c->effort->sparsify_from,
                          .density = c->effort->density,
                          .klass = t->klass ? t->klass : t->fixed};
    return clv_hierarchy_build(&c->h, t->g, &how, c->ctx, err);
}

/* values[v] of a level becomes that of its coarse vertex; NULL when out of memory. */
static int32_t *carry_down(const clv_level *level, int32_t ncoarse, const int32_t *values,
                           clv_ws *ws)
{
    int32_t *coarse = clv_ws_alloc(ws, ncoarse, sizeof *coarse);
    for (int32_t v = 0; coarse && v < level->g->nvtx; v++)
        coarse[level->map[v]] = values[v];
    return coarse;
}

static cleave_status carry_fixed(climb *c, cleave_error *err)
{
    c->fixed[0] = c->task->fixed;
    for (int32_t i = 1; i < c->h.nlevels && c->task->fixed; i++) {
        c->fixed[i] =
            carry_down(&c->h.level[i - 1], c->h.level[i].g->nvtx, c->fixed[i - 1], c->ctx->ws);
        if (!c->fixed[i])
            return clv_fail_memory(err);
    }
    return CLEAVE_OK;
}

/* Bounds that hold on the coarse levels hold on the finest: weights there are rounded up. */
static cleave_status scale_bounds(climb *c, cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    int64_t n = (int64_t)t->nparts * t->g->ncon;
    int shift = c->h.scale.vertex_shift;
    c->max = clv_ws_alloc(c->ctx->ws, n, sizeof *c->max);
    c->min = t->min ? clv_ws_alloc(c->ctx->ws, n, sizeof *c->min) : NULL;
    if (!c->max || (t->min && !c->min))
        return clv_fail_memory(err);
    for (int64_t i = 0; i < n; i++) {
        c->max[i] = t->max[i] >> shift;
        if (t->min)
            c->min[i] = (t->min[i] + (INT64_C(1) << shift) - 1) >> shift;
    }
    return CLEAVE_OK;
}

/* ---- States ----------------------------------------------------------------------------- */

/* The state of a level, its part array not yet filled; on the finest it is the result. */
static cleave_status open_level(climb *c, int32_t index, int32_t *result, cleave_error *err)
{
    clv_kway *s = &c->s;
    s->g = c->h.level[index].g;
    s->level = index;
    s->fixed = c->fixed[index];
    s->max = index == 0 ? c->task->max : c->max;
    s->min = index == 0 ? c->task->min : c->min;
    s->part = index == 0 ? result : clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *s->part);
    s->near = clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *s->near);
    return s->part && s->near ? CLEAVE_OK : clv_fail_memory(err);
}

typedef struct projection {
    const int32_t *map, *from;
    const uint8_t *near_from;
    int32_t *to;
    uint8_t *near_to;
} projection;

static void project_range(void *context, int64_t begin, int64_t end, int member)
{
    (void)member;
    const projection *p = context;
    for (int64_t v = begin; v < end; v++) {
        p->to[v] = p->from[p->map[v]];
        p->near_to[v] = p->near_from[p->map[v]];
    }
}

static void count_vertices(clv_kway *s)
{
    memset(s->count, 0, (size_t)s->nparts * sizeof *s->count);
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->count[s->part[v]]++;
}

/* From level index + 1 to index.  Vertices of an inner coarse vertex are inner: only those
 * of the coarse boundary are looked at again. */
static cleave_status project(climb *c, int32_t index, int32_t *result, cleave_error *err)
{
    clv_kway coarse = c->s;
    CLV_TRY(open_level(c, index, result, err));
    projection p = {c->h.level[index].map, coarse.part, coarse.near, c->s.part, c->s.near};
    clv_parallel_for(c->ctx->team, c->s.g->nvtx, 1 << 14, project_range, &p);
    if (c->h.level[index + 1].rough)
        clv_kway_measure(&c->s, c->ctx);
    else
        count_vertices(&c->s);
    return CLEAVE_OK;
}

/* ---- The coarsest level ----------------------------------------------------------------- */

static cleave_status start_from_given(climb *c, cleave_error *err)
{
    const int32_t *values = c->task->start;
    for (int32_t i = 1; i < c->h.nlevels; i++) {
        values = carry_down(&c->h.level[i - 1], c->h.level[i].g->nvtx, values, c->ctx->ws);
        if (!values)
            return clv_fail_memory(err);
    }
    memcpy(c->s.part, values, (size_t)c->s.g->nvtx * sizeof *values);
    clv_kway_measure(&c->s, c->ctx);
    return CLEAVE_OK;
}

static cleave_status start_by_growing(climb *c, cleave_error *err)
{
    const clv_effort *e = c->effort;
    int32_t ncon = c->s.g->ncon;
    double *share = clv_ws_alloc(c->ctx->ws, ncon, sizeof *share);
    if (!share)
        return clv_fail_memory(err);
    int shift = c->h.nlevels > 1 ? c->h.scale.vertex_shift : 0;
    for (int32_t i = 0; i < ncon; i++)
        share[i] = c->task->share[i] / (double)(INT64_C(1) << shift);
    clv_grow_params params = {e->tries, e->most_tries, 3, 50, 0};
    return clv_grow_bipartition(&c->s, share, &params, c->ctx, err);
}

static cleave_status start_by_bisection(climb *c, cleave_error *err)
{
    int32_t n = c->task->nparts * c->s.g->ncon;
    double *share = clv_ws_alloc(c->ctx->ws, n, sizeof *share);
    if (!share)
        return clv_fail_memory(err);
    int shift = c->h.nlevels > 1 ? c->h.scale.vertex_shift : 0;
    for (int32_t i = 0; i < n; i++)
        share[i] = c->task->share[i] / (double)(INT64_C(1) << shift);
    clv_multilevel_task task = {.g = c->s.g,
                                .nparts = c->task->nparts,
                                .share = share,
                                .max = c->s.max,
                                .min = c->s.min,
                                .fixed = c->s.fixed};
    CLV_TRY(clv_recursive_bisection(&task, c->effort, c->ctx, c->s.part, err));
    clv_kway_measure(&c->s, c->ctx);
    return CLEAVE_OK;
}

static cleave_status solve_coarsest(climb *c, int32_t *result, cleave_error *err)
{
    CLV_TRY(open_level(c, c->h.nlevels - 1, result, err));
    if (c->task->start)
        return start_from_given(c, err);
    return c->effort->bisections == 0 ? start_by_growing(c, err) : start_by_bisection(c, err);
}

/* ---- The whole -------------------------------------------------------------------------- */

static void report_level(climb *c, int32_t index)
{
    clv_context_phase(c->ctx, "refining", c->h.nlevels - index, c->h.nlevels);
    c->ctx->now.level = index;
    c->ctx->now.cut = c->s.cut;
    clv_context_stop(c->ctx);
}

static cleave_status refine_upwards(climb *c, int32_t *result, cleave_error *err)
{
    for (int32_t i = c->h.nlevels - 1;; i--) {
        report_level(c, i);
        CLV_TRY(clv_improve(&c->s, c->effort, c->ctx, err));
        if (i == 0)
            return CLEAVE_OK;
        CLV_TRY(project(c, i - 1, result, err));
        clv_hierarchy_drop(&c->h);
    }
}

/* Levels that are only about right may have led to something worse than the start. */
static cleave_status keep_start(climb *c, int32_t *part, cleave_error *err)
{
    clv_kway start = c->s;
    int64_t n = start.g->nvtx, k = start.nparts;
    start.part = clv_ws_alloc(c->ctx->ws, n, sizeof *start.part);
    start.near = clv_ws_alloc(c->ctx->ws, n, sizeof *start.near);
    start.weight = clv_ws_alloc(c->ctx->ws, k * start.g->ncon, sizeof *start.weight);
    start.count = clv_ws_alloc(c->ctx->ws, k, sizeof *start.count);
    if (!start.part || !start.near || !start.weight || !start.count)
        return clv_fail_memory(err);
    memcpy(start.part, c->task->start, (size_t)n * sizeof *part);
    clv_kway_measure(&start, c->ctx);
    int64_t before = clv_kway_overload(&start), after = clv_kway_overload(&c->s);
    if (after < before || (after == before && c->s.cut <= start.cut))
        return CLEAVE_OK;
    memcpy(part, start.part, (size_t)n * sizeof *part);
    start.part = part;
    c->s = start;
    return CLEAVE_OK;
}

static bool any_rough(const clv_hierarchy *h)
{
    for (int32_t i = 1; i < h->nlevels; i++)
        if (h->level[i].rough)
            return true;
    return false;
}

static cleave_status run(climb *c, int32_t *part, clv_multilevel_result *result,
                         cleave_error *err)
{
    int64_t k = c->task->nparts;
    c->s.nparts = c->task->nparts;
    c->s.weight = clv_ws_zalloc(c->ctx->ws, k * c->task->g->ncon, sizeof *c->s.weight);
    c->s.count = clv_ws_zalloc(c->ctx->ws, k, sizeof *c->s.count);
    if (!c->s.weight || !c->s.count)
        return clv_fail_memory(err);
    double before = clv_clock();
    CLV_TRY(coarsen(c, err));
    CLV_TRY(carry_fixed(c, err));
    CLV_TRY(scale_bounds(c, err));
    double coarsened = clv_clock();
    result->levels = c->h.nlevels;
    bool rough = any_rough(&c->h);
    CLV_TRY(solve_coarsest(c, part, err));
    double solved = clv_clock();
    CLV_TRY(refine_upwards(c, part, err));
    if (c->task->start && rough)
        CLV_TRY(keep_start(c, part, err));
    result->coarsen = coarsened - before;
    result->initial = solved - coarsened;
    result->refine = clv_clock() - solved;
    result->overload = clv_kway_overload(&c->s);
    result->cut = c->s.cut;
    return CLEAVE_OK;
}

cleave_status clv_multilevel(const clv_multilevel_task *task, const clv_effort *effort,
                             clv_context *ctx, int32_t *part, clv_multilevel_result *result,
                             cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    climb *c = clv_ws_zalloc(ctx->ws, 1, sizeof *c);
    if (!c)
        return clv_fail_memory(err);
    c->task = task;
    c->effort = effort;
    c->ctx = ctx;
    cleave_status status = run(c, part, result, err);
    clv_hierarchy_free(&c->h);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
