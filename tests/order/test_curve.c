/* SPDX-License-Identifier: Apache-2.0 */
/* Space-filling curves: indices against the published procedure and against the properties of
 * a curve; vertices along them against a slow sort. */
#include "order/curve.h"

#include <math.h>
#include <string.h>

#include "order/curve_table.h"
#include "order/line_fixture.h"

static cleave_error err;

/* ---- Indices ---------------------------------------------------------------------------- */

/* Figure 3 of Kaddoura, Ou, Ranka 1995, line by line. */
static long long printed_hci(long long side, long long x, long long y)
{
    static const int rotation_table[4] = {3, 0, 0, 1};
    static const int sense_table[4] = {-1, 1, 1, -1};
    static const int quad_table[4][2][2] = {
        {{0, 1}, {3, 2}}, {{1, 2}, {0, 3}}, {{2, 3}, {1, 0}}, {{3, 0}, {2, 1}}};
    int rotation = 0, sense = 1;
    long long num = 0;
    for (long long k = side / 2; k > 0; k = k / 2) {
        int xbit = (int)(x / k);
        int ybit = (int)(y / k);
        x = x - k * xbit;
        y = y - k * ybit;
        int quad = quad_table[rotation][xbit][ybit];
        if (sense == -1)
            num = num + k * k * (3 - quad);
        else
            num = num + k * k * quad;
        rotation = rotation + rotation_table[quad];
        rotation = rotation % 4;
        sense = sense * sense_table[quad];
    }
    return num;
}

static void test_printed(void)
{
    for (int bits = 0; bits <= 6; bits++)
        for (uint32_t x = 0; x < 1u << bits; x++)
            for (uint32_t y = 0; y < 1u << bits; y++) {
                const uint32_t point[2] = {x, y};
                CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 2, bits, point),
                         printed_hci((long long)1 << bits, x, y));
            }
    clv_rng rng = clv_rng_make(1, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        const uint32_t point[2] = {clv_rng_below(&rng, 1u << 31),
                                   clv_rng_below(&rng, 1u << 31)};
        CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 2, 31, point),
                 printed_hci((long long)1 << 31, point[0], point[1]));
    }
}

static void test_morton(void)
{
    const uint32_t printed[2] = {13, 4}, corner[3] = {1, 0, 0}, far[3] = {3, 5, 6};
    const uint32_t last[2] = {0x7fffffff, 0x7fffffff},
                   most[3] = {0x1fffff, 0x1fffff, 0x1fffff};
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 2, 4, printed), 178);
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 2, 31, printed), 178);
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 3, 1, corner), 4);
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 3, 3, far), 0356);
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 2, 31, last), ((long long)1 << 62) - 1);
    CHECK_EQ(clv_curve_index(CLV_CURVE_MORTON, 3, 21, most), INT64_MAX);
}

/* Every index once, the next cell beside the last one, and the index of the cell of twice
 * the size is the leading digits: all that a curve promises. */
static void check_curve(clv_curve curve, int32_t ndim, int bits)
{
    int64_t side = (int64_t)1 << bits, cells = (int64_t)1 << (ndim * bits);
    int64_t *cell_of = malloc((size_t)cells * sizeof *cell_of);
    int64_t far = 0, unlike = 0, twice = 0;
    if (!cell_of)
        abort();
    memset(cell_of, -1, (size_t)cells * sizeof *cell_of);
    for (int64_t c = 0; c < cells; c++) {
        uint32_t point[3], coarse[3];
        for (int32_t d = 0; d < ndim; d++) {
            point[d] = (uint32_t)(c >> (d * bits) & (side - 1));
            coarse[d] = point[d] >> 1;
        }
        uint64_t index = clv_curve_index(curve, ndim, bits, point);
        REQUIRE(index < (uint64_t)cells);
        twice += cell_of[index] >= 0;
        cell_of[index] = c;
        unlike += clv_curve_index(curve, ndim, bits - 1, coarse) != index >> ndim;
    }
    for (int64_t i = 1; i < cells; i++) {
        int64_t steps = 0;
        for (int32_t d = 0; d < ndim; d++)
            steps += llabs((cell_of[i] >> (d * bits) & (side - 1)) -
                           (cell_of[i - 1] >> (d * bits) & (side - 1)));
        far += steps != 1;
    }
    CHECK_EQ(twice, 0);
    CHECK_EQ(unlike, 0);
    CHECK_EQ(far > 0, curve == CLV_CURVE_MORTON);
    free(cell_of);
}

