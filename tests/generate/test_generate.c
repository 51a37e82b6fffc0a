/* SPDX-License-Identifier: Apache-2.0 */
/* Generated graphs of regular shape by their formulas; the same graph for any number of
 * threads and on any machine; invalid specifications. */
#include <math.h>

#include "generate/generate_support.h"
#include "generate/real.h"

/* ---- Numbers of vertices and edges ------------------------------------------------------ */

static void test_sizes(void)
{
    static const struct {
        const char *spec;
        int32_t vertices;
        int64_t edges;
        cleave_kind kind;
        int32_t ndim;
    } table[] = {
        {"grid2d:7x5", 35, 6 * 5 + 7 * 4, CLEAVE_UNDIRECTED, 2},
        {"grid2d:7x5:5", 35, 6 * 5 + 7 * 4, CLEAVE_UNDIRECTED, 2},
        {"grid2d:7x5:9", 35, 6 * 5 + 7 * 4 + 2 * 6 * 4, CLEAVE_UNDIRECTED, 2},
        {"grid2d:7x5:periodic", 35, 2 * 35, CLEAVE_UNDIRECTED, 2},
        {"grid2d:7x5:9:periodic", 35, 4 * 35, CLEAVE_UNDIRECTED, 2},
        {"grid2d:2x2:periodic", 4, 4, CLEAVE_UNDIRECTED, 2},
        {"grid2d:3x1:periodic", 3, 3, CLEAVE_UNDIRECTED, 2},
        {"grid2d:1x1:9:periodic", 1, 0, CLEAVE_UNDIRECTED, 2},
        {"grid2d:0x9", 0, 0, CLEAVE_UNDIRECTED, 2},
        {"grid2d:9x0:periodic", 0, 0, CLEAVE_UNDIRECTED, 2},
        {"grid3d:4x5x6", 120, 3 * 30 + 4 * 24 + 5 * 20, CLEAVE_UNDIRECTED, 3},
        {"grid3d:4x5x6:7:periodic", 120, 3 * 120, CLEAVE_UNDIRECTED, 3},
        {"grid3d:4x5x6:27:periodic", 120, 13 * 120, CLEAVE_UNDIRECTED, 3},
        /* a 27-point grid: pairs of points of which no coordinate differs by two */
        {"grid3d:4x5x6:27", 120, (10 * 13 * 16 - 120) / 2, CLEAVE_UNDIRECTED, 3},
        {"grid3d:1x1x5", 5, 4, CLEAVE_UNDIRECTED, 3},
        {"mesh2d:7x5", 35, 6 * 5 + 7 * 4 + 6 * 4, CLEAVE_UNDIRECTED, 2},
        {"mesh2d:1x5", 5, 4, CLEAVE_UNDIRECTED, 2},
        {"mesh2d:0x5", 0, 0, CLEAVE_UNDIRECTED, 2},
        {"mesh3d:4x5x6", 120, (3 * 30 + 4 * 24 + 5 * 20) + (12 * 6 + 15 * 5 + 20 * 4) + 60,
         CLEAVE_UNDIRECTED, 3},
        {"mesh3d:1x1x1", 1, 0, CLEAVE_UNDIRECTED, 3},
        {"spiral", 1200, 3189, CLEAVE_UNDIRECTED, 2},
        {"spiral:2x3", 6, 3 + 4 + 2, CLEAVE_UNDIRECTED, 2},
        {"spiral:1x4", 4, 3, CLEAVE_UNDIRECTED, 2},
        {"spiral:0x4", 0, 0, CLEAVE_UNDIRECTED, 2},
        {"tree:0", 0, 0, CLEAVE_UNDIRECTED, 0},
        {"tree:1:random", 1, 0, CLEAVE_UNDIRECTED, 0},
        {"tree:1000", 1000, 999, CLEAVE_UNDIRECTED, 0},
        {"tree:1000:999", 1000, 999, CLEAVE_UNDIRECTED, 0},
        {"tree:1000:random", 1000, 999, CLEAVE_UNDIRECTED, 0},
        {"gnp:50:1", 50, 50 * 49 / 2, CLEAVE_UNDIRECTED, 0},
        {"gnp:50:0", 50, 0, CLEAVE_UNDIRECTED, 0},
        {"gnp:0:0.5", 0, 0, CLEAVE_UNDIRECTED, 0},
        {"gnp:1:0.5", 1, 0, CLEAVE_UNDIRECTED, 0},
        {"rmat:0:5", 1, 0, CLEAVE_UNDIRECTED, 0},
        {"rmat:6:0", 64, 0, CLEAVE_UNDIRECTED, 0},
        {"rgg:0:5", 0, 0, CLEAVE_UNDIRECTED, 2},
        {"rgg:1:5:3", 1, 0, CLEAVE_UNDIRECTED, 3},
        {"rgg:100:0", 100, 0, CLEAVE_UNDIRECTED, 2},
        {"layered:5:7:3", 35, 4 * 7 * 3, CLEAVE_DAG, 0},
        {"layered:5:7:100", 35, 4 * 7 * 7, CLEAVE_DAG, 0},
        {"layered:5:7:0", 35, 0, CLEAVE_DAG, 0},
        {"layered:1:7:3", 7, 0, CLEAVE_DAG, 0},
        {"layered:0:7:3", 0, 0, CLEAVE_DAG, 0},
        {"stencil:9:4", 36, 3 * (9 + 2 * 8), CLEAVE_DAG, 0},
        {"stencil:7x5:4", 140, 3 * (35 + 2 * (6 * 5 + 7 * 4)), CLEAVE_DAG, 0},
        {"stencil:3x4x5:2", 120, 60 + 2 * (2 * 20 + 3 * 15 + 4 * 12), CLEAVE_DAG, 0},
        {"stencil:7x5:0", 0, 0, CLEAVE_DAG, 0},
        {"polybench:gemm:2x3x4", 2 * 3 + 2 * 4 + 4 * 3 + 2 * 3 * (1 + 4 * 3), -1, CLEAVE_DAG,
         0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleave_graph *g = generate(table[i].spec, 1, 1);
        if (cleave_graph_vertices(g) != table[i].vertices ||
            (table[i].edges >= 0 && cleave_graph_edges(g) != table[i].edges))
            fprintf(stderr, "%s: %d vertices, %lld edges\n", table[i].spec,
                    (int)cleave_graph_vertices(g), (long long)cleave_graph_edges(g));
        CHECK_EQ(cleave_graph_vertices(g), table[i].vertices);
        if (table[i].edges >= 0)
            CHECK_EQ(cleave_graph_edges(g), table[i].edges);
        CHECK_EQ(cleave_graph_kind(g), table[i].kind);
        CHECK_EQ(view_of(g).ndim, table[i].ndim);
        cleave_graph_free(g);
    }
}

static void test_periodic_degrees(void)
{
    static const struct {
        const char *spec;
        int64_t degree;
    } table[] = {{"grid2d:6x7:periodic", 4},     {"grid2d:6x7:9:periodic", 8},
                 {"grid2d:2x7:periodic", 3},     {"grid2d:3x3:9:periodic", 8},
                 {"grid3d:3x4x5:periodic", 6},   {"grid3d:3x4x5:27:periodic", 26},
                 {"grid3d:2x2x2:27:periodic", 7}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleave_graph *g = generate(table[i].spec, 1, 1);
        cleave_csr view = view_of(g);
        for (int32_t v = 0; v < view.nvtx; v++)
            CHECK_EQ(degree_of(&view, v), table[i].degree);
        cleave_graph_free(g);
    }
}

/* ---- Coordinates ------------------------------------------------------------------------ */

static void test_grid_coordinates(void)
{
    cleave_graph *g = generate("grid3d:4x5x6", 1, 1);
    cleave_csr view = view_of(g);
    for (int32_t v = 0; v < view.nvtx; v++) {
        CHECK(view.coords[3 * v] == v % 4);
        CHECK(view.coords[3 * v + 1] == v / 4 % 5);
        CHECK(view.coords[3 * v + 2] == v / 20);
    }
    cleave_graph_free(g);
}

static double cross(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Every cell is cut by its one shorter diagonal, into triangles that turn left. */
static void test_triangles(void)
{
    enum { width = 40, height = 30 };
    cleave_graph *g = generate("mesh2d:40x30", 5, 1);
    cleave_csr view = view_of(g);
    const double *x = view.coords;
    int rising = 0;
    for (int32_t cy = 0; cy < height - 1; cy++)
        for (int32_t cx = 0; cx < width - 1; cx++) {
            int32_t a = cy * width + cx, b = a + 1, c = a + width, d = c + 1;
            int up = has_edge(&view, a, d), down = has_edge(&view, b, c);
            double length_up = hypot(x[2 * a] - x[2 * d], x[2 * a + 1] - x[2 * d + 1]);
            double length_down = hypot(x[2 * b] - x[2 * c], x[2 * b + 1] - x[2 * c + 1]);
            CHECK_EQ(up + down, 1);
            CHECK(up ? length_up <= length_down + 1e-12 : length_down <= length_up + 1e-12);
            CHECK(cross(x + 2 * a, x + 2 * b, up ? x + 2 * d : x + 2 * c) > 0);
            CHECK(up ? cross(x + 2 * a, x + 2 * d, x + 2 * c) > 0
                     : cross(x + 2 * b, x + 2 * d, x + 2 * c) > 0);
            rising += up;
        }
    CHECK(rising > 300 && rising < 831); /* of 1131: both kinds are there */
    cleave_graph_free(g);
}

static double volume(const double *a, const double *b, const double *c, const double *d)
{
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        m[0][i] = b[i] - a[i];
        m[1][i] = c[i] - a[i];
        m[2][i] = d[i] - a[i];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The six tetrahedra of every cell have their edges in the mesh and do not turn over. */
static void test_tetrahedra(void)
{
    static const int path[6][3] = {{1, 2, 4}, {1, 4, 2}, {2, 1, 4},
                                   {2, 4, 1}, {4, 1, 2}, {4, 2, 1}};
    static const int sign[6] = {1, -1, -1, 1, 1, -1};
    enum { nx = 9, ny = 8, nz = 7 };
    const int32_t step[5] = {0, 1, nx, 0, nx * ny};
    cleave_graph *g = generate("mesh3d:9x8x7", 5, 1);
    cleave_csr view = view_of(g);
    for (int32_t v = 0; v < view.nvtx; v++) {
        if (v % nx == nx - 1 || v / nx % ny == ny - 1 || v / nx / ny == nz - 1)
            continue;
        for (int t = 0; t < 6; t++) {
            int32_t corner[4] = {v};
            for (int i = 0; i < 3; i++)
                corner[i + 1] = corner[i] + step[path[t][i]];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < i; j++)
                    CHECK(has_edge(&view, corner[i], corner[j]));
            CHECK(sign[t] * volume(view.coords + 3 * corner[0], view.coords + 3 * corner[1],
                                   view.coords + 3 * corner[2], view.coords + 3 * corner[3]) >
                  0.001);
        }
    }
    cleave_graph_free(g);
}

/* Edges are short, and turns keep clear of each other: near vertices are near in the graph. */
static void test_spiral(void)
{
    cleave_graph *g = generate("spiral", 1, 1);
    cleave_csr view = view_of(g);
    double turned = 0;
    for (int32_t v = 0; v < view.nvtx; v++)
        for (int32_t u = 0; u < v; u++) {
            double dx = view.coords[2 * v] - view.coords[2 * u];
            double dy = view.coords[2 * v + 1] - view.coords[2 * u + 1];
            if (has_edge(&view, v, u))
                CHECK(dx * dx + dy * dy < 2.1 * 2.1);
            else
                CHECK(dx * dx + dy * dy > 0.3 * 0.3);
            if (v / 6 - u / 6 > 12)
                CHECK(dx * dx + dy * dy > 2.2 * 2.2);
        }
    for (int32_t v = 6; v < view.nvtx; v += 6) {
        const double *a = view.coords + 2 * (v - 6), *b = view.coords + 2 * v;
        turned += atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    }
    CHECK(turned > 4 * CLV_PI); /* it is wound up, at least twice */
    CHECK(!has_edge(&view, 5, 6));
    cleave_graph_free(g);
}

/* ---- DAGs ------------------------------------------------------------------------------- */

static void test_layers(void)
{
    cleave_error err = {0};
    cleave_graph *g = generate("layered:20:50:4", 3, 2);
    cleave_csr pred;
    static int32_t level[1000];
    int32_t depth;
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_TOP, level, &depth, &err));
    CHECK_EQ(depth, 20);
    cleave_csr_init(&pred, sizeof pred);
    cleave_graph_view_predecessors(g, &pred);
    for (int32_t v = 0; v < 1000; v++) {
        CHECK_EQ(level[v], v / 50);
        CHECK_EQ(degree_of(&pred, v), v < 50 ? 0 : 4);
    }
    /* All choices are equally likely: every vertex is drawn about four times. */
    cleave_csr view = view_of(g);
    int64_t most = 0;
    for (int32_t v = 0; v < 950; v++)
        most = degree_of(&view, v) > most ? degree_of(&view, v) : most;
    CHECK(most >= 8 && most <= 16);
    cleave_graph_free(g);
}

