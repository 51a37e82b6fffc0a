/* SPDX-License-Identifier: Apache-2.0 */
/* engine/search.c - see engine/search.h.
 *
 * V-cycles [Walshaw 2004]: coarsening keeps the borders of a solution, which then is the
 * first solution of the coarsest graph and is refined again on other levels.  Generations
 * [Sanders, Schulz 2012, KaFFPaE]: coarsening keeps the borders of two solutions, so that
 * what both agree on is one vertex soon, and refinement chooses between the rest. */
#include "engine/search.h"

#include <string.h>

#include "base/rng.h"

enum { stage_search = 401 };

typedef struct individual {
    int32_t *part;
    clv_multilevel_result is;
} individual;

typedef struct searching {
    const clv_multilevel_task *task;
    const clv_effort *effort;
    clv_context *ctx;
    uint64_t seed;
    int32_t *klass;
    clv_search_result *result;
} searching;

static bool better(const clv_multilevel_result *a, const clv_multilevel_result *b)
{
    return a->overload != b->overload ? a->overload < b->overload : a->cut < b->cut;
}

static void copy_part(const searching *x, int32_t *to, const int32_t *from)
{
    memcpy(to, from, (size_t)x->task->g->nvtx * sizeof *to);
}

/* ---- One run ---------------------------------------------------------------------------- */

static void add_times(clv_search_result *sum, const clv_multilevel_result *run)
{
    sum->last.coarsen += run->coarsen;
    sum->last.initial += run->initial;
    sum->last.refine += run->refine;
    if (run->levels > sum->last.levels)
        sum->last.levels = run->levels;
    sum->runs++;
}

static cleave_status run(searching *x, const clv_multilevel_task *task, individual *out,
                         cleave_error *err)
{
    clv_rng rng = clv_rng_make(x->seed, stage_search, (uint64_t)x->result->runs, 0);
    uint64_t seed = x->ctx->seed;
    x->ctx->seed = clv_rng_u64(&rng);
    cleave_status status = clv_multilevel(task, x->effort, x->ctx, out->part, &out->is, err);
    x->ctx->seed = seed;
    if (status == CLEAVE_OK)
        add_times(x->result, &out->is);
    return status;
}

/* Vertices of one class merge: those of one part in both solutions (b may be NULL), the fixed
 * ones apart. */
static void find_classes(searching *x, const int32_t *a, const int32_t *b)
{
    const clv_multilevel_task *t = x->task;
    for (int32_t v = 0; v < t->g->nvtx; v++) {
        /* Different pairs may get the same number when nparts is large: only a little of b is
         * lost then, never a border of a, because the sum of one a[v] differs for every b. */
        uint32_t klass = (uint32_t)a[v];
        if (b)
            klass = klass * (uint32_t)t->nparts + (uint32_t)b[v];
        x->klass[v] = (int32_t)(klass * 2 + (t->fixed && t->fixed[v] >= 0));
    }
}

/* Another climb from solution a, which keeps its borders and those of b. */
static cleave_status cycle(searching *x, const individual *a, const int32_t *b,
                           individual *out, cleave_error *err)
{
    clv_multilevel_task task = *x->task;
    find_classes(x, a->part, b);
    task.start = a->part;
    task.klass = x->klass;
    return run(x, &task, out, err);
}

/* ---- Strategies ------------------------------------------------------------------------- */

static bool stopped(searching *x)
{
    return clv_context_stop(x->ctx);
}

static cleave_status repeat_and_cycle(searching *x, individual *best, individual *other,
                                      cleave_error *err)
{
    if (x->task->start) {
        individual given = {.part = other->part};
        copy_part(x, given.part, x->task->start);
        CLV_TRY(cycle(x, &given, NULL, best, err));
    } else {
        CLV_TRY(run(x, x->task, best, err));
    }
    for (int32_t i = 1; i < x->effort->repeats && !x->task->start && !stopped(x); i++) {
        CLV_TRY(run(x, x->task, other, err));
        if (better(&other->is, &best->is)) {
            individual swap = *best;
            *best = *other;
            *other = swap;
        }
    }
    for (int32_t i = 0; i < x->effort->cycles && !stopped(x); i++) {
        CLV_TRY(cycle(x, best, NULL, other, err));
        if (better(&other->is, &best->is)) {
            individual swap = *best;
            *best = *other;
            *other = swap;
        }
    }
    return CLEAVE_OK;
}

cleave_status clv_search(const clv_multilevel_task *task, const clv_effort *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err)
{
    *result = (clv_search_result){0};
    searching x = {
        .task = task, .effort = effort, .ctx = ctx, .seed = ctx->seed, .result = result};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    individual best = {.part = part}, other = {.part = NULL};
    cleave_status status = CLEAVE_OK;
    if (effort->repeats > 1 || effort->cycles > 0 || task->start) {
        other.part = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *other.part);
        x.klass = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *x.klass);
        if (!other.part || !x.klass)
            status = clv_fail_memory(err);
    }
    if (status == CLEAVE_OK)
        status = repeat_and_cycle(&x, &best, &other, err);
    if (status == CLEAVE_OK && best.part != part)
        copy_part(&x, part, best.part);
    result->last.overload = best.is.overload;
    result->last.cut = best.is.cut;
    clv_ws_restore(ctx->ws, mark);
    return status;
}
