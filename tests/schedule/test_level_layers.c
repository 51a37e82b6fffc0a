/* SPDX-License-Identifier: Apache-2.0 */
/* Levels as layers, their balance, and the cost of a schedule against the oracle. */
#include "graph/sample.h"
#include "graph/schedule.h"
#include "graph/topology.h"
#include "oracle/schedule_oracle.h"
#include "schedule/schedule_fixture.h"
#include "schedule/schedulers.h"
#include "support/test.h"

static cleave_error err;

/* ---- Levels --------------------------------------------------------------------------- */

/* LPT is at most 4/3 of the best; so is what is cut into stretches, by a wide margin. */
static void check_even(const clv_graph *g, int32_t threads, const int32_t *layer,
                       const int32_t *thread, int32_t level)
{
    int64_t load[16] = {0}, total = 0, largest = 0, most = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (layer[v] != level)
            continue;
        int64_t w = clv_graph_vwgt(g, v, 0);
        load[thread[v]] += w;
        total += w;
        largest = w > largest ? w : largest;
    }
    for (int32_t t = 0; t < threads; t++)
        most = load[t] > most ? load[t] : most;
    int64_t even = (total + threads - 1) / threads;
    int64_t bound = even > largest ? even : largest;
    /* Graham: below the mean and the last one that was dealt out. */
    CHECK(most <= bound + bound / 8 || most <= even + largest);
}

static void test_levels(void)
{
    static const int32_t counts[] = {1, 2, 3, 7, 16};
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 60);
        int32_t layer[64], thread[64], level[64], depth;
        clv_context ctx;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        REQUIRE_OK(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ctx.ws, level, &depth, &err));
        for (int i = 0; i < 5; i++) {
            REQUIRE_OK(clv_schedule_levels(
                g, &ctx,
                &(clv_layering){.threads = counts[i], .layer = layer, .thread = thread},
                &err));
            for (int32_t v = 0; v < g->nvtx; v++) {
                CHECK_EQ(layer[v], level[v]);
                REQUIRE(thread[v] >= 0 && thread[v] < counts[i]);
            }
            for (int32_t l = 0; l < depth; l++)
                check_even(g, counts[i], layer, thread, l);
        }
        clv_context_close(&ctx);
        clv_graph_free(g);
    }
}

static void test_dealing(void)
{
    /* One level: neighbours stay together where weights allow, else the heavy come first. */
    static const int32_t like[] = {1, 1, 1, 1, 1, 1}, mixed[] = {1, 9, 9, 1, 1, 9};
    int32_t layer[6], thread[6];
    clv_layering l = {.threads = 3, .layer = layer, .thread = thread};
    clv_graph *g = sample_edges(CLEAVE_DAG, 6, 0, NULL, NULL, NULL);
    clv_context ctx;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    g->vwgt = like;
    REQUIRE_OK(clv_schedule_levels(g, &ctx, &l, &err));
    for (int v = 0; v < 6; v++)
        CHECK_EQ(thread[v], v / 2);
    g->vwgt = mixed;
    REQUIRE_OK(clv_schedule_levels(g, &ctx, &l, &err));
    CHECK(thread[1] != thread[2] && thread[2] != thread[5] && thread[1] != thread[5]);
    g->vwgt = NULL;
    clv_context_close(&ctx);
    clv_graph_free(g);
}

/* ---- Cost ----------------------------------------------------------------------------- */

static void test_cost(void)
{
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 40);
        clv_rng rng = clv_rng_make(seed, 3, 0, 0);
        int32_t layer[64], thread[64], threads = 1 + (int32_t)clv_rng_below(&rng, 6);
        clv_schedule_costs costs = {.sync = clv_rng_below(&rng, 1000),
                                    .read = clv_rng_below(&rng, 3)};
        cleave_schedule_costs same = {.sync = costs.sync, .read = costs.read};
        clv_ws ws = {0};
        clv_schedule *s;
        int64_t work_max = -1, crossing = -1;
        fixture_schedule(g, threads, &rng, layer, thread);
        REQUIRE_OK(clv_schedule_new(
            &s, g,
            &(clv_schedule_spec){
                .method = "x", .threads = threads, .layer = layer, .thread = thread},
            &ws, &err));
        schedule_oracle o = oracle_schedule(s, g, &same);
        clv_schedule_spec spec = clv_schedule_spec_of(s);
        double cost = clv_schedule_cost(g, &spec, &costs, &ws, &work_max, &crossing);
        CHECK(cost == o.cost);
        CHECK_EQ(work_max, o.work_max);
        CHECK_EQ(crossing, o.crossing);
        CHECK(clv_schedule_cost(g, &spec, &costs, &ws, NULL, NULL) == cost);
        clv_schedule_free(s);
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
}

/* ---- Memory --------------------------------------------------------------------------- */

static cleave_status call_levels(const void *context, cleave_error *e)
{
    int32_t layer[64], thread[64];
    clv_layering l = {.threads = 3, .layer = layer, .thread = thread};
    clv_schedule_spec spec = clv_layering_spec(&l);
    clv_schedule_costs costs = {.sync = 500, .read = 0};
    clv_context ctx;
    cleave_status status = clv_context_open(&ctx, 1, 1, e);
    if (status != CLEAVE_OK)
        return status;
    status = clv_schedule_levels(context, &ctx, &l, e);
    if (status == CLEAVE_OK &&
        clv_schedule_cost(context, &spec, &costs, ctx.ws, NULL, NULL) < 0)
        status = clv_fail_memory(e);
    clv_context_close(&ctx);
    return status;
}

static void test_out_of_memory(void)
{
    clv_graph *g = fixture_dag(49, 60);
    test_oom_call(call_levels, g);
    clv_graph_free(g);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_levels);
    RUN(test_dealing);
    RUN(test_cost);
    RUN(test_out_of_memory);
    return test_end();
}
