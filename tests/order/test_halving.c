/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive bisection: parts and orders by coordinates and by values of the test. */
#include "order/halving.h"

#include <math.h>

#include "graph/share.h"
#include "order/line_fixture.h"

enum { most = 3000 };
static cleave_error err;
static double speed[most];
static int32_t part[most], again[most];

/* ---- Parts ------------------------------------------------------------------------------ */

/* NULL, or which promise is broken. */
static const char *parts_fault(const clv_graph *g, int32_t nparts, const double *speeds)
{
    static int64_t weight[most];
    static int32_t count[most];
    int32_t busy = 0;
    int64_t total = 0;
    memset(weight, 0, sizeof weight);
    memset(count, 0, sizeof count);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (part[v] < 0 || part[v] >= nparts)
            return "a part is out of range";
        count[part[v]]++;
        weight[part[v]] += clv_graph_vwgt(g, v, 0);
        total += clv_graph_vwgt(g, v, 0);
    }
    for (int32_t p = 0; p < nparts; p++)
        busy += !speeds || speeds[p] > 0;
    clv_share_rule rule = clv_share_rule_make(speeds, nparts, 1);
    for (int32_t p = 0; p < nparts; p++) {
        bool idle = speeds && speeds[p] == 0;
        if (idle && count[p] > 0)
            return "an idle PE has vertices";
        if (!idle && count[p] == 0 && g->nvtx >= busy)
            return "a busy PE has none";
        if (g->nvtx < busy && count[p] > 1)
            return "a PE has two though others have none";
        if (!g->vwgt && g->nvtx >= busy && weight[p] > clv_share_bound(&rule, total, p, 0))
            return "a PE is above its share";
    }
    return NULL;
}

static void test_promises(void)
{
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 900; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 8, 0, 0);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, seed % 7 ? 120 : 6);
        int32_t nparts = 1 + (int32_t)clv_rng_below(&rng, seed % 5 ? 12 : 160);
        clv_graph *g = line_graph((line_shape)clv_rng_below(&rng, LINE_SHAPES),
                                  (line_weights)clv_rng_below(&rng, LINE_WEIGHTS), nvtx,
                                  2 + (int32_t)clv_rng_below(&rng, 2), seed);
        const double *speeds = clv_rng_below(&rng, 4) ? speed : NULL;
        line_speeds(speed, nparts, clv_rng_below(&rng, 2) ? 8 : 1000, clv_rng_below(&rng, 2),
                    seed);
        memset(part, -1, sizeof part);
        CHECK_OK(clv_halving_parts(
            g, &clv_source_coordinates,
            &(clv_split_rule){.npes = nparts,
                              .speed = speeds,
                              .grouping = (clv_grouping)clv_rng_below(&rng, 2)},
            &ctx, part, &err));
        CHECK_FINE(parts_fault(g, nparts, speeds));
        clv_graph_free(g);
    }
    clv_context_close(&ctx);
}

