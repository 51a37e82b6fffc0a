/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_parts.c - makes every part connected within each component of the
 * graph.
 *
 * The heaviest piece of a part in one component stays, or those that hold fixed vertices
 * (connected_join.c joins them first).  All other pieces are dissolved, and the remaining
 * pieces grow over their vertices, as Prim's algorithm grows a tree: the next vertex is the
 * one with the heaviest edges to assigned ones, and it joins the part with capacity that it is
 * connected to most strongly.  From then on every move keeps parts connected
 * (connected_moves.c): first for balance, then for the cut.
 *
 * Such moves leave long, ragged boundaries where much had to move.  So the ordinary refinement
 * of the cut follows, and the few disconnected pieces it causes are repaired in the same
 * way. */
#include "refine/connected/connected_parts.h"

#include <string.h>

#include "refine/connected/connected_moves.h"
#include "refine/fm/kway_fm.h"

enum { most_rounds = 4, polish_rounds = 3 };

static const int64_t deferred = INT64_C(1) << 61; /* subtracted from the key of a vertex
                                                     without a part with capacity */

/* Marks the pieces that stay; returns how many do not. */
static int32_t choose_pieces(clv_pieces *pieces)
{
    int32_t released = 0;
    for (int32_t begin = 0, end; begin < pieces->count; begin = end) {
        bool homes = false;
        for (end = begin; end < pieces->count && clv_pieces_same(pieces, begin, end); end++)
            homes |= pieces->piece[pieces->order[end]].has_home;
        for (int32_t i = begin; i < end; i++) {
            clv_connected_piece *piece = &pieces->piece[pieces->order[i]];
            piece->keep = homes ? piece->has_home : i == begin;
            released += !piece->keep;
        }
    }
    return released;
}

/* Removes v from, or adds it to, the weight and count of a part. */
static void weigh(clv_partition_state *s, int32_t v, int32_t p, int32_t sign)
{
    const clv_graph *g = s->g;
    for (int32_t i = 0; i < g->ncon; i++)
        s->weight[(int64_t)p * g->ncon + i] += (int64_t)sign * clv_graph_vwgt(g, v, i);
    s->count[p] += sign;
}

/* The overload that v would add to p. */
static int64_t added_overload(const clv_partition_state *s, int32_t v, int32_t p)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < s->g->ncon; i++) {
        int64_t at = (int64_t)p * s->g->ncon + i, w = clv_graph_vwgt(s->g, v, i);
        int64_t over = s->weight[at] + w - s->bounds.max[at];
        sum += over <= 0 ? 0 : over < w ? over : w;
    }
    return sum;
}

/* Connections of v to assigned vertices, by part. */
static void touch_settled(clv_connected_parts *c, int32_t v)
{
    const clv_graph *g = c->s->g;
    c->ntouched = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (!c->done[g->adj[a]])
            clv_connected_tie(c, c->s->part[g->adj[a]], clv_graph_ewgt(g, a));
}

/* The part for v: least overload, then strongest connection, then smallest number. */
static int32_t choose_part(clv_connected_parts *c, int32_t v, int64_t *overload)
{
    int32_t best = -1;
    touch_settled(c, v);
    for (int32_t i = 0; i < c->ntouched; i++) {
        int32_t p = c->touched[i];
        int64_t added = added_overload(c->s, v, p);
        bool better = best < 0 || added < *overload;
        if (best >= 0 && added == *overload)
            better = c->conn[p] != c->conn[best] ? c->conn[p] > c->conn[best] : p < best;
        if (better) {
            best = p;
            *overload = added;
        }
    }
    return best;
}

/* v is assigned: updates the keys of its unassigned neighbours. */
static void update_neighbours(clv_connected_parts *c, int32_t v)
{
    const clv_graph *g = c->s->g;
    clv_heap *heap = &c->heap;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (!c->done[u])
            continue;
        int64_t key = clv_heap_has(heap, u) ? heap->key[u] : 0;
        if (key < 0 && clv_state_fits(c->s, u, c->s->part[v]))
            key += deferred;
        clv_heap_set(heap, u, key + clv_graph_ewgt(g, a));
    }
}

