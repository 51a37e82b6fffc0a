/* SPDX-License-Identifier: Apache-2.0 */
/* engine/circuit/evaluate_circuit.c - evaluates instances with the plan of a circuit. */
#include <math.h>

#include "engine/circuit/circuit_plan.h"
#include "run/circuit_best.h"

/* ---- Batches -------------------------------------------------------------------------- */

static void evaluate_member(void *context, int member, int size)
{
    (void)size;
    clv_circuit_job_work(context, member);
}

/* The number of members that have work. */
static int count_workers(const cleave_circuit_plan *plan, const clv_circuit_job *job)
{
    int size = clv_run_team_size(plan->team);
    int64_t sweeps = (job->swept + clv_circuit_lanes - 1) / clv_circuit_lanes;
    if (job->bound && job->bound->sync.threads > 1 && job->swept < job->count)
        return size;
    if (sweeps < 2 || size == 1)
        return 1;
    double all = (double)sweeps * clv_circuit_sweep_cost(job->op) *
                 (double)plan->cost[job->op == CLV_CIRCUIT_LOG_SUM];
    return all / 2 > clv_circuit_wake_cost ? size : 1;
}

static void evaluate_batch(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
                           const int64_t *index, const int8_t *evidence, double *result)
{
    clv_circuit_job job = {.program = &plan->program,
                           .kernels = plan->kernels,
                           .sweep = plan->value ? &plan->sweep : NULL,
                           .value = plan->value,
                           .op = op,
                           .count = count,
                           .index = index,
                           .evidence = evidence,
                           .result = result};
    if (plan->program.nnode > 0)
        job.bound = &plan->bound[op == CLV_CIRCUIT_LOG_SUM];
    clv_circuit_job_share(&job, clv_run_team_size(plan->team));
    clv_run_team_call(plan->team, count_workers(plan, &job), evaluate_member, &job);
}

/* Evaluates instances that underflowed in linear space again, with logarithms. */
static cleave_status evaluate_lost(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
                                   const int8_t *evidence, double *result, cleave_error *err)
{
    int64_t lost = 0;
    for (int64_t i = 0; i < count; i++)
        lost += isnan(result[i]);
    if (lost == 0)
        return CLEAVE_OK;
    int64_t *index = clv_alloc(lost, sizeof *index);
    if (!index)
        return clv_fail_memory(err);
    lost = 0;
    for (int64_t i = 0; i < count; i++)
        if (isnan(result[i]))
            index[lost++] = i;
    evaluate_batch(plan, op, lost, index, evidence, result);
    clv_sys_free(index);
    return CLEAVE_OK;
}

cleave_status clv_circuit_plan_evaluate(cleave_circuit_plan *plan, clv_circuit_op op,
                                        int64_t count, const int8_t *evidence, double *result,
                                        cleave_error *err)
{
    clv_circuit_op again = clv_circuit_is_max(op) ? CLV_CIRCUIT_LOG_MAX : CLV_CIRCUIT_LOG_SUM;
    if (count == 0)
        return CLEAVE_OK;
    evaluate_batch(plan, plan->program.proper ? op : again, count, NULL, evidence, result);
    return clv_circuit_is_linear(op) && plan->program.proper
               ? evaluate_lost(plan, again, count, evidence, result, err)
               : CLEAVE_OK;
}

/* ---- Conditional ---------------------------------------------------------------------- */

/* Evaluates the union of what is asked and what is given. */
static cleave_status evaluate_union(cleave_circuit_plan *plan, clv_circuit_op op,
                                    const clv_conditional_queries *q, double *result,
                                    cleave_error *err)
{
    int64_t entries = q->count * plan->program.nvar;
    int8_t *both = clv_alloc(entries, 1);
    if (!both)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < entries; i++)
        both[i] = q->given[i] < 0 ? q->asked[i] : q->given[i];
    cleave_status status = clv_circuit_plan_evaluate(plan, op, q->count, both, result, err);
    clv_sys_free(both);
    return status;
}

static bool contradict(const int8_t *asked, const int8_t *given, int32_t nvar)
{
    for (int32_t i = 0; i < nvar; i++)
        if (asked[i] >= 0 && given[i] >= 0 && asked[i] != given[i])
            return true;
    return false;
}

cleave_status clv_circuit_plan_conditional(cleave_circuit_plan *plan, clv_circuit_op op,
                                           const clv_conditional_queries *q, double *result,
                                           cleave_error *err)
{
    int32_t nvar = plan->program.nvar;
    double *given = clv_alloc(q->count, sizeof *given);
    if (!given)
        return clv_fail_memory(err);
    cleave_status status = clv_circuit_plan_evaluate(plan, op, q->count, q->given, given, err);
    if (status == CLEAVE_OK)
        status = evaluate_union(plan, op, q, result, err);
    for (int64_t i = 0; status == CLEAVE_OK && i < q->count; i++)
        if (given[i] == -INFINITY)
            result[i] = NAN;
        else if (contradict(q->asked + i * nvar, q->given + i * nvar, nvar))
            result[i] = -INFINITY;
        else
            result[i] -= given[i];
    clv_sys_free(given);
    return status;
}

/* ---- The most probable assignment ----------------------------------------------------- */

cleave_status clv_circuit_plan_most_probable(const cleave_circuit_plan *plan, int64_t count,
                                             const int8_t *evidence, int8_t *assignment,
                                             double *value, cleave_error *err)
{
    const clv_circuit_program *p = &plan->program;
    double *scratch = clv_alloc((int64_t)p->nleaf + p->nnode, sizeof *scratch);
    bool *chosen = clv_zalloc(p->nnode, sizeof *chosen);
    for (int64_t i = 0; scratch && chosen && i < count; i++)
        value[i] = clv_circuit_best(p, evidence + i * p->nvar, scratch, chosen,
                                    assignment + i * p->nvar);
    cleave_status status = scratch && chosen ? CLEAVE_OK : clv_fail_memory(err);
    clv_sys_free(scratch);
    clv_sys_free(chosen);
    return status;
}
