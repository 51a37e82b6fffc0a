/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap.c - repartitioning with anchors [Catalyurek et al. 2007]: the strategies,
 * and the choice of the best mapping; see engine/remap/remap.h. */
#include "engine/remap/remap.h"

#include <string.h>

#include "engine/order/multilevel_order.h"
#include "engine/piece_check.h"
#include "engine/presets.h"
#include "evaluate/traffic.h"

typedef struct remapping {
    const clv_remap_task *task;
    clv_context *ctx;
    double distance;       /* factor of an anchor's edge */
    double unit;           /* price at which a move costs as much as an average edge */
    int32_t *start, *part; /* with space for anchors: scratch of the strategies */
    /* The best so far. */
    int32_t *best;
    bool found;
    int64_t beyond; /* excess over the bounds, see evaluate_mapping */
    double price;   /* cut or cost + price * migration */
    int64_t migration;
    /* Of `part`, if it is evaluated. */
    bool is_measured;
    int64_t part_beyond, part_cut;
    clv_remap_result *result;
} remapping;

/* ---- Names ------------------------------------------------------------------------------ */

static const char *const strategies[] = {[CLV_REMAP_AUTO] = "auto",
                                         [CLV_REMAP_INTERVAL] = "interval",
                                         [CLV_REMAP_DIFFUSE] = "diffuse",
                                         [CLV_REMAP_SCRATCH] = "scratch"};

cleave_status clv_remap_strategy_parse(clv_remap_strategy *strategy, const char *name,
                                       cleave_error *err)
{
    *strategy = CLV_REMAP_AUTO;
    if (!name || !name[0])
        return CLEAVE_OK;
    for (int i = CLV_REMAP_AUTO; i <= CLV_REMAP_SCRATCH; i++)
        if (strcmp(name, strategies[i]) == 0) {
            *strategy = (clv_remap_strategy)i;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "unknown strategy \"%.40s\"; there are auto, interval, diffuse and "
                    "scratch",
                    name);
}

const char *clv_remap_strategy_name(clv_remap_strategy strategy)
{
    return strategies[strategy];
}

/* Anchors would close cycles in a DAG. */
static bool has_anchors(const clv_remap_task *task)
{
    return task->price > 0 && task->to.g->kind == CLEAVE_UNDIRECTED;
}

/* ---- What a mapping is worth ------------------------------------------------------------ */

/* Computes the excess of weight and pieces over what is allowed, and the cut; with the
 * distances of a machine, the cost. */
static cleave_status evaluate_mapping(const remapping *r, int32_t *part, int64_t *beyond,
                                      int64_t *cut, cleave_error *err)
{
    const clv_partition_task *to = &r->task->to;
    clv_ws *ws = r->ctx->ws;
    clv_partition_state s;
    clv_piece_excess excess = {0};
    clv_multilevel_task plain = {.g = to->g, .bounds = to->bounds};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_multilevel_state(&s, &plain, part, r->ctx, err));
    *beyond = clv_state_overload(&s);
    *cut = s.cut;
    if (to->machine && to->objective == CLEAVE_OBJECTIVE_COST)
        CLV_TRY(clv_evaluate_cost_of(to->g, to->machine->t, part, ws, cut, err));
    if (to->connected)
        CLV_TRY(clv_piece_check(to->g, to->bounds.nparts, part, ws, &excess, err));
    *beyond += excess.pieces;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static bool is_better(const remapping *r, int64_t beyond, double price, int64_t migration)
{
    if (!r->found || beyond != r->beyond)
        return !r->found || beyond < r->beyond;
    return price != r->price ? price < r->price : migration < r->migration;
}

/* Evaluates r->part unless that is done. */
static cleave_status measure_part(remapping *r, cleave_error *err)
{
    if (!r->is_measured)
        CLV_TRY(evaluate_mapping(r, r->part, &r->part_beyond, &r->part_cut, err));
    r->is_measured = true;
    return CLEAVE_OK;
}

/* Keeps r->part if it is better than the best so far. */
static cleave_status offer_as_is(remapping *r, clv_remap_strategy strategy, cleave_error *err)
{
    const clv_graph *g = r->task->to.g;
    int64_t migration = clv_remap_migration(g, r->task->home, r->part);
    CLV_TRY(measure_part(r, err));
    int64_t beyond = r->part_beyond, cut = r->part_cut;
    double price = (double)cut + r->task->price * (double)migration;
    if (!is_better(r, beyond, price, migration))
        return CLEAVE_OK;
    r->found = true;
    r->beyond = beyond;
    r->price = price;
    r->migration = migration;
    r->result->strategy = strategy;
    memcpy(r->best, r->part, (size_t)g->nvtx * sizeof *r->best);
    return CLEAVE_OK;
}

