/* SPDX-License-Identifier: Apache-2.0 */
/* base/threads.h - the one place that knows pthreads: a team, a parallel loop, a
 * barrier, a prefix sum.
 *
 * A team of n has n-1 sleeping threads; the caller is member 0.  Work is split into
 * pieces that depend on the problem only, never on the number of threads, wherever the
 * split could change a result. */
#ifndef CLV_BASE_THREADS_H
#define CLV_BASE_THREADS_H

#include "base/mem.h"

typedef struct clv_team clv_team;

/* Processors this process may run on (its affinity mask), at least 1. */
int clv_processors(void);
/* Threads that can be busy at once: not more than processors, nor than the CPU quota of the
 * container (base/cgroup.h) pays for; at least 1. */
int clv_threads_available(void);

/* threads 0: up to clv_threads_available(); otherwise exactly that many, 1..4096.  Fails with
 * CLEAVE_EINVAL, CLEAVE_ENOMEM (also when the system refuses one of exactly so many). */
cleave_status clv_team_create(clv_team **out, int threads, cleave_error *err);
/* For a number that nobody asked for: where the system refuses a thread, the team has fewer
 * members.  threads in 1..4096; fails with CLEAVE_ENOMEM. */
cleave_status clv_team_create_up_to(clv_team **out, int threads, cleave_error *err);
void clv_team_free(clv_team *team);      /* joins; NULL is fine */
int clv_team_size(const clv_team *team); /* 1 for NULL: a NULL team is the caller alone */

/* Inside a loop that waits: lets the processor's other thread go ahead. */
static inline void clv_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* How long members spin before they sleep when there is nothing to do; else a moment.  A team
 * with more members than there are processors never spins.  At most a second. */
void clv_team_set_patience(clv_team *team, double seconds);

/* Every member calls work(context, member, size) once; returns when all are done.  Not
 * to be called from inside itself. */
void clv_team_run(clv_team *team, void (*work)(void *context, int member, int size),
                  void *context);

/* Inside clv_team_run: all members wait for each other. */
void clv_team_barrier(clv_team *team);

/* Calls body(context, begin, end, member) for disjoint ranges that cover [0, count),
 * each at most `grain` long, handed out dynamically in ascending order. */
void clv_parallel_for(clv_team *team, int64_t count, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end, int member),
                      void *context);

/* values[i] becomes the sum of values[0..i); returns the sum of all.  values[count] is
 * not touched.  The caller guarantees that the sum fits. */
int64_t clv_prefix_sum(clv_team *team, int64_t *values, int64_t count);

/* What a thread does while it waits for another one, again and again, after having spun for a
 * moment.  Gives the processor to others; where others want it, or the wait is long, it also
 * sleeps briefly each time, so that the system finds a processor for the one waited for.
 * *since: 0 before the first time. */
void clv_thread_wait(double *since);

/* ---- Taking turns ------------------------------------------------------------------- */

/* NULL: out of memory. */
typedef struct clv_lock clv_lock;
clv_lock *clv_lock_new(void);
void clv_lock_free(clv_lock *lock); /* NULL is fine */
void clv_lock_take(clv_lock *lock);
void clv_lock_give(clv_lock *lock);

#endif
