/* SPDX-License-Identifier: Apache-2.0 */
/* engine/trial.h - times several candidates that compute the same result and selects the
 * fastest. */
#ifndef CLV_ENGINE_TRIAL_H
#define CLV_ENGINE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_trial_candidate {
    void (*compute)(void *context);
    void *context;
    bool threaded; /* uses several threads, so that other load can disturb it */
    double risk;   /* additional seconds that it may take at other times */
    double best;   /* seconds of its fastest computation; set by the trial, as is: */
    bool out;      /* can no longer win */
} clv_trial_candidate;

/* The risk of `threads` threads that wait `waits` times in total; 0 for one thread. */
double clv_trial_risk(int32_t threads, int64_t waits);
/* Returns the index of the fastest candidate; the last one if differences are within noise.
 * Each candidate computes first_times times before it is timed. */
int clv_trial_fastest(clv_trial_candidate *c, int count, int first_times);

#endif
