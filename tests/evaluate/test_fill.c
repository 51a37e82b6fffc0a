/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/fill.c and graph/elimination.c against the elimination game on a dense matrix. */
#include "evaluate/evaluate.h"
#include "graph/elimination.h"
#include "oracle/elimination_oracle.h"
#include "refine/kway_fixture.h"
#include "refine/merge_parallel.h"
#include "support/test.h"

static cleave_error err;

static int32_t *random_order(int32_t n, uint64_t seed)
{
    int32_t *order = malloc(((size_t)n + 1) * sizeof *order);
    clv_rng rng = clv_rng_make(seed, 7, 7, 7);
    if (!order)
        abort();
    clv_rng_permutation(&rng, n, order);
    return order;
}

static void check_fill(const clv_graph *g, const int32_t *order)
{
    clv_ws ws = {NULL};
    clv_fill is;
    played want = play_elimination(g, order, g->nvtx, NULL);
    CHECK_OK(clv_evaluate_fill(g, order, &ws, &is, &err));
    CHECK_EQ(is.fill, want.fill);
    CHECK(is.operations == want.operations);
    CHECK_EQ(is.largest, want.largest);
    CHECK_EQ(is.height, want.height);
    clv_ws_free(&ws);
}

static void test_any_graph(void)
{
    for (uint64_t seed = 0; seed < 150; seed += TEST_STRIDE) {
        fixture f;
        fixture_options o = fixture_any(seed, 70);
        fixture_make(&f, &o);
        merge_parallel(&f.g);
        int32_t *order = random_order(f.g.nvtx, seed);
        check_fill(&f.g, order);
        free(order);
        fixture_free(&f);
    }
}

/* Copies: each vertex represents several indistinguishable ones. */
static void test_copies(void)
{
    for (uint64_t seed = 0; seed < 60; seed += TEST_STRIDE) {
        fixture f;
        clv_ws ws = {NULL};
        clv_elimination e;
        fixture_options o = fixture_any(seed, 50);
        fixture_make(&f, &o);
        merge_parallel(&f.g);
        int32_t n = f.g.nvtx, *order = random_order(n, seed), *copies = random_order(n, ~seed);
        int64_t *column = calloc((size_t)n + 1, sizeof *column), fill = 0;
        for (int32_t v = 0; v < n; v++)
            copies[v] = 1 + copies[v] % 5;
        CHECK_OK(clv_elimination_make(&e, &f.g, order, &ws, &err));
        e.copies = copies;
        CHECK_OK(clv_elimination_columns(&e, &ws, column, &err));
        for (int32_t k = 0; k < n; k++) {
            int64_t w = copies[order[k]];
            fill += w * column[k] + w * (w + 1) / 2;
        }
        CHECK_EQ(fill, play_elimination(&f.g, order, n, copies).fill);
        free(column);
        free(order);
        free(copies);
        clv_ws_free(&ws);
        fixture_free(&f);
    }
}

/* Known by heart: a clique is full, a path along itself and a star from its leaves have no
 * fill, a star from its middle is full. */
static void test_known(void)
{
    static const struct {
        const char *spec;
        int64_t fill;
        int32_t height;
    } known[] = {{"grid2d:1x1", 1, 1}, {"grid2d:7x1", 13, 7}};
    for (int i = 0; i < 2; i++) {
        cleave_graph *g = NULL;
        cleave_order *o = NULL;
        cleave_order_metrics m;
        int32_t vertex[7] = {0, 1, 2, 3, 4, 5, 6};
        REQUIRE_OK(cleave_graph_generate(&g, known[i].spec, NULL, &err));
        cleave_order_metrics_init(&m, sizeof m);
        CHECK_OK(cleave_order_create(&o, cleave_graph_vertices(g), vertex, NULL, &err));
        CHECK_OK(cleave_evaluate_order(&m, g, o, &err));
        CHECK_EQ(m.fill, known[i].fill);
        CHECK_EQ(m.height, known[i].height);
        cleave_order_free(o);
        cleave_graph_free(g);
    }
    static const int64_t xadj[] = {0, 4, 5, 6, 7, 8};
    static const int32_t adj[] = {1, 2, 3, 4, 0, 0, 0, 0}, last[] = {1, 2, 3, 4, 0},
                         first[] = {0, 1, 2, 3, 4};
    clv_graph star = {.nvtx = 5, .narc = 8, .xadj = xadj, .adj = adj, .ncon = 1};
    clv_ws ws = {NULL};
    clv_fill fill;
    CHECK_OK(clv_evaluate_fill(&star, last, &ws, &fill, &err));
    CHECK_EQ(fill.fill, 9);
    CHECK_EQ(fill.height, 2);
    CHECK_OK(clv_evaluate_fill(&star, first, &ws, &fill, &err));
    CHECK_EQ(fill.fill, 15);
    CHECK_EQ(fill.height, 5);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 40, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    int32_t *order = random_order(f.g.nvtx, 1);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_ws ws = {NULL};
        clv_fill fill;
        TEST_OOM(&oom, clv_evaluate_fill(&f.g, order, &ws, &fill, &err));
        clv_ws_free(&ws);
    }
    CHECK(oom.nth > 2);
    free(order);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_copies);
    RUN(test_known);
    RUN(test_out_of_memory);
    return test_end();
}