static void test_stencil(void)
{
    cleave_graph *g = generate("stencil:4x3:2", 1, 1);
    cleave_csr view = view_of(g);
    for (int32_t v = 0; v < 24; v++)
        for (int32_t u = 0; u < 24; u++) {
            int apart = abs(v % 4 - u % 4) + abs(v / 4 % 3 - u / 4 % 3);
            CHECK_EQ(has_edge(&view, v, u), v < 12 && u >= 12 && apart <= 1);
        }
    cleave_graph_free(g);
}

static void test_tree(void)
{
    cleave_graph *g = generate("tree:40:3", 1, 1);
    cleave_csr view = view_of(g);
    for (int32_t v = 1; v < 40; v++)
        CHECK(has_edge(&view, v, (v - 1) / 3));
    cleave_graph_free(g);
    g = generate("tree:5000:random", 1, 1);
    view = view_of(g);
    static int32_t component[5000];
    cleave_error err = {0};
    int32_t count;
    CHECK_OK(cleave_graph_components(g, component, &count, &err));
    CHECK_EQ(count, 1);
    for (int32_t v = 1; v < 5000; v++) /* one neighbour is smaller */
        CHECK(view.adj[view.xadj[v]] < v &&
              (degree_of(&view, v) == 1 || view.adj[view.xadj[v] + 1] > v));
    cleave_graph_free(g);
}

