/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_sync.h - who waits for whom while a schedule runs.
 *
 * Every thread has a counter of the layers that it has finished, on a cache line of its own.
 * It only grows, from solve to solve, so that nothing is ever reset.  A thread's work is a
 * list of steps: a stretch of its layers before which it waits for some counters and after
 * which, where somebody waits for it, it moves its own. */
#ifndef CLV_RUN_RUN_SYNC_H
#define CLV_RUN_RUN_SYNC_H

#include <stdatomic.h>

#include "graph/schedule.h"

typedef enum clv_sync {
    CLV_SYNC_AUTO,
    CLV_SYNC_BARRIER,
    CLV_SYNC_P2P,
    CLV_SYNC_STALE
} clv_sync;
/* By name: "auto" (also NULL and ""), "barrier", "p2p", "stale". */
cleave_status clv_sync_parse(clv_sync *sync, const char *name, cleave_error *err);
const char *clv_sync_name(clv_sync sync);

typedef struct clv_sync_wait {
    int32_t thread, layers; /* until this thread has finished so many */
} clv_sync_wait;

typedef struct clv_sync_step {
    int32_t first, last; /* layers; those in between in which the thread has no work count */
    int32_t post;        /* nonzero: somebody waits for `last` */
    int32_t wait_begin, wait_end;
} clv_sync_step;

typedef struct clv_sync_counter {
    _Alignas(128) atomic_uint_least64_t done; /* 128: processors fetch lines in pairs */
    uint64_t base;                            /* of this solve; the owner's alone */
} clv_sync_counter;

typedef struct clv_run_sync {
    clv_sync kind;
    int32_t threads, layers; /* threads that have work, at least 1, numbered anew */
    const int32_t *member;   /* by the schedule's thread; -1: has no work */
    const int64_t *xstep;    /* threads + 1 */
    const clv_sync_step *step;
    const clv_sync_wait *wait;
    int64_t waits;
    int spins; /* looks at a counter before the processor is given to others */
    clv_sync_counter *counter;
} clv_run_sync;

/* Arcs that cross threads, found once: xread[block] .. xread[block + 1] are the reads of a
 * block (layer * threads + thread of the schedule), one for each other thread it reads from,
 * with the last layer it reads there. */
typedef struct clv_sync_reads {
    const int64_t *xread;
    const clv_sync_wait *read; /* thread of the schedule, last layer + 1 */
} clv_sync_reads;

/* What lives as long as the plan comes from arena.  AUTO: the kind with the fewest waits. */
cleave_status clv_run_sync_new(clv_run_sync *sync, const clv_schedule *s,
                               const clv_sync_reads *reads, clv_sync kind, clv_arena *arena,
                               clv_ws *ws, cleave_error *err);

/* Until `count` layers are finished there (a total over all solves). */
void clv_run_sync_wait_long(const clv_sync_counter *c, uint64_t count, int spins);
static inline void clv_run_sync_wait(const clv_run_sync *sync, int32_t thread, uint64_t count)
{
    const clv_sync_counter *c = &sync->counter[thread];
    if (atomic_load_explicit(&c->done, memory_order_acquire) < count)
        clv_run_sync_wait_long(c, count, sync->spins);
}

/* The frame of a solve: begin; before each step, after each step; end, which returns when all
 * members have finished. */
static inline uint64_t clv_run_sync_begin(const clv_run_sync *sync, int member)
{
    return sync->counter[member].base;
}
static inline void clv_run_sync_before(const clv_run_sync *sync, const clv_sync_step *step,
                                       uint64_t base)
{
    for (int32_t w = step->wait_begin; w < step->wait_end; w++)
        clv_run_sync_wait(sync, sync->wait[w].thread, base + (uint64_t)sync->wait[w].layers);
}
/* Would clv_run_sync_before return at once? */
static inline bool clv_run_sync_ready(const clv_run_sync *sync, const clv_sync_step *step,
                                      uint64_t base)
{
    for (int32_t w = step->wait_begin; w < step->wait_end; w++)
        if (atomic_load_explicit(&sync->counter[sync->wait[w].thread].done,
                                 memory_order_acquire) < base + (uint64_t)sync->wait[w].layers)
            return false;
    return true;
}
static inline void clv_run_sync_after(const clv_run_sync *sync, const clv_sync_step *step,
                                      int member, uint64_t base)
{
    if (step->post)
        atomic_store_explicit(&sync->counter[member].done, base + (uint64_t)step->last + 1,
                              memory_order_release);
}
static inline void clv_run_sync_post_all(const clv_run_sync *sync, int member, uint64_t base)
{
    base += (uint64_t)sync->layers;
    sync->counter[member].base = base;
    atomic_store_explicit(&sync->counter[member].done, base, memory_order_release);
}
static inline void clv_run_sync_wait_all(const clv_run_sync *sync, uint64_t base)
{
    for (int32_t other = 0; other < sync->threads; other++)
        clv_run_sync_wait(sync, other, base + (uint64_t)sync->layers);
}
static inline void clv_run_sync_end(const clv_run_sync *sync, int member, uint64_t base)
{
    clv_run_sync_post_all(sync, member, base);
    if (sync->threads > 1)
        clv_run_sync_wait_all(sync, base);
}

#endif
