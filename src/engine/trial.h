/* SPDX-License-Identifier: Apache-2.0 */
/* engine/trial.h - which of several ways to compute the same result is fastest, by the
 * clock. */
#ifndef CLV_ENGINE_TRIAL_H
#define CLV_ENGINE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_trial_candidate {
    void (*compute)(void *context);
    void *context;
    bool threaded; /* uses more than one thread, so that other load can disturb it */
    double risk;   /* seconds that it may take more another time */
    double best;   /* seconds of its fastest computation; set by the trial, as is: */
    bool out;      /* cannot win any more */
} clv_trial_candidate;

/* The risk of `threads` threads that wait `waits` times altogether; 0 for one thread. */
double clv_trial_risk(int32_t threads, int64_t waits);
/* The index of the fastest candidate.  Of those that differ by no more than chance, the last.
 * Each computes first_times times before it is timed. */
int clv_trial_fastest(clv_trial_candidate *c, int count, int first_times);

#endif
