/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_balance.c - rebalancing by moves that keep parts connected.
 *
 * An overloaded part can only give vertices to adjacent parts, which may be full themselves.
 * So weight flows step by step: parts with capacity have distance 0, their neighbours 1, and
 * so on; an overloaded part gives to neighbours of smaller distance, even beyond their bound
 * unless their distance is 0.  Parts below their lower bound take from neighbours in the same
 * way.  A round moves a vertex at most once, best cut first; distances are recomputed for each
 * round.  The best state of all rounds is the result. */
#include <string.h>

#include "refine/connected/connected_moves.h"

enum {
    most_rounds = 48,
    patience = 4, /* rounds without a smaller overload, then seeds, then the end */
    sweeps = 64,  /* parts farther from capacity than this are treated as unreachable */
    far = INT32_MAX / 2
};

typedef struct balance {
    clv_connected_parts *c;
    int32_t *list; /* nvtx: boundary */
    int32_t count;
    int32_t *room;    /* nparts: distance to a part that can take more */
    int32_t *surplus; /* nparts: distance to a part that can give; NULL: no lower bounds */
    int32_t *best;    /* nvtx: the best partition so far */
    clv_worth best_worth;
    int32_t limit; /* of the search for dependent pieces of a vertex */
    int64_t work;  /* arcs scanned to find distances and moves, not counted yet */
    int64_t after; /* arcs that can be scanned after the stop */
} balance;

/* Whether to stop.  Parts within their bounds are worth one pass over the graph after the
 * stop. */
static bool is_over(balance *b)
{
    clv_context *ctx = b->c->ctx;
    bool stopped = clv_context_is_stopped(ctx);
    clv_context_count(ctx, b->work);
    b->after -= stopped ? b->work : 0;
    b->work = 0;
    return clv_context_stop(ctx) && b->after < 0;
}

/* The excess over the upper bounds of p (sum over constraints). */
static int64_t excess(const clv_partition_state *s, int32_t p)
{
    int64_t sum = 0;
    for (int64_t i = (int64_t)p * s->g->ncon, end = i + s->g->ncon; i < end; i++)
        sum += s->weight[i] > s->bounds.max[i] ? s->weight[i] - s->bounds.max[i] : 0;
    return sum;
}

static int64_t deficit(const clv_partition_state *s, int32_t p)
{
    int64_t sum = 0;
    for (int64_t i = (int64_t)p * s->g->ncon, end = i + s->g->ncon; s->bounds.min && i < end;
         i++)
        sum += s->weight[i] < s->bounds.min[i] ? s->bounds.min[i] - s->weight[i] : 0;
    return sum;
}

static bool has_room(const clv_partition_state *s, int32_t p)
{
    for (int64_t i = (int64_t)p * s->g->ncon, end = i + s->g->ncon; i < end; i++)
        if (s->weight[i] >= s->bounds.max[i])
            return false;
    return true;
}

static bool has_surplus(const clv_partition_state *s, int32_t p)
{
    for (int64_t i = (int64_t)p * s->g->ncon, end = i + s->g->ncon; i < end; i++)
        if (s->weight[i] <= s->bounds.min[i])
            return false;
    return s->count[p] > 1;
}

/* Relaxes distances along one boundary arc: v in p could move to q. */
static bool relax(balance *b, int32_t p, int32_t q)
{
    bool changed = false;
    if (b->room[p] > b->room[q] + 1) {
        b->room[p] = b->room[q] + 1;
        changed = true;
    }
    if (b->surplus && b->surplus[q] > b->surplus[p] + 1) {
        b->surplus[q] = b->surplus[p] + 1;
        changed = true;
    }
    return changed;
}

static bool sweep(balance *b)
{
    const clv_partition_state *s = b->c->s;
    const clv_graph *g = s->g;
    bool changed = false;
    b->work += b->count;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->list[i], own = s->part[v];
        if (b->c->home[v] >= 0)
            continue;
        b->work += g->xadj[v + 1] - g->xadj[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t p = s->part[g->adj[a]];
            if (p != own && relax(b, own, p))
                changed = true;
        }
    }
    return changed;
}

static void measure_distances(balance *b)
{
    const clv_partition_state *s = b->c->s;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        b->room[p] = has_room(s, p) ? 0 : far;
        if (b->surplus)
            b->surplus[p] = has_surplus(s, p) ? 0 : far;
    }
    for (int i = 0; i < sweeps && sweep(b) && !is_over(b); i++)
        ;
}

/* Whether moving the set from p to q brings weight nearer to its destination.  More than the
 * excess moves only to a part with capacity. */
static bool is_useful(const balance *b, int32_t p, int32_t q)
{
    const clv_connected_parts *c = b->c;
    const clv_partition_state *s = c->s;
    int64_t weight = 0, over = excess(s, p), under = deficit(s, q);
    for (int32_t i = 0; i < s->g->ncon; i++)
        weight += c->set_weight[i];
    if (over > 0 && b->room[q] < b->room[p] && clv_connected_may_leave(c)) {
        if (clv_connected_fits(c, q))
            return true;
        return b->room[q] > 0 && (weight <= over || c->nset == 1);
    }
    if (under > 0 && b->surplus && b->surplus[p] < b->surplus[q] && clv_connected_fits(c, q)) {
        if (clv_connected_may_leave(c))
            return true;
        return b->surplus[p] > 0 && s->count[p] > c->nset && (weight <= under || c->nset == 1);
    }
    return false;
}

