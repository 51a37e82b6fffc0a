/* SPDX-License-Identifier: Apache-2.0 */
/* api/trial.h - ways to compute the same, one against the other by the clock. */
#ifndef CLV_API_TRIAL_H
#define CLV_API_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_contender {
    void (*compute)(void *context);
    void *context;
    bool threaded; /* has more than one thread: others can disturb it */
    double risk;   /* seconds that it may take more another time */
    double best;   /* seconds of one; set by the trial, like: */
    bool out;      /* cannot win any more */
} clv_contender;

/* The risk of threads that wait so often altogether; 0 for one. */
double clv_trial_risk(int32_t threads, int64_t waits);
/* Which one is fastest; of those that differ by no more than chance, the last.  Each computes
 * first_times times before it is looked at. */
int clv_trial_best(clv_contender *c, int count, int first_times);

#endif
