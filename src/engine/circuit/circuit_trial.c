/* SPDX-License-Identifier: Apache-2.0 */
/* engine/circuit/circuit_trial.c - times a few evaluations by several threads and by one
 * thread.
 *
 * The timed instance observes no variable, so that every node is evaluated. */
#include <string.h>

#include "engine/circuit/circuit_plan.h"
#include "engine/trial.h"

typedef struct evaluator {
    const cleave_circuit_plan *plan;
    clv_circuit_bound *bound;
    clv_circuit_op op;
    const int8_t *evidence;
} evaluator;

static void evaluate_member(void *context, int member, int size)
{
    const evaluator *r = context;
    double root;
    (void)size;
    if (member < r->bound->sync.threads)
        clv_circuit_bound_run(r->bound, r->plan->kernels, r->op, r->evidence, member, &root);
}

static void evaluate_once(void *context)
{
    evaluator *r = context;
    if (r->bound->sync.threads > 1)
        clv_run_team_call(r->plan->team, r->bound->sync.threads, evaluate_member, r);
    else
        evaluate_member(r, 0, 1);
}

static clv_trial_candidate make_candidate(evaluator *r)
{
    const clv_run_sync *sync = &r->bound->sync;
    return (clv_trial_candidate){.compute = evaluate_once,
                                 .context = r,
                                 .threaded = sync->threads > 1,
                                 .risk = clv_trial_risk(sync->threads, sync->waits)};
}

cleave_status clv_circuit_compare_with_serial(bool *keep, cleave_circuit_plan *plan, int which,
                                              clv_circuit_bound *serial, clv_ws *ws,
                                              cleave_error *err)
{
    clv_circuit_op op = which ? CLV_CIRCUIT_LOG_SUM : CLV_CIRCUIT_LINEAR_SUM;
    size_t count = (size_t)plan->program.nvar + 1;
    int8_t *unknown = clv_ws_alloc(ws, (int64_t)count, 1);
    if (!unknown)
        return clv_fail_memory(err);
    memset(unknown, -1, count);
    evaluator first = {plan, &plan->bound[which], op, unknown};
    evaluator second = {plan, serial, op, unknown};
    clv_trial_candidate both[2] = {make_candidate(&first), make_candidate(&second)};
    *keep = clv_trial_fastest(both, 2, 1) == 0;
    return CLEAVE_OK;
}