/* A grid of 8 x 4 and speeds 2, 1, 1: first across the long side, then the rest. */
static void test_blocks(void)
{
    static const int64_t xadj[33] = {0};
    static const double speeds[] = {2, 1, 1};
    double coords[64];
    for (int32_t v = 0; v < 32; v++) {
        coords[2 * v] = v % 8;
        coords[2 * v + 1] = v / 8;
    }
    clv_graph g = {.nvtx = 32, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
    clv_context ctx;
    line_context(&ctx, 1, 1);
    REQUIRE_OK(clv_halving_parts(&g, &clv_source_coordinates,
                                 &(clv_split_rule){.npes = 3, .speed = speeds}, &ctx, part,
                                 &err));
    /* The rest is a square, cut across its first side. */
    for (int32_t v = 0; v < 32; v++)
        CHECK_EQ(part[v], v % 8 < 4 ? 0 : v % 8 < 6 ? 1 : 2);
    /* Three equal ones, binpacking: two thirds and one third of 32. */
    REQUIRE_OK(clv_halving_parts(
        &g, &clv_source_coordinates,
        &(clv_split_rule){.npes = 3, .grouping = CLV_GROUPING_BINPACKING}, &ctx, part, &err));
    CHECK_FINE(parts_fault(&g, 3, NULL));
    clv_context_close(&ctx);
}

static void test_parts_refused(void)
{
    static const double none[] = {0, 0};
    clv_context ctx;
    line_context(&ctx, 2, 1);
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 40, 3, 1);
    CHECK_EQ(clv_halving_parts(g, &clv_source_coordinates,
                               &(clv_split_rule){.npes = 2, .speed = none}, &ctx, part, &err),
             CLEAVE_EINVAL);
    CHECK_STR(err.message, "the speeds of all PEs are 0");
    ((double *)g->coords)[3 * 35] = INFINITY;
    ((double *)g->coords)[3 * 17 + 2] = NAN;
    CHECK_EQ(clv_halving_parts(g, &clv_source_coordinates, &(clv_split_rule){.npes = 2}, &ctx,
                               part, &err),
             CLEAVE_EINVAL);
    CHECK_STR(err.message, "a coordinate of vertex 17 is not finite");
    g->ndim = 0;
    CHECK_EQ(clv_halving_order(g, &clv_source_coordinates, 0, &ctx, part, &err),
             CLEAVE_EINVAL);
    CHECK_STR(err.message, "the graph has no coordinates, which coordinate bisection needs");
    clv_graph_free(g);
    clv_context_close(&ctx);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void test_orders(void)
{
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 7, 0, 0);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, seed % 7 ? 120 : 6);
        clv_graph *g = line_graph((line_shape)clv_rng_below(&rng, LINE_SHAPES),
                                  (line_weights)clv_rng_below(&rng, LINE_WEIGHTS), nvtx,
                                  2 + (int32_t)clv_rng_below(&rng, 2), seed);
        static const int32_t leaves[] = {0, 1, 2, 7, 64, 1024};
        CHECK_OK(clv_halving_order(g, &clv_source_coordinates, leaves[clv_rng_below(&rng, 6)],
                                   &ctx, part, &err));
        CHECK_FINE(line_fault(nvtx, part));
        clv_graph_free(g);
    }
    clv_context_close(&ctx);
}

static clv_graph *square_grid(int32_t side)
{
    char spec[64];
    cleave_graph *g = NULL;
    snprintf(spec, sizeof spec, "grid2d:%dx%d", side, side);
    if (cleave_graph_generate(&g, spec, NULL, &err) != CLEAVE_OK || g->ndim != 2)
        abort();
    return g;
}

/* What order/halving_turn.c makes small. */
static double root_length(const clv_graph *g, const int32_t *vertex)
{
    int32_t place[most];
    double sum = 0;
    for (int32_t p = 0; p < g->nvtx; p++)
        place[vertex[p]] = p;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += sqrt(abs(place[g->adj[a]] - place[v]));
    return sum;
}

/* Halves of halves: quarters of the line are quarters of the square; turned, neighbours in
 * the graph are nearer. */
static void test_turned(void)
{
    enum { side = 32, n = side * side };
    clv_graph *g = square_grid(side);
    clv_context ctx;
    line_context(&ctx, 1, 1);
    REQUIRE_OK(clv_halving_order(g, &clv_source_coordinates, n, &ctx, part, &err));
    REQUIRE_OK(clv_halving_order(g, &clv_source_coordinates, 0, &ctx, again, &err));
    CHECK_FINE(line_fault(n, again));
    CHECK(root_length(g, again) < root_length(g, part));
    const double middle = (side - 1) / 2.0;
    for (int32_t p = 0; p < n; p++) {
        const double *here = g->coords + 2 * again[p];
        const double *first = g->coords + 2 * again[p / 256 * 256];
        CHECK((here[0] < middle) == (first[0] < middle));
        CHECK((here[1] < middle) == (first[1] < middle));
    }
    clv_context_close(&ctx);
    clv_graph_free(g);
}

