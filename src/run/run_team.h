/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_team.h - the threads that plans run on.  A lock lets one caller at a time use
 * them. */
#ifndef CLV_RUN_RUN_TEAM_H
#define CLV_RUN_RUN_TEAM_H

#include "base/threads.h"
#include "run/run_sync.h"

struct cleave_team {
    clv_team *team; /* NULL: the caller alone */
    clv_lock *turn; /* held during a call */
};

/* Without `insist` the team has fewer members where the system refuses threads. */
cleave_status clv_run_team_create(cleave_team **out, int threads, bool insist,
                                  cleave_error *err);
void clv_run_team_free(cleave_team *team); /* NULL is fine */
int clv_run_team_size(const cleave_team *team);

/* Waits for the lock.  Then every member of the team calls body(context, member, size).
 * Returns when all are done.  workers: members that have something to do; where that is the
 * caller alone, no thread is woken, and size is 1. */
void clv_run_team_call(cleave_team *team, int workers,
                       void (*body)(void *context, int member, int size), void *context);

/* The threads that checked options allow. */
int clv_run_threads(const cleave_run_options *opt);

#endif
