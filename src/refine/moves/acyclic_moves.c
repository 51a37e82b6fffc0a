/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_moves.c - rounds of greedy moves that keep the ranks of the parts.
 *
 * A round evaluates the better of the two moves (refine/state/rank_ends.h) of each vertex on
 * the list, in parallel, from the state at the start of the round.  Vertices with a positive
 * gain then move one after the other, best first.  Each is evaluated again before it moves,
 * because neighbours that have moved may have changed its gain or made its move illegal.  The
 * list of the next round holds only the neighbours of vertices that moved.
 *
 * With a machine there are more moves to choose from, and they gain by cost
 * (refine/gain/acyclic_gain.h). */
#include "refine/moves/acyclic_moves.h"

#include "base/sort.h"
#include "refine/gain/acyclic_gain.h"
#include "refine/state/rank_ends.h"

enum { grain = 512, worth_waking = 16384 }; /* vertices */

typedef struct rounds {
    clv_partition_state *s;
    int32_t *label; /* nparts: rank -> part */
    int32_t *list;  /* vertices of this round */
    int32_t count;
    int32_t *next; /* of the next one */
    int32_t nnext;
    uint8_t *queued;     /* by vertex: waits in next */
    int64_t *wish;       /* by place in the list: the gain, -1: none */
    clv_sort_item *item; /* candidates with a positive gain */
    clv_sort_item *scratch;
    clv_neighbour_parts *neighbour_parts; /* by thread; NULL: no machine */
} rounds;

/* Without a gain v moves only to improve the balance. */
static bool is_worth(const clv_partition_state *s, int32_t v, int32_t to, int64_t gain)
{
    if (gain < 0 || !clv_state_fits(s, v, to))
        return false;
    return gain > 0 || clv_state_room(s, to, v, 1) > clv_state_room(s, s->part[v], v, 0);
}

/* The part that v should move to, or -1; *gain is what the cut loses. */
static int32_t best_part(const rounds *x, int32_t v, int64_t *gain)
{
    const clv_partition_state *s = x->s;
    int32_t own = clv_rank_of(s, v), best = -1;
    *gain = -1;
    if (!clv_state_may_leave(s, v))
        return -1;
    clv_rank_end high = clv_rank_high(s, v), low = clv_rank_low(s, v);
    if (high.rank > own && high.rank < s->bounds.nparts) {
        int64_t above = clv_rank_gain(&high, &low, own);
        if (is_worth(s, v, x->label[high.rank], above)) {
            best = x->label[high.rank];
            *gain = above;
        }
    }
    if (low.rank < own && low.rank >= 0) {
        int64_t below = clv_rank_gain(&low, &high, own);
        if (below > *gain && is_worth(s, v, x->label[low.rank], below)) {
            best = x->label[low.rank];
            *gain = below;
        }
    }
    return best;
}

/* The same with a machine. */
static int32_t best_place(const rounds *x, int32_t v, int member, int64_t *gain)
{
    const clv_partition_state *s = x->s;
    clv_neighbour_parts *f = &x->neighbour_parts[member];
    int32_t own = clv_rank_of(s, v), best = -1;
    clv_rank_range range = clv_ranks_range(s, v);
    *gain = -1;
    if (range.low == range.high || !clv_state_may_leave(s, v))
        return -1;
    clv_acyclic_gather(f, s, v);
    int64_t here = clv_mapping_cost(s->machine, f, s->part[v]);
    for (int way = 0; way < 2; way++) {
        int32_t end = way == 0 ? range.high : range.low;
        for (int32_t r = own, next; (next = clv_acyclic_next(r, own, end)) != r; r = next) {
            int32_t p = x->label[next];
            int64_t there = here - clv_mapping_cost(s->machine, f, p);
            if (there > *gain && is_worth(s, v, p, there)) {
                best = p;
                *gain = there;
            }
        }
    }
    clv_neighbour_parts_clear(f);
    return best;
}

static int32_t best_move(const rounds *x, int32_t v, int member, int64_t *gain)
{
    return x->neighbour_parts ? best_place(x, v, member, gain) : best_part(x, v, gain);
}

