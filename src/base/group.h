/* SPDX-License-Identifier: Apache-2.0 */
/* base/group.h - numbers grouped by keys 0..nkeys-1: counting sort, stable and linear.
 *
 * Group k is member[first[k]] .. member[first[k + 1] - 1], in the order of the input.  first
 * has nkeys + 1 entries.  Numbers with a negative key are in no group.
 *
 * Items that are not plain numbers, or whose keys are computed, are sorted in three steps;
 * first contains zeros:
 *
 *     for (i = 0; i < n; i++)
 *         first[key(i)]++;
 *     clv_running_sums(first, nkeys);
 *     for (i = n; i-- > 0;)
 *         sorted[--first[key(i)]] = item(i);
 *
 * The groups are filled from their ends, so that first[k] ends as the start of group k.  Items
 * that can only be visited forwards are counted at first[key + 1]; after clv_group_starts they
 * are placed at first[key + 1]++. */
#ifndef CLV_BASE_GROUP_H
#define CLV_BASE_GROUP_H

#include "base/threads.h"

/* values[i] becomes values[0] + ... + values[i], for all i up to last. */
static inline void clv_running_sums(int64_t *values, int64_t last)
{
    for (int64_t i = 0; i < last; i++)
        values[i + 1] += values[i];
}

/* The same with 32 bits. */
static inline void clv_running_sums32(int32_t *values, int64_t last)
{
    for (int64_t i = 0; i < last; i++)
        values[i + 1] += values[i];
}

/* The numbers of items first[1] .. first[nkeys] become the starts of the groups, each one
 * entry ahead.  Returns the sum. */
static inline int64_t clv_group_starts(int64_t *first, int64_t nkeys)
{
    int64_t sum = 0;
    for (int64_t k = 1; k <= nkeys; k++) {
        int64_t count = first[k];
        first[k] = sum;
        sum += count;
    }
    return sum;
}

/* Groups 0..n-1 by key[i].  O(n + nkeys). */
void clv_group_by_key(int32_t n, const int32_t *key, int32_t nkeys, int32_t *first,
                      int32_t *member);
/* The same with a team; the result is equal (base/group_team.c). */
void clv_group_by_key_team(clv_team *team, int32_t n, const int32_t *key, int32_t nkeys,
                           int32_t *first, int32_t *member);
/* Groups the numbers list[0..count-1] by key[list[i]]. */
void clv_group_list_by_key(int32_t count, const int32_t *list, const int32_t *key,
                           int32_t nkeys, int32_t *first, int32_t *member);

typedef struct clv_key_groups {
    int32_t *first, *member;
} clv_key_groups;

/* clv_group_by_key into arrays from ws. */
cleave_status clv_key_groups_make(clv_key_groups *groups, int32_t n, const int32_t *key,
                                  int32_t nkeys, clv_ws *ws, cleave_error *err);

#endif
