/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench_stencils.c - PolyBench kernels that sweep over a grid step by step:
 * adi, fdtd-2d, heat-3d, jacobi-1d, jacobi-2d, seidel-2d. */
#include "generate/polybench_kernel.h"

/* Number of points on a line of n points that have neighbours on both sides. */
static double inner(int n)
{
    return n > 2 ? n - 2.0 : 0.0;
}

/* ---- Alternating directions -------------------------------------------------------- */

static double adi_vertices(const int *n)
{
    double steps = n[0], m = inner(n[1]);
    return 15 + m * n[1] + 38 * steps * m * m;
}

/* Coefficients of the two tridiagonal systems: a, b, c along the columns, d, e, f along the
 * rows. */
typedef struct adi_coefficients {
    value a, b, c, d, e, f;
} adi_coefficients;

/* Each operation on the scalar parameters is one vertex. */
static adi_coefficients adi_set_up(clv_trace *t)
{
    value size = literal, steps = literal, one = literal, two = literal;
    value b_1 = literal, b_2 = literal;
    value dx = over(t, one, size), dy = over(t, one, size), dt = over(t, one, steps);
    value mul_1 = times(t, b_1, dt), mul_2 = times(t, b_2, dt);
    mul_1 = over(t, mul_1, times(t, dx, dx));
    mul_2 = over(t, mul_2, times(t, dy, dy));
    adi_coefficients k;
    k.a = over(t, negative(t, mul_1), two);
    k.b = plus(t, one, mul_1);
    k.c = k.a;
    k.d = over(t, negative(t, mul_2), two);
    k.e = plus(t, one, mul_2);
    k.f = k.d;
    return k;
}

/* (-x left + (1 + 2 x) middle - y right - z before) / below */
static value adi_solve(clv_trace *t, value x, value left, value middle, value y, value right,
                       value z, value before, value below)
{
    value sum = times(t, negative(t, x), left);
    sum = plus(t, sum, times(t, plus(t, literal, times(t, literal, x)), middle));
    sum = minus(t, sum, times(t, y, right));
    return over(t, minus(t, sum, times(t, z, before)), below);
}

static void adi_columns(clv_trace *t, const adi_coefficients *k, int n, value (*u)[n],
                        value (*v)[n], value (*p)[n], value (*q)[n])
{
    for (int i = 1; i < n - 1; i++) {
        v[0][i] = literal;
        p[i][0] = literal;
        q[i][0] = v[0][i];
        for (int j = 1; j < n - 1; j++) {
            value below = plus(t, times(t, k->a, p[i][j - 1]), k->b);
            p[i][j] = over(t, negative(t, k->c), below);
            below = plus(t, times(t, k->a, p[i][j - 1]), k->b);
            q[i][j] = adi_solve(t, k->d, u[j][i - 1], u[j][i], k->f, u[j][i + 1], k->a,
                                q[i][j - 1], below);
        }
        v[n - 1][i] = literal;
        for (int j = n - 2; j >= 1; j--)
            v[j][i] = plus(t, times(t, p[i][j], v[j + 1][i]), q[i][j]);
    }
}

static void adi_rows(clv_trace *t, const adi_coefficients *k, int n, value (*u)[n],
                     value (*v)[n], value (*p)[n], value (*q)[n])
{
    for (int i = 1; i < n - 1; i++) {
        u[i][0] = literal;
        p[i][0] = literal;
        q[i][0] = u[i][0];
        for (int j = 1; j < n - 1; j++) {
            value below = plus(t, times(t, k->d, p[i][j - 1]), k->e);
            p[i][j] = over(t, negative(t, k->f), below);
            below = plus(t, times(t, k->d, p[i][j - 1]), k->e);
            q[i][j] = adi_solve(t, k->a, v[i - 1][j], v[i][j], k->c, v[i + 1][j], k->d,
                                q[i][j - 1], below);
        }
        u[i][n - 1] = literal;
        for (int j = n - 2; j >= 1; j--)
            u[i][j] = plus(t, times(t, p[i][j], u[i][j + 1]), q[i][j]);
    }
}

static void adi(clv_trace *t, const int *n)
{
    int steps = n[0], size = n[1];
    value(*u)[size] = matrix(t, size, size), (*v)[size] = matrix(t, size, size);
    value(*p)[size] = matrix(t, size, size), (*q)[size] = matrix(t, size, size);
    if (!clv_trace_ready(t))
        return;
    adi_coefficients k = adi_set_up(t);
    for (int step = 0; step < steps; step++) {
        adi_columns(t, &k, size, u, v, p, q);
        adi_rows(t, &k, size, u, v, p, q);
    }
}

/* ---- Maxwell's equations ----------------------------------------------------------- */

static double fdtd_2d_vertices(const int *n)
{
    double steps = n[0], nx = n[1], ny = n[2];
    double ex = nx * (ny - 1), ey = (nx - 1) * ny, hz = (nx - 1) * (ny - 1);
    double inputs = steps + ex + (nx - 1) + ey + nx * ny;
    return inputs + steps * (3 * ex + 3 * ey + 5 * hz);
}

