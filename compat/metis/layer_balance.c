/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_balance.c - balances parts further at almost no cost in cut.
 *
 * cleave keeps every part within the bound and otherwise optimizes only the cut; METIS moves
 * vertices to lighter parts during refinement, and ends below its bound where that is cheap.
 * Here boundary vertices move to adjacent parts that stay lighter than their own part was:
 * first all moves that do not increase the cut, then repeatedly the cheapest move out of the
 * heaviest part, as long as the cut stays below 1 + 1 / cheap of its initial value.  Each move
 * makes the heavier of two parts lighter, so that no bound that held is broken, no part
 * becomes empty, and the sweeps terminate. */
#include "layer.h"

enum { most_sweeps = 3, cheap = 128, moves_per_part = 4 };

typedef struct balance {
    cleave_csr view;
    idx_t nparts, *part;
    int64_t cut;
    int64_t *weight; /* by part */
    int64_t mean;    /* of the weights, rounded down */
    int64_t *linked; /* by part: weight of edges to it, 0 between calls */
    int32_t *border; /* vertices that are or were on the boundary */
    int32_t count;   /* of them */
    bool *listed;    /* by vertex: whether it is in border */
    /* The same by part, as linked lists, -1 at the end.  A vertex that moved stays in the list
     * of its old part until that is scanned again. */
    int32_t *head, *next;
    int64_t work; /* remaining steps of relieve() */
} balance;

static int64_t edge_weight(const balance *b, int64_t arc)
{
    return b->view.ewgt ? b->view.ewgt[arc] : 1;
}

static int64_t vertex_weight(const balance *b, int32_t v)
{
    return b->view.vwgt ? b->view.vwgt[v] : 1;
}

static void list(balance *b, int32_t v)
{
    if (!b->listed[v])
        b->border[b->count++] = v;
    b->listed[v] = true;
}

static void list_neighbours(balance *b, int32_t v)
{
    for (int64_t i = b->view.xadj[v]; i < b->view.xadj[v + 1]; i++)
        list(b, b->view.adj[i]);
}

/* Computes the weights of the parts and lists their boundary vertices. */
static void weigh_parts(balance *b)
{
    const cleave_csr *view = &b->view;
    int64_t all = 0;
    for (idx_t p = 0; p < b->nparts; p++)
        b->weight[p] = b->linked[p] = 0;
    for (int32_t v = 0; v < view->nvtx; v++) {
        b->listed[v] = false;
        b->weight[b->part[v]] += vertex_weight(b, v);
        all += vertex_weight(b, v);
    }
    b->mean = all / b->nparts;
    for (int32_t v = 0; v < view->nvtx; v++) {
        idx_t own = b->part[v];
        int64_t i = view->xadj[v], end = view->xadj[v + 1];
        while (i < end && b->part[view->adj[i]] == own)
            i++;
        if (i < end)
            list(b, v);
    }
}

/* The best lighter part for v, or its own where none has a gain of `least` or more.  *gain:
 * the reduction of the cut. */
static idx_t best_part(balance *b, int32_t v, int64_t least, int64_t *gain)
{
    const int32_t *adj = b->view.adj;
    int64_t first = b->view.xadj[v], end = b->view.xadj[v + 1];
    idx_t own = b->part[v], best = own;
    int64_t room = b->weight[own] - vertex_weight(b, v);
    for (int64_t i = first; i < end; i++)
        b->linked[b->part[adj[i]]] += edge_weight(b, i);
    int64_t inside = b->linked[own];
    *gain = least;
    for (int64_t i = first; i < end; i++) {
        idx_t p = b->part[adj[i]];
        int64_t gained = b->linked[p] - inside;
        if (p == own || gained < *gain || b->weight[p] >= room)
            continue;
        if (best == own || gained > *gain || b->weight[p] < b->weight[best]) {
            best = p;
            *gain = gained;
        }
    }
    for (int64_t i = first; i < end; i++)
        b->linked[b->part[adj[i]]] = 0;
    return vertex_weight(b, v) > 0 ? best : own;
}

