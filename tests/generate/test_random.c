/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs: geometric ones against all pairs of points, the others by their expected
 * values. */
#include <math.h>

#include "generate/generate_support.h"

/* ---- Geometric -------------------------------------------------------------------------- */

static double square_distance(const cleave_csr *view, int32_t v, int32_t u)
{
    double sum = 0;
    for (int32_t d = 0; d < view->ndim; d++) {
        double x = view->coords[v * view->ndim + d] - view->coords[u * view->ndim + d];
        sum += x * x;
    }
    return sum;
}

/* There is a radius that separates edges from other pairs: the longest edge is shorter than
 * the shortest distance of a pair that is not joined. */
static void check_geometric(const char *spec)
{
    cleave_graph *g = generate(spec, 11, 1);
    cleave_csr view = view_of(g);
    double longest = 0, shortest = 4;
    for (int32_t v = 0; v < view.nvtx; v++)
        for (int32_t u = 0; u < v; u++) {
            double square = square_distance(&view, v, u);
            if (!has_edge(&view, v, u))
                shortest = square < shortest ? square : shortest;
            else
                longest = square > longest ? square : longest;
        }
    CHECK(longest < shortest);
    for (int64_t i = 0; i < (int64_t)view.nvtx * view.ndim; i++)
        CHECK(view.coords[i] >= 0 && view.coords[i] < 1);
    cleave_graph_free(g);
}

static void test_geometric_pairs(void)
{
    static const char *const specs[] = {"rgg:2:0.5",     "rgg:3:1.5:3",  "rgg:50:3",
                                        "rgg:50:30",     "rgg:50:44",    "rgg:200:6",
                                        "rgg:200:6:3",   "rgg:600:10:2", "rgg:600:10:3",
                                        "rgg:600:200:3", "rgg:1000:0.5", "rgg:1000:1e-9"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        check_geometric(specs[i]);
}

static void test_geometric_degree(void)
{
    static const struct {
        const char *spec;
        double degree;
    } table[] = {{"rgg:5000:12", 12},    {"rgg:5000:12:3", 12}, {"rgg:400:100", 100},
                 {"rgg:400:100:3", 100}, {"rgg:400:350", 350},  {"rgg:400:350:3", 350}};
    enum { seeds = 20 }; /* points lie closer together with one than with another */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double mean = 0;
        for (uint64_t seed = 0; seed < seeds; seed++) {
            cleave_graph *g = generate(table[i].spec, seed, 1);
            mean += 2.0 * (double)cleave_graph_edges(g) / cleave_graph_vertices(g) / seeds;
            cleave_graph_free(g);
        }
        CHECK(fabs(mean / table[i].degree - 1) < 0.01);
    }
}

/* Numbered along the cells, neighbours have near numbers. */
static void test_geometric_numbers(void)
{
    cleave_graph *g = generate("rgg:10000:10", 1, 1);
    cleave_csr view = view_of(g);
    int32_t furthest = 0;
    for (int32_t v = 0; v < view.nvtx; v++)
        for (int64_t a = view.xadj[v]; a < view.xadj[v + 1]; a++)
            furthest = abs(view.adj[a] - v) > furthest ? abs(view.adj[a] - v) : furthest;
    CHECK(furthest < 700); /* two rows of some 56 cells with 3 points each, and more */
    cleave_graph_free(g);
}

/* ---- Each pair with probability p ------------------------------------------------------- */

static void check_gnp(const char *spec, double n, double p)
{
    cleave_graph *g = generate(spec, 1, 0);
    cleave_csr view = view_of(g);
    double pairs = n * (n - 1) / 2, edges = (double)cleave_graph_edges(g);
    double deviation = sqrt(pairs * p * (1 - p));
    CHECK(fabs(edges - pairs * p) < 4 * deviation);
    /* The degrees are binomial: their variance is (n - 1) p (1 - p). */
    double variance = 0, mean = 2 * edges / n, expected = (n - 1) * p * (1 - p);
    for (int32_t v = 0; v < view.nvtx; v++)
        variance += pow((double)degree_of(&view, v) - mean, 2) / n;
    CHECK(fabs(variance / expected - 1) < 6 * sqrt(2 / n));
    /* No half of the vertices is preferred. */
    int64_t low = 0;
    for (int32_t v = 0; v < view.nvtx / 2; v++)
        low += degree_of(&view, v);
    CHECK(fabs((double)low - edges) < 6 * deviation);
    cleave_graph_free(g);
}

