/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way.c and its stages: small instances against exhaustive search, large ones
 * against the rules of the model and against optima that are known by construction. */
#include "schedule/two_way.h"

#include "schedule/two_way_fixture.h"

enum { rounds = 6000, largest_tried = 9, larger_rounds = 16, larger_tried = 12 };

static cleave_error err;

static const char *said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(said(fault), "none")

/* Solves and checks; part may be NULL. */
static clv_two_way_result solve(const clv_two_way *model, int threads, uint64_t seed,
                                double limit, int32_t *part)
{
    clv_context ctx;
    clv_two_way_result result = {.objective = -1};
    int32_t *own = malloc(((size_t)model->g->nvtx + 1) * sizeof *own);
    int32_t *used = part ? part : own;
    two_way_open(&ctx, threads, seed, limit);
    CHECK_OK(clv_two_way_solve(model, &ctx, used, &result, &err));
    CHECK_FINE(two_way_fault(model, used, &result));
    CHECK_EQ(clv_two_way_objective(model, used), result.objective);
    CHECK_OK(clv_two_way_check(model, used, &err));
    clv_context_close(&ctx);
    free(own);
    return result;
}

/* ---- Optima ----------------------------------------------------------------------------- */

static void test_small(void)
{
    int on_purpose = 0, with_costs = 0;
    for (uint64_t round = 0; round < rounds; round += TEST_STRIDE) {
        two_way_options o = two_way_any(round, largest_tried);
        two_way_fixture f;
        int32_t part[largest_tried];
        two_way_make(&f, &o);
        clv_two_way_result result = solve(&f.model, 1, round, 0, part);
        CHECK_EQ(result.objective, two_way_optimum(&f.model));
        CHECK(result.proved);
        with_costs += o.narrivals > 0;
        for (int32_t v = 0; v < o.nvtx; v++)
            on_purpose += f.g->xpred[v] == f.g->xpred[v + 1] && part[v] == 0;
        two_way_free(&f);
    }
    CHECK(on_purpose > 100 / TEST_STRIDE && with_costs > rounds / 2 / TEST_STRIDE);
}

static void test_less_small(void)
{
    for (uint64_t round = 0; round < larger_rounds; round += TEST_STRIDE) {
        two_way_options o = two_way_any(round, larger_tried);
        two_way_fixture f;
        o.nvtx = larger_tried;
        two_way_make(&f, &o);
        clv_two_way_result result = solve(&f.model, 1, 1, 0, NULL);
        CHECK_EQ(result.objective, two_way_optimum(&f.model));
        CHECK(result.proved);
        two_way_free(&f);
    }
}

/* With a budget that is too small for a proof: never above the optimum, and near it. */
static void test_small_budget(void)
{
    int64_t best = 0, quick = 0;
    int unproved = 0;
    for (uint64_t round = 0; round < 300; round += TEST_STRIDE) {
        two_way_options o = two_way_any(round, 40);
        two_way_fixture f;
        two_way_make(&f, &o);
        f.model.steps = 4000000;
        clv_two_way_result slow = solve(&f.model, 1, 1, 0, NULL);
        f.model.steps = 1 + (int64_t)round * 5;
        clv_two_way_result fast = solve(&f.model, 1, 1, 0, NULL);
        if (slow.proved) {
            CHECK(fast.objective <= slow.objective);
            CHECK(!fast.proved || fast.objective == slow.objective);
            best += slow.objective;
            quick += fast.objective;
            unproved += !fast.proved;
        }
        two_way_free(&f);
    }
    CHECK(unproved > 100 / TEST_STRIDE);
    CHECK(quick * 10 > best * 9);
    CHECK(best > 0);
}

static void test_figure_6(void)
{
    two_way_fixture f;
    int32_t part[9];
    two_way_figure_6(&f);
    clv_two_way_result result = solve(&f.model, 1, 1, 0, part);
    CHECK_EQ(result.objective, 37);
    CHECK(result.proved);
    CHECK_EQ(part[8], 0); /* it needs both halves */
    CHECK_EQ(two_way_optimum(&f.model), 37);
    two_way_free(&f);
}

