/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_trial.c - a few solves one way against as many another way.
 *
 * Zeros are solved for: no number overflows, and none is denormal.  Right-hand side and
 * solution are two arrays, as they usually are: in place, one thread has half as much to fetch
 * and seems better than it is. */
#include <assert.h>
#include <string.h>

#include "api/trial.h"
#include "api/trsv.h"

/* What it takes to call a plan, beyond solving: a lock, and finding its loops. */
static const double plan_call = 20e-9;
typedef struct runner {
    clv_tri_plan *plan;
    const clv_plain_rows *plain; /* instead */
    cleave_team *team;           /* not used for one thread */
    int32_t workers;             /* members of the team that solve */
    void *x;
    const void *b;
} runner;

static void solve_member(void *context, int member, int size)
{
    const runner *r = context;
    (void)size;
    if (member < r->workers)
        clv_tri_plan_share(r->plan, member, r->workers, r->x, r->b);
}

static void solve(void *context)
{
    runner *r = context;
    if (r->plain)
        clv_plain_rows_solve(r->plain, r->x, r->b);
    else if (r->workers > 1)
        clv_run_team_call(r->team, r->workers, solve_member, r);
    else
        solve_member(r, 0, 1);
}

static clv_contender enter(runner *r)
{
    double risk = r->plan ? clv_trial_risk(r->workers, clv_tri_plan_waits(r->plan)) : 0;
    return (clv_contender){
        .compute = solve, .context = r, .threaded = r->workers > 1, .risk = risk};
}

/* Right-hand side and solution, for all runners; NULL: no memory.  Every page of both is
 * written: one that never was is the same for all, and always in the cache. */
static double *make_vectors(int32_t n, clv_ws *ws)
{
    double *both = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *both); /* also as floats */
    if (both)
        memset(both, 0, 2 * (size_t)n * sizeof *both);
    return both;
}

cleave_status clv_trsv_trial(int *best, clv_tri_plan *const *plan, int count,
                             cleave_team *team, int32_t n, clv_ws *ws, cleave_error *err)
{
    enum { most = 4 };
    runner each[most];
    clv_contender all[most];
    assert(count <= most);
    clv_ws_mark mark = clv_ws_save(ws);
    double *b = make_vectors(n, ws);
    if (!b)
        return clv_fail_memory(err);
    for (int i = 0; i < count; i++) {
        int threads = clv_tri_plan_threads(plan[i]), members = cleave_team_size(team);
        each[i] = (runner){.plan = plan[i],
                           .team = team,
                           .workers = threads < members ? threads : members,
                           .x = b + n,
                           .b = b};
        all[i] = enter(&each[i]);
    }
    *best = clv_trial_best(all, count, 1);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_trsv_glance(bool *keep, const clv_plain_rows *plain, clv_tri_plan *serial,
                              int32_t n, clv_ws *ws, cleave_error *err)
{
    enum { few_rows = 10000 };
    /* After some solves of a small system the processor knows by heart where its rows end. */
    int first_times = n < few_rows ? 16 : 1;
    clv_ws_mark mark = clv_ws_save(ws);
    double *b = make_vectors(n, ws);
    if (!b)
        return clv_fail_memory(err);
    runner first = {.plan = serial, .workers = 1, .x = b + n, .b = b};
    runner second = {.plain = plain, .x = b + n, .b = b};
    clv_contender all[2] = {enter(&first), enter(&second)};
    all[0].risk = plan_call;
    *keep = clv_trial_best(all, 2, first_times) == 1;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
