/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way.c - the built-in solver of the two-way model: prepares an instance, runs
 * the stages of schedule/two_way_instance.h and returns the best solution.
 *
 * Deterministic: a budget of steps limits the search; the clock can only end it early. */
#include "schedule/two_way.h"

#include <string.h>

#include "graph/topology.h"
#include "schedule/two_way_instance.h"

int64_t clv_two_way_objective(const clv_two_way *model, const int32_t *part)
{
    int64_t size[3] = {0}, crossing = 0;
    for (int32_t v = 0; v < model->g->nvtx; v++)
        size[part[v]] += clv_graph_vwgt(model->g, v, 0);
    for (int32_t a = 0; a < model->narrivals; a++)
        crossing += part[model->to[a]] != 0 && part[model->to[a]] != model->from[a];
    return model->ws * (size[1] < size[2] ? size[1] : size[2]) - model->wc * crossing;
}

bool clv_two_way_goes_on(clv_two_way_instance *t)
{
    return t->best_value < t->limit && t->steps > 0 && !clv_context_stop(t->ctx);
}

void clv_two_way_offer(clv_two_way_instance *t, const int32_t *part)
{
    int64_t worth[3] = {0}, cost = 0;
    for (int32_t v = 0; v < t->nvtx; v++) {
        worth[part[v]] += t->worth[v];
        cost += t->cost[part[v]][v];
    }
    int64_t value = (worth[1] < worth[2] ? worth[1] : worth[2]) - cost;
    if (!clv_two_way_better(t, value, worth[1] + worth[2]))
        return;
    memcpy(t->best, part, (size_t)t->nvtx * sizeof *part);
    t->best_value = value;
    t->best_total = worth[1] + worth[2];
}

/* ---- Preparation ------------------------------------------------------------------------ */

enum { headroom = 64 }; /* bounds multiply values by less than this factor */

/* Do all sums of the search fit into 64 bits? */
static bool sums_fit(const clv_two_way *model)
{
    int64_t size = 0, worth, cost, sum;
    for (int32_t v = 0; v < model->g->nvtx; v++)
        size += clv_graph_vwgt(model->g, v, 0);
    return clv_mul_i64(size, model->ws, &worth) &&
           clv_mul_i64(model->narrivals, model->wc, &cost) && clv_add_i64(worth, cost, &sum) &&
           sum < INT64_MAX / headroom;
}

static void compute_worth(clv_two_way_instance *t, const clv_two_way *model)
{
    for (int32_t v = 0; v < t->nvtx; v++) {
        t->worth[v] = (int64_t)model->ws * clv_graph_vwgt(t->g, v, 0);
        t->total += t->worth[v];
        t->unit = clv_common_divisor(t->worth[v], t->unit);
    }
    for (int32_t a = 0; a < model->narrivals; a++)
        t->cost[3 - model->from[a]][model->to[a]] += model->wc;
    t->costs = model->narrivals > 0 && model->wc > 0;
    if (t->costs)
        t->unit = clv_common_divisor(t->unit, model->wc);
    t->unit = t->unit > 0 ? t->unit : 1;
}

static cleave_status make_ready(clv_two_way_instance *t, const clv_two_way *model,
                                int32_t *part, cleave_error *err)
{
    const clv_graph *g = t->g;
    clv_ws *ws = t->ctx->ws;
    bool complete;
    t->order = clv_ws_alloc(ws, g->nvtx, sizeof *t->order);
    t->source = clv_ws_alloc(ws, g->nvtx, sizeof *t->source);
    t->worth = clv_ws_alloc(ws, g->nvtx, sizeof *t->worth);
    for (int i = 0; i < 3; i++)
        t->cost[i] = clv_ws_zalloc(ws, g->nvtx, sizeof *t->cost[i]);
    bool enough = true;
    for (int i = 0; i < CLV_TWO_WAY_ORDERS; i++) {
        t->start[i] = clv_ws_alloc(ws, g->nvtx, 1);
        enough = enough && t->start[i];
    }
    if (!enough || !t->order || !t->source || !t->worth || !t->cost[0] || !t->cost[1] ||
        !t->cost[2])
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, t->order, &complete, err));
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xpred[v] == g->xpred[v + 1])
            t->source[t->nsources++] = v;
    compute_worth(t, model);
    t->best = part;
    memset(part, 0, (size_t)g->nvtx * sizeof *part);
    return CLEAVE_OK;
}

/* ---- The solver ------------------------------------------------------------------------- */

enum { fewest_steps = 400000, most_steps = 8000000, steps_by_size = 200, least_by_size = 20 };

static int64_t default_steps(const clv_graph *g)
{
    int64_t size = g->nvtx + g->narc, steps = steps_by_size * size;
    if (steps < fewest_steps)
        return fewest_steps;
    return steps < most_steps ? steps : most_steps + least_by_size * size;
}

static cleave_status run_stages(clv_two_way_instance *t, cleave_error *err)
{
    clv_two_way_bound(t);
    CLV_TRY(clv_two_way_sweep(t, err));
    if (clv_two_way_goes_on(t))
        CLV_TRY(clv_two_way_exact(t, t->steps / 2, err));
    if (clv_two_way_goes_on(t))
        CLV_TRY(clv_two_way_local(t, err));
    return CLEAVE_OK;
}

cleave_status clv_two_way_solve(const clv_two_way *model, clv_context *ctx, int32_t *part,
                                clv_two_way_result *result, cleave_error *err)
{
    clv_two_way_instance t = {.g = model->g, .nvtx = model->g->nvtx, .ctx = ctx};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    if (!sums_fit(model))
        return clv_fail(err, CLEAVE_ERANGE,
                        "the weights of the vertices are too large for ws=%d and wc=%d",
                        (int)model->ws, (int)model->wc);
    t.steps = model->steps > 0 ? model->steps : default_steps(model->g);
    cleave_status status = make_ready(&t, model, part, err);
    if (status == CLEAVE_OK)
        status = run_stages(&t, err);
    clv_ws_restore(ctx->ws, mark);
    *result =
        (clv_two_way_result){.objective = t.best_value, .proved = t.best_value == t.limit};
    return status;
}
