/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/part_heaps.h - one priority queue per part, in memory that does not depend on
 * the number of parts: pairing heaps [Fredman, Sedgewick, Sleator, Tarjan 1986] whose nodes
 * are the vertices.  Largest gain first, ties by the smaller vertex.  Linking and unlinking
 * are O(1), removing the top or an inner node O(log) amortised. */
#ifndef CLV_REFINE_GAIN_PART_HEAPS_H
#define CLV_REFINE_GAIN_PART_HEAPS_H

#include "base/mem.h"

typedef struct clv_part_heaps {
    int32_t *root;  /* by part, -1: empty */
    int32_t *child; /* by vertex: the first one, -1: none */
    int32_t *next;  /* of the same parent, -1: none */
    int32_t *prev;  /* ... or the parent, for a first child; -1: a root; -2: not in a heap */
    int64_t *gain;  /* by vertex */
} clv_part_heaps;

static inline cleave_status clv_part_heaps_init(clv_part_heaps *h, int32_t nvtx,
                                                int32_t nparts, clv_ws *ws, cleave_error *err)
{
    h->root = clv_ws_alloc(ws, nparts, sizeof *h->root);
    h->child = clv_ws_alloc(ws, nvtx, sizeof *h->child);
    h->next = clv_ws_alloc(ws, nvtx, sizeof *h->next);
    h->prev = clv_ws_alloc(ws, nvtx, sizeof *h->prev);
    h->gain = clv_ws_alloc(ws, nvtx, sizeof *h->gain);
    if (!h->root || !h->child || !h->next || !h->prev || !h->gain)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < nparts; p++)
        h->root[p] = -1;
    for (int32_t v = 0; v < nvtx; v++)
        h->prev[v] = -2;
    return CLEAVE_OK;
}

static inline bool clv_part_heaps_has(const clv_part_heaps *h, int32_t v)
{
    return h->prev[v] != -2;
}

/* Links two roots; either can be -1. */
static inline int32_t clv_part_heaps_meld(clv_part_heaps *h, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (h->gain[b] > h->gain[a] || (h->gain[b] == h->gain[a] && b < a)) {
        int32_t other = a;
        a = b;
        b = other;
    }
    h->next[b] = h->child[a];
    if (h->child[a] >= 0)
        h->prev[h->child[a]] = b;
    h->prev[b] = a;
    h->child[a] = b;
    return a;
}

/* v is in no heap. */
static inline void clv_part_heaps_push(clv_part_heaps *h, int32_t part, int32_t v,
                                       int64_t gain)
{
    h->gain[v] = gain;
    h->child[v] = h->next[v] = h->prev[v] = -1;
    h->root[part] = clv_part_heaps_meld(h, h->root[part], v);
}

/* Merges the children of v into one heap: pairs from the left, then all from the right. */
static inline int32_t clv_part_heaps_children(clv_part_heaps *h, int32_t v)
{
    int32_t pairs = -1, rest = h->child[v];
    while (rest >= 0) {
        int32_t a = rest, b = h->next[a];
        rest = b < 0 ? -1 : h->next[b];
        h->next[a] = h->prev[a] = -1;
        if (b >= 0)
            h->next[b] = h->prev[b] = -1;
        int32_t pair = clv_part_heaps_meld(h, a, b);
        h->next[pair] = pairs;
        pairs = pair;
    }
    int32_t whole = -1;
    while (pairs >= 0) {
        int32_t pair = pairs;
        pairs = h->next[pair];
        h->next[pair] = -1;
        whole = clv_part_heaps_meld(h, whole, pair);
    }
    return whole;
}

/* v is in the heap of `part`. */
static inline void clv_part_heaps_remove(clv_part_heaps *h, int32_t part, int32_t v)
{
    int32_t rest = clv_part_heaps_children(h, v);
    if (h->root[part] == v) {
        h->root[part] = rest;
    } else {
        int32_t before = h->prev[v], after = h->next[v];
        if (h->child[before] == v)
            h->child[before] = after;
        else
            h->next[before] = after;
        if (after >= 0)
            h->prev[after] = before;
        h->root[part] = clv_part_heaps_meld(h, h->root[part], rest);
    }
    h->prev[v] = -2;
}

#endif
