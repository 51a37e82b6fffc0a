/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_trial.c - times a few solves with each plan.
 *
 * The right-hand side is zero, so that nothing overflows or becomes denormal.  Right-hand side
 * and solution are separate arrays, as is usual: in place, one thread would load half as much
 * and would appear faster than it is. */
#include <assert.h>
#include <string.h>

#include "engine/solve/solve_analysis.h"
#include "engine/trial.h"

/* Overhead of calling a plan, in seconds: a lock, and the choice of loops. */
static const double plan_call = 20e-9;
typedef struct solver {
    clv_tri_plan *plan;
    const clv_plain_rows *plain; /* used instead of the plan if not NULL */
    cleave_team *team;           /* not used for one thread */
    int32_t workers;             /* members of the team that solve */
    void *x;
    const void *b;
} solver;

static void solve_member(void *context, int member, int size)
{
    const solver *r = context;
    (void)size;
    if (member < r->workers)
        clv_tri_plan_share(r->plan, member, r->workers, r->x, r->b);
}

static void solve_once(void *context)
{
    solver *r = context;
    if (r->plain)
        clv_plain_rows_solve(r->plain, r->x, r->b);
    else if (r->workers > 1)
        clv_run_team_call(r->team, r->workers, solve_member, r);
    else
        solve_member(r, 0, 1);
}

static clv_trial_candidate make_candidate(solver *r)
{
    double risk = r->plan ? clv_trial_risk(r->workers, clv_tri_plan_waits(r->plan)) : 0;
    return (clv_trial_candidate){
        .compute = solve_once, .context = r, .threaded = r->workers > 1, .risk = risk};
}

/* Right-hand side and solution for all solvers; NULL: out of memory.  Every page of both is
 * written: pages never written all map to one zero page, which is always in the cache. */
static double *make_vectors(int32_t n, clv_ws *ws)
{
    double *both = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *both); /* also as floats */
    if (both)
        memset(both, 0, 2 * (size_t)n * sizeof *both);
    return both;
}

cleave_status clv_solve_find_fastest(int *best, clv_tri_plan *const *plan, int count,
                                     cleave_team *team, clv_ws *ws, cleave_error *err)
{
    enum { most = 4 };
    int32_t n = clv_tri_plan_size(plan[0]);
    solver each[most];
    clv_trial_candidate all[most];
    assert(count <= most);
    clv_ws_mark mark = clv_ws_save(ws);
    double *b = make_vectors(n, ws);
    if (!b)
        return clv_fail_memory(err);
    for (int i = 0; i < count; i++) {
        int threads = clv_tri_plan_threads(plan[i]), members = clv_run_team_size(team);
        each[i] = (solver){.plan = plan[i],
                           .team = team,
                           .workers = threads < members ? threads : members,
                           .x = b + n,
                           .b = b};
        all[i] = make_candidate(&each[i]);
    }
    *best = clv_trial_fastest(all, count, 1);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_solve_compare_with_plain(bool *faster, const clv_plain_rows *plain,
                                           clv_tri_plan *serial, clv_ws *ws, cleave_error *err)
{
    enum { few_rows = 10000 };
    int32_t n = clv_tri_plan_size(serial);
    /* After some solves, branch prediction has adapted to the row lengths of a small
     * system. */
    int first_times = n < few_rows ? 16 : 1;
    clv_ws_mark mark = clv_ws_save(ws);
    double *b = make_vectors(n, ws);
    if (!b)
        return clv_fail_memory(err);
    solver first = {.plan = serial, .workers = 1, .x = b + n, .b = b};
    solver second = {.plain = plain, .x = b + n, .b = b};
    clv_trial_candidate all[2] = {make_candidate(&first), make_candidate(&second)};
    all[0].risk = plan_call;
    *faster = clv_trial_fastest(all, 2, first_times) == 1;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
