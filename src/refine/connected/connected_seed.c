/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_seed.c - gives parts vertices in components where they have none.
 *
 * Balancing along boundaries cannot use the capacity of a part that has no boundary with an
 * overloaded part (graphs of many components), and cannot fill an empty part.  First, whole
 * components in overloaded parts change their part: first fit decreasing.  Then single
 * vertices that leave their part connected: one for each empty part, and one for each part
 * that is still overloaded, which the moves of connected_balance.c grow further. */
#include "base/rng.h"
#include "base/sort.h"
#include "refine/connected/connected_moves.h"
#include "refine/state/neighbour_parts.h"

enum { tries = 64 }; /* vertices per part, and parts per vertex */

/* A set of (component, part) pairs with vertices. */
typedef struct presence {
    int64_t *key; /* -1: free */
    uint64_t mask;
} presence;

typedef struct seeding {
    clv_connected_parts *c;
    presence there;
    clv_heap slack; /* parts by remaining capacity (first weight) */
    bool moved;
} seeding;

static uint64_t locate(const presence *t, int64_t key)
{
    uint64_t i = clv_hash64((uint64_t)key) & t->mask;
    while (t->key[i] != key && t->key[i] >= 0)
        i = (i + 1) & t->mask;
    return i;
}

static bool is_there(const seeding *d, int32_t comp, int32_t p)
{
    int64_t key = (int64_t)comp * d->c->s->bounds.nparts + p;
    return d->there.key[locate(&d->there, key)] == key;
}

static void note_there(seeding *d, int32_t comp, int32_t p)
{
    int64_t key = (int64_t)comp * d->c->s->bounds.nparts + p;
    d->there.key[locate(&d->there, key)] = key;
}

/* Capacity for one entry per vertex, and one per part or component for additions. */
static cleave_status fill_presence(seeding *d, cleave_error *err)
{
    const clv_connected_parts *c = d->c;
    int64_t entries = 0, size = 64;
    int32_t n = c->s->g->nvtx;
    for (int32_t v = 0; v < n; v++)
        entries +=
            v == 0 || c->comp[v] != c->comp[v - 1] || c->s->part[v] != c->s->part[v - 1];
    entries += (int64_t)c->ncomp + 2 * (int64_t)c->s->bounds.nparts;
    while (size < 2 * entries)
        size *= 2;
    d->there.mask = (uint64_t)size - 1;
    d->there.key = clv_ws_alloc(c->ctx->ws, size, sizeof *d->there.key);
    if (!d->there.key)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < size; i++)
        d->there.key[i] = -1;
    for (int32_t v = 0; v < n; v++)
        if (v == 0 || c->comp[v] != c->comp[v - 1] || c->s->part[v] != c->s->part[v - 1])
            note_there(d, c->comp[v], c->s->part[v]);
    return CLEAVE_OK;
}

static void update_slack(seeding *d, int32_t p)
{
    const clv_partition_state *s = d->c->s;
    int64_t i = (int64_t)p * s->g->ncon;
    clv_heap_set(&d->slack, p, s->bounds.max[i] - s->weight[i]);
}

static void move_set(seeding *d, int32_t to)
{
    clv_connected_parts *c = d->c;
    int32_t v = c->set[0], from = c->s->part[v];
    for (int32_t i = 0; i < c->nset; i++)
        c->done[c->set[i]] = 1;
    clv_connected_move(c, to, false);
    note_there(d, c->comp[v], to);
    update_slack(d, from);
    update_slack(d, to);
    d->moved = true;
}

/* ---- Whole components --------------------------------------------------------------- */

typedef struct whole {
    int32_t part; /* the one part it is in, or -1 */
    int32_t first;
    int64_t weight; /* first constraint */
} whole;

static void find_whole(const clv_connected_parts *c, whole *list)
{
    const clv_partition_state *s = c->s;
    for (int32_t i = 0; i < c->ncomp; i++)
        list[i] = (whole){.part = -2};
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        whole *w = &list[c->comp[v]];
        if (w->part == -2)
            *w = (whole){.part = s->part[v], .first = v};
        else if (w->part != s->part[v])
            w->part = -1;
        if (c->home[v] >= 0)
            w->part = -1;
        w->weight += clv_graph_vwgt(s->g, v, 0);
    }
}

/* The set becomes all of v's component, if it is small. */
static bool take_component(clv_connected_parts *c, int32_t v)
{
    const clv_graph *g = c->s->g;
    clv_connected_alone(c, v);
    c->inner = 0;
    c->stamp[v] = ++c->now;
    for (int32_t head = 0; head < c->nset; head++)
        for (int64_t a = g->xadj[c->set[head]]; a < g->xadj[c->set[head] + 1]; a++) {
            int32_t u = g->adj[a];
            if (c->stamp[u] == c->now)
                continue;
            if (c->nset == clv_connected_most)
                return false;
            c->stamp[u] = c->now;
            c->set[c->nset++] = u;
            for (int32_t i = 0; i < g->ncon; i++)
                c->set_weight[i] += clv_graph_vwgt(g, u, i);
        }
    return true;
}

