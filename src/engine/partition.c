/* SPDX-License-Identifier: Apache-2.0 */
/* engine/partition.c - see engine/partition.h. */
#include "engine/partition.h"

#include <string.h>

#include "coarsen/contract.h"
#include "engine/counted.h"
#include "engine/geometric_parts.h"
#include "engine/keep_start.h"
#include "engine/map_search.h"
#include "engine/vacate.h"
#include "refine/acyclic_volume.h"
#include "refine/connect.h"
#include "refine/ranks.h"
#include "refine/volume_moves.h"

/* Of the time, where more is done with the parts afterwards.  Volume is an objective; joining
 * the pieces of parts takes a few passes over the graph. */
static const double share_before_volume = 0.75, share_before_joining = 0.9;

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
    int64_t *sum = clv_arena_zalloc(&c->arena, c->nvtx, sizeof *sum);
    if (!sum)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        sum[w->task->units->unit[v]] += clv_graph_vsize(g, v);
    c->wide_vsize = sum;
    return CLEAVE_OK;
}

static cleave_status contract_groups(work *w, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_contraction how = {0};
    CLV_TRY(clv_contract(&w->contracted, task->g, task->units->unit, task->units->count, &how,
                         w->ctx, err));
    w->t.g = w->contracted;
    if (task->start) {
        w->t.start = values_of_units(w, task->start);
        if (!w->t.start)
            return clv_fail_memory(err);
    }
    w->part = clv_ws_alloc(w->ctx->ws, task->units->count, sizeof *w->part);
    if (!w->part)
        return clv_fail_memory(err);
    return task->objective == CLEAVE_OBJECTIVE_VOLUME ? sum_sizes(w, err) : CLEAVE_OK;
}

/* Not the cut or the volume, whatever the distances. */
static bool minds_cost(const clv_partition_task *task)
{
    return task->objective != CLEAVE_OBJECTIVE_CUT &&
           task->objective != CLEAVE_OBJECTIVE_VOLUME;
}

/* ---- After the search ------------------------------------------------------------------- */

static cleave_status lower_volume(work *w, clv_kway *s, cleave_error *err)
{
    int32_t rounds = w->task->effort == CLEAVE_EFFORT_FAST ? 3 : 20;
    if (s->g->kind == CLEAVE_DAG) {
        clv_acyclic_volume_params params = clv_acyclic_volume_defaults();
        bool acyclic;
        params.rounds = rounds;
        CLV_TRY(clv_ranks_make(s, 0, w->ctx->ws, &acyclic, err));
        return acyclic ? clv_acyclic_volume(s, &params, w->ctx, err) : CLEAVE_OK;
    }
    clv_volume_params params = clv_volume_defaults();
    params.rounds = rounds;
    return clv_volume_refine(s, &params, w->ctx, err);
}

/* What the engine only approaches, on the finest level. */
static cleave_status finish(work *w, cleave_error *err)
{
    clv_kway s;
    const clv_partition_task *task = w->task;
    if (task->objective != CLEAVE_OBJECTIVE_VOLUME && !task->connected)
        return CLEAVE_OK;
    if (clv_context_stop(w->ctx) && !task->connected)
        return CLEAVE_OK;
    CLV_TRY(clv_multilevel_state(&s, &w->t, w->part, w->ctx, err));
    if (w->task->objective == CLEAVE_OBJECTIVE_VOLUME && !clv_context_stop(w->ctx))
        CLV_TRY(lower_volume(w, &s, err));
    bool connected = true;
    return w->task->connected ? clv_connect_parts(&s, w->ctx, &connected, err) : CLEAVE_OK;
}

/* Is there an edge that weighs less than an eighth of the mean?  Then a cheap cut may run
 * along such edges.  Edges of coarse levels differ as much for no such reason. */
