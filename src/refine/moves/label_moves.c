/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/label_moves.c - size-constrained label propagation as a refiner [Karypis, Kumar
 * 1998; Meyerhenke, Sanders, Schulz 2014].
 *
 * A round processes a list of vertices in random order.  A vertex with a gain moves at once to
 * the best part with capacity.  The list of the next round holds only the neighbours of
 * vertices that moved.
 *
 * A long list is split into batches.  The vertices of a batch are first evaluated in parallel,
 * from the state at the start of the batch; those with a gain are then evaluated again one
 * after the other, as in a short list.  The length of the list decides, not the number of
 * threads, so that the result does not depend on threads. */
#include "refine/moves/label_moves.h"

#include "base/rng.h"
#include "refine/gain/mapping_gain.h"

enum {
    stage = 0x6c6162,     /* in the seeds of random numbers */
    long_list = 32768,    /* vertices from which batches pay */
    batch_length = 16384, /* vertices */
    grain = 512
};

typedef struct labelling {
    clv_partition_state *s;
    clv_neighbour_parts *f; /* one per thread */
    int32_t *list;          /* vertices of this round */
    int32_t *next;          /* of the next one */
    int32_t nnext;
    uint8_t *queued; /* by vertex: waits in list or in next */
    uint8_t *wants;  /* by place in the batch */
    const int32_t *batch;
} labelling;

static CLV_ALWAYS_INLINE int32_t find_part(const clv_partition_state *s,
                                           clv_neighbour_parts *f, int32_t v, int64_t *gain,
                                           bool mapped)
{
    int32_t from = s->part[v], best = -1, list[clv_most_choices];
    clv_neighbour_parts_gather(f, s, v);
    int32_t count = mapped ? clv_list_choices(s, f, from, list) : f->count;
    int64_t own = clv_worth_at(s, f, from, mapped), most = own, best_room = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = mapped ? list[i] : f->touched[i];
        int64_t worth = p == from ? 0 : clv_worth_at(s, f, p, mapped);
        if (p == from || worth < most || !clv_state_fits(s, v, p))
            continue;
        int64_t room = clv_state_room(s, p, v, 1);
        if (worth == most) {
            /* A gain of 0: only moves that improve the balance.  Otherwise a tie. */
            int64_t least = best < 0 ? clv_state_room(s, from, v, 0) : best_room;
            if (room < least || (room == least && (best < 0 || p > best)))
                continue;
        }
        best = p;
        most = worth;
        best_room = room;
    }
    clv_neighbour_parts_clear(f);
    *gain = most - own;
    return best;
}

/* The part v should move to, or -1; *gain is what the cut loses. */
static int32_t best_part(const clv_partition_state *s, clv_neighbour_parts *f, int32_t v,
                         int64_t *gain)
{
    return s->machine ? find_part(s, f, v, gain, true) : find_part(s, f, v, gain, false);
}

static void queue(labelling *l, int32_t v)
{
    if (!l->queued[v]) {
        l->queued[v] = 1;
        l->next[l->nnext++] = v;
    }
}

static void try_move(labelling *l, int32_t v)
{
    clv_partition_state *s = l->s;
    const clv_graph *g = s->g;
    if (!clv_state_may_leave(s, v))
        return;
    int64_t gain;
    int32_t to = best_part(s, &l->f[0], v, &gain);
    if (to < 0)
        return;
    clv_state_move(s, v, to);
    s->cut -= gain;
    s->maybe_boundary[v] = 1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        s->maybe_boundary[u] = 1;
        /* Neighbours in the new part only have less to gain. */
        if (s->part[u] != to)
            queue(l, u);
    }
}

static void rate_range(void *context, int64_t begin, int64_t end, int member)
{
    labelling *l = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = l->batch[i];
        int64_t gain;
        l->wants[i] =
            clv_state_may_leave(l->s, v) && best_part(l->s, &l->f[member], v, &gain) >= 0;
    }
}

static void run_round(labelling *l, int32_t count, clv_context *ctx)
{
    l->nnext = 0;
    if (count < long_list) {
        for (int32_t i = 0; i < count; i++) {
            l->queued[l->list[i]] = 0;
            try_move(l, l->list[i]);
        }
        return;
    }
    for (int32_t begin = 0; begin < count && !clv_context_stop(ctx); begin += batch_length) {
        int32_t length = count - begin < batch_length ? count - begin : batch_length;
        l->batch = l->list + begin;
        for (int32_t i = 0; i < length; i++)
            l->queued[l->batch[i]] = 0;
        clv_parallel_for(ctx->team, length, grain, rate_range, l);
        for (int32_t i = 0; i < length; i++)
            if (l->wants[i])
                try_move(l, l->batch[i]);
    }
}

static void shuffle(clv_rng *rng, int32_t *list, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)clv_rng_below(rng, (uint32_t)i + 1), v = list[i];
        list[i] = list[j];
        list[j] = v;
    }
}

static bool open_labelling(labelling *l, clv_partition_state *s, clv_context *ctx)
{
    int32_t n = s->g->nvtx;
    int members = n < long_list ? 1 : clv_context_threads(ctx);
    *l = (labelling){.s = s};
    l->f = clv_ws_alloc(&ctx->ws[0], members, sizeof l->f[0]);
    l->list = clv_ws_alloc(&ctx->ws[0], n, sizeof l->list[0]);
    l->next = clv_ws_alloc(&ctx->ws[0], n, sizeof l->next[0]);
    l->queued = clv_ws_zalloc(&ctx->ws[0], n, sizeof l->queued[0]);
    l->wants = clv_ws_alloc(&ctx->ws[0], n < long_list ? 0 : batch_length, 1);
    if (!l->f || !l->list || !l->next || !l->queued || !l->wants)
        return false;
    /* All from the caller's scratch: nothing else to release. */
    for (int m = 0; m < members; m++)
        if (!clv_neighbour_parts_init(&l->f[m], s->bounds.nparts, &ctx->ws[0]))
            return false;
    return true;
}

cleave_status clv_label_moves(clv_partition_state *s, const clv_label_params *params,
                              clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    labelling l;
    if (!open_labelling(&l, s, ctx)) {
        clv_ws_restore(&ctx->ws[0], mark);
        return clv_fail_memory(err);
    }
    clv_rng rng = clv_rng_make(ctx->seed, stage, (uint64_t)s->level, 0);
    int32_t count = clv_state_boundary_team(s, l.list, ctx->team);
    for (int32_t i = 0; i < count; i++)
        l.queued[l.list[i]] = 1;
    for (int32_t round = 0; round < params->rounds && count > 0; round++) {
        if (clv_context_stop(ctx))
            break;
        shuffle(&rng, l.list, count);
        run_round(&l, count, ctx);
        int32_t *swap = l.list;
        l.list = l.next;
        l.next = swap;
        count = l.nnext;
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return CLEAVE_OK;
}
