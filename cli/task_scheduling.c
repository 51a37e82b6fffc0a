/* SPDX-License-Identifier: Apache-2.0 */
/* See cli/task_scheduling.h. */
#include "cli/task_scheduling.h"

#include <inttypes.h>

#include "cli/method_options.h"
#include "cli/progress.h"
#include "cli/quality.h"

typedef struct tasks_run {
    const cli_tasks *asked;
    cleave_task_options opt;
    cleave_graph *g;
    cleave_target *t;
    cleave_task_schedule *s;
    cleave_task_metrics metrics;
    cli_times times;
} tasks_run;

/* ---- The work --------------------------------------------------------------------------- */

static void take_options(tasks_run *r)
{
    const cli_tasks *asked = r->asked;
    cleave_task_options_init(&r->opt, sizeof r->opt);
    r->opt.method = asked->method;
    r->opt.effort = cli_effort_of(asked->effort ? asked->effort : "default");
    r->opt.time_limit = asked->time_limit;
    r->opt.seed = asked->seed;
    if (asked->bandwidth >= 0)
        r->opt.bandwidth = asked->bandwidth;
    if (asked->latency >= 0)
        r->opt.latency = asked->latency;
}

static cleave_status read_all(tasks_run *r, cleave_error *err)
{
    const cli_tasks *asked = r->asked;
    cleave_status status = cleave_target_parse(&r->t, asked->target, err);
    if (status == CLEAVE_OK)
        status = cli_graph_read(&r->g, asked->graph, asked->input, NULL, &r->times.read, err);
    if (status == CLEAVE_OK && asked->check)
        status = cleave_task_schedule_read(&r->s, asked->check, err);
    return status;
}

static cleave_status build(tasks_run *r, cleave_error *err)
{
    cli_progress progress;
    r->opt.progress = cli_progress_report;
    r->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    cleave_status status = cleave_task_schedule_build(&r->s, r->g, r->t, &r->opt, err);
    r->times.work = cli_progress_end(&progress);
    return status;
}

static cleave_status write_schedule(tasks_run *r, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_task_schedule_write(r->s, r->asked->outputs->mapping, err);
    r->times.write = cli_progress_end(&progress);
    return status;
}

static cleave_status evaluate(tasks_run *r, cleave_error *err)
{
    cleave_task_metrics_init(&r->metrics, sizeof r->metrics);
    return cleave_evaluate_task_schedule(&r->metrics, r->g, r->t, r->s, &r->opt, err);
}

/* ---- The report ------------------------------------------------------------------------- */

/* How much longer than the bound. */
static double gap(const cleave_task_metrics *m)
{
    return m->bound > 0 ? m->makespan / m->bound - 1 : 0;
}

static const char *schedule_path(const tasks_run *r)
{
    return r->asked->check ? r->asked->check : r->asked->outputs->mapping;
}

static void print_text(const tasks_run *r)
{
    const cleave_task_metrics *m = &r->metrics;
    cli_line("%s: %s", r->asked->graph, schedule_path(r));
    cli_size_row(cli_size_of(r->g));
    cli_row("target", "%s, %" PRId32 " of %" PRId32 " PEs in use", r->asked->target,
            m->pes_used, cleave_target_pes(r->t));
    cli_row("bandwidth", "%g, latency %g", r->opt.bandwidth, r->opt.latency);
    cli_row("method", "%s", cleave_task_schedule_method(r->s));
    cli_row("makespan", "%.17g (%.2f %% above the bound)", m->makespan, 100 * gap(m));
    cli_row("lower bound", "%.17g, critical path %.17g, area %.17g", m->bound, m->bound_path,
            m->bound_area);
    cli_row("speed-up", "%.2f (fastest PE alone: %.17g)",
            m->makespan > 0 ? m->serial / m->makespan : 1, m->serial);
    cli_row("communication", "%.17g", m->sent);
    if (!r->asked->check)
        cli_times_row(&r->times);
}

static void print_json(const tasks_run *r)
{
    const cleave_task_metrics *m = &r->metrics;
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", r->asked->graph);
    cli_json_text(&json, "schedule", schedule_path(r));
    cli_json_size(&json, cli_size_of(r->g));
    cli_json_text(&json, "objective", "makespan");
    cli_json_text(&json, "method", cleave_task_schedule_method(r->s));
    cli_json_text(&json, "effort", r->asked->effort ? r->asked->effort : "default");
    cli_json_unsigned(&json, "seed", r->opt.seed);
    cli_json_text(&json, "target", r->asked->target);
    cli_json_int(&json, "pes", cleave_target_pes(r->t));
    cli_json_int(&json, "pes_used", m->pes_used);
    cli_json_real(&json, "bandwidth", r->opt.bandwidth);
    cli_json_real(&json, "latency", r->opt.latency);
    cli_json_real(&json, "makespan", m->makespan);
    cli_json_real(&json, "bound", m->bound);
    cli_json_real(&json, "bound_path", m->bound_path);
    cli_json_real(&json, "bound_area", m->bound_area);
    cli_json_real(&json, "gap", gap(m));
    cli_json_real(&json, "serial", m->serial);
    cli_json_real(&json, "communication", m->sent);
    cli_json_times(&json, &r->times);
    cli_json_end(&json);
}

/* ---- The command ------------------------------------------------------------------------ */

static int write_interrupted(tasks_run *r)
{
    cleave_error err = {0};
    cleave_status status = write_schedule(r, &err);
    return status == CLEAVE_OK ? cli_outputs_interrupted(r->asked->outputs)
                               : cli_fail(status, &err);
}

static int report(const tasks_run *r)
{
    if (r->asked->json)
        print_json(r);
    else if (r->asked->check || !cli_outputs_piped(r->asked->outputs))
        print_text(r);
    return cli_flush();
}

static int schedule_tasks(tasks_run *r)
{
    cleave_error err = {0};
    cleave_status status = read_all(r, &err);
    if (status == CLEAVE_OK && r->asked->check) {
        status = evaluate(r, &err);
        if (status == CLEAVE_EINVAL) {
            cli_complain("%s: %s", r->asked->check, err.message);
            return CLI_NOT_MET;
        }
        return status == CLEAVE_OK ? report(r) : cli_fail(status, &err);
    }
    if (status == CLEAVE_OK)
        status = build(r, &err);
    if (status == CLEAVE_ECANCEL && r->s)
        return write_interrupted(r);
    if (status == CLEAVE_OK)
        status = write_schedule(r, &err);
    if (status == CLEAVE_OK)
        status = evaluate(r, &err);
    return status == CLEAVE_OK ? report(r) : cli_fail(status, &err);
}

int cli_tasks_schedule(const cli_tasks *asked)
{
    tasks_run r = {.asked = asked};
    take_options(&r);
    int status = schedule_tasks(&r);
    cleave_task_schedule_free(r.s);
    cleave_target_free(r.t);
    cleave_graph_free(r.g);
    return status;
}
