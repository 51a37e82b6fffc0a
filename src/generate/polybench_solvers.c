/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench_solvers.c - PolyBench kernels that factor or solve: durbin, lu,
 * ludcmp, trisolv. */
#include "generate/polybench_kernel.h"

/* Levinson-Durbin recursion for a Toeplitz system */
static double durbin_vertices(const int *n)
{
    double order = n[0];
    return 2 + order + 6 * (order - 1) + 2 * order * (order - 1);
}

static void durbin(clv_trace *t, const int *n)
{
    int order = n[0];
    value *r = vector(t, order), *y = vector(t, order), *z = vector(t, order);
    if (!clv_trace_ready(t))
        return;
    y[0] = negative(t, r[0]);
    value beta = literal, alpha = negative(t, r[0]);
    for (int k = 1; k < order; k++) {
        beta = times(t, minus(t, literal, times(t, alpha, alpha)), beta);
        value sum = literal;
        for (int i = 0; i < k; i++)
            sum = plus(t, sum, times(t, r[k - i - 1], y[i]));
        alpha = over(t, negative(t, plus(t, r[k], sum)), beta);
        for (int i = 0; i < k; i++)
            z[i] = plus(t, y[i], times(t, alpha, y[k - i - 1]));
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

/* A = L U in place, without pivoting, row by row */
static double lu_vertices(const int *n)
{
    double order = n[0];
    return order * order + order * order * (order - 1) -
           (order - 1) * order * (2 * order - 1) / 6;
}

static void lu(clv_trace *t, const int *n)
{
    int order = n[0];
    value(*A)[order] = matrix(t, order, order);
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < order; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] = minus(t, A[i][j], times(t, A[i][k], A[k][j]));
            A[i][j] = over(t, A[i][j], A[j][j]);
        }
        for (int j = i; j < order; j++)
            for (int k = 0; k < i; k++)
                A[i][j] = minus(t, A[i][j], times(t, A[i][k], A[k][j]));
    }
}

/* A = L U, L y = b, U x = y */
static double ludcmp_vertices(const int *n)
{
    return lu_vertices(n) + 2.0 * n[0] * n[0];
}

static void decompose(clv_trace *t, int order, value (*A)[order])
{
    for (int i = 0; i < order; i++) {
        for (int j = 0; j < i; j++) {
            value w = A[i][j];
            for (int k = 0; k < j; k++)
                w = minus(t, w, times(t, A[i][k], A[k][j]));
            A[i][j] = over(t, w, A[j][j]);
        }
        for (int j = i; j < order; j++) {
            value w = A[i][j];
            for (int k = 0; k < i; k++)
                w = minus(t, w, times(t, A[i][k], A[k][j]));
            A[i][j] = w;
        }
    }
}

static void ludcmp(clv_trace *t, const int *n)
{
    int order = n[0];
    value(*A)[order] = matrix(t, order, order), *b = vector(t, order);
    value *x = vector(t, order), *y = vector(t, order);
    if (!clv_trace_ready(t))
        return;
    decompose(t, order, A);
    for (int i = 0; i < order; i++) {
        value w = b[i];
        for (int j = 0; j < i; j++)
            w = minus(t, w, times(t, A[i][j], y[j]));
        y[i] = w;
    }
    for (int i = order - 1; i >= 0; i--) {
        value w = y[i];
        for (int j = i + 1; j < order; j++)
            w = minus(t, w, times(t, A[i][j], x[j]));
        x[i] = over(t, w, A[i][i]);
    }
}

/* L x = b */
static double trisolv_vertices(const int *n)
{
    double order = n[0];
    return order * (order + 1) / 2 + 2 * order + order * (order - 1);
}

static void trisolv(clv_trace *t, const int *n)
{
    int order = n[0];
    value(*L)[order] = matrix(t, order, order), *b = vector(t, order), *x = vector(t, order);
    if (!clv_trace_ready(t))
        return;
    for (int i = 0; i < order; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] = minus(t, x[i], times(t, L[i][j], x[j]));
        x[i] = over(t, x[i], L[i][i]);
    }
}

const clv_polybench_kernel clv_polybench_solvers[] = {
    {"durbin", {"N"}, {250}, durbin_vertices, durbin},
    {"lu", {"N"}, {80}, lu_vertices, lu},
    {"ludcmp", {"N"}, {80}, ludcmp_vertices, ludcmp},
    {"trisolv", {"N"}, {400}, trisolv_vertices, trisolv},
    {0},
};
