/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench_products.c - PolyBench kernels that chain matrix products: 2mm, 3mm,
 * atax, mvt, doitgen, and covariance, which is a product of centred data with itself. */
#include "generate/polybench_kernel.h"

/* D = alpha A B C + beta D */
static double two_products_vertices(const int *n)
{
    double ni = n[0], nj = n[1], nk = n[2], nl = n[3];
    return ni * nk + nk * nj + nj * nl + 2 * ni * nl + 3 * ni * nj * nk + 2 * ni * nj * nl;
}

static void two_products(clv_trace *t, const int *n)
{
    int ni = n[0], nj = n[1], nk = n[2], nl = n[3];
    value(*A)[nk] = matrix(t, ni, nk), (*B)[nj] = matrix(t, nk, nj);
    value(*C)[nl] = matrix(t, nj, nl), (*D)[nl] = matrix(t, ni, nl);
    value(*tmp)[nj] = matrix(t, ni, nj), alpha = literal, beta = literal;
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = literal;
            for (int k = 0; k < nk; k++)
                tmp[i][j] = plus(t, tmp[i][j], times(t, times(t, alpha, A[i][k]), B[k][j]));
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] = times(t, D[i][j], beta);
            for (int k = 0; k < nj; k++)
                D[i][j] = plus(t, D[i][j], times(t, tmp[i][k], C[k][j]));
        }
}

/* G = (A B) (C D) */
static double three_products_vertices(const int *n)
{
    double ni = n[0], nj = n[1], nk = n[2], nl = n[3], nm = n[4];
    return ni * nk + nk * nj + nj * nm + nm * nl +
           2 * (ni * nj * nk + nj * nl * nm + ni * nl * nj);
}

static void three_products(clv_trace *t, const int *n)
{
    int ni = n[0], nj = n[1], nk = n[2], nl = n[3], nm = n[4];
    value(*A)[nk] = matrix(t, ni, nk), (*B)[nj] = matrix(t, nk, nj);
    value(*C)[nm] = matrix(t, nj, nm), (*D)[nl] = matrix(t, nm, nl);
    value(*E)[nj] = matrix(t, ni, nj), (*F)[nl] = matrix(t, nj, nl);
    value(*G)[nl] = matrix(t, ni, nl);
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            E[i][j] = literal;
            for (int k = 0; k < nk; k++)
                E[i][j] = plus(t, E[i][j], times(t, A[i][k], B[k][j]));
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            F[i][j] = literal;
            for (int k = 0; k < nm; k++)
                F[i][j] = plus(t, F[i][j], times(t, C[i][k], D[k][j]));
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            G[i][j] = literal;
            for (int k = 0; k < nj; k++)
                G[i][j] = plus(t, G[i][j], times(t, E[i][k], F[k][j]));
        }
}

/* y = A' (A x) */
static double atax_vertices(const int *n)
{
    return 5.0 * n[0] * n[1] + n[1];
}

static void atax(clv_trace *t, const int *n)
{
    int rows = n[0], columns = n[1];
    value(*A)[columns] = matrix(t, rows, columns), *x = vector(t, columns);
    value *y = vector(t, columns), *tmp = vector(t, rows);
    if (!clv_trace_ready(t))
        return;
    for (int j = 0; j < columns; j++)
        y[j] = literal;
    for (int i = 0; i < rows; i++) {
        tmp[i] = literal;
        for (int j = 0; j < columns; j++)
            tmp[i] = plus(t, tmp[i], times(t, A[i][j], x[j]));
        for (int j = 0; j < columns; j++)
            y[j] = plus(t, y[j], times(t, A[i][j], tmp[i]));
    }
}

/* x1 = x1 + A y1, x2 = x2 + A' y2 */
static double mvt_vertices(const int *n)
{
    return 5.0 * n[0] * n[0] + 4.0 * n[0];
}

static void mvt(clv_trace *t, const int *n)
{
    int size = n[0];
    value(*A)[size] = matrix(t, size, size);
    value *x_1 = vector(t, size), *y_1 = vector(t, size);
    value *x_2 = vector(t, size), *y_2 = vector(t, size);
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            x_1[i] = plus(t, x_1[i], times(t, A[i][j], y_1[j]));
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            x_2[i] = plus(t, x_2[i], times(t, A[j][i], y_2[j]));
}

/* A[r][q][.] = A[r][q][.] C4 for all r and q */
static double doitgen_vertices(const int *n)
{
    double nr = n[0], nq = n[1], np = n[2];
    return 2 * nr * nq * np * np + nr * nq * np + np * np;
}

static void doitgen(clv_trace *t, const int *n)
{
    int nr = n[0], nq = n[1], np = n[2];
    value(*A)[nq][np] = cube(t, nr, nq, np), (*C4)[np] = matrix(t, np, np);
    value *sum = vector(t, np);
    if (!clv_trace_ready(t))
        return;
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = literal;
                for (int s = 0; s < np; s++)
                    sum[p] = plus(t, sum[p], times(t, A[r][q][s], C4[s][p]));
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
}

/* M variables observed N times */
static double covariance_vertices(const int *n)
{
    double m = n[0], observations = n[1];
    return 3 * observations * m + m + m * (m + 1) / 2 * (2 * observations + 2);
}

static void covariance(clv_trace *t, const int *n)
{
    int m = n[0], observations = n[1];
    value(*data)[m] = matrix(t, observations, m), (*cov)[m] = matrix(t, m, m);
    value *mean = vector(t, m), float_n = literal;
    if (!clv_trace_ready(t))
        return;
    for (int j = 0; j < m; j++) {
        mean[j] = literal;
        for (int i = 0; i < observations; i++)
            mean[j] = plus(t, mean[j], data[i][j]);
        mean[j] = over(t, mean[j], float_n);
    }
    for (int i = 0; i < observations; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = minus(t, data[i][j], mean[j]);
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = literal;
            for (int k = 0; k < observations; k++)
                cov[i][j] = plus(t, cov[i][j], times(t, data[k][i], data[k][j]));
            cov[i][j] = over(t, cov[i][j], minus(t, float_n, literal));
            cov[j][i] = cov[i][j];
        }
}

const clv_polybench_kernel clv_polybench_products[] = {
    {"2mm", {"NI", "NJ", "NK", "NL"}, {10, 20, 30, 40}, two_products_vertices, two_products},
    {"3mm",
     {"NI", "NJ", "NK", "NL", "NM"},
     {10, 20, 30, 40, 50},
     three_products_vertices,
     three_products},
    {"atax", {"M", "N"}, {210, 230}, atax_vertices, atax},
    {"covariance", {"M", "N"}, {50, 70}, covariance_vertices, covariance},
    {"doitgen", {"NR", "NQ", "NP"}, {10, 15, 20}, doitgen_vertices, doitgen},
    {"mvt", {"N"}, {200}, mvt_vertices, mvt},
    {0},
};
