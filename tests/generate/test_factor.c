/* SPDX-License-Identifier: Apache-2.0 */
/* Factor patterns against elimination on a dense matrix, values, and invalid input. */
#include <math.h>

#include "base/mem.h"
#include "base/rng.h"
#include "generate/generate_support.h"
#include "order/elimination/elimination_order.h"

enum { most = 40 };

/* ---- The oracle: play the elimination game on a dense matrix ---------------------------- */

typedef struct dense {
    int n;
    bool filled[most][most];
} dense;

static void eliminate(dense *d, const cleave_csr *view, const int32_t *order)
{
    memset(d, 0, sizeof *d);
    d->n = view->nvtx;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            d->filled[i][j] = has_edge(view, order[i], order[j]);
    for (int k = 0; k < d->n; k++)
        for (int i = k + 1; i < d->n; i++)
            for (int j = k + 1; j < d->n; j++)
                if (i != j && d->filled[i][k] && d->filled[k][j])
                    d->filled[i][j] = true;
}

static void check_dag(const cleave_graph *dag, const dense *d)
{
    cleave_csr view = view_of(dag);
    CHECK_EQ(view.kind, CLEAVE_DAG);
    REQUIRE(view.nvtx == d->n);
    check_valid(dag, "factor");
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            CHECK_EQ(has_edge(&view, j, i), j < i && d->filled[i][j]);
}

static void check_factors(const char *spec, uint64_t seed)
{
    cleave_error err = {0};
    cleave_graph *g = generate(spec, seed, 1), *dag = NULL;
    cleave_csr view = view_of(g);
    int32_t order[most];
    clv_ws ws = {NULL};
    dense d;
    REQUIRE(view.nvtx <= most);
    for (int32_t v = 0; v < view.nvtx; v++)
        order[v] = v;
    eliminate(&d, &view, order);
    CHECK_OK(cleave_graph_factor(&dag, g, "natural", NULL, &err));
    check_dag(dag, &d);
    cleave_graph_free(dag);

    clv_rng rng = clv_rng_make(seed, 99, 0, 0);
    clv_rng_permutation(&rng, view.nvtx, order);
    eliminate(&d, &view, order);
    CHECK_OK(cleave_graph_factor(&dag, g, NULL, order, &err));
    check_dag(dag, &d);
    cleave_graph_free(dag);

    CHECK_OK(clv_elimination_order(g, false, &ws, order, &err));
    clv_ws_free(&ws);
    eliminate(&d, &view, order);
    CHECK_OK(cleave_graph_factor(&dag, g, "mindeg", NULL, &err));
    check_dag(dag, &d);
    cleave_graph_free(dag);
    cleave_graph_free(g);
}

static void test_dense_oracle(void)
{
    static const char *const specs[] = {
        "gnp:0:0.5",   "gnp:1:0.5",  "gnp:2:1",      "gnp:12:0.1",         "gnp:12:0.3",
        "gnp:25:0.05", "gnp:25:0.1", "gnp:25:0.3",   "gnp:40:0.03",        "gnp:40:0.08",
        "gnp:40:0.2",  "gnp:30:1",   "gnp:30:0",     "tree:40:random",     "tree:40:39",
        "tree:40:1",   "grid2d:6x6", "grid2d:6x6:9", "grid3d:3x3x3",       "mesh2d:6x6",
        "rgg:40:5",    "rmat:5:3",   "spiral:3x13",  "grid2d:6x6:periodic"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 20; seed++)
            check_factors(specs[i], seed);
}

/* ---- Attributes and values -------------------------------------------------------------- */

static void test_attributes(void)
{
    cleave_error err = {0};
    cleave_graph *g = generate("rgg:30:5", 1, 1), *named = NULL, *dag = NULL;
    cleave_csr view = view_of(g);
    char text[30][8];
    const char *names[30];
    int32_t order[30];
    for (int32_t v = 0; v < 30; v++) {
        snprintf(text[v], sizeof text[v], "v%d", (int)v);
        names[v] = text[v];
        order[v] = (7 * v + 3) % 30;
    }
    view.names = names;
    REQUIRE_OK(cleave_graph_create(&named, &view, 0, &err));
    REQUIRE_OK(cleave_graph_factor(&dag, named, NULL, order, &err));
    cleave_csr factor = view_of(dag);
    CHECK_EQ(factor.ndim, 2);
    for (int32_t k = 0; k < 30; k++) {
        CHECK_STR(cleave_graph_name(dag, k), text[order[k]]);
        CHECK(factor.coords[2 * k] == view.coords[2 * order[k]]);
        CHECK(factor.coords[2 * k + 1] == view.coords[2 * order[k] + 1]);
    }
    cleave_graph_free(dag);
    cleave_graph_free(named);
    cleave_graph_free(g);
}

