/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_cache.h - the gain cache of local search: the weight of the edges of
 * vertices into each part.
 *
 * A vertex gets an entry of one cache line when it is first touched: the weight of its edges
 * into its own part and one link (part, weight) for each other part it has neighbours in.
 * Entries stay exact while neighbours move, so that a gain is computed from a few links.  Up
 * to CLV_INLINE_LINKS links are in the entry; longer lists are in separate scratch, which is
 * limited to a share of the graph.  Vertices whose list does not fit, and vertices whose edges
 * weigh more than INT32_MAX together, are `loose`; their links are gathered from the graph
 * when needed. */
#ifndef CLV_REFINE_GAIN_GAIN_CACHE_H
#define CLV_REFINE_GAIN_GAIN_CACHE_H

#include "refine/state/partition_state.h"

#if defined(__GNUC__) || defined(__clang__)
#define CLV_PREFETCH(address) __builtin_prefetch(address)
#else
#define CLV_PREFETCH(address) ((void)(address))
#endif

enum { CLV_INLINE_LINKS = 5 };

typedef struct clv_link {
    int32_t part, weight; /* weight > 0 */
} clv_link;

typedef struct clv_gain_entry {
    int32_t vertex, part;
    int32_t own;   /* weight of the edges inside the part */
    int32_t count; /* links */
    int32_t place; /* for the user: its position in a queue; -1 at first */
    bool locked;   /* for the user; true at first for fixed vertices */
    bool fixed;
    bool many;  /* the links are at far.link, not in inlined */
    bool loose; /* no links are stored */
    union {
        clv_link inlined[CLV_INLINE_LINKS];
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
    clv_gain_entry *entry; /* capacity for all vertices; only used entries cost memory */
    int32_t count;
    bool hidden;         /* edges of weight 0 exist, which have no link */
    int32_t *slot;       /* nparts: index of a part in `gathered`, -1 between calls */
    clv_link *gathered;  /* nparts */
    int64_t *wide;       /* nparts: 0 between calls */
    clv_link *free;      /* unused part of the newest chunk */
    int64_t left, spare; /* links in it; links that can still be allocated */
    struct clv_gain_overlay *overlay; /* NULL: this is not one (gain_overlay.h) */
} clv_gain_cache;

/* Memory comes from ws; the caller's clv_ws_restore releases it. */
cleave_status clv_gain_cache_init(clv_gain_cache *t, const clv_partition_state *s,
                                  clv_team *team, clv_ws *ws, cleave_error *err);

/* The same cache for another thread, with scratch and links from ws. */
cleave_status clv_gain_cache_view(clv_gain_cache *view, const clv_gain_cache *t, clv_ws *ws,
                                  cleave_error *err);

/* The number of links outside of entries for vertices with so many arcs. */
int64_t clv_gain_cache_links(int64_t arcs);

/* Creates and fills the entry of a vertex that has none yet.  O(degree). */
int32_t clv_gain_cache_add(clv_gain_cache *t, int32_t v);

/* The entry of a vertex without one, with `count` links of its row: copies them, to a list of
 * its own if they do not fit the entry. */
void clv_gain_cache_store(clv_gain_cache *t, clv_gain_entry *e, const clv_link *link,
                          int32_t count);

/* Fills a new entry for v, which is in part s->part[v], from its row. */
void clv_gain_cache_fill(clv_gain_cache *t, clv_gain_entry *e, int32_t v);

/* For loose entries: adds the links' weights to t->wide, lists the parts in t->gathered (the
 * count is returned), and sets *own to the weight inside the own part.  The caller zeroes
 * t->wide again. */
int32_t clv_gain_cache_gather(clv_gain_cache *t, const clv_gain_entry *e, int64_t *own);

/* The vertex itself moves to another part. */
void clv_gain_cache_move(clv_gain_cache *t, clv_gain_entry *e, int32_t to);

/* The slow path of clv_gain_cache_shift: lists outside the entry. */
void clv_gain_cache_shift_far(clv_gain_cache *t, clv_gain_entry *e, int32_t from, int32_t to,
                              int32_t w);
/* The first link that does not fit the entry: moves the list out, or makes the entry loose. */
void clv_gain_cache_grow(clv_gain_cache *t, clv_gain_entry *e, int32_t part, int32_t w);

static inline const clv_link *clv_gain_entry_links(const clv_gain_entry *e)
{
    return e->many ? e->u.far.link : e->u.inlined;
}

/* A neighbour over an edge of weight w > 0 moved from one part to another. */
static CLV_ALWAYS_INLINE void clv_gain_cache_shift(clv_gain_cache *t, clv_gain_entry *e,
                                                   int32_t from, int32_t to, int32_t w)
{
    if (CLV_UNLIKELY(e->many || e->loose)) {
        clv_gain_cache_shift_far(t, e, from, to, w);
        return;
    }
    clv_link *link = e->u.inlined;
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
    if (e->count < CLV_INLINE_LINKS)
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
        if (top < e->u.inlined[i].weight)
            top = e->u.inlined[i].weight;
    return top;
}

#endif
