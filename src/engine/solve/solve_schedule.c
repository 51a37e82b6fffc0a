/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_schedule.c - a schedule for the rows of a triangular solve.
 *
 * The weight of a row is its non-zeros, diagonal included.  Rows that depend on later ones are
 * numbered from the last to the first, because schedulers are tuned for arcs that ascend; the
 * schedule is renumbered afterwards. */
#include "base/group.h"
#include "engine/build_schedule.h"
#include "engine/solve/solve_analysis.h"

/* ---- The DAG ---------------------------------------------------------------------------- */

/* Predecessors of the vertices: the rows themselves, or their reverse. */
static cleave_status set_predecessors(clv_graph *g, const clv_tri_rows *rows, bool upper,
                                      clv_ws *ws, cleave_error *err)
{
    g->xpred = rows->xadj;
    g->pred = rows->col;
    if (!upper)
        return CLEAVE_OK;
    int32_t n = rows->n;
    int64_t count = rows->xadj[n];
    int64_t *xpred = clv_ws_alloc(ws, (int64_t)n + 1, sizeof *xpred);
    int32_t *pred = clv_ws_alloc(ws, count, sizeof *pred);
    if (!xpred || !pred)
        return clv_fail_memory(err);
    /* Rows are reversed, and the columns in each row. */
    for (int32_t i = 0; i <= n; i++)
        xpred[n - i] = count - rows->xadj[i];
    for (int64_t k = 0; k < count; k++)
        pred[count - 1 - k] = n - 1 - rows->col[k];
    g->xpred = xpred;
    g->pred = pred;
    return CLEAVE_OK;
}

static cleave_status make_dag(clv_graph *g, const clv_tri_rows *rows, bool upper, clv_ws *ws,
                              cleave_error *err)
{
    int32_t n = rows->n;
    *g = (clv_graph){.kind = CLEAVE_DAG, .nvtx = n, .narc = rows->xadj[n], .ncon = 1};
    CLV_TRY(set_predecessors(g, rows, upper, ws, err));
    int64_t *xadj = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, g->narc, sizeof *adj);
    int32_t *weight = clv_ws_alloc(ws, n, sizeof *weight);
    if (!xadj || !adj || !weight)
        return clv_fail_memory(err);
    for (int64_t a = 0; a < g->narc; a++)
        xadj[g->pred[a] + 1]++;
    clv_group_starts(xadj, n);
    for (int32_t v = 0; v < n; v++) {
        weight[v] = (int32_t)(g->xpred[v + 1] - g->xpred[v]) + 1;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            adj[xadj[g->pred[a] + 1]++] = v;
    }
    g->xadj = xadj;
    g->adj = adj;
    g->vwgt = weight;
    return CLEAVE_OK;
}

/* ---- The schedule ----------------------------------------------------------------------- */

