/* SPDX-License-Identifier: Apache-2.0 */
/* base/threads.h - the only user of pthreads: a team, a parallel loop, a barrier, a prefix
 * sum.
 *
 * A team of n has n-1 threads, which sleep between calls; the caller is member 0.  Wherever
 * the division of work could change a result, it depends only on the problem, never on the
 * number of threads. */
#ifndef CLV_BASE_THREADS_H
#define CLV_BASE_THREADS_H

#include "base/mem.h"

typedef struct clv_team clv_team;

/* Number of processors on which this process may run (its affinity mask), at least 1. */
int clv_processors(void);
/* Number of threads that can be busy at the same time: at most the number of processors, and
 * at most the CPU quota of the container (base/cgroup.h); at least 1. */
int clv_threads_available(void);

/* threads 0: up to clv_threads_available(); otherwise exactly that many, 1..4096.
 * CLEAVE_EINVAL, or CLEAVE_ENOMEM (also if the system refuses a thread although the number was
 * given). */
cleave_status clv_team_create(clv_team **out, int threads, cleave_error *err);
/* The same with fewer members if the system refuses a thread, for a default number of threads.
 * threads in 1..4096; fails with CLEAVE_ENOMEM. */
cleave_status clv_team_create_up_to(clv_team **out, int threads, cleave_error *err);
void clv_team_free(clv_team *team);      /* joins; NULL is fine */
int clv_team_size(const clv_team *team); /* 1 for NULL: a NULL team is the calling thread */

/* For waiting loops: frees resources for the other hardware thread of the core. */
static inline void clv_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Sets how long members spin before they sleep when there is no work; the default is very
 * short.  A team with more members than processors never spins.  At most one second. */
void clv_team_set_patience(clv_team *team, double seconds);

/* Every member calls work(context, member, size) once; returns when all have finished.  Calls
 * must not be nested. */
void clv_team_run(clv_team *team, void (*work)(void *context, int member, int size),
                  void *context);

/* Inside clv_team_run: barrier of all members. */
void clv_team_barrier(clv_team *team);

/* Calls body(context, begin, end, member) for disjoint ranges that cover [0, count), each at
 * most `grain` long, assigned dynamically in ascending order. */
void clv_parallel_for(clv_team *team, int64_t count, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end, int member),
                      void *context);

/* values[i] becomes the sum of values[0..i); returns the total. values[count] is not changed.
 * The caller guarantees that the sum fits. */
int64_t clv_prefix_sum(clv_team *team, int64_t *values, int64_t count);

/* One step of waiting for another thread, to be repeated after a short time of spinning.
 * Yields the processor; if another thread wants it, or the wait is long, also sleeps briefly,
 * so that the system can schedule the awaited thread.  *since: 0 before the first step. */
void clv_thread_wait(double *since);

/* ---- Taking turns ------------------------------------------------------------------- */

/* NULL: out of memory. */
typedef struct clv_lock clv_lock;
clv_lock *clv_lock_new(void);
void clv_lock_free(clv_lock *lock); /* NULL is fine */
void clv_lock_take(clv_lock *lock);
void clv_lock_give(clv_lock *lock);

#endif
