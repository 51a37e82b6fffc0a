/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit_trial.c - a few evaluations by threads against as many by one.
 *
 * No variable is known in the instance that is evaluated, so that every node counts. */
#include <string.h>

#include "api/circuit_plan.h"
#include "api/trial.h"

typedef struct runner {
    const cleave_circuit_plan *plan;
    clv_circuit_bound *bound;
    clv_circuit_op op;
    const int8_t *evidence;
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

static void evaluate(void *context)
{
    runner *r = context;
    if (r->bound->sync.threads > 1)
        clv_run_team_call(r->plan->team, r->bound->sync.threads, run_member, r);
    else
        run_member(r, 0, 1);
}

static clv_contender enter(runner *r)
{
    const clv_run_sync *sync = &r->bound->sync;
    return (clv_contender){.compute = evaluate,
                           .context = r,
                           .threaded = sync->threads > 1,
                           .risk = clv_trial_risk(sync->threads, sync->waits)};
}

cleave_status clv_circuit_trial(bool *keep, const cleave_circuit_plan *plan,
                                clv_circuit_bound *threaded, clv_circuit_bound *serial,
                                clv_circuit_op op, clv_ws *ws, cleave_error *err)
{
    size_t count = (size_t)plan->program.nvar + 1;
    int8_t *unknown = clv_ws_alloc(ws, (int64_t)count, 1);
    if (!unknown)
        return clv_fail_memory(err);
    memset(unknown, -1, count);
    runner first = {plan, threaded, op, unknown}, second = {plan, serial, op, unknown};
    clv_contender both[2] = {enter(&first), enter(&second)};
    *keep = clv_trial_best(both, 2, 1) == 0;
    return CLEAVE_OK;
}
