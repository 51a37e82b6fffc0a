/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench_blas.c - PolyBench kernels that are routines of the BLAS: gemm,
 * gemver, gesummv, symm, syr2k, syrk, trmm. */
#include "generate/polybench_kernel.h"

/* C = alpha A B + beta C */
static double gemm_vertices(const int *n)
{
    double ni = n[0], nj = n[1], nk = n[2];
    return 2 * ni * nj + ni * nk + nk * nj + 3 * ni * nj * nk;
}

static void gemm(clv_trace *t, const int *n)
{
    int ni = n[0], nj = n[1], nk = n[2];
    value(*A)[nk] = matrix(t, ni, nk), (*B)[nj] = matrix(t, nk, nj);
    value(*C)[nj] = matrix(t, ni, nj), alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] = times(t, C[i][j], beta);
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] = plus(t, C[i][j], times(t, times(t, alpha, A[i][k]), B[k][j]));
    }
}

/* A = A + u1 v1' + u2 v2', x = x + beta A' y + z, w = w + alpha A x */
static double gemver_vertices(const int *n)
{
    return 11.0 * n[0] * n[0] + 9.0 * n[0];
}

static void gemver(clv_trace *t, const int *n)
{
    int size = n[0];
    value(*A)[size] = matrix(t, size, size), alpha = literal, beta = literal;
    value *u_1 = vector(t, size), *v_1 = vector(t, size);
    value *u_2 = vector(t, size), *v_2 = vector(t, size);
    value *w = vector(t, size), *x = vector(t, size);
    value *y = vector(t, size), *z = vector(t, size);
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            A[i][j] = plus(t, A[i][j], times(t, u_1[i], v_1[j]));
            A[i][j] = plus(t, A[i][j], times(t, u_2[i], v_2[j]));
        }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            x[i] = plus(t, x[i], times(t, times(t, beta, A[j][i]), y[j]));
    for (int i = 0; i < size; i++)
        x[i] = plus(t, x[i], z[i]);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            w[i] = plus(t, w[i], times(t, times(t, alpha, A[i][j]), x[j]));
}

/* y = alpha A x + beta B x */
static double gesummv_vertices(const int *n)
{
    return 6.0 * n[0] * n[0] + 4.0 * n[0];
}

static void gesummv(clv_trace *t, const int *n)
{
    int size = n[0];
    value(*A)[size] = matrix(t, size, size), (*B)[size] = matrix(t, size, size);
    value *tmp = vector(t, size), *x = vector(t, size), *y = vector(t, size);
    value alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < size; i++) {
        tmp[i] = literal;
        y[i] = literal;
        for (int j = 0; j < size; j++) {
            tmp[i] = plus(t, times(t, A[i][j], x[j]), tmp[i]);
            y[i] = plus(t, times(t, B[i][j], x[j]), y[i]);
        }
        value first = times(t, alpha, tmp[i]);
        y[i] = plus(t, first, times(t, beta, y[i]));
    }
}

/* C = alpha A B + beta C, only the lower triangle of the symmetric A */
static double symm_vertices(const int *n)
{
    double m = n[0], columns = n[1];
    return 5 * columns * m * (m - 1) / 2 + 8 * m * columns + m * (m + 1) / 2;
}

static void symm(clv_trace *t, const int *n)
{
    int m = n[0], columns = n[1];
    value(*A)[m] = matrix(t, m, m), (*B)[columns] = matrix(t, m, columns);
    value(*C)[columns] = matrix(t, m, columns), alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < columns; j++) {
            value temp_2 = literal;
            for (int k = 0; k < i; k++) {
                C[k][j] = plus(t, C[k][j], times(t, times(t, alpha, B[i][j]), A[i][k]));
                temp_2 = plus(t, temp_2, times(t, B[k][j], A[i][k]));
            }
            C[i][j] = times(t, beta, C[i][j]);
            C[i][j] = plus(t, C[i][j], times(t, times(t, alpha, B[i][j]), A[i][i]));
            C[i][j] = plus(t, C[i][j], times(t, alpha, temp_2));
        }
}

/* C = alpha (A B' + B A') + beta C, all of C */
static double syr2k_vertices(const int *n)
{
    double m = n[0], order = n[1];
    return 2 * order * order + 6 * order * order * m + 2 * order * m;
}

static void syr2k(clv_trace *t, const int *n)
{
    int m = n[0], order = n[1];
    value(*A)[m] = matrix(t, order, m), (*B)[m] = matrix(t, order, m);
    value(*C)[order] = matrix(t, order, order), alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < order; i++) {
        for (int j = 0; j < order; j++)
            C[i][j] = times(t, C[i][j], beta);
        for (int k = 0; k < m; k++)
            for (int j = 0; j < order; j++) {
                value first = times(t, times(t, A[j][k], alpha), B[i][k]);
                value second = times(t, times(t, B[j][k], alpha), A[i][k]);
                C[i][j] = plus(t, C[i][j], plus(t, first, second));
            }
    }
}

/* C = alpha A A' + beta C, the lower triangle of C */
static double syrk_vertices(const int *n)
{
    double m = n[0], order = n[1];
    return order * (order + 1) / 2 * (2 + 3 * m) + order * m;
}

static void syrk(clv_trace *t, const int *n)
{
    int m = n[0], order = n[1];
    value(*A)[m] = matrix(t, order, m), (*C)[order] = matrix(t, order, order);
    value alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < order; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] = times(t, C[i][j], beta);
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] = plus(t, C[i][j], times(t, times(t, alpha, A[i][k]), A[j][k]));
    }
}

/* B = alpha A' B, with A unit lower triangular */
static double trmm_vertices(const int *n)
{
    double m = n[0], columns = n[1];
    return columns * m * (m - 1) + 2 * m * columns + m * (m - 1) / 2;
}

static void trmm(clv_trace *t, const int *n)
{
    int m = n[0], columns = n[1];
    value(*A)[m] = matrix(t, m, m), (*B)[columns] = matrix(t, m, columns), alpha = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < columns; j++) {
            for (int k = i + 1; k < m; k++)
                B[i][j] = plus(t, B[i][j], times(t, A[k][i], B[k][j]));
            B[i][j] = times(t, alpha, B[i][j]);
        }
}

const clv_polybench_kernel clv_polybench_blas[] = {
    {"gemm", {"NI", "NJ", "NK"}, {60, 70, 80}, gemm_vertices, gemm},
    {"gemver", {"N"}, {120}, gemver_vertices, gemver},
    {"gesummv", {"N"}, {250}, gesummv_vertices, gesummv},
    {"symm", {"M", "N"}, {40, 60}, symm_vertices, symm},
    {"syr2k", {"M", "N"}, {20, 30}, syr2k_vertices, syr2k},
    {"syrk", {"M", "N"}, {60, 80}, syrk_vertices, syrk},
    {"trmm", {"M", "N"}, {60, 80}, trmm_vertices, trmm},
    {0},
};