static void test_values(void)
{
    cleave_error err = {0};
    cleave_graph *g = generate("mesh2d:15x15", 1, 1), *dag = NULL;
    cleave_matrix *a = NULL, *b = NULL;
    cleave_csr pred;
    REQUIRE_OK(cleave_graph_factor(&dag, g, "mindeg", NULL, &err));
    REQUIRE_OK(cleave_matrix_factor(&a, g, "mindeg", NULL, 5, &err));
    REQUIRE_OK(cleave_matrix_factor(&b, g, "mindeg", NULL, 6, &err));
    cleave_csr_init(&pred, sizeof pred);
    cleave_graph_view_predecessors(dag, &pred);
    cleave_matrix_csr m = {.size = sizeof m}, other = {.size = sizeof other};
    cleave_matrix_view(a, &m);
    cleave_matrix_view(b, &other);
    REQUIRE(m.nrow == 225 && m.ncol == 225);
    CHECK_EQ(m.xadj[225], cleave_graph_edges(dag) + 225);
    bool differ = false;
    for (int32_t i = 0; i < 225; i++) {
        double sum = 0;
        int64_t last = m.xadj[i + 1] - 1;
        REQUIRE(last - m.xadj[i] == degree_of(&pred, i));
        for (int64_t k = m.xadj[i]; k < last; k++) {
            CHECK_EQ(m.col[k], pred.adj[pred.xadj[i] + k - m.xadj[i]]);
            CHECK(m.val[k] >= -1 && m.val[k] < 0 && 256 * m.val[k] == floor(256 * m.val[k]));
            sum += fabs(m.val[k]);
            differ = differ || m.val[k] != other.val[k];
        }
        CHECK_EQ(m.col[last], i);
        CHECK(m.val[last] == sum + 1);
    }
    CHECK(differ);
    cleave_matrix_free(a);
    cleave_matrix_free(b);
    cleave_graph_free(dag);
    cleave_graph_free(g);
}

static void test_too_full(void)
{
    cleave_error err = {0};
    cleave_graph *g = generate("tree:300000:299999", 1, 1), *dag = NULL;
    CHECK_EQ(cleave_graph_factor(&dag, g, "natural", NULL, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message,
              "the factor has 44999850000 non-zeros, more than 4294967296; try the order "
              "mindeg");
    CHECK(dag == NULL);
    CHECK_OK(cleave_graph_factor(&dag, g, "mindeg", NULL, &err));
    CHECK_EQ(cleave_graph_edges(dag), 299999);
    cleave_graph_free(dag);
    cleave_graph_free(g);
}

static void test_refused(void)
{
    cleave_error err = {0};
    cleave_graph *g = generate("tree:4", 1, 1), *chain = generate("stencil:1:4", 1, 1);
    cleave_graph *dag = NULL;
    cleave_matrix *a = NULL;
    const int32_t good[] = {3, 2, 1, 0}, twice[] = {3, 2, 2, 0}, outside[] = {0, 1, 2, 4};
    CHECK_EQ(cleave_graph_factor(NULL, g, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_factor(&dag, NULL, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_factor(&dag, chain, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "a DAG has no factor; an undirected graph has");
    CHECK_EQ(cleave_graph_factor(&dag, g, "amd", NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "order is \"amd\"; expected natural or mindeg");
    CHECK_EQ(cleave_graph_factor(&dag, g, "natural", good, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_factor(&dag, g, NULL, twice, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the permutation names vertex 2 twice");
    CHECK_EQ(cleave_graph_factor(&dag, g, NULL, outside, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "permutation[3] is 4, outside 0..3");
    CHECK_EQ(cleave_matrix_factor(NULL, g, NULL, NULL, 1, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_matrix_factor(&a, g, NULL, outside, 1, &err), CLEAVE_EINVAL);
    CHECK(dag == NULL && a == NULL);
    CHECK_OK(cleave_graph_factor(&dag, g, NULL, NULL, &err));
    CHECK_EQ(cleave_graph_vertices(dag), 4);
    cleave_graph_free(dag);
    cleave_graph_free(chain);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_dense_oracle);
    RUN(test_attributes);
    RUN(test_values);
    RUN(test_too_full);
    RUN(test_refused);
    return test_end();
}
