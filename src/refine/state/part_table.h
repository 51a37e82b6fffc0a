/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/part_table.h - for one vertex: the parts of its neighbours, with the number of
 * neighbours and the edge weight, and one value per part for the caller.
 *
 * A row has capacity for min(degree, parts) entries.  Short rows are a plain list; long ones
 * (hubs, with many parts) are a hash table with linear probing, so that every operation takes
 * a few steps.  Rows are created on first use: a partition has few boundary vertices. */
#ifndef CLV_REFINE_STATE_PART_TABLE_H
#define CLV_REFINE_STATE_PART_TABLE_H

#include <assert.h>

#include "graph/graph.h"

typedef struct clv_part_entry {
    int32_t part;   /* -1: a free slot of the hash table */
    int32_t count;  /* neighbours there, > 0 */
    int64_t weight; /* of the edges to them */
    int64_t credit; /* the caller's; 0 in a new entry */
} clv_part_entry;

typedef struct clv_part_row {
    clv_part_entry *slot; /* NULL: not created yet */
    int32_t used;         /* entries */
    int32_t mask;         /* slots of the hash table - 1; -1: a list of `used` entries */
} clv_part_row;

enum { clv_part_list_limit = 12 };

/* Number of slots to visit when iterating over all entries; skip those without a part. */
static inline int32_t clv_part_row_places(const clv_part_row *row)
{
    return row->mask < 0 ? row->used : row->mask + 1;
}

static inline uint32_t clv_part_home(int32_t part, int32_t mask)
{
    return ((uint32_t)part * 2654435769u >> 7) & (uint32_t)mask;
}

/* The slot of part, or the slot where it would be inserted. */
static inline int32_t clv_part_find(const clv_part_row *row, int32_t part)
{
    if (row->mask < 0) {
        int32_t i = 0;
        while (i < row->used && row->slot[i].part != part)
            i++;
        return i;
    }
    uint32_t i = clv_part_home(part, row->mask);
    while (row->slot[i].part != part && row->slot[i].part >= 0)
        i = (i + 1) & (uint32_t)row->mask;
    return (int32_t)i;
}

/* The entry of part, or NULL. */
static inline clv_part_entry *clv_part_entry_of(const clv_part_row *row, int32_t part)
{
    int32_t i = clv_part_find(row, part);
    bool there = row->mask < 0 ? i < row->used : row->slot[i].part == part;
    return there ? &row->slot[i] : NULL;
}

static inline int32_t clv_part_count(const clv_part_row *row, int32_t part)
{
    const clv_part_entry *entry = clv_part_entry_of(row, part);
    return entry ? entry->count : 0;
}

/* Adds a neighbour; returns the new count. */
static inline int32_t clv_part_add(clv_part_row *row, int32_t part, int64_t weight)
{
    int32_t i = clv_part_find(row, part);
    if (row->mask < 0 ? i >= row->used : row->slot[i].part != part) {
        row->slot[i] = (clv_part_entry){.part = part};
        row->used++;
    }
    row->slot[i].weight += weight;
    return ++row->slot[i].count;
}

/* Closes the gap at i: later entries of the same run move up, unless that would put them
 * before their home slot. */
static inline void clv_part_close_gap(clv_part_row *row, uint32_t i)
{
    uint32_t mask = (uint32_t)row->mask;
    for (uint32_t j = (i + 1) & mask; row->slot[j].part >= 0; j = (j + 1) & mask) {
        uint32_t home = clv_part_home(row->slot[j].part, row->mask);
        if (((j - home) & mask) >= ((j - i) & mask)) {
            row->slot[i] = row->slot[j];
            i = j;
        }
    }
    row->slot[i].part = -1;
}

/* Removes a neighbour, which must exist.  Returns the remaining count. */
static inline int32_t clv_part_drop(clv_part_row *row, int32_t part, int64_t weight)
{
    int32_t i = clv_part_find(row, part);
    assert(row->slot[i].part == part && row->slot[i].count > 0);
    row->slot[i].weight -= weight;
    int32_t left = --row->slot[i].count;
    if (left > 0)
        return left;
    row->used--;
    if (row->mask < 0)
        row->slot[i] = row->slot[row->used];
    else
        clv_part_close_gap(row, (uint32_t)i);
    return 0;
}

/* All rows of a graph, and their memory. */
typedef struct clv_part_table {
    clv_part_row *row; /* nvtx */
    int32_t nparts;
    clv_part_entry *free; /* the rest of the last block */
    int64_t left;
    clv_ws *ws;
} clv_part_table;

static inline bool clv_part_table_init(clv_part_table *t, int32_t nvtx, int32_t nparts,
                                       clv_ws *ws)
{
    *t = (clv_part_table){.nparts = nparts, .ws = ws};
    t->row = clv_ws_zalloc(ws, nvtx, sizeof *t->row);
    return t->row != NULL;
}

static inline clv_part_entry *clv_part_table_take(clv_part_table *t, int64_t places)
{
    enum { block = 4096 };
    if (t->left < places) {
        int64_t size = places > block ? places : block;
        t->free = clv_ws_alloc(t->ws, size, sizeof *t->free);
        t->left = t->free ? size : 0;
        if (!t->free)
            return NULL;
    }
    clv_part_entry *slot = t->free;
    t->free += places;
    t->left -= places;
    return slot;
}

/* Creates the row of v unless it exists.  False: out of memory. */
static inline bool clv_part_table_make(clv_part_table *t, const clv_graph *g,
                                       const int32_t *part, int32_t v)
{
    clv_part_row *row = &t->row[v];
    if (row->slot)
        return true;
    int64_t degree = g->xadj[v + 1] - g->xadj[v];
    int64_t room = degree < t->nparts ? degree : t->nparts, places = 1;
    if (room <= clv_part_list_limit)
        places = room > 0 ? room : 1;
    while (room > clv_part_list_limit && places < 2 * room)
        places *= 2;
    if (places > INT32_MAX || !(row->slot = clv_part_table_take(t, places))) {
        row->slot = NULL;
        return false;
    }
    row->used = 0;
    row->mask = room > clv_part_list_limit ? (int32_t)places - 1 : -1;
    for (int64_t i = 0; row->mask >= 0 && i < places; i++)
        row->slot[i].part = -1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        clv_part_add(row, part[g->adj[a]], clv_graph_ewgt(g, a));
    return true;
}

#endif
