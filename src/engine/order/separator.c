/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/separator.c - multilevel vertex separators, see engine/order/separator.h. */
#include "engine/order/separator.h"

#include <string.h>

#include "base/rng.h"
#include "base/sort.h"
#include "engine/multilevel/multilevel_cycle.h"
#include "graph/order.h"
#include "graph/share.h"
#include "graph/topology.h"

enum { least_limit = 60 }; /* vertices of the coarsest graph; not tuned */
enum { stage_separator = 610, stage_start = 612 };

static const double heaviest = 1.5; /* weight of a coarse vertex over total / limit; as in
                                       METIS */

int64_t clv_separator_bound(int64_t total, double imbalance)
{
    clv_share_rule rule = clv_share_rule_make(NULL, 2, 1);
    return clv_share_bound(&rule, total, 0, imbalance);
}

/* ---- Components ------------------------------------------------------------------------- */

static cleave_status deal_out(clv_separation *s, const int32_t *component, int32_t count,
                              clv_ws *ws, cleave_error *err)
{
    clv_sort_item *item = clv_ws_alloc(ws, count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    uint8_t *side = clv_ws_alloc(ws, count, sizeof *side);
    if (!item || !scratch || !side)
        return clv_fail_memory(err);
    for (int32_t c = 0; c < count; c++) {
        item[c].key = 0;
        item[c].with.index = c;
    }
    for (int32_t v = 0; v < s->g->nvtx; v++)
        item[component[v]].key -= clv_graph_vwgt(s->g, v, 0);
    item = clv_sort(item, scratch, count);
    int64_t weight[2] = {0, 0}, vertices[2] = {0, 0};
    for (int32_t i = 0; i < count; i++) {
        /* Components of weight 0 are distributed to both sides as well. */
        int to =
            weight[1] < weight[0] || (weight[1] == weight[0] && vertices[1] < vertices[0]);
        weight[to] -= item[i].key;
        vertices[to]++;
        side[item[i].with.index] = (uint8_t)to;
    }
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->part[v] = side[component[v]];
    clv_separation_measure(s);
    return CLEAVE_OK;
}

cleave_status clv_separate_components(clv_separation *s, clv_ws *ws, int32_t *count,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *component = clv_ws_alloc(ws, s->g->nvtx, sizeof *component);
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_components(s->g, ws, component, count, err));
    cleave_status status = CLEAVE_OK;
    if (*count > 1)
        status = deal_out(s, component, *count, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* ---- Levels ----------------------------------------------------------------------------- */

typedef struct separator {
    const clv_graph *g;
    const clv_separator_preset *effort;
    clv_context *ctx;
    clv_cycle levels;
    clv_separation s; /* of the current level */
} separator;

static cleave_status coarsen(void *method, int32_t *nlevels, cleave_error *err)
{
    separator *c = method;
    int64_t total = clv_graph_weight(c->g);
    int32_t limit = c->g->nvtx / 4 < c->effort->limit ? c->g->nvtx / 4 : c->effort->limit;
    limit = limit < least_limit ? least_limit : limit;
    int64_t most = (int64_t)(heaviest * (double)total / limit) + 1;
    clv_coarsening how = {.limit = limit, .max_weight = &most, .kind = c->effort->merge};
    CLV_TRY(clv_hierarchy_build(&c->levels.h, c->g, &how, c->ctx, err));
    *nlevels = c->levels.h.nlevels;
    return CLEAVE_OK;
}

static cleave_status refine_separator(separator *c, clv_separation *s, cleave_error *err)
{
    const clv_separator_preset *e = c->effort;
    clv_node_fm_params fm = {.passes = e->passes, .patience = e->patience};
    bool better = true;
    if (clv_context_stop(c->ctx))
        return CLEAVE_OK;
    CLV_TRY(clv_node_fm(s, &fm, c->ctx, err));
    if (clv_context_stop(c->ctx) || e->layers == 0 || s->g->nvtx > e->flow_below)
        return CLEAVE_OK;
    CLV_TRY(clv_vertex_cut(s, e->layers, c->ctx, c->ctx->ws, &better, err));
    return better ? clv_node_fm(s, &fm, c->ctx, err) : CLEAVE_OK;
}

/* Bisects by the multilevel engine, then takes a vertex cover of the cut.  On very coarse,
 * dense graphs separators are meaningless but cuts are not. */
static cleave_status start_once(separator *c, clv_separation *s, uint64_t index,
                                cleave_error *err)
{
    int64_t max[2] = {s->max, s->max};
    double share[2];
    clv_multilevel_result result;
    clv_preset effort =
        clv_preset_for_bisection(clv_preset_of(c->effort->base, CLEAVE_UNDIRECTED));
    clv_multilevel_task task = {
        .g = s->g, .bounds = {2, 1, share, max, NULL}, .no_line = s->no_line};
    uint64_t seed = c->ctx->seed;
    share[0] = share[1] = (double)clv_graph_weight(s->g) / 2;
    clv_rng rng = clv_rng_make(seed, stage_start, 0, index);
    c->ctx->seed = clv_rng_u64(&rng);
    cleave_status status = clv_multilevel(&task, &effort, c->ctx, s->part, &result, err);
    c->ctx->seed = seed;
    CLV_TRY(status);
    if (!clv_worth_is_none(result.worth))
        return clv_vertex_cover(s, c->ctx, c->ctx->ws, err);
    memset(s->part, 0, (size_t)s->g->nvtx * sizeof *s->part);
    s->weight[0] = clv_graph_weight(s->g);
    s->weight[1] = s->weight[2] = 0;
    return CLEAVE_OK;
}

/* Keeps the best of several initial separators, each refined. */
static cleave_status solve_coarsest(void *method, int32_t *level, cleave_error *err)
{
    separator *c = method;
    clv_ws *ws = c->ctx->ws;
    CLV_TRY(clv_cycle_open(&c->levels, *level, err));
    c->s.g = c->levels.h.level[*level].g;
    c->s.part = c->levels.part;
    clv_separation *best = &c->s, trial = c->s;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t n = best->g->nvtx;
    trial.part = clv_ws_alloc(ws, n, sizeof *trial.part);
    if (!trial.part)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < c->effort->starts && (i == 0 || !clv_context_stop(c->ctx)); i++) {
        clv_ws_mark inner = clv_ws_save(ws);
        CLV_TRY(start_once(c, &trial, (uint64_t)i, err));
        CLV_TRY(refine_separator(c, &trial, err));
        clv_ws_restore(ws, inner);
        clv_separation_worth was = clv_separation_judge(best),
                             now = clv_separation_judge(&trial);
        if (i > 0 && !clv_separation_better(&now, &was))
            continue;
        memcpy(best->part, trial.part, (size_t)n * sizeof *trial.part);
        memcpy(best->weight, trial.weight, sizeof trial.weight);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status project(void *method, int32_t level, cleave_error *err)
{
    separator *c = method;
    CLV_TRY(clv_cycle_project(&c->levels, level, err));
    c->s.g = c->levels.h.level[level].g;
    c->s.part = c->levels.part;
    clv_separation_measure(&c->s);
    clv_hierarchy_drop(&c->levels.h);
    return CLEAVE_OK;
}

static cleave_status refine(void *method, int32_t level, cleave_error *err)
{
    (void)level;
    separator *c = method;
    return refine_separator(c, &c->s, err);
}

/* ---- The whole -------------------------------------------------------------------------- */

static cleave_status run_cycle(clv_separation *s, const clv_separator_preset *effort,
                               clv_context *ctx, cleave_error *err)
{
    static const clv_multilevel_steps steps = {.coarsen = coarsen,
                                               .solve_coarsest = solve_coarsest,
                                               .project = project,
                                               .refine = refine};
    clv_multilevel_summary ignored;
    separator c = {.g = s->g,
                   .effort = effort,
                   .ctx = ctx,
                   .levels = {.ctx = ctx, .result = s->part},
                   .s = {.max = s->max, .no_line = s->no_line}};
    cleave_status status = clv_multilevel_run(&steps, &c, ctx, &ignored, err);
    clv_hierarchy_free(&c.levels.h);
    if (status == CLEAVE_OK)
        memcpy(s->weight, c.s.weight, sizeof s->weight);
    return status;
}

static cleave_status best_of_cycles(clv_separation *s, const clv_separator_preset *effort,
                                    clv_context *ctx, cleave_error *err)
{
    uint64_t seed = ctx->seed;
    clv_separation trial = *s;
    cleave_status status = CLEAVE_OK;
    int32_t n = s->g->nvtx;
    trial.part = clv_ws_alloc(ctx->ws, effort->runs > 1 ? n : 0, sizeof *trial.part);
    if (!trial.part)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < effort->runs && status == CLEAVE_OK; i++) {
        if (i > 0 && clv_context_stop(ctx))
            break;
        clv_ws_mark mark = clv_ws_save(ctx->ws);
        clv_separation *now = i == 0 ? s : &trial;
        clv_rng rng = clv_rng_make(seed, stage_separator, 0, (uint64_t)i);
        ctx->seed = clv_rng_u64(&rng);
        status = run_cycle(now, effort, ctx, err);
        clv_ws_restore(ctx->ws, mark);
        if (i == 0 || status != CLEAVE_OK)
            continue;
        clv_separation_worth was = clv_separation_judge(s), is = clv_separation_judge(&trial);
        if (!clv_separation_better(&is, &was))
            continue;
        memcpy(s->part, trial.part, (size_t)n * sizeof *trial.part);
        memcpy(s->weight, trial.weight, sizeof trial.weight);
    }
    ctx->seed = seed;
    return status;
}

/* Moves the excess of an overloaded side into the separator. */
static void enforce_bound(clv_separation *s)
{
    for (int32_t v = s->g->nvtx - 1; v >= 0 && clv_separation_overload(s) > 0; v--) {
        int32_t p = s->part[v];
        int64_t w = clv_graph_vwgt(s->g, v, 0);
        if (p == clv_separator_part || s->weight[p] <= s->max || w == 0)
            continue;
        s->weight[p] -= w;
        s->weight[clv_separator_part] += w;
        s->part[v] = clv_separator_part;
    }
}

cleave_status clv_separator_multilevel(clv_separation *s, const clv_separator_preset *effort,
                                       clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = best_of_cycles(s, effort, ctx, err);
    if (status == CLEAVE_OK)
        enforce_bound(s);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

cleave_status clv_separator(clv_separation *s, const clv_separator_preset *effort,
                            clv_context *ctx, cleave_error *err)
{
    int32_t count = 0;
    memset(s->weight, 0, sizeof s->weight);
    if (s->g->nvtx == 0)
        return CLEAVE_OK;
    CLV_TRY(clv_separate_components(s, ctx->ws, &count, err));
    if (count > 1 && clv_separation_overload(s) == 0)
        return CLEAVE_OK;
    return clv_separator_multilevel(s, effort, ctx, err);
}

cleave_status clv_separator_mapping(clv_mapping **out, const clv_graph *g, double imbalance,
                                    cleave_effort effort, clv_context *ctx, int64_t *weight,
                                    cleave_error *err)
{
    clv_graph view;
    CLV_TRY(clv_order_graph(&view, g, ctx->ws, err));
    int64_t total = clv_graph_weight(&view);
    if (total == 0) {
        clv_graph_set_vwgts(&view, (clv_weights){0});
        total = view.nvtx;
    }
    clv_separation s = {.g = &view, .max = clv_separator_bound(total, imbalance)};
    s.part = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *s.part);
    if (!s.part)
        return clv_fail_memory(err);
    clv_context_phase(ctx, "separating", 0, 0);
    CLV_TRY(clv_separator(&s, clv_preset_for_separator(effort), ctx, err));
    s.g = g;
    clv_separation_measure(&s);
    for (int i = 0; weight && i < 3; i++)
        weight[i] = s.weight[i];
    CLV_TRY(clv_mapping_new(out, g->nvtx, 3, s.part, err));
    clv_context_stop(ctx);
    return clv_context_cancelled(ctx)
               ? clv_fail(err, CLEAVE_ECANCEL, "stopped by the progress callback")
               : CLEAVE_OK;
}
