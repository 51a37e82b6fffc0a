/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_starts.c - initial placements, made by swaps from another one so
 * that bounds and fixed items are kept.
 *
 * Growing is the construction of [Mueller-Merbach 1970] in its sparse form [Glantz,
 * Meyerhenke, Noe 2015]: the next item is the one with the heaviest edges to placed items, and
 * it takes the free place where these edges cost least. */
#include "base/queue.h"
#include "refine/placement/placement_search.h"

void clv_seating_shuffle(const clv_seats *x, clv_seating *s, clv_rng *rng)
{
    for (int32_t p = x->n - 1; p > 0; p--) {
        int32_t q = (int32_t)clv_rng_below(rng, (uint32_t)p + 1);
        int32_t i = s->item[p], j = s->item[q];
        if (i != j && x->movable[i] && x->movable[j] &&
            (x->all_fit || !clv_seats_refuse(x, s->at, i, j)))
            clv_seating_swap(s, i, j);
    }
    s->cost = clv_seats_cost(x, s->at);
}

typedef struct growing {
    const clv_seats *x;
    clv_seating *s;
    clv_heap heap;
    uint8_t *sits; /* by item: its place is final */
} growing;

/* The sum of the distances of a place to all others. */
static int64_t remoteness(const clv_seats *x, int32_t p)
{
    int64_t sum = 0;
    for (int32_t q = 0; q < x->n; q++)
        sum += clv_seats_distance(x, p, q);
    return sum;
}

static int64_t cost_at(const growing *g, int32_t i, int32_t place)
{
    const clv_seats *x = g->x;
    int64_t sum = 0;
    for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++)
        if (g->sits[x->adj[a]])
            sum += x->weight[a] * clv_seats_distance(x, place, g->s->at[x->adj[a]]);
    return sum;
}

static bool is_free(const growing *g, int32_t i, int32_t place)
{
    int32_t j = g->s->item[place];
    if (g->sits[j] || !g->x->movable[j])
        return false;
    return i == j || g->x->all_fit || !clv_seats_refuse(g->x, g->s->at, i, j);
}

/* The cheapest free place; among equals the most central one for the first item, else the
 * first one. */
static int32_t choose_place(const growing *g, int32_t i, bool first)
{
    int32_t best = g->s->at[i];
    int64_t least = INT64_MAX;
    for (int32_t q = 0; q < g->x->n; q++) {
        if (!is_free(g, i, q))
            continue;
        int64_t cost = first ? remoteness(g->x, q) : cost_at(g, i, q);
        if (cost < least) {
            least = cost;
            best = q;
        }
    }
    return best;
}

static void take_place(growing *g, int32_t i)
{
    const clv_seats *x = g->x;
    g->sits[i] = 1;
    for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++) {
        int32_t u = x->adj[a];
        if (!g->sits[u] && x->movable[u])
            clv_heap_set(&g->heap, u, g->heap.key[u] + x->weight[a]);
    }
}

static int32_t heaviest(const clv_seats *x)
{
    int32_t best = -1;
    int64_t most = -1;
    for (int32_t k = 0; k < x->nmovers; k++) {
        int64_t sum = 0;
        for (int64_t a = x->xadj[x->mover[k]]; a < x->xadj[x->mover[k] + 1]; a++)
            sum += x->weight[a];
        if (sum > most) {
            most = sum;
            best = x->mover[k];
        }
    }
    return best;
}

cleave_status clv_seating_grow(const clv_seats *x, clv_seating *s, clv_ws *ws,
                               cleave_error *err)
{
    growing g = {.x = x, .s = s};
    clv_ws_mark mark = clv_ws_save(ws);
    g.sits = clv_ws_zalloc(ws, x->n, sizeof *g.sits);
    if (!g.sits)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&g.heap, x->n, ws, err));
    for (int32_t i = 0; i < x->n; i++)
        g.heap.key[i] = 0;
    bool first = true;
    for (int32_t k = 0; k < x->nmovers; k++)
        clv_heap_set(&g.heap, x->mover[k], 0);
    if (x->nmovers > 0)
        clv_heap_set(&g.heap, heaviest(x), 1);
    for (int32_t i = 0; i < x->n; i++)
        if (!x->movable[i]) {
            take_place(&g, i);
            first = first && x->xadj[i] == x->xadj[i + 1];
        }
    while (g.heap.count > 0) {
        int32_t i = clv_heap_pop(&g.heap), q = choose_place(&g, i, first);
        if (s->item[q] != i)
            clv_seating_swap(s, i, s->item[q]);
        take_place(&g, i);
        first = false;
    }
    s->cost = clv_seats_cost(x, s->at);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
