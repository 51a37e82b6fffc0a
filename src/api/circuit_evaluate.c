/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit_evaluate.c - evaluating circuits with a plan. */
#include <math.h>
#include <string.h>

#include "api/circuit_plan.h"
#include "run/circuit_best.h"

void cleave_circuit_options_init(cleave_circuit_options *opt, size_t size)
{
    clv_sized_init(opt, size);
}

/* ---- Arguments ------------------------------------------------------------------------ */

/* *second: the word is the second one. */
static cleave_status take_word(bool *second, const char *what, const char *word,
                               const char *const *words, cleave_error *err)
{
    *second = word && strcmp(word, words[1]) == 0;
    if (!word || !*word || *second || strcmp(word, words[0]) == 0)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL, "%s is \"%s\", which is none of %s, %s", what, word,
                    words[0], words[1]);
}

static cleave_status take_op(clv_circuit_op *op, const cleave_circuit_options *opt,
                             cleave_error *err)
{
    static const char *const spaces[] = {"log", "linear"}, *const queries[] = {"sum", "max"};
    cleave_circuit_options full = {.space = NULL};
    bool linear, max;
    if (opt)
        CLV_TRY(clv_sized_copy(&full, sizeof full, opt, "cleave_circuit_options", err));
    CLV_TRY(take_word(&linear, "space", full.space, spaces, err));
    CLV_TRY(take_word(&max, "query", full.query, queries, err));
    *op = max ? (linear ? CLV_CIRCUIT_LINEAR_MAX : CLV_CIRCUIT_LOG_MAX)
              : (linear ? CLV_CIRCUIT_LINEAR_SUM : CLV_CIRCUIT_LOG_SUM);
    return CLEAVE_OK;
}

/* Nothing but -1, 0 and 1; a loop that the compiler turns into vectors. */
static bool all_fine(const int8_t *evidence, int64_t count)
{
    unsigned char bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (unsigned char)(evidence[i] + 1) > 2;
    return !bad;
}

static cleave_status check_evidence(const clv_circuit_program *p, int64_t nbatch,
                                    const int8_t *evidence, const char *what,
                                    cleave_error *err)
{
    int64_t count, i = 0;
    if (nbatch > 0 && !evidence)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", what);
    if (!clv_mul_i64(nbatch, p->nvar, &count))
        return clv_fail(err, CLEAVE_ERANGE, "the batch is too large");
    if (all_fine(evidence, count))
        return CLEAVE_OK;
    while (evidence[i] >= -1 && evidence[i] <= 1)
        i++;
    return clv_fail(err, CLEAVE_EINVAL,
                    "%s of variable %lld in instance %lld is %d, which is none of -1, 0, 1",
                    what, (long long)(i % p->nvar) + 1, (long long)(i / p->nvar),
                    (int)evidence[i]);
}

static cleave_status check_batch(const cleave_circuit_plan *plan, int64_t nbatch,
                                 const double *result, const char *what, cleave_error *err)
{
    if (!plan)
        return clv_fail(err, CLEAVE_EINVAL, "the plan is NULL");
    if (nbatch < 0)
        return clv_fail(err, CLEAVE_EINVAL, "nbatch is %lld", (long long)nbatch);
    if (nbatch > 0 && !result)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", what);
    return CLEAVE_OK;
}

/* ---- Running -------------------------------------------------------------------------- */

static void work(void *context, int member, int size)
{
    (void)size;
    clv_circuit_job_work(context, member);
}

/* How many members have something to do. */
static int members_for(const cleave_circuit_plan *plan, const clv_circuit_job *job)
{
    int size = cleave_team_size(plan->team);
    int64_t sweeps = (job->swept + clv_circuit_lanes - 1) / clv_circuit_lanes;
    if (job->bound && job->bound->sync.threads > 1 && job->swept < job->count)
        return size;
    if (sweeps < 2 || size == 1)
        return 1;
    double all = (double)sweeps * clv_circuit_sweep_cost(job->op) *
                 (double)plan->cost[job->op == CLV_CIRCUIT_LOG_SUM];
    return all / 2 > clv_circuit_wake_cost ? size : 1;
}

static void run(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
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
    clv_circuit_job_share(&job, cleave_team_size(plan->team));
    clv_run_team_call(plan->team, members_for(plan, &job), work, &job);
}

/* What linear space could not hold, once more with logarithms. */
static cleave_status run_again(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
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
    run(plan, op, lost, index, evidence, result);
    clv_sys_free(index);
    return CLEAVE_OK;
}

