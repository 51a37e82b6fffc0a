/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_congestion.c - local search that reduces the load of the most
 * loaded link.
 *
 * Each edge of the graph loads the links on its route.  The items whose edges use a link of
 * the largest load are swapped: with all items on small machines, else with items near their
 * neighbours.  A swap removes the routes of the edges of the two from the links and adds them
 * anew; it is kept when (largest load, links that have it, total load, cost) got smaller, and
 * undone otherwise.  Then the next most loaded link is processed. */
#include <string.h>

#include "refine/placement/placement_search.h"

enum { stage_congestion = 0x706c67, all_partners = 256, between_clocks = 64 };

typedef struct state {
    int64_t max, links, total, cost; /* links: how many have the largest load */
    int64_t link;                    /* the first of them */
} state;

typedef struct relief {
    const clv_placement *p;
    const clv_seats *x;
    clv_seating s;
    clv_context *ctx;
    int64_t nlinks;
    int64_t *load;  /* by link */
    int64_t *probe; /* by link: all 0 */
    int32_t *user;  /* items that use the most loaded link */
    int32_t *seen;  /* by item: the last turn in which it was listed */
    int32_t turn;
    int64_t left, tried; /* swaps */
    state now;
} relief;

static bool has_routes(const clv_placement *p)
{
    return p->machine->t && p->machine->t->shape->route && p->machine->t->links > 0;
}

/* The route of an edge leads from the lower PE to the higher, as in evaluate/link_load.c: the
 * way back can differ. */
static void route(const clv_placement *p, const int32_t *at, int32_t i, int32_t j,
                  int64_t amount, int64_t *load)
{
    const clv_target *t = p->machine->t;
    int32_t x = p->machine->pe[at[i]], y = p->machine->pe[at[j]];
    clv_target_route(t, x < y ? x : y, x < y ? y : x, amount, load);
}

/* load must be zero. */
static void load_links(const clv_placement *p, int64_t *load)
{
    for (int32_t i = 0; i < p->nitems; i++)
        for (int64_t a = p->xadj[i]; a < p->xadj[i + 1]; a++)
            if (i < p->adj[a])
                route(p, p->at, i, p->adj[a], p->weight ? p->weight[a] : 1, load);
}

static state look(const int64_t *load, int64_t nlinks, int64_t cost)
{
    state now = {.max = 0, .cost = cost};
    for (int64_t k = 0; k < nlinks; k++) {
        now.total += load[k];
        now.max = load[k] > now.max ? load[k] : now.max;
    }
    for (int64_t k = nlinks; k-- > 0;)
        if (load[k] == now.max) {
            now.links++;
            now.link = k;
        }
    return now;
}

static bool is_better(const state *a, const state *b)
{
    if (a->max != b->max)
        return a->max < b->max;
    if (a->links != b->links)
        return a->links < b->links;
    return a->total != b->total ? a->total < b->total : a->cost < b->cost;
}

cleave_status clv_placement_measure_loads(const clv_placement *p, clv_ws *ws,
                                          clv_placement_loads *loads, cleave_error *err)
{
    *loads = (clv_placement_loads){.cost = clv_placement_cost(p)};
    if (!has_routes(p))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t nlinks = p->machine->t->links;
    int64_t *load = clv_ws_zalloc(ws, nlinks, sizeof *load);
    if (!load)
        return clv_fail_memory(err);
    load_links(p, load);
    state now = look(load, nlinks, loads->cost);
    loads->max = now.max;
    loads->total = now.total;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Swaps ------------------------------------------------------------------------------ */

/* Adds the routes of i, times sign, except that to `other`. */
static void route_item(relief *r, int32_t i, int32_t other, int64_t sign)
{
    const clv_seats *x = r->x;
    for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++)
        if (x->adj[a] != other)
            route(r->p, r->s.at, i, x->adj[a], sign * x->weight[a], r->load);
}

static void swap_routes(relief *r, int32_t i, int32_t j)
{
    route_item(r, i, -1, -1);
    route_item(r, j, i, -1);
    r->s.cost -= clv_seats_gain(r->x, r->s.at, i, j);
    clv_seating_swap(&r->s, i, j);
    route_item(r, i, -1, 1);
    route_item(r, j, i, 1);
}