/* done[v] = 1: not assigned. */
static void grow(clv_connected_parts *c)
{
    clv_partition_state *s = c->s;
    while (c->heap.count > 0) {
        int32_t v = clv_heap_pop(&c->heap);
        int64_t key = c->heap.key[v], overload = 0;
        int32_t to = choose_part(c, v, &overload);
        if (overload > 0 && key >= 0) {
            clv_heap_set(&c->heap, v, key - deferred);
            continue;
        }
        s->part[v] = to;
        weigh(s, v, to, 1);
        c->done[v] = 0;
        update_neighbours(c, v);
    }
}

/* done[v], after the stop */
enum { assigned = 0, waiting = 1, queued = 2 };

/* As grow, after the stop: in breadth-first order instead of by the heaviest edges, in linear
 * time. */
typedef struct breadth {
    clv_connected_parts *c;
    int32_t *queue; /* nvtx: vertices with assigned neighbours; those without a part with
                       capacity are kept at the front until all others had their turn */
    int32_t head, tail, kept, next;
} breadth;

/* False: no part has capacity, and v is not forced into one. */
static bool assign(breadth *b, int32_t v, bool forced)
{
    clv_connected_parts *c = b->c;
    const clv_graph *g = c->s->g;
    int64_t overload = 0;
    int32_t to = choose_part(c, v, &overload);
    if (overload > 0 && !forced)
        return false;
    c->s->part[v] = to;
    weigh(c->s, v, to, 1);
    c->done[v] = assigned;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (c->done[g->adj[a]] == waiting) {
            c->done[g->adj[a]] = queued;
            b->queue[b->tail++] = g->adj[a];
        }
    return true;
}

static void grow_by_breadth(breadth *b)
{
    do {
        while (b->head < b->tail) {
            int32_t v = b->queue[b->head++];
            if (!assign(b, v, false))
                b->queue[b->kept++] = v;
        }
        if (b->next < b->kept)
            assign(b, b->queue[b->next++], true);
    } while (b->head < b->tail || b->next < b->kept);
}

/* done[v] is `waiting` or `assigned`. */
static cleave_status dissolve_by_breadth(clv_connected_parts *c, cleave_error *err)
{
    const clv_graph *g = c->s->g;
    breadth b = {.c = c};
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    b.queue = clv_ws_alloc(c->ctx->ws, g->nvtx, sizeof *b.queue);
    if (!b.queue)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        bool beside = false;
        for (int64_t a = g->xadj[v]; c->done[v] && !beside && a < g->xadj[v + 1]; a++)
            beside = c->done[g->adj[a]] == assigned;
        if (beside)
            b.queue[b.tail++] = v;
    }
    for (int32_t i = 0; i < b.tail; i++)
        c->done[b.queue[i]] = queued;
    grow_by_breadth(&b);
    clv_ws_restore(c->ctx->ws, mark);
    return CLEAVE_OK;
}

/* Assigns the vertices of dissolved pieces to the remaining ones. */
static cleave_status dissolve(clv_connected_parts *c, const clv_pieces *pieces,
                              cleave_error *err)
{
    clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        c->done[v] = !pieces->piece[pieces->of[v]].keep;
        if (c->done[v])
            weigh(s, v, s->part[v], -1);
    }
    if (clv_context_stop(c->ctx)) {
        CLV_TRY(dissolve_by_breadth(c, err));
        clv_state_measure(s, c->ctx);
        return CLEAVE_OK;
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (!c->done[v])
            continue;
        int64_t ties = -1;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (!c->done[g->adj[a]])
                ties = (ties < 0 ? 0 : ties) + clv_graph_ewgt(g, a);
        if (ties >= 0)
            clv_heap_set(&c->heap, v, ties);
    }
    grow(c);
    clv_state_measure(s, c->ctx);
    return CLEAVE_OK;
}

/* One piece for each part and component, as far as fixed vertices allow. */
static cleave_status keep_best_pieces(clv_connected_parts *c, bool *changed, cleave_error *err)
{
    clv_pieces pieces;
    CLV_TRY(clv_connected_pieces(c, &pieces, err));
    *changed = choose_pieces(&pieces) > 0;
    return *changed ? dissolve(c, &pieces, err) : CLEAVE_OK;
}

