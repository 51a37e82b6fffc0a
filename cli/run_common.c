/* SPDX-License-Identifier: Apache-2.0 */
/* Common functions of `run solve` and `run circuit`. */
#include "cli/run_common.h"

#include "cli/options.h"

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
