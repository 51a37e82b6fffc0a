/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_run.c - one measurement: a mapping from scratch by any method of
 * cleave_map, or an order that is cut, or cut and refined.  Every mapping is evaluated by
 * cleave_evaluate with the speeds as shares.  Times of a cut, which takes microseconds, are
 * means over many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adaptive/adaptive.h"

double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Judging ---------------------------------------------------------------------------- */

void adaptive_judge(adaptive_row *r, const cleave_graph *g, const cleave_mapping *m,
                    const double *speed)
{
    cleave_metrics found;
    cleave_evaluate_options opt;
    cleave_error err;
    cleave_metrics_init(&found, sizeof found);
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = r->imbalance;
    opt.shares = speed;
    if (cleave_evaluate(&found, g, m, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    r->cut = found.cut;
    r->setups = found.setups;
    r->reached = found.imbalance;
    r->balanced = found.balanced;
    r->empty = found.empty_parts;
    for (int p = 0; p < cleave_mapping_nparts(m); p++)
        r->empty -= speed[p] == 0;
}

int adaptive_invalid(const adaptive_row *r)
{
    return r->status || !r->balanced || r->empty || (r->k > 0 && r->cut < 0);
}

static void check_report(adaptive_row *r, const cleave_map_report *report)
{
    if (r->cut == report->cut)
        return;
    fprintf(stderr, "%s: %s k=%d %s: the report says cut %lld, it is %lld\n", bench_name,
            r->graph, r->k, r->method, (long long)report->cut, r->cut);
    r->status = 1;
}

static void complain(adaptive_row *r, cleave_status status, const char *message)
{
    r->status = (int)status;
    fprintf(stderr, "%s: %s k=%d %s seed %d: %s\n", bench_name, r->graph, r->k, r->method,
            r->seed, message);
}

void adaptive_progress(const adaptive_row *r)
{
    fprintf(stderr, "%-14s k=%-4d %-26s ratio %d seed %-2d cut %7lld setups %5lld %.6f s%s\n",
            r->graph, r->k, r->method, r->ratio, r->seed, r->cut, r->setups, r->seconds,
            adaptive_invalid(r) ? "  INVALID" : "");
}

/* ---- Orders ----------------------------------------------------------------------------- */

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

const cleave_order *shelf_get(order_shelf *shelf, const cleave_graph *g, const char *method,
                              const char *params, int threads, double *seconds)
{
    cleave_order_options opt;
    cleave_error err = {CLEAVE_OK, ""};
    int i = 0;
    while (i < shelf->count &&
           !(same_text(shelf->method[i], method) && same_text(shelf->params[i], params)))
        i++;
    if (i == max_orders)
        bench_fail("there are more orders than the shelf has places");
    if (i == shelf->count) {
        cleave_order_options_init(&opt, sizeof opt);
        opt.method = method;
        opt.params = params;
        opt.threads = threads;
        double start = bench_seconds();
        if (cleave_order_build(&shelf->order[i], g, &opt, &err) != CLEAVE_OK)
            fprintf(stderr, "%s: order %s: %s\n", bench_name, method, err.message);
        shelf->seconds[i] = bench_seconds() - start;
        shelf->method[i] = method;
        shelf->params[i] = params;
        shelf->count++;
    }
    if (seconds)
        *seconds = shelf->seconds[i];
    return shelf->order[i];
}

void shelf_free(order_shelf *shelf)
{
    for (int i = 0; i < shelf->count; i++)
        cleave_order_free(shelf->order[i]);
    memset(shelf, 0, sizeof *shelf);
}

/* ---- A cut of an order ------------------------------------------------------------------ */

typedef struct intervals {
    int32_t begin[max_pes], end[max_pes];
} intervals;

/* Seconds of one: the minimum of five rounds of the mean over two milliseconds. */
static double time_split(intervals *cut, const cleave_order *o, const cleave_target *t,
                         const cleave_split_options *opt, int rounds)
{
    double least = 0;
    int times = 1;
    for (int i = 0; i < rounds; i++) {
        double start = bench_seconds();
        for (int j = 0; j < times; j++)
            cleave_order_split(cut->begin, cut->end, o, t, opt, NULL);
        double one = (bench_seconds() - start) / times;
        least = i == 0 || one < least ? one : least;
        if (i == 0 && one < 0.002)
            times = (int)(0.002 / (one + 1e-7)) + 1;
    }
    return least;
}

static void run_split(adaptive_row *r, const adaptive_case *c, const adaptive_method *m,
                      const cleave_order *o, const cleave_target *t)
{
    static intervals cut;
    cleave_split_options opt;
    cleave_mapping *mapping = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_split_options_init(&opt, sizeof opt);
    opt.imbalance = m->exact ? 0 : r->imbalance;
    opt.grouping = c->grouping;
    cleave_status status = cleave_order_split(cut.begin, cut.end, o, t, &opt, &err);
    /* With cuts as near to the shares as possible, a part may exceed a bound without slack;
     * the bound checked is that of all methods. */
    if (status != CLEAVE_OK && !(status == CLEAVE_EBALANCE && m->exact)) {
        complain(r, status, err.message);
        return;
    }
    if (cleave_order_mapping(&mapping, o, r->k, cut.begin, cut.end, &err) != CLEAVE_OK)
        bench_fail(err.message);
    adaptive_judge(r, c->g, mapping, c->speed);
    cleave_mapping_free(mapping);
    r->seconds = time_split(&cut, o, t, &opt, c->repeat > 1 ? 5 : 2);
}

/* ---- Mappings --------------------------------------------------------------------------- */

static cleave_status call(cleave_mapping **out, const adaptive_case *c,
                          const adaptive_method *m, const cleave_order *o,
                          const cleave_target *t, cleave_options *opt, cleave_error *err)
{
    if (m->order)
        return cleave_order_split_refine(out, c->g, o, t, opt, err);
    return cleave_map(out, c->g, t, opt, err);
}

/* One call; evaluated the first time.  0: there is no mapping. */
static int run_once(adaptive_row *r, const adaptive_case *c, const adaptive_method *m,
                    const cleave_order *o, const cleave_target *t, int first)
{
    char params[120];
    cleave_options opt;
    cleave_map_report report;
    cleave_mapping *mapping = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    snprintf(params, sizeof params, "%s%s%s%s", m->params ? m->params : "",
             m->params && c->grouping && m->grouped ? "," : "",
             c->grouping && m->grouped ? "grouping=" : "",
             c->grouping && m->grouped ? c->grouping : "");
    opt.method = m->method;
    opt.params = params[0] ? params : NULL;
    opt.imbalance = r->imbalance;
    opt.seed = (uint64_t)r->seed;
    opt.threads = r->threads;
    opt.report = &report;
    double start = bench_seconds();
    cleave_status status = call(&mapping, c, m, o, t, &opt, &err);
    double seconds = bench_seconds() - start;
    r->seconds = first || seconds < r->seconds ? seconds : r->seconds;
    if (first && status != CLEAVE_OK)
        complain(r, status, err.message);
    if (first && mapping) {
        adaptive_judge(r, c->g, mapping, c->speed);
        check_report(r, &report);
    }
    cleave_mapping_free(mapping);
    return mapping != NULL;
}

void adaptive_measure(adaptive_row *r, const adaptive_case *c, const adaptive_method *m)
{
    const cleave_order *o = NULL;
    if (r->k > max_pes)
        bench_fail("there are more parts than this program has places for");
    if (m->order &&
        !(o = shelf_get(c->shelf, c->g, m->order, m->order_params, r->threads, NULL))) {
        r->status = CLEAVE_EINVAL;
        return;
    }
    cleave_target *t = target_of(c->speed, r->k);
    if (o && !m->refine)
        run_split(r, c, m, o, t);
    else if (run_once(r, c, m, o, t, 1)) {
        int rounds = c->repeat > 1 ? bench_repeats(r->seconds, c->repeat, 0) : 1;
        for (int i = 1; i < rounds; i++)
            run_once(r, c, m, o, t, 0);
    }
    cleave_target_free(t);
}
