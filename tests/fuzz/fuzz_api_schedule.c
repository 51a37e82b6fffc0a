/* SPDX-License-Identifier: Apache-2.0 */
/* cleave_schedule_build on a DAG from bytes (fuzz_instance.h): executed by tests/oracle, which
 * checks that every value is computed before it is read, and computes the cost. */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"
#include "oracle/schedule_oracle.h"

typedef struct question {
    cleave_graph *g;
    cleave_csr csr;
    cleave_schedule_options opt;
    cleave_schedule_costs costs;
    fuzz_stop stop;
    bool wrong;
} question;

static void take_method(fuzz_input *in, question *q)
{
    static const struct {
        const char *method, *params;
    } ways[] = {{NULL, NULL},
                {"auto", NULL},
                {"grow", NULL},
                {"levels", NULL},
                {"serial", NULL},
                {"graphopt", NULL},
                {"graphopt", "window=0,components=0,coarsening=0"},
                {"graphopt", "ws=1,wc=20,alpha=1,coarse=3"},
                {"graphopt", "few=16,effort=1"},
                {"grow", "window=0"},
                {"graphopt", "alpha=0"},
                {"best", NULL}};
    int way = fuzz_take(in, 40);
    way = way < 12 ? way : way % 9;
    q->opt.method = ways[way].method;
    q->opt.params = ways[way].params;
    q->wrong = q->wrong || way >= 9;
}

static void take_question(fuzz_input *in, question *q)
{
    static const double syncs[] = {500, 0, 1, 40, 1e6, 0.5}, reads[] = {0, 1, 0.25, 100};
    memset(q, 0, sizeof *q);
    q->g = fuzz_take_graph(in, fuzz_chance(in, 30) ? FUZZ_UNDIRECTED_ONLY : FUZZ_DAG_ONLY);
    cleave_csr_init(&q->csr, sizeof q->csr);
    cleave_graph_view(q->g, &q->csr);
    cleave_schedule_options_init(&q->opt, sizeof q->opt);
    cleave_schedule_costs_init(&q->costs, sizeof q->costs);
    q->wrong = q->csr.kind != CLEAVE_DAG || q->csr.ncon != 1;
    q->costs.sync = syncs[fuzz_take(in, 6)];
    q->costs.read = reads[fuzz_take(in, 4)];
    q->opt.costs = fuzz_chance(in, 2) ? &q->costs : NULL;
    q->opt.threads = fuzz_chance(in, 40) ? 0 : 1 + fuzz_take(in, 9);
    q->wrong = q->wrong || q->opt.threads == 0;
    q->opt.split_rows = fuzz_chance(in, 3);
    q->opt.seed = (uint64_t)fuzz_take(in, 65536);
    q->opt.workers = 1 + fuzz_chance(in, 4);
    q->opt.time_limit = fuzz_chance(in, 10) ? 1e-4 : 0;
    fuzz_take_stop(in, &q->stop);
    q->opt.progress = fuzz_progress;
    q->opt.payload = &q->stop;
    take_method(in, q);
}

static bool close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void check_schedule(const question *q, const cleave_schedule *s)
{
    cleave_error err = {0};
    cleave_schedule_metrics metrics;
    schedule_oracle truth = oracle_schedule(s, q->g, q->opt.costs);
    if (truth.fault[0])
        fuzz_fail(__FILE__, __LINE__, truth.fault);
    FUZZ_CHECK(cleave_schedule_threads(s) >= 1);
    FUZZ_CHECK(cleave_schedule_threads(s) <= q->opt.threads);
    FUZZ_CHECK_OK(cleave_schedule_check(s, q->g, &err), err);
    cleave_schedule_metrics_init(&metrics, sizeof metrics);
    cleave_status status =
        FUZZ_CALL(cleave_evaluate_schedule,
                  cleave_evaluate_schedule(&metrics, q->g, s, q->opt.costs, &err));
    if (fuzz_lacks_memory(status, &err))
        return;
    FUZZ_CHECK_OK(status, err);
    metrics.work_max += fuzz_spoils("work");
    FUZZ_CHECK(metrics.layers == cleave_schedule_layers(s));
    FUZZ_CHECK(metrics.work_total == truth.work_total && metrics.work_max == truth.work_max);
    FUZZ_CHECK(metrics.crossing_edges == truth.crossing);
    FUZZ_CHECK(metrics.threads_used == truth.threads_used);
    FUZZ_CHECK(close_to(metrics.cost, truth.cost));
}

/* The same by another number of workers; a layer too early must be seen. */
static void check_again(const question *q, const cleave_schedule *s)
{
    cleave_schedule_options opt = q->opt;
    cleave_schedule *again;
    cleave_error err;
    size_t bytes = (size_t)cleave_schedule_tasks(s) * sizeof(int32_t);
    opt.workers = 3 - opt.workers;
    FUZZ_CHECK_OK(cleave_schedule_build(&again, q->g, &opt, &err), err);
    FUZZ_CHECK(cleave_schedule_tasks(again) == cleave_schedule_tasks(s));
    FUZZ_CHECK(memcmp(cleave_schedule_layer(s), cleave_schedule_layer(again), bytes) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_thread(s), cleave_schedule_thread(again), bytes) == 0);
    cleave_schedule_free(again);
}

/* All vertices in one layer, on two threads by turns. */
static void spoil(const question *q, cleave_schedule **s)
{
    int32_t layer[FUZZ_MOST_VERTICES] = {0}, thread[FUZZ_MOST_VERTICES];
    if (!fuzz_spoils("layers") || q->opt.threads < 2)
        return;
    for (int32_t v = 0; v < q->csr.nvtx; v++)
        thread[v] = v % 2;
    cleave_schedule_free(*s);
    FUZZ_CHECK(cleave_schedule_create(s, q->csr.nvtx, layer, thread, NULL) == CLEAVE_OK);
}

FUZZ_TARGET(api_schedule)
{
    static question q;
    cleave_error err = {0};
    cleave_schedule *s = (cleave_schedule *)&q; /* anything but NULL */
    take_question(in, &q);
    cleave_status status =
        FUZZ_CALL(cleave_schedule_build, cleave_schedule_build(&s, q.g, &q.opt, &err));
    bool stopped = q.stop.until > 0 && q.stop.calls >= q.stop.until;
    if (status != CLEAVE_OK)
        fuzz_check_sentence(status, &err);
    if (status != CLEAVE_OK && status != CLEAVE_ECANCEL) {
        FUZZ_CHECK(s == NULL);
        FUZZ_CHECK(fuzz_lacks_memory(status, &err) || (q.wrong && status == CLEAVE_EINVAL));
    } else {
        FUZZ_CHECK(!q.wrong && stopped == (status == CLEAVE_ECANCEL));
        spoil(&q, &s);
        check_schedule(&q, s);
        if (!fuzz_spoiled && q.opt.time_limit == 0 && q.stop.until == 0 &&
            fuzz_choose(in, 0, 4) == 0)
            check_again(&q, s);
    }
    cleave_schedule_free(s);
    cleave_graph_free(q.g);
}
