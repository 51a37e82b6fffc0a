/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a schedule: rows of text, members of a JSON object. */
#include "cli/schedule_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/quality.h"

static void sum_threads(cli_schedule_facts *f, int32_t layers, int32_t threads)
{
    for (int32_t t = 0; t < threads; t++) {
        int64_t sum = 0;
        for (int32_t l = 0; l < layers; l++)
            sum += f->work[(int64_t)l * threads + t];
        f->least_work = t == 0 || sum < f->least_work ? sum : f->least_work;
        f->most_work = t == 0 || sum > f->most_work ? sum : f->most_work;
    }
}

cleave_status cli_schedule_measure(cli_schedule_facts *f, const cleave_graph *g,
                                   const cleave_schedule *s, cleave_error *err)
{
    int32_t layers = cleave_schedule_layers(s), threads = cleave_schedule_threads(s);
    cleave_schedule_metrics *m = &f->metrics;
    cleave_schedule_metrics_init(m, sizeof *m);
    cleave_status status = cleave_evaluate_schedule(m, g, s, &f->costs, err);
    if (status != CLEAVE_OK)
        return status;
    f->work = cli_alloc((int64_t)layers * threads, sizeof *f->work);
    status = cleave_evaluate_schedule_work(g, s, f->work, err);
    if (status != CLEAVE_OK)
        return status;
    sum_threads(f, layers, threads);
    f->reduction = m->levels > 0 ? 1 - (double)m->layers / m->levels : 0;
    f->balance = m->work_max > 0 && m->threads_used > 0
                     ? (double)m->work_total / ((double)m->work_max * m->threads_used)
                     : 1;
    return CLEAVE_OK;
}

static void print_facts(const cli_schedule_facts *f, const cleave_schedule *s)
{
    const cleave_schedule_metrics *m = &f->metrics;
    int32_t threads = cleave_schedule_threads(s), tasks = cleave_schedule_tasks(s);
    if (cleave_schedule_row(s))
        cli_row("tasks", "%" PRId32 " of %" PRId32 " rows", tasks, cleave_schedule_rows(s));
    cli_row("threads", "%" PRId32 ", %" PRId32 " in use", threads, m->threads_used);
    cli_row("levels", "%" PRId32, m->levels);
    cli_row("layers", "%" PRId32 " (%.1f %% fewer)", m->layers, 100 * f->reduction);
    cli_row("work", "%" PRId64 " in all, %" PRId64 " on the longest threads", m->work_total,
            m->work_max);
    cli_row("work per thread", "min %" PRId64 ", max %" PRId64, f->least_work, f->most_work);
    cli_row("balance", "%.3f", f->balance);
    cli_row("parallelism", "%.2f", m->mean_parallelism);
    cli_row("crossing edges", "%" PRId64, m->crossing_edges);
    cli_row("cost", "%.0f, serial %.0f (sync %g, read %g)", m->cost, m->cost_serial,
            f->costs.sync, f->costs.read);
    cli_row("predicted speed-up", "%.2f", m->predicted_speedup);
}

/* One line per layer: the work of each thread. */
static void print_table(const cli_schedule_facts *f, const cleave_schedule *s)
{
    int32_t layers = cleave_schedule_layers(s), threads = cleave_schedule_threads(s);
    for (int32_t l = 0; l < layers; l++) {
        char label[24];
        snprintf(label, sizeof label, "layer %" PRId32, l);
        printf("  %-18s", label);
        for (int32_t t = 0; t < threads; t++)
            printf(" %" PRId64, f->work[(int64_t)l * threads + t]);
        putchar('\n');
    }
}

void cli_schedule_rows(const cli_schedule_facts *f, const cli_schedule_report *r)
{
    cli_line("%s: %s", r->graph, r->schedule);
    cli_size_row(cli_size_of(r->g));
    if (r->row_weights)
        cli_row("weights", "non-zeros of rows");
    cli_row("method", "%s%s%s", cleave_schedule_method(r->s), r->params ? " " : "",
            r->params ? r->params : "");
    print_facts(f, r->s);
    if (r->table)
        print_table(f, r->s);
}

void cli_schedule_json_head(cli_json *json, const cli_schedule_report *r)
{
    cli_json_text(json, "file", r->graph);
    cli_json_text(json, "schedule", r->schedule);
    cli_json_size(json, cli_size_of(r->g));
    cli_json_text(json, "method", cleave_schedule_method(r->s));
    cli_json_text(json, "params", r->params);
}

void cli_schedule_json(cli_json *json, const cli_schedule_facts *f,
                       const cli_schedule_report *r)
{
    const cleave_schedule_metrics *m = &f->metrics;
    int32_t threads = cleave_schedule_threads(r->s);
    cli_json_int(json, "tasks", cleave_schedule_tasks(r->s));
    cli_json_int(json, "threads", threads);
    cli_json_int(json, "threads_used", m->threads_used);
    cli_json_int(json, "levels", m->levels);
    cli_json_int(json, "layers", m->layers);
    cli_json_real(json, "barrier_reduction", f->reduction);
    cli_json_int(json, "work_total", m->work_total);
    cli_json_int(json, "work_max", m->work_max);
    cli_json_int(json, "min_thread_work", f->least_work);
    cli_json_int(json, "max_thread_work", f->most_work);
    cli_json_real(json, "balance", f->balance);
    cli_json_real(json, "mean_parallelism", m->mean_parallelism);
    cli_json_int(json, "crossing_edges", m->crossing_edges);
    cli_json_real(json, "sync", f->costs.sync);
    cli_json_real(json, "read", f->costs.read);
    cli_json_real(json, "cost", m->cost);
    cli_json_real(json, "cost_serial", m->cost_serial);
    cli_json_real(json, "predicted_speedup", m->predicted_speedup);
    if (r->table)
        cli_json_ints(json, "work", f->work, (int64_t)m->layers * threads);
}