/* The same.  If no anchors held the parts in place, a relabelling of the parts may be
 * better. */
static cleave_status offer(remapping *r, clv_remap_strategy strategy, cleave_error *err)
{
    CLV_TRY(offer_as_is(r, strategy, err));
    if (has_anchors(r->task))
        return CLEAVE_OK;
    CLV_TRY(clv_remap_rename(r->task, r->ctx->ws, r->part, err));
    r->is_measured = false;
    return offer_as_is(r, strategy, err);
}

/* ---- Runs of the engine ----------------------------------------------------------------- */

static cleave_status partition_and_count(remapping *r, const clv_partition_task *task,
                                         cleave_error *err)
{
    clv_partition_stats one = {0}, *all = &r->result->stats;
    r->is_measured = false;
    CLV_TRY(clv_partition(task, r->ctx, r->part, &one, err));
    all->levels = one.levels > all->levels ? one.levels : all->levels;
    all->cycles += one.cycles;
    all->coarsen += one.coarsen;
    all->initial += one.initial;
    all->refine += one.refine;
    return CLEAVE_OK;
}

static cleave_status obey_groups(remapping *r, int32_t *part, cleave_error *err)
{
    const clv_partition_task *to = &r->task->to;
    return clv_groups_obey(to->groups, to->g->nvtx, part, r->ctx->ws, err);
}

/* Rebalances r->start into r->part, without improving it. */
static cleave_status bring_within_bounds(remapping *r, cleave_error *err)
{
    clv_partition_task task = r->task->to;
    task.start = r->start;
    task.method = clv_method_of(CLV_METHOD_KEEP_START);
    return partition_and_count(r, &task, err);
}

static void take_part_as_start(remapping *r)
{
    memcpy(r->start, r->part, (size_t)r->task->to.g->nvtx * sizeof *r->start);
}

/* Improves r->start into r->part on the graph with anchors.  Anchors hide that a part has no
 * vertices or is disconnected.  *ended: the deadline has passed and there is a mapping within
 * the bounds. */
static cleave_status improve_at(remapping *r, double price, bool *ended, cleave_error *err)
{
    clv_remap_anchored x;
    int32_t n = r->task->to.g->nvtx;
    clv_partition_task task = r->task->to;
    CLV_TRY(clv_remap_anchor(&x, r->task, price / r->distance, r->ctx->ws, err));
    *ended = clv_context_stop(r->ctx) && r->found && r->beyond == 0;
    if (*ended)
        return CLEAVE_OK;
    for (int32_t a = 0; a < x.anchors; a++)
        r->start[n + a] = x.pe[a];
    task.start = r->start;
    if (x.anchors > 0) {
        task.effort = clv_preset_effort_with_anchors(task.effort, task.machine != NULL,
                                                     task.g->nvtx + task.g->narc);
        task.g = &x.g;
        task.groups = &x.groups;
        task.connected = false;
    }
    CLV_TRY(partition_and_count(r, &task, err));
    if (x.anchors == 0)
        return CLEAVE_OK;
    CLV_TRY(measure_part(r, err));
    if (r->part_beyond == 0)
        return CLEAVE_OK;
    take_part_as_start(r);
    return bring_within_bounds(r, err);
}

/* The same at prices that rise to the requested one: with a high price from the start the
 * search is stuck in a local minimum.  Each result is a candidate and the next start. Measured
 * at price 1000, effort default, geometric mean of the cut over that from scratch on 3elt,
 * 4elt, bump, crack and data, 20 PEs, all strategies: other speeds 1.17, without rising prices
 * 1.27; 18 PEs left 1.18 both ways.  Steps were chosen among five on these meshes. */
static cleave_status improve_in_steps(remapping *r, clv_remap_strategy strategy,
                                      cleave_error *err)
{
    double last = r->task->price, price = r->unit;
    for (int i = 0;; i++, price *= 4) {
        bool done = i == 3 || price >= last || !has_anchors(r->task);
        clv_ws_mark mark = clv_ws_save(r->ctx->ws);
        bool ended;
        CLV_TRY(improve_at(r, done ? last : price, &ended, err));
        clv_ws_restore(r->ctx->ws, mark);
        if (ended)
            return CLEAVE_OK;
        CLV_TRY(offer(r, strategy, err));
        int64_t moved = clv_remap_migration(r->task->to.g, r->task->home, r->part);
        if (done || moved <= r->result->bound || clv_context_stop(r->ctx))
            return CLEAVE_OK;
        take_part_as_start(r);
    }
}

/* ---- Strategies ------------------------------------------------------------------------- */

