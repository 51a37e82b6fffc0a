/* SPDX-License-Identifier: Apache-2.0 */
/* engine/verdict.c - validates a mapping, see engine/verdict.h. */
#include "engine/verdict.h"

#include <stdio.h>

#include "engine/piece_check.h"
#include "graph/topology.h"

/* ---- Weights -------------------------------------------------------------------------- */

/* The largest violation of a bound. */
typedef struct miss {
    int64_t by; /* amount; 0: none */
    int32_t part, con;
    int32_t count; /* number of parts in violation */
} miss;

static void note_miss(miss *worst, int64_t by, int32_t p, int32_t con)
{
    if (by <= 0)
        return;
    worst->count++;
    if (by > worst->by) {
        worst->by = by;
        worst->part = p;
        worst->con = con;
    }
}

static void compare_weights(const clv_limits *limits, const int64_t *weight, miss *over,
                            miss *under, double *imbalance)
{
    for (int32_t c = 0; c < limits->bounds.ncon; c++) {
        clv_share_rule rule = clv_limits_rule(limits, c);
        for (int32_t p = 0; p < limits->bounds.nparts; p++) {
            int64_t i = (int64_t)p * limits->bounds.ncon + c, w = weight[i];
            note_miss(over, w - limits->bounds.max[i], p, c);
            if (limits->bounds.min)
                note_miss(under, limits->bounds.min[i] - w, p, c);
            if (w == 0)
                continue;
            double excess = (double)w / clv_share_of(&rule, limits->total[c], p) - 1;
            if (excess > *imbalance)
                *imbalance = excess;
        }
    }
}

/* ---- Messages ------------------------------------------------------------------------- */

/* "weight 2 of part 3" when vertices have several weights, else "part 3". */
static const char *name_weight(const clv_demands *d, const miss *m, char text[64])
{
    long part = d->label ? d->label[m->part] : m->part;
    if (d->limits->bounds.ncon > 1)
        snprintf(text, 64, "weight %ld of part %ld", (long)m->con + 1, part);
    else
        snprintf(text, 64, "part %ld", part);
    return text;
}

/* The sum of one bound over all parts; -1: it exceeds any weight. */
static int64_t sum_bounds(const clv_limits *limits, const int64_t *bound, int32_t con)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < limits->bounds.nparts; p++)
        if (!clv_add_i64(sum, bound[(int64_t)p * limits->bounds.ncon + con], &sum))
            return -1;
    return sum;
}

/* A group of vertices in a part. */
typedef struct heavy_group {
    int32_t vertex; /* one of it */
    int64_t weight;
} heavy_group;

/* The heaviest group of a part in one weight.  On entry any that is lighter. */
static cleave_status find_heaviest(heavy_group *heaviest, const clv_demands *d,
                                   const int32_t *part, const miss *m, clv_ws *ws,
                                   cleave_error *err)
{
    const clv_groups *groups = d->groups;
    int64_t *weight = clv_ws_zalloc(ws, groups->count, sizeof *weight);
    if (!weight)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < d->g->nvtx; v++)
        if (part[v] == m->part)
            weight[clv_group_of(groups, v)] += clv_graph_vwgt(d->g, v, m->con);
    for (int32_t v = 0; v < d->g->nvtx; v++)
        if (part[v] == m->part && weight[clv_group_of(groups, v)] > heaviest->weight)
            *heaviest = (heavy_group){v, weight[clv_group_of(groups, v)]};
    return CLEAVE_OK;
}

/* "vertex 7", by name if it has one; for several vertices "the group of vertex 7". */
static const char *name_heaviest(const clv_demands *d, int32_t v, char text[80])
{
    const char *what = d->groups->group ? "the group of vertex" : "vertex";
    const char *name = clv_graph_name(d->g, v);
    if (name)
        snprintf(text, 80, "%s %.40s", what, name);
    else
        snprintf(text, 80, "%s %ld", what, (long)v);
    return text;
}

