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

/* Of one wait for another thread; of waking the team and coming together at the end, which a
 * trial will ask for on top (api/trial.c); in multiply-adds. */
static const double sync_cost = 1000, wake_cost = 8000;
/* What a look for a good schedule costs, for any that works, and for one by graphopt: in
 * solves on one thread. */
static const double search_solves = 60, growth_solves = 25, graphopt_solves = 1000;
/* Whoever does not say how often solves with a few right-hand sides, or iterates some times.
 */
static const int64_t unknown_calls = 1000;
/* Multiply-adds of a layer that make it worth running layer by layer; where rows are light and
 * so many that they do not fit the caches near the processor, as it is there that rows next to
 * each other pay. */
static const double worth_a_layer = 1200, light_row = 16;
enum { many_rows = 100000 };
/* Waits that are this part of a thread's work do not matter; nor does what is so near the
 * bound. */
static const double few_waits = 0.04, near_enough = 1.03;
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

/* What one look at the entries tells. */
typedef struct paths {
    int64_t whole;    /* the heaviest path of rows as they are */
    int64_t streamed; /* with heavy rows adding a column as soon as it is there */
    int32_t layers;   /* rows on the longest */
} paths;

/* Up to a row, itself included. */
typedef struct reached {
    int64_t whole, streamed;
    int32_t layers;
} reached;

/* Rows of an upper triangle add their columns in the order in which they become known last:
 * splitting them would win nothing. */
static cleave_status find_paths(paths *out, const clv_tri_rows *rows, bool upper, clv_ws *ws,
                                cleave_error *err)
{
    enum { heavy = 32 }; /* others are not worth splitting */
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
    double bound = larger(share, (double)(c->split ? p.streamed : p.whole)) + c->costs.sync;
    double gain = (c->serial_cost - bound) / work; /* solves, by call, at best */
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
    c->good_cost = (larger(share, (double)p.whole) + waits) * near_enough;
    return CLEAVE_OK;
}

cleave_status clv_trsv_choose(clv_trsv_choice *out, const clv_tri_rows *rows, bool upper,
                              const cleave_run_options *opt, clv_ws *ws, cleave_error *err)
{
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
    return CLEAVE_OK;
}
