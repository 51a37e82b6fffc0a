/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_trial.c - a few solves by threads against as many by one.
 *
 * How fast a thread gets through its rows depends on caches, on how many rows it can work on
 * side by side, and on what else the machine does: a model of multiply-adds and waits misses
 * the truth by half where threads win little.  A solve takes a hundredth of the analysis, so
 * that trying is cheap; and as results do not depend on who computes them, it is no sin to ask
 * the clock.  Zeros are solved for: no number overflows, and none is denormal.  Right-hand
 * side and solution are two arrays, as they usually are: in place, one thread has half as much
 * to fetch and seems better than it is. */
#include <string.h>

#include "api/trsv.h"
#include "base/context.h"

enum { least_rounds = 2, rounds = 8, looks = 2 };
/* A look takes at least so many seconds, else the clock is too coarse. */
static const double shortest = 20e-6;
/* What it takes to call a plan, beyond solving: a lock, and finding its loops. */
static const double plan_call = 20e-9;
/* Threads that win less than this are not worth keeping busy. */
static const double worth = 0.97;

typedef struct runner {
    clv_tri_plan *plan;
    const clv_plain_rows *plain; /* instead */
    cleave_team *team;           /* not used for one thread */
    int32_t threads;
    void *x;
    const void *b;
    int times;
    double best; /* seconds of a solve */
} runner;

static void solve_member(void *context, int member, int size)
{
    const runner *r = context;
    (void)size;
    if (member < r->threads)
        clv_tri_plan_solve(r->plan, member, r->x, r->b);
}

static void solve_some(runner *r)
{
    for (int i = 0; i < r->times; i++) {
        if (r->plain)
            clv_plain_rows_solve(r->plain, r->x, r->b);
        else if (r->threads > 1)
            clv_run_team_call(r->team, r->threads, solve_member, r);
        else
            solve_member(r, 0, 1);
    }
}

/* The first solves are not counted: the other plan has been in the caches, and threads may
 * have gone to sleep. */
static void run(runner *r)
{
    solve_some(r);
    for (int i = 0; i < looks; i++) {
        double start = clv_clock();
        solve_some(r);
        double seconds = (clv_clock() - start) / r->times;
        r->best = seconds < r->best ? seconds : r->best;
    }
}

/* Is `a`, in which threads have to come together, faster than `b`?  Whatever disturbs the
 * machine disturbs `a` more: it has several chances. */
static bool faster(runner *a, runner *b)
{
    for (int i = 0; i < rounds && (i < least_rounds || a->best >= worth * b->best); i++) {
        run(b);
        if (b->best < shortest)
            a->times = b->times = (int)(shortest / (b->best + 1e-9)) + 1;
        run(a);
    }
    return a->best < worth * b->best;
}

/* Right-hand side and solution, for all runners; NULL: no memory.  Every page of both is
 * written: one that never was is the same for all, and always in the cache. */
static double *make_vectors(int32_t n, clv_ws *ws)
{
    double *both = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *both); /* also as floats */
    if (both)
        memset(both, 0, 2 * (size_t)n * sizeof *both);
    return both;
}

cleave_status clv_trsv_trial(bool *keep, clv_tri_plan *plan, clv_tri_plan *other,
                             cleave_team *team, int32_t n, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    double *b = make_vectors(n, ws);
    if (!b)
        return clv_fail_memory(err);
    runner first = {.plan = plan,
                    .team = team,
                    .threads = clv_tri_plan_threads(plan),
                    .x = b + n,
                    .b = b,
                    .times = 1,
                    .best = 1e9};
    runner second = first;
    second.plan = other;
    second.threads = clv_tri_plan_threads(other);
    *keep = faster(&first, &second);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_trsv_glance(bool *keep, const clv_plain_rows *plain, clv_tri_plan *serial,
                              int32_t n, clv_ws *ws, cleave_error *err)
{
    enum { many = 8, few_rows = 4000, turns = 2 };
    int times = n < few_rows ? many : 1;
    clv_ws_mark mark = clv_ws_save(ws);
    double *zeros = make_vectors(n, ws);
    if (!zeros)
        return clv_fail_memory(err);
    runner a = {.plain = plain, .x = zeros + n, .b = zeros, .times = times, .best = 1e9};
    runner b = {
        .plan = serial, .threads = 1, .x = zeros + n, .b = zeros, .times = times, .best = 1e9};
    for (int i = 0; i < turns; i++) {
        run(&a);
        run(&b);
    }
    *keep = a.best < b.best + plan_call;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
