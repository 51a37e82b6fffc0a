/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules, and the coefficients of their cost.  First character: which of the two. */
#include "fuzz/fuzz_common.h"

/* Without arcs every schedule is fine, unless tasks take predecessors that are not there. */
static void check_against_graph(const cleave_schedule *s)
{
    enum { most_vertices = 1000 };
    static int64_t xadj[most_vertices + 1];
    cleave_error err = {.status = CLEAVE_OK};
    cleave_graph *g;
    cleave_csr csr;
    cleave_schedule_metrics metrics;
    if (cleave_schedule_rows(s) > most_vertices)
        return;
    cleave_csr_init(&csr, sizeof csr);
    cleave_schedule_metrics_init(&metrics, sizeof metrics);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = cleave_schedule_rows(s);
    csr.xadj = xadj;
    FUZZ_CHECK_OK(cleave_graph_create(&g, &csr, 0, &err), err);
    cleave_status status = cleave_evaluate_schedule(&metrics, g, s, NULL, &err);
    FUZZ_CHECK(status == CLEAVE_OK || (status == CLEAVE_EINVAL && cleave_schedule_row(s)));
    FUZZ_CHECK(status != CLEAVE_OK || metrics.layers == cleave_schedule_layers(s));
    cleave_graph_free(g);
}

static void run_schedule(const fuzz_input *in)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_schedule *s;
    const char *path = fuzz_file("in.schedule", in->bytes, in->size);
    cleave_status status = cleave_schedule_read(&s, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, s, path);
        return;
    }
    fuzz_check_schedule_file(s, "again.schedule");
    check_against_graph(s);
    cleave_schedule_free(s);
}

static void run_costs(const fuzz_input *in)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    const char *path = fuzz_file("in.costs", in->bytes, in->size);
    cleave_status status = cleave_schedule_costs_read(&costs, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, NULL, path);
        return;
    }
    fuzz_check_costs_file(&costs, "again.costs");
}

FUZZ_TARGET(schedule)
{
    if (fuzz_choose(in, 0, 2) == 0)
        run_schedule(in);
    else
        run_costs(in);
}
