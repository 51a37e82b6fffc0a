/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/gathering.h - sums by cluster, for the clusters around a vertex: a hash table with
 * linear probing.  It is sized by the degree, not by the graph, so that each thread can have
 * one.
 *
 * The table is never cleared: slot[h] is the index of an entry of `list` only if that entry
 * says so.  Entries are in the order in which their clusters were first added. */
#ifndef CLV_COARSEN_GATHERING_H
#define CLV_COARSEN_GATHERING_H

#include "base/mem.h"

typedef struct clv_rated {
    int32_t cluster;
    uint32_t home; /* its index in slot */
    int64_t tie;   /* weight of the arcs into it (a DAG: and out of it) */
} clv_rated;

typedef struct clv_gathering {
    clv_rated *list;
    int32_t *slot;
    int shift; /* the table has 2^(32 - shift) slots in use */
} clv_gathering;

enum {
    clv_gathering_least = 4, /* log2 of the smallest table */
    clv_gathering_few = 12   /* up to so many entries, linear search is faster */
};

static inline int clv_gathering_log(int64_t entries)
{
    int log = clv_gathering_least;
    while (log < 31 && ((int64_t)1 << log) < 2 * entries)
        log++;
    return log;
}

/* Room for so many entries; false: out of memory. */
static inline bool clv_gathering_init(clv_gathering *s, int64_t entries, clv_ws *ws)
{
    s->list = clv_ws_alloc(ws, entries, sizeof *s->list);
    s->slot = clv_ws_zalloc(ws, (int64_t)1 << clv_gathering_log(entries), sizeof *s->slot);
    return s->list && s->slot;
}

/* Starts an empty list that gets at most so many entries: small lists use a small part of the
 * table, which stays in the cache. */
static inline void clv_gathering_start(clv_gathering *s, int64_t entries)
{
    s->shift = 32 - clv_gathering_log(entries);
}

/* The same by linear search, which is faster for lists of a few entries. */
static CLV_ALWAYS_INLINE int32_t clv_gathering_add_few(clv_gathering *s, int32_t cluster,
                                                       int64_t tie, int32_t count)
{
    int32_t i = 0;
    while (i < count && s->list[i].cluster != cluster)
        i++;
    if (i < count)
        s->list[i].tie += tie;
    else
        s->list[i] = (clv_rated){.cluster = cluster, .tie = tie};
    return i;
}

/* Adds the tie to the entry of the cluster, which is appended if there is none.  Returns the
 * index of the entry, which is `count` if it is new; list has `count` entries. */
static CLV_ALWAYS_INLINE int32_t clv_gathering_add(clv_gathering *s, int32_t cluster,
                                                   int64_t tie, int32_t count)
{
    uint32_t last = UINT32_MAX >> s->shift;
    uint32_t h = ((uint32_t)cluster * 0x9e3779b1u) >> s->shift;
    for (;; h = (h + 1) & last) {
        int32_t i = s->slot[h];
        if (i >= count || s->list[i].home != h)
            break;
        if (s->list[i].cluster == cluster) {
            s->list[i].tie += tie;
            return i;
        }
    }
    s->slot[h] = count;
    s->list[count] = (clv_rated){cluster, h, tie};
    return count;
}

#endif