static void move(balance *b, int32_t v, idx_t to, int64_t gain)
{
    b->weight[b->part[v]] -= vertex_weight(b, v);
    b->weight[to] += vertex_weight(b, v);
    b->part[v] = to;
    b->cut -= gain;
    list_neighbours(b, v);
}

/* Makes moves without loss out of parts above the mean, for a few sweeps or until there are
 * none. */
static void move_freely(balance *b)
{
    bool moved = true;
    for (int i = 0; i < most_sweeps && moved; i++) {
        moved = false;
        for (int32_t j = 0; j < b->count; j++) {
            int64_t gain;
            int32_t v = b->border[j];
            if (b->weight[b->part[v]] <= b->mean)
                continue;
            idx_t to = best_part(b, v, 0, &gain);
            if (to == b->part[v])
                continue;
            move(b, v, to, gain);
            moved = true;
        }
    }
}

static idx_t heaviest(const balance *b)
{
    idx_t found = 0;
    for (idx_t p = 1; p < b->nparts; p++)
        found = b->weight[p] > b->weight[found] ? p : found;
    return found;
}

static void link_vertex(balance *b, int32_t v)
{
    b->next[v] = b->head[b->part[v]];
    b->head[b->part[v]] = v;
}

static void link_borders(balance *b)
{
    for (idx_t p = 0; p < b->nparts; p++)
        b->head[p] = -1;
    for (int32_t j = b->count - 1; j >= 0; j--)
        link_vertex(b, b->border[j]);
}

/* Makes the cheapest move out of the heaviest part.  Returns false when none keeps the cut at
 * most_cut or below. */
static bool relieve(balance *b, int64_t most_cut)
{
    idx_t from = heaviest(b), to = from;
    int64_t least = b->cut - most_cut, gain;
    int32_t chosen = -1, linked_first = b->count;
    for (int32_t *at = &b->head[from]; *at >= 0;) {
        int32_t v = *at;
        b->work -= b->view.xadj[v + 1] - b->view.xadj[v];
        if (b->part[v] != from) {
            *at = b->next[v];
            link_vertex(b, v);
            continue;
        }
        at = &b->next[v];
        idx_t best = best_part(b, v, least, &gain);
        if (best == from || (chosen >= 0 && gain == least))
            continue;
        chosen = v;
        to = best;
        least = gain;
    }
    b->work -= b->nparts;
    if (chosen < 0)
        return false;
    move(b, chosen, to, least);
    for (int32_t j = linked_first; j < b->count; j++)
        link_vertex(b, b->border[j]);
    return true;
}

static void even_out(balance *b)
{
    int64_t most_cut = b->cut + b->cut / cheap, moves = (int64_t)b->nparts * moves_per_part;
    b->work = most_sweeps * ((int64_t)b->view.nvtx + b->view.xadj[b->view.nvtx]);
    weigh_parts(b);
    move_freely(b);
    link_borders(b);
    while (moves-- > 0 && b->work > 0 && relieve(b, most_cut))
        ;
    move_freely(b);
}

int cm_balance(const cleave_graph *g, idx_t nparts, idx_t *part, int64_t *cut)
{
    balance b = {.part = part, .nparts = nparts, .cut = *cut};
    cleave_csr_init(&b.view, sizeof b.view);
    cleave_graph_view(g, &b.view);
    b.weight = cm_alloc(nparts, sizeof *b.weight);
    b.linked = cm_alloc(nparts, sizeof *b.linked);
    b.head = cm_alloc(nparts, sizeof *b.head);
    b.border = cm_alloc(b.view.nvtx, sizeof *b.border);
    b.next = cm_alloc(b.view.nvtx, sizeof *b.next);
    b.listed = cm_alloc(b.view.nvtx, sizeof *b.listed);
    bool room = b.weight && b.linked && b.head && b.border && b.next && b.listed;
    if (room) {
        even_out(&b);
        *cut = b.cut;
    }
    cm_free(b.weight);
    cm_free(b.linked);
    cm_free(b.head);
    cm_free(b.border);
    cm_free(b.next);
    cm_free(b.listed);
    return room ? METIS_OK : METIS_ERROR_MEMORY;
}
