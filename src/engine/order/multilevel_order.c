/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/multilevel_order.c - multilevel linear arrangement, see
 * engine/order/multilevel_order.h.
 *
 * An order is good if random cuts of it into intervals are cheap.  If an order is cut into k
 * intervals at random places, an edge whose ends are a share x of the line apart is cut with
 * probability min(1, k * x).  The mean over all k of interest, each weighted by the cut that
 * it can reach (cuts of meshes grow like the square root of k), is a concave distance.  The
 * order is thus a mapping onto a machine with these distances: first onto a line of a few
 * blocks by the multilevel engine, then from there onto a line of many more blocks by local
 * search. Inside blocks, vertices are sorted by their neighbours (engine/order/line_smooth.h).
 *
 * In a DAG, blocks come from recursive bisection, in which no arc leads from the second side
 * to the first. */
#include "engine/order/multilevel_order.h"

#include <math.h>
#include <string.h>

#include "base/group.h"
#include "engine/multilevel/bisection.h"
#include "engine/multilevel/search.h"
#include "engine/order/line_smooth.h"
#include "engine/order/line_turns.h"
#include "engine/order/simple_line.h"
#include "graph/priority_order.h"
#include "graph/topology.h"
#include "refine/fm/kway_fm.h"
#include "refine/moves/jet.h"

/* coarse_blocks, fine_blocks: docs/design/adaptive.md, "A line is a machine" (64 and 1024 are
 * no better).  The other numbers are not tuned. */
enum {
    coarse_blocks = 128,
    fine_blocks = 512,
    least_in_block = 4,   /* average number of vertices */
    most_in_strips = 200, /* vertices of a coarse block that is cut into intervals */
    most_in_last = 60,    /* vertices of a block that is not divided any further */
    dag_blocks = 256,
    passes_to_sort = 4, /* over the graph: an order by priority */
    cost_unit = 100     /* cost between neighbouring blocks */
};

/* Bound of a block over its share; an order needs no balance.  docs/design/adaptive.md, "A
 * line is a machine" (1.03 raises the cut by 3 %). */
static const double slack = 1.3;

/* Numbers of blocks of the successive lines. */
typedef struct sizes {
    int32_t coarse, fine, last;
} sizes;

/* ---- The line as a machine -------------------------------------------------------------- */

typedef struct line {
    clv_target *t;
    const int32_t *cost; /* by distance in blocks */
    clv_machine machine;
    clv_multilevel_task task;
} line;

/* Mean cost of an edge whose ends are `apart` blocks apart on a line of nblocks blocks. */
static double mean_cost(int32_t apart, int32_t nblocks, double most_parts)
{
    static const double step = 1.0905077326652577; /* 2^(1/8) */
    double sum = 0;
    for (double k = 2; k <= most_parts; k *= step) {
        double chance = apart * k / nblocks;
        sum += (chance < 1 ? chance : 1) / sqrt(k);
    }
    return sum;
}

static cleave_status open_costs(line *l, int32_t nblocks, double most_parts, clv_ws *ws,
                                cleave_error *err)
{
    int32_t *cost = clv_ws_alloc(ws, nblocks, sizeof *cost);
    if (!cost)
        return clv_fail_memory(err);
    double unit = mean_cost(1, nblocks, most_parts) / cost_unit;
    for (int32_t d = 0; d < nblocks; d++)
        cost[d] = (int32_t)(mean_cost(d, nblocks, most_parts) / unit + 0.5);
    l->cost = cost;
    CLV_TRY(clv_target_line(&l->t, nblocks, cost, err));
    return clv_machine_make(&l->machine, l->t, NULL, ws, err);
}

static cleave_status bound_blocks(clv_bounds *bounds, const clv_graph *g, int32_t nblocks,
                                  clv_ws *ws, cleave_error *err)
{
    double own = (double)clv_graph_weight(g) / nblocks;
    return clv_bounds_uniform(bounds, nblocks, own, (int64_t)(slack * (own + 1)), ws, err);
}

/* The caller must close the line, also on failure. */
static cleave_status open_line(line *l, const clv_graph *g, int32_t nblocks, double most_parts,
                               clv_ws *ws, cleave_error *err)
{
    *l = (line){.task = {.g = g}};
    CLV_TRY(bound_blocks(&l->task.bounds, g, nblocks, ws, err));
    CLV_TRY(open_costs(l, nblocks, most_parts, ws, err));
    l->task.machine = &l->machine;
    return CLEAVE_OK;
}

