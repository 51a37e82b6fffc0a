/* SPDX-License-Identifier: Apache-2.0 */
/* Common functions of `run solve` and `run circuit`. */
#include "cli/run_common.h"

/* Tested on a graph of one vertex. */
int cli_check_params(const char *verb, const cleave_run_options *opt)
{
    static const int64_t xadj[2] = {0, 0};
    cleave_graph *g = NULL;
    cleave_schedule *s = NULL;
    cleave_error err = {0};
    cleave_csr csr;
    cleave_schedule_options how;
    if (!opt->params)
        return CLI_GO_ON;
    cleave_csr_init(&csr, sizeof csr);
    cleave_schedule_options_init(&how, sizeof how);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 1;
    csr.xadj = xadj;
    how.method = opt->method;
    how.params = opt->params;
    cleave_status status = cleave_graph_create(&g, &csr, 0, &err);
    if (status == CLEAVE_OK)
        status = cleave_schedule_build(&s, g, &how, &err);
    cleave_graph_free(g);
    cleave_schedule_free(s);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error(verb, "--params: %s", err.message);
    return status == CLEAVE_OK ? CLI_GO_ON : cli_fail(status, &err);
}

uint64_t cli_random_bits(uint64_t seed, uint64_t place)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + place;
    for (int i = 0; i < 2; i++) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return x;
}

double cli_rate(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

void cli_run_json_plans(cli_json *json, const cleave_team *team,
                        const cli_timed timed[CLI_COMPARED])
{
    const cleave_run_info *chosen = timed[CLI_CHOSEN].info;
    cli_json_int(json, "threads", cleave_team_size(team));
    cli_json_int(json, "threads_used", chosen->threads);
    cli_json_text(json, "method", chosen->method);
    cli_json_text(json, "sync", chosen->sync);
    cli_json_int(json, "layers", chosen->layers);
    cli_json_int(json, "layers_levels", timed[CLI_LEVELS].info->layers);
}

void cli_run_json_speedups(cli_json *json, const cli_timed timed[CLI_COMPARED])
{
    double serial = timed[CLI_SERIAL].seconds;
    cli_json_real(json, "speedup", cli_rate(serial, timed[CLI_CHOSEN].seconds));
    cli_json_real(json, "speedup_levels", cli_rate(serial, timed[CLI_LEVELS].seconds));
}

void cli_run_json_seconds(cli_json *json, const cli_timed timed[CLI_COMPARED])
{
    cli_json_real(json, "seconds_serial", timed[CLI_SERIAL].seconds);
    cli_json_real(json, "seconds_levels", timed[CLI_LEVELS].seconds);
    cli_json_real(json, "seconds_solve", timed[CLI_CHOSEN].seconds);
}
