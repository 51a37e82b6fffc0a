/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dagp.c - see engine/dagp.h.
 *
 * What the paper leaves open: coarsening stops at 50 vertices per part or when a level shrinks
 * by less than 10 %; no pair of vertices weighs more than what the bounds leave above the
 * shares (or 3 % of a share, if that is more), so that every topological order of the coarsest
 * graph has slices within the bounds; the coarsest level is refined as well; and where a level
 * is out of balance, that is repaired before its pass. */
#include "engine/dagp.h"

#include <assert.h>
#include <string.h>

#include "coarsen/hierarchy.h"
#include "graph/topology.h"
#include "refine/acyckway.h"
#include "refine/acyclic_balance.h"
#include "refine/topref.h"

enum { vertices_per_part = 50, runs_alone = 6, runs_each = 3 };
static const double least_shrink = 0.9;
static const double least_heaviest = 0.03;

typedef struct climb {
    const clv_multilevel_task *task;
    const clv_dagp_params *params;
    clv_context *ctx;
    clv_hierarchy h;
    int64_t *heaviest; /* ncon: bound of a pair, in the units of the input */
    clv_kway s;        /* of the current level */
} climb;

/* ---- Down ------------------------------------------------------------------------------- */

/* The least slack of all parts that may hold anything. */
static cleave_status find_heaviest(climb *c, cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    int32_t ncon = t->g->ncon;
    c->heaviest = clv_ws_alloc(c->ctx->ws, ncon, sizeof *c->heaviest);
    if (!c->heaviest)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < ncon; i++) {
        double least = -1;
        for (int32_t p = 0; p < t->bounds.nparts; p++) {
            double share = t->bounds.share[(int64_t)p * ncon + i];
            double slack = (double)t->bounds.max[(int64_t)p * ncon + i] - share;
            if (share <= 0)
                continue;
            slack = slack > least_heaviest * share ? slack : least_heaviest * share;
            least = least < 0 || slack < least ? slack : least;
        }
        c->heaviest[i] = least < 1 ? 1 : (int64_t)least;
    }
    return CLEAVE_OK;
}

static cleave_status match_level(climb *c, int32_t *map, int32_t *ncoarse, cleave_error *err)
{
    int32_t index = c->h.nlevels - 1;
    const clv_graph *g = c->h.level[index].g;
    clv_dag_matching how = {c->params->order, c->params->match, c->heaviest, index};
    return clv_dag_match_pairs(g, &how, c->ctx, map, ncoarse, err);
}

static void assert_acyclic(const clv_graph *g, clv_ws *ws)
{
#ifndef NDEBUG
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    bool complete = true;
    if (order)
        (void)clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, NULL);
    assert(complete);
    clv_ws_restore(ws, mark);
#else
    (void)g;
    (void)ws;
#endif
}

/* *more becomes false when the context said stop before the level was there. */
static cleave_status add_level(climb *c, int32_t ncoarse, bool *more, cleave_error *err)
{
    clv_level *fine = &c->h.level[c->h.nlevels - 1];
    clv_level next = {0};
    clv_contraction contraction = {.may_end = true};
    CLV_TRY(clv_contract(&next.owned, fine->g, fine->map, ncoarse, &contraction, c->ctx, err));
    *more = next.owned != NULL;
    if (!*more)
        return CLEAVE_OK;
    next.g = next.owned;
    assert_acyclic(next.g, c->ctx->ws);
    c->h.level[c->h.nlevels++] = next;
    return CLEAVE_OK;
}

static cleave_status step_down(climb *c, bool *more, cleave_error *err)
{
    clv_level *level = &c->h.level[c->h.nlevels - 1];
    int32_t ncoarse;
    level->map = clv_alloc(level->g->nvtx, sizeof *level->map);
    if (!level->map)
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    cleave_status status = match_level(c, level->map, &ncoarse, err);
    clv_ws_restore(c->ctx->ws, mark);
    CLV_TRY(status);
    *more = (double)ncoarse < least_shrink * (double)level->g->nvtx;
    if (*more)
        CLV_TRY(add_level(c, ncoarse, more, err));
    if (*more)
        return CLEAVE_OK;
    clv_sys_free(level->map);
    level->map = NULL;
    return CLEAVE_OK;
}

static cleave_status coarsen(climb *c, cleave_error *err)
{
    int64_t limit = (int64_t)vertices_per_part * c->task->bounds.nparts;
    bool more = true;
    CLV_TRY(find_heaviest(c, err));
    while (more && c->h.nlevels < clv_most_levels &&
           c->h.level[c->h.nlevels - 1].g->nvtx > limit && !clv_context_stop(c->ctx))
        CLV_TRY(step_down(c, &more, err));
    /* Out of time, slices of the finest level cut less than those of a level between. */
    bool ended = c->h.level[c->h.nlevels - 1].g->nvtx > limit && clv_context_stop(c->ctx);
    while (ended && c->h.nlevels > 1)
        clv_hierarchy_drop(&c->h);
    return CLEAVE_OK;
}

/* ---- Up --------------------------------------------------------------------------------- */