static cleave_status evaluate(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
                              const int8_t *evidence, double *result, cleave_error *err)
{
    clv_circuit_op again = clv_circuit_is_max(op) ? CLV_CIRCUIT_LOG_MAX : CLV_CIRCUIT_LOG_SUM;
    if (count == 0)
        return CLEAVE_OK;
    run(plan, plan->program.proper ? op : again, count, NULL, evidence, result);
    return clv_circuit_is_linear(op) && plan->program.proper
               ? run_again(plan, again, count, evidence, result, err)
               : CLEAVE_OK;
}

cleave_status cleave_circuit_evaluate(cleave_circuit_plan *plan,
                                      const cleave_circuit_options *opt, int64_t nbatch,
                                      const int8_t *evidence, double *result,
                                      cleave_error *err)
{
    clv_circuit_op op;
    CLV_TRY(check_batch(plan, nbatch, result, "result", err));
    CLV_TRY(take_op(&op, opt, err));
    CLV_TRY(check_evidence(&plan->program, nbatch, evidence, "evidence", err));
    return evaluate(plan, op, nbatch, evidence, result, err);
}

/* ---- Conditional ---------------------------------------------------------------------- */

/* both: what is given and what is asked.  False: they contradict each other. */
static bool join(int8_t *both, const int8_t *asked, const int8_t *given, int32_t count)
{
    bool agree = true;
    for (int32_t i = 0; i < count; i++) {
        both[i] = given[i] < 0 ? asked[i] : given[i];
        agree = agree && (asked[i] < 0 || asked[i] == both[i]);
    }
    return agree;
}

static cleave_status conditional(cleave_circuit_plan *plan, clv_circuit_op op, int64_t count,
                                 const int8_t *asked, const int8_t *given, int8_t *both,
                                 double *apart, double *result, cleave_error *err)
{
    int32_t nvar = plan->program.nvar;
    CLV_TRY(evaluate(plan, op, count, given, apart, err));
    for (int64_t i = 0; i < count; i++)
        join(both + i * nvar, asked + i * nvar, given + i * nvar, nvar);
    CLV_TRY(evaluate(plan, op, count, both, result, err));
    for (int64_t i = 0; i < count; i++) {
        bool agree = join(both + i * nvar, asked + i * nvar, given + i * nvar, nvar);
        result[i] = apart[i] == -INFINITY ? NAN : agree ? result[i] - apart[i] : -INFINITY;
    }
    return CLEAVE_OK;
}

cleave_status cleave_circuit_conditional(cleave_circuit_plan *plan,
                                         const cleave_circuit_options *opt, int64_t nbatch,
                                         const int8_t *asked, const int8_t *given,
                                         double *result, cleave_error *err)
{
    clv_circuit_op op;
    CLV_TRY(check_batch(plan, nbatch, result, "result", err));
    CLV_TRY(take_op(&op, opt, err));
    CLV_TRY(check_evidence(&plan->program, nbatch, asked, "asked", err));
    CLV_TRY(check_evidence(&plan->program, nbatch, given, "given", err));
    int8_t *both = clv_alloc(nbatch * plan->program.nvar, 1);
    double *apart = clv_alloc(nbatch, sizeof *apart);
    cleave_status status =
        both && apart ? conditional(plan, op, nbatch, asked, given, both, apart, result, err)
                      : clv_fail_memory(err);
    clv_sys_free(both);
    clv_sys_free(apart);
    return status;
}

/* ---- The most probable assignment ----------------------------------------------------- */

cleave_status cleave_circuit_most_probable(cleave_circuit_plan *plan, int64_t nbatch,
                                           const int8_t *evidence, int8_t *assignment,
                                           double *value, cleave_error *err)
{
    CLV_TRY(check_batch(plan, nbatch, value, "value", err));
    if (nbatch > 0 && !assignment)
        return clv_fail(err, CLEAVE_EINVAL, "assignment is NULL");
    const clv_circuit_program *p = &plan->program;
    CLV_TRY(check_evidence(p, nbatch, evidence, "evidence", err));
    double *scratch = clv_alloc((int64_t)p->nleaf + p->nnode, sizeof *scratch);
    bool *chosen = clv_zalloc(p->nnode, sizeof *chosen);
    for (int64_t i = 0; scratch && chosen && i < nbatch; i++)
        value[i] = clv_circuit_best(p, evidence + i * p->nvar, scratch, chosen,
                                    assignment + i * p->nvar);
    cleave_status status = scratch && chosen ? CLEAVE_OK : clv_fail_memory(err);
    clv_sys_free(scratch);
    clv_sys_free(chosen);
    return status;
}
