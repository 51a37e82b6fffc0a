/* SPDX-License-Identifier: Apache-2.0 */
/* pcg [SIDE | MATRIX.mtx] [TOLERANCE] - conjugate gradients, preconditioned by an incomplete
 * Cholesky factor: the Poisson equation on a grid of SIDE x SIDE points (200), or the
 * symmetric positive definite matrix of a file.
 *
 * Each step applies the preconditioner: two triangular solves, with L and with its transpose.
 * The factor is analysed once; both solves follow the same schedule, on one thread and on two,
 * and give the same numbers to the last bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "pcg: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The matrix ------------------------------------------------------------------------ */

/* 4 on the diagonal, -1 for each neighbour in the grid. */
static cleave_status make_grid(cleave_matrix **out, int32_t side, cleave_error *err)
{
    int32_t n = side * side;
    int64_t *xadj = malloc(((size_t)n + 1) * sizeof *xadj), k = 0;
    int32_t *col = malloc(5 * (size_t)n * sizeof *col);
    double *val = malloc(5 * (size_t)n * sizeof *val);
    for (int32_t i = 0; xadj && col && val && i < n; i++) {
        const int32_t next[] = {i >= side ? i - side : -1, i % side > 0 ? i - 1 : -1, i,
                                i % side < side - 1 ? i + 1 : -1,
                                i < n - side ? i + side : -1};
        xadj[i] = k;
        for (int e = 0; e < 5; e++)
            if (next[e] >= 0) {
                col[k] = next[e];
                val[k++] = next[e] == i ? 4 : -1;
            }
    }
    cleave_status status = CLEAVE_ENOMEM;
    if (xadj && col && val) {
        xadj[n] = k;
        cleave_matrix_csr csr;
        cleave_matrix_csr_init(&csr, sizeof csr);
        csr.nrow = csr.ncol = n;
        csr.xadj = xadj;
        csr.col = col;
        csr.val = val;
        status = cleave_matrix_create(out, &csr, err);
    }
    free(xadj);
    free(col);
    free(val);
    return status;
}

static void multiply(const cleave_matrix_csr *a, double *y, const double *x)
{
    for (int32_t i = 0; i < a->nrow; i++) {
        double sum = 0;
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        y[i] = sum;
    }
}

/* ---- The preconditioner ----------------------------------------------------------------- */

typedef struct preconditioner {
    cleave_trsv *forward, *backward;
} preconditioner;

/* Plans for L y = r and L^T z = y. */
static cleave_status make_preconditioner(preconditioner *m, const cleave_matrix *l,
                                         int threads, cleave_error *err)
{
    cleave_triangle t;
    cleave_run_options opt;
    cleave_triangle_of_matrix(&t, sizeof t, l);
    cleave_run_options_init(&opt, sizeof opt);
    opt.threads = threads;
    opt.pair = 1; /* one schedule for both triangles */
    cleave_status status = cleave_trsv_create(&m->forward, &t, &opt, err);
    if (status != CLEAVE_OK)
        return status;
    t.transpose = 1;
    return cleave_trsv_create_from(&m->backward, m->forward, &t, NULL, err);
}

static cleave_status apply(const preconditioner *m, double *z, const double *r,
                           cleave_error *err)
{
    cleave_status status = cleave_trsv_solve(m->forward, z, r, err);
    return status == CLEAVE_OK ? cleave_trsv_solve(m->backward, z, z, err) : status;
}

static void release(preconditioner *m)
{
    cleave_trsv_free(m->backward); /* shares the threads of the other */
    cleave_trsv_free(m->forward);
}

/* ---- Conjugate gradients ---------------------------------------------------------------- */

