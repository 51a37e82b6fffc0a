/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_overlay.h - a private gain cache on top of a shared one.
 *
 * A search that must not change the shared state moves vertices in an overlay: entries that it
 * touches are copied from the shared cache, or computed from the shared parts, and then
 * follow its moves.  Entries are found in a hash table, so that the memory depends on the
 * entries of one search and not on the graph.  Neither the shared cache nor s->part may change
 * while searches use overlays of them.
 *
 * Every neighbour of a vertex that has moved in the overlay has an entry: the user moves a
 * vertex only with clv_gain_overlay_add for all neighbours.  So the shared state is right for
 * an entry until it is added. */
#ifndef CLV_REFINE_GAIN_GAIN_OVERLAY_H
#define CLV_REFINE_GAIN_GAIN_OVERLAY_H

#include "refine/gain/gain_cache.h"

typedef struct clv_overlay_slot {
    int32_t vertex, place; /* place: base + index of the entry; below base: free */
} clv_overlay_slot;

typedef struct clv_gain_overlay {
    const clv_gain_cache *shared;
    clv_overlay_slot *slot;
    int32_t base;
    int shift;    /* 2^(32 - shift) slots */
    int32_t most; /* entries */
    clv_ws *ws;   /* of the thread, for lists */
    clv_ws_mark mark;
} clv_gain_overlay;

/* An empty overlay with room for `most` entries, allocated from ws; *t is the cache to be used
 * with it. */
cleave_status clv_gain_overlay_init(clv_gain_overlay *o, clv_gain_cache *t,
                                    const clv_gain_cache *shared, int32_t most, clv_ws *ws,
                                    cleave_error *err);

/* Starts to record entries; lists come from `lists`. */
void clv_gain_overlay_start(clv_gain_cache *t, clv_ws *lists);
/* Forgets all entries.  O(1). */
void clv_gain_overlay_clear(clv_gain_cache *t);

/* The entry of v; -1: none. */
static CLV_ALWAYS_INLINE int32_t clv_gain_overlay_find(const clv_gain_cache *t, int32_t v)
{
    const clv_gain_overlay *o = t->overlay;
    uint32_t last = UINT32_MAX >> o->shift, h = ((uint32_t)v * 0x9e3779b1u) >> o->shift;
    while (o->slot[h].place >= o->base) {
        if (o->slot[h].vertex == v)
            return o->slot[h].place - o->base;
        h = (h + 1) & last;
    }
    return -1;
}

/* The part of v after the moves in the overlay. */
static inline int32_t clv_gain_overlay_part(const clv_gain_cache *t, int32_t v)
{
    int32_t i = clv_gain_overlay_find(t, v);
    return i >= 0 ? t->entry[i].part : t->s->part[v];
}

/* Adds an entry for a vertex that has none, as in the shared state.  There must be room. */
int32_t clv_gain_overlay_add(clv_gain_cache *t, int32_t v);

#endif
