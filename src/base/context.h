/* SPDX-License-Identifier: Apache-2.0 */
/* base/context.h - what a running computation has at hand: threads, scratch, the seed, the
 * time limit and the caller's progress callback.  Knows no graphs.
 *
 * The public call makes one context and passes it down.  A stage that gives each thread
 * work of its own makes a child context per member: no team, that member's scratch, the
 * same time limit; the callback stays with the calling thread, which is member 0. */
#ifndef CLV_BASE_CONTEXT_H
#define CLV_BASE_CONTEXT_H

#include <stdatomic.h>

#include "base/threads.h"

typedef struct clv_context clv_context;
struct clv_context {
    clv_team *team;      /* NULL: this thread alone */
    clv_ws *ws;          /* one per member of the team; ws[0] is the calling thread's */
    uint64_t seed;       /* stages draw from clv_rng_make(seed, stage, level, index) */
    double deadline;     /* clv_clock() at which to stop; 0: never */
    atomic_int *stopped; /* 0; then 1: out of time, or 2: the callback said so */
    atomic_llong *late;  /* arcs that were looked at since, as far as they are counted */
    int64_t credit;      /* arcs that may be, beyond what a result takes; 0: none */
    int64_t *looks;      /* NULL, or calls of clv_context_stop until it says stop: for tests */
    cleave_progress_fn progress;
    void *payload;
    double *next_report; /* as next of clv_progress_tell; one for all copies of a context */
    cleave_progress now; /* what the next call will say */
};

/* Seconds of a clock that only goes forward. */
double clv_clock(void);

/* Tells progress (NULL: nobody) where the work stands, unless it was told less than a tenth of
 * a second ago.  *next is the clv_clock() of the next call, 0 before the first one, which is
 * made at once.  Returns whether the callback said stop. */
bool clv_progress_tell(cleave_progress_fn progress, void *payload, const cleave_progress *now,
                       double *next);

/* Threads as in clv_team_create; limit in seconds, 0: none.  Frees everything on failure. */
cleave_status clv_context_open(clv_context *ctx, int threads, uint64_t seed, double limit,
                               cleave_progress_fn progress, void *payload, cleave_error *err);
/* With a team that is the context's from now on, also on failure. */
cleave_status clv_context_open_team(clv_context *ctx, clv_team *team, uint64_t seed,
                                    double limit, cleave_progress_fn progress, void *payload,
                                    cleave_error *err);
void clv_context_close(clv_context *ctx);

/* The context of one member, to be used by that member alone. */
clv_context clv_context_child(const clv_context *ctx, int member);

static inline int clv_context_threads(const clv_context *ctx)
{
    return clv_team_size(ctx->team);
}

/* Is it time to hand out the best so far?  Looks at the clock, and on the calling thread
 * gives the callback a chance a few times a second.  Cheap enough for every thousandth step
 * of a loop, not for every step. */
bool clv_context_stop(clv_context *ctx);

/* Has the callback said stop? */
bool clv_context_cancelled(const clv_context *ctx);

/* Has a call of clv_context_stop said stop?  Looks at no clock. */
static inline bool clv_context_is_stopped(const clv_context *ctx)
{
    return atomic_load_explicit(ctx->stopped, memory_order_relaxed) != 0;
}

/* So many arcs are about to be looked at, or the like; counts once the context has said stop.
 */
static inline void clv_context_count(const clv_context *ctx, int64_t arcs)
{
    if (clv_context_is_stopped(ctx))
        atomic_fetch_add_explicit(ctx->late, arcs, memory_order_relaxed);
}

/* The credit of a call whose graph a pass takes so many arcs and vertices of. */
static inline void clv_context_lend(clv_context *ctx, int64_t pass)
{
    enum { passes_when_stopped = 2 };
    ctx->credit = passes_when_stopped * pass;
}

/* May work that looks at so many arcs begin?  Until the context says stop it may; then as long
 * as the credit lasts, from which it is taken. */
bool clv_context_afford(clv_context *ctx, int64_t arcs);

/* Is there less time left than that?  Never without a time limit. */
bool clv_context_lacks(const clv_context *ctx, double seconds);

/* clv_parallel_for by slices, between which clv_context_stop is asked.  False: it said stop,
 * and slices at the end were left out. */
bool clv_context_for(clv_context *ctx, int64_t count, int64_t grain,
                     void (*body)(void *context, int64_t begin, int64_t end, int member),
                     void *context);

/* Where the computation stands, for the next report. */
void clv_context_phase(clv_context *ctx, const char *phase, int64_t done, int64_t total);

#endif
