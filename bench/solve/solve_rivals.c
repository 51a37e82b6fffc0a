/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve_rivals.c - CXSparse's cs_lsolve and UMFPACK's solve on the same triangle.
 *
 * UMFPACK does not accept given factors: it factorises the triangle, without fill, and solves
 * with the result, without scaling or iterative refinement. */
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

#ifdef BENCH_SUITESPARSE

#include <suitesparse/cs.h>
#include <suitesparse/umfpack.h>

struct solve_rival {
    solver which;
    int n;
    int *xadj, *row; /* columns */
    double *val;
    cs_di matrix;
    void *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    int *room;
    double *room5;
};

static void to_columns(solve_rival *r, const triangle *t)
{
    int64_t entries = t->xadj[t->n];
    r->n = t->n;
    r->xadj = calloc((size_t)t->n + 2, sizeof *r->xadj);
    r->row = malloc(((size_t)entries + 1) * sizeof *r->row);
    r->val = malloc(((size_t)entries + 1) * sizeof *r->val);
    if (!r->xadj || !r->row || !r->val)
        bench_fail("out of memory");
    for (int64_t e = 0; e < entries; e++)
        r->xadj[t->col[e] + 2]++;
    for (int32_t i = 0; i < t->n; i++)
        r->xadj[i + 2] += r->xadj[i + 1];
    /* Rows ascend, so that the diagonal is the first entry of a column. */
    for (int32_t i = 0; i < t->n; i++)
        for (int64_t e = t->xadj[i]; e < t->xadj[i + 1]; e++) {
            int at = r->xadj[t->col[e] + 1]++;
            r->row[at] = i;
            r->val[at] = t->val[e];
        }
}

static int factorise(solve_rival *r)
{
    void *symbolic = NULL;
    umfpack_di_defaults(r->control);
    r->control[UMFPACK_IRSTEP] = 0;
    r->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
    int good = umfpack_di_symbolic(r->n, r->n, r->xadj, r->row, r->val, &symbolic, r->control,
                                   r->info) == UMFPACK_OK &&
               umfpack_di_numeric(r->xadj, r->row, r->val, symbolic, &r->numeric, r->control,
                                  r->info) == UMFPACK_OK;
    umfpack_di_free_symbolic(&symbolic);
    r->room = malloc(((size_t)r->n + 1) * sizeof *r->room);
    r->room5 = malloc((5 * (size_t)r->n + 1) * sizeof *r->room5);
    return good && r->room && r->room5;
}

solve_rival *solve_rival_make(solver which, const triangle *t)
{
    solve_rival *r = calloc(1, sizeof *r);
    if (!r)
        bench_fail("out of memory");
    r->which = which;
    to_columns(r, t);
    r->matrix = (cs_di){.nzmax = r->xadj[r->n],
                        .m = r->n,
                        .n = r->n,
                        .p = r->xadj,
                        .i = r->row,
                        .x = r->val,
                        .nz = -1};
    if (which == WITH_UMFPACK && !factorise(r)) {
        solve_rival_free(r);
        return NULL;
    }
    return r;
}

void solve_rival_solve(solve_rival *r, double *x, const double *b)
{
    if (r->which == WITH_CXSPARSE) {
        memcpy(x, b, (size_t)r->n * sizeof *x);
        cs_di_lsolve(&r->matrix, x);
    } else
        umfpack_di_wsolve(UMFPACK_A, r->xadj, r->row, r->val, x, b, r->numeric, r->control,
                          r->info, r->room, r->room5);
}

void solve_rival_free(solve_rival *r)
{
    if (!r)
        return;
    if (r->numeric)
        umfpack_di_free_numeric(&r->numeric);
    free(r->xadj);
    free(r->row);
    free(r->val);
    free(r->room);
    free(r->room5);
    free(r);
}

#else

solve_rival *solve_rival_make(solver which, const triangle *t)
{
    (void)which, (void)t;
    return NULL;
}

void solve_rival_solve(solve_rival *r, double *x, const double *b)
{
    (void)r, (void)x, (void)b;
}

void solve_rival_free(solve_rival *r)
{
    (void)r;
}

#endif