static cleave_status is_connected(clv_connected_parts *c, bool *connected, cleave_error *err)
{
    clv_pieces pieces;
    CLV_TRY(clv_connected_pieces(c, &pieces, err));
    *connected = true;
    for (int32_t i = 1; i < pieces.count; i++)
        if (clv_pieces_same(&pieces, i - 1, i))
            *connected = false;
    return CLEAVE_OK;
}

/* Runs a step with scratch of its own. */
static cleave_status scratched(clv_connected_parts *c, bool *flag, cleave_error *err,
                               cleave_status (*step)(clv_connected_parts *, bool *,
                                                     cleave_error *))
{
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    cleave_status status = step(c, flag, err);
    clv_ws_restore(c->ctx->ws, mark);
    return status;
}

/* Connectivity, then balance, then the cut, until nothing improves. */
static cleave_status repair(clv_connected_parts *c, bool *changed, cleave_error *err)
{
    clv_partition_state *s = c->s;
    CLV_TRY(scratched(c, changed, err, keep_best_pieces));
    for (int round = 0; round < most_rounds; round++) {
        clv_worth before = clv_state_worth(s);
        CLV_TRY(clv_connected_balance(c, err));
        if (clv_context_stop(c->ctx))
            break;
        clv_connected_improve(c);
        /* A smaller cut may have made balance possible; otherwise this is the end. */
        clv_worth now = clv_state_worth(s);
        if (now.overload == 0 || clv_worth_same(now, before))
            break;
    }
    return CLEAVE_OK;
}

/* The ordinary refinement, with the vertices that connect parts fixed. */
static cleave_status refine_cut(clv_connected_parts *c, cleave_error *err)
{
    clv_partition_state *s = c->s;
    const int32_t *fixed = s->fixed;
    clv_kway_fm_params params = clv_kway_fm_defaults();
    s->fixed = c->home;
    cleave_status status = clv_kway_fm(s, &params, c->ctx, err);
    s->fixed = fixed;
    return status;
}

/* Refines and repairs in turn as long as that improves.  best: nvtx. */
static cleave_status polish(clv_connected_parts *c, int32_t *best, cleave_error *err)
{
    clv_partition_state *s = c->s;
    size_t bytes = (size_t)s->g->nvtx * sizeof *best;
    for (int round = 0; round < polish_rounds && !clv_context_stop(c->ctx); round++) {
        clv_worth before = clv_state_worth(s);
        bool changed;
        memcpy(best, s->part, bytes);
        cleave_status status = refine_cut(c, err);
        if (status == CLEAVE_OK)
            status = repair(c, &changed, err);
        if (status != CLEAVE_OK || !clv_worth_better(clv_state_worth(s), before)) {
            memcpy(s->part, best, bytes);
            clv_state_measure(s, c->ctx);
            return status;
        }
    }
    return CLEAVE_OK;
}

static cleave_status connect(clv_connected_parts *c, cleave_error *err)
{
    clv_partition_state *s = c->s;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        c->home[v] = clv_state_is_fixed(s, v) ? s->part[v] : -1;
    if (s->fixed) {
        cleave_status status = clv_connected_join(c, err);
        clv_state_measure(s, c->ctx);
        CLV_TRY(status);
    }
    bool changed;
    CLV_TRY(repair(c, &changed, err));
    if (!changed)
        return CLEAVE_OK;
    int32_t *best = clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *best);
    return best ? polish(c, best, err) : clv_fail_memory(err);
}

static cleave_status connect_or_restore(clv_partition_state *s, clv_context *ctx,
                                        bool *connected, cleave_error *err)
{
    size_t bytes = (size_t)s->g->nvtx * sizeof *s->part;
    int32_t *start = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, s->part, bytes);
    clv_connected_parts c;
    CLV_TRY(clv_connected_open(&c, s, ctx, err));
    cleave_status status = connect(&c, err);
    /* Only pieces with fixed vertices can remain separate. */
    *connected = status == CLEAVE_OK;
    if (status == CLEAVE_OK && s->fixed)
        status = scratched(&c, connected, err, is_connected);
    if (status != CLEAVE_OK) {
        memcpy(s->part, start, bytes);
        clv_state_measure(s, ctx);
    }
    return status;
}

cleave_status clv_connect_parts(clv_partition_state *s, clv_context *ctx, bool *connected,
                                cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    *connected = false;
    cleave_status status = connect_or_restore(s, ctx, connected, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
