/* SPDX-License-Identifier: Apache-2.0 */
/* The system to solve, and its residual. */
#include "cli/run_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cleave_matrix_csr view_of(const cleave_matrix *a)
{
    cleave_matrix_csr view;
    cleave_matrix_csr_init(&view, sizeof view);
    cleave_matrix_view(a, &view);
    return view;
}

const char *cli_system_name(const cli_system *s)
{
    static const char *const names[] = {"triangle", "lower triangle", "upper triangle",
                                        "IC(0)",    "ILU(0)",         "exact factor"};
    return names[s->kind];
}

/* ---- The matrix ----------------------------------------------------------------------- */

/* Files without values have 1 everywhere; such a triangle is rarely intended, and few can be
 * solved with a meaningful residual. */
static bool has_no_values(const cleave_matrix_csr *a)
{
    int64_t count = a->xadj[a->nrow], ones = 0;
    while (ones < count && a->val[ones] == 1)
        ones++;
    return ones == count && count > 0;
}

/* Off-diagonal values are -1, diagonal values 1 plus their number in the row; for a triangle,
 * which may represent a symmetric matrix, also in the column. */
static cleave_status make_dominant(cleave_matrix **to, const cleave_matrix_csr *a,
                                   bool triangle, cleave_error *err)
{
    int32_t *above = cli_alloc(a->nrow, sizeof *above); /* or below */
    for (int32_t i = 0; triangle && i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            above[a->col[k]] += a->col[k] != i;
    int64_t *xadj = cli_alloc((int64_t)a->nrow + 1, sizeof *xadj), next = 0;
    int32_t *col = cli_alloc(a->xadj[a->nrow] + a->nrow, sizeof *col);
    double *val = cli_alloc(a->xadj[a->nrow] + a->nrow, sizeof *val);
    for (int32_t i = 0; i < a->nrow; i++) {
        double diagonal = 1 + above[i];
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            if (a->col[k] != i) {
                col[next] = a->col[k];
                val[next++] = -1;
                diagonal++;
            }
        col[next] = i;
        val[next++] = diagonal;
        xadj[i + 1] = next;
    }
    cleave_matrix_csr csr;
    cleave_matrix_csr_init(&csr, sizeof csr);
    csr.nrow = csr.ncol = a->nrow;
    csr.xadj = xadj;
    csr.col = col;
    csr.val = val;
    cleave_status status = cleave_matrix_create(to, &csr, err);
    free(above);
    free(xadj);
    free(col);
    free(val);
    return status;
}

/* Lower, upper, or neither of them. */
static cli_system_kind triangle_of(const cleave_matrix *matrix)
{
    cleave_matrix_csr a = view_of(matrix);
    bool below = false, above = false;
    for (int32_t i = 0; i < a.nrow && !(below && above); i++)
        if (a.xadj[i] < a.xadj[i + 1]) {
            below = below || a.col[a.xadj[i]] < i;
            above = above || a.col[a.xadj[i + 1] - 1] > i;
        }
    return below && above ? CLI_SYSTEM_ANY : above ? CLI_SYSTEM_UPPER : CLI_SYSTEM_LOWER;
}

static cleave_status give_values(cli_system *s, cleave_error *err)
{
    cleave_matrix_csr a = view_of(s->a);
    cleave_matrix *dominant = NULL;
    if (!has_no_values(&a))
        return CLEAVE_OK;
    cli_warn("all values are 1, as in a file without values: solving with -1 and a dominant "
             "diagonal instead");
    cleave_status status =
        make_dominant(&dominant, &a, triangle_of(s->a) != CLI_SYSTEM_ANY, err);
    if (status != CLEAVE_OK)
        return status;
    cleave_matrix_free(s->a);
    s->a = dominant;
    return CLEAVE_OK;
}

static void choose_triangle(cli_system *s)
{
    s->kind = triangle_of(s->a);
    if (s->kind != CLI_SYSTEM_ANY)
        return;
    cli_warn("the matrix is not triangular: solving with its lower triangle (--upper, --ic0, "
             "--ilu0 and --factor are others)");
    s->kind = CLI_SYSTEM_LOWER;
}

/* Whether values at transposed positions, where both exist, are equal up to rounding. */
static bool is_symmetric(const cleave_matrix *matrix)
{
    cleave_matrix_csr a = view_of(matrix);
    bool symmetric = true;
    int64_t *cursor =
        cli_alloc(a.nrow, sizeof *cursor); /* by row: entries that were visited */
    for (int32_t i = 0; i < a.nrow; i++)
        cursor[i] = a.xadj[i];
    for (int32_t i = 0; i < a.nrow && symmetric; i++)
        for (int64_t k = a.xadj[i]; k < a.xadj[i + 1]; k++) {
            int32_t j = a.col[k];
            while (cursor[j] < a.xadj[j + 1] && a.col[cursor[j]] < i)
                cursor[j]++;
            if (cursor[j] == a.xadj[j + 1] || a.col[cursor[j]] != i)
                continue;
            double x = a.val[k], y = a.val[cursor[j]];
            symmetric = symmetric && fabs(x - y) <= 1e-8 * (fabs(x) + fabs(y));
        }
    free(cursor);
    return symmetric;
}

/* ---- The sweeps ----------------------------------------------------------------------- */

static void add_sweep(cli_system *s, bool upper, bool unit, bool transpose)
{
    const cleave_matrix *a = s->factor ? s->factor : s->a;
    s->sweep[s->sweeps++] = (cli_sweep){a, upper, unit, transpose};
}

static cleave_status factorise(cli_system *s, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status;
    if (s->kind == CLI_SYSTEM_IC0) {
        status = cleave_matrix_ic0(&s->factor, s->a, &s->shift, err);
    } else if (s->kind == CLI_SYSTEM_ILU0) {
        status = cleave_matrix_ilu0(&s->factor, s->a, err);
    } else {
        s->order = cli_alloc(s->n, sizeof *s->order);
        status = cleave_matrix_cholesky(&s->factor, s->order, s->a, NULL, err);
    }
    s->seconds_factor = cli_clock() - start;
    if (status == CLEAVE_OK && s->shift > 0)
        cli_warn("the diagonal had to be raised by a factor of %g for IC(0)", 1 + s->shift);
    return status;
}

static void add_factor_sweeps(cli_system *s)
{
    bool lu = s->kind == CLI_SYSTEM_ILU0;
    if (lu && s->transpose) {
        add_sweep(s, true, false, true);
        add_sweep(s, false, true, true);
    } else {
        add_sweep(s, false, lu, false);
        add_sweep(s, lu, false, !lu);
    }
}

cleave_status cli_system_make(cli_system *s, cleave_error *err)
{
    cleave_matrix_csr a = view_of(s->a);
    if (a.nrow != a.ncol) {
        err->status = CLEAVE_EINVAL;
        snprintf(err->message, sizeof err->message, "the matrix is %ld x %ld, not square",
                 (long)a.nrow, (long)a.ncol);
        return CLEAVE_EINVAL;
    }
    s->n = a.nrow;
    cleave_status status = give_values(s, err);
    if (status != CLEAVE_OK)
        return status;
    if (s->kind == CLI_SYSTEM_ANY)
        choose_triangle(s);
    if (s->kind < CLI_SYSTEM_IC0) {
        add_sweep(s, s->kind == CLI_SYSTEM_UPPER, s->unit, s->transpose);
        return CLEAVE_OK;
    }
    status = factorise(s, err);
    if (status == CLEAVE_OK && s->kind != CLI_SYSTEM_ILU0 && !is_symmetric(s->a))
        cli_warn(
            "the values of the matrix are not symmetric: its lower triangle is used for both");
    if (status == CLEAVE_OK)
        add_factor_sweeps(s);
    return status;
}

void cli_system_free(cli_system *s)
{
    cleave_matrix_free(s->a);
    cleave_matrix_free(s->factor);
    free(s->order);
    free(s->val32);
}

/* ---- The residual --------------------------------------------------------------------- */

/* y = A x for the symmetric matrix whose lower triangle is read, rows in the factor's order.
 */
static void multiply_symmetric(const cli_system *s, double *y, const double *x)
{
    cleave_matrix_csr a = view_of(s->a);
    int32_t *place = cli_alloc(s->n, sizeof *place);
    for (int32_t k = 0; k < s->n; k++) {
        place[s->order[k]] = k;
        y[k] = 0;
    }
    for (int32_t i = 0; i < s->n; i++)
        for (int64_t k = a.xadj[i]; k < a.xadj[i + 1] && a.col[k] <= i; k++) {
            int32_t r = place[i], c = place[a.col[k]];
            y[r] += a.val[k] * x[c];
            if (r != c)
                y[c] += a.val[k] * x[r];
        }
    free(place);
}

static void multiply(const cli_system *s, double *y, const double *x)
{
    if (s->order) {
        multiply_symmetric(s, y, x);
    } else if (s->sweeps == 1) {
        cli_sweep_multiply(&s->sweep[0], y, x);
    } else {
        double *between = cli_alloc(s->n, sizeof *between);
        cli_sweep_multiply(&s->sweep[1], between, x);
        cli_sweep_multiply(&s->sweep[0], y, between);
        free(between);
    }
}

/* Scaled by the largest value, so that squares neither overflow nor underflow. */
static double norm(const double *x, int32_t n)
{
    double largest = 0, sum = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return INFINITY;
        largest = fmax(largest, fabs(x[i]));
    }
    for (int32_t i = 0; i < n && largest > 0; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

double cli_system_residual(const cli_system *s, const double *x, const double *b,
                           int32_t columns)
{
    double worst = 0, *rest = cli_alloc(s->n, sizeof *rest);
    for (int32_t c = 0; c < columns; c++, x += s->n, b += s->n) {
        multiply(s, rest, x);
        for (int32_t i = 0; i < s->n; i++)
            rest[i] = b[i] - rest[i];
        double size = norm(b, s->n), left = norm(rest, s->n);
        worst = fmax(worst, size > 0 ? left / size : left);
    }
    free(rest);
    return worst;
}