/* ---- The same everywhere ---------------------------------------------------------------- */

/* The sums stand for graphs of earlier versions: a change must be meant, and go into
 * CHANGELOG.md. */
static void test_determinism(void)
{
    static const struct {
        const char *spec;
        uint64_t seed, sum;
    } table[] = {
#include "generate/checksums.h"
    };
    static const int threads[] = {1, 2, 3, 8};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            cleave_graph *g = generate(table[i].spec, table[i].seed, threads[t]);
            uint64_t sum = checksum(g);
            if (sum != table[i].sum)
                fprintf(stderr, "    {\"%s\", %llu, 0x%016llx},\n", table[i].spec,
                        (unsigned long long)table[i].seed, (unsigned long long)sum);
            CHECK(sum == table[i].sum);
            cleave_graph_free(g);
        }
}

static void test_seeds_differ(void)
{
    static const char *const specs[] = {"mesh2d:20x20",  "mesh3d:6x6x6", "rgg:500:8",
                                        "rmat:8:8",      "gnp:500:0.02", "tree:500:random",
                                        "layered:5:50:4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cleave_graph *a = generate(specs[i], 0, 1), *b = generate(specs[i], 1, 1);
        CHECK(checksum(a) != checksum(b));
        cleave_graph_free(a);
        cleave_graph_free(b);
    }
}

