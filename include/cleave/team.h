/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/team.h - teams of threads, and how plans use them.
 *
 * Plans of solve.h and circuit.h execute schedules on a team of threads, their own or a shared
 * one:
 *
 *     cleave_run_options opt;
 *     cleave_team *team = NULL;
 *     cleave_run_options_init(&opt, sizeof opt);
 *     if (cleave_team_create(&team, 4, &err) == CLEAVE_OK)
 *         opt.team = team;
 *     cleave_team_free(team);
 */
#ifndef CLEAVE_TEAM_H
#define CLEAVE_TEAM_H

#include "cleave/schedule.h"
#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pool of threads.  Idle threads spin for 0.1 ms after each call, then sleep; a team larger
 * than the number of processors never spins.  Plans can share a team; concurrent calls are
 * then serialised.  The thread that calls a solve is a member of the team.  After fork, the
 * child process can only free objects of its parent: threads are not inherited. */
typedef struct cleave_team cleave_team;
/* threads 0: all that this process may use. */
CLEAVE_API cleave_status cleave_team_create(cleave_team **out, int threads, cleave_error *err);
CLEAVE_API void cleave_team_free(cleave_team *team); /* joins; after the plans that use it */
CLEAVE_API int cleave_team_size(const cleave_team *team);

/* Measures the memory bandwidth of this many threads together (0: all that this process may
 * use): bytes read and written per second, the best of several passes of a = b + 3 c (STREAM
 * triad) over arrays larger than the caches.  Takes about 0.3 seconds and 200 megabytes. */
CLEAVE_API cleave_status cleave_bandwidth_measure(double *bytes_per_second, int threads,
                                                  cleave_error *err);

/* ---- Plans ---------------------------------------------------------------------------- */

typedef struct cleave_run_options {
    size_t size;
    /* As in cleave_schedule_options.  "auto" (NULL) also chooses the number of threads, at
     * most the number of processors: by cost and, unless few calls are expected, by timing a
     * few trial solves, so that the choice can differ between runs.  Results do not depend on
     * it. */
    const char *method;
    const char *params;
    const cleave_schedule_costs *costs; /* NULL: sync 1000 (circuits 200), read 0 */
    int threads;       /* 0: those of the team, or all that this process may use */
    cleave_team *team; /* NULL: the plan creates its own */
    /* NULL or "auto": by cost; "barrier": a barrier after each layer; "p2p": a block waits for
     * the threads it reads from; "stale": a barrier that waits only for the layers that this
     * layer reads from.  Results do not depend on it. */
    const char *sync;
    int64_t expected_calls; /* number of solves over which the analysis is amortised; 0:
                               unknown, taken as 1000 */
    int split_rows; /* -1: where it reduces the cost; 0: never; 1: wherever the schedule does.
                       Rows of an upper triangle are never split: there is no gain */
    int pair;       /* 0; nonzero: the schedule is for both triangles of the matrix, see
                       cleave_trsv_create_from; needs both in the arrays (part), splits no row */
    uint64_t seed;  /* 1 */
} cleave_run_options;
CLEAVE_API void cleave_run_options_init(cleave_run_options *opt, size_t size);

/* Properties of a plan. */
typedef struct cleave_run_info {
    size_t size;
    const char *method;      /* "grow", "serial", ... */
    const char *sync;        /* "p2p", ... */
    int32_t layers, threads; /* threads: those that have work */
    int64_t nonzeros; /* multiply-adds and divisions of a solve; for a circuit the work */
    int64_t bytes;    /* that a solve reads and writes, at least */
    int64_t waits;    /* for another thread, over all threads and layers */
    double seconds_analysis; /* time of create, without reading files */
    int32_t split_rows;      /* rows split into several tasks */
} cleave_run_info;
CLEAVE_API void cleave_run_info_init(cleave_run_info *info, size_t size);

#ifdef __cplusplus
}
#endif

#endif