static void close_line(line *l)
{
    clv_target_free(l->t);
}

/* Final local search on single vertices: exchanges neighbours, then moves vertices a few
 * places, past others that single exchanges would not improve. */
static cleave_status exchange_neighbours(const clv_graph *g, const clv_order_preset *how,
                                         clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    enum { sweeps = 2, places = 4 }; /* not tuned */
    CLV_TRY(clv_line_carry(g, how->exchanges, 1, ctx, vertex, err));
    return clv_line_carry(g, sweeps, places, ctx, vertex, err);
}

/* ---- Blocks ----------------------------------------------------------------------------- */

static int32_t blocks_for(int32_t nvtx, int32_t most)
{
    int32_t blocks = 1;
    while (blocks < most && nvtx / (2 * blocks) >= least_in_block)
        blocks *= 2;
    return blocks;
}

/* *found: false if the context was stopped before there were blocks. */
static cleave_status search_coarse(const line *l, const clv_order_preset *how,
                                   clv_context *ctx, int32_t *block, bool *found,
                                   cleave_error *err)
{
    clv_preset first = clv_preset_for_coarse_line(how, true);
    clv_preset effort = clv_preset_for_coarse_line(how, false);
    clv_search_result result;
    int32_t *start = clv_ws_alloc(ctx->ws, l->task.g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    CLV_TRY(clv_search(&l->task, &first, ctx, block, &result, err));
    *found = !clv_worth_is_none(result.last.worth);
    for (int32_t i = 0; *found && i < how->turns; i++) {
        clv_multilevel_task again = l->task;
        CLV_TRY(clv_line_turns(l->task.g, l->task.bounds.nparts, l->cost, ctx, block, err));
        if (l->task.g->nvtx > how->cycled_below)
            break;
        memcpy(start, block, (size_t)l->task.g->nvtx * sizeof *start);
        again.start = start;
        CLV_TRY(clv_search(&again, &effort, ctx, block, &result, err));
    }
    return CLEAVE_OK;
}

/* One arrangement of an undirected graph: its lines, and the block of each vertex. */
typedef struct arrangement {
    const clv_graph *g;
    const clv_order_preset *preset;
    clv_context *ctx;
    sizes n;
    int32_t *block; /* on the line that was made last */
} arrangement;

static cleave_status coarse_line(const arrangement *r, bool *found, cleave_error *err)
{
    line l;
    cleave_status status = open_line(&l, r->g, r->n.coarse, coarse_blocks, r->ctx->ws, err);
    l.task.no_line = true;
    if (status == CLEAVE_OK)
        status = search_coarse(&l, r->preset, r->ctx, r->block, found, err);
    close_line(&l);
    return status;
}

/* Cuts an order into blocks of equal weight. */
static void cut_evenly(const clv_graph *g, int32_t nblocks, const int32_t *vertex,
                       int32_t *block)
{
    double total = (double)clv_graph_weight(g), before = 0;
    for (int32_t p = 0; p < g->nvtx; p++) {
        double w = total > 0 ? clv_graph_vwgt(g, vertex[p], 0) : 1;
        double at = (before + w / 2) / (total > 0 ? total : g->nvtx) * nblocks;
        block[vertex[p]] = at < nblocks - 1 ? (int32_t)at : nblocks - 1;
        before += w;
    }
}

static cleave_status improve_fine(const line *l, const clv_order_preset *how, clv_context *ctx,
                                  int32_t *block, cleave_error *err)
{
    clv_partition_state s;
    clv_jet_params jet = {.rounds = how->jet_rounds,
                          .patience = 2,
                          .temperature = clv_preset_jet_temperature(0)};
    clv_kway_fm_params fm = clv_kway_fm_defaults();
    fm.rounds = how->fm_rounds;
    CLV_TRY(clv_multilevel_state(&s, &l->task, block, ctx, err));
    CLV_TRY(clv_jet(&s, &jet, ctx, err));
    return clv_kway_fm(&s, &fm, ctx, err);
}

static cleave_status fine_line(const arrangement *r, cleave_error *err)
{
    line l;
    int32_t nblocks = r->n.fine;
    cleave_status status = open_line(&l, r->g, nblocks, nblocks / 4, r->ctx->ws, err);
    if (status == CLEAVE_OK)
        status = improve_fine(&l, r->preset, r->ctx, r->block, err);
    close_line(&l);
    return status;
}

/* Bisects the blocks of a line recursively until there are `last`, with the neighbouring
 * blocks as anchors. */
static cleave_status divide_further(const arrangement *r, int32_t nblocks, int32_t last,
                                    cleave_error *err)
{
    line l;
    clv_preset effort = clv_preset_for_line_blocks();
    clv_division how = {.policy = CLV_POLICY_BREADTH, .done = r->block, .ndone = nblocks};
    cleave_status status = open_line(&l, r->g, last, last / 4, r->ctx->ws, err);
    if (status == CLEAVE_OK)
        status = clv_recursive_division(&l.task, &effort, &how, r->ctx, r->block, err);
    close_line(&l);
    return status;
}

static cleave_status smooth_blocks(const arrangement *r, int32_t nblocks, int32_t sweeps,
                                   int32_t *vertex, cleave_error *err)
{
    return clv_line_smooth(r->g, (clv_line_blocks){nblocks, r->block}, sweeps, r->ctx, vertex,
                           err);
}

/* The fine line from the coarse one.  Small blocks are ordered and cut evenly; large blocks
 * are bisected, because cutting them would give long strips. */
static cleave_status divide_coarse(const arrangement *r, int32_t *vertex, cleave_error *err)
{
    if (r->g->nvtx / r->n.coarse > most_in_strips)
        return divide_further(r, r->n.coarse, r->n.fine, err);
    CLV_TRY(smooth_blocks(r, r->n.coarse, r->preset->sweeps, vertex, err));
    cut_evenly(r->g, r->n.fine, vertex, r->block);
    return CLEAVE_OK;
}

/* From blocks of the fine line to vertices. */
static cleave_status smooth_fine(const arrangement *r, int32_t *vertex, cleave_error *err)
{
    if (r->n.last == r->n.fine)
        return smooth_blocks(r, r->n.fine, r->preset->sweeps / 2, vertex, err);
    CLV_TRY(divide_further(r, r->n.fine, r->n.last, err));
    return smooth_blocks(r, r->n.last, r->preset->sweeps / 3, vertex, err);
}

/* Fills vertex by the coarse line alone, or by rounds of the fine line. */
static cleave_status arrange(const arrangement *r, int32_t *vertex, cleave_error *err)
{
    bool ended = clv_context_stop(r->ctx);
    if (r->n.fine == r->n.coarse || ended)
        return smooth_blocks(r, r->n.coarse, r->preset->sweeps, vertex, err);
    for (int32_t i = 0; i < r->preset->rounds && !ended; i++) {
        clv_ws_mark mark = clv_ws_save(r->ctx->ws);
        if (i == 0)
            CLV_TRY(divide_coarse(r, vertex, err));
        else
            cut_evenly(r->g, r->n.fine, vertex, r->block);
        CLV_TRY(fine_line(r, err));
        CLV_TRY(smooth_fine(r, vertex, err));
        clv_ws_restore(r->ctx->ws, mark);
        ended = clv_context_stop(r->ctx);
    }
    return CLEAVE_OK;
}

static sizes choose_sizes(int32_t nvtx)
{
    sizes n = {blocks_for(nvtx, coarse_blocks), blocks_for(nvtx, fine_blocks), 0};
    n.last = n.fine;
    while (nvtx / n.last > most_in_last)
        n.last *= 2;
    return n;
}

static cleave_status order_undirected(const clv_graph *g, const clv_order_preset *how,
                                      clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    arrangement r = {.g = g, .preset = how, .ctx = ctx, .n = choose_sizes(g->nvtx)};
    bool found = true;
    r.block = clv_ws_zalloc(ctx->ws, g->nvtx, sizeof *r.block);
    if (!r.block)
        return clv_fail_memory(err);
    if (r.n.coarse > 1)
        CLV_TRY(coarse_line(&r, &found, err));
    if (!found) {
        for (int32_t v = 0; v < g->nvtx; v++)
            vertex[v] = v;
        return clv_simple_line_replace(g, ctx, vertex, err);
    }
    CLV_TRY(arrange(&r, vertex, err));
    CLV_TRY(exchange_neighbours(g, how, ctx, vertex, err));
    return clv_context_is_stopped(ctx) ? clv_simple_line_replace(g, ctx, vertex, err)
                                       : CLEAVE_OK;
}

/* ---- DAGs ------------------------------------------------------------------------------- */

static cleave_status divide_dag(const clv_graph *g, int32_t nblocks, cleave_effort effort,
                                clv_context *ctx, int32_t *block, cleave_error *err)
{
    clv_multilevel_task task = {.g = g};
    CLV_TRY(bound_blocks(&task.bounds, g, nblocks, ctx->ws, err));
    return clv_recursive_bisection(&task, clv_preset_of(effort, CLEAVE_DAG), ctx, block, err);
}

/* Orders block by block.  Within a block, the ready vertex that closes more arcs than it opens
 * comes first. */
static cleave_status order_inside(const clv_graph *g, const int32_t *block, clv_ws *ws,
                                  int32_t *vertex, cleave_error *err)
{
    static const int64_t most = INT64_C(1) << 31;
    bool complete;
    int64_t *priority = clv_ws_alloc(ws, g->nvtx, sizeof *priority);
    if (!priority)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t opens = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            opens += clv_graph_ewgt(g, a);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            opens -= clv_graph_pwgt(g, a);
        opens = opens > most ? most : opens < -most ? -most : opens;
        priority[v] = block[v] * (4 * most) + opens;
    }
    return clv_priority_order(g->nvtx, g->xadj, g->adj, priority, ws, vertex, &complete, err);
}

