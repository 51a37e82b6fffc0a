/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_solve.c - solving with a plan, and giving it new values. */
#include "api/trsv.h"

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

/* ---- One right-hand side ------------------------------------------------------------------
 */

typedef struct call {
    clv_tri_plan *plan;
    int32_t workers, nrhs;
    void *x;
    const void *b; /* NULL: x in the plan's order */
    int64_t ldx, ldb;
} call;

static void solve_one(void *context, int member, int size)
{
    const call *c = context;
    (void)size;
    if (member < c->workers)
        clv_tri_plan_share(c->plan, member, c->workers, c->x, c->b);
}

/* Small systems take a few nanoseconds: nothing is looked at for them that need not be. */
static CLV_ALWAYS_INLINE bool is_plain(const cleave_trsv *p, bool single, const void *x,
                                       const void *b)
{
    return p && p->plain && p->plain->single == single && x && b;
}

static cleave_status solve(cleave_trsv *p, void *x, const void *b)
{
    call c = {.plan = p->plan, .workers = p->workers, .x = x, .b = b};
    if (p->values.n > 0)
        clv_run_team_call(p->team, p->workers, solve_one, &c);
    return CLEAVE_OK;
}

/* A function of its own, so that a plain solve has nothing to save and restore. */
CLV_NOINLINE static cleave_status solve_given(cleave_trsv *p, bool single, void *x,
                                              const void *b, cleave_error *err)
{
    CLV_TRY(check_vectors(p, single, x, b, err));
    return solve(p, x, b);
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
    return solve(p, x, NULL);
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

/* ---- Several ------------------------------------------------------------------------------
 */

static void solve_several(void *context, int member, int size)
{
    const call *c = context;
    (void)size;
    if (member < c->workers)
        clv_tri_plan_solve_many(c->plan, member, c->workers, c->nrhs, c->x, c->ldx, c->b,
                                c->ldb);
}

static cleave_status solve_many(cleave_trsv *p, int32_t nrhs, void *x, int64_t ldx,
                                const void *b, int64_t ldb, cleave_error *err)
{
    call c = {p->plan, p->workers, nrhs, x, b, ldx, ldb};
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
    if (p->values.n > 0 && nrhs > 0)
        clv_run_team_call(p->team, p->workers, nrhs > 1 ? solve_several : solve_one, &c);
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

/* ---- Values --------------------------------------------------------------------------------
 */

static cleave_status update(cleave_trsv *p, const void *val, cleave_error *err)
{
    if (!val && p->values.count > 0)
        return clv_fail(err, CLEAVE_EINVAL, "val is NULL");
    CLV_TRY(clv_values_check(&p->values, val, err));
    clv_lock_take(p->team->turn);
    clv_tri_plan_values(p->plan, val);
    if (p->plain)
        clv_plain_rows_values(p->plain, val);
    clv_lock_give(p->team->turn);
    return CLEAVE_OK;
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
