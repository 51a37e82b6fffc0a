/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: matrices. */
#include "api/oom_call.h"

static cleave_error err;

static cleave_status matrix_result(cleave_status status, cleave_matrix *a, uint64_t *result)
{
    CHECK((a != NULL) == (status == CLEAVE_OK));
    if (a) {
        cleave_matrix_csr view = {.size = sizeof view};
        cleave_matrix_view(a, &view);
        size_t nnz = (size_t)view.xadj[view.nrow];
        *result = bytes_digest(view.col, nnz * sizeof *view.col) ^
                  bytes_digest(view.val, nnz * sizeof *view.val);
    }
    cleave_matrix_free(a);
    return status;
}

static cleave_status call_matrix_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_matrix *a = (cleave_matrix *)ints;
    cleave_status status = UNDER_TEST(cleave_matrix_read(&a, oom_input(detail), NULL, e));
    return matrix_result(status, a, result);
}

static cleave_status call_matrix_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_matrix *a = (cleave_matrix *)ints;
    double *val = (double *)longs;
    for (int64_t i = 0; i < undirected_csr.xadj[n]; i++)
        val[i] = (double)i;
    cleave_matrix_csr csr = {
        sizeof csr, n, n, unsorted_csr.xadj, unsorted_csr.adj, val,
    };
    cleave_status status = UNDER_TEST(cleave_matrix_create(&a, &csr, e));
    return matrix_result(status, a, result);
}

/* The lower triangle of the Laplacian of the grid, and 1 more on the diagonal. */
static cleave_matrix *make_laplacian(void)
{
    const cleave_csr *g = &undirected_csr;
    double *val = malloc(((size_t)g->xadj[n] + n) * sizeof *val);
    cleave_matrix *a = NULL;
    int64_t to = 0;
    for (int32_t v = 0; val && v < n; v++) {
        longs[v] = to;
        for (int64_t b = g->xadj[v]; b < g->xadj[v + 1] && g->adj[b] < v; b++) {
            ints[to] = g->adj[b];
            val[to++] = -1;
        }
        ints[to] = v;
        val[to++] = (double)(g->xadj[v + 1] - g->xadj[v]) + 1;
    }
    longs[n] = to;
    cleave_matrix_csr csr = {sizeof csr, n, n, longs, ints, val};
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    free(val);
    return a;
}

static cleave_status call_matrix_factors(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_matrix *symmetric = make_laplacian(), *a = (cleave_matrix *)ints;
    double shift = 0;
    cleave_status status;
    if (strcmp(detail, "ic0") == 0)
        status = UNDER_TEST(cleave_matrix_ic0(&a, symmetric, &shift, e));
    else if (strcmp(detail, "ilu0") == 0)
        status = UNDER_TEST(cleave_matrix_ilu0(&a, symmetric, e));
    else
        status = UNDER_TEST(cleave_matrix_cholesky(&a, more_ints, symmetric, detail, e));
    cleave_matrix_free(symmetric);
    return matrix_result(status, a, result);
}

static cleave_status call_matrix_factor(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_matrix *a = (cleave_matrix *)ints;
    cleave_status status =
        UNDER_TEST(cleave_matrix_factor(&a, undirected, detail, NULL, 7, e));
    return matrix_result(status, a, result);
}

static cleave_status call_vectors_write(const char *detail, uint64_t *result, cleave_error *e)
{
    static const double values[] = {1, 0.5, -3, 1e-9};
    cleave_status status =
        UNDER_TEST(cleave_vectors_write(values, 2, 2, oom_scratch(detail), e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_vectors_read(const char *detail, uint64_t *result, cleave_error *e)
{
    static const double values[] = {1, 0.5, -3, 1e-9};
    double again[4] = {0};
    CHECK_OK(cleave_vectors_write(values, 2, 2, oom_scratch(detail), &err));
    cleave_status status =
        UNDER_TEST(cleave_vectors_read(again, 2, 2, oom_scratch(detail), e));
    remove(oom_scratch(detail));
    *result = bytes_digest(again, sizeof again);
    return status;
}

static cleave_status call_bandwidth(const char *detail, uint64_t *result, cleave_error *e)
{
    double bytes = 0;
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_bandwidth_measure(&bytes, 2, e));
    CHECK((bytes > 0) == (status == CLEAVE_OK));
    *result = 1;
    return status;
}

static const oom_entry entries[] = {
    {"cleave_matrix_read", call_matrix_read, "u.mtx|g.mtx|v.mtx|v.mtx.gz"},
    {"cleave_matrix_create", call_matrix_create, ""},
    {"cleave_matrix_factor", call_matrix_factor, "natural|mindeg"},
    {"cleave_matrix_ic0", call_matrix_factors, "ic0"},
    {"cleave_matrix_ilu0", call_matrix_factors, "ilu0"},
    {"cleave_matrix_cholesky", call_matrix_factors, "natural|mindeg"},
    {"cleave_vectors_read", call_vectors_read, "v|v.gz"},
    {"cleave_vectors_write", call_vectors_write, "v|v.gz"},
    {"cleave_bandwidth_measure", call_bandwidth, ""},
    {NULL, NULL, NULL},
};

const oom_group oom_matrix = {.entries = entries};