static void fdtd_2d(clv_trace *t, const int *n)
{
    int steps = n[0], nx = n[1], ny = n[2];
    value(*ex)[ny] = matrix(t, nx, ny), (*ey)[ny] = matrix(t, nx, ny);
    value(*hz)[ny] = matrix(t, nx, ny), *fict = vector(t, steps), half = literal;
    if (!clv_trace_ready(t))
        return;
    for (int step = 0; step < steps; step++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = fict[step];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] =
                    minus(t, ey[i][j], times(t, half, minus(t, hz[i][j], hz[i - 1][j])));
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] =
                    minus(t, ex[i][j], times(t, half, minus(t, hz[i][j], hz[i][j - 1])));
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++) {
                value curl = minus(t, ex[i][j + 1], ex[i][j]);
                curl = minus(t, plus(t, curl, ey[i + 1][j]), ey[i][j]);
                hz[i][j] = minus(t, hz[i][j], times(t, literal, curl));
            }
    }
}

/* ---- Heat -------------------------------------------------------------------------- */

static double heat_3d_vertices(const int *n)
{
    double steps = n[0], m = inner(n[1]);
    return (30 * steps + 1) * m * m * m + 12 * m * m;
}

/* 0.125 (after - 2 middle + before) */
static value heat_flow(clv_trace *t, value after, value middle, value before)
{
    value difference = minus(t, after, times(t, literal, middle));
    return times(t, literal, plus(t, difference, before));
}

static void heat_step(clv_trace *t, int n, value (*to)[n][n], value (*A)[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                value x = heat_flow(t, A[i + 1][j][k], A[i][j][k], A[i - 1][j][k]);
                value y = heat_flow(t, A[i][j + 1][k], A[i][j][k], A[i][j - 1][k]);
                value z = heat_flow(t, A[i][j][k + 1], A[i][j][k], A[i][j][k - 1]);
                to[i][j][k] = plus(t, plus(t, plus(t, x, y), z), A[i][j][k]);
            }
}

static void heat_3d(clv_trace *t, const int *n)
{
    int steps = n[0], size = n[1];
    value(*A)[size][size] = cube(t, size, size, size);
    value(*B)[size][size] = cube(t, size, size, size);
    if (!clv_trace_ready(t))
        return;
    for (int step = 0; step < steps; step++) {
        heat_step(t, size, B, A);
        heat_step(t, size, A, B);
    }
}

/* ---- Averages over neighbours ------------------------------------------------------ */

static double jacobi_1d_vertices(const int *n)
{
    return 6.0 * n[0] * inner(n[1]) + n[1] + 2;
}

static void jacobi_1d_step(clv_trace *t, int n, value *to, const value *A)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = times(t, literal, plus(t, plus(t, A[i - 1], A[i]), A[i + 1]));
}

static void jacobi_1d(clv_trace *t, const int *n)
{
    int steps = n[0], size = n[1];
    value *A = vector(t, size), *B = vector(t, size);
    if (!clv_trace_ready(t))
        return;
    for (int step = 0; step < steps; step++) {
        jacobi_1d_step(t, size, B, A);
        jacobi_1d_step(t, size, A, B);
    }
}

static double jacobi_2d_vertices(const int *n)
{
    double steps = n[0], m = inner(n[1]);
    return (10 * steps + 1) * m * m + 8 * m;
}

static void jacobi_2d_step(clv_trace *t, int n, value (*to)[n], value (*A)[n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            value row = plus(t, plus(t, A[i][j], A[i][j - 1]), A[i][j + 1]);
            value sum = plus(t, plus(t, row, A[i + 1][j]), A[i - 1][j]);
            to[i][j] = times(t, literal, sum);
        }
}

static void jacobi_2d(clv_trace *t, const int *n)
{
    int steps = n[0], size = n[1];
    value(*A)[size] = matrix(t, size, size), (*B)[size] = matrix(t, size, size);
    if (!clv_trace_ready(t))
        return;
    for (int step = 0; step < steps; step++) {
        jacobi_2d_step(t, size, B, A);
        jacobi_2d_step(t, size, A, B);
    }
}

static double seidel_2d_vertices(const int *n)
{
    double steps = n[0], size = n[1], m = inner(n[1]);
    return 9 * steps * m * m + size * size;
}

static void seidel_2d(clv_trace *t, const int *n)
{
    int steps = n[0], size = n[1];
    value(*A)[size] = matrix(t, size, size);
    if (!clv_trace_ready(t))
        return;
    for (int step = 0; step < steps; step++)
        for (int i = 1; i < size - 1; i++)
            for (int j = 1; j < size - 1; j++) {
                value sum = plus(t, plus(t, A[i - 1][j - 1], A[i - 1][j]), A[i - 1][j + 1]);
                sum = plus(t, plus(t, plus(t, sum, A[i][j - 1]), A[i][j]), A[i][j + 1]);
                sum = plus(t, plus(t, sum, A[i + 1][j - 1]), A[i + 1][j]);
                A[i][j] = over(t, plus(t, sum, A[i + 1][j + 1]), literal);
            }
}

const clv_polybench_kernel clv_polybench_stencils[] = {
    {"adi", {"TSTEPS", "N"}, {20, 30}, adi_vertices, adi},
    {"fdtd-2d", {"TSTEPS", "NX", "NY"}, {20, 30, 40}, fdtd_2d_vertices, fdtd_2d},
    {"heat-3d", {"TSTEPS", "N"}, {20, 10}, heat_3d_vertices, heat_3d},
    {"jacobi-1d", {"TSTEPS", "N"}, {100, 400}, jacobi_1d_vertices, jacobi_1d},
    {"jacobi-2d", {"TSTEPS", "N"}, {20, 30}, jacobi_2d_vertices, jacobi_2d},
    {"seidel-2d", {"TSTEPS", "N"}, {20, 40}, seidel_2d_vertices, seidel_2d},
    {0},
};
