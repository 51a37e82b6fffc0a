/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/pieces.c - connected pieces of each part: breadth-first search inside each part.
 * Directions of arcs are ignored. */
#include "evaluate/evaluate.h"

typedef struct search {
    const int32_t *part;
    uint8_t *seen;
    int32_t *queue; /* nvtx places: every vertex enters once */
    int32_t tail;
} search;

static void enqueue_row(search *s, int32_t v, const int64_t *x, const int32_t *adj)
{
    for (int64_t a = x[v]; a < x[v + 1]; a++) {
        int32_t u = adj[a];
        if (!s->seen[u] && s->part[u] == s->part[v]) {
            s->seen[u] = 1;
            s->queue[s->tail++] = u;
        }
    }
}

static void visit_piece(search *s, const clv_graph *g, int32_t root)
{
    int32_t head = s->tail;
    s->seen[root] = 1;
    s->queue[s->tail++] = root;
    while (head < s->tail) {
        int32_t v = s->queue[head++];
        enqueue_row(s, v, g->xadj, g->adj);
        if (g->kind == CLEAVE_DAG)
            enqueue_row(s, v, g->xpred, g->pred);
    }
}

cleave_status clv_evaluate_pieces(const clv_parted_graph *p, clv_ws *ws, int32_t *total,
                                  int32_t *pieces, cleave_error *err)
{
    const clv_graph *g = p->g;
    clv_ws_mark mark = clv_ws_save(ws);
    search s = {p->part, clv_ws_zalloc(ws, g->nvtx, sizeof *s.seen),
                clv_ws_alloc(ws, g->nvtx, sizeof *s.queue), 0};
    if (!s.seen || !s.queue) {
        clv_ws_restore(ws, mark);
        return clv_fail_memory(err);
    }
    for (int32_t i = 0; pieces && i < p->nparts; i++)
        pieces[i] = 0;
    *total = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (s.seen[v])
            continue;
        visit_piece(&s, g, v);
        ++*total;
        if (pieces)
            pieces[p->part[v]]++;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
