/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: matrices. */
#include "api/null_call.h"

static cleave_error err;

/* 1 x 1. */
static cleave_matrix *one(void)
{
    static const int64_t xadj[] = {0, 1};
    static const int32_t col[] = {0};
    static const double val[] = {1};
    cleave_matrix *a = NULL;
    cleave_matrix_csr csr = {sizeof csr, 1, 1, xadj, col, val};
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    return a;
}

static void matrix_read(void)
{
    cleave_matrix *a;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.size = 1;
    REFUSED_READ(cleave_matrix, cleave_matrix_read, NULL, e);
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_read(&a, "x", &opt, e),
                "opt.size is 1; call its _init function first");
}

static void matrix_create(void)
{
    static const int64_t xadj[] = {0, 1}, late[] = {1, 1}, falling[] = {0, 1, 0};
    static const int32_t col[] = {0}, far[] = {1};
    static const double val[] = {1};
    cleave_matrix *a;
    cleave_matrix_csr good = {sizeof good, 1, 1, xadj, col, val}, bad = good;
    REFUSED(cleave_matrix_create(NULL, &good, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, NULL, e), "csr is NULL");
    bad.size = 7;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e),
                "csr.size is 7; call its _init function first");
    bad = good;
    bad.xadj = NULL;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e), "xadj is NULL");
    bad.xadj = late;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e), "xadj[0] is not 0");
    bad.xadj = falling;
    bad.nrow = 2;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e),
                "xadj[2] is less than xadj[1]");
    bad = good;
    bad.col = NULL;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e), "col or val is NULL");
    bad = good;
    bad.val = NULL;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e), "col or val is NULL");
    bad = good;
    bad.col = far;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e),
                "entry 0 is in column 1, outside 0..0");
    bad = good;
    bad.nrow = -1;
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_create(&a, &bad, e), "the matrix is -1 x 1");
}

static void matrix_write(void)
{
    cleave_matrix *matrix = one();
    REFUSED_WRITE(cleave_matrix_write, matrix, "matrix");
    cleave_matrix_free(matrix);
}

/* ---- Factors ---------------------------------------------------------------------------- */

static void matrix_ic0(void)
{
    cleave_matrix *a = one(), *l;
    double shift = 5;
    REFUSED(cleave_matrix_ic0(NULL, a, &shift, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, l, cleave_matrix_ic0(&l, NULL, &shift, e),
                "the matrix is NULL");
    CHECK(shift == 5);
    CHECK_OK(cleave_matrix_ic0(&l, a, NULL, &err));
    cleave_matrix_free(a);
    cleave_matrix_free(l);
}

static void matrix_ilu0(void)
{
    cleave_matrix *a = one(), *lu;
    REFUSED(cleave_matrix_ilu0(NULL, a, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, lu, cleave_matrix_ilu0(&lu, NULL, e), "the matrix is NULL");
    cleave_matrix_free(a);
}

static void matrix_cholesky(void)
{
    int32_t order[] = {7};
    cleave_matrix *a = one(), *l;
    REFUSED(cleave_matrix_cholesky(NULL, order, a, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, l, cleave_matrix_cholesky(&l, order, NULL, NULL, e),
                "the matrix is NULL");
    REFUSED_OUT(cleave_matrix, l, cleave_matrix_cholesky(&l, order, a, "nested", e),
                "order is \"nested\"; expected natural or mindeg");
    CHECK_EQ(order[0], 7);
    CHECK_OK(cleave_matrix_cholesky(&l, NULL, a, NULL, &err));
    cleave_matrix_free(a);
    cleave_matrix_free(l);
}

/* ---- Vectors, and memory ---------------------------------------------------------------- */

static void vectors_read(void)
{
    double values[2];
    REFUSED(cleave_vectors_read(NULL, 2, 1, "x", e), "values is NULL");
    REFUSED(cleave_vectors_read(values, 2, 1, NULL, e), "path is NULL");
    REFUSED(cleave_vectors_read(values, -2, 1, "x", e), "the vectors are -2 x 1");
}

static void vectors_write(void)
{
    const double values[2] = {0};
    REFUSED(cleave_vectors_write(NULL, 2, 1, "x", e), "values is NULL");
    REFUSED(cleave_vectors_write(values, 2, 1, NULL, e), "path is NULL");
    REFUSED(cleave_vectors_write(values, 2, -1, "x", e), "the vectors are 2 x -1");
}

static void bandwidth_measure(void)
{
    double bytes = -1;
    REFUSED(cleave_bandwidth_measure(NULL, 1, e), "bytes_per_second is NULL");
    REFUSED(cleave_bandwidth_measure(&bytes, 5000, e),
            "5000 threads requested; 0 to 4096 are possible");
    CHECK(bytes == -1);
    CHECK_OK(cleave_bandwidth_measure(&bytes, 2, &err));
    CHECK(bytes > 1e6 && bytes < 1e14);
}

static void matrix_factor(void)
{
    cleave_matrix *a;
    REFUSED(cleave_matrix_factor(NULL, null_grid, NULL, NULL, 1, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_factor(&a, NULL, NULL, NULL, 1, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_factor(&a, null_dag, NULL, NULL, 1, e),
                "a DAG has no factor; an undirected graph has");
}

static const api_test functions[] = {
    {"cleave_matrix_read", matrix_read},
    {"cleave_matrix_create", matrix_create},
    {"cleave_matrix_write", matrix_write},
    {"cleave_matrix_factor", matrix_factor},
    {"cleave_matrix_ic0", matrix_ic0},
    {"cleave_matrix_ilu0", matrix_ilu0},
    {"cleave_matrix_cholesky", matrix_cholesky},
    {"cleave_vectors_read", vectors_read},
    {"cleave_vectors_write", vectors_write},
    {"cleave_bandwidth_measure", bandwidth_measure},
    {NULL, NULL},
};

const null_group null_matrix = {.functions = functions};