static void test_analysis(void)
{
    for (int i = 1; i <= 20000; i++) {
        double x = i / 10000.0, s, c;
        CHECK(fabs(clv_real_log(x) - log(x)) <= 1e-15 * (1 + fabs(log(x))));
        if (x < 1)
            CHECK(fabs(clv_real_log_rest(x) - log1p(-x)) <= 1e-15 * fabs(log1p(-x)) * 4);
        clv_real_sincos(x * CLV_PI, &s, &c);
        CHECK(fabs(s - sin(x * CLV_PI)) < 1e-15 && fabs(c - cos(x * CLV_PI)) < 1e-15);
    }
    for (double p = 1; p > 1e-300; p /= 10)
        CHECK(fabs(clv_real_log_rest(0.1 * p) / log1p(-0.1 * p) - 1) < 1e-15);
    CHECK(clv_real_log_rest(0) == 0);
}

/* ---- What is wrong ---------------------------------------------------------------------- */

static void test_complaints(void)
{
    static const struct {
        const char *spec;
        cleave_status status;
        const char *message;
    } table[] = {
#include "generate/complaints.h"
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleave_error err = {0};
        cleave_graph *g = (cleave_graph *)&err;
        CHECK_EQ(cleave_graph_generate(&g, table[i].spec, NULL, &err), table[i].status);
        CHECK_EQ(err.status, table[i].status);
        CHECK_STR(err.message, table[i].message);
        CHECK(g == NULL);
        CHECK_EQ(cleave_graph_generate(&g, table[i].spec, NULL, NULL), table[i].status);
    }
}

