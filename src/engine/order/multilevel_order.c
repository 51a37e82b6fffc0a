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

#include "engine/multilevel/bisection.h"
#include "engine/multilevel/search.h"
#include "engine/order/line_smooth.h"
#include "engine/order/line_turns.h"
#include "graph/priority_order.h"
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
    cost_unit = 100 /* cost between neighbouring blocks */
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

static cleave_status search_coarse(const line *l, const clv_order_preset *how,
                                   clv_context *ctx, int32_t *block, cleave_error *err)
{
    clv_preset first = clv_preset_for_coarse_line(how, true);
    clv_preset effort = clv_preset_for_coarse_line(how, false);
    clv_search_result result;
    int32_t *start = clv_ws_alloc(ctx->ws, l->task.g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    CLV_TRY(clv_search(&l->task, &first, ctx, block, &result, err));
    for (int32_t i = 0; i < how->turns; i++) {
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

static cleave_status coarse_line(const clv_graph *g, int32_t nblocks,
                                 const clv_order_preset *how, clv_context *ctx, int32_t *block,
                                 cleave_error *err)
{
    line l;
    cleave_status status = open_line(&l, g, nblocks, coarse_blocks, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = search_coarse(&l, how, ctx, block, err);
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

static cleave_status fine_line(const clv_graph *g, int32_t nblocks,
                               const clv_order_preset *how, clv_context *ctx, int32_t *block,
                               cleave_error *err)
{
    line l;
    cleave_status status = open_line(&l, g, nblocks, nblocks / 4, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = improve_fine(&l, how, ctx, block, err);
    close_line(&l);
    return status;
}

/* Bisects large blocks of a line recursively, with the neighbouring blocks as anchors. */
static cleave_status divide_further(const clv_graph *g, int32_t nblocks, int32_t last,
                                    clv_context *ctx, int32_t *block, cleave_error *err)
{
    line l;
    clv_preset effort = clv_preset_for_line_blocks();
    clv_division how = {.policy = CLV_POLICY_BREADTH, .done = block, .ndone = nblocks};
    cleave_status status = open_line(&l, g, last, last / 4, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = clv_recursive_division(&l.task, &effort, &how, ctx, block, err);
    close_line(&l);
    return status;
}

/* The fine line from the coarse one.  Small blocks are ordered and cut evenly; large blocks
 * are bisected, because cutting them would give long strips. */
static cleave_status divide_coarse(const clv_graph *g, const sizes *n,
                                   const clv_order_preset *how, clv_context *ctx,
                                   int32_t *block, int32_t *vertex, cleave_error *err)
{
    if (g->nvtx / n->coarse > most_in_strips)
        return divide_further(g, n->coarse, n->fine, ctx, block, err);
    CLV_TRY(clv_line_smooth(g, n->coarse, block, how->sweeps, ctx, vertex, err));
    cut_evenly(g, n->fine, vertex, block);
    return CLEAVE_OK;
}

/* From blocks of the fine line to vertices. */
static cleave_status smooth_fine(const clv_graph *g, const sizes *n,
                                 const clv_order_preset *how, clv_context *ctx, int32_t *block,
                                 int32_t *vertex, cleave_error *err)
{
    if (n->last == n->fine)
        return clv_line_smooth(g, n->fine, block, how->sweeps / 2, ctx, vertex, err);
    CLV_TRY(divide_further(g, n->fine, n->last, ctx, block, err));
    return clv_line_smooth(g, n->last, block, how->sweeps / 3, ctx, vertex, err);
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
    sizes n = choose_sizes(g->nvtx);
    int32_t *block = clv_ws_zalloc(ctx->ws, g->nvtx, sizeof *block);
    if (!block)
        return clv_fail_memory(err);
    if (n.coarse > 1)
        CLV_TRY(coarse_line(g, n.coarse, how, ctx, block, err));
    bool ended = clv_context_stop(ctx);
    if (n.fine == n.coarse || ended)
        CLV_TRY(clv_line_smooth(g, n.coarse, block, how->sweeps, ctx, vertex, err));
    for (int32_t i = 0; i < how->rounds && n.fine > n.coarse && !ended; i++) {
        clv_ws_mark mark = clv_ws_save(ctx->ws);
        if (i == 0)
            CLV_TRY(divide_coarse(g, &n, how, ctx, block, vertex, err));
        else
            cut_evenly(g, n.fine, vertex, block);
        CLV_TRY(fine_line(g, n.fine, how, ctx, block, err));
        CLV_TRY(smooth_fine(g, &n, how, ctx, block, vertex, err));
        clv_ws_restore(ctx->ws, mark);
        ended = clv_context_stop(ctx);
    }
    return exchange_neighbours(g, how, ctx, vertex, err);
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

static cleave_status order_dag(const clv_graph *g, const clv_order_preset *how,
                               clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    int32_t nblocks = blocks_for(g->nvtx, dag_blocks);
    int32_t *block = clv_ws_zalloc(ctx->ws, g->nvtx, sizeof *block);
    if (!block)
        return clv_fail_memory(err);
    if (nblocks > 1)
        CLV_TRY(divide_dag(g, nblocks, how->base, ctx, block, err));
    CLV_TRY(order_inside(g, block, ctx->ws, vertex, err));
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
