/* SPDX-License-Identifier: Apache-2.0 */
/* cleave bench calibrate: costs of this machine.  Comparisons with other programs are in
 * bench/run. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/report.h"

typedef struct calibration {
    const char *output; /* NULL: none */
    int32_t threads;
    bool json;
    cleave_schedule_costs costs;
    double seconds; /* of a multiply-add */
} calibration;

static void print_text(const calibration *c)
{
    printf("this machine%s%s\n", c->output ? ": " : "", c->output ? c->output : "");
    cli_row("multiply-add", "%.3f ns", c->seconds * 1e9);
    cli_row("synchronisation", "%.0f multiply-adds, %.3f us", c->costs.sync,
            c->costs.sync * c->seconds * 1e6);
    cli_row("read", "%.2f multiply-adds, %.3f ns", c->costs.read,
            c->costs.read * c->seconds * 1e9);
}

static void print_json(const calibration *c)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "costs", c->output);
    cli_json_real(&json, "sync", c->costs.sync);
    cli_json_real(&json, "read", c->costs.read);
    cli_json_real(&json, "seconds_multiply_add", c->seconds);
    cli_json_end(&json);
}

static int calibrate(calibration *c)
{
    cleave_error err = {0};
    cleave_status status =
        cleave_schedule_costs_measure(&c->costs, &c->seconds, c->threads, &err);
    if (status == CLEAVE_OK && c->output)
        status = cleave_schedule_costs_write(&c->costs, c->output, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    bool piped = c->output && strcmp(c->output, "-") == 0;
    if (c->json)
        print_json(c);
    else if (!piped)
        print_text(c);
    return cli_flush();
}

int cmd_bench(int argc, char **argv)
{
    calibration c = {0};
    cleave_schedule_costs_init(&c.costs, sizeof c.costs);
    const cli_option options[] = {{CLI_STRING, 'o', "output", "FILE",
                                   "the costs, for 'cleave schedule --costs'", &c.output, 0},
                                  {CLI_COUNT, 0, "threads", "N",
                                   "number of threads (default 0: all available, at least 2)",
                                   &c.threads, 0},
                                  CLI_JSON_OPTION(&c.json),
                                  {0}};
    const cli_usage usage = {
        "bench",
        "calibrate",
        1,
        1,
        "Measures what a synchronisation of threads and a read from another thread cost on\n"
        "this machine, in multiply-adds of a triangular solve. This takes less than a "
        "second.\n"
        "Schedules use fixed costs (500 and 0) on every machine, unless 'cleave schedule\n"
        "--costs FILE' names a file written by -o FILE.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON && strcmp(argv[0], "calibrate") != 0)
        status = cli_usage_error("bench", "cannot measure '%s', only calibrate", argv[0]);
    if (status == CLI_GO_ON && c.json && c.output && strcmp(c.output, "-") == 0)
        status = cli_usage_error("bench", "--json and -o - both write to standard output");
    return status == CLI_GO_ON ? calibrate(&c) : status;
}