static void test_curves(void)
{
    for (int bits = 1; bits <= 7; bits++)
        check_curve(CLV_CURVE_HILBERT, 2, bits);
    for (int bits = 1; bits <= 5; bits++)
        check_curve(CLV_CURVE_HILBERT, 3, bits);
    check_curve(CLV_CURVE_MORTON, 2, 4);
    check_curve(CLV_CURVE_MORTON, 3, 3);
}

/* Rows of cubes go on where the curve ends: beside the origin along the first axis. */
static void test_ends(void)
{
    const uint32_t low[3] = {0, 0, 0}, high[3] = {31, 0, 0};
    CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 2, 5, low), 0);
    CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 2, 5, high), (1 << 10) - 1);
    CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 3, 5, low), 0);
    CHECK_EQ(clv_curve_index(CLV_CURVE_HILBERT, 3, 5, high), (1 << 15) - 1);
}

static void test_tables(void)
{
    static clv_curve_table t;
    clv_rng rng = clv_rng_make(2, 0, 0, 0);
    for (int curve = 0; curve < 2; curve++)
        for (int i = 0; i < 5000; i++) {
            uint32_t p[3];
            for (int d = 0; d < 3; d++)
                p[d] = clv_rng_below(&rng, 1u << 21);
            if (i == 0)
                clv_curve_table_make(&t, (clv_curve)curve, 3);
            if (i == 2500)
                clv_curve_table_make(&t, (clv_curve)curve, 2);
            if (i < 2500)
                CHECK_EQ(clv_curve_table_3d(&t, 21, p[0], p[1], p[2]),
                         clv_curve_index((clv_curve)curve, 3, 21, p));
            else
                CHECK_EQ(clv_curve_table_2d(&t, 30, p[0], p[1]),
                         clv_curve_index((clv_curve)curve, 2, 30, p));
        }
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void test_order_along(void)
{
    /* Corners of a square, and the middle twice: as the U of figure 2 goes. */
    static const double coords[] = {1, 0, 1, 1, 0, 1, 0, 0, 0.5, 0.5, 0.5, 0.5};
    static const int64_t xadj[7] = {0};
    static const int32_t hilbert[] = {3, 2, 4, 5, 1, 0}, morton[] = {3, 2, 0, 4, 5, 1};
    clv_graph g = {.nvtx = 6, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
    int32_t vertex[6];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    REQUIRE_OK(clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, vertex, &err));
    CHECK(memcmp(vertex, hilbert, sizeof vertex) == 0);
    REQUIRE_OK(clv_curve_order(&g, CLV_CURVE_MORTON, &ctx, vertex, &err));
    CHECK(memcmp(vertex, morton, sizeof vertex) == 0);
    clv_context_close(&ctx);
}

/* A grid of long rows: along the row of squares no step is longer than a cell. */
static void test_long(void)
{
    enum { wide = 64, high = 8, n = wide * high };
    static double coords[3 * n];
    static const int64_t xadj[n + 1] = {0};
    int32_t vertex[n];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int32_t axis = 0; axis < 2; axis++) {
        for (int32_t v = 0; v < n; v++) {
            coords[2 * v + axis] = v % wide + 0.5 * (v % wide == wide - 1);
            coords[2 * v + 1 - axis] = v / wide;
        }
        clv_graph g = {.nvtx = n, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
        REQUIRE_OK(clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, vertex, &err));
        CHECK_FINE(line_fault(n, vertex));
        int32_t jumps = 0;
        for (int32_t p = 1; p < n; p++)
            jumps += abs(vertex[p] % wide - vertex[p - 1] % wide) +
                         abs(vertex[p] / wide - vertex[p - 1] / wide) >
                     3;
        CHECK(jumps == 0);
    }
    clv_context_close(&ctx);
}

/* All on a line parallel to an axis come in the order of the line, or the other way round. */
static void test_straight(void)
{
    enum { n = 500 };
    static double coords[3 * n];
    static const int64_t xadj[n + 1] = {0};
    int32_t vertex[n];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int32_t ndim = 2; ndim <= 3; ndim++)
        for (int32_t axis = 0; axis < ndim; axis++) {
            for (int32_t v = 0; v < n; v++)
                for (int32_t d = 0; d < ndim; d++)
                    coords[ndim * v + d] = d == axis ? (v - 100) * 0.37 : 2.5;
            clv_graph g = {.nvtx = n, .ncon = 1, .ndim = ndim, .coords = coords, .xadj = xadj};
            for (int curve = 0; curve < 2; curve++) {
                REQUIRE_OK(clv_curve_order(&g, (clv_curve)curve, &ctx, vertex, &err));
                int32_t wrong = 0;
                for (int32_t p = 0; p < n; p++)
                    wrong += vertex[p] != p;
                CHECK_EQ(wrong, 0);
            }
        }
    clv_context_close(&ctx);
}

