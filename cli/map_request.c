/* SPDX-License-Identifier: Apache-2.0 */
/* See cli/map_request.h. */
#include "cli/map_request.h"

#include <inttypes.h>
#include <string.h>

#include "cli/target_rows.h"

void cli_map_request_init(cli_map_request *r, const char *verb)
{
    *r = (cli_map_request){.verb = verb};
    cli_input_init(&r->input);
    cleave_options_init(&r->opt, sizeof r->opt);
}

void cli_map_request_remap(cli_map_request *r, cli_remapping *remapping)
{
    *remapping = (cli_remapping){.price = 1};
    r->remapping = remapping;
    r->demands.onto_machine = r->demands.is_old = true;
    r->method.own = "multilevel";
}

void cli_map_request_free(cli_map_request *r)
{
    cli_remapping_free(r->remapping);
    cli_demands_free(&r->demands);
    cli_outputs_free(&r->outputs);
}

/* ---- The command line ----------------------------------------------------------------- */

int cli_map_request_check(cli_map_request *r, char **operands)
{
    r->graph = operands[0];
    if (r->remapping)
        r->demands.start = operands[1];
    int status = cli_input_check(r->verb, &r->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed(r->verb, r->seed_text, &r->opt.seed);
    if (status == CLI_GO_ON)
        status = cli_demands_check(r->verb, &r->demands);
    if (status == CLI_GO_ON && r->remapping)
        status = cli_remapping_check(r->verb, r->remapping);
    return status;
}

static void take_words(cli_map_request *r)
{
    if (!r->effort)
        r->effort = "default";
    if (!r->objective)
        r->objective = r->demands.onto_machine ? "cost" : "cut";
    r->opt.effort = cli_effort_of(r->effort);
    r->opt.objective = cli_objective_of(r->objective);
    r->opt.threads = r->input.threads;
    r->opt.method = r->method.name;
    r->opt.params = r->method.text[0] ? r->method.text : NULL;
    r->opt.one_to_one = r->one_to_one;
}

int cli_map_request_check_files(cli_map_request *r)
{
    int status = cli_outputs_check(r->verb, &r->outputs, r->graph, r->demands.k, r->json);
    int piped = cli_demands_from_input(&r->demands) + (strcmp(r->graph, "-") == 0) +
                cli_remapping_from_input(r->remapping);
    if (status == CLI_GO_ON && piped > 1)
        status = cli_usage_error(r->verb, "only one of the files can be '-'");
    take_words(r);
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

void cli_map_request_begin(cli_map_request *r, cli_progress *progress)
{
    cleave_map_report_init(&r->report, sizeof r->report);
    r->opt.constraints = &r->demands.constraints;
    r->opt.report = &r->report;
    r->opt.progress = cli_progress_report;
    r->opt.payload = progress;
    cli_progress_begin(progress, CLI_COMPUTING);
}

void cli_map_request_end(cli_map_request *r, cli_progress *progress)
{
    cli_progress_end(progress);
    r->times.work = r->report.seconds;
}

void cli_map_request_init_metrics(cli_map_request *r)
{
    cleave_metrics_init(&r->metrics, sizeof r->metrics);
    cleave_evaluate_options_init(&r->costs, sizeof r->costs);
    cleave_target_metrics_init(&r->on_target, sizeof r->on_target);
}

bool cli_map_request_shows_target(const cli_map_request *r)
{
    return r->demands.onto_machine || cli_target_has_distances(r->demands.target);
}

/* ---- The report ----------------------------------------------------------------------- */

static cli_bound bound_of(const cli_map_request *r)
{
    return (cli_bound){.imbalance = r->opt.imbalance,
                       .given = r->demands.min || r->demands.max,
                       .one_to_one = r->one_to_one};
}

void cli_map_request_rows(const cli_map_request *r, cli_size size)
{
    const cli_bound bound = bound_of(r);
    cli_quality_rows(r->graph, r->outputs.mapping, size, &r->metrics, &bound);
    cli_quality_directions(&r->metrics, NULL, 0, &r->costs);
    if (cli_map_request_shows_target(r))
        cli_target_rows(r->demands.target, &r->on_target);
    if (r->remapping)
        cli_remapping_rows(r->remapping);
}

void cli_map_request_seconds(const cli_map_request *r, const char *where)
{
    cli_row("seconds", "%.3f on %" PRId32 " %s%s%s; reading %.3f, writing %.3f", r->times.work,
            r->report.threads, cli_plural(r->report.threads, "thread", "threads"), where,
            r->report.timed_out ? ", ended by the time limit" : "", r->times.read,
            r->times.write);
}

void cli_map_request_json(cli_json *json, const cli_map_request *r, cli_size size)
{
    const cli_bound bound = bound_of(r);
    cli_quality_json(json, r->graph, r->outputs.mapping, size, &r->metrics, &bound);
    cli_json_null(json, "cycle");
    if (cli_map_request_shows_target(r))
        cli_target_json(json, r->demands.target_text, &r->on_target);
}

void cli_map_request_json_search(cli_json *json, const cli_map_request *r)
{
    bool pure = cli_method_is_pure(&r->method);
    if (r->remapping)
        cli_remapping_json(json, r->remapping);
    cli_json_text(json, "method", cli_method_name(&r->method));
    cli_json_text(json, "params", r->opt.params);
    cli_json_text(json, "objective", r->objective);
    cli_json_text(json, "effort", pure ? NULL : r->effort);
    cli_json_unsigned(json, "seed", r->opt.seed);
}

int cli_map_request_missing(const cli_map_request *r, int64_t vertices)
{
    const cli_verdict verdict = {.status = r->status,
                                 .error = &r->error,
                                 .metrics = &r->metrics,
                                 .vertices = vertices,
                                 .onto_machine = r->demands.onto_machine,
                                 .output = r->outputs.mapping};
    return cli_quality_missing(&verdict);
}
