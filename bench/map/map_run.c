/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_run.c - one measurement: Scotch, ours, Scotch, ours, ..., Scotch; the minimum
 * time of each is used.  Both results are evaluated by cleave_evaluate and
 * cleave_evaluate_target with the same bound.  Our time is that of the report, or with --cpu
 * that of the call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map.h"

typedef struct judgement {
    cleave_metrics parts;
    cleave_target_metrics target;
} judgement;

/* The program ends if the mapping is not valid. */
static judgement judge(const cleave_graph *g, const cleave_target *t, const cleave_mapping *m,
                       double imbalance)
{
    judgement j;
    cleave_evaluate_options opt;
    cleave_error err;
    cleave_metrics_init(&j.parts, sizeof j.parts);
    cleave_target_metrics_init(&j.target, sizeof j.target);
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = imbalance;
    if (cleave_evaluate(&j.parts, g, m, &opt, &err) != CLEAVE_OK ||
        cleave_evaluate_target(&j.target, g, m, t, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return j;
}

static void keep_ours(map_row *r, const judgement *j)
{
    r->cost = j->target.cost;
    r->cut = j->target.cut;
    r->reached = j->parts.imbalance;
    r->balanced = j->parts.balanced;
    r->empty = j->parts.empty_parts;
}

void map_judge(map_row *r, const cleave_graph *g, const cleave_target *t, const int32_t *part)
{
    cleave_mapping *m;
    cleave_error err;
    if (cleave_mapping_create(&m, cleave_graph_vertices(g), cleave_target_pes(t), part,
                              &err) != CLEAVE_OK)
        bench_fail(err.message);
    judgement j = judge(g, t, m, r->imbalance);
    keep_ours(r, &j);
    cleave_mapping_free(m);
}

cleave_target *map_target_read(const char *spec)
{
    cleave_target *t;
    cleave_error err;
    if (cleave_target_parse(&t, spec, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return t;
}

/* ---- Scotch ----------------------------------------------------------------------------- */

/* The first run is evaluated; its CPU time includes the evaluation. */
static void judge_scotch(map_row *r, const map_case *c)
{
    cleave_mapping *m;
    cleave_error err;
    scotch_run run = scotch_map(c->files, r->imbalance, 1);
    if (cleave_mapping_read(&m, c->files->mapping, cleave_graph_vertices(c->g),
                            cleave_target_pes(c->t), &err) != CLEAVE_OK)
        bench_fail(err.message);
    judgement j = judge(c->g, c->t, m, r->imbalance);
    cleave_mapping_free(m);
    r->scotch_cost = j.target.cost;
    r->scotch_cut = j.target.cut;
    r->scotch_says = run.cost;
    r->scotch_reached = j.parts.imbalance;
    r->scotch_balanced = j.parts.balanced;
    r->scotch_empty = j.parts.empty_parts;
    r->scotch_seconds = run.seconds;
}

static void take_scotch(map_row *r, const map_row *known)
{
    r->scotch_cost = known->scotch_cost;
    r->scotch_cut = known->scotch_cut;
    r->scotch_says = known->scotch_says;
    r->scotch_reached = known->scotch_reached;
    r->scotch_balanced = known->scotch_balanced;
    r->scotch_empty = known->scotch_empty;
    r->scotch_seconds = known->scotch_seconds;
}

static void time_scotch(map_row *r, const map_case *c)
{
    scotch_run run = scotch_map(c->files, r->imbalance, 0);
    if (run.seconds < r->scotch_seconds)
        r->scotch_seconds = run.seconds;
}

/* ---- Ours ------------------------------------------------------------------------------- */

static void judge_ours(map_row *r, const map_case *c, const cleave_mapping *m,
                       const cleave_map_report *report)
{
    judgement j = judge(c->g, c->t, m, r->imbalance);
    keep_ours(r, &j);
    r->levels = report->levels;
    r->cycles = report->cycles;
    r->timed_out = report->timed_out;
    long long says = report->cost < 0 ? report->cut : report->cost;
    if (says != r->cost || report->cut != r->cut) {
        fprintf(stderr,
                "%s: %s on %s, %s: the report says cost %lld and cut %lld, they are %lld and "
                "%lld\n",
                bench_name, r->graph, r->target, r->effort, says, (long long)report->cut,
                r->cost, r->cut);
        r->status = 1;
    }
}

/* One call of this library; evaluated the first time.  0: there is no mapping. */
static int run_ours(map_row *r, const map_case *c, int first)
{
    cleave_options opt;
    cleave_map_report report;
    cleave_mapping *m = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.imbalance = r->imbalance;
    opt.seed = (uint64_t)r->seed;
    opt.effort = c->effort;
    opt.threads = r->threads;
    opt.time_limit = r->limit;
    opt.report = &report;
    opt.one_to_one = c->one_to_one;
    double start = bench_seconds();
    cleave_status status = cleave_map(&m, c->g, c->t, &opt, &err);
    double seconds = bench_in_cpu() ? bench_seconds() - start : report.seconds;
    if (first)
        r->status = (int)status;
    if (status != CLEAVE_OK && first)
        fprintf(stderr, "%s: %s on %s, %s seed %d: %s\n", bench_name, r->graph, r->target,
                r->effort, r->seed, err.message);
    if (first || seconds < r->seconds) {
        r->seconds = seconds;
        r->coarsen = report.seconds_coarsen;
        r->initial = report.seconds_initial;
        r->refine = report.seconds_refine;
    }
    if (m && first)
        judge_ours(r, c, m, &report);
    cleave_mapping_free(m);
    return m != NULL;
}

void map_measure(map_row *r, const map_case *c)
{
    if (c->known)
        take_scotch(r, c->known);
    else
        judge_scotch(r, c);
    int rounds = 1, found = 1, theirs = c->known ? 0 : r->scotch_seconds > 2 ? 1 : 3;
    if (theirs == 1 && !bench_in_cpu())
        theirs = 0; /* only the first run is evaluated */
    for (int i = 0; i < rounds || i < theirs; i++) {
        if (i < rounds && found)
            found = run_ours(r, c, i == 0);
        if (i == 0 && found)
            rounds = bench_repeats(r->seconds, c->repeat, r->limit);
        if (i < theirs || (theirs == 3 && i < rounds))
            time_scotch(r, c);
    }
}

void map_print_progress(const map_row *r)
{
    int invalid = r->status || !r->balanced || r->empty;
    fprintf(stderr, "%-12s %-22s %-8s seed %d  cost %9lld  %6.3f @ %-7.2f %s\n", r->graph,
            r->target, r->effort, r->seed, r->cost, (double)r->cost / (double)r->scotch_cost,
            r->seconds / r->scotch_seconds, invalid ? "INVALID" : "");
}
