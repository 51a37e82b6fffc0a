/* SPDX-License-Identifier: Apache-2.0 */
/* api/trial.h - two ways to compute the same, one against the other by the clock. */
#ifndef CLV_API_TRIAL_H
#define CLV_API_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_contender {
    void (*compute)(void *context);
    void *context;
    double risk; /* seconds that it may take more another time */
    int times;   /* of a look; set by the trial, like: */
    double best; /* seconds of one */
} clv_contender;

/* The risk of threads that wait so often altogether; 0 for one. */
double clv_trial_risk(int32_t threads, int64_t waits);
/* Is `a` faster than `b` by more than chance?  Both compute `times` times (more where that
 * would take no time at all) in each of three looks a round. */
bool clv_trial_faster(clv_contender *a, clv_contender *b, int times, int rounds);
/* The same where `a` has more threads: whatever disturbs the machine disturbs it more, so that
 * it has several chances. */
bool clv_trial_threads_faster(clv_contender *a, clv_contender *b);

#endif
