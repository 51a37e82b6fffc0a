/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules as structs: blocks, the order inside them, layers without gaps, refusals. */
#include "graph/schedule.h"

#include "graph/sample.h"
#include "schedule/schedule_fixture.h"
#include "support/test.h"

static cleave_error err;

/* ---- Blocks and their order ----------------------------------------------------------- */

/* The place of every task is the smallest number that is ready in its block. */
static void check_order(const clv_schedule *s, const clv_graph *g)
{
    char *done = calloc((size_t)s->ntasks + 1, 1);
    for (int64_t b = 0; b < (int64_t)s->layers * s->threads; b++)
        for (int64_t i = s->block[b]; i < s->block[b + 1]; i++) {
            int32_t expected = -1;
            for (int32_t v = 0; v < s->ntasks && expected < 0; v++) {
                bool ready = !done[v] && (int64_t)s->layer[v] * s->threads + s->thread[v] == b;
                for (int64_t a = g->xpred[v]; ready && a < g->xpred[v + 1]; a++)
                    ready = done[g->pred[a]];
                if (ready)
                    expected = v;
            }
            CHECK_EQ(s->order[i], expected);
            if (expected >= 0)
                done[expected] = 1;
        }
    for (int32_t v = 0; v < s->ntasks; v++)
        CHECK(done[v]);
    free(done);
}

/* Layers keep their sequence and lose the gaps. */
static void check_layers(const clv_schedule *s, const int32_t *layer)
{
    char *used = calloc((size_t)s->layers + 1, 1);
    for (int32_t v = 0; v < s->ntasks; v++) {
        REQUIRE(s->layer[v] >= 0 && s->layer[v] < s->layers);
        used[s->layer[v]] = 1;
        for (int32_t u = 0; u < v; u++)
            CHECK((s->layer[u] < s->layer[v]) == (layer[u] < layer[v]) &&
                  (s->layer[u] == s->layer[v]) == (layer[u] == layer[v]));
    }
    for (int32_t l = 0; l < s->layers; l++)
        CHECK(used[l]);
    free(used);
}

static void test_new(void)
{
    for (uint64_t seed = 0; seed < 480; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 40);
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        int32_t layer[64], thread[64], threads = 1 + (int32_t)clv_rng_below(&rng, 5);
        clv_ws ws = {0};
        clv_schedule *s;
        fixture_schedule(g, threads, &rng, layer, thread);
        for (int32_t v = 0; v < g->nvtx; v++) /* numbers far apart are fine */
            layer[v] = clv_hash64(seed) % 5 == 0 ? layer[v] * 9000000 : layer[v];
        REQUIRE_OK(clv_schedule_new(
            &s, g,
            &(clv_schedule_spec){
                .method = "grow", .threads = threads, .layer = layer, .thread = thread},
            &ws, &err));
        CHECK(s->ntasks == g->nvtx && s->nrows == g->nvtx && s->threads == threads);
        CHECK(!s->row && !s->share && !s->tasks);
        CHECK_STR(s->method, "grow");
        CHECK_EQ(s->block[(int64_t)s->layers * threads], g->nvtx);
        check_order(s, g);
        check_layers(s, layer);
        for (int32_t v = 0; v < g->nvtx; v++)
            CHECK_EQ(s->thread[v], thread[v]);
        clv_schedule_free(s);
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
}

static void test_given(void)
{
    static const int32_t layer[] = {5, 2, 5, INT32_MAX}, thread[] = {1, 0, 1, 0};
    static const int32_t order[] = {1, 2, 0, 3};
    static const int64_t block[] = {0, 1, 1, 1, 3, 4, 4};
    clv_ws ws = {0};
    clv_schedule *s;
    for (int turn = 0; turn < 2; turn++) {
        REQUIRE_OK(clv_schedule_given(
            &s, 4, &(clv_schedule_spec){"given", 2, layer, thread, turn ? order : NULL}, &ws,
            &err));
        CHECK(s->layers == 3 && s->layer[0] == 1 && s->layer[1] == 0 && s->layer[3] == 2);
        for (int b = 0; b <= 6; b++)
            CHECK_EQ(s->block[b], block[b]);
        CHECK_EQ(s->order[1], turn ? 2 : 0);
        CHECK_EQ(s->order[2], turn ? 0 : 2);
        clv_schedule_free(s);
    }
    REQUIRE_OK(clv_schedule_given(&s, 0, &(clv_schedule_spec){"given", 3, NULL, NULL, NULL},
                                  &ws, &err));
    CHECK(s->layers == 0 && s->block[0] == 0 && s->order != NULL && s->layer != NULL);
    clv_schedule_free(s);
    clv_schedule_free(NULL);
    clv_ws_free(&ws);
}