static bool try_swap(relief *r, int32_t i, int32_t place)
{
    int32_t j = r->s.item[place];
    if (!clv_seats_may_swap(r->x, r->s.at, i, j) || r->left <= 0)
        return false;
    r->left--;
    if (++r->tried % between_clocks == 0 && clv_context_stop(r->ctx))
        r->left = 0;
    swap_routes(r, i, j);
    state then = look(r->load, r->nlinks, r->s.cost);
    if (is_better(&then, &r->now)) {
        r->now = then;
        return true;
    }
    swap_routes(r, i, j);
    return false;
}

static bool move_item(relief *r, int32_t i)
{
    const clv_seats *x = r->x;
    if (x->n <= all_partners) {
        for (int32_t q = 0; q < x->n; q++)
            if (try_swap(r, i, q))
                return true;
        return false;
    }
    for (int64_t a = x->xadj[i]; a < x->xadj[i + 1] && r->left > 0; a++)
        for (int32_t k = 0; k < x->nnear; k++)
            if (try_swap(r, i, x->near[(int64_t)r->s.at[x->adj[a]] * x->nnear + k]))
                return true;
    return false;
}

/* ---- The most loaded link --------------------------------------------------------------- */

static bool uses(relief *r, int32_t i, int32_t j, int64_t link)
{
    route(r->p, r->s.at, i, j, 1, r->probe);
    bool used = r->probe[link] != 0;
    route(r->p, r->s.at, i, j, -1, r->probe);
    return used;
}

static int32_t list_users(relief *r)
{
    const clv_seats *x = r->x;
    int32_t count = 0;
    r->turn++;
    for (int32_t i = 0; i < x->n; i++)
        for (int64_t a = x->xadj[i]; a < x->xadj[i + 1] && r->seen[i] != r->turn; a++)
            if (x->movable[i] && uses(r, i, x->adj[a], r->now.link)) {
                r->seen[i] = r->turn;
                r->user[count++] = i;
            }
    return count;
}

/* Returns whether anything improved.  Items are tried from a varying start, so that no item is
 * always the first. */
static bool relieve_link(relief *r, clv_rng *rng)
{
    int32_t count = list_users(r);
    int32_t first = count ? (int32_t)clv_rng_below(rng, (uint32_t)count) : 0;
    for (int32_t k = 0; k < count && r->left > 0; k++)
        if (move_item(r, r->user[(first + k) % count]))
            return true;
    return false;
}

static cleave_status relieve(clv_placement *p, int32_t steps, int64_t *largest,
                             clv_context *ctx, cleave_error *err)
{
    clv_seats x;
    clv_ws *ws = ctx->ws;
    bool fits;
    relief r = {.p = p, .x = &x, .ctx = ctx, .nlinks = p->machine->t->links};
    CLV_TRY(clv_seats_make(&x, p, ctx, &fits, err));
    CLV_TRY(clv_seating_make(&r.s, &x, ws, err));
    r.load = clv_ws_zalloc(ws, r.nlinks, sizeof *r.load);
    r.probe = clv_ws_zalloc(ws, r.nlinks, sizeof *r.probe);
    r.user = clv_ws_alloc(ws, x.n, sizeof *r.user);
    r.seen = clv_ws_zalloc(ws, x.n, sizeof *r.seen);
    if (!r.load || !r.probe || !r.user || !r.seen)
        return clv_fail_memory(err);
    if (!fits || x.nmovers == 0)
        return CLEAVE_OK;
    load_links(p, r.load);
    r.now = look(r.load, r.nlinks, r.s.cost);
    r.left = (int64_t)steps * x.nmovers;
    clv_rng rng = clv_rng_make(ctx->seed, stage_congestion, 0, 0);
    while (r.left > 0 && relieve_link(&r, &rng))
        ;
    memcpy(p->at, r.s.at, (size_t)p->nitems * sizeof *p->at);
    if (largest)
        *largest = r.now.max;
    return CLEAVE_OK;
}

cleave_status clv_placement_relieve(clv_placement *p, int32_t steps, int64_t *largest,
                                    clv_context *ctx, cleave_error *err)
{
    if (!has_routes(p))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = relieve(p, steps, largest, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
