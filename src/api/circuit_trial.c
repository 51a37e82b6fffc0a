/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit_trial.c - a few evaluations by threads against as many by one.
 *
 * For the reasons of api/trsv_trial.c: what another thread's values cost depends on where the
 * system has put the threads.  No variable is known in the instance that is evaluated, so that
 * every node counts. */
#include <string.h>

#include "api/circuit_plan.h"
#include "base/context.h"

/* A look takes about so many seconds, else the clock is too coarse. */
static const double shortest = 40e-6;
/* Threads that win less than this are not worth keeping busy. */
static const double worth = 0.95;

typedef struct runner {
    const cleave_circuit_plan *plan;
    clv_circuit_bound *bound;
    clv_circuit_op op;
    const int8_t *evidence;
    int times;
    double best; /* seconds of an evaluation */
} runner;

static void run_member(void *context, int member, int size)
{
    const runner *r = context;
    double root;
    (void)size;
    if (member < r->bound->sync.threads)
        clv_circuit_bound_run(r->bound, &r->plan->program, r->plan->kernels, r->op,
                              r->evidence, member, &root);
}

static void run_some(runner *r)
{
    for (int i = 0; i < r->times; i++)
        if (r->bound->sync.threads > 1)
            clv_run_team_call(r->plan->team, r->bound->sync.threads, run_member, r);
        else
            run_member(r, 0, 1);
}

/* The first are not counted: the other plan has been in the caches. */
static void run(runner *r)
{
    enum { looks = 2 };
    run_some(r);
    for (int i = 0; i < looks; i++) {
        double start = clv_clock();
        run_some(r);
        double seconds = (clv_clock() - start) / r->times;
        r->best = seconds < r->best ? seconds : r->best;
    }
}

cleave_status clv_circuit_trial(bool *keep, const cleave_circuit_plan *plan,
                                clv_circuit_bound *threaded, clv_circuit_bound *serial,
                                clv_circuit_op op, clv_ws *ws, cleave_error *err)
{
    enum { least_rounds = 2, rounds = 6 };
    size_t count = (size_t)plan->program.nvar + 1;
    int8_t *unknown = clv_ws_alloc(ws, (int64_t)count, 1);
    if (!unknown)
        return clv_fail_memory(err);
    memset(unknown, -1, count);
    runner a = {plan, threaded, op, unknown, 1, 1e9}, b = {plan, serial, op, unknown, 1, 1e9};
    for (int i = 0; i < rounds && (i < least_rounds || a.best >= worth * b.best); i++) {
        run(&b);
        if (b.best < shortest)
            a.times = b.times = (int)(shortest / (b.best + 1e-9)) + 1;
        run(&a);
    }
    *keep = a.best < worth * b.best;
    return CLEAVE_OK;
}