/* The target part of the set, -1: none; *gain in cut. */
static int32_t best_target(balance *b, int64_t *gain)
{
    clv_connected_parts *c = b->c;
    int32_t own = c->s->part[c->set[0]], best = -1;
    clv_connected_touch(c);
    for (int32_t i = 0; i < c->ntouched; i++) {
        int32_t p = c->touched[i];
        if (best >= 0 &&
            (c->conn[p] < c->conn[best] || (c->conn[p] == c->conn[best] && p > best)))
            continue;
        if (is_useful(b, own, p))
            best = p;
    }
    *gain = best >= 0 ? c->conn[best] - c->inner : 0;
    return best;
}

static bool concerns(const balance *b, int32_t v)
{
    const clv_partition_state *s = b->c->s;
    if (b->c->home[v] >= 0 || b->c->done[v])
        return false;
    return b->surplus || excess(s, s->part[v]) > 0;
}

static void consider(balance *b, int32_t v)
{
    clv_connected_parts *c = b->c;
    int64_t gain;
    if (!concerns(b, v))
        return;
    b->work += c->s->g->xadj[v + 1] - c->s->g->xadj[v];
    clv_connected_alone(c, v);
    if (best_target(b, &gain) >= 0)
        clv_heap_set(&c->heap, v, gain);
    else
        clv_heap_remove(&c->heap, v);
}

static void consider_around(balance *b, int32_t v)
{
    const clv_graph *g = b->c->s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (!clv_connected_is_hub(b->c, g->adj[a]))
            consider(b, g->adj[a]);
}

/* Moves v and its dependent pieces, if that is still allowed and useful. */
static bool try_move(balance *b, int32_t v, int32_t *moved)
{
    clv_connected_parts *c = b->c;
    int64_t gain;
    if (!clv_connected_detach(c, v, b->limit))
        return false;
    int32_t to = best_target(b, &gain);
    if (to < 0)
        return false;
    int32_t count = c->nset;
    memcpy(moved, c->set, (size_t)count * sizeof *moved);
    clv_connected_move(c, to, true);
    for (int32_t i = 0; i < count; i++) {
        c->done[moved[i]] = 1;
        clv_heap_remove(&c->heap, moved[i]);
    }
    for (int32_t i = 0; i < count; i++)
        consider_around(b, moved[i]);
    return true;
}

/* One round; false: nothing moved. */
static bool run_round(balance *b, int32_t *moved)
{
    clv_connected_parts *c = b->c;
    bool any = false;
    b->count = clv_state_boundary(c->s, b->list);
    measure_distances(b);
    memset(c->done, 0, (size_t)c->s->g->nvtx);
    for (int32_t i = 0; i < b->count && (i % 1024 != 0 || !is_over(b)); i++)
        consider(b, b->list[i]);
    for (int32_t steps = 0; c->heap.count > 0; steps++) {
        int32_t v = clv_heap_pop(&c->heap);
        if (steps % 1024 == 0 && is_over(b))
            break;
        if (concerns(b, v) && try_move(b, v, moved))
            any = true;
    }
    clv_heap_clear(&c->heap);
    return any;
}

/* Keeps the state if it is the best; true if its overload is smaller than before. */
static bool keep_best(balance *b)
{
    clv_partition_state *s = b->c->s;
    clv_worth now = clv_state_worth(s);
    bool less = now.overload < b->best_worth.overload;
    if (!clv_worth_better(now, b->best_worth))
        return false;
    b->best_worth = now;
    memcpy(b->best, s->part, (size_t)s->g->nvtx * sizeof *b->best);
    return less;
}

static cleave_status run_rounds(balance *b, int32_t *moved, cleave_error *err)
{
    clv_partition_state *s = b->c->s;
    int idle = 0;
    bool seeded = false;
    for (int round = 0; round < most_rounds && b->best_worth.overload > 0; round++) {
        if (is_over(b))
            break;
        bool any = run_round(b, moved);
        idle = keep_best(b) ? 0 : idle + 1;
        if (any && idle < patience)
            continue;
        if (b->limit < clv_connected_most) {
            b->limit = clv_connected_most; /* larger pieces can depend on a vertex */
            idle = 0;
            continue;
        }
        b->work += s->g->narc + s->g->nvtx; /* of the seeds, which look at all vertices */
        if ((seeded && idle > 0) || is_over(b))
            break;
        CLV_TRY(clv_connected_seed(b->c, &seeded, err));
        idle = keep_best(b) ? 0 : 1;
        if (!seeded)
            break;
    }
    if (!clv_worth_same(clv_state_worth(s), b->best_worth)) {
        memcpy(s->part, b->best, (size_t)s->g->nvtx * sizeof *b->best);
        clv_state_measure(s, b->c->ctx);
    }
    return CLEAVE_OK;
}

cleave_status clv_connected_balance(clv_connected_parts *c, cleave_error *err)
{
    const clv_partition_state *s = c->s;
    balance b = {.c = c, .limit = 64, .best_worth = clv_state_worth(s)};
    b.after = s->g->narc + s->g->nvtx;
    if (b.best_worth.overload == 0)
        return CLEAVE_OK;
    clv_ws *ws = c->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    b.list = clv_ws_alloc(ws, s->g->nvtx, sizeof *b.list);
    b.room = clv_ws_alloc(ws, s->bounds.nparts, sizeof *b.room);
    b.best = clv_ws_alloc(ws, s->g->nvtx, sizeof *b.best);
    int32_t *moved = clv_ws_alloc(ws, clv_connected_most + 1, sizeof *moved);
    bool fine = b.list && b.room && b.best && moved;
    if (s->bounds.min)
        fine &= (b.surplus = clv_ws_alloc(ws, s->bounds.nparts, sizeof *b.surplus)) != NULL;
    cleave_status status = CLEAVE_OK;
    if (fine) {
        memcpy(b.best, s->part, (size_t)s->g->nvtx * sizeof *b.best);
        status = run_rounds(&b, moved, err);
    } else {
        status = clv_fail_memory(err);
    }
    clv_ws_restore(ws, mark);
    return status;
}
