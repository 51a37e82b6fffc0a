/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement.c - parallel multi-start search for a placement; see
 * refine/placement/placement.h.
 *
 * Each round runs independent searches in parallel, each with its own random numbers; the
 * cheapest placement wins, ties by the number of the search.  In the first round the first
 * search starts from the caller's placement, the second from a grown one, the others from
 * random ones.  Later rounds start from the best so far, with different temperatures. */
#include "refine/placement/placement.h"

#include <string.h>

#include "base/failure.h"
#include "refine/placement/placement_search.h"

enum { stage_placement = 0x706c63 };

int64_t clv_placement_cost(const clv_placement *p)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < p->nitems; i++)
        for (int64_t a = p->xadj[i]; a < p->xadj[i + 1]; a++)
            if (p->adj[a] != i)
                sum += (p->weight ? p->weight[a] : 1) *
                       clv_machine_distance(p->machine, p->at[i], p->at[p->adj[a]]);
    return sum / 2;
}

/* ---- One search ------------------------------------------------------------------------- */

typedef struct searching {
    const clv_seats *x;
    const clv_placement_params *params;
    clv_context *ctx;
    const int32_t *best; /* the current placement */
    int64_t cost;
    int32_t round;
    int32_t **found; /* by search */
    int64_t *found_cost;
    clv_failure failure; /* of a search */
} searching;

static void set_seating(const clv_seats *x, clv_seating *s, const int32_t *at, int64_t cost)
{
    memcpy(s->at, at, (size_t)x->n * sizeof *at);
    for (int32_t i = 0; i < x->n; i++)
        s->item[at[i]] = i;
    s->cost = cost;
}

/* The fraction of the initial placement that a search randomizes. */
static double heat_of(const searching *w, int32_t number)
{
    static const double reheat[] = {0.15, 0.3, 0.2, 1};
    if (w->round == 0)
        return number < 2 ? 0.15 : 1;
    return reheat[(number + w->round) % 4];
}

static cleave_status begin(const searching *w, int32_t number, clv_seating *s, clv_rng *rng,
                           clv_ws *ws, cleave_error *err)
{
    if (w->round > 0 || number == 0)
        return CLEAVE_OK;
    if (number == 1 && w->x->table)
        return clv_seating_grow(w->x, s, ws, err);
    clv_seating_shuffle(w->x, s, rng);
    return CLEAVE_OK;
}

static cleave_status search_from_start(searching *w, int32_t number, clv_context *ctx,
                                       cleave_error *err)
{
    const clv_seats *x = w->x;
    int64_t index = (int64_t)w->round * w->params->starts + number;
    clv_rng rng = clv_rng_make(ctx->seed, stage_placement, 0, (uint64_t)index);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_seating s = {.at = w->found[number]};
    s.item = clv_ws_alloc(ctx->ws, x->n, sizeof *s.item);
    int32_t *before = clv_ws_alloc(ctx->ws, x->n, sizeof *before);
    if (!s.item || !before)
        return clv_fail_memory(err);
    set_seating(x, &s, w->best, w->cost);
    CLV_TRY(begin(w, number, &s, &rng, ctx->ws, err));
    memcpy(before, s.at, (size_t)x->n * sizeof *before);
    int64_t cost = s.cost;
    if (w->params->annealed > 0)
        clv_seating_anneal(x, &s, w->params->annealed, heat_of(w, number), &rng, ctx);
    CLV_TRY(clv_seating_descend(x, &s, w->params, &rng, ctx, err));
    if (s.cost > cost) {
        set_seating(x, &s, before, cost);
        CLV_TRY(clv_seating_descend(x, &s, w->params, &rng, ctx, err));
    }
    w->found_cost[number] = s.cost;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static void run_searches(void *context, int64_t begin_number, int64_t end, int member)
{
    searching *w = context;
    clv_context child = clv_context_child(w->ctx, member);
    for (int64_t number = begin_number; number < end; number++) {
        w->found_cost[number] = INT64_MAX;
        if (clv_failure_any(&w->failure) || (number > 0 && clv_context_stop(&child)))
            continue;
        cleave_error err = {.status = CLEAVE_OK};
        cleave_status status = search_from_start(w, (int32_t)number, &child, &err);
        if (status != CLEAVE_OK)
            clv_failure_note(&w->failure, number, status, &err);
    }
}

/* ---- All searches ----------------------------------------------------------------------- */

/* One round; `best` becomes the better placement. */
static cleave_status run_round(searching *w, int32_t *best, cleave_error *err)
{
    int32_t starts = w->params->starts;
    clv_parallel_for(w->ctx->team, starts, 1, run_searches, w);
    CLV_TRY(clv_failure_result(&w->failure, err));
    for (int32_t k = 0; k < starts; k++)
        if (w->found_cost[k] < w->cost) {
            w->cost = w->found_cost[k];
            memcpy(best, w->found[k], (size_t)w->x->n * sizeof *best);
        }
    return CLEAVE_OK;
}

static cleave_status run_rounds(searching *w, int32_t *best, cleave_error *err)
{
    clv_ws *ws = w->ctx->ws;
    int32_t starts = w->params->starts;
    w->found = clv_ws_alloc(ws, starts, sizeof *w->found);
    w->found_cost = clv_ws_alloc(ws, starts, sizeof *w->found_cost);
    if (!w->found || !w->found_cost)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < starts; k++)
        if (!(w->found[k] = clv_ws_alloc(ws, w->x->n, sizeof **w->found)))
            return clv_fail_memory(err);
    bool endless = w->params->until_limit && clv_context_is_limited(w->ctx);
    for (w->round = 0; endless || w->round < w->params->rounds; w->round++) {
        CLV_TRY(run_round(w, best, err));
        if (w->cost == 0 || clv_context_stop(w->ctx))
            break;
    }
    return CLEAVE_OK;
}

static cleave_status improve(clv_placement *p, const clv_placement_params *params,
                             clv_context *ctx, cleave_error *err)
{
    clv_seats x;
    bool fits;
    CLV_TRY(clv_seats_make(&x, p, ctx, &fits, err));
    if (!fits || x.nmovers == 0)
        return CLEAVE_OK;
    clv_seating best;
    CLV_TRY(clv_seating_make(&best, &x, ctx->ws, err));
    searching w = {.x = &x, .params = params, .ctx = ctx, .best = best.at, .cost = best.cost};
    clv_failure_init(&w.failure);
    CLV_TRY(run_rounds(&w, best.at, err));
    memcpy(p->at, best.at, (size_t)p->nitems * sizeof *p->at);
    return CLEAVE_OK;
}

cleave_status clv_placement_improve(clv_placement *p, const clv_placement_params *params,
                                    clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = improve(p, params, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