static bool has_residents(const clv_remap_task *task)
{
    for (int32_t v = 0; v < task->to.g->nvtx; v++)
        if (task->home[v] >= 0)
            return true;
    return false;
}

/* Scratch: partitions from scratch and relabels the parts. */
static cleave_status begin_anew(remapping *r, cleave_error *err)
{
    clv_partition_task task = r->task->to;
    task.start = NULL;
    return partition_and_count(r, &task, err);
}

static cleave_status try_scratch(remapping *r, cleave_error *err)
{
    CLV_TRY(begin_anew(r, err));
    /* Without distances, relabelling costs nothing and never moves more. */
    if (r->task->to.machine || !clv_context_stop(r->ctx))
        CLV_TRY(offer_as_is(r, CLV_REMAP_SCRATCH, err));
    CLV_TRY(clv_remap_rename(r->task, r->ctx->ws, r->part, err));
    r->is_measured = false;
    CLV_TRY(offer_as_is(r, CLV_REMAP_SCRATCH, err));
    if (!has_anchors(r->task) || clv_context_stop(r->ctx))
        return CLEAVE_OK;
    take_part_as_start(r);
    return improve_in_steps(r, CLV_REMAP_SCRATCH, err);
}

/* Diffusion: every vertex stays at home as far as the bounds allow it. */
static cleave_status keep_homes(remapping *r, cleave_error *err)
{
    CLV_TRY(clv_remap_spread(r->task, r->ctx->ws, r->start, err));
    CLV_TRY(obey_groups(r, r->start, err));
    CLV_TRY(bring_within_bounds(r, err));
    return offer_as_is(r, CLV_REMAP_DIFFUSE, err);
}

static cleave_status try_diffuse(remapping *r, cleave_error *err)
{
    if (!has_residents(r->task))
        return try_scratch(r, err);
    CLV_TRY(keep_homes(r, err));
    if (clv_context_stop(r->ctx))
        return CLEAVE_OK;
    take_part_as_start(r);
    return improve_in_steps(r, CLV_REMAP_DIFFUSE, err);
}

/* After the deadline: r->start unchanged, rebalanced only if no other mapping is within the
 * bounds, or where groups and fixed vertices of a DAG require a repair. */
static cleave_status offer_start(remapping *r, clv_remap_strategy strategy, cleave_error *err)
{
    const clv_groups *groups = r->task->to.groups; /* which can close cycles */
    bool may_have_cycle =
        r->task->to.g->kind == CLEAVE_DAG && (groups->group || groups->fixed);
    memcpy(r->part, r->start, (size_t)r->task->to.g->nvtx * sizeof *r->part);
    r->is_measured = false;
    if (!may_have_cycle) {
        CLV_TRY(offer(r, strategy, err));
        if (r->beyond == 0)
            return CLEAVE_OK;
    }
    CLV_TRY(bring_within_bounds(r, err));
    return offer(r, strategy, err);
}

/* An order of the vertices by their first weight.  It is only the start of the search, so a
 * low effort is enough. */
static cleave_status make_order(remapping *r, int32_t *order, cleave_error *err)
{
    clv_graph g;
    CLV_TRY(clv_order_graph(&g, r->task->to.g, r->ctx->ws, err));
    cleave_effort effort = clv_preset_effort_of_intervals(r->task->to.effort);
    return clv_multilevel_order(&g, effort, r->ctx, order, err);
}

static cleave_status try_interval(remapping *r, cleave_error *err)
{
    const int32_t *order = r->task->order;
    clv_ws_mark mark = clv_ws_save(r->ctx->ws);
    if (!order) {
        int32_t *made = clv_ws_alloc(r->ctx->ws, r->task->to.g->nvtx, sizeof *made);
        if (!made)
            return clv_fail_memory(err);
        CLV_TRY(make_order(r, made, err));
        order = made;
    }
    CLV_TRY(clv_remap_cut(r->task, order, r->ctx->ws, r->start, err));
    CLV_TRY(obey_groups(r, r->start, err));
    clv_ws_restore(r->ctx->ws, mark);
    if (clv_context_stop(r->ctx))
        return offer_start(r, CLV_REMAP_INTERVAL, err);
    if (!has_anchors(r->task)) { /* then only the start itself accounts for the price */
        CLV_TRY(bring_within_bounds(r, err));
        CLV_TRY(offer(r, CLV_REMAP_INTERVAL, err));
    }
    return improve_in_steps(r, CLV_REMAP_INTERVAL, err);
}

/* ---- The whole -------------------------------------------------------------------------- */

typedef cleave_status strategy_maker(remapping *r, cleave_error *err);