static cleave_status fail_over(const clv_demands *d, const int32_t *part,
                               const int64_t *weight, const miss *m, clv_ws *ws,
                               cleave_error *err)
{
    const clv_limits *limits = d->limits;
    int64_t i = (int64_t)m->part * limits->bounds.ncon + m->con;
    long long reached = weight[i], bound = limits->bounds.max[i],
              total = limits->total[m->con];
    char name[64], group[80];
    heavy_group heaviest = {0, -1};
    name_weight(d, m, name);
    int64_t room = sum_bounds(limits, limits->bounds.max, m->con);
    if (limits->bounds.nparts == limits->npes && room >= 0 && room < total)
        return clv_fail(err, CLEAVE_EBALANCE,
                        "the bounds of all parts add up to %lld, but the vertices weigh %lld: "
                        "%s reaches %lld, above its bound %lld",
                        (long long)room, total, name, reached, bound);
    CLV_TRY(find_heaviest(&heaviest, d, part, m, ws, err));
    if (heaviest.weight > bound)
        return clv_fail(err, CLEAVE_EBALANCE,
                        "%s alone weighs %lld: %s reaches %lld, above its bound %lld",
                        name_heaviest(d, heaviest.vertex, group), (long long)heaviest.weight,
                        name, reached, bound);
    return clv_fail(err, CLEAVE_EBALANCE,
                    "no mapping within the bounds was found: %s reaches %lld, above its bound "
                    "%lld%s",
                    name, reached, bound, m->count > 1 ? ", and others are above theirs" : "");
}

static cleave_status fail_under(const clv_demands *d, const int64_t *weight, const miss *m,
                                cleave_error *err)
{
    const clv_limits *limits = d->limits;
    int64_t i = (int64_t)m->part * limits->bounds.ncon + m->con;
    int64_t need = sum_bounds(limits, limits->bounds.min, m->con),
            total = limits->total[m->con];
    char name[64];
    name_weight(d, m, name);
    if (need < 0 || need > total)
        return clv_fail(err, CLEAVE_EBALANCE,
                        "the lower bounds of all parts add up to %s%lld, but the vertices "
                        "weigh %lld: %s reaches %lld, below its bound %lld",
                        need < 0 ? "more than " : "",
                        need < 0 ? (long long)INT64_MAX : (long long)need, (long long)total,
                        name, (long long)weight[i], (long long)limits->bounds.min[i]);
    return clv_fail(err, CLEAVE_EBALANCE,
                    "no mapping within the bounds was found: %s reaches %lld, below its bound "
                    "%lld",
                    name, (long long)weight[i], (long long)limits->bounds.min[i]);
}

/* ---- Vertices ------------------------------------------------------------------------- */

static cleave_status check_vertices(const clv_demands *d, const int32_t *part, clv_ws *ws,
                                    cleave_error *err)
{
    if (!d->fixed && !d->groups->group)
        return CLEAVE_OK;
    int32_t *first = clv_ws_alloc(ws, d->groups->group ? d->groups->count : 0, sizeof *first);
    if (!first)
        return clv_fail_memory(err);
    for (int32_t u = 0; d->groups->group && u < d->groups->count; u++)
        first[u] = -1;
    for (int32_t v = 0; v < d->g->nvtx; v++) {
        if (d->fixed && d->fixed[v] >= 0 && part[v] != d->fixed[v])
            return clv_fail(err, CLEAVE_EBALANCE,
                            "vertex %ld is fixed to part %ld, but came to part %ld", (long)v,
                            (long)d->fixed[v], (long)part[v]);
        if (!d->groups->group)
            continue;
        int32_t u = d->groups->group[v];
        if (first[u] < 0)
            first[u] = v;
        if (part[first[u]] != part[v])
            return clv_fail(err, CLEAVE_EBALANCE,
                            "vertices %ld and %ld are of the same group, but came to parts "
                            "%ld and %ld",
                            (long)first[u], (long)v, (long)part[first[u]], (long)part[v]);
    }
    return CLEAVE_OK;
}

/* Weights do not show vertices of weight 0 in a part that must stay empty. */
static cleave_status check_idle(const clv_demands *d, const int32_t *part, cleave_error *err)
{
    const int32_t *fixed = d->groups->fixed;
    for (int32_t v = 0; v < d->g->nvtx; v++)
        if (clv_bounds_is_idle(&d->limits->bounds, part[v]) &&
            !(fixed && fixed[clv_group_of(d->groups, v)] >= 0))
            return clv_fail(err, CLEAVE_EBALANCE,
                            "part %ld must stay empty, but vertex %ld is in it", (long)part[v],
                            (long)v);
    return CLEAVE_OK;
}

