/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain_cache.h - the gain cache of local search: the weight of the edges of
 * vertices into each part.
 *
 * A vertex gets an entry of one cache line when it is first touched: the weight of its edges
 * into its own part and one link (part, weight) for each other part it has neighbours in.
 * Entries stay exact while neighbours move, so that a gain is a look at a few links.  Up to
 * CLV_FEW links lie in the entry; longer lists lie in scratch of their own, which is limited
 * to a share of the graph: what does not fit, and vertices whose edges weigh more than
 * INT32_MAX together, are `loose`; their links are gathered from the graph when asked for. */
#ifndef CLV_REFINE_GAIN_CACHE_H
#define CLV_REFINE_GAIN_CACHE_H

#include "refine/partition_state.h"

#if defined(__GNUC__) || defined(__clang__)
#define CLV_PREFETCH(address) __builtin_prefetch(address)
#else
#define CLV_PREFETCH(address) ((void)(address))
#endif

enum { CLV_FEW = 5 };

typedef struct clv_link {
    int32_t part, weight; /* weight > 0 */
} clv_link;

typedef struct clv_gain_entry {
    int32_t vertex, part;
    int32_t own;   /* weight of the edges inside the part */
    int32_t count; /* links */
    int32_t place; /* the user's: where it is in a queue; -1 at first */
    bool locked;   /* the user's; true at first for fixed vertices */
    bool fixed;
    bool many;  /* the links are at far.link, not at few */
    bool loose; /* no links are kept */
    union {
        clv_link few[CLV_FEW];
        struct {
            clv_link *link;
            int32_t top; /* the largest weight of a link, 0: none */
            int32_t room;
        } far;
    } u;
} clv_gain_entry;

typedef struct clv_gain_cache {
    const clv_partition_state *s;
    clv_ws *ws;
    int32_t *index;        /* nvtx: vertex -> entry, -1: not touched */
    clv_gain_entry *entry; /* room for all vertices, but only what is used costs memory */
    int32_t count;
    bool hidden;         /* edges of weight 0 exist: no link shows such a neighbour */
    int32_t *slot;       /* nparts: place of a part in `gathered`, -1 between calls */
    clv_link *gathered;  /* nparts */
    int64_t *wide;       /* nparts: 0 between calls */
    clv_link *free;      /* unused part of the newest chunk */
    int64_t left, spare; /* links in it; links that may still be allocated */
} clv_gain_cache;

/* Memory comes from ws and is given back by the caller's clv_ws_restore. */
cleave_status clv_gain_cache_init(clv_gain_cache *t, const clv_partition_state *s, clv_ws *ws,
                                  cleave_error *err);

/* The entry of a vertex that has none yet, filled.  O(degree). */
int32_t clv_gain_cache_add(clv_gain_cache *t, int32_t v);

/* For loose entries: the links' weights added to t->wide, the parts in t->gathered (count is
 * returned), the weight inside the own part in *own.  The caller zeroes t->wide again. */
int32_t clv_gain_cache_gather(clv_gain_cache *t, const clv_gain_entry *e, int64_t *own);

/* The vertex itself goes to another part. */
void clv_gain_cache_move(clv_gain_cache *t, clv_gain_entry *e, int32_t to);

/* The slow half of clv_gain_cache_shift: lists outside of the entry. */
void clv_gain_cache_shift_far(clv_gain_cache *t, clv_gain_entry *e, int32_t from, int32_t to,
                              int32_t w);
/* The sixth link of a vertex: moves the list out of the entry, or makes the entry loose. */
void clv_gain_cache_grow(clv_gain_cache *t, clv_gain_entry *e, int32_t part, int32_t w);

/* Takes back the newest clv_gain_cache_add. */
static inline void clv_gain_cache_undo(clv_gain_cache *t)
{
    t->index[t->entry[--t->count].vertex] = -1;
}

static inline const clv_link *clv_gain_entry_links(const clv_gain_entry *e)
{
    return e->many ? e->u.far.link : e->u.few;
}

/* A neighbour over an edge of weight w > 0 went from one part to another. */
static CLV_ALWAYS_INLINE void clv_gain_cache_shift(clv_gain_cache *t, clv_gain_entry *e,
                                                   int32_t from, int32_t to, int32_t w)
{
    if (CLV_UNLIKELY(e->many || e->loose)) {
        clv_gain_cache_shift_far(t, e, from, to, w);
        return;
    }
    clv_link *link = e->u.few;
    if (e->part == from) {
        e->own -= w;
    } else {
        int32_t i = 0;
        while (link[i].part != from)
            i++;
        link[i].weight -= w;
        if (link[i].weight == 0)
            link[i] = link[--e->count];
    }
    if (e->part == to) {
        e->own += w;
        return;
    }
    for (int32_t i = 0; i < e->count; i++)
        if (link[i].part == to) {
            link[i].weight += w;
            return;
        }
    if (e->count < CLV_FEW)
        link[e->count++] = (clv_link){to, w};
    else
        clv_gain_cache_grow(t, e, to, w);
}

/* The largest weight of a link; 0 without links.  Not for loose entries. */
static CLV_ALWAYS_INLINE int32_t clv_gain_entry_top(const clv_gain_entry *e)
{
    if (e->many)
        return e->u.far.top;
    int32_t top = 0;
    for (int32_t i = 0; i < e->count; i++)
        if (top < e->u.few[i].weight)
            top = e->u.few[i].weight;
    return top;
}

#endif
