/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_sync.h - synchronisation of threads that execute a schedule.
 *
 * Every thread has a counter of finished layers on a separate cache line.  It only increases,
 * also over several solves, so nothing is reset.  The work of a thread is a list of steps:
 * consecutive layers, waits for counters before them, and an update of the thread's own
 * counter after them if another thread waits for it. */
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
    int32_t thread, layers; /* wait until this thread has finished so many layers */
} clv_sync_wait;

typedef struct clv_sync_step {
    int32_t first, last; /* layers, including those without work in between */
    int32_t post;        /* nonzero: another thread waits for `last` */
    int32_t wait_begin, wait_end;
} clv_sync_step;

typedef struct clv_sync_counter {
    _Alignas(128) atomic_uint_least64_t done; /* 128: processors fetch cache lines in pairs */
    uint64_t base;                            /* at the start of this solve; used by the owner
                                                 only */
} clv_sync_counter;

typedef struct clv_run_sync {
    clv_sync kind;
    int32_t threads, layers; /* threads that have work, at least 1, renumbered */
    const int32_t *member;   /* by thread of the schedule; -1: it has no work */
    const int64_t *xstep;    /* threads + 1 */
    const clv_sync_step *step;
    const clv_sync_wait *wait;
    int64_t waits;
    int spins; /* checks of a counter before the processor is yielded */
    clv_sync_counter *counter;
} clv_run_sync;

/* Reads across threads: xread[block] .. xread[block + 1] are the reads of a block (layer *
 * threads + thread of the schedule), one for each other thread it reads from, with the last
 * layer it reads there. */
typedef struct clv_sync_reads {
    const clv_schedule *s;
    const int64_t *xread;
    const clv_sync_wait *read; /* thread of the schedule, last layer + 1 */
} clv_sync_reads;

/* What lives as long as the plan is allocated in arena.  AUTO: the kind with the fewest waits.
 */
cleave_status clv_run_sync_new(clv_run_sync *sync, const clv_sync_reads *reads, clv_sync kind,
                               clv_arena *arena, clv_ws *ws, cleave_error *err);

/* Waits until the thread has finished `count` layers (a total over all solves). */
void clv_run_sync_wait_long(const clv_sync_counter *c, uint64_t count, int spins);
static inline void clv_run_sync_wait(const clv_run_sync *sync, int32_t thread, uint64_t count)
{
    const clv_sync_counter *c = &sync->counter[thread];
    if (atomic_load_explicit(&c->done, memory_order_acquire) < count)
        clv_run_sync_wait_long(c, count, sync->spins);
}

/* A solve: begin; then before and after each step; end, which returns when all members have
 * finished. */
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
/* Would clv_run_sync_before return immediately? */
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