static double dot(const double *x, const double *y, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* work: 4 n numbers; x starts at 0.  *steps becomes their number. */
static cleave_status solve(const cleave_matrix_csr *a, const preconditioner *m,
                           const double *b, double *x, double *work, double tolerance,
                           int *steps, double *seconds_precondition, cleave_error *err)
{
    int32_t n = a->nrow;
    double *r = work, *z = work + n, *p = work + 2 * (size_t)n, *q = work + 3 * (size_t)n;
    double goal = tolerance * sqrt(dot(b, b, n)), before = 1;
    memset(x, 0, (size_t)n * sizeof *x);
    memset(p, 0, (size_t)n * sizeof *p);
    memcpy(r, b, (size_t)n * sizeof *r);
    *seconds_precondition = 0;
    for (*steps = 0; sqrt(dot(r, r, n)) > goal && *steps < 10000; ++*steps) {
        double start = now();
        cleave_status status = apply(m, z, r, err);
        if (status != CLEAVE_OK)
            return status;
        *seconds_precondition += now() - start;
        double rz = dot(r, z, n);
        for (int32_t i = 0; i < n; i++)
            p[i] = z[i] + rz / before * p[i];
        before = rz;
        multiply(a, q, p);
        double length = rz / dot(p, q, n);
        for (int32_t i = 0; i < n; i++) {
            x[i] += length * p[i];
            r[i] -= length * q[i];
        }
    }
    return CLEAVE_OK;
}

static double residual(const cleave_matrix_csr *a, const double *x, const double *b,
                       double *work)
{
    multiply(a, work, x);
    for (int32_t i = 0; i < a->nrow; i++)
        work[i] = b[i] - work[i];
    return sqrt(dot(work, work, a->nrow) / dot(b, b, a->nrow));
}

/* With so many threads; prints a line. */
static int solve_system(const cleave_matrix_csr *a, const cleave_matrix *l, const double *b,
                        double *x, double *work, double tolerance, int threads)
{
    cleave_error err = {CLEAVE_OK, ""};
    preconditioner m = {NULL, NULL};
    int steps, result = EXIT_SUCCESS;
    double seconds, start = now();
    if (make_preconditioner(&m, l, threads, &err) != CLEAVE_OK) {
        result = fail("analysing", &err);
    } else {
        double analysed = now(), left = INFINITY;
        if (solve(a, &m, b, x, work, tolerance, &steps, &seconds, &err) != CLEAVE_OK) {
            result = fail("solving", &err);
        } else {
            double end = now();
            left = residual(a, x, b, work);
            printf("threads %d: iterations %d, residual %.1e, analysis %.3f s, solve %.3f s, "
                   "preconditioner %.3f s\n",
                   threads, steps, left, analysed - start, end - analysed, seconds);
        }
        if (result == EXIT_SUCCESS && !(left <= 100 * tolerance)) {
            fprintf(stderr, "pcg: no convergence: is the matrix symmetric?\n");
            result = EXIT_FAILURE;
        }
    }
    release(&m);
    return result;
}

/* ---- The program ------------------------------------------------------------------------ */

/* On one thread and on two: the same solution. */
static int compare(const cleave_matrix *matrix, const cleave_matrix *l, double tolerance)
{
    cleave_matrix_csr a;
    cleave_matrix_csr_init(&a, sizeof a);
    cleave_matrix_view(matrix, &a);
    size_t n = (size_t)a.nrow;
    double *b = malloc((7 * n + 1) * sizeof *b);
    if (!b)
        return EXIT_FAILURE;
    double *x[2] = {b + n, b + 2 * n}, *work = b + 3 * n;
    for (size_t i = 0; i < n; i++)
        b[i] = 1;
    int result = EXIT_SUCCESS;
    for (int threads = 1; threads <= 2 && result == EXIT_SUCCESS; threads++)
        result = solve_system(&a, l, b, x[threads - 1], work, tolerance, threads);
    if (result == EXIT_SUCCESS && memcmp(x[0], x[1], n * sizeof *b) != 0) {
        fprintf(stderr, "pcg: the solutions differ\n");
        result = EXIT_FAILURE;
    }
    free(b);
    return result;
}

int main(int argc, char **argv)
{
    cleave_error err = {CLEAVE_OK, ""};
    cleave_matrix *a = NULL, *l = NULL;
    const char *what = argc > 1 ? argv[1] : "200";
    double tolerance = argc > 2 ? strtod(argv[2], NULL) : 1e-8, shift = 0;
    char *rest;
    long given = strtol(what, &rest, 10);
    long side = *rest ? 0 : given; /* a file's name may begin with a number, as 1138_bus.mtx */
    int result;
    if (argc > 3 || !(tolerance > 0) || side < 0 || side > 10000) {
        fprintf(stderr, "usage: pcg [SIDE | MATRIX.mtx] [TOLERANCE]\n");
        return EXIT_FAILURE;
    }
    cleave_status status = side > 0 ? make_grid(&a, (int32_t)side, &err)
                                    : cleave_matrix_read(&a, what, NULL, &err);
    if (status != CLEAVE_OK) {
        result = fail("the matrix", &err);
    } else if (cleave_matrix_ic0(&l, a, &shift, &err) != CLEAVE_OK) {
        result = fail("incomplete factorisation", &err);
    } else {
        if (shift > 0)
            printf("the diagonal was raised by a factor of %g\n", 1 + shift);
        result = compare(a, l, tolerance);
    }
    cleave_matrix_free(a);
    cleave_matrix_free(l);
    return result;
}