/* The same after the stop: within a block, in the topological order of the graph. */
static cleave_status order_by_block(const clv_graph *g, int32_t nblocks, const int32_t *block,
                                    clv_ws *ws, int32_t *vertex, cleave_error *err)
{
    int32_t n = g->nvtx;
    int32_t *key = clv_ws_alloc(ws, n, sizeof *key),
            *place = clv_ws_alloc(ws, n, sizeof *place);
    int32_t *first = clv_ws_alloc(ws, (int64_t)nblocks + 1, sizeof *first);
    if (!key || !place || !first)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_order(g, ws, vertex, err));
    for (int32_t p = 0; p < n; p++)
        key[p] = block[vertex[p]];
    clv_group_by_key(n, key, nblocks, first, place);
    for (int32_t p = 0; p < n; p++)
        key[p] = vertex[place[p]];
    memcpy(vertex, key, (size_t)n * sizeof *vertex);
    return CLEAVE_OK;
}

static cleave_status order_blocks(const clv_graph *g, int32_t nblocks, const int32_t *block,
                                  clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    if (clv_context_afford(ctx, passes_to_sort * (g->narc + g->nvtx)))
        return order_inside(g, block, ctx->ws, vertex, err);
    return order_by_block(g, nblocks, block, ctx->ws, vertex, err);
}

