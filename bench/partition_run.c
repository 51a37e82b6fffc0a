/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition_run.c - one measurement: METIS, ours, METIS, ours, ..., METIS; the least
 * wall time of each counts.  Both results are judged by cleave_evaluate with the same bound.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "partition.h"

void bench_fail(const char *what)
{
    fprintf(stderr, "bench_partition: %s\n", what);
    exit(1);
}

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Metrics of a mapping; the program ends when the mapping is none. */
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

static void judge_metis(row *r, const cleave_graph *g, const int32_t *part)
{
    cleave_mapping *m;
    cleave_error err;
    if (cleave_mapping_create(&m, cleave_graph_vertices(g), r->k, part, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_metrics metrics = judge(g, m, r->imbalance);
    r->metis_cut = metrics.cut;
    r->metis_volume = metrics.volume;
    r->metis_reached = metrics.imbalance;
    r->metis_balanced = metrics.balanced;
    r->metis_empty = metrics.empty_parts;
    cleave_mapping_free(m);
}

static void judge_ours(row *r, const cleave_graph *g, const cleave_mapping *m,
                       const cleave_map_report *report)
{
    cleave_metrics metrics = judge(g, m, r->imbalance);
    r->cut = metrics.cut;
    r->volume = metrics.volume;
    r->reached = metrics.imbalance;
    r->balanced = metrics.balanced;
    r->empty = metrics.empty_parts;
    r->levels = report->levels;
    r->cycles = report->cycles;
    r->timed_out = report->timed_out;
    if (report->cut != metrics.cut) {
        fprintf(stderr, "bench_partition: %s k=%d %s: the report says cut %lld, it is %lld\n",
                r->graph, r->k, r->effort, (long long)report->cut, (long long)metrics.cut);
        r->status = 1;
    }
}

static int effort_of(const row *r)
{
    int e = 0;
    while (strcmp(effort_names[e], r->effort) != 0)
        e++;
    return e;
}

/* One call of ours; judged the first time. */
static void run_ours(row *r, const cleave_graph *g, const cleave_target *t)
{
    cleave_options opt;
    cleave_map_report report;
    cleave_mapping *m = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.imbalance = r->imbalance;
    opt.seed = (uint64_t)r->seed;
    opt.effort = (cleave_effort)effort_of(r);
    opt.objective = (cleave_objective)r->objective;
    opt.threads = r->threads;
    opt.time_limit = r->limit;
    opt.report = &report;
    double start = bench_seconds();
    cleave_status status = cleave_map(&m, g, t, &opt, &err);
    double seconds = bench_seconds() - start;
    if (!m) {
        fprintf(stderr, "bench_partition: %s k=%d %s: %s\n", r->graph, r->k, r->effort,
                err.message);
        exit(1);
    }
    int first = r->seconds == 0;
    if (first || seconds < r->seconds) {
        r->seconds = seconds;
        r->coarsen = report.seconds_coarsen;
        r->initial = report.seconds_initial;
        r->refine = report.seconds_refine;
    }
    if (first) {
        r->status = (int)status;
        judge_ours(r, g, m, &report);
    }
    cleave_mapping_free(m);
}

/* Short runs are measured more often, long ones once. */
static int repeats_for(double seconds, int repeat, double limit)
{
    if (limit > 0 || seconds > 2)
        return 1;
    if (seconds >= 0.05)
        return repeat;
    int more = (int)(0.2 / (seconds + 1e-6)) + 1;
    return more < repeat ? repeat : more > 7 * repeat ? 7 * repeat : more;
}

void run_case(row *r, const cleave_graph *g, metis_graph *m, int repeat)
{
    int32_t *part = malloc(((size_t)cleave_graph_vertices(g) + 1) * sizeof *part);
    cleave_target *t;
    cleave_error err;
    if (!part || cleave_target_create(&t, r->k, NULL, &err) != CLEAVE_OK)
        bench_fail("out of memory");
    int rounds = 1;
    for (int i = 0; i <= rounds; i++) {
        double seconds = metis_run(m, r->k, r->imbalance, r->seed,
                                   r->objective == CLEAVE_OBJECTIVE_VOLUME, part);
        if (i == 0 || seconds < r->metis_seconds)
            r->metis_seconds = seconds;
        if (i == 0)
            judge_metis(r, g, part);
        if (i == rounds)
            break;
        run_ours(r, g, t);
        if (i == 0)
            rounds = repeats_for(r->seconds, repeat, r->limit);
    }
    cleave_target_free(t);
    free(part);
}