static bool has_light_edges(const clv_graph *g)
{
    double total = 0, least = (double)INT64_MAX;
    for (int64_t a = 0; a < g->narc; a++) {
        double w = (double)clv_graph_ewgt(g, a);
        total += w;
        least = w < least ? w : least;
    }
    return least * 8 * (double)g->narc < total;
}

/* The search by cost, or by the cut alone: then parts are placed afterwards. */
static cleave_status explore(work *w, clv_search_result *r, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    bool by_cost = task->machine && minds_cost(task) && task->g->kind == CLEAVE_UNDIRECTED;
    clv_effort effort = by_cost ? *clv_effort_on_machine(task->effort)
                                : *clv_effort_of(task->effort, task->g->kind);
    clv_multilevel_task t = w->t;
    t.machine = by_cost ? task->machine : NULL;
    effort.spare_weak = has_light_edges(t.g);
    return clv_map_search(&t, &effort, &task->method, w->ctx, w->part, r, err);
}

/* Nothing but the bounds and the order of a DAG's parts forbids the identity. */
static bool may_be_identity(const work *w)
{
    const clv_partition_task *task = w->task;
    return minds_cost(task) && !w->t.start && !w->t.fixed && !w->contracted &&
           !task->connected;
}

/* Made by a method that does what its name says, places included. */
static bool is_placed(const clv_partition_task *task)
{
    return task->spread || task->keep || clv_geometric_is(&task->method);
}

/* What was made without the machine gets its places; congestion is for whole parts. */
static cleave_status place(work *w, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_multilevel_task t = w->t;
    t.machine = task->machine;
    if (!t.machine)
        return CLEAVE_OK;
    if (!is_placed(task) && (!minds_cost(task) || task->g->kind == CLEAVE_DAG))
        CLV_TRY(clv_map_place(&t, task->effort, minds_cost(task), w->ctx, w->part, err));
    if (!is_placed(task) && may_be_identity(w))
        CLV_TRY(clv_map_heed_identity(&t, task->effort, w->ctx, w->part, err));
    if (task->objective == CLEAVE_OBJECTIVE_CONGESTION)
        CLV_TRY(clv_map_relieve(&t, task->effort, w->ctx, w->part, err));
    return CLEAVE_OK;
}

/* The search minds the cut; what comes after it for another demand needs its time as well. */
static cleave_status search_in_time(work *w, clv_search_result *r, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_context *ctx = w->ctx;
    double deadline = ctx->deadline, now = clv_clock();
    if (deadline > 0 && task->objective == CLEAVE_OBJECTIVE_VOLUME)
        ctx->deadline = now + (deadline - now) * share_before_volume;
    else if (deadline > 0 && task->connected)
        ctx->deadline = now + (deadline - now) * share_before_joining;
    cleave_status status = explore(w, r, err);
    if (ctx->deadline != deadline) {
        int out_of_time = 1;
        atomic_compare_exchange_strong(ctx->stopped, &out_of_time, 0);
        ctx->deadline = deadline;
    }
    return status;
}

static cleave_status spread(work *w, clv_search_result *r, cleave_error *err)
{
    clv_multilevel_task t = w->t;
    t.machine = w->task->machine;
    *r = (clv_search_result){.runs = 1, .last.levels = 1};
    memcpy(w->part, t.start, (size_t)t.g->nvtx * sizeof *w->part);
    return clv_map_spread(&t, w->task->effort, w->ctx, w->part, err);
}

static cleave_status divide_geometrically(work *w, clv_search_result *r, cleave_error *err)
{
    clv_multilevel_task t = w->t;
    t.machine = w->task->machine;
    *r = (clv_search_result){.runs = 1, .last.levels = 1};
    return clv_geometric(&t, &w->task->method, w->task->effort, w->ctx, w->part, &r->last,
                         err);
}