cleave_status clv_solve_schedule_serial(clv_schedule **out, int32_t n, bool upper, clv_ws *ws,
                                        cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *zeros = clv_ws_zalloc(ws, n, sizeof *zeros);
    int32_t *order = clv_ws_alloc(ws, n, sizeof *order);
    *out = NULL;
    cleave_status status = CLEAVE_OK;
    if (!zeros || !order)
        status = clv_fail_memory(err);
    for (int32_t i = 0; i < n && status == CLEAVE_OK; i++)
        order[i] = upper ? n - 1 - i : i;
    if (status == CLEAVE_OK)
        status = clv_schedule_given(
            out, n, &(clv_schedule_spec){"serial", 1, zeros, zeros, order}, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* Converts a schedule of the reversed rows to one of the rows. */
static cleave_status renumber_schedule(clv_schedule **s, clv_ws *ws, cleave_error *err)
{
    const clv_schedule *old = *s;
    int32_t n = old->ntasks;
    int32_t *layer = clv_ws_alloc(ws, n, sizeof *layer);
    int32_t *thread = clv_ws_alloc(ws, n, sizeof *thread);
    int32_t *order = clv_ws_alloc(ws, n, sizeof *order);
    clv_schedule *now = NULL;
    cleave_status status = CLEAVE_OK;
    if (!layer || !thread || !order)
        status = clv_fail_memory(err);
    for (int32_t i = 0; i < n && status == CLEAVE_OK; i++) {
        layer[i] = old->layer[n - 1 - i];
        thread[i] = old->thread[n - 1 - i];
        order[i] = n - 1 - old->order[i];
    }
    if (status == CLEAVE_OK)
        status = clv_schedule_given(
            &now, n, &(clv_schedule_spec){old->method, old->threads, layer, thread, order}, ws,
            err);
    clv_schedule_free(*s);
    *s = now;
    return status;
}

static cleave_status build_schedule(clv_schedule **out, const clv_solve_analysis *a,
                                    const char *method, bool split, clv_context *ctx,
                                    cleave_error *err)
{
    clv_schedule_request request;
    cleave_schedule_options how = clv_schedule_options_defaults();
    *out = NULL;
    how.method = method;
    how.params = method == a->strategy.method ? a->opt->params : NULL;
    how.threads = a->strategy.threads;
    how.costs = &a->strategy.costs;
    how.split_rows = split;
    CLV_TRY(clv_schedule_request_check(&request, &a->dag, &how, err));
    request.costs.hasty = a->strategy.hasty;
    return clv_schedule_build(out, &request, &a->dag, ctx, err);
}

static cleave_status compute_cost(double *cost, const clv_solve_analysis *a,
                                  const clv_schedule *s, clv_ws *ws, cleave_error *err)
{
    clv_schedule_costs costs = {.sync = a->strategy.costs.sync,
                                .read = a->strategy.costs.read};
    clv_schedule_spec spec = clv_schedule_spec_of(s);
    *cost = clv_schedule_cost(s->tasks ? s->tasks : &a->dag, &spec, &costs, ws, NULL, NULL);
    return *cost < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

/* Builds the schedule of the strategy; *out is NULL if it costs more than one thread. */
static cleave_status build_best(clv_schedule **out, const clv_solve_analysis *a,
                                clv_context *ctx, cleave_error *err)
{
    const clv_solve_strategy *c = &a->strategy;
    double cost = 0;
    if (c->shallow) {
        CLV_TRY(build_schedule(out, a, "levels", false, ctx, err));
        CLV_TRY(compute_cost(&cost, a, *out, ctx->ws, err));
        if (cost <= c->good_cost)
            return CLEAVE_OK;
        clv_schedule_free(*out);
    }
    CLV_TRY(build_schedule(out, a, c->method, c->split != 0, ctx, err));
    if (c->serial_cost <= 0)
        return CLEAVE_OK;
    CLV_TRY(compute_cost(&cost, a, *out, ctx->ws, err));
    if (cost >= c->serial_cost) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return CLEAVE_OK;
}

static cleave_status analyse_and_schedule(clv_schedule **out, clv_solve_analysis *a,
                                          clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(
        clv_solve_choose_strategy(&a->strategy, a->pattern, a->upper, a->opt, ctx->ws, err));
    clv_ws_restore(ctx->ws, mark);
    if (a->strategy.threads > 1 || a->strategy.serial_cost <= 0) {
        CLV_TRY(make_dag(&a->dag, a->pattern, a->upper, ctx->ws, err));
        CLV_TRY(build_best(out, a, ctx, err));
        if (*out && a->upper)
            CLV_TRY(renumber_schedule(out, ctx->ws, err));
    }
    return *out ? CLEAVE_OK
                : clv_solve_schedule_serial(out, a->pattern->n, a->upper, ctx->ws, err);
}

cleave_status clv_solve_schedule(clv_schedule **out, clv_solve_analysis *a, clv_context *ctx,
                                 cleave_error *err)
{
    *out = NULL;
    cleave_status status = analyse_and_schedule(out, a, ctx, err);
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return status;
}

cleave_status clv_solve_schedule_levels(clv_schedule **out, const clv_solve_analysis *a,
                                        clv_context *ctx, cleave_error *err)
{
    CLV_TRY(build_schedule(out, a, "levels", false, ctx, err));
    return a->upper ? renumber_schedule(out, ctx->ws, err) : CLEAVE_OK;
}
