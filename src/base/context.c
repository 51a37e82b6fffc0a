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

cleave_status clv_context_open(clv_context *ctx, int threads, uint64_t seed, double limit,
                               cleave_progress_fn progress, void *payload, cleave_error *err)
{
    clv_team *team;
    *ctx = (clv_context){0}; /* may be closed after a failure */
    CLV_TRY(clv_team_create(&team, threads, err));
    return clv_context_open_team(ctx, team, seed, limit, progress, payload, err);
}

cleave_status clv_context_open_team(clv_context *ctx, clv_team *team, uint64_t seed,
                                    double limit, cleave_progress_fn progress, void *payload,
                                    cleave_error *err)
{
    *ctx = (clv_context){.team = team, .seed = seed, .progress = progress, .payload = payload};
    ctx->ws = clv_zalloc(clv_team_size(ctx->team), sizeof *ctx->ws);
    ctx->stopped = clv_zalloc(1, sizeof *ctx->stopped);
    ctx->late = clv_zalloc(1, sizeof *ctx->late);
    ctx->next_report = clv_zalloc(1, sizeof *ctx->next_report);
    if (!ctx->ws || !ctx->stopped || !ctx->late || !ctx->next_report) {
        clv_context_close(ctx);
        return clv_fail_memory(err);
    }
    atomic_init(ctx->stopped, 0);
    atomic_init(ctx->late, 0);
    ctx->deadline = limit > 0 ? clv_clock() + limit : 0;
    ctx->now.size = sizeof ctx->now;
    ctx->now.phase = "starting";
    ctx->now.level = -1;
    ctx->now.cut = -1;
    return CLEAVE_OK;
}

void clv_context_close(clv_context *ctx)
{
    if (ctx->ws)
        for (int i = 0; i < clv_team_size(ctx->team); i++)
            clv_ws_free(&ctx->ws[i]);
    clv_sys_free(ctx->ws);
    clv_sys_free(ctx->stopped);
    clv_sys_free(ctx->late);
    clv_sys_free(ctx->next_report);
    clv_team_free(ctx->team);
    *ctx = (clv_context){0};
}

clv_context clv_context_child(const clv_context *ctx, int member)
{
    clv_context child = *ctx;
    child.team = NULL;
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

static void report(clv_context *ctx)
{
    if (clv_progress_tell(ctx->progress, ctx->payload, &ctx->now, ctx->next_report))
        atomic_store_explicit(ctx->stopped, stopped_by_callback, memory_order_relaxed);
}

bool clv_context_cancelled(const clv_context *ctx)
{
    return atomic_load_explicit(ctx->stopped, memory_order_relaxed) == stopped_by_callback;
}

bool clv_context_stop(clv_context *ctx)
{
    if (atomic_load_explicit(ctx->stopped, memory_order_relaxed))
        return true;
    if (ctx->looks && --*ctx->looks <= 0) {
        atomic_store_explicit(ctx->stopped, stopped_by_time, memory_order_relaxed);
        return true;
    }
    if (!ctx->progress && ctx->deadline == 0)
        return false;
    double now = clv_clock();
    if (ctx->deadline > 0 && now >= ctx->deadline)
        atomic_store_explicit(ctx->stopped, stopped_by_time, memory_order_relaxed);
    else if (ctx->progress && now >= *ctx->next_report)
        report(ctx);
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
    return ctx->deadline > 0 && clv_clock() + seconds > ctx->deadline;
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
