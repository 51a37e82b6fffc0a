/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_schedule.c - a schedule for the rows of a triangular solve.
 *
 * A row weighs its non-zeros, diagonal included.  Rows that depend on later ones are numbered
 * from the last to the first, because schedulers are at their best where arcs ascend; the
 * schedule is turned back afterwards. */
#include "api/trsv.h"

/* ---- The DAG ------------------------------------------------------------------------------
 */

/* Predecessors of the vertices: the rows themselves, or turned around. */
static cleave_status take_predecessors(clv_graph *g, const clv_tri_rows *rows, bool upper,
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
    /* Both the rows and the columns in each come in the opposite order. */
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
    CLV_TRY(take_predecessors(g, rows, upper, ws, err));
    int64_t *xadj = clv_ws_zalloc(ws, (int64_t)n + 2, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, g->narc, sizeof *adj);
    int32_t *weight = clv_ws_alloc(ws, n, sizeof *weight);
    if (!xadj || !adj || !weight)
        return clv_fail_memory(err);
    for (int64_t a = 0; a < g->narc; a++)
        xadj[g->pred[a] + 2]++;
    for (int32_t v = 0; v < n; v++)
        xadj[v + 2] += xadj[v + 1];
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

/* ---- The schedule --------------------------------------------------------------------------
 */

cleave_status clv_trsv_serial(clv_schedule **out, int32_t n, bool upper, clv_ws *ws,
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
        status = clv_schedule_given(out, n, "serial", 1, zeros, zeros, order, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* A schedule of the turned rows becomes one of the rows. */
static cleave_status turn_back(clv_schedule **s, clv_ws *ws, cleave_error *err)
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
        status = clv_schedule_given(&now, n, old->method, old->threads, layer, thread, order,
                                    ws, err);
    clv_schedule_free(*s);
    *s = now;
    return status;
}

static cleave_status build(clv_schedule **out, const clv_graph *g,
                           const cleave_run_options *opt, const clv_trsv_choice *choice,
                           bool split, cleave_error *err)
{
    cleave_schedule_options how;
    cleave_schedule_options_init(&how, sizeof how);
    how.method = choice->method;
    how.params = opt->params;
    how.threads = choice->threads;
    how.costs = &choice->costs;
    how.split_rows = split;
    how.seed = opt->seed;
    how.workers = choice->workers;
    return cleave_schedule_build(out, g, &how, err);
}

static cleave_status cost_of(double *cost, const clv_graph *g, const clv_schedule *s,
                             const clv_trsv_choice *choice, cleave_error *err)
{
    cleave_schedule_metrics m;
    cleave_schedule_metrics_init(&m, sizeof m);
    CLV_TRY(cleave_evaluate_schedule(&m, g, s, &choice->costs, err));
    *cost = m.cost;
    return CLEAVE_OK;
}

/* Rows split, where that is cheaper than *s, whose cost is *cost. */
static cleave_status try_split(clv_schedule **s, double *cost, const clv_graph *g,
                               const cleave_run_options *opt, const clv_trsv_choice *choice,
                               cleave_error *err)
{
    clv_schedule *other;
    double dearer;
    CLV_TRY(build(&other, g, opt, choice, true, err));
    cleave_status status = cost_of(&dearer, g, other, choice, err);
    if (status == CLEAVE_OK && dearer < *cost) {
        clv_schedule *kept = *s;
        *s = other;
        *cost = dearer;
        other = kept;
    }
    clv_schedule_free(other);
    return status;
}

static cleave_status build_best(clv_schedule **out, const clv_graph *g,
                                const cleave_run_options *opt, const clv_trsv_choice *choice,
                                cleave_error *err)
{
    double cost = 0;
    CLV_TRY(build(out, g, opt, choice, choice->split == 1, err));
    if (choice->split < 0 || choice->serial_cost > 0)
        CLV_TRY(cost_of(&cost, g, *out, choice, err));
    if (choice->split < 0)
        CLV_TRY(try_split(out, &cost, g, opt, choice, err));
    if (choice->serial_cost > 0 && cost >= choice->serial_cost) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return CLEAVE_OK;
}

cleave_status clv_trsv_schedule(clv_schedule **out, const clv_tri_rows *rows, bool upper,
                                const cleave_run_options *opt, clv_ws *ws, cleave_error *err)
{
    clv_trsv_choice choice;
    clv_graph g;
    *out = NULL;
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = clv_trsv_choose(&choice, rows, upper, opt, ws, err);
    bool serial = status == CLEAVE_OK && choice.threads == 1 && choice.serial_cost > 0;
    if (status == CLEAVE_OK && !serial) {
        status = make_dag(&g, rows, upper, ws, err);
        if (status == CLEAVE_OK)
            status = build_best(out, &g, opt, &choice, err);
        if (status == CLEAVE_OK && *out && upper)
            status = turn_back(out, ws, err);
    }
    if (status == CLEAVE_OK && !*out)
        status = clv_trsv_serial(out, rows->n, upper, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return status;
}