/* Far more leaves than vertices: their number does not matter any more. */
static void test_many_leaves(void)
{
    static const int32_t leaves[] = {1 << 30, INT32_MAX, INT32_MAX - 1};
    enum { side = 8, n = side * side };
    clv_graph *g = square_grid(side);
    int32_t orders[3][n];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(
            clv_halving_order(g, &clv_source_coordinates, leaves[i], &ctx, orders[i], &err));
        CHECK(memcmp(orders[0], orders[i], sizeof orders[0]) == 0);
    }
    clv_context_close(&ctx);
    clv_graph_free(g);
}

/* Leaves have the expected vertices, in an order that depends on the seed. */
static void test_leaves(void)
{
    enum { side = 32, n = side * side };
    clv_graph *g = square_grid(side);
    int32_t orders[3][n];
    for (int i = 0; i < 3; i++) {
        clv_context ctx;
        line_context(&ctx, 1, i < 2 ? 1 : 2);
        REQUIRE_OK(clv_halving_order(g, &clv_source_coordinates, 4, &ctx, orders[i], &err));
        clv_context_close(&ctx);
    }
    CHECK(memcmp(orders[0], orders[1], sizeof orders[0]) == 0);
    CHECK(memcmp(orders[0], orders[2], sizeof orders[0]) != 0);
    int32_t falls = 0;
    for (int32_t leaf = 0; leaf < 4; leaf++) {
        int32_t sum[2] = {0, 0};
        for (int32_t p = leaf * n / 4; p < (leaf + 1) * n / 4; p++) {
            sum[0] += orders[0][p];
            sum[1] += orders[2][p];
            falls += p % (n / 4) && orders[0][p] < orders[0][p - 1];
        }
        CHECK_EQ(sum[0], sum[1]);
    }
    CHECK(falls > n / 3 && falls < 2 * n / 3);
    clv_graph_free(g);
}

/* ---- Threads, failures ------------------------------------------------------------------ */

static void test_threads(void)
{
    static const int threads[] = {1, 2, 8};
    for (int i = 0; i < 2 * LINE_SHAPES; i++) {
        clv_graph *g =
            line_graph((line_shape)(i / 2), i % 2 ? LINE_ZEROS : LINE_UNIT, most, 2, 3);
        line_speeds(speed, 40, 8, true, 3);
        for (int t = 0; t < 3; t++) {
            static int32_t parts[most], order[most];
            clv_context ctx;
            line_context(&ctx, threads[t], 1);
            CHECK_OK(clv_halving_parts(g, &clv_source_coordinates,
                                       &(clv_split_rule){.npes = 40,
                                                         .speed = speed,
                                                         .grouping = CLV_GROUPING_BINPACKING},
                                       &ctx, parts, &err));
            CHECK_OK(clv_halving_order(g, &clv_source_coordinates, i % 2 ? 0 : 16, &ctx, order,
                                       &err));
            clv_context_close(&ctx);
            if (t == 0) {
                memcpy(part, parts, sizeof part);
                memcpy(again, order, sizeof again);
            }
            CHECK(memcmp(part, parts, sizeof part) == 0);
            CHECK(memcmp(again, order, sizeof again) == 0);
        }
        clv_graph_free(g);
    }
}

/* A set that can be cut by the whole team. */
static void test_team(void)
{
    enum { n = 40000 };
    clv_graph *g = square_grid(200);
    int32_t *one = malloc(n * sizeof *one), *two = malloc(n * sizeof *two);
    REQUIRE(one && two && g->nvtx == n);
    for (int t = 1; t <= 2; t++) {
        clv_context ctx;
        line_context(&ctx, t, 1);
        CHECK_OK(
            clv_halving_order(g, &clv_source_coordinates, 0, &ctx, t == 1 ? one : two, &err));
        clv_context_close(&ctx);
    }
    CHECK(memcmp(one, two, n * sizeof *one) == 0);
    CHECK_FINE(line_fault(n, one));
    free(one);
    free(two);
    clv_graph_free(g);
}

