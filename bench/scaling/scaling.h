/* SPDX-License-Identifier: Apache-2.0 */
/* bench/scaling/scaling.h - the trace of one call, and what follows from it.
 *
 * scaling.c          options, runs and tables
 * scaling_record.c   takes the place of the library's parallel loops and records them
 * scaling_replay.c   schedules a trace on more threads
 *
 * A trace is a sequence of stretches.  A stretch is serial work of the calling thread, then a
 * parallel region: the CPU times of its chunks, in the order in which they are assigned. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include <stdint.h>

#include "cleave/cleave.h"

typedef enum scaling_phase {
    PHASE_OTHER,
    PHASE_CLUSTER,
    PHASE_CONTRACT,
    PHASE_COARSEN, /* the rest of it */
    PHASE_INITIAL,
    PHASE_REBALANCE,
    PHASE_LABELS,
    PHASE_JET,
    PHASE_FM,
    PHASE_FLOW,
    PHASE_STATE, /* the state of a partition from scratch */
    PHASE_EVALUATE,
    PHASES
} scaling_phase;
extern const char *const scaling_phase_names[PHASES];

typedef struct scaling_stretch {
    scaling_phase phase;
    double serial; /* seconds of CPU time before the region */
    int64_t first; /* its chunks: first .. first + count - 1 */
    int64_t count; /* 0: no region follows */
} scaling_stretch;

typedef struct scaling_trace {
    scaling_stretch *stretch;
    int64_t nstretch, stretch_room;
    double *chunk; /* seconds of CPU time */
    int64_t nchunk, chunk_room;
} scaling_trace;

/* Records everything that the calling thread does in the library until scaling_record_end. */
void scaling_record_begin(scaling_trace *trace);
void scaling_record_end(void);
void scaling_trace_free(scaling_trace *trace);
/* Seconds of wall time that an empty region costs on 2 threads: the least mean of several
 * batches. */
double scaling_region_cost(void);

typedef struct scaling_shares {
    double total, serial; /* seconds of CPU time */
    double in[PHASES], serial_in[PHASES];
    int64_t regions;
} scaling_shares;
scaling_shares scaling_sum(const scaling_trace *trace);
/* Seconds on so many threads: each chunk goes to the thread that is idle first, and each
 * region costs region_cost * log2(threads) more. */
double scaling_replay(const scaling_trace *trace, int threads, double region_cost);

void scaling_fail(const char *what);

#endif