static void test_gnp(void)
{
    check_gnp("gnp:3000:0.01", 3000, 0.01);
    check_gnp("gnp:1000:0.5", 1000, 0.5);
    check_gnp("gnp:600:0.97", 600, 0.97);
    check_gnp("gnp:100000:0.00005", 100000, 0.00005);
    cleave_graph *g = generate("gnp:100000:1e-30", 1, 1);
    CHECK_EQ(cleave_graph_edges(g), 0);
    cleave_graph_free(g);
}

/* Every edge of a small graph is there with probability p over the seeds. */
static void test_gnp_pairs(void)
{
    enum { n = 6, seeds = 2000 };
    int count[n][n] = {{0}};
    for (int seed = 0; seed < seeds; seed++) {
        cleave_graph *g = generate("gnp:6:0.3", (uint64_t)seed, 1);
        cleave_csr view = view_of(g);
        for (int32_t v = 0; v < n; v++)
            for (int64_t a = view.xadj[v]; a < view.xadj[v + 1]; a++)
                count[v][view.adj[a]]++;
        cleave_graph_free(g);
    }
    for (int v = 0; v < n; v++)
        for (int u = 0; u < v; u++)
            CHECK(abs(count[v][u] - 600) < 5 * 21);
}

/* ---- R-MAT ------------------------------------------------------------------------------ */

/* Few duplicates among many vertices: the quarters show their probabilities. */
static void test_rmat_quarters(void)
{
    cleave_graph *g = generate("rmat:18:1:0.4:0.3:0.2", 1, 0);
    cleave_csr view = view_of(g);
    int32_t half = view.nvtx / 2;
    int64_t both_low = 0, both_high = 0, edges = cleave_graph_edges(g);
    for (int32_t v = 0; v < view.nvtx; v++)
        for (int64_t a = view.xadj[v]; a < view.xadj[v + 1]; a++) {
            both_low += v < half && view.adj[a] < half;
            both_high += v >= half && view.adj[a] >= half;
        }
    CHECK(edges > 0.99 * (1 << 18) && edges < 1 << 18);
    CHECK(fabs((double)both_low / 2 / (double)edges - 0.4) < 0.01);
    CHECK(fabs((double)both_high / 2 / (double)edges - 0.1) < 0.01);
    cleave_graph_free(g);
}

/* The default is skewed: vertex 0 has a large share, many vertices have nothing. */
static void test_rmat_skew(void)
{
    cleave_graph *g = generate("rmat:14:8", 1, 0);
    cleave_csr view = view_of(g);
    int64_t isolated = 0, edges = cleave_graph_edges(g);
    for (int32_t v = 0; v < view.nvtx; v++)
        isolated += degree_of(&view, v) == 0;
    CHECK(degree_of(&view, 0) > 100 * edges / view.nvtx);
    CHECK(isolated > view.nvtx / 5);
    CHECK(edges < 8 << 14 && edges > 6 << 14);
    cleave_graph_free(g);
    /* So many edges that nearly all pairs are hit: duplicates must collapse. */
    g = generate("rmat:5:1000:0.25:0.25:0.25", 1, 0);
    CHECK_EQ(cleave_graph_edges(g), 32 * 31 / 2);
    cleave_graph_free(g);
    /* All in one bucket. */
    g = generate("rmat:12:50:1:0:0", 1, 0);
    CHECK_EQ(cleave_graph_edges(g), 0);
    cleave_graph_free(g);
    g = generate("rmat:12:50:0:1:0", 1, 0);
    CHECK_EQ(cleave_graph_edges(g), 1);
    view = view_of(g);
    CHECK(has_edge(&view, 0, 4095));
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_geometric_pairs);
    RUN(test_geometric_degree);
    RUN(test_geometric_numbers);
    RUN(test_gnp);
    RUN(test_gnp_pairs);
    RUN(test_rmat_quarters);
    RUN(test_rmat_skew);
    return test_end();
}
