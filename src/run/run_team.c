/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_team.c - the threads of plans.
 *
 * A solve takes from ten microseconds to a few milliseconds, and the next one usually follows
 * soon; waking a sleeping thread would take as long again.  Members therefore spin for a while
 * after each call before they sleep. */
#include "run/run_team.h"

/* Long enough for the work of an iterative solver between two solves (a product with the
 * matrix, a few dot products), short enough that an idle program does not use the
 * processor. */
static const double patience = 100e-6;

cleave_status clv_run_team_create(cleave_team **out, int threads, bool insist,
                                  cleave_error *err)
{
    *out = NULL;
    cleave_team *team = clv_zalloc(1, sizeof *team);
    if (!team)
        return clv_fail_memory(err);
    team->turn = clv_lock_new();
    cleave_status status = team->turn ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK && threads != 1)
        status = insist ? clv_team_create(&team->team, threads, err)
                        : clv_team_create_up_to(&team->team, threads, err);
    if (status != CLEAVE_OK) {
        clv_run_team_free(team);
        return status;
    }
    clv_team_set_patience(team->team, patience);
    *out = team;
    return CLEAVE_OK;
}

void clv_run_team_free(cleave_team *team)
{
    if (!team)
        return;
    clv_team_free(team->team);
    clv_lock_free(team->turn);
    clv_sys_free(team);
}

int clv_run_team_size(const cleave_team *team)
{
    return clv_team_size(team->team);
}

void clv_run_team_call(cleave_team *team, int workers,
                       void (*body)(void *context, int member, int size), void *context)
{
    clv_lock_take(team->turn);
    clv_team_run(workers > 1 ? team->team : NULL, body, context);
    clv_lock_give(team->turn);
}

int clv_run_threads(const cleave_run_options *opt)
{
    if (opt->threads > 0)
        return opt->threads;
    return opt->team ? clv_run_team_size(opt->team) : clv_threads_available();
}
