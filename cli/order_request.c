/* SPDX-License-Identifier: Apache-2.0 */
/* See cli/order_request.h. */
#include "cli/order_request.h"

#include <inttypes.h>

#include "cli/method_options.h"

void cli_order_request_init(cli_order_request *r)
{
    *r = (cli_order_request){.graph = NULL};
    cli_input_init(&r->input);
    cleave_order_options_init(&r->opt, sizeof r->opt);
}

int cli_order_request_check(cli_order_request *r, char **operands)
{
    r->graph = operands[0];
    int status = cli_input_check("order", &r->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("order", r->seed_text, &r->opt.seed);
    cli_outputs_beside(&r->outputs, r->graph, ".order");
    if (status == CLI_GO_ON)
        status = cli_outputs_check("order", &r->outputs, r->graph, 0, r->json);
    r->effort = r->effort ? r->effort : "default";
    r->opt.effort = cli_effort_of(r->effort);
    r->opt.method = r->method;
    r->opt.threads = r->input.threads;
    return status;
}

void cli_order_request_begin(cli_order_request *r, cli_progress *progress)
{
    r->opt.progress = cli_progress_report;
    r->opt.payload = progress;
    cli_progress_begin(progress, CLI_COMPUTING);
}

void cli_order_request_end(cli_order_request *r, cli_progress *progress)
{
    r->times.work = cli_progress_end(progress);
}

void cli_order_request_rows(const cli_order_request *r, cli_size size, int32_t ncon,
                            const char *method)
{
    const char *params = r->opt.params;
    cli_line("%s: %s", r->graph, r->outputs.mapping);
    cli_size_row(size);
    cli_row("method", "%s%s%s, effort %s, seed %" PRIu64, method, params ? " " : "",
            params ? params : "", r->effort, r->opt.seed);
    if (ncon > 1)
        cli_row("weights", "%" PRId32 " per vertex, only the first is used", ncon);
}

void cli_order_request_json(cli_json *json, const cli_order_request *r, cli_size size,
                            int32_t ncon)
{
    cli_json_text(json, "file", r->graph);
    cli_json_text(json, "order", r->outputs.mapping);
    cli_json_size(json, size);
    cli_json_int(json, "weights_per_vertex", ncon);
}

void cli_order_request_json_search(cli_json *json, const cli_order_request *r, double crossing)
{
    cli_json_text(json, "effort", r->effort);
    cli_json_unsigned(json, "seed", r->opt.seed);
    cli_json_real(json, "average_crossing", crossing);
}
