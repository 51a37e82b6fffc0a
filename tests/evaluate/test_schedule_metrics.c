/* SPDX-License-Identifier: Apache-2.0 */
/* The check of schedules against the oracle that executes them, on valid and invalid ones; the
 * metrics against its sums; messages. */
#include "evaluate/schedule_metrics.h"

#include "graph/sample.h"
#include "graph/topology.h"
#include "oracle/schedule_oracle.h"
#include "schedule/row_split.h"
#include "schedule/schedule_fixture.h"
#include "support/test.h"

static cleave_error err;

/* A random schedule of g; optionally with randomly split rows. */
static clv_schedule *random_schedule(const clv_graph *g, bool split, clv_rng *rng, clv_ws *ws)
{
    int64_t xcut[64];
    int32_t cut[512], layer[600], thread[600], *row = NULL;
    clv_row_cuts cuts = {.xcut = xcut, .cut = cut};
    int32_t threads = 1 + (int32_t)clv_rng_below(rng, 4);
    clv_graph *tasks = NULL;
    clv_schedule *s = NULL;
    xcut[0] = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t count = (int32_t)(g->xpred[v + 1] - g->xpred[v]);
        for (int32_t c = 1; c < count; c++)
            if (cuts.count < 500 && clv_rng_below(rng, 4) == 0)
                cut[cuts.count++] = c;
        xcut[v + 1] = cuts.count;
    }
    if (split && clv_row_split_build(&tasks, &row, g, &cuts, &err) != CLEAVE_OK)
        return NULL;
    const clv_graph *of = split ? tasks : g;
    fixture_schedule(of, threads, rng, layer, thread);
    if (clv_schedule_new(
            &s, of,
            &(clv_schedule_spec){
                .method = "x", .threads = threads, .layer = layer, .thread = thread},
            ws, &err) != CLEAVE_OK)
        return NULL;
    if (split && clv_schedule_of_rows(s, g->nvtx, row, tasks, &err) != CLEAVE_OK)
        return NULL;
    return s;
}

static void compare(const clv_schedule *s, const clv_graph *g, clv_rng *rng, clv_ws *ws)
{
    cleave_schedule_costs costs = {.sync = clv_rng_below(rng, 100), .read = 0.5};
    schedule_oracle o = oracle_schedule(s, g, &costs);
    cleave_schedule_metrics m = {0};
    int32_t level[64], depth = 0;
    CHECK_STR(o.fault, "");
    REQUIRE_OK(clv_evaluate_schedule_check(s, g, ws, &err));
    REQUIRE_OK(clv_evaluate_schedule_metrics(&m, g, s, &costs, ws, &err));
    REQUIRE_OK(clv_topology_levels(g, CLEAVE_LEVELS_TOP, ws, level, &depth, &err));
    CHECK_EQ(m.levels, depth);
    CHECK_EQ(m.layers, s->layers);
    CHECK_EQ(m.work_total, o.work_total);
    CHECK_EQ(m.work_max, o.work_max);
    CHECK_EQ(m.crossing_edges, o.crossing);
    CHECK_EQ(m.threads_used, o.threads_used);
    CHECK(m.cost == o.cost);
    CHECK(m.cost_serial == (g->nvtx ? (double)o.work_total + costs.sync : 0));
    CHECK(m.predicted_speedup == (m.cost > 0 ? m.cost_serial / m.cost : 1));
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        sum += clv_graph_vwgt(g, v, 0);
    CHECK_EQ(m.work_total, sum);
}

/* Breaks it somewhere: the check and the oracle agree on whether that matters. */
static int spoil(clv_schedule *s, const clv_graph *g, clv_rng *rng, clv_ws *ws)
{
    int32_t n = s->ntasks, *layer = (int32_t *)s->layer, *thread = (int32_t *)s->thread;
    int32_t *order = (int32_t *)s->order, *share = (int32_t *)s->share;
    int32_t t = (int32_t)clv_rng_below(rng, (uint32_t)n);
    int32_t u = (int32_t)clv_rng_below(rng, (uint32_t)n), old = order[t];
    switch (clv_rng_below(rng, 6)) {
    case 0: /* two tasks change places, whole */
        for (int32_t i = 0; i < n; i++)
            order[i] = order[i] == t ? u : order[i] == u ? t : order[i];
        old = layer[t], layer[t] = layer[u], layer[u] = old;
        old = thread[t], thread[t] = thread[u], thread[u] = old;
        break;
    case 1: /* only in the order */
        order[t] = order[u], order[u] = old;
        break;
    case 2:
        order[t] = order[u];
        break;
    case 3:
        layer[t] = layer[u];
        break;
    case 4:
        thread[t] = thread[u];
        break;
    default:
        if (share)
            share[t] += (int32_t)clv_rng_below(rng, 3) - 1;
    }
    bool fine = oracle_schedule(s, g, NULL).fault[0] == 0;
    cleave_status status = clv_evaluate_schedule_check(s, g, ws, &err);
    CHECK_EQ(status, fine ? CLEAVE_OK : CLEAVE_EINVAL);
    return !fine;
}

static void test_random(void)
{
    int refused = 0, accepted = 0;
    for (uint64_t seed = 0; seed < 3000; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 30);
        clv_rng rng = clv_rng_make(seed, 2, 0, 0);
        clv_ws ws = {0};
        clv_schedule *s = random_schedule(g, clv_hash64(seed + 9) % 2 == 0, &rng, &ws);
        REQUIRE(s != NULL);
        compare(s, g, &rng, &ws);
        if (s->ntasks > 0) {
            int broken = spoil(s, g, &rng, &ws);
            refused += broken;
            accepted += !broken;
        }
        clv_schedule_free(s);
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
    CHECK(refused > 600 / TEST_STRIDE && accepted > 100 / TEST_STRIDE);
}

