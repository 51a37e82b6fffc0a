/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve_run.c - one triangle: all methods in turn, round after round, under the
 * same conditions; the minimum time of each is used.  Our solutions are compared with the
 * serial one bit for bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

const char *const solver_names[nsolver] = {"plain rows", "1 thread", "auto",   "auto, inside",
                                           "levels",     "CXSparse", "UMFPACK"};

typedef struct contest {
    const triangle *t;
    int32_t *xadj32; /* of PLAIN, whose rows end with the diagonal */
    cleave_trsv *plan[nsolver];
    solve_rival *rival[nsolver];
    double *b, *x, *want;
    int can[nsolver];
} contest;

void solve_must(cleave_status status, const cleave_error *err)
{
    if (status != CLEAVE_OK)
        bench_fail(err->message);
}

/* Plain substitution; not inlined, so that it is compiled as a separate function. */
__attribute__((noinline)) static void plain(int32_t n, const int32_t *xadj, const int32_t *col,
                                            const double *val, const double *b, double *x)
{
    for (int32_t i = 0; i < n; i++) {
        double sum = b[i];
        int32_t end = xadj[i + 1] - 1;
        for (int32_t e = xadj[i]; e < end; e++)
            sum -= val[e] * x[col[e]];
        x[i] = sum / val[end];
    }
}

static void solve_once(contest *c, solver which)
{
    const triangle *t = c->t;
    cleave_error err;
    switch (which) {
    case PLAIN:
        plain(t->n, c->xadj32, t->col, t->val, c->b, c->x);
        break;
    case OURS_ONE:
    case OURS:
    case LEVELS:
        solve_must(cleave_trsv_solve(c->plan[which], c->x, c->b, &err), &err);
        break;
    case OURS_IN:
        solve_must(cleave_trsv_solve_ordered(c->plan[which], c->x, &err), &err);
        break;
    default:
        solve_rival_solve(c->rival[which], c->x, c->b);
    }
}

static cleave_trsv *make_plan(const triangle *t, const char *method, int threads)
{
    cleave_triangle lower;
    cleave_run_options opt;
    cleave_trsv *plan;
    cleave_error err;
    cleave_triangle_init(&lower, sizeof lower);
    lower.n = t->n;
    lower.xadj = t->xadj;
    lower.idx = t->col;
    lower.val = t->val;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = threads;
    solve_must(cleave_trsv_create(&plan, &lower, &opt, &err), &err);
    return plan;
}

static void prepare_methods(contest *c, const triangle *t, int threads)
{
    size_t n = (size_t)t->n;
    memset(c, 0, sizeof *c);
    c->t = t;
    c->xadj32 = malloc((n + 1) * sizeof *c->xadj32);
    c->b = malloc(3 * (n + 8) * sizeof *c->b);
    if (!c->xadj32 || !c->b)
        bench_fail("out of memory");
    c->x = c->b + n + 8;
    c->want = c->x + n + 8;
    for (size_t i = 0; i <= n; i++)
        c->xadj32[i] = (int32_t)t->xadj[i];
    for (size_t i = 0; i < n; i++)
        c->b[i] = 1 + (double)(i % 11) / 8;
    c->plan[OURS_ONE] = make_plan(t, NULL, 1);
    c->plan[OURS] = make_plan(t, NULL, threads);
    c->plan[OURS_IN] = c->plan[OURS];
    c->plan[LEVELS] = make_plan(t, "levels", threads);
    c->rival[WITH_CXSPARSE] = solve_rival_make(WITH_CXSPARSE, t);
    c->rival[WITH_UMFPACK] = solve_rival_make(WITH_UMFPACK, t);
    for (int i = 0; i < nsolver; i++)
        c->can[i] = i == PLAIN || c->plan[i] || c->rival[i];
}

static void clear(contest *c)
{
    c->plan[OURS_IN] = NULL;
    for (int i = 0; i < nsolver; i++) {
        cleave_trsv_free(c->plan[i]);
        solve_rival_free(c->rival[i]);
    }
    free(c->xadj32);
    free(c->b);
}

static int check(contest *c)
{
    size_t bytes = (size_t)c->t->n * sizeof *c->x;
    int wrong = 0;
    solve_once(c, PLAIN);
    memcpy(c->want, c->x, bytes);
    for (int i = OURS_ONE; i <= LEVELS; i++) {
        if (i == OURS_IN)
            continue;
        memset(c->x, 0, bytes);
        solve_once(c, (solver)i);
        wrong += memcmp(c->x, c->want, bytes) != 0;
    }
    return wrong;
}

/* In the plan's numbering a solve overwrites its right-hand side, so each solve starts with a
 * copy of b, which is part of the time. */
static double time_some(contest *c, solver which, int times)
{
    size_t bytes = (size_t)c->t->n * sizeof *c->x;
    double start = bench_seconds();
    for (int i = 0; i < times; i++) {
        if (which == OURS_IN)
            memcpy(c->x, c->b, bytes);
        solve_once(c, which);
    }
    return (bench_seconds() - start) / times;
}

static void describe(solve_row *r, const contest *c)
{
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(c->plan[OURS], &info);
    snprintf(r->name, sizeof r->name, "%s", c->t->name);
    snprintf(r->method, sizeof r->method, "%s", info.method);
    snprintf(r->sync, sizeof r->sync, "%s", info.sync);
    r->group = c->t->group;
    r->rows = c->t->n;
    r->nonzeros = c->t->xadj[c->t->n];
    r->threads = info.threads;
    r->layers = info.layers;
    r->split = info.split_rows;
    r->analysis = info.seconds_analysis;
    r->bytes = (double)info.bytes;
}

void solve_measure(solve_row *r, const triangle *t, int threads, double budget)
{
    enum { least_rounds = 7 };
    contest c;
    prepare_methods(&c, t, threads);
    describe(r, &c);
    r->wrong = check(&c);
    double once = time_some(&c, PLAIN, 1), start = bench_seconds();
    /* Long enough that the cache contents left by other methods have no effect. */
    int times = 1 + (int)(0.01 / (once + 1e-9));
    for (int round = 0; round < least_rounds || bench_seconds() - start < budget; round++)
        for (int i = 0; i < nsolver; i++) {
            double seconds = c.can[i] ? time_some(&c, (solver)i, times) : 0;
            if (round == 0 || seconds < r->seconds[i])
                r->seconds[i] = seconds;
        }
    clear(&c);
}