/* Nearly on a line: rows of so many cubes that their cells have more digits than doubles. */
static void test_thin(void)
{
    enum { n = 100 };
    static const double noise[] = {1e-9, 1e-13, 1e-16, 1e-17, 1e-40, 1e-300, 5e-324};
    static const int64_t xadj[n + 1] = {0};
    double coords[3 * n];
    int32_t vertex[n];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int i = 0; i < 7 * 2 * 3 * 2; i++) {
        int32_t ndim = 2 + i / 7 % 2, axis = i / 14 % 3 % ndim, wrong = 0;
        for (int32_t v = 0; v < n; v++)
            for (int32_t d = 0; d < ndim; d++)
                coords[ndim * v + d] = d == axis ? v : noise[i % 7] * (v * (7 + d) % 5);
        clv_graph g = {.nvtx = n, .ncon = 1, .ndim = ndim, .coords = coords, .xadj = xadj};
        REQUIRE_OK(clv_curve_order(&g, (clv_curve)(i / 42), &ctx, vertex, &err));
        for (int32_t p = 0; p < n; p++)
            wrong += vertex[p] != p;
        CHECK_EQ(wrong, 0);
    }
    clv_context_close(&ctx);
}

static void test_refused(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    clv_context ctx;
    line_context(&ctx, 2, 1);
    int32_t vertex[40];
    for (int i = 0; i < 3; i++) {
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 40, 2 + i % 2, 1);
        ((double *)g->coords)[31 * g->ndim + i % 2] = bad[i];
        ((double *)g->coords)[37 * g->ndim] = NAN;
        CHECK_EQ(clv_curve_order(g, CLV_CURVE_HILBERT, &ctx, vertex, &err), CLEAVE_EINVAL);
        CHECK_STR(err.message, "a coordinate of vertex 31 is not finite");
        clv_graph_free(g);
    }
    clv_graph none = {.nvtx = 3, .ncon = 1};
    CHECK_EQ(clv_curve_order(&none, CLV_CURVE_HILBERT, &ctx, vertex, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the graph has no coordinates, which space-filling curves need");
    clv_context_close(&ctx);
}

/* Coordinates near the limits of doubles, few vertices or none. */
static void test_extremes(void)
{
    static const double huge[] = {-1.7e308, 0, 1.7e308, 1, -1.7e308, -1, 0, 1.7e308};
    static const double tiny[] = {0, 0, 5e-324, 0, 5e-324, 5e-324, 0, 1e-323};
    static const int64_t xadj[5] = {0};
    int32_t vertex[4];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int32_t n = 0; n <= 4; n++) {
        clv_graph g = {.nvtx = n, .ncon = 1, .ndim = 2, .coords = huge, .xadj = xadj};
        CHECK_OK(clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, vertex, &err));
        CHECK_FINE(line_fault(n, vertex));
        g.coords = tiny;
        CHECK_OK(clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, vertex, &err));
        CHECK_FINE(line_fault(n, vertex));
    }
    clv_context_close(&ctx);
}

static void test_shapes_and_threads(void)
{
    enum { n = 1000 };
    int32_t vertex[n], again[n];
    for (int i = 0; i < LINE_SHAPES * 2; i++) {
        clv_graph *g = line_graph((line_shape)(i / 2), LINE_UNIT, n, 2 + i % 2, 5);
        for (int t = 1; t <= 8; t = t == 1 ? 2 : 4 * t) {
            clv_context ctx;
            line_context(&ctx, t, 1);
            REQUIRE_OK(
                clv_curve_order(g, CLV_CURVE_HILBERT, &ctx, t == 1 ? vertex : again, &err));
            clv_context_close(&ctx);
            CHECK(t == 1 || memcmp(vertex, again, sizeof vertex) == 0);
        }
        CHECK_FINE(line_fault(n, vertex));
        for (int32_t p = 0; i / 2 == LINE_ONE_POINT && p < n; p++)
            CHECK_EQ(vertex[p], p);
        clv_graph_free(g);
    }
}