/* ---- Sentences ------------------------------------------------------------------------ */

static void refused(const int32_t *layer, const int32_t *thread, const int32_t *order,
                    const char *text)
{
    static const int32_t tail[] = {0, 0, 2}, head[] = {1, 2, 3};
    clv_graph *g = sample_edges(CLEAVE_DAG, 4, 3, tail, head, NULL);
    clv_ws ws = {0};
    clv_schedule *s;
    REQUIRE_OK(clv_schedule_given(&s, 4, &(clv_schedule_spec){"x", 2, layer, thread, order},
                                  &ws, &err));
    CHECK_EQ(clv_evaluate_schedule_check(s, g, &ws, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, text);
    clv_schedule_free(s);
    clv_ws_free(&ws);
    clv_graph_free(g);
}

static void test_sentences(void)
{
    static const int32_t back[] = {1, 0, 1, 1}, zero[4] = {0}, mixed[] = {0, 0, 1, 1};
    static const int32_t late[] = {0, 2, 1, 3}, twice[] = {0, 1, 2, 2}, other[] = {2, 0, 1, 3};
    refused(back, zero, NULL,
            "the arc from vertex 0 to vertex 1 leads from layer 1 back to "
            "layer 0");
    refused(zero, mixed, NULL,
            "the arc from vertex 0 to vertex 2 joins threads 0 and 1 inside "
            "layer 0");
    refused(zero, zero, other,
            "vertex 2 needs vertex 0, but comes before it on thread 0 of layer 0");
    refused(zero, zero, twice, "vertex 2 is executed twice, or does not exist");
    refused(mixed, zero, late,
            "vertex 2, of layer 1 and thread 0, is executed in layer 0 by "
            "thread 0");
}

static void split_refused(const int32_t *row, const int32_t *share, const char *text)
{
    static const int32_t tail[] = {0, 1}, head[] = {2, 2};
    static const int32_t layer[] = {0, 0, 1, 2}, zero[4] = {0};
    clv_graph *g = sample_edges(CLEAVE_DAG, 3, 2, tail, head, NULL);
    clv_ws ws = {0};
    clv_schedule *s;
    REQUIRE_OK(
        clv_schedule_given(&s, 4, &(clv_schedule_spec){"x", 1, layer, zero, NULL}, &ws, &err));
    s->nrows = 3;
    s->row = row;
    s->share = share;
    CHECK_EQ(clv_evaluate_schedule_check(s, g, &ws, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, text);
    clv_schedule_free(s);
    clv_ws_free(&ws);
    clv_graph_free(g);
}

static void test_split_sentences(void)
{
    static const int32_t row[] = {0, 1, 2, 2}, gap[] = {0, 2, 2, 2}, few[] = {0, 0, 1, 1};
    static const int32_t more[] = {0, 0, 1, 2}, less[] = {0, 0, 1, 0};
    split_refused(row, more, "the tasks of row 2 take more than its 2 predecessors");
    split_refused(row, less, "the tasks of row 2 take only 1 of its 2 predecessors");
    split_refused(gap, less, "task 1 is of row 2, but the task before it of row 0");
    split_refused(few, less, "row 2 has no task");
}

static void test_wrong_graph(void)
{
    static const int32_t zero[2] = {0};
    clv_graph *g = sample_edges(CLEAVE_DAG, 3, 0, NULL, NULL, NULL);
    clv_graph *u = sample_edges(CLEAVE_UNDIRECTED, 2, 0, NULL, NULL, NULL);
    clv_ws ws = {0};
    clv_schedule *s;
    REQUIRE_OK(
        clv_schedule_given(&s, 2, &(clv_schedule_spec){"x", 1, zero, zero, NULL}, &ws, &err));
    CHECK_EQ(clv_evaluate_schedule_check(s, g, &ws, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the schedule has 2 vertices, but the graph has 3");
    CHECK_EQ(clv_evaluate_schedule_check(s, u, &ws, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "a schedule is of a DAG, but the graph is undirected");
    clv_schedule_free(s);
    clv_ws_free(&ws);
    clv_graph_free(g);
    clv_graph_free(u);
}

/* ---- Memory --------------------------------------------------------------------------- */

static cleave_status call_metrics(const void *context, cleave_error *e)
{
    const clv_graph *g = ((const void *const *)context)[0];
    const clv_schedule *s = ((const void *const *)context)[1];
    cleave_schedule_costs costs = {.sync = 1};
    cleave_schedule_metrics m = {0};
    clv_ws ws = {0};
    cleave_status status = clv_evaluate_schedule_check(s, g, &ws, e);
    if (status == CLEAVE_OK)
        status = clv_evaluate_schedule_metrics(&m, g, s, &costs, &ws, e);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    for (int split = 0; split < 2; split++) {
        clv_graph *g = fixture_dag(0, 30);
        clv_rng rng = clv_rng_make(1, 2, 0, 0);
        clv_ws ws = {0};
        clv_schedule *s = random_schedule(g, split, &rng, &ws);
        REQUIRE(s != NULL);
        clv_ws_free(&ws);
        const void *context[] = {g, s};
        test_oom_call(call_metrics, context);
        clv_schedule_free(s);
        clv_graph_free(g);
    }
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_random);
    RUN(test_sentences);
    RUN(test_split_sentences);
    RUN(test_wrong_graph);
    RUN(test_out_of_memory);
    return test_end();
}
