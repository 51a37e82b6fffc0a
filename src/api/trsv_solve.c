/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_solve.c - solves with a plan, and updates of its values. */
#include "engine/solve/solve_plan.h"

static cleave_status check_plan(const cleave_trsv *p, bool single, cleave_error *err)
{
    if (!p)
        return clv_fail(err, CLEAVE_EINVAL, "the plan is NULL");
    if (p->values.single == single)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL,
                    single ? "the plan is of double numbers, but the call is of float"
                           : "the plan is of float numbers, but the call is of double");
}

static cleave_status check_vectors(const cleave_trsv *p, bool single, const void *x,
                                   const void *b, cleave_error *err)
{
    CLV_TRY(check_plan(p, single, err));
    if (p->values.n > 0 && (!x || !b))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", x ? "b" : "x");
    return CLEAVE_OK;
}

/* Small systems take a few nanoseconds, so that the check must be short. */
static CLV_ALWAYS_INLINE bool is_plain(const cleave_trsv *p, bool single, const void *x,
                                       const void *b)
{
    return p && p->plain && p->plain->single == single && x && b;
}

/* Not inlined, so that a plain solve saves and restores no registers. */
CLV_NOINLINE static cleave_status solve_given(cleave_trsv *p, bool single, void *x,
                                              const void *b, cleave_error *err)
{
    CLV_TRY(check_vectors(p, single, x, b, err));
    clv_solve_plan_solve(p, x, b);
    return CLEAVE_OK;
}

cleave_status cleave_trsv_solve(cleave_trsv *p, double *x, const double *b, cleave_error *err)
{
    if (is_plain(p, false, x, b))
        return clv_plain_rows_solve(p->plain, x, b);
    return solve_given(p, false, x, b, err);
}

cleave_status cleave_trsv_solve_f(cleave_trsv *p, float *x, const float *b, cleave_error *err)
{
    if (is_plain(p, true, x, b))
        return clv_plain_rows_solve(p->plain, x, b);
    return solve_given(p, true, x, b, err);
}

cleave_status cleave_trsv_solve_ordered(cleave_trsv *p, double *x, cleave_error *err)
{
    CLV_TRY(check_vectors(p, false, x, x, err));
    clv_solve_plan_solve(p, x, NULL);
    return CLEAVE_OK;
}

cleave_status cleave_trsv_solve_member(cleave_trsv *p, int member, double *x, const double *b,
                                       cleave_error *err)
{
    CLV_TRY(check_vectors(p, false, x, b, err));
    int threads = clv_tri_plan_threads(p->plan);
    if (member < 0 || member >= threads)
        return clv_fail(err, CLEAVE_EINVAL, "member is %d, but the plan has %d %s", member,
                        threads, threads == 1 ? "thread" : "threads");
    if (p->values.n > 0)
        clv_tri_plan_solve(p->plan, member, x, b);
    return CLEAVE_OK;
}

/* ---- Several right-hand sides ----------------------------------------------------------- */

static cleave_status solve_many(cleave_trsv *p, int32_t nrhs, void *x, int64_t ldx,
                                const void *b, int64_t ldb, cleave_error *err)
{
    if (nrhs < 0)
        return clv_fail(err, CLEAVE_EINVAL, "there cannot be %ld right-hand sides",
                        (long)nrhs);
    if (nrhs > 1 && (ldx < p->values.n || ldb < p->values.n))
        return clv_fail(err, CLEAVE_EINVAL, "%s is %lld, less than the %ld rows",
                        ldx < p->values.n ? "ldx" : "ldb",
                        (long long)(ldx < p->values.n ? ldx : ldb), (long)p->values.n);
    if (nrhs > 1 && x == b && ldx != ldb)
        return clv_fail(err, CLEAVE_EINVAL,
                        "x and b are the same array, but ldx is %lld and ldb %lld",
                        (long long)ldx, (long long)ldb);
    clv_solve_plan_solve_many(p, nrhs, x, ldx, b, ldb);
    return CLEAVE_OK;
}

cleave_status cleave_trsv_solve_many(cleave_trsv *p, int32_t nrhs, double *x, int64_t ldx,
                                     const double *b, int64_t ldb, cleave_error *err)
{
    CLV_TRY(check_vectors(p, false, x, b, err));
    return solve_many(p, nrhs, x, ldx, b, ldb, err);
}

cleave_status cleave_trsv_solve_many_f(cleave_trsv *p, int32_t nrhs, float *x, int64_t ldx,
                                       const float *b, int64_t ldb, cleave_error *err)
{
    CLV_TRY(check_vectors(p, true, x, b, err));
    return solve_many(p, nrhs, x, ldx, b, ldb, err);
}

/* ---- Values ----------------------------------------------------------------------------- */

static cleave_status update(cleave_trsv *p, const void *val, cleave_error *err)
{
    if (!val && p->values.count > 0)
        return clv_fail(err, CLEAVE_EINVAL, "val is NULL");
    return clv_solve_plan_update_values(p, val, err);
}

cleave_status cleave_trsv_update_values(cleave_trsv *p, const double *val, cleave_error *err)
{
    CLV_TRY(check_plan(p, false, err));
    return update(p, val, err);
}

cleave_status cleave_trsv_update_values_f(cleave_trsv *p, const float *val, cleave_error *err)
{
    CLV_TRY(check_plan(p, true, err));
    return update(p, val, err);
}
