/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_strategy.c - estimates how much threads can gain in a triangular solve
 * and selects the schedules worth building.
 *
 * The critical path through the rows bounds the gain.  One pass over the entries computes it
 * in two forms: with every row as one task that starts when its last column is known, and with
 * rows split wherever that helps.  Small systems, chains, and solves that are repeated only a
 * few times use one thread, without further analysis.
 *
 * The coefficients are those of src/run, where a thread waits only for the threads it reads
 * from.  They differ from the defaults of cleave_schedule_costs; results do not depend on
 * them. docs/design/run.md gives the origin of the numbers. */
#include <string.h>

#include "base/compare.h"
#include "engine/solve/solve_analysis.h"
#include "graph/schedule_costs.h"

/* In multiply-adds: one wait for another thread; waking the team and the final barrier, which
 * a trial adds to the time of threads (engine/trial.c). */
static const double sync_cost = 1000, wake_cost = 8000;
/* In solves on one thread: the time of a search for a good schedule, of one growth, and of
 * graphopt. */
static const double search_solves = 60, growth_solves = 25, graphopt_solves = 1000;
/* expected_calls 0: a few right-hand sides, or an iterative solver. */
static const int64_t unknown_calls = 1000;
/* Level scheduling is a candidate of the trial if a layer has at least worth_a_layer
 * multiply-adds on average, rows are light and the matrix exceeds the inner caches: there it
 * helps that the rows of a thread are neighbours. */
static const double worth_a_layer = 1200, light_row = 16;
enum { many_rows = 100000 };
/* Waits below this fraction of a thread's work do not matter; nor do costs within this factor
 * of the bound. */
static const double few_waits = 0.04, near_enough = 1.03;
/* A schedule must win by this factor, because the model is not exact. */
static const double least_gain = 1.08;

static bool is_auto(const char *method)
{
    return !method || !*method || strcmp(method, "auto") == 0;
}

bool clv_solve_worth_trial(const cleave_run_options *opt)
{
    return is_auto(opt->method) &&
           (opt->expected_calls == 0 || (double)opt->expected_calls > search_solves);
}

/* Critical paths, found in one pass over the entries. */
typedef struct paths {
    int64_t whole;    /* weight, with whole rows */
    int64_t streamed; /* weight, if heavy rows add each column as soon as it is known */
    int32_t layers;   /* rows on the longest path */
} paths;

/* The paths that end in a row. */
typedef struct reached {
    int64_t whole, streamed;
    int32_t layers;
} reached;

/* Rows of an upper triangle add first the columns that become known last, so that splitting
 * them gains nothing. */
static cleave_status find_paths(paths *out, const clv_tri_rows *rows, bool upper, clv_ws *ws,
                                cleave_error *err)
{
    enum { heavy = 32 }; /* entries: lighter rows are not worth splitting */
    int32_t n = rows->n;
    reached *done = clv_ws_alloc(ws, n, sizeof *done);
    *out = (paths){0};
    if (!done)
        return clv_fail_memory(err);
    for (int32_t step = 0; step < n; step++) {
        int32_t i = upper ? n - 1 - step : step;
        reached most = {0};
        int64_t time = 0;
        for (int64_t k = rows->xadj[i]; k < rows->xadj[i + 1]; k++) {
            reached at = done[rows->col[k]];
            most.whole = at.whole > most.whole ? at.whole : most.whole;
            most.streamed = at.streamed > most.streamed ? at.streamed : most.streamed;
            most.layers = at.layers > most.layers ? at.layers : most.layers;
            time = (at.streamed > time ? at.streamed : time) + 1;
        }
        int64_t weight = rows->xadj[i + 1] - rows->xadj[i] + 1;
        most.whole += weight;
        most.streamed = weight < heavy ? most.streamed + weight : time + 1;
        most.layers++;
        done[i] = most;
        out->whole = most.whole > out->whole ? most.whole : out->whole;
        out->streamed = most.streamed > out->streamed ? most.streamed : out->streamed;
        out->layers = most.layers > out->layers ? most.layers : out->layers;
    }
    return CLEAVE_OK;
}

/* For "auto": one thread where more cannot pay, otherwise how to search for a schedule. */
static cleave_status choose_automatically(clv_solve_strategy *c, const clv_tri_rows *rows,
                                          bool upper, const cleave_run_options *opt,
                                          clv_ws *ws, cleave_error *err)
{
    double work = (double)(rows->xadj[rows->n] + rows->n);
    double calls = (double)(opt->expected_calls > 0 ? opt->expected_calls : unknown_calls);
    int processors = clv_threads_available();
    paths p;
    c->threads = c->threads > processors ? processors : c->threads;
    c->serial_cost = work / least_gain - wake_cost;
    if (c->threads == 1 || c->serial_cost < work / c->threads + c->costs.sync) {
        c->threads = 1;
        c->serial_cost = work;
        return CLEAVE_OK;
    }
    CLV_TRY(find_paths(&p, rows, upper, ws, err));
    double share = work / c->threads;
    double bound =
        clv_larger_real(share, (double)(c->split ? p.streamed : p.whole)) + c->costs.sync;
    double gain = (c->serial_cost - bound) / work; /* at most, in solves per call */
    if (gain <= 0 || calls * gain < growth_solves)
        c->threads = 1;
    else if (calls * gain < 2 * search_solves)
        c->method = "grow";
    c->hasty = calls * gain < 2 * graphopt_solves;
    c->wide =
        rows->n >= many_rows && work < light_row * rows->n && work / worth_a_layer > p.layers;
    if (c->split < 0 && ((double)p.whole < 0.75 * share || p.streamed == p.whole))
        c->split = 0; /* no row is heavy enough to matter */
    double waits = c->costs.sync * p.layers;
    c->shallow = c->split == 0 && waits < few_waits * share;
    c->good_cost = (clv_larger_real(share, (double)p.whole) + waits) * near_enough;
    return CLEAVE_OK;
}

cleave_status clv_solve_choose_strategy(clv_solve_strategy *out, const clv_tri_rows *rows,
                                        bool upper, const cleave_run_options *opt, clv_ws *ws,
                                        cleave_error *err)
{
    *out = (clv_solve_strategy){.method = opt->method, .threads = clv_run_threads(opt)};
    CLV_TRY(clv_schedule_costs_take(&out->costs, opt->costs, err));
    if (!opt->costs)
        out->costs.sync = sync_cost;
    out->split = upper || opt->pair ? 0 : opt->split_rows;
    bool any = !is_auto(opt->method);
    if (!any && !(opt->params && *opt->params))
        CLV_TRY(choose_automatically(out, rows, upper, opt, ws, err));
    else if (out->split < 0)
        out->split = 0;
    return CLEAVE_OK;
}
