/* SPDX-License-Identifier: Apache-2.0 */
/* Both triangles of every matrix of the shared data, and their transposes, by several methods:
 * bit for bit the result of plain substitution. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>

#include "support/test.h"

static cleave_error err;

/* ---- The reference, from the rows of the matrix ----------------------------------------- */

typedef struct problem {
    cleave_matrix *matrix;
    cleave_matrix_csr a;
    cleave_triangle t;
    double *b, *x, *right;
} problem;

/* Row by row, columns ascending. */
static void substitute(const problem *p, double *x)
{
    int32_t n = p->a.nrow;
    for (int32_t step = 0; step < n; step++) {
        int32_t i = p->t.upper ? n - 1 - step : step;
        double sum = p->b[i], diagonal = 1;
        for (int64_t k = p->a.xadj[i]; k < p->a.xadj[i + 1]; k++) {
            int32_t j = p->a.col[k];
            if (p->t.upper ? j > i : j < i)
                sum -= p->a.val[k] * x[j];
            else if (j == i)
                diagonal = p->a.val[k];
        }
        x[i] = p->t.unit ? sum : sum / diagonal;
    }
}

/* With the transpose of the upper triangle: terms of row i are subtracted as soon as they are
 * known, columns ascending. */
static void substitute_transposed(const problem *p, double *x)
{
    int32_t n = p->a.nrow;
    memcpy(x, p->b, (size_t)n * sizeof *x);
    for (int32_t j = 0; j < n; j++) {
        for (int64_t k = p->a.xadj[j]; k < p->a.xadj[j + 1]; k++)
            if (p->a.col[k] == j && !p->t.unit)
                x[j] /= p->a.val[k];
        for (int64_t k = p->a.xadj[j]; k < p->a.xadj[j + 1]; k++)
            if (p->a.col[k] > j)
                x[p->a.col[k]] -= p->a.val[k] * x[j];
    }
}

/* A number that is none has no particular bits. */
static bool same_numbers(const double *a, const double *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* ---- Files ------------------------------------------------------------------------------ */

static bool has_diagonal(const cleave_matrix_csr *a)
{
    for (int32_t i = 0; i < a->nrow; i++) {
        bool found = false;
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            found = found || (a->col[k] == i && a->val[k] != 0);
        if (!found)
            return false;
    }
    return true;
}

static void check_plans(problem *p, int which)
{
    static const char *const methods[] = {"auto", "grow", "levels", "serial"};
    static const char *const syncs[] = {"auto", "barrier", "p2p", "stale"};
    static const int threads[] = {2, 3, 1, 8};
    int plans = TEST_STRIDE > 1 ? 1 : 2;
    for (int i = 0; i < plans; i++) {
        cleave_run_options opt;
        cleave_trsv *plan;
        int at = which + i;
        cleave_run_options_init(&opt, sizeof opt);
        opt.method = methods[at % 4];
        /* Thousands of layers for more threads than there are processors take their time. */
        opt.threads = strcmp(opt.method, "levels") == 0 ? 2 : threads[at / 4 % 4];
        opt.sync = syncs[at % 4];
        opt.pair = at % 5 == 0;
        REQUIRE_OK(cleave_trsv_create(&plan, &p->t, &opt, &err));
        for (int round = 0; round < 2; round++) {
            memset(p->x, 0xff, (size_t)p->a.nrow * sizeof *p->x);
            CHECK_OK(cleave_trsv_solve(plan, p->x, p->b, &err));
            CHECK(same_numbers(p->x, p->right, p->a.nrow));
        }
        cleave_trsv_free(plan);
    }
}

static void check_matrix(problem *p, int which)
{
    size_t n = (size_t)p->a.nrow + 1;
    p->b = malloc(n * sizeof *p->b);
    p->x = malloc(n * sizeof *p->x);
    p->right = malloc(n * sizeof *p->right);
    for (size_t i = 0; i < n; i++)
        p->b[i] = 1 + (double)(i % 17) / 16;
    for (int kind = 0; kind < 3; kind++) {
        cleave_triangle_of_matrix(&p->t, sizeof p->t, p->matrix);
        p->t.upper = kind > 0;
        p->t.transpose = kind > 1;
        p->t.unit = !has_diagonal(&p->a);
        if (kind > 1)
            substitute_transposed(p, p->right);
        else
            substitute(p, p->right);
        check_plans(p, which + kind);
    }
    free(p->b);
    free(p->x);
    free(p->right);
}

static int check_folder(const char *folder)
{
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *file; list && (file = readdir(list));) {
        char path[4600];
        problem p = {.a = {.size = sizeof p.a}};
        if (!strstr(file->d_name, ".mtx"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (cleave_matrix_read(&p.matrix, path, NULL, &err) != CLEAVE_OK)
            continue; /* one of them is broken on purpose */
        cleave_matrix_view(p.matrix, &p.a);
        int before = test_failures_;
        if (p.a.nrow == p.a.ncol)
            check_matrix(&p, count++);
        if (test_failures_ != before)
            fprintf(stderr, "%s\n", file->d_name);
        cleave_matrix_free(p.matrix);
    }
    if (list)
        closedir(list);
    return count;
}

int main(void)
{
    const char *folder = test_shared("mtx", 1);
    int count = folder ? check_folder(folder) : 0;
    if (count == 0)
        return TEST_SKIP;
    printf("%d matrices\n", count);
    return test_end();
}
