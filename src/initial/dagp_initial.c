/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_initial.c - Kernighan's dynamic program as dagP uses it, and the best of
 * several runs.
 *
 * The paper first runs the program for any number of slices with the upper bound B and the
 * lower bound W - (k - 1) B, which every part of a partition into k parts satisfies.  Only if
 * the best result does not have k slices, it runs the program for exactly k (order/slices.h
 * has both). */
#include "initial/dagp_initial.h"

#include <assert.h>
#include <string.h>

#include "graph/depth_first.h"
#include "order/slices.h"

enum { stage = 0xda6b };

static bool equal_bounds(const clv_partition_state *s)
{
    int32_t ncon = s->g->ncon;
    for (int64_t i = ncon; i < (int64_t)s->bounds.nparts * ncon; i++)
        if (s->bounds.max[i] != s->bounds.max[i - ncon])
            return false;
    return true;
}

/* W - (k - 1) B for every constraint. */
static void lower_bounds(const clv_partition_state *s, int64_t *min)
{
    int32_t ncon = s->g->ncon;
    for (int32_t c = 0; c < ncon; c++) {
        int64_t total = 0;
        for (int32_t v = 0; v < s->g->nvtx; v++)
            total += clv_graph_vwgt(s->g, v, c);
        int64_t others;
        bool fits =
            clv_mul_i64(s->bounds.nparts - 1, s->bounds.max[c], &others) && others < total;
        min[c] = fits ? total - others : 0;
    }
}

static cleave_status slice_freely(clv_partition_state *s, const int32_t *order,
                                  clv_context *ctx, bool *done, cleave_error *err)
{
    int32_t nparts;
    int64_t cut, *min = clv_ws_alloc(ctx->ws, s->g->ncon, sizeof *min);
    if (!min)
        return clv_fail_memory(err);
    lower_bounds(s, min);
    clv_slices_task task = {.g = s->g, .order = order, .ctx = ctx};
    task.bounds =
        (clv_bounds){.nparts = 1, .ncon = s->g->ncon, .max = s->bounds.max, .min = min};
    CLV_TRY(clv_slices_any(&task, ctx->ws, s->part, &nparts, &cut, err));
    *done = nparts == s->bounds.nparts;
    return CLEAVE_OK;
}

static cleave_status kernighan(clv_partition_state *s, clv_rng rng, clv_context *ctx,
                               cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t *order = clv_ws_alloc(ws, s->g->nvtx, sizeof *order);
    bool done = false;
    if (!order)
        return clv_fail_memory(err);
    bool hurry = clv_context_stop(ctx); /* successors in the order of their numbers */
    clv_context_count(ctx, s->g->narc);
    CLV_TRY(clv_depth_first_order(s->g, hurry ? NULL : &rng, ws, order, err));
    if (!s->bounds.min && equal_bounds(s) && !clv_context_stop(ctx))
        CLV_TRY(slice_freely(s, order, ctx, &done, err));
    if (done)
        return CLEAVE_OK;
    clv_slices_task task = {.g = s->g, .order = order, .bounds = s->bounds, .ctx = ctx};
    int64_t cut;
    return clv_slices(&task, ws, s->part, &cut, &done, err);
}

/* ---- The best of all runs --------------------------------------------------------------- */

typedef struct score {
    clv_worth is;
    int64_t fullest; /* largest excess over a bound */
} score;

static score score_of(const clv_partition_state *s)
{
    score now = {clv_state_worth(s), INT64_MIN};
    for (int64_t i = 0; i < clv_bounds_places(&s->bounds); i++)
        if (s->weight[i] - s->bounds.max[i] > now.fullest)
            now.fullest = s->weight[i] - s->bounds.max[i];
    return now;
}

static bool is_better(const score *a, const score *b)
{
    return clv_worth_same(a->is, b->is) ? a->fullest < b->fullest
                                        : clv_worth_better(a->is, b->is);
}

static cleave_status run_once(clv_partition_state *s, clv_dagp_start kind, int32_t index,
                              clv_context *ctx, cleave_error *err)
{
    clv_rng rng = clv_rng_make(ctx->seed, stage, (uint64_t)kind, (uint64_t)index);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = CLEAVE_OK;
    bool done = false;
    if (kind == CLV_DAGP_GP && !clv_context_stop(ctx)) {
        done = true;
        status = clv_dagp_greedy(s, clv_rng_u64(&rng), ctx->ws, err);
    } else if (kind == CLV_DAGP_FAUZIA && !clv_context_stop(ctx)) {
        status = clv_dagp_fauzia(s, ctx, &done, err);
    }
    if (status == CLEAVE_OK && !done) /* slicing is fast */
        status = kernighan(s, rng, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* Tries all kinds and runs; the first one is always made. */
static cleave_status run_all(clv_partition_state *s, clv_dagp_start kind, int32_t runs,
                             int32_t *best, clv_context *ctx, cleave_error *err)
{
    size_t bytes = (size_t)s->g->nvtx * sizeof *best;
    score best_score = {0};
    bool both = kind == CLV_DAGP_KER_GP, is_last = true;
    for (int32_t i = 0; i < (both ? 2 * runs : runs); i++) {
        if (i > 0 && clv_context_stop(ctx))
            break;
        clv_dagp_start now = !both ? kind : i % 2 ? CLV_DAGP_GP : CLV_DAGP_KERN;
        CLV_TRY(run_once(s, now, both ? i / 2 : i, ctx, err));
        clv_state_measure(s, ctx);
        score here = score_of(s);
        is_last = i == 0 || is_better(&here, &best_score);
        if (!is_last)
            continue;
        best_score = here;
        memcpy(best, s->part, bytes);
    }
    if (is_last) /* s is evaluated */
        return CLEAVE_OK;
    memcpy(s->part, best, bytes);
    clv_state_measure(s, ctx);
    return CLEAVE_OK;
}

cleave_status clv_dagp_initial(clv_partition_state *s, clv_dagp_start kind, int32_t runs,
                               clv_context *ctx, cleave_error *err)
{
    assert(s->rank && !s->fixed && runs >= 1);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *best = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *best);
    if (!best)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        s->rank[p] = p;
    cleave_status status = run_all(s, kind, runs, best, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
