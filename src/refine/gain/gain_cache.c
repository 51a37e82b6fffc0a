/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_cache.c - see refine/gain/gain_cache.h.
 *
 * Lists outside the entries come from growing chunks.  A list that outgrows its capacity moves
 * and leaves the old memory unused, so that at most half of the used memory is lost. */
#include "refine/gain/gain_cache.h"

#include <assert.h>
#include <string.h>

#include "refine/gain/gain_overlay.h"

enum { first_chunk = 2048, few_arcs = 4, cleared_at_once = 1 << 16 };

int64_t clv_gain_cache_links(int64_t arcs)
{
    return arcs / 4 + first_chunk;
}

cleave_status clv_gain_cache_view(clv_gain_cache *view, const clv_gain_cache *t, clv_ws *ws,
                                  cleave_error *err)
{
    int32_t nparts = t->s->bounds.nparts;
    *view = (clv_gain_cache){.s = t->s, .ws = ws, .index = t->index, .entry = t->entry};
    view->slot = clv_ws_alloc(ws, nparts, sizeof *t->slot);
    view->gathered = clv_ws_alloc(ws, nparts, sizeof *t->gathered);
    view->wide = clv_ws_zalloc(ws, nparts, sizeof *t->wide);
    if (!view->slot || !view->gathered || !view->wide)
        return clv_fail_memory(err);
    memset(view->slot, -1, (size_t)nparts * sizeof *t->slot);
    return CLEAVE_OK;
}

static void clear_range(void *index, int64_t begin, int64_t end, int member)
{
    (void)member;
    memset((int32_t *)index + begin, -1, (size_t)(end - begin) * sizeof(int32_t));
}

cleave_status clv_gain_cache_init(clv_gain_cache *t, const clv_partition_state *s,
                                  clv_team *team, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = s->g;
    clv_gain_cache all = {.s = s};
    all.index = clv_ws_alloc(ws, g->nvtx, sizeof *t->index);
    all.entry = clv_ws_alloc(ws, g->nvtx, sizeof *t->entry);
    if (!all.index || !all.entry)
        return clv_fail_memory(err);
    clv_parallel_for(team, g->nvtx, cleared_at_once, clear_range, all.index);
    CLV_TRY(clv_gain_cache_view(t, &all, ws, err));
    t->spare = clv_gain_cache_links(g->narc);
    return CLEAVE_OK;
}

static int32_t max_links(const clv_gain_cache *t, int32_t v)
{
    const clv_graph *g = t->s->g;
    int64_t degree = g->xadj[v + 1] - g->xadj[v];
    return degree < t->s->bounds.nparts ? (int32_t)degree : t->s->bounds.nparts;
}

/* Allocates a list for v, or returns NULL: then the vertex is loose.  Hubs always get a list
 * (it is short compared with their rows, and gathering them would cost most). */
static clv_link *take(clv_gain_cache *t, int32_t v, int32_t room)
{
    int64_t degree = t->s->g->xadj[v + 1] - t->s->g->xadj[v];
    if (room > t->spare && (int64_t)room * few_arcs > degree)
        return NULL;
    if (room > t->left) {
        int64_t chunk = first_chunk > room ? first_chunk : room;
        if (chunk < t->count / 4)
            chunk = t->count / 4;
        t->left = 0;
        t->free = clv_ws_alloc(t->ws, chunk, sizeof *t->free);
        if (!t->free)
            return NULL;
        t->left = chunk;
    }
    clv_link *list = t->free;
    t->free += room;
    t->left -= room;
    t->spare -= room;
    return list;
}

static void set_top(clv_gain_entry *e)
{
    const clv_link *link = e->u.far.link;
    int32_t top = 0;
    for (int32_t i = 0; i < e->count; i++)
        if (top < link[i].weight)
            top = link[i].weight;
    e->u.far.top = top;
}

static void make_loose(clv_gain_entry *e)
{
    e->loose = true;
    e->many = false;
    e->count = 0;
}

void clv_gain_cache_store(clv_gain_cache *t, clv_gain_entry *e, const clv_link *link,
                          int32_t count)
{
    int32_t room = count + count / 2;
    e->count = count;
    e->many = e->loose = false;
    if (count <= CLV_INLINE_LINKS) {
        memcpy(e->u.inlined, link, (size_t)count * sizeof *link);
        return;
    }
    int32_t most = max_links(t, e->vertex);
    if (room > most)
        room = most;
    clv_link *list = take(t, e->vertex, room);
    if (!list) {
        make_loose(e);
        return;
    }
    memcpy(list, link, (size_t)count * sizeof *link);
    e->many = true;
    e->u.far.link = list;
    e->u.far.room = room;
    set_top(e);
}

/* Sums the row of v by part into t->gathered; the weight of its own part separately.  False:
 * the weights exceed 32 bits. */