/* Fails for small sets, naming their first vertex. */
static cleave_status fail_small(const void *data, const clv_subset *set, double *value,
                                clv_context *ctx, cleave_error *e)
{
    (void)data;
    (void)ctx;
    if (set->count < 200)
        return clv_fail(e, CLEAVE_ERANGE, "set of vertex %d", set->vertex[0]);
    for (int32_t i = 0; i < set->count; i++)
        value[i] = -set->vertex[i];
    return CLEAVE_OK;
}

static void test_failing_source(void)
{
    const clv_halving_source source = {fail_small, NULL, false};
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, most, 2, 1);
    for (int t = 1; t <= 8; t *= 2) {
        clv_context ctx;
        line_context(&ctx, t, 1);
        CHECK_EQ(
            clv_halving_parts(g, &source, &(clv_split_rule){.npes = 64}, &ctx, part, &err),
            CLEAVE_ERANGE);
        CHECK_STR(err.message, "set of vertex 2813"); /* on any thread */
        CHECK_EQ(
            clv_halving_parts(g, &source, &(clv_split_rule){.npes = 64}, &ctx, part, NULL),
            CLEAVE_ERANGE);
        clv_context_close(&ctx);
    }
    clv_graph_free(g);
}

static bool is_permutation(const int32_t *vertex, int32_t n)
{
    static uint8_t seen[most];
    memset(seen, 0, sizeof seen);
    for (int32_t p = 0; p < n; p++)
        if (vertex[p] < 0 || vertex[p] >= n || seen[vertex[p]]++)
            return false;
    return true;
}

static int say_stop(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

static void test_cancelled(void)
{
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, most, 2, 1);
    clv_context ctx;
    int calls = 0;
    REQUIRE_OK(clv_context_open(&ctx, 2, 1, &err));
    clv_context_watch(&ctx, 0, say_stop, &calls);
    CHECK_OK(clv_halving_order(g, &clv_source_coordinates, 0, &ctx, part, &err));
    CHECK(is_permutation(part, g->nvtx));
    CHECK_EQ(calls, 1);
    clv_context_close(&ctx);
    clv_graph_free(g);
}

static cleave_status call_parts(const void *graph, cleave_error *e)
{
    clv_context ctx;
    CLV_TRY(clv_context_open(&ctx, 2, 1, e));
    cleave_status status = clv_halving_parts(
        graph, &clv_source_coordinates,
        &(clv_split_rule){.npes = 20, .grouping = CLV_GROUPING_BINPACKING}, &ctx, part, e);
    clv_context_close(&ctx);
    return status;
}

static cleave_status call_order(const void *graph, cleave_error *e)
{
    clv_context ctx;
    CLV_TRY(clv_context_open(&ctx, 2, 1, e));
    cleave_status status = clv_halving_order(graph, &clv_source_coordinates, 0, &ctx, part, e);
    if (status == CLEAVE_OK)
        status = clv_halving_order(graph, &clv_source_coordinates, 8, &ctx, part, e);
    clv_context_close(&ctx);
    return status;
}

static void test_out_of_memory(void)
{
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, most, 2, 1);
    test_oom_call(call_parts, g);
    test_oom_call(call_order, g);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_blocks);
    RUN(test_parts_refused);
    RUN(test_orders);
    RUN(test_turned);
    RUN(test_leaves);
    RUN(test_many_leaves);
    RUN(test_threads);
    RUN(test_team);
    RUN(test_failing_source);
    RUN(test_cancelled);
    RUN(test_out_of_memory);
    return test_end();
}
