/* SPDX-License-Identifier: Apache-2.0 */
/* base/context.c - see base/context.h. */
#include "base/context.h"

#include <time.h>

enum { stopped_by_time = 1, stopped_by_callback = 2 };
static const double report_interval = 0.1; /* seconds */
enum { slice_length = 1 << 15 };

double clv_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cleave_status clv_context_open(clv_context *ctx, int threads, uint64_t seed, cleave_error *err)
{
    clv_team *team;
    *ctx = (clv_context){0}; /* clv_context_close is valid after a failure */
    CLV_TRY(clv_team_create(&team, threads, err));
    return clv_context_open_team(ctx, team, seed, err);
}

cleave_status clv_context_open_team(clv_context *ctx, clv_team *team, uint64_t seed,
                                    cleave_error *err)
{
    *ctx = (clv_context){.team = team, .seed = seed};
    ctx->ws = clv_zalloc(clv_team_size(ctx->team), sizeof *ctx->ws);
    ctx->stopped = clv_zalloc(1, sizeof *ctx->stopped);
    ctx->late = clv_zalloc(1, sizeof *ctx->late);
    ctx->hurried = clv_zalloc(1, sizeof *ctx->hurried);
    ctx->next_report = clv_zalloc(1, sizeof *ctx->next_report);
    if (!ctx->ws || !ctx->stopped || !ctx->late || !ctx->hurried || !ctx->next_report) {
        clv_context_close(ctx);
        return clv_fail_memory(err);
    }
    atomic_init(ctx->stopped, 0);
    atomic_init(ctx->late, 0);
    atomic_init(ctx->hurried, false);
    ctx->now.size = sizeof ctx->now;
    ctx->now.phase = "starting";
    ctx->now.level = -1;
    ctx->now.cut = -1;
    return CLEAVE_OK;
}

void clv_context_watch(clv_context *ctx, double limit, cleave_progress_fn progress,
                       void *payload)
{
    ctx->deadline = limit > 0 ? clv_clock() + limit : 0;
    ctx->progress = progress;
    ctx->payload = payload;
}

void clv_context_close(clv_context *ctx)
{
    if (ctx->ws)
        for (int i = 0; i < clv_team_size(ctx->team); i++)
            clv_ws_free(&ctx->ws[i]);
    clv_sys_free(ctx->ws);
    clv_sys_free(ctx->stopped);
    clv_sys_free(ctx->late);
    clv_sys_free(ctx->hurried);
    clv_sys_free(ctx->next_report);
    clv_team_free(ctx->team);
    *ctx = (clv_context){0};
}

clv_context clv_context_child(const clv_context *ctx, int member)
{
    clv_context child = *ctx;
    child.team = NULL;
    child.is_child = true;
    child.ws = &ctx->ws[member];
    if (member != 0)
        child.progress = NULL;
    return child;
}

bool clv_progress_tell(cleave_progress_fn progress, void *payload, const cleave_progress *now,
                       double *next)
{
    if (!progress)
        return false;
    double clock = clv_clock();
    if (clock < *next)
        return false;
    *next = clock + report_interval;
    return progress(payload, now) != 0;
}

static void report_progress(clv_context *ctx)
{
    if (clv_progress_tell(ctx->progress, ctx->payload, &ctx->now, ctx->next_report))
        atomic_store_explicit(ctx->stopped, stopped_by_callback, memory_order_relaxed);
}

bool clv_context_cancelled(const clv_context *ctx)
{
    return atomic_load_explicit(ctx->stopped, memory_order_relaxed) == stopped_by_callback;
}

double clv_context_now(const clv_context *ctx)
{
    return ctx->looks ? -(double)*ctx->looks : clv_clock();
}

bool clv_context_stop(clv_context *ctx)
{
    if (atomic_load_explicit(ctx->stopped, memory_order_relaxed))
        return true;
    if (!ctx->progress && !clv_context_is_limited(ctx))
        return false;
    if (ctx->looks)
        --*ctx->looks;
    double now = clv_context_now(ctx);
    int running = 0; /* a stop by the callback must not be replaced */
    if (clv_context_is_limited(ctx) && now >= ctx->deadline)
        atomic_compare_exchange_strong(ctx->stopped, &running, stopped_by_time);
    else if (ctx->progress && now >= *ctx->next_report)
        report_progress(ctx);
    return atomic_load_explicit(ctx->stopped, memory_order_relaxed) != 0;
}

bool clv_context_afford(clv_context *ctx, int64_t arcs)
{
    if (!clv_context_stop(ctx))
        return true;
    if (atomic_load_explicit(ctx->late, memory_order_relaxed) + arcs > ctx->credit)
        return false;
    clv_context_count(ctx, arcs);
    return true;
}

bool clv_context_lacks(const clv_context *ctx, double seconds)
{
    return clv_context_is_limited(ctx) && clv_context_now(ctx) + seconds > ctx->deadline;
}

double clv_context_narrow(clv_context *ctx, double share)
{
    double deadline = ctx ? ctx->deadline : 0, now;
    if (!ctx || ctx->is_child || !clv_context_is_limited(ctx) || clv_context_is_stopped(ctx))
        return deadline;
    now = clv_context_now(ctx);
    if (now < deadline)
        ctx->deadline = now + (deadline - now) * share;
    return deadline;
}

void clv_context_widen(clv_context *ctx, double deadline)
{
    int by_time = stopped_by_time;
    if (!ctx || ctx->deadline == deadline)
        return;
    ctx->deadline = deadline;
    if (!atomic_compare_exchange_strong(ctx->stopped, &by_time, 0))
        return;
    clv_context_hurry(ctx);
    if (!clv_context_stop(ctx))
        atomic_store_explicit(ctx->late, 0, memory_order_relaxed);
}

bool clv_context_is_shortened(const clv_context *ctx)
{
    return (clv_context_is_hurried(ctx) || clv_context_is_stopped(ctx)) &&
           !clv_context_cancelled(ctx);
}

typedef struct slice {
    void (*body)(void *context, int64_t begin, int64_t end, int member);
    void *context;
    int64_t first;
} slice;

static void run_slice(void *context, int64_t begin, int64_t end, int member)
{
    const slice *s = context;
    s->body(s->context, s->first + begin, s->first + end, member);
}

bool clv_context_for(clv_context *ctx, int64_t count, int64_t grain,
                     void (*body)(void *context, int64_t begin, int64_t end, int member),
                     void *context)
{
    slice s = {.body = body, .context = context};
    for (; s.first < count; s.first += slice_length) {
        int64_t left = count - s.first;
        if (clv_context_stop(ctx))
            return false;
        clv_parallel_for(ctx->team, left < slice_length ? left : slice_length, grain,
                         run_slice, &s);
    }
    return true;
}

void clv_context_phase(clv_context *ctx, const char *phase, int64_t done, int64_t total)
{
    ctx->now.phase = phase;
    ctx->now.done = done;
    ctx->now.total = total;
}