static bool sum_row(clv_gain_cache *t, clv_gain_entry *e, int32_t *links)
{
    const clv_graph *g = t->s->g;
    const int32_t *part = t->s->part;
    clv_link *list = t->gathered;
    int64_t total = 0, own = 0;
    int32_t count = 0;
    for (int64_t a = g->xadj[e->vertex]; a < g->xadj[e->vertex + 1]; a++) {
        int32_t p = part[g->adj[a]];
        int64_t w = clv_graph_ewgt(g, a);
        total += w;
        if (total > INT32_MAX)
            break;
        t->hidden |= w == 0;
        if (p == e->part) {
            own += w;
        } else if (t->slot[p] >= 0) {
            list[t->slot[p]].weight += (int32_t)w;
        } else if (w > 0) {
            t->slot[p] = count;
            list[count++] = (clv_link){p, (int32_t)w};
        }
    }
    for (int32_t i = 0; i < count; i++)
        t->slot[list[i].part] = -1;
    *links = count;
    e->own = (int32_t)own;
    return total <= INT32_MAX;
}

void clv_gain_cache_fill(clv_gain_cache *t, clv_gain_entry *e, int32_t v)
{
    int32_t count;
    e->vertex = v;
    e->part = t->s->part[v];
    e->place = -1;
    e->fixed = clv_state_is_fixed(t->s, v);
    e->locked = e->fixed;
    if (sum_row(t, e, &count))
        clv_gain_cache_store(t, e, t->gathered, count);
    else
        make_loose(e);
}

int32_t clv_gain_cache_add(clv_gain_cache *t, int32_t v)
{
    assert(t->index[v] < 0);
    t->index[v] = t->count;
    clv_gain_cache_fill(t, &t->entry[t->count], v);
    return t->count++;
}

int32_t clv_gain_cache_gather(clv_gain_cache *t, const clv_gain_entry *e, int64_t *own)
{
    const clv_graph *g = t->s->g;
    int32_t count = 0;
    *own = 0;
    for (int64_t a = g->xadj[e->vertex]; a < g->xadj[e->vertex + 1]; a++) {
        int32_t p = t->overlay ? clv_gain_overlay_part(t, g->adj[a]) : t->s->part[g->adj[a]];
        int64_t w = clv_graph_ewgt(g, a);
        if (w == 0)
            continue;
        if (p == e->part) {
            *own += w;
        } else {
            if (t->wide[p] == 0)
                t->gathered[count++].part = p;
            t->wide[p] += w;
        }
    }
    return count;
}

void clv_gain_cache_grow(clv_gain_cache *t, clv_gain_entry *e, int32_t part, int32_t w)
{
    int32_t count = e->count;
    clv_link copy[CLV_INLINE_LINKS];
    const clv_link *old = e->u.far.link;
    if (!e->many) {
        memcpy(copy, e->u.inlined, sizeof copy);
        old = copy;
    }
    int32_t most = max_links(t, e->vertex), room = 2 * count < most ? 2 * count : most;
    clv_link *list = take(t, e->vertex, room);
    if (!list) {
        make_loose(e);
        return;
    }
    memcpy(list, old, (size_t)count * sizeof *list);
    list[count] = (clv_link){part, w};
    e->count = count + 1;
    e->many = true;
    e->u.far.link = list;
    e->u.far.room = room;
    set_top(e);
}

static void add_far(clv_gain_cache *t, clv_gain_entry *e, int32_t part, int32_t w)
{
    clv_link *link = e->u.far.link;
    int32_t i = 0;
    while (i < e->count && link[i].part != part)
        i++;
    if (i == e->count) {
        if (i == e->u.far.room) {
            clv_gain_cache_grow(t, e, part, w);
            return;
        }
        link[e->count++] = (clv_link){part, 0};
    }
    link[i].weight += w;
    if (e->u.far.top < link[i].weight)
        e->u.far.top = link[i].weight;
}

void clv_gain_cache_shift_far(clv_gain_cache *t, clv_gain_entry *e, int32_t from, int32_t to,
                              int32_t w)
{
    if (e->loose)
        return;
    if (e->part == from) {
        e->own -= w;
    } else {
        clv_link *link = e->u.far.link;
        int32_t i = 0;
        while (link[i].part != from)
            i++;
        bool was_top = link[i].weight == e->u.far.top;
        link[i].weight -= w;
        if (link[i].weight == 0)
            link[i] = link[--e->count];
        if (was_top)
            set_top(e);
    }
    if (e->part == to)
        e->own += w;
    else
        add_far(t, e, to, w);
}

void clv_gain_cache_move(clv_gain_cache *t, clv_gain_entry *e, int32_t to)
{
    int32_t from = e->part, before = e->own, i = 0;
    e->part = to;
    if (e->loose)
        return;
    clv_link *link = e->many ? e->u.far.link : e->u.inlined;
    while (i < e->count && link[i].part != to)
        i++;
    bool found = i < e->count;
    e->own = found ? link[i].weight : 0;
    if (found && before > 0)
        link[i] = (clv_link){from, before};
    else if (found)
        link[i] = link[--e->count];
    else if (before > 0 && e->count < (e->many ? e->u.far.room : CLV_INLINE_LINKS))
        link[e->count++] = (clv_link){from, before};
    else if (before > 0)
        clv_gain_cache_grow(t, e, from, before);
    if (e->many)
        set_top(e);
}
