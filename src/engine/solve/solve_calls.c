/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_calls.c - solves by the team of a plan, and new values for it. */
#include "engine/solve/solve_plan.h"

typedef struct call {
    clv_tri_plan *plan;
    int32_t workers;
    clv_tri_vectors v; /* b NULL: x in the plan's order */
} call;

static void solve_member(void *context, int member, int size)
{
    const call *c = context;
    (void)size;
    if (member < c->workers)
        clv_tri_plan_share(c->plan, member, c->workers, c->v.x, c->v.b);
}

void clv_solve_plan_solve(cleave_trsv *p, void *x, const void *b)
{
    call c = {.plan = p->plan, .workers = p->workers, .v = {.x = x, .b = b}};
    if (p->values.n > 0)
        clv_run_team_call(p->team, p->workers, solve_member, &c);
}

static void solve_many_member(void *context, int member, int size)
{
    const call *c = context;
    (void)size;
    if (member < c->workers)
        clv_tri_plan_solve_many(c->plan, member, c->workers, &c->v);
}

void clv_solve_plan_solve_many(cleave_trsv *p, int32_t nrhs, void *x, int64_t ldx,
                               const void *b, int64_t ldb)
{
    call c = {p->plan, p->workers, {nrhs, x, b, ldx, ldb}};
    if (p->values.n > 0 && nrhs > 0)
        clv_run_team_call(p->team, p->workers, nrhs > 1 ? solve_many_member : solve_member,
                          &c);
}

cleave_status clv_solve_plan_update_values(cleave_trsv *p, const void *val, cleave_error *err)
{
    CLV_TRY(clv_values_check(&p->values, val, err));
    clv_lock_take(p->team->turn);
    clv_tri_plan_values(p->plan, val);
    if (p->plain)
        clv_plain_rows_values(p->plain, val);
    clv_lock_give(p->team->turn);
    return CLEAVE_OK;
}