static cleave_status check_empty(const clv_demands *d, const int32_t *part, clv_ws *ws,
                                 cleave_error *err)
{
    const clv_limits *limits = d->limits;
    int32_t free_parts, free_groups, empty = 0, idle = 0, example = 0;
    uint8_t *used = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *used);
    if (!used)
        return clv_fail_memory(err);
    CLV_TRY(clv_groups_count(d->groups, limits, ws, &free_parts, &free_groups, err));
    for (int32_t v = 0; v < d->g->nvtx; v++)
        used[part[v]] = 1;
    for (int32_t p = limits->bounds.nparts; p-- > 0;) {
        if (clv_bounds_is_idle(&limits->bounds, p)) {
            idle++;
        } else if (!used[p]) {
            empty++;
            example = p;
        }
    }
    if (idle > 0 && idle < limits->bounds.nparts)
        CLV_TRY(check_idle(d, part, err));
    if (empty <= (free_parts > free_groups ? free_parts - free_groups : 0))
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EBALANCE,
                    "part %ld is empty, as are %ld in all, though there are enough vertices",
                    (long)example, (long)empty);
}

static cleave_status check_pieces(const clv_demands *d, const int32_t *part, clv_ws *ws,
                                  cleave_error *err)
{
    clv_piece_excess most;
    CLV_TRY(clv_piece_check(d->g, d->limits->bounds.nparts, part, ws, &most, err));
    if (most.pieces == 0)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EBALANCE,
                    "part %ld is not connected within the components of the graph: %ld %s too "
                    "many",
                    (long)most.part, (long)most.pieces, most.pieces == 1 ? "piece" : "pieces");
}

/* ---- Directions ----------------------------------------------------------------------- */

/* The quotient graph must be acyclic; otherwise no mapping is returned. */
static cleave_status check_directions(clv_verdict *verdict, const clv_demands *d,
                                      const int32_t *part, clv_ws *ws, cleave_error *err)
{
    static const clv_path_costs cost = {.vertex = 1, .inside = 1, .cut = 11};
    clv_parted_graph p = {d->g, d->limits->bounds.nparts, part};
    int32_t length;
    int64_t setups;
    int32_t *cycle = clv_ws_alloc(ws, p.nparts, sizeof *cycle);
    if (!cycle)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_critical_path(d->g, part, &cost, ws, &verdict->critical_path, err));
    CLV_TRY(clv_evaluate_quotient(&p, ws, &setups, cycle, &length, err));
    verdict->acyclic = length == 0;
    if (length == 0)
        return CLEAVE_OK;
    char text[120];
    clv_topology_cycle_text(cycle, length, NULL, 0, text, sizeof text);
    return clv_fail(err, CLEAVE_ECYCLE,
                    "internal error: the parts found form a cycle, %s; please report it",
                    text);
}

/* ---- All together --------------------------------------------------------------------- */

static cleave_status check_demands(clv_verdict *verdict, const clv_demands *d,
                                   const int32_t *part, clv_context *ctx, cleave_error *err)
{
    const clv_limits *limits = d->limits;
    clv_ws *ws = ctx->ws;
    clv_parted_graph p = {d->g, limits->bounds.nparts, part};
    miss over = {0}, under = {0};
    int64_t *weight = clv_ws_alloc(ws, clv_bounds_places(&limits->bounds), sizeof *weight);
    if (!weight)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_cut_and_volume(&p, ctx, &verdict->cut, &verdict->volume, err));
    CLV_TRY(clv_evaluate_part_weights(&p, ctx->team, ws, weight, &verdict->empty_parts, err));
    verdict->empty_parts += limits->npes - limits->bounds.nparts;
    compare_weights(limits, weight, &over, &under, &verdict->imbalance);
    verdict->balanced = over.by == 0 && under.by == 0;
    if (d->g->kind == CLEAVE_DAG)
        CLV_TRY(check_directions(verdict, d, part, ws, err));
    CLV_TRY(check_vertices(d, part, ws, err));
    if (over.by > 0)
        return fail_over(d, part, weight, &over, ws, err);
    if (under.by > 0)
        return fail_under(d, weight, &under, err);
    CLV_TRY(check_empty(d, part, ws, err));
    return d->connected ? check_pieces(d, part, ws, err) : CLEAVE_OK;
}

cleave_status clv_verdict_reach(clv_verdict *verdict, const clv_demands *demands,
                                const int32_t *part, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    *verdict = (clv_verdict){.acyclic = -1, .critical_path = -1};
    cleave_status status = check_demands(verdict, demands, part, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
