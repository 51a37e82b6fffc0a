/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connect_pieces.c - the connected pieces of all parts, by breadth-first search. */
#include "base/sort.h"
#include "refine/connect_moves.h"

/* Labels the piece of `root` and sums up what is in it. */
static void visit(const clv_connect *c, int32_t root, int32_t number, clv_pieces *pieces,
                  int32_t *queue)
{
    const clv_kway *s = c->s;
    const clv_graph *g = s->g;
    clv_piece piece = {.part = s->part[root], .comp = c->comp[root], .first = root};
    int32_t head = 0, tail = 0;
    queue[tail++] = root;
    pieces->of[root] = number;
    while (head < tail) {
        int32_t v = queue[head++];
        piece.has_home |= c->home[v] >= 0;
        for (int32_t i = 0; i < g->ncon; i++)
            piece.weight += clv_graph_vwgt(g, v, i);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (pieces->of[u] < 0 && s->part[u] == piece.part) {
                pieces->of[u] = number;
                queue[tail++] = u;
            }
        }
    }
    piece.count = tail;
    pieces->piece[number] = piece;
}

/* Sorts pieces by descending (weight, count), then by component and part; the sort is stable,
 * so that ties end in the smaller first vertex. */
static void sort_pieces(const clv_connect *c, clv_pieces *pieces, clv_sort_item *items,
                        clv_sort_item *scratch)
{
    int32_t n = pieces->count;
    for (int32_t i = 0; i < n; i++)
        items[i] = (clv_sort_item){-(int64_t)pieces->piece[i].count, {i}};
    clv_sort_item *from = clv_sort(items, scratch, n);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < n; i++) {
            const clv_piece *p = &pieces->piece[from[i].with.index];
            from[i].key =
                pass == 0 ? -p->weight : (int64_t)p->comp * c->s->bounds.nparts + p->part;
        }
        from = clv_sort(from, from == items ? scratch : items, n);
    }
    for (int32_t i = 0; i < n; i++)
        pieces->order[i] = (int32_t)from[i].with.index;
}

cleave_status clv_connect_pieces(clv_connect *c, clv_pieces *pieces, cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    int32_t n = c->s->g->nvtx, count = 0;
    pieces->of = clv_ws_alloc(ws, n, sizeof *pieces->of);
    int32_t *queue = clv_ws_alloc(ws, n, sizeof *queue);
    if (!pieces->of || !queue)
        return clv_fail_memory(err);
    clv_context_count(c->ctx, 2 * c->s->g->narc);
    /* Few pieces are the rule: count them before asking for memory. */
    for (int32_t v = 0; v < n; v++)
        pieces->of[v] = -1;
    clv_piece one;
    clv_pieces dry = {.of = pieces->of};
    for (int32_t v = 0; v < n; v++)
        if (pieces->of[v] < 0) {
            dry.piece = &one;
            visit(c, v, 0, &dry, queue);
            count++;
        }
    pieces->count = count;
    pieces->piece = clv_ws_alloc(ws, count, sizeof *pieces->piece);
    pieces->order = clv_ws_alloc(ws, count, sizeof *pieces->order);
    clv_sort_item *items = clv_ws_alloc(ws, count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    if (!pieces->piece || !pieces->order || !items || !scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        pieces->of[v] = -1;
    count = 0;
    for (int32_t v = 0; v < n; v++)
        if (pieces->of[v] < 0)
            visit(c, v, count++, pieces, queue);
    sort_pieces(c, pieces, items, scratch);
    return CLEAVE_OK;
}
