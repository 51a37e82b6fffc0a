/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules, and the coefficients of their cost.  First character: which of the two. */
#include <string.h>

#include "fuzz/fuzz_common.h"

static void check_same(const cleave_schedule *a, const cleave_schedule *b)
{
    int32_t n = cleave_schedule_tasks(a);
    size_t bytes = (size_t)n * sizeof(int32_t);
    FUZZ_CHECK(cleave_schedule_tasks(b) == n);
    FUZZ_CHECK(cleave_schedule_rows(b) == cleave_schedule_rows(a));
    FUZZ_CHECK(cleave_schedule_layers(b) == cleave_schedule_layers(a));
    FUZZ_CHECK(cleave_schedule_threads(b) == cleave_schedule_threads(a));
    FUZZ_CHECK(strcmp(cleave_schedule_method(a), cleave_schedule_method(b)) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_order(a), cleave_schedule_order(b), bytes) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_layer(a), cleave_schedule_layer(b), bytes) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_thread(a), cleave_schedule_thread(b), bytes) == 0);
    FUZZ_CHECK(!cleave_schedule_row(a) == !cleave_schedule_row(b));
    if (cleave_schedule_row(a)) {
        FUZZ_CHECK(memcmp(cleave_schedule_row(a), cleave_schedule_row(b), bytes) == 0);
        FUZZ_CHECK(memcmp(cleave_schedule_share(a), cleave_schedule_share(b), bytes) == 0);
    }
}

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
    cleave_schedule *s, *again;
    const char *path = fuzz_file("in.schedule", in->bytes, in->size);
    cleave_status status = cleave_schedule_read(&s, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, s, path);
        return;
    }
    path = fuzz_path("again.schedule");
    FUZZ_CHECK_OK(cleave_schedule_write(s, path, &err), err);
    FUZZ_CHECK_OK(cleave_schedule_read(&again, path, &err), err);
    check_same(s, again);
    check_against_graph(s);
    cleave_schedule_free(again);
    cleave_schedule_free(s);
}

static void run_costs(const fuzz_input *in)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_schedule_costs costs, again;
    cleave_schedule_costs_init(&costs, sizeof costs);
    cleave_schedule_costs_init(&again, sizeof again);
    const char *path = fuzz_file("in.costs", in->bytes, in->size);
    cleave_status status = cleave_schedule_costs_read(&costs, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, NULL, path);
        return;
    }
    path = fuzz_path("again.costs");
    FUZZ_CHECK_OK(cleave_schedule_costs_write(&costs, path, &err), err);
    FUZZ_CHECK_OK(cleave_schedule_costs_read(&again, path, &err), err);
    FUZZ_CHECK(costs.sync == again.sync && costs.read == again.read);
}

FUZZ_TARGET(schedule)
{
    if (fuzz_choose(in, 0, 2) == 0)
        run_schedule(in);
    else
        run_costs(in);
}
