/* SPDX-License-Identifier: Apache-2.0 */
/* api/run_team.h - the threads that plans run on, and whose turn it is. */
#ifndef CLV_API_RUN_TEAM_H
#define CLV_API_RUN_TEAM_H

#include "base/threads.h"
#include "run/run_sync.h"

struct cleave_team {
    clv_team *team; /* NULL: the caller alone */
    clv_lock *turn;
};

/* Everything of *out as opt says; NULL: defaults.  The threads asked for are possible, and not
 * more than the team has. */
cleave_status clv_run_options_take(cleave_run_options *out, const cleave_run_options *opt,
                                   cleave_error *err);
/* The synchronisation of such options; and its name. */
cleave_status clv_run_find_sync(clv_sync *sync, const cleave_run_options *opt,
                                cleave_error *err);
const char *clv_run_sync_name(clv_sync sync);
/* The threads that such options allow. */
int clv_run_threads(const cleave_run_options *opt);

/* cleave_team_create; without `insist` the team has fewer members where the system refuses
 * threads. */
cleave_status clv_run_team_create(cleave_team **out, int threads, bool insist,
                                  cleave_error *err);

/* Waits for its turn; then every member of the team calls work(context, member, size), and it
 * returns when all are done.  workers: members that have something to do; where that is the
 * caller alone, nobody is woken, and size is 1. */
void clv_run_team_call(cleave_team *team, int workers,
                       void (*work)(void *context, int member, int size), void *context);

#endif
