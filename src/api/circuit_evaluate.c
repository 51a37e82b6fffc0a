/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit_evaluate.c - public evaluations of circuits with a plan. */
#include <string.h>

#include "engine/circuit/circuit_plan.h"

void cleave_circuit_options_init(cleave_circuit_options *opt, size_t size)
{
    clv_sized_init(opt, size);
}

/* ---- Arguments ------------------------------------------------------------------------ */

/* *second: the word is the second one of a pair. */
static cleave_status take_word(bool *second, const char *what, const char *word,
                               const char *const *words, cleave_error *err)
{
    *second = word && strcmp(word, words[1]) == 0;
    if (!word || !*word || *second || strcmp(word, words[0]) == 0)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL, "%s is \"%s\"; expected one of %s, %s", what, word,
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

/* Only -1, 0 and 1; a loop that the compiler vectorises. */
static bool is_evidence(const int8_t *evidence, int64_t count)
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
    if (is_evidence(evidence, count))
        return CLEAVE_OK;
    while (evidence[i] >= -1 && evidence[i] <= 1)
        i++;
    return clv_fail(err, CLEAVE_EINVAL,
                    "%s of variable %lld in instance %lld is %d; expected one of -1, 0, 1",
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

/* ---- Calls ---------------------------------------------------------------------------- */

cleave_status cleave_circuit_evaluate(cleave_circuit_plan *plan,
                                      const cleave_circuit_options *opt, int64_t nbatch,
                                      const int8_t *evidence, double *result,
                                      cleave_error *err)
{
    clv_circuit_op op;
    CLV_TRY(check_batch(plan, nbatch, result, "result", err));
    CLV_TRY(take_op(&op, opt, err));
    CLV_TRY(check_evidence(&plan->program, nbatch, evidence, "evidence", err));
    return clv_circuit_plan_evaluate(plan, op, nbatch, evidence, result, err);
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
    clv_conditional_queries q = {nbatch, asked, given};
    return clv_circuit_plan_conditional(plan, op, &q, result, err);
}

cleave_status cleave_circuit_most_probable(cleave_circuit_plan *plan, int64_t nbatch,
                                           const int8_t *evidence, int8_t *assignment,
                                           double *value, cleave_error *err)
{
    CLV_TRY(check_batch(plan, nbatch, value, "value", err));
    if (nbatch > 0 && !assignment)
        return clv_fail(err, CLEAVE_EINVAL, "assignment is NULL");
    CLV_TRY(check_evidence(&plan->program, nbatch, evidence, "evidence", err));
    return clv_circuit_plan_most_probable(plan, nbatch, evidence, assignment, value, err);
}