static void test_arguments(void)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    CHECK_EQ(opt.seed, 1);
    CHECK_EQ(opt.threads, 0);
    CHECK_EQ(cleave_graph_generate(NULL, "tree:2", NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_generate(&g, NULL, NULL, &err), CLEAVE_EINVAL);
    opt.threads = -1;
    CHECK_EQ(cleave_graph_generate(&g, "tree:2", &opt, &err), CLEAVE_EINVAL);
    CHECK(g == NULL);
    opt.size = 0;
    CHECK_EQ(cleave_graph_generate(&g, "tree:2", &opt, &err), CLEAVE_EINVAL);

    const char *form, *description;
    int count = 0;
    for (; cleave_generator_name(count, &form, &description); count++) {
        const char *name = cleave_generator_name(count, NULL, NULL);
        CHECK(strncmp(form, name, strlen(name)) == 0);
        CHECK(description[0] != '\0');
    }
    CHECK_EQ(count, 12);
    CHECK(cleave_generator_name(-1, NULL, NULL) == NULL);
    CHECK(cleave_generator_name(1000, NULL, NULL) == NULL);
}

int main(void)
{
    RUN(test_sizes);
    RUN(test_periodic_degrees);
    RUN(test_grid_coordinates);
    RUN(test_triangles);
    RUN(test_tetrahedra);
    RUN(test_spiral);
    RUN(test_layers);
    RUN(test_stencil);
    RUN(test_tree);
    RUN(test_determinism);
    RUN(test_seeds_differ);
    RUN(test_analysis);
    RUN(test_complaints);
    RUN(test_arguments);
    return test_end();
}
