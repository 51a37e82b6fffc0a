/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_choose.c - before a triangular solve is analysed: how much can that win?
 *
 * The heaviest path through the rows bounds what threads can gain, and one look at the entries
 * gives it: once with every row as one task that starts when its last column is there, once
 * with rows split wherever that helps.  Small systems, chains, and solves that will not be
 * repeated often are left to one thread at once.
 *
 * Coefficients are those of this library's own way to run a schedule, in which a thread waits
 * only for those it reads from, and are cheaper than the defaults of cleave_schedule_costs; as
 * results do not depend on the schedule, nobody has to agree on them.  docs/design/run.md says
 * where the numbers come from. */
#include <string.h>

#include "api/schedule_costs.h"
#include "api/trsv.h"

/* Of one wait for another thread; of waking the team and coming together at the end; in
 * multiply-adds. */
static const double sync_cost = 1000, wake_cost = 1500;
/* What a look for a good schedule costs, and for any that works: in solves on one thread. */
static const double search_solves = 60, growth_solves = 25;
/* Threads have to win so much before a schedule is kept: the model is not that exact. */
static const double least_gain = 1.08;

static bool is_auto(const char *method)
{
    return !method || !*method || strcmp(method, "auto") == 0;
}

bool clv_trsv_worth_trial(const cleave_run_options *opt)
{
    return is_auto(opt->method) &&
           (opt->expected_calls == 0 || (double)opt->expected_calls > search_solves);
}

/* The heaviest paths: of rows as they are, and with heavy rows adding a column as soon as it
 * is there.  Rows of an upper triangle add their columns in the order in which they become
 * known last: splitting them would win nothing. */
static cleave_status heaviest_paths(int64_t *whole, int64_t *streamed,
                                    const clv_tri_rows *rows, bool upper, clv_ws *ws,
                                    cleave_error *err)
{
    enum { heavy = 32 }; /* others are not worth splitting */
    int32_t n = rows->n;
    int64_t *done = clv_ws_alloc(ws, n, sizeof *done);
    int64_t *early = clv_ws_alloc(ws, n, sizeof *early);
    *whole = *streamed = 0;
    if (!done || !early)
        return clv_fail_memory(err);
    for (int32_t step = 0; step < n; step++) {
        int32_t i = upper ? n - 1 - step : step;
        int64_t ready = 0, late = 0, time = 0;
        for (int64_t k = rows->xadj[i]; k < rows->xadj[i + 1]; k++) {
            int32_t j = rows->col[k];
            ready = done[j] > ready ? done[j] : ready;
            late = early[j] > late ? early[j] : late;
            time = (early[j] > time ? early[j] : time) + 1;
        }
        int64_t weight = rows->xadj[i + 1] - rows->xadj[i] + 1;
        done[i] = ready + weight;
        early[i] = weight < heavy ? late + weight : time + 1;
        *whole = done[i] > *whole ? done[i] : *whole;
        *streamed = early[i] > *streamed ? early[i] : *streamed;
    }
    return CLEAVE_OK;
}

cleave_status clv_trsv_wide_levels(bool *wide, const clv_tri_rows *rows, bool upper,
                                   clv_ws *ws, cleave_error *err)
{
    enum { worth = 1200 }; /* multiply-adds of a layer */
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t n = rows->n, layers = 0, *layer = clv_ws_alloc(ws, n, sizeof *layer);
    if (!layer)
        return clv_fail_memory(err);
    for (int32_t step = 0; step < n; step++) {
        int32_t i = upper ? n - 1 - step : step, own = 0;
        for (int64_t k = rows->xadj[i]; k < rows->xadj[i + 1]; k++) {
            int32_t before = layer[rows->col[k]];
            own = before > own ? before : own;
        }
        layer[i] = own + 1;
        layers = own >= layers ? own + 1 : layers;
    }
    *wide = (rows->xadj[n] + n) / worth > layers;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* For "auto": one thread where more cannot pay, and how to look for a schedule where they
 * can. */
static cleave_status choose(clv_trsv_choice *c, const clv_tri_rows *rows, bool upper,
                            const cleave_run_options *opt, clv_ws *ws, cleave_error *err)
{
    double work = (double)(rows->xadj[rows->n] + rows->n);
    double calls = opt->expected_calls > 0 ? (double)opt->expected_calls : 1e18;
    int processors = clv_threads_available();
    int64_t whole, streamed;
    c->threads = c->threads > processors ? processors : c->threads;
    c->serial_cost = work / least_gain - wake_cost;
    if (c->threads == 1 || c->serial_cost < work / c->threads + c->costs.sync) {
        c->threads = 1;
        c->serial_cost = work;
        return CLEAVE_OK;
    }
    CLV_TRY(heaviest_paths(&whole, &streamed, rows, upper, ws, err));
    double share = work / c->threads;
    double bound = larger(share, (double)(c->split ? streamed : whole)) + c->costs.sync;
    double gain = (c->serial_cost - bound) / work; /* solves, by call, at best */
    if (gain <= 0 || calls * gain < growth_solves)
        c->threads = 1;
    else if (calls * gain < 2 * search_solves)
        c->method = "grow";
    if (c->split < 0 && ((double)whole < 0.75 * share || streamed == whole))
        c->split = 0; /* no row is heavy enough to matter */
    return CLEAVE_OK;
}

cleave_status clv_trsv_choose(clv_trsv_choice *out, const clv_tri_rows *rows, bool upper,
                              const cleave_run_options *opt, clv_ws *ws, cleave_error *err)
{
    enum { worth_a_team = 200000 };
    *out = (clv_trsv_choice){.method = opt->method, .threads = clv_run_threads(opt)};
    CLV_TRY(clv_schedule_costs_take(&out->costs, opt->costs, err));
    if (!opt->costs)
        out->costs.sync = sync_cost;
    out->split = upper || opt->pair ? 0 : opt->split_rows;
    bool any = !is_auto(opt->method);
    if (!any && !(opt->params && *opt->params))
        CLV_TRY(choose(out, rows, upper, opt, ws, err));
    else if (out->split < 0)
        out->split = 0;
    int processors = clv_threads_available();
    out->workers = rows->xadj[rows->n] < worth_a_team ? 1
                   : out->threads < processors        ? out->threads
                                                      : processors;
    return CLEAVE_OK;
}