static void rate_range(void *context, int64_t begin, int64_t end, int member)
{
    rounds *x = context;
    for (int64_t i = begin; i < end; i++)
        best_move(x, x->list[i], member, &x->wish[i]);
}

static void queue_row(rounds *x, const int32_t *row, int64_t length)
{
    for (int64_t i = 0; i < length; i++) {
        x->s->maybe_boundary[row[i]] = 1;
        if (!x->queued[row[i]]) {
            x->queued[row[i]] = 1;
            x->next[x->nnext++] = row[i];
        }
    }
}

static void try_move(rounds *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    int64_t gain;
    int32_t to = best_move(x, v, 0, &gain);
    if (to < 0)
        return;
    clv_state_move(x->s, v, to);
    x->s->cut -= gain;
    x->s->maybe_boundary[v] = 1;
    queue_row(x, g->adj + g->xadj[v], g->xadj[v + 1] - g->xadj[v]);
    queue_row(x, g->pred + g->xpred[v], g->xpred[v + 1] - g->xpred[v]);
}

static void run_round(rounds *x, clv_context *ctx)
{
    x->nnext = 0;
    if (x->count < worth_waking)
        rate_range(x, 0, x->count, 0);
    else
        clv_parallel_for(ctx->team, x->count, grain, rate_range, x);
    int64_t wishing = 0;
    for (int32_t i = 0; i < x->count; i++)
        if (x->wish[i] >= 0)
            x->item[wishing++] = (clv_sort_item){-x->wish[i], {.index = x->list[i]}};
    const clv_sort_item *sorted = clv_sort(x->item, x->scratch, wishing);
    for (int64_t i = 0; i < wishing; i++)
        try_move(x, (int32_t)sorted[i].with.index);
    int32_t *swap = x->list;
    x->list = x->next;
    x->next = swap;
    x->count = x->nnext;
    for (int32_t i = 0; i < x->count; i++)
        x->queued[x->list[i]] = 0;
}

static bool open_places(rounds *x, int threads, clv_ws *ws)
{
    x->neighbour_parts = clv_ws_alloc(ws, threads, sizeof x->neighbour_parts[0]);
    bool ready = x->neighbour_parts != NULL;
    for (int i = 0; i < threads && ready; i++)
        ready = clv_neighbour_parts_init(&x->neighbour_parts[i], x->s->bounds.nparts, ws);
    return ready;
}

static bool open_rounds(rounds *x, clv_partition_state *s, int threads, clv_ws *ws)
{
    int32_t n = s->g->nvtx;
    *x = (rounds){.s = s};
    x->label = clv_ws_alloc(ws, s->bounds.nparts, sizeof x->label[0]);
    x->list = clv_ws_alloc(ws, n, sizeof x->list[0]);
    x->next = clv_ws_alloc(ws, n, sizeof x->next[0]);
    x->queued = clv_ws_zalloc(ws, n, sizeof x->queued[0]);
    x->wish = clv_ws_alloc(ws, n, sizeof x->wish[0]);
    x->item = clv_ws_alloc(ws, n, sizeof x->item[0]);
    x->scratch = clv_ws_alloc(ws, n, sizeof x->scratch[0]);
    if (s->machine && !open_places(x, threads, ws))
        return false;
    return x->label && x->list && x->next && x->queued && x->wish && x->item && x->scratch;
}

cleave_status clv_acyclic_moves(clv_partition_state *s, const clv_acyclic_moves_params *params,
                                clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    rounds x;
    if (!open_rounds(&x, s, clv_context_threads(ctx), &ctx->ws[0])) {
        clv_ws_restore(&ctx->ws[0], mark);
        return clv_fail_memory(err);
    }
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        x.label[s->rank[p]] = p;
    x.count = clv_state_boundary(s, x.list);
    for (int32_t round = 0; round < params->rounds && x.count > 0; round++) {
        if (clv_context_stop(ctx))
            break;
        run_round(&x, ctx);
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return CLEAVE_OK;
}
