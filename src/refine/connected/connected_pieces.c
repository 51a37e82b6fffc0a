/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_pieces.c - the connected pieces of all parts, by breadth-first
 * search. */
#include "base/group.h"
#include "base/sort.h"
#include "refine/connected/connected_moves.h"

/* ---- Labels ----------------------------------------------------------------------------- */

typedef struct labelling {
    const clv_connected_parts *c;
    int32_t *of;     /* nvtx: piece; -1: not reached */
    int32_t *queue;  /* nvtx */
    int32_t *leader; /* by piece: one of the same component, never a larger number */
} labelling;

static int32_t find(labelling *l, int32_t piece)
{
    while (l->leader[piece] != piece) {
        l->leader[piece] = l->leader[l->leader[piece]];
        piece = l->leader[piece];
    }
    return piece;
}

/* The leader of a component is its smallest piece number. */
static void unite(labelling *l, int32_t i, int32_t j)
{
    i = find(l, i);
    j = find(l, j);
    l->leader[i > j ? i : j] = i < j ? i : j;
}

/* Labels the piece of `root`.  An edge between two pieces is visited from both ends, the
 * second time with both labels known. */
static void label_piece(labelling *l, int32_t root, int32_t number)
{
    const clv_graph *g = l->c->s->g;
    const int32_t *part = l->c->s->part;
    int32_t head = 0, tail = 0;
    l->queue[tail++] = root;
    l->of[root] = l->leader[number] = number;
    while (head < tail) {
        clv_graph_prefetch_rows(g, l->queue + head, tail - head);
        int32_t v = l->queue[head++];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (l->of[u] < 0) {
                if (part[u] == part[v]) {
                    l->of[u] = number;
                    l->queue[tail++] = u;
                }
            } else if (l->of[u] != number) {
                unite(l, l->of[u], number);
            }
        }
    }
}

/* Returns the number of pieces. */
static int32_t label_pieces(labelling *l)
{
    int32_t n = l->c->s->g->nvtx, count = 0;
    for (int32_t v = 0; v < n; v++)
        l->of[v] = -1;
    for (int32_t v = 0; v < n; v++)
        if (l->of[v] < 0)
            label_piece(l, v, count++);
    return count;
}

/* Components, in the order of their smallest vertices.  leader becomes their numbers. */
static void number_components(clv_connected_parts *c, labelling *l, int32_t count)
{
    c->ncomp = 0;
    for (int32_t i = 0; i < count; i++)
        l->leader[i] = l->leader[i] == i ? c->ncomp++ : l->leader[l->leader[i]];
    for (int32_t v = 0; v < c->s->g->nvtx; v++)
        c->comp[v] = l->leader[l->of[v]];
}

/* ---- Contents of the pieces ------------------------------------------------------------- */

static void sum_pieces(const clv_connected_parts *c, clv_pieces *pieces)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    for (int32_t i = 0; i < pieces->count; i++)
        pieces->piece[i] = (clv_connected_piece){.count = 0};
    for (int32_t v = 0; v < g->nvtx; v++) {
        clv_connected_piece *piece = &pieces->piece[pieces->of[v]];
        if (piece->count++ == 0) {
            piece->part = s->part[v];
            piece->comp = c->comp[v];
            piece->first = v;
        }
        piece->has_home |= c->home[v] >= 0;
        for (int32_t i = 0; i < g->ncon; i++)
            piece->weight += clv_graph_vwgt(g, v, i);
    }
}

/* Sorts pieces by descending (weight, count), then by component and part; the sort is stable,
 * so that ties end in the smaller first vertex. */
static void sort_pieces(const clv_connected_parts *c, clv_pieces *pieces, clv_sort_item *items,
                        clv_sort_item *scratch)
{
    int32_t n = pieces->count;
    for (int32_t i = 0; i < n; i++)
        items[i] = (clv_sort_item){-(int64_t)pieces->piece[i].count, {i}};
    clv_sort_item *from = clv_sort(items, scratch, n);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < n; i++) {
            const clv_connected_piece *p = &pieces->piece[from[i].with.index];
            from[i].key =
                pass == 0 ? -p->weight : (int64_t)p->comp * c->s->bounds.nparts + p->part;
        }
        from = clv_sort(from, from == items ? scratch : items, n);
    }
    for (int32_t i = 0; i < n; i++)
        pieces->order[i] = (int32_t)from[i].with.index;
}

static bool is_heavier(const clv_connected_piece *a, const clv_connected_piece *b)
{
    return a->weight != b->weight ? a->weight > b->weight : a->count > b->count;
}

/* After the stop: groups the pieces by component and part, with only the heaviest of a group
 * at its place.  A partition along a line can have as many pieces as vertices. */
static cleave_status group_pieces(const clv_connected_parts *c, clv_pieces *pieces,
                                  cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    int32_t n = pieces->count, k = c->s->bounds.nparts, ngroups = c->ncomp * k;
    int32_t *group = clv_ws_alloc(ws, n, sizeof *group);
    int32_t *first = clv_ws_alloc(ws, (int64_t)ngroups + 1, sizeof *first);
    if (!group || !first)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < n; i++)
        group[i] = pieces->piece[i].comp * k + pieces->piece[i].part;
    clv_group_by_key(n, group, ngroups, first, pieces->order);
    for (int32_t i = 0; i < ngroups; i++) {
        int32_t *order = pieces->order, best = first[i];
        for (int32_t j = first[i]; j < first[i + 1]; j++)
            if (is_heavier(&pieces->piece[order[j]], &pieces->piece[order[best]]))
                best = j;
        if (best == first[i])
            continue;
        int32_t heaviest = order[best];
        order[best] = order[first[i]];
        order[first[i]] = heaviest;
    }
    return CLEAVE_OK;
}

/* Joining pieces with fixed vertices needs the order inside a group. */
static bool may_group(const clv_connected_parts *c, const clv_pieces *pieces)
{
    return clv_context_stop(c->ctx) && !c->s->fixed &&
           (int64_t)c->ncomp * c->s->bounds.nparts <= pieces->count;
}

cleave_status clv_connected_pieces(clv_connected_parts *c, clv_pieces *pieces,
                                   cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    int32_t n = c->s->g->nvtx;
    labelling l = {.c = c};
    l.of = pieces->of = clv_ws_alloc(ws, n, sizeof *l.of);
    l.queue = clv_ws_alloc(ws, n, sizeof *l.queue);
    l.leader = clv_ws_alloc(ws, n, sizeof *l.leader);
    if (!l.of || !l.queue || !l.leader)
        return clv_fail_memory(err);
    clv_context_count(c->ctx, c->s->g->narc);
    /* Most partitions have few pieces: counts them before allocating. */
    int32_t count = pieces->count = label_pieces(&l);
    number_components(c, &l, count);
    pieces->piece = clv_ws_alloc(ws, count, sizeof *pieces->piece);
    pieces->order = clv_ws_alloc(ws, count, sizeof *pieces->order);
    if (!pieces->piece || !pieces->order)
        return clv_fail_memory(err);
    sum_pieces(c, pieces);
    if (may_group(c, pieces))
        return group_pieces(c, pieces, err);
    clv_sort_item *items = clv_ws_alloc(ws, count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    if (!items || !scratch)
        return clv_fail_memory(err);
    sort_pieces(c, pieces, items, scratch);
    return CLEAVE_OK;
}
