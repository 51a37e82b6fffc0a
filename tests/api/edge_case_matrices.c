/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: matrices and generated graphs. */
#include "api/edge_case_facts.h"

#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

static cleave_matrix *matrix_of_case(void)
{
    double val[room * room];
    for (int64_t a = 0; a < edge_csr->xadj[edge_csr->nvtx]; a++)
        val[a] = edge_csr->ewgt ? edge_csr->ewgt[a] : 1;
    cleave_matrix_csr rows = {sizeof rows,    edge_csr->nvtx, edge_csr->nvtx,
                              edge_csr->xadj, edge_csr->adj,  val};
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_create(&a, &rows, &err));
    return a;
}

static void check_matrix(const cleave_matrix *a)
{
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    CHECK(view.nrow == edge_csr->nvtx && view.ncol == edge_csr->nvtx);
    int64_t narc = edge_csr->xadj[edge_csr->nvtx];
    CHECK_EQ(view.xadj[edge_csr->nvtx], narc);
    for (int64_t k = 0; k < narc && view.xadj[edge_csr->nvtx] == narc; k++)
        CHECK(view.col[k] == edge_csr->adj[k] &&
              view.val[k] == (edge_csr->ewgt ? edge_csr->ewgt[k] : 1));
}

static void matrix_create(void)
{
    cleave_matrix *a = matrix_of_case();
    check_matrix(a);
    cleave_matrix_free(a);
}

static void matrix_write(void)
{
    cleave_matrix *a = matrix_of_case();
    CHECK_OK(cleave_matrix_write(a, edge_scratch("edge-case.mtx"), &err));
    cleave_matrix_free(a);
}

static void matrix_read(void)
{
    matrix_write();
    cleave_matrix *a;
    REQUIRE_OK(cleave_matrix_read(&a, edge_scratch("edge-case.mtx"), NULL, &err));
    check_matrix(a);
    cleave_matrix_free(a);
}

static void matrix_factor(void)
{
    cleave_matrix *a = (cleave_matrix *)&err;
    cleave_status status = cleave_matrix_factor(&a, edge_graph, "mindeg", NULL, 1, &err);
    CHECK_EQ(status, edge_csr->kind == CLEAVE_DAG ? CLEAVE_EINVAL : CLEAVE_OK);
    CHECK((a != NULL) == (status == CLEAVE_OK));
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    CHECK_EQ(view.nrow, status == CLEAVE_OK ? edge_csr->nvtx : 0);
    cleave_matrix_free(a);
}

/* ---- Factors ---------------------------------------------------------------------------- */

/* -1 for each arc, and on the diagonal 1 more than would make it the row's sum. */
static cleave_matrix *laplacian_of_case(void)
{
    static int64_t xadj[room + 1];
    static int32_t col[room * room + room];
    static double val[room * room + room];
    int64_t to = 0;
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        xadj[v] = to;
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++) {
            col[to] = edge_csr->adj[a];
            val[to++] = -1;
        }
        col[to] = v;
        val[to++] = (double)(edge_csr->xadj[v + 1] - edge_csr->xadj[v]) + 1;
    }
    xadj[edge_csr->nvtx] = to;
    cleave_matrix_csr rows = {sizeof rows, edge_csr->nvtx, edge_csr->nvtx, xadj, col, val};
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_create(&a, &rows, &err));
    return a;
}

/* A matrix of the order of the case, or the right kind of refusal: what has arcs one way only
 * is not symmetric, unless they all run to smaller vertices.  Freed. */
static void check_factor(cleave_status status, cleave_matrix *a, bool symmetric)
{
    CHECK_EQ(status, symmetric ? CLEAVE_OK : CLEAVE_EINVAL);
    CHECK((a != NULL) == (status == CLEAVE_OK));
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    CHECK_EQ(view.nrow, a ? edge_csr->nvtx : 0);
    cleave_matrix_free(a);
}

static bool is_symmetric(void)
{
    bool upward = false;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            upward = upward || edge_csr->adj[a] > v;
    return edge_csr->kind == CLEAVE_UNDIRECTED || !upward;
}

