/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_team.h - the threads of plans.  A lock serialises callers. */
#ifndef CLV_RUN_RUN_TEAM_H
#define CLV_RUN_RUN_TEAM_H

#include "base/threads.h"
#include "run/run_sync.h"

struct cleave_team {
    clv_team *team; /* NULL: the calling thread only */
    clv_lock *turn; /* held during a call */
};

/* Without `insist` the team has fewer members if the system refuses threads. */
cleave_status clv_run_team_create(cleave_team **out, int threads, bool insist,
                                  cleave_error *err);
void clv_run_team_free(cleave_team *team); /* NULL is fine */
int clv_run_team_size(const cleave_team *team);

/* Takes the lock, then every member of the team calls body(context, member, size).  Returns
 * when all have finished. workers: members that have work; if that is only the caller, no
 * thread is woken, and size is 1. */
void clv_run_team_call(cleave_team *team, int workers,
                       void (*body)(void *context, int member, int size), void *context);

/* The number of threads that checked options allow. */
int clv_run_threads(const cleave_run_options *opt);

#endif
