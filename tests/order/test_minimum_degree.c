/* SPDX-License-Identifier: Apache-2.0 */
/* Elimination orders: permutations by subtrees, and low fill. */
#include "base/mem.h"
#include "generate/generate_support.h"
#include "graph/elimination.h"
#include "order/elimination/elimination_order.h"
#include "order/elimination/minimum_degree.h"

static cleave_error err;

static bool is_permutation(const int32_t *order, int32_t n)
{
    bool *seen = calloc((size_t)n + 1, sizeof *seen), right = true;
    for (int32_t k = 0; k < n && right; k++) {
        right = order[k] >= 0 && order[k] < n && !seen[order[k]];
        if (right)
            seen[order[k]] = true;
    }
    free(seen);
    return right;
}

/* Non-zeros of the factor below the diagonal. */
static int64_t fill_of_order(const cleave_graph *g, const int32_t *order)
{
    clv_ws ws = {NULL};
    clv_elimination e = {.copies = NULL};
    int64_t fill = 0, *column = calloc((size_t)g->nvtx + 1, sizeof *column);
    CHECK_OK(clv_elimination_make(&e, g, order, &ws, &err));
    CHECK_OK(clv_elimination_columns(&e, &ws, column, &err));
    for (int32_t k = 0; k < g->nvtx; k++)
        fill += column[k];
    free(column);
    clv_ws_free(&ws);
    return fill;
}

static int64_t fill_of(const cleave_graph *g, bool natural)
{
    clv_ws ws = {NULL};
    int32_t *order = calloc((size_t)g->nvtx + 1, sizeof *order);
    CHECK_OK(clv_elimination_order(g, natural, &ws, order, &err));
    CHECK(is_permutation(order, g->nvtx));
    int64_t fill = fill_of_order(g, order);
    free(order);
    clv_ws_free(&ws);
    return fill;
}

/* ---- Orders ----------------------------------------------------------------------------- */

/* In postorder the places of a subtree end at its root: a place is the root of the places
 * since the first of its own subtree. */
static bool is_postorder(const cleave_graph *g, const int32_t *order)
{
    clv_ws ws = {NULL};
    clv_elimination e = {.copies = NULL};
    bool right = true;
    CHECK_OK(clv_elimination_make(&e, g, order, &ws, &err));
    int32_t *size = calloc((size_t)g->nvtx + 1, sizeof *size);
    for (int32_t k = 0; k < g->nvtx; k++) {
        size[k]++;
        if (e.parent[k] >= 0)
            size[e.parent[k]] += size[k];
    }
    for (int32_t k = 0; k < g->nvtx; k++)
        for (int32_t i = k - size[k] + 1; i < k; i++)
            right = right && e.parent[i] > i && e.parent[i] <= k;
    free(size);
    clv_ws_free(&ws);
    return right;
}

static void check_orders(const char *spec, uint64_t seed)
{
    clv_ws ws = {NULL};
    cleave_graph *g = generate(spec, seed, 1);
    int32_t *order = calloc((size_t)g->nvtx + 1, sizeof *order);
    CHECK_OK(clv_elimination_order(g, true, &ws, order, &err));
    for (int32_t v = 0; v < g->nvtx; v++)
        CHECK_EQ(order[v], v);
    const clv_minimum_degree_task task = {.g = g, .ninner = g->nvtx, .dense = true};
    CHECK_OK(clv_minimum_degree(&task, &ws, order, &err));
    CHECK(is_permutation(order, g->nvtx));
    int64_t fill = fill_of_order(g, order);
    CHECK_OK(clv_order_postorder(g, &ws, order, &err));
    CHECK(is_permutation(order, g->nvtx));
    CHECK(is_postorder(g, order));
    CHECK_EQ(fill_of_order(g, order), fill);
    free(order);
    clv_ws_free(&ws);
    cleave_graph_free(g);
}

static void test_orders(void)
{
    static const char *const specs[] = {
        "gnp:0:0.5",  "gnp:1:0.5",  "gnp:2:1",      "gnp:12:0.3",     "gnp:25:0.1",
        "gnp:40:0.2", "gnp:30:1",   "gnp:30:0",     "tree:40:random", "tree:40:39",
        "tree:40:1",  "grid2d:6x6", "grid2d:6x6:9", "grid3d:3x3x3",   "rmat:5:3"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 20; seed++)
            check_orders(specs[i], seed);
}

/* ---- Fill ------------------------------------------------------------------------------- */

static void test_fill(void)
{
    static const struct {
        const char *spec;
        double gain; /* natural is at least so many times as full */
    } table[] = {{"grid2d:100x100", 4}, {"grid3d:15x15x15", 2},   {"grid2d:60x60:9", 1.5},
                 {"mesh2d:80x80", 3},   {"mesh3d:10x10x10", 1.1}, {"rgg:5000:8", 4},
                 {"rmat:10:4", 4},      {"tree:1000:random", 4},  {"spiral", 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleave_graph *g = generate(table[i].spec, 1, 1);
        int64_t natural = fill_of(g, true), mindeg = fill_of(g, false);
        if ((double)natural < table[i].gain * (double)mindeg)
            fprintf(stderr, "%s: natural %lld, mindeg %lld\n", table[i].spec,
                    (long long)natural, (long long)mindeg);
        CHECK((double)natural >= table[i].gain * (double)mindeg);
        cleave_graph_free(g);
    }
    /* A tree can be eliminated without fill, and so can a star with a dense centre. */
    static const char *const trees[] = {"tree:3000:random", "tree:3000:2999", "tree:3000:1"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        cleave_graph *g = generate(trees[i], 1, 1);
        CHECK_EQ(fill_of(g, false), 2999);
        cleave_graph_free(g);
    }
}

/* Stars and cliques on many vertices must not take quadratic time. */
static void test_large_orders(void)
{
    static const char *const trees[] = {"tree:300000:299999", "tree:300000:700"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        cleave_graph *g = generate(trees[i], 1, 1);
        CHECK_EQ(fill_of(g, false), 299999);
        cleave_graph_free(g);
    }
}

int main(void)
{
    RUN(test_orders);
    RUN(test_fill);
    RUN(test_large_orders);
    return test_end();
}
