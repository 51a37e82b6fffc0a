/* SPDX-License-Identifier: Apache-2.0 */
/* base/sort.h - a stable sort of keys with attached data. */
#ifndef CLV_BASE_SORT_H
#define CLV_BASE_SORT_H

#include "base/threads.h"

typedef struct clv_sort_item {
    int64_t key;
    union {
        int64_t index; /* an index, a weight, ... */
        double value;
    } with;
} clv_sort_item;

/* Sorts by ascending key; equal keys keep their order. scratch has n entries.  Returns the
 * array that holds the result: items or scratch.  O(n log n), linear for many items whose keys
 * span few bits. */
clv_sort_item *clv_sort(clv_sort_item *items, clv_sort_item *scratch, int64_t n);

/* The same with a team, and linear for 64-bit keys that are spread out; the result is in
 * `items` (base/sort_team.c). */
void clv_sort_team(clv_team *team, clv_sort_item *items, clv_sort_item *scratch, int64_t n);

#endif