static void test_refused(void)
{
    static const int32_t below[] = {0, -1}, fine[] = {0, 1}, beyond[] = {0, 2};
    clv_ws ws = {0};
    clv_schedule *s = (clv_schedule *)&err;
    CHECK_EQ(
        clv_schedule_given(&s, 2, &(clv_schedule_spec){"x", 2, below, fine, NULL}, &ws, &err),
        CLEAVE_EINVAL);
    CHECK(s == NULL);
    CHECK_STR(err.message, "vertex 1 is in layer -1, below 0");
    CHECK_EQ(
        clv_schedule_given(&s, 2, &(clv_schedule_spec){"x", 2, fine, beyond, NULL}, &ws, &err),
        CLEAVE_EINVAL);
    CHECK_STR(err.message, "vertex 1 is on thread 2, but threads run from 0 to 1");
    CHECK_EQ(
        clv_schedule_given(&s, 2, &(clv_schedule_spec){"x", 2, fine, below, NULL}, &ws, &err),
        CLEAVE_EINVAL);
    CHECK_STR(err.message, "vertex 1 is on thread -1, but threads run from 0 to 1");
    clv_ws_free(&ws);
}

/* A graph created with CLEAVE_TRUST may have a cycle. */
static void test_cycle(void)
{
    static const int32_t tail[] = {0, 1, 2}, head[] = {1, 2, 3}, zero[4] = {0};
    clv_graph *g = sample_edges(CLEAVE_DAG, 4, 3, tail, head, NULL);
    ((int32_t *)g->adj)[2] = 1; /* 1 -> 2 -> 1 */
    clv_ws ws = {0};
    clv_schedule *s = (clv_schedule *)&err;
    CHECK_EQ(clv_schedule_new(&s, g,
                              &(clv_schedule_spec){
                                  .method = "x", .threads = 1, .layer = zero, .thread = zero},
                              &ws, &err),
             CLEAVE_ECYCLE);
    CHECK(s == NULL);
    clv_ws_free(&ws);
    clv_graph_free(g);
}

/* ---- Split rows ----------------------------------------------------------------------- */

/* Rows 0, 1 and 2 <- {0, 1}, which is two tasks: 2 <- 0 and 3 <- {1, 2}. */
static void test_of_rows(void)
{
    static const int32_t tail[] = {0, 1, 2}, head[] = {2, 3, 3}, row[] = {0, 1, 2, 2};
    static const int32_t layer[] = {0, 0, 0, 1}, thread[] = {0, 1, 0, 0};
    static const int32_t share[] = {0, 0, 1, 1};
    clv_graph *tasks = sample_edges(CLEAVE_DAG, 4, 3, tail, head, NULL);
    clv_ws ws = {0};
    clv_schedule *s;
    REQUIRE_OK(clv_schedule_new(
        &s, tasks,
        &(clv_schedule_spec){.method = "grow", .threads = 2, .layer = layer, .thread = thread},
        &ws, &err));
    REQUIRE_OK(clv_schedule_of_rows(s, 3, row, tasks, &err));
    CHECK(s->nrows == 3 && s->ntasks == 4 && s->tasks == tasks);
    for (int t = 0; t < 4; t++) {
        CHECK_EQ(s->row[t], row[t]);
        CHECK_EQ(s->share[t], share[t]);
    }
    clv_schedule_free(s); /* and the tasks */
    clv_ws_free(&ws);
}

/* ---- Memory --------------------------------------------------------------------------- */

static cleave_status call_new(const void *context, cleave_error *e)
{
    static const int32_t spread[] = {9, 700000000, 9, 9, 900000000};
    static const int32_t near[] = {0, 1, 0, 0, 2}, thread[] = {0, 1, 0, 0, 1};
    clv_ws ws = {0};
    clv_schedule *s = (clv_schedule *)e;
    const clv_graph *g = context;
    cleave_status status =
        clv_schedule_new(&s, g,
                         &(clv_schedule_spec){.method = "x",
                                              .threads = 2,
                                              .layer = g->narc == 3 ? near : spread,
                                              .thread = thread},
                         &ws, e);
    CHECK((s == NULL) == (status != CLEAVE_OK));
    if (status == CLEAVE_OK)
        status = clv_schedule_of_rows(s, 5, near, (clv_graph *)context, e);
    if (s)
        s->tasks = NULL; /* lent */
    clv_schedule_free(s);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    static const int32_t tail[] = {3, 2, 0, 0}, head[] = {2, 0, 1, 4};
    for (int arcs = 3; arcs <= 4; arcs++) {
        clv_graph *g = sample_edges(CLEAVE_DAG, 5, arcs, tail, head, NULL);
        test_oom_call(call_new, g);
        clv_graph_free(g);
    }
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_new);
    RUN(test_given);
    RUN(test_refused);
    RUN(test_cycle);
    RUN(test_of_rows);
    RUN(test_out_of_memory);
    return test_end();
}
