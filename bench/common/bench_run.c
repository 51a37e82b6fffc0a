/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench_run.c - one measurement: METIS and cleave alternate, beginning and ending
 * with METIS; the minimum wall time of each is used, METIS has at least three runs.  Both
 * results are evaluated by cleave_evaluate with the same bound. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench.h"

/* Metrics of a mapping; the program ends if the mapping is not valid. */
static cleave_metrics judge(const cleave_graph *g, const cleave_mapping *m, double imbalance)
{
    cleave_metrics metrics;
    cleave_evaluate_options opt;
    cleave_error err;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = imbalance;
    if (cleave_evaluate(&metrics, g, m, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return metrics;
}

static cleave_metrics judge_parts(const row *r, const cleave_graph *g, const int32_t *part)
{
    cleave_mapping *m;
    cleave_error err;
    if (cleave_mapping_create(&m, cleave_graph_vertices(g), r->k, part, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_metrics metrics = judge(g, m, r->imbalance);
    cleave_mapping_free(m);
    return metrics;
}

static void keep_metis(row *r, const cleave_metrics *metrics)
{
    r->metis_cut = metrics->cut;
    r->metis_volume = metrics->volume;
    r->metis_path = metrics->critical_path;
    r->metis_reached = metrics->imbalance;
    r->metis_balanced = metrics->balanced;
    r->metis_empty = metrics->empty_parts;
}

static void keep_ours(row *r, const cleave_metrics *metrics)
{
    r->cut = metrics->cut;
    r->volume = metrics->volume;
    r->path = metrics->critical_path;
    r->reached = metrics->imbalance;
    r->balanced = metrics->balanced;
    r->empty = metrics->empty_parts;
    r->acyclic = metrics->acyclic;
}

static void judge_ours(row *r, const cleave_graph *g, const cleave_mapping *m,
                       const cleave_map_report *report)
{
    cleave_metrics metrics = judge(g, m, r->imbalance);
    keep_ours(r, &metrics);
    r->levels = report->levels;
    r->cycles = report->cycles;
    r->timed_out = report->timed_out;
    if (report->cut != metrics.cut || report->volume != metrics.volume) {
        fprintf(stderr,
                "%s: %s k=%d %s: the report says cut %lld and volume %lld, they are %lld and "
                "%lld\n",
                bench_name, r->graph, r->k, r->effort, (long long)report->cut,
                (long long)report->volume, (long long)metrics.cut, (long long)metrics.volume);
        r->status = 1;
    }
}

/* One call of this library; evaluated the first time. */
static int run_ours(row *r, const cleave_graph *g, const cleave_target *t, const run_how *how)
{
    cleave_options opt;
    cleave_map_report report;
    cleave_mapping *m = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.imbalance = r->imbalance;
    opt.seed = (uint64_t)r->seed;
    opt.effort = how->effort;
    opt.objective = (cleave_objective)r->objective;
    opt.threads = r->threads;
    opt.time_limit = r->limit;
    opt.report = &report;
    opt.method = how->method;
    opt.params = how->params;
    double start = bench_seconds();
    cleave_status status = cleave_map(&m, g, t, &opt, &err);
    double seconds = bench_seconds() - start;
    int first = r->seconds == 0;
    if (first)
        r->status = (int)status;
    if (status != CLEAVE_OK && first)
        fprintf(stderr, "%s: %s k=%d %s seed %d: %s\n", bench_name, r->graph, r->k, r->effort,
                r->seed, err.message);
    if (!m) {
        r->seconds = seconds;
        return 0;
    }
    if (first || seconds < r->seconds) {
        r->seconds = seconds;
        r->coarsen = report.seconds_coarsen;
        r->initial = report.seconds_initial;
        r->refine = report.seconds_refine;
    }
    if (first)
        judge_ours(r, g, m, &report);
    cleave_mapping_free(m);
    return 1;
}

static void time_metis(row *r, const cleave_graph *g, metis_graph *m, int volume, int first,
                       int32_t *part)
{
    double seconds = metis_run(m, r->k, r->imbalance, r->seed, volume, part);
    if (seconds < 0) {
        r->metis_fails = 1;
        return;
    }
    if (first || seconds < r->metis_seconds)
        r->metis_seconds = seconds;
    if (first) {
        cleave_metrics metrics = judge_parts(r, g, part);
        keep_metis(r, &metrics);
    }
}

int run_case(row *r, const cleave_graph *g, metis_graph *m, const run_how *how)
{
    int32_t *part = malloc(((size_t)cleave_graph_vertices(g) + 1) * sizeof *part);
    cleave_target *t;
    cleave_error err;
    if (!part || cleave_target_create(&t, r->k, NULL, &err) != CLEAVE_OK)
        bench_fail("out of memory");
    int rounds = 1, found = 1, least = m ? 3 : 0;
    for (int i = 0; i <= rounds || i < least; i++) {
        if (m && !r->metis_fails)
            time_metis(r, g, m, how->metis_volume, i == 0, part);
        if (r->metis_fails && !how->metis_may_fail)
            bench_fail("METIS_PartGraphKway failed");
        if (i >= rounds || !found)
            continue;
        found = run_ours(r, g, t, how);
        if (i == 0)
            rounds = bench_repeats(r->seconds, how->repeat, r->limit);
    }
    cleave_target_free(t);
    free(part);
    return found;
}

void run_metis(row *r, const cleave_graph *g, metis_graph *m)
{
    int32_t *part = malloc(((size_t)cleave_graph_vertices(g) + 1) * sizeof *part);
    if (!part)
        bench_fail("out of memory");
    for (int i = 0; i < 3; i++)
        time_metis(r, g, m, 0, i == 0, part);
    if (r->metis_fails)
        bench_fail("METIS_PartGraphKway failed");
    cleave_metrics metrics = judge_parts(r, g, part);
    keep_ours(r, &metrics);
    r->seconds = r->metis_seconds;
    free(part);
}

int run_invalid(const row *r)
{
    return r->status || !r->balanced || r->empty || r->acyclic == 0;
}