/* The state of a level, its part array not yet filled; on the finest it is the result. */
static cleave_status open_level(climb *c, int32_t index, int32_t *result, cleave_error *err)
{
    clv_kway *s = &c->s;
    s->g = c->h.level[index].g;
    s->level = index;
    s->part = index == 0 ? result : clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *s->part);
    s->near = clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *s->near);
    return s->part && s->near ? CLEAVE_OK : clv_fail_memory(err);
}

static cleave_status project(climb *c, int32_t index, int32_t *result, cleave_error *err)
{
    const int32_t *coarse = c->s.part, *map = c->h.level[index].map;
    CLV_TRY(open_level(c, index, result, err));
    for (int32_t v = 0; v < c->s.g->nvtx; v++)
        c->s.part[v] = coarse[map[v]];
    clv_kway_measure(&c->s, c->ctx);
    clv_hierarchy_drop(&c->h);
    return CLEAVE_OK;
}

static void report_level(climb *c)
{
    clv_context_phase(c->ctx, "refining", c->h.nlevels - c->s.level, c->h.nlevels);
    c->ctx->now.level = c->s.level;
    c->ctx->now.cut = c->s.cut;
    clv_context_stop(c->ctx);
}

static cleave_status refine_level(climb *c, cleave_error *err)
{
    CLV_TRY(clv_acyclic_balance(&c->s, c->ctx, err));
    if (clv_context_stop(c->ctx))
        return CLEAVE_OK;
    if (c->params->refine == CLV_DAGP_ACYCKWAY)
        return clv_acyckway(&c->s, c->ctx, err);
    return clv_topref(&c->s, c->ctx, err);
}

static cleave_status refine_upwards(climb *c, int32_t *result, cleave_error *err)
{
    for (;;) {
        report_level(c);
        CLV_TRY(refine_level(c, err));
        if (c->s.level == 0)
            return CLEAVE_OK;
        CLV_TRY(project(c, c->s.level - 1, result, err));
    }
}

/* ---- The methods ------------------------------------------------------------------------ */

static cleave_status first_solution(climb *c, int32_t *part, cleave_error *err)
{
    const clv_dagp_params *params = c->params;
    int32_t alone = params->initial == CLV_DAGP_KER_GP ? runs_each : runs_alone;
    int32_t runs = params->runs > 0 ? params->runs : alone;
    CLV_TRY(open_level(c, c->h.nlevels - 1, part, err));
    return clv_dagp_initial(&c->s, params->initial, runs, c->ctx, err);
}

static cleave_status run_dagp(climb *c, int32_t *part, clv_multilevel_result *result,
                              cleave_error *err)
{
    double before = clv_clock();
    CLV_TRY(coarsen(c, err));
    double coarsened = clv_clock();
    result->levels = c->h.nlevels;
    CLV_TRY(first_solution(c, part, err));
    double solved = clv_clock();
    CLV_TRY(refine_upwards(c, part, err));
    result->coarsen = coarsened - before;
    result->initial = solved - coarsened;
    result->refine = clv_clock() - solved;
    return CLEAVE_OK;
}

static cleave_status run_comparator(climb *c, clv_dagp_start kind, int32_t *part,
                                    clv_multilevel_result *result, cleave_error *err)
{
    double before = clv_clock();
    result->levels = 1;
    CLV_TRY(open_level(c, 0, part, err));
    CLV_TRY(clv_dagp_initial(&c->s, kind, 1, c->ctx, err));
    double solved = clv_clock();
    CLV_TRY(clv_acyclic_balance(&c->s, c->ctx, err));
    result->initial = solved - before;
    result->refine = clv_clock() - solved;
    return CLEAVE_OK;
}

static cleave_status run_method(climb *c, clv_dagp_method method, int32_t *part,
                                clv_multilevel_result *result, cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    c->s.bounds = t->bounds;
    c->s.weight = clv_ws_zalloc(c->ctx->ws, clv_bounds_places(&t->bounds), sizeof(int64_t));
    c->s.count = clv_ws_zalloc(c->ctx->ws, t->bounds.nparts, sizeof *c->s.count);
    c->s.rank = clv_ws_alloc(c->ctx->ws, t->bounds.nparts, sizeof *c->s.rank);
    if (!c->s.weight || !c->s.count || !c->s.rank)
        return clv_fail_memory(err);
    if (method == CLV_DAGP)
        CLV_TRY(run_dagp(c, part, result, err));
    else
        CLV_TRY(run_comparator(c,
                               method == CLV_DAGP_KERNIGHAN ? CLV_DAGP_KERN : CLV_DAGP_FAUZIA,
                               part, result, err));
    result->worth = clv_kway_worth(&c->s);
    return CLEAVE_OK;
}

cleave_status clv_dagp(const clv_multilevel_task *task, clv_dagp_method method,
                       const clv_dagp_params *params, clv_context *ctx, int32_t *part,
                       clv_multilevel_result *result, cleave_error *err)
{
    assert(task->g->kind == CLEAVE_DAG && !task->fixed && !task->start && !task->klass);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    climb *c = clv_ws_zalloc(ctx->ws, 1, sizeof *c);
    if (!c)
        return clv_fail_memory(err);
    *result = (clv_multilevel_result){0};
    c->task = task;
    c->params = params;
    c->ctx = ctx;
    c->h.nlevels = 1;
    c->h.level[0].g = task->g;
    cleave_status status = run_method(c, method, part, result, err);
    clv_hierarchy_free(&c->h);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