/* Gives a strategy its share of the remaining time. */
static cleave_status try_in_time(remapping *r, strategy_maker *maker, int left,
                                 cleave_error *err)
{
    clv_context *ctx = r->ctx;
    double deadline = clv_context_narrow(ctx, 1.0 / left);
    cleave_status status = maker(r, err);
    clv_context_widen(ctx, deadline);
    return status;
}

/* Every strategy uses the same random numbers, whether it runs alone or after others: auto is
 * never worse than any single strategy. */
static cleave_status try_all(remapping *r, cleave_error *err)
{
    static strategy_maker *const makers[] = {[CLV_REMAP_INTERVAL] = try_interval,
                                             [CLV_REMAP_DIFFUSE] = try_diffuse,
                                             [CLV_REMAP_SCRATCH] = try_scratch};
    static const clv_remap_strategy sequence[] = {CLV_REMAP_DIFFUSE, CLV_REMAP_SCRATCH,
                                                  CLV_REMAP_INTERVAL};
    if (r->task->strategy != CLV_REMAP_AUTO)
        return makers[r->task->strategy](r, err);
    for (int i = 0; i < 3; i++)
        if (!r->found || !clv_context_stop(r->ctx))
            CLV_TRY(try_in_time(r, makers[sequence[i]], 3 - i, err));
    return CLEAVE_OK;
}

/* Mean distance between the ends of cut edges in the current mapping: an anchor's edge is
 * weighted by the distance that a vertex moves. */
static cleave_status find_distance(remapping *r, cleave_error *err)
{
    const clv_partition_task *to = &r->task->to;
    clv_ws *ws = r->ctx->ws;
    clv_traffic traffic;
    int64_t cost, cut;
    r->distance = 1;
    if (!to->machine || to->objective != CLEAVE_OBJECTIVE_COST || !has_anchors(r->task))
        return CLEAVE_OK;
    CLV_TRY(clv_remap_spread(r->task, ws, r->part, err));
    r->is_measured = false;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_traffic_make(&traffic, to->g, to->machine->t, r->part, ws, err));
    CLV_TRY(clv_evaluate_cost(&traffic, &cost, &cut, NULL, err));
    clv_ws_restore(ws, mark);
    if (cut > 0 && cost > cut)
        r->distance = (double)cost / (double)cut;
    return CLEAVE_OK;
}

static double unit_price(const clv_graph *g)
{
    double edges = 0, sizes = 0;
    for (int64_t a = 0; a < g->narc; a++)
        edges += clv_graph_ewgt(g, a);
    for (int32_t v = 0; v < g->nvtx; v++)
        sizes += clv_graph_vsize(g, v);
    if (!(edges > 0) || !(sizes > 0))
        return 1;
    return edges / (double)g->narc / (sizes / (double)g->nvtx);
}

static cleave_status open_remapping(remapping *r, cleave_error *err)
{
    const clv_partition_task *to = &r->task->to;
    int64_t n = to->g->nvtx + (has_anchors(r->task) ? to->bounds.nparts : INT64_C(0));
    *r->result = (clv_remap_result){.strategy = r->task->strategy, .stats.levels = 1};
    r->start = clv_ws_alloc(r->ctx->ws, n, sizeof *r->start);
    r->part = clv_ws_alloc(r->ctx->ws, n, sizeof *r->part);
    if (!r->start || !r->part)
        return clv_fail_memory(err);
    CLV_TRY(clv_remap_bound(r->task, r->ctx->ws, &r->result->bound, err));
    CLV_TRY(find_distance(r, err));
    r->unit = unit_price(to->g) * r->distance;
    return CLEAVE_OK;
}

cleave_status clv_remap(const clv_remap_task *task, clv_context *ctx, int32_t *part,
                        clv_remap_result *result, cleave_error *err)
{
    remapping r = {.task = task, .ctx = ctx, .best = part, .result = result};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(open_remapping(&r, err));
    CLV_TRY(try_all(&r, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_remap_trivial(const clv_remap_task *task, const int32_t *made,
                                clv_context *ctx, int32_t *part, clv_remap_result *result,
                                cleave_error *err)
{
    remapping r = {.task = task, .ctx = ctx, .best = part, .result = result};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(open_remapping(&r, err));
    memcpy(r.part, made, (size_t)task->to.g->nvtx * sizeof *made);
    CLV_TRY(offer_as_is(&r, CLV_REMAP_SCRATCH, err));
    CLV_TRY(clv_remap_rename(task, ctx->ws, r.part, err));
    CLV_TRY(offer_as_is(&r, CLV_REMAP_SCRATCH, err));
    if (task->strategy != CLV_REMAP_SCRATCH && has_residents(task))
        CLV_TRY(keep_homes(&r, err));
    if (task->strategy != CLV_REMAP_AUTO)
        result->strategy = task->strategy;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