static cleave_status move_components(seeding *d, cleave_error *err)
{
    clv_connected_parts *c = d->c;
    clv_ws *ws = c->ctx->ws;
    whole *list = clv_ws_alloc(ws, c->ncomp, sizeof *list);
    clv_sort_item *items = clv_ws_alloc(ws, c->ncomp, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, c->ncomp, sizeof *scratch);
    if (!list || !items || !scratch)
        return clv_fail_memory(err);
    find_whole(c, list);
    int32_t count = 0;
    for (int32_t i = 0; i < c->ncomp; i++)
        if (list[i].part >= 0 && clv_state_is_over(c->s, list[i].part))
            items[count++] = (clv_sort_item){-list[i].weight, {i}};
    const clv_sort_item *sorted = clv_sort(items, scratch, count);
    for (int32_t i = 0; i < count; i++) {
        const whole *w = &list[sorted[i].with.index];
        int32_t to = clv_heap_top(&d->slack);
        if (!clv_state_is_over(c->s, w->part) || to == w->part || !take_component(c, w->first))
            continue;
        if (clv_connected_may_leave(c) && clv_connected_fits(c, to))
            move_set(d, to);
    }
    return CLEAVE_OK;
}

/* ---- Single vertices ---------------------------------------------------------------- */

/* The part with most capacity that has nothing in the component of the set; -1: none near the
 * top.  Rejected parts go back into the queue. */
static int32_t pick_target(seeding *d)
{
    const clv_connected_parts *c = d->c;
    int32_t popped[tries], count = 0, found = -1;
    int32_t comp = c->comp[c->set[0]], own = c->s->part[c->set[0]];
    while (found < 0 && count < tries && d->slack.count > 0) {
        int32_t p = clv_heap_pop(&d->slack);
        popped[count++] = p;
        if (p != own && !is_there(d, comp, p) && clv_connected_fits(c, p))
            found = p;
    }
    while (count > 0)
        update_slack(d, popped[--count]);
    return found;
}

/* Free vertices of the parts that must give some, those with the smallest loss first. */
static void queue_candidates(seeding *d, bool all)
{
    clv_connected_parts *c = d->c;
    const clv_partition_state *s = c->s;
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        if (c->home[v] >= 0 || c->done[v] || s->count[s->part[v]] <= 1)
            continue;
        if (!all && !clv_state_is_over(s, s->part[v]))
            continue;
        clv_connected_alone(c, v);
        clv_heap_set(&c->heap, v, -c->inner);
    }
}

/* One vertex for each empty part that must be filled. */
static void fill_empty(seeding *d)
{
    clv_connected_parts *c = d->c;
    const clv_partition_state *s = c->s;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        if (s->count[p] > 0 || !clv_bounds_wants_vertex(&s->bounds, p))
            continue;
        for (int32_t i = 0; i < tries && s->count[p] == 0 && c->heap.count > 0; i++) {
            int32_t v = clv_heap_pop(&c->heap);
            if (clv_connected_detach(c, v, tries) && clv_connected_may_leave(c) &&
                clv_connected_fits(c, p))
                move_set(d, p);
        }
    }
}

/* One vertex from each overloaded part, into a component new to the receiving part. */
static cleave_status seed_overloaded(seeding *d, cleave_error *err)
{
    clv_connected_parts *c = d->c;
    int32_t *left = clv_ws_alloc(c->ctx->ws, c->s->bounds.nparts, sizeof *left);
    if (!left)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < c->s->bounds.nparts; p++)
        left[p] = tries;
    while (c->heap.count > 0) {
        int32_t v = clv_heap_pop(&c->heap), own = c->s->part[v];
        if (left[own] <= 0 || !clv_state_is_over(c->s, own) || c->done[v])
            continue;
        left[own]--;
        if (!clv_connected_detach(c, v, tries) || !clv_connected_may_leave(c))
            continue;
        int32_t to = pick_target(d);
        if (to < 0)
            continue;
        move_set(d, to);
        left[own] = 0;
    }
    return CLEAVE_OK;
}

static cleave_status seed(seeding *d, cleave_error *err)
{
    clv_connected_parts *c = d->c;
    const clv_partition_state *s = c->s;
    CLV_TRY(fill_presence(d, err));
    CLV_TRY(clv_heap_init(&d->slack, s->bounds.nparts, c->ctx->ws, err));
    bool empty = false;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        empty |= s->count[p] == 0 && clv_bounds_wants_vertex(&s->bounds, p);
        update_slack(d, p);
    }
    for (int32_t v = 0; v < s->g->nvtx; v++)
        c->done[v] = 0;
    CLV_TRY(move_components(d, err));
    queue_candidates(d, empty);
    if (empty)
        fill_empty(d);
    cleave_status status = seed_overloaded(d, err);
    clv_heap_clear(&c->heap);
    return status;
}

cleave_status clv_connected_seed(clv_connected_parts *c, bool *moved, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    seeding d = {.c = c};
    cleave_status status = seed(&d, err);
    clv_ws_restore(c->ctx->ws, mark);
    *moved = d.moved;
    return status;
}
