/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_overlay.c - see refine/gain/gain_overlay.h.
 *
 * The table has at least twice as many slots as entries.  It is not cleared: places are
 * counted on from search to search, so that older entries have smaller ones. */
#include "refine/gain/gain_overlay.h"

#include <assert.h>
#include <string.h>

/* Links of all lists of a search, in multiples of its entries.  Not tuned. */
enum { links_per_entry = 16 };

static int64_t slots_of(const clv_gain_overlay *o)
{
    return INT64_C(1) << (32 - o->shift);
}

cleave_status clv_gain_overlay_init(clv_gain_overlay *o, clv_gain_cache *t,
                                    const clv_gain_cache *shared, int32_t most, clv_ws *ws,
                                    cleave_error *err)
{
    int32_t nparts = shared->s->bounds.nparts;
    *o = (clv_gain_overlay){.shared = shared, .most = most, .shift = 28};
    while (slots_of(o) < 2 * (int64_t)most)
        o->shift--;
    *t = (clv_gain_cache){.s = shared->s, .overlay = o};
    o->slot = clv_ws_alloc(ws, slots_of(o), sizeof *o->slot);
    t->entry = clv_ws_alloc(ws, most, sizeof *t->entry);
    t->slot = clv_ws_alloc(ws, nparts, sizeof *t->slot);
    t->gathered = clv_ws_alloc(ws, nparts, sizeof *t->gathered);
    t->wide = clv_ws_zalloc(ws, nparts, sizeof *t->wide);
    if (!o->slot || !t->entry || !t->slot || !t->gathered || !t->wide)
        return clv_fail_memory(err);
    memset(o->slot, -1, (size_t)slots_of(o) * sizeof *o->slot);
    memset(t->slot, -1, (size_t)nparts * sizeof *t->slot);
    return CLEAVE_OK;
}

void clv_gain_overlay_start(clv_gain_cache *t, clv_ws *lists)
{
    t->ws = lists;
    t->overlay->mark = clv_ws_save(lists);
    t->left = 0;
    t->spare = (int64_t)links_per_entry * t->overlay->most;
}

void clv_gain_overlay_clear(clv_gain_cache *t)
{
    clv_gain_overlay *o = t->overlay;
    clv_ws_restore(t->ws, o->mark);
    if (o->base > INT32_MAX - 2 * o->most) {
        memset(o->slot, -1, (size_t)slots_of(o) * sizeof *o->slot);
        o->base = 0;
    } else {
        o->base += t->count;
    }
    t->count = 0;
}

static void insert_slot(clv_gain_overlay *o, int32_t v, int32_t index)
{
    uint32_t last = UINT32_MAX >> o->shift, h = ((uint32_t)v * 0x9e3779b1u) >> o->shift;
    while (o->slot[h].place >= o->base)
        h = (h + 1) & last;
    o->slot[h] = (clv_overlay_slot){v, o->base + index};
}

int32_t clv_gain_overlay_add(clv_gain_cache *t, int32_t v)
{
    clv_gain_overlay *o = t->overlay;
    const clv_gain_cache *shared = o->shared;
    int32_t i = shared->index[v];
    clv_gain_entry *e = &t->entry[t->count];
    assert(t->count < o->most && clv_gain_overlay_find(t, v) < 0);
    insert_slot(o, v, t->count);
    if (i < 0) {
        clv_gain_cache_fill(t, e, v);
        return t->count++;
    }
    *e = shared->entry[i];
    e->place = -1;
    if (e->many)
        clv_gain_cache_store(t, e, shared->entry[i].u.far.link, e->count);
    return t->count++;
}
