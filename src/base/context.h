/* SPDX-License-Identifier: Apache-2.0 */
/* base/context.h - the context of a computation: threads, scratch, the seed, the time limit
 * and the caller's progress callback.  Independent of graphs.
 *
 * The public call makes one context and passes it down.  A stage that gives each thread
 * separate work makes a child context per member: no team, the scratch of that member, the
 * same time limit; the callback stays with the calling thread, which is member 0. */
#ifndef CLV_BASE_CONTEXT_H
#define CLV_BASE_CONTEXT_H

#include <stdatomic.h>

#include "base/threads.h"

typedef struct clv_context clv_context;
struct clv_context {
    clv_team *team;       /* NULL: the calling thread only */
    clv_ws *ws;           /* one per member of the team; ws[0] is the calling thread's */
    uint64_t seed;        /* stages draw from clv_rng_make(seed, stage, level, index) */
    double deadline;      /* clv_context_now() at which to stop; see clv_context_is_limited */
    bool is_child;        /* made by clv_context_child */
    atomic_int *stopped;  /* 0: running; 1: out of time; 2: stopped by the callback */
    atomic_bool *hurried; /* a step was ended early or replaced by a faster one */
    atomic_llong *late;   /* arcs visited after the stop, as far as they are counted */
    int64_t credit;       /* number of arcs that may be visited after the stop, beyond what a
                             result requires; 0: none */
    int64_t *looks;       /* NULL, or a clock for tests: calls of clv_context_stop until it
                             stops */
    cleave_progress_fn progress;
    void *payload;
    double
        *next_report; /* as `next` of clv_progress_tell; shared by all copies of a context */
    cleave_progress now; /* the contents of the next report */
};

/* Seconds of a monotonic clock. */
double clv_clock(void);

/* Calls progress (may be NULL) with the state of the computation, unless it was called less
 * than a tenth of a second ago.  *next is the clv_clock() of the next call; 0 before the
 * first, which is made immediately.  Returns whether the callback requested a stop. */
bool clv_progress_tell(cleave_progress_fn progress, void *payload, const cleave_progress *now,
                       double *next);

/* Threads as in clv_team_create.  On failure everything is freed. */
cleave_status clv_context_open(clv_context *ctx, int threads, uint64_t seed,
                               cleave_error *err);
/* The same with a team that the context takes over, also on failure. */
cleave_status clv_context_open_team(clv_context *ctx, clv_team *team, uint64_t seed,
                                    cleave_error *err);
void clv_context_close(clv_context *ctx);

/* The computation stops `limit` seconds from now (0: no limit), or when the callback progress,
 * which gets the state of the computation, returns a request to stop (NULL: no callback). */
void clv_context_watch(clv_context *ctx, double limit, cleave_progress_fn progress,
                       void *payload);

/* The context of one member, for use by that member only. */
clv_context clv_context_child(const clv_context *ctx, int member);

static inline int clv_context_threads(const clv_context *ctx)
{
    return clv_team_size(ctx->team);
}

/* Is it time to return the best result so far?  Reads the clock and, on the calling thread,
 * calls the callback a few times per second.  Cheap enough for every thousandth step of a
 * loop, not for every step. */
bool clv_context_stop(clv_context *ctx);

/* Did the callback request a stop? */
bool clv_context_cancelled(const clv_context *ctx);

/* Has clv_context_stop returned true before?  Does not read the clock. */
static inline bool clv_context_is_stopped(const clv_context *ctx)
{
    return atomic_load_explicit(ctx->stopped, memory_order_relaxed) != 0;
}

/* Announces visits to that many arcs, or work of that size; counted only after the stop. */
static inline void clv_context_count(const clv_context *ctx, int64_t arcs)
{
    if (clv_context_is_stopped(ctx))
        atomic_fetch_add_explicit(ctx->late, arcs, memory_order_relaxed);
}

/* Sets the credit; pass: arcs and vertices that one pass over the graph visits. */
static inline void clv_context_lend(clv_context *ctx, int64_t pass)
{
    enum { passes_when_stopped = 2 };
    ctx->credit = passes_when_stopped * pass;
}

/* May work that visits so many arcs start?  Always true before the stop; after it, as long as
 * the credit lasts, from which the arcs are subtracted. */
bool clv_context_afford(clv_context *ctx, int64_t arcs);

/* ---- Time of the context ---------------------------------------------------------------- */

/* clv_clock(); with looks, minus the looks that are left, so that a test is independent of
 * the speed of the machine. */
double clv_context_now(const clv_context *ctx);

static inline bool clv_context_is_limited(const clv_context *ctx)
{
    return ctx->deadline != 0 || ctx->looks;
}

/* Is less time left than that, in units of clv_context_now?  Never true without a time
 * limit. */
bool clv_context_lacks(const clv_context *ctx, double seconds);

/* Gives the next step that share of the remaining time, after which the context says stop.
 * Returns what clv_context_widen needs after the step.  No effect without a time limit, after
 * a stop, and in child contexts, which have the stop in common, or without a context. */
double clv_context_narrow(clv_context *ctx, double share);
/* Restores the time limit and, unless it is reached too, the credit.  If the share was used
 * up, ctx is hurried from then on.  A stop by the callback remains. */
void clv_context_widen(clv_context *ctx, double deadline);

/* A step is ended early, or replaced by a faster one, because time is short: the result
 * depends on the speed of the machine from now on. */
static inline void clv_context_hurry(clv_context *ctx)
{
    atomic_store_explicit(ctx->hurried, true, memory_order_relaxed);
}

static inline bool clv_context_is_hurried(const clv_context *ctx)
{
    return atomic_load_explicit(ctx->hurried, memory_order_relaxed);
}

/* Did a time limit end the call or one of its steps?  Not after a stop by the callback. */
bool clv_context_is_shortened(const clv_context *ctx);

/* ---- Loops and reports ------------------------------------------------------------------ */

/* clv_parallel_for in slices, with clv_context_stop between them.  False: it stopped, and the
 * last slices were skipped. */
bool clv_context_for(clv_context *ctx, int64_t count, int64_t grain,
                     void (*body)(void *context, int64_t begin, int64_t end, int member),
                     void *context);

/* Sets the state of the computation for the next report. */
void clv_context_phase(clv_context *ctx, const char *phase, int64_t done, int64_t total);

#endif