static void matrix_ic0(void)
{
    cleave_matrix *a = laplacian_of_case(), *l = a;
    cleave_status status = cleave_matrix_ic0(&l, a, NULL, &err);
    check_factor(status, l, is_symmetric());
    cleave_matrix_free(a);
}

static void matrix_ilu0(void)
{
    cleave_matrix *a = laplacian_of_case(), *lu = a;
    cleave_status status = cleave_matrix_ilu0(&lu, a, &err);
    check_factor(status, lu, true);
    cleave_matrix_free(a);
}

static void matrix_cholesky(void)
{
    int32_t order[room];
    cleave_matrix *a = laplacian_of_case(), *l = a;
    cleave_status status = cleave_matrix_cholesky(&l, order, a, NULL, &err);
    check_factor(status, l, is_symmetric());
    cleave_matrix_free(a);
}

/* ---- Vectors, and memory ---------------------------------------------------------------- */

static void vectors_write(void)
{
    double values[2 * room];
    for (int i = 0; i < 2 * room; i++)
        values[i] = 1.0 / (i + 3);
    CHECK_OK(
        cleave_vectors_write(values, edge_csr->nvtx, 2, edge_scratch("edge-case.vec"), &err));
}

static void vectors_read(void)
{
    double values[2 * room];
    vectors_write();
    REQUIRE_OK(
        cleave_vectors_read(values, edge_csr->nvtx, 2, edge_scratch("edge-case.vec"), &err));
    for (int i = 0; i < 2 * edge_csr->nvtx; i++)
        CHECK(values[i] == 1.0 / (i + 3));
}

/* Does not depend on the graph and is slow: run once. */
static void bandwidth_measure(void)
{
    static double bytes = 0;
    if (bytes == 0)
        CHECK_OK(cleave_bandwidth_measure(&bytes, 1, &err));
    CHECK(bytes > 0);
}

/* ---- Graphs that are made ------------------------------------------------------------- */

static void graph_factor(void)
{
    static const char *const orders[] = {NULL, "natural", "mindeg"};
    for (int i = 0; i < 3; i++) {
        cleave_graph *factor = (cleave_graph *)&err;
        cleave_status status = cleave_graph_factor(&factor, edge_graph, orders[i], NULL, &err);
        CHECK_EQ(status, edge_csr->kind == CLEAVE_DAG ? CLEAVE_EINVAL : CLEAVE_OK);
        CHECK((factor != NULL) == (status == CLEAVE_OK));
        if (status == CLEAVE_OK) {
            CHECK_EQ(cleave_graph_kind(factor), CLEAVE_DAG);
            CHECK_EQ(cleave_graph_vertices(factor), edge_csr->nvtx);
            CHECK(cleave_graph_edges(factor) >= cleave_graph_edges(edge_graph));
        }
        cleave_graph_free(factor);
    }
}

/* Does not depend on the graph, only on its number of vertices. */
static void graph_generate(void)
{
    char spec[64];
    cleave_graph *g;
    snprintf(spec, sizeof spec, "gnp:%d:1", (int)edge_csr->nvtx);
    cleave_status status = cleave_graph_generate(&g, spec, NULL, &err);
    CHECK(status == CLEAVE_OK || (status == CLEAVE_EINVAL && edge_csr->nvtx == 0 && !g));
    if (status != CLEAVE_OK)
        return;
    int64_t n = edge_csr->nvtx;
    CHECK(cleave_graph_vertices(g) == n && cleave_graph_edges(g) == n * (n - 1) / 2);
    cleave_graph_free(g);
}

const api_test edge_matrices[] = {
    {"cleave_graph_factor", graph_factor},
    {"cleave_graph_generate", graph_generate},
    {"cleave_matrix_create", matrix_create},
    {"cleave_matrix_write", matrix_write},
    {"cleave_matrix_read", matrix_read},
    {"cleave_matrix_factor", matrix_factor},
    {"cleave_matrix_ic0", matrix_ic0},
    {"cleave_matrix_ilu0", matrix_ilu0},
    {"cleave_matrix_cholesky", matrix_cholesky},
    {"cleave_vectors_read", vectors_read},
    {"cleave_vectors_write", vectors_write},
    {"cleave_bandwidth_measure", bandwidth_measure},
    {NULL, NULL},
};
