/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/timed_solve.c - one solve whose steps are timed; see engine/solve/solve_plan.h.
 */
#include "base/context.h"
#include "engine/solve/solve_plan.h"

typedef struct timed_call {
    cleave_trsv *p;
    void *x;
    const void *b;
    clv_tri_moment *moment;
} timed_call;

static void solve_share_of_member(void *context, int member, int size)
{
    const timed_call *c = context;
    (void)size;
    if (member < c->p->workers)
        clv_tri_plan_trace(c->p->plan, member, c->p->workers, c->x, c->b, c->moment);
}

static void fill_ones(void *b, int32_t n, bool single)
{
    for (int32_t i = 0; i < n; i++)
        if (single)
            ((float *)b)[i] = 1;
        else
            ((double *)b)[i] = 1;
}

cleave_status clv_solve_timed(cleave_trsv *p, clv_tri_moment *moment, int64_t count,
                              double *seconds, clv_ws *ws, cleave_error *err)
{
    size_t each = p->values.single ? sizeof(float) : sizeof(double);
    timed_call c = {.p = p, .moment = moment};
    void *b = clv_ws_alloc(ws, p->values.n, each);
    c.x = clv_ws_zalloc(ws, p->values.n, each);
    c.b = b;
    if (!b || !c.x)
        return clv_fail_memory(err);
    fill_ones(b, p->values.n, p->values.single);
    double start = clv_clock();
    if (p->values.n > 0)
        clv_run_team_call(p->team, p->workers, solve_share_of_member, &c);
    *seconds = p->values.n > 0 ? clv_clock() - start : 0;
    for (int64_t i = 0; i < count; i++) {
        moment[i].wait -= start;
        moment[i].begin -= start;
        moment[i].end -= start;
    }
    return CLEAVE_OK;
}
