/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_dense.c - symmetric eigenvalue problem: Householder tridiagonalisation, then
 * implicit QR steps with Wilkinson's shift [Golub, Van Loan, Matrix Computations, 8.3].
 *
 * The basis is stored by rows, so that a rotation accesses memory contiguously. */
#include "order/fiedler_dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double epsilon = 0x1.0p-52;
enum { most_steps = 60 }; /* QR steps per eigenvalue; three are typical */

/* The Householder reflection 1 - 2 v v'/v'v that maps x (of length m) to a multiple of the
 * first axis.  v overwrites x.  Returns 2 / v'v, or 0 if x is on the axis already; *onto: the
 * multiple. */
static double reflection(int32_t m, double *x, double *onto)
{
    double rest = 0;
    for (int32_t i = 1; i < m; i++)
        rest += x[i] * x[i];
    *onto = x[0];
    if (!(rest > 0))
        return 0;
    double norm = sqrt(x[0] * x[0] + rest);
    *onto = x[0] > 0 ? -norm : norm;
    x[0] -= *onto;
    return 2 / (x[0] * x[0] + rest);
}

/* Applies the reflection from both sides to the trailing block of order m (rows of length n);
 * p: m. */
static void reflect_block(int32_t n, int32_t m, double *block, const double *v, double factor,
                          double *p)
{
    double vp = 0;
    for (int32_t i = 0; i < m; i++) {
        const double *row = block + (int64_t)i * n;
        double sum = 0;
        for (int32_t j = 0; j < m; j++)
            sum += row[j] * v[j];
        p[i] = factor * sum;
        vp += v[i] * p[i];
    }
    vp *= factor / 2;
    for (int32_t i = 0; i < m; i++)
        p[i] -= vp * v[i];
    for (int32_t i = 0; i < m; i++) {
        double *row = block + (int64_t)i * n;
        for (int32_t j = 0; j < m; j++)
            row[j] -= v[i] * p[j] + p[i] * v[j];
    }
}

/* Reduces a to tridiagonal form: diagonal d, off-diagonal e (n - 1).  The vector of the k-th
 * reflection stays in row k of a, right of the diagonal; its factor is factor[k]. */
static void reduce(int32_t n, double *a, double *d, double *e, double *factor, double *p)
{
    for (int32_t k = 0; k < n; k++) {
        double *row = a + (int64_t)k * n;
        int32_t m = n - k - 1;
        d[k] = row[k];
        factor[k] = 0;
        if (m == 0)
            break;
        factor[k] = reflection(m, row + k + 1, &e[k]);
        if (factor[k] > 0)
            reflect_block(n, m, row + n + k + 1, row + k + 1, factor[k], p);
    }
}

/* Row i of basis is the i-th axis of the tridiagonal form in the original coordinates. */
static void form_basis(int32_t n, const double *a, const double *factor, double *basis)
{
    memset(basis, 0, (size_t)n * (size_t)n * sizeof *basis);
    for (int32_t i = 0; i < n; i++)
        basis[(int64_t)i * n + i] = 1;
    /* Backward accumulation: the reflections applied so far only fill the trailing block. */
    for (int32_t k = n - 2; k >= 0; k--) {
        const double *v = a + (int64_t)k * n + k + 1;
        int32_t m = n - k - 1;
        for (int32_t i = 0; factor[k] > 0 && i < m; i++) {
            double *row = basis + (int64_t)(k + 1 + i) * n + k + 1, sum = 0;
            for (int32_t j = 0; j < m; j++)
                sum += row[j] * v[j];
            sum *= factor[k];
            for (int32_t j = 0; j < m; j++)
                row[j] -= sum * v[j];
        }
    }
}

static void rotate(int32_t n, double c, double s, double *row, double *next)
{
    for (int32_t i = 0; i < n; i++) {
        double x = row[i], y = next[i];
        row[i] = c * x + s * y;
        next[i] = c * y - s * x;
    }
}

/* One implicit QR step on the unreduced block low..high. */
static void chase(int32_t n, int32_t low, int32_t high, double *d, double *e, double *basis)
{
    double half = (d[high - 1] - d[high]) / 2, off = e[high - 1];
    double root = sqrt(half * half + off * off);
    double x = d[low] - (d[high] - off * off / (half >= 0 ? half + root : half - root));
    double z = e[low];
    for (int32_t k = low; k < high; k++) {
        double r = sqrt(x * x + z * z);
        double c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
        double a = d[k], b = e[k], g = d[k + 1];
        if (k > low)
            e[k - 1] = r;
        d[k] = c * c * a + 2 * c * s * b + s * s * g;
        d[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
        e[k] = c * s * (g - a) + (c * c - s * s) * b;
        x = e[k];
        if (k < high - 1) {
            z = s * e[k + 1];
            e[k + 1] *= c;
        }
        rotate(n, c, s, basis + (int64_t)k * n, basis + (int64_t)(k + 1) * n);
    }
}

static bool negligible(const double *d, const double *e, int32_t k, double least)
{
    double off = e[k] < 0 ? -e[k] : e[k];
    double near = (d[k] < 0 ? -d[k] : d[k]) + (d[k + 1] < 0 ? -d[k + 1] : d[k + 1]);
    return off <= epsilon * near || off <= least;
}

static void diagonalise(int32_t n, double *d, double *e, double *basis)
{
    /* Off-diagonal entries this small relative to the matrix are rounding errors. */
    double largest = 0;
    for (int32_t k = 0; k < n; k++) {
        double size = (d[k] < 0 ? -d[k] : d[k]) + (k + 1 < n ? (e[k] < 0 ? -e[k] : e[k]) : 0);
        largest = size > largest ? size : largest;
    }
    double least = largest * 0x1.0p-60;
    int32_t high = n - 1;
    for (int64_t step = 0; high > 0 && step < (int64_t)most_steps * n; step++) {
        if (negligible(d, e, high - 1, least)) {
            high--;
            continue;
        }
        int32_t low = high - 1;
        while (low > 0 && !negligible(d, e, low - 1, least))
            low--;
        chase(n, low, high, d, e, basis);
    }
}

/* Copies the rows of the basis to a by ascending eigenvalue; ties keep their order. */
static void arrange(int32_t n, const double *basis, const double *d, double *a, double *values)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t place = 0;
        for (int32_t j = 0; j < n; j++)
            place += d[j] < d[i] || (!(d[i] < d[j]) && j < i);
        values[place] = d[i];
        memcpy(a + (int64_t)place * n, basis + (int64_t)i * n, (size_t)n * sizeof *a);
    }
}

void clv_dense_eigen(int32_t n, double *a, double *values, double *scratch)
{
    double *d = scratch, *e = d + n, *factor = e + n, *basis = factor + n;
    if (n == 0)
        return;
    reduce(n, a, d, e, factor, values);
    form_basis(n, a, factor, basis);
    diagonalise(n, d, e, basis);
    arrange(n, basis, d, a, values);
}