static clv_graph *graph_of(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                           const int32_t *vwgt)
{
    clv_graph *g = NULL;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

/* a -> c, b; arcs from earlier layers: part 1 to a, part 2 to b and c.  Without c 10, with it
 * 9. */
static void test_left_out(void)
{
    const int64_t xadj[] = {0, 1, 1, 1};
    const int32_t adj[] = {2}, to[] = {0, 1, 2}, from[] = {1, 2, 2};
    clv_two_way model = {.ws = 10, .wc = 1, .narrivals = 3, .to = to, .from = from};
    clv_graph *g = graph_of(3, xadj, adj, NULL);
    int32_t part[3];
    REQUIRE(g);
    model.g = g;
    clv_two_way_result result = solve(&model, 1, 1, 0, part);
    CHECK_EQ(result.objective, 10);
    CHECK(result.proved && part[0] == 1 && part[1] == 2 && part[2] == 0);
    cleave_graph_free(g);
}

/* ---- Edges ------------------------------------------------------------------------------ */

static void test_edges(void)
{
    const int64_t none[] = {0, 0, 0, 0};
    const int32_t heavy[] = {INT32_MAX, INT32_MAX, INT32_MAX}, zero[] = {0, 0, 0};
    clv_graph *g = graph_of(0, none, heavy, NULL);
    clv_two_way model = {.g = g, .ws = 10, .wc = 1};
    REQUIRE(g);
    CHECK_EQ(solve(&model, 1, 1, 0, NULL).objective, 0);
    CHECK(solve(&model, 1, 1, 0, NULL).proved);
    cleave_graph_free(g);
    for (int32_t n = 1; n <= 3; n++) {
        g = graph_of(n, none, heavy, NULL);
        REQUIRE(g);
        model.g = g;
        CHECK_EQ(solve(&model, 1, 1, 0, NULL).objective, n == 1 ? 0 : 10);
        CHECK(solve(&model, 1, 1, 0, NULL).proved);
        model.ws = 0;
        CHECK_EQ(solve(&model, 1, 1, 0, NULL).objective, 0);
        model.ws = 10;
        cleave_graph_free(g);
    }
    g = graph_of(3, none, heavy, zero);
    REQUIRE(g);
    model.g = g;
    CHECK(solve(&model, 1, 1, 0, NULL).proved);
    cleave_graph_free(g);
    g = graph_of(3, none, heavy, heavy);
    REQUIRE(g);
    model.g = g;
    CHECK_EQ(solve(&model, 1, 1, 0, NULL).objective, 10 * (int64_t)INT32_MAX);
    cleave_graph_free(g);
}

static void test_too_heavy(void)
{
    enum { n = 20 };
    int64_t none[n + 1] = {0};
    int32_t heavy[n], part[n] = {0};
    for (int i = 0; i < n; i++)
        heavy[i] = INT32_MAX;
    clv_graph *g = graph_of(n, none, part, heavy);
    clv_two_way model = {.g = g, .ws = INT32_MAX, .wc = 1};
    clv_two_way_result result;
    clv_context ctx;
    REQUIRE(g);
    two_way_open(&ctx, 1, 1, 0);
    CHECK_EQ(clv_two_way_solve(&model, &ctx, part, &result, &err), CLEAVE_ERANGE);
    CHECK(strstr(err.message, "too large for ws=2147483647"));
    clv_context_close(&ctx);
    cleave_graph_free(g);
}

/* ---- Large instances -------------------------------------------------------------------- */

static void test_threads(void)
{
    for (uint64_t round = 0; round < 40; round += TEST_STRIDE) {
        two_way_options o = two_way_any(round, 600);
        two_way_fixture f;
        two_way_make(&f, &o);
        int32_t *part[3];
        static const int threads[] = {1, 2, 8};
        for (int i = 0; i < 3; i++) {
            part[i] = malloc((size_t)o.nvtx * sizeof **part);
            solve(&f.model, threads[i], 1, i == 2 ? 1e6 : 0, part[i]);
            CHECK(memcmp(part[0], part[i], (size_t)o.nvtx * sizeof **part) == 0);
        }
        for (int i = 0; i < 3; i++)
            free(part[i]);
        two_way_free(&f);
    }
}

/* Two copies of a DAG that have nothing to do with each other. */
static void test_copies(void)
{
    enum { n = 250 };
    for (uint64_t round = 0; round < 40; round += TEST_STRIDE) {
        two_way_options o = {.shape = (two_way_shape)(round % TWO_WAY_SHAPES),
                             .nvtx = n,
                             .weight = (int32_t)(round % 4),
                             .ws = 10,
                             .wc = 1,
                             .seed = round};
        two_way_fixture f;
        two_way_make(&f, &o);
        int64_t xadj[2 * n + 1] = {0}, sum = 0;
        int32_t *adj = malloc(2 * (size_t)(f.g->narc + 1) * sizeof *adj), weight[2 * n];
        for (int32_t v = 0; v < 2 * n; v++) { /* one copy has the even numbers */
            int64_t begin = f.g->xadj[v / 2], count = f.g->xadj[v / 2 + 1] - begin;
            for (int64_t a = 0; a < count; a++)
                adj[xadj[v] + a] = 2 * f.g->adj[begin + a] + v % 2;
            xadj[v + 1] = xadj[v] + count;
            weight[v] = clv_graph_vwgt(f.g, v / 2, 0);
            sum += weight[v];
        }
        clv_graph *g = graph_of(2 * n, xadj, adj, weight);
        f.model.g = g;
        clv_two_way_result result = solve(&f.model, 1, 1, 0, NULL);
        CHECK_EQ(result.objective, 5 * sum);
        CHECK(result.proved);
        cleave_graph_free(g);
        free(adj);
        two_way_free(&f);
    }
}

/* A cone at the border is lost, and little more; with arrivals a little less is won. */
static void test_large(void)
{
    static const int32_t sizes[] = {1000, 20000, 100000};
    for (int i = 0; i < (TEST_STRIDE == 1 ? 3 : 2); i++)
        for (int32_t arrivals = 0; arrivals <= sizes[i]; arrivals += sizes[i]) {
            two_way_options o = {.shape = TWO_WAY_GRID,
                                 .nvtx = sizes[i],
                                 .narrivals = arrivals,
                                 .ws = 10,
                                 .wc = 1,
                                 .seed = 5};
            two_way_fixture f;
            two_way_make(&f, &o);
            int64_t reached = solve(&f.model, 1, 1, 0, NULL).objective;
            CHECK(reached >= (arrivals ? 5 : 10) * (int64_t)sizes[i] * 3 / 8);
            CHECK(reached <= 5 * (int64_t)sizes[i]);
            two_way_free(&f);
        }
}

static void test_time_limit(void)
{
    two_way_options o = {
        .shape = TWO_WAY_LOCAL, .nvtx = 5000, .narrivals = 4000, .ws = 10, .wc = 1, .seed = 3};
    two_way_fixture f;
    two_way_make(&f, &o);
    f.model.steps = INT64_MAX / 4;
    double start = clv_clock();
    clv_two_way_result result = solve(&f.model, 1, 1, 0.05, NULL);
    CHECK(clv_clock() - start < 20);
    CHECK(result.objective > 0);
    solve(&f.model, 1, 1, 1e-9, NULL);
    two_way_free(&f);
}

int main(void)
{
    RUN(test_small);
    RUN(test_less_small);
    RUN(test_small_budget);
    RUN(test_figure_6);
    RUN(test_left_out);
    RUN(test_edges);
    RUN(test_too_heavy);
    RUN(test_threads);
    RUN(test_copies);
    RUN(test_large);
    RUN(test_time_limit);
    return test_end();
}
