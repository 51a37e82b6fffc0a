/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of methods, tried on a graph of one vertex. */
#include "cli/run_params.h"

#include "cli/options.h"

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