static cleave_status search(work *w, clv_search_result *r, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    if (task->spread)
        return spread(w, r, err);
    if (task->keep)
        return clv_keep_start(&w->t, w->ctx, w->part, r, err);
    if (clv_geometric_is(&task->method))
        return divide_geometrically(w, r, err);
    if (task->method.kind != CLV_METHOD_DAGP)
        return search_in_time(w, r, err);
    *r = (clv_search_result){.runs = 1};
    return clv_dagp(&w->t, task->method.which, &task->method.params, w->ctx, w->part, &r->last,
                    err);
}

static cleave_status run(work *w, int32_t *part, clv_partition_stats *stats, cleave_error *err)
{
    const clv_partition_task *task = w->task;
    clv_search_result r;
    if (task->units->unit)
        CLV_TRY(contract_groups(w, err));
    CLV_TRY(search(w, &r, err));
    double before = clv_clock();
    CLV_TRY(finish(w, err));
    CLV_TRY(place(w, err));
    CLV_TRY(clv_vacate(&w->t, w->ctx, w->part, err));
    for (int32_t v = 0; w->contracted && v < task->g->nvtx; v++)
        part[v] = w->part[task->units->unit[v]];
    *stats = (clv_partition_stats){
        .levels = r.last.levels,
        .cycles = r.runs,
        .coarsen = r.last.coarsen,
        .initial = r.last.initial,
        .refine = r.last.refine + (clv_clock() - before),
        .spectral = r.last.spectral,
    };
    return CLEAVE_OK;
}

static cleave_status partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                               clv_partition_stats *stats, cleave_error *err)
{
    work w = {.task = task, .part = part, .ctx = ctx};
    w.t = (clv_multilevel_task){.g = task->g,
                                .bounds = task->bounds,
                                .fixed = task->units->fixed,
                                .start = task->start};
    cleave_status status = run(&w, part, stats, err);
    clv_graph_free(w.contracted);
    return status;
}

/* ---- Parts by place --------------------------------------------------------------------- */

/* A task in which parts are numbered by their places, and the arrays that it points to. */
typedef struct placed_task {
    clv_partition_task task;
    clv_units units;
} placed_task;

/* A copy of parts (-1 stays) as places; NULL: none were given, or no memory. */
static const int32_t *place_parts(const int32_t *parts, int32_t count, const int32_t *place,
                                  clv_ws *ws)
{
    int32_t *at = parts ? clv_ws_alloc(ws, count, sizeof *at) : NULL;
    for (int32_t i = 0; at && i < count; i++)
        at[i] = parts[i] < 0 ? -1 : place[parts[i]];
    return at;
}

static cleave_status place_task(placed_task *to, const clv_partition_task *task, clv_ws *ws,
                                cleave_error *err)
{
    const int32_t *place = task->order.place;
    *to = (placed_task){*task, *task->units};
    to->task.units = &to->units;
    to->units.fixed = place_parts(task->units->fixed, to->units.count, place, ws);
    to->task.start = place_parts(task->start, task->g->nvtx, place, ws);
    if ((task->units->fixed && !to->units.fixed) || (task->start && !to->task.start))
        return clv_fail_memory(err);
    return clv_bounds_permute(&to->task.bounds, &task->bounds, task->order.by_place, ws, err);
}

static cleave_status partition_by_place(const clv_partition_task *task, clv_context *ctx,
                                        int32_t *part, clv_partition_stats *stats,
                                        cleave_error *err)
{
    placed_task placed;
    CLV_TRY(place_task(&placed, task, ctx->ws, err));
    CLV_TRY(partition(&placed.task, ctx, part, stats, err));
    for (int32_t v = 0; v < task->g->nvtx; v++)
        part[v] = task->order.by_place[part[v]];
    return CLEAVE_OK;
}

cleave_status clv_partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                            clv_partition_stats *stats, cleave_error *err)
{
    clv_counted counted;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_context_lend(ctx, task->g->narc + task->g->nvtx);
    CLV_TRY(clv_counted_make(&counted, task, ctx->ws, err));
    cleave_status status = task->order.by_place
                               ? partition_by_place(&counted.task, ctx, part, stats, err)
                               : partition(&counted.task, ctx, part, stats, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