/* Enough vertices that all members work. */
/* Points in cells of their own are in the order of the curve; more points of a cell, by
 * number, in its place. */
static void test_by_cells(void)
{
    enum { side = 200, n = side * side };
    static double coords[2 * n];
    static const int64_t xadj[n + 1] = {0};
    static int32_t vertex[n], rough[n];
    clv_context ctx;
    line_context(&ctx, 1, 1);
    for (int way = 0; way < 2; way++) {
        for (int32_t v = 0; v < n; v++) { /* way 1: pairs of neighbours in one place */
            int32_t at = way == 0 ? (int32_t)((int64_t)v * 7919 % n) : v / 2;
            coords[2 * v] = at % side;
            coords[2 * v + 1] = (double)(at / side) * (way == 0 ? 1 : 2);
        }
        clv_graph g = {.nvtx = n, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
        REQUIRE_OK(clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, vertex, &err));
        REQUIRE_OK(clv_curve_order_by_cells(&g, CLV_CURVE_HILBERT, &ctx, rough, &err));
        CHECK_FINE(line_fault(n, rough));
        CHECK(memcmp(vertex, rough, sizeof vertex) == 0);
    }
    for (int32_t v = 0; v < n; v++) { /* many points in few cells, one far away */
        coords[2 * v] = v == 0 ? 1e9 : v % side;
        coords[2 * v + 1] = v == 0 ? 1e9 : v;
    }
    clv_graph g = {.nvtx = n, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
    REQUIRE_OK(clv_curve_order_by_cells(&g, CLV_CURVE_HILBERT, &ctx, rough, &err));
    int32_t wrong = 0;
    for (int32_t p = 0; p < n; p++)
        wrong += rough[p] != (p + 1) % n;
    CHECK(wrong == 0);
    clv_context_close(&ctx);
}

static void test_many(void)
{
    enum { n = 100000 };
    double *coords = malloc(2 * n * sizeof *coords);
    int32_t *vertex = malloc(n * sizeof *vertex), *again = malloc(n * sizeof *again);
    int64_t *xadj = calloc(n + 1, sizeof *xadj);
    clv_rng rng = clv_rng_make(4, 0, 0, 0);
    REQUIRE(coords && vertex && again && xadj);
    for (int32_t i = 0; i < 2 * n; i++)
        coords[i] = clv_rng_unit(&rng) * clv_rng_unit(&rng);
    clv_graph g = {.nvtx = n, .ncon = 1, .ndim = 2, .coords = coords, .xadj = xadj};
    for (int t = 1; t <= 8; t = t == 1 ? 2 : 4 * t) {
        clv_context ctx;
        line_context(&ctx, t, 1);
        REQUIRE_OK(
            clv_curve_order(&g, CLV_CURVE_HILBERT, &ctx, t == 1 ? vertex : again, &err));
        clv_context_close(&ctx);
        CHECK(t == 1 || memcmp(vertex, again, n * sizeof *vertex) == 0);
    }
    CHECK_FINE(line_fault(n, vertex));
    double length = 0;
    for (int32_t p = 1; p < n; p++)
        length += fabs(coords[2 * vertex[p]] - coords[2 * vertex[p - 1]]) +
                  fabs(coords[2 * vertex[p] + 1] - coords[2 * vertex[p - 1] + 1]);
    CHECK(length < 1.5 * sqrt(n)); /* at random it would be about 0.3 * n */
    free(coords);
    free(vertex);
    free(again);
    free(xadj);
}

static cleave_status call_order(const void *graph, cleave_error *e)
{
    clv_context ctx;
    CLV_TRY(clv_context_open(&ctx, 2, 1, e));
    int32_t vertex[300];
    cleave_status status = clv_curve_order(graph, CLV_CURVE_HILBERT, &ctx, vertex, e);
    clv_context_close(&ctx);
    return status;
}

static void test_out_of_memory(void)
{
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 300, 3, 1);
    test_oom_call(call_order, g);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_printed);
    RUN(test_morton);
    RUN(test_curves);
    RUN(test_ends);
    RUN(test_tables);
    RUN(test_order_along);
    RUN(test_long);
    RUN(test_straight);
    RUN(test_thin);
    RUN(test_refused);
    RUN(test_extremes);
    RUN(test_shapes_and_threads);
    RUN(test_by_cells);
    RUN(test_many);
    RUN(test_out_of_memory);
    return test_end();
}