static cleave_status order_dag(const clv_graph *g, const clv_order_preset *how,
                               clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    int32_t nblocks = blocks_for(g->nvtx, dag_blocks);
    int32_t *block = clv_ws_zalloc(ctx->ws, g->nvtx, sizeof *block);
    if (!block)
        return clv_fail_memory(err);
    if (nblocks > 1)
        CLV_TRY(divide_dag(g, nblocks, how->base, ctx, block, err));
    CLV_TRY(order_blocks(g, nblocks, block, ctx, vertex, err));
    return exchange_neighbours(g, how, ctx, vertex, err);
}

/* ---- All -------------------------------------------------------------------------------- */

/* Drops edge weights if their sum times the costs would overflow. */
static clv_graph within_range(const clv_graph *g)
{
    clv_graph same = *g;
    double sum = 0;
    for (int64_t a = 0; a < g->narc; a++)
        sum += clv_graph_ewgt(g, a);
    if (sum * cost_unit * fine_blocks > (double)(INT64_MAX / 4)) {
        clv_graph_set_ewgts(&same, (clv_weights){0});
        clv_graph_set_pwgts(&same, (clv_weights){0});
    }
    return same;
}

cleave_status clv_multilevel_order(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                                   int32_t *vertex, cleave_error *err)
{
    clv_graph same = within_range(g);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    const clv_order_preset *how = clv_preset_for_order(effort);
    cleave_status status = g->kind == CLEAVE_DAG
                               ? order_dag(&same, how, ctx, vertex, err)
                               : order_undirected(&same, how, ctx, vertex, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
