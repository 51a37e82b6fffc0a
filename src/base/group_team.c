/* SPDX-License-Identifier: Apache-2.0 */
/* base/group_team.c - clv_group_by_key with a team.
 *
 * Counters are atomic, so threads place the numbers of a group in any order; then each group
 * is sorted, which restores the order of the input.  One thread sorts as it places. */
#include "base/group.h"

#include <string.h>

#include "base/blocks.h"

enum { parallel_from = 1 << 17, grain = 1 << 13, few = 24 /* not tuned */ };

typedef struct grouping {
    const int32_t *key;
    int32_t *first, *member;
    clv_even_blocks blocks; /* of the keys */
    int32_t total[clv_blocks_most + 1];
} grouping;

static void clear_range(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    memset(g->first + begin, 0, (size_t)(end - begin) * sizeof *g->first);
}

static void count_range(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        if (g->key[i] >= 0)
            __atomic_fetch_add(&g->first[g->key[i]], 1, __ATOMIC_RELAXED);
}

static void sum_block(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t sum = 0;
        for (int32_t k = clv_block_begin(&g->blocks, b);
             k < clv_block_begin(&g->blocks, b + 1); k++)
            sum += g->first[k];
        g->total[b + 1] = sum;
    }
}

/* first[k] becomes the end of group k. */
static void end_groups(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t sum = g->total[b];
        for (int32_t k = clv_block_begin(&g->blocks, b);
             k < clv_block_begin(&g->blocks, b + 1); k++)
            g->first[k] = sum += g->first[k];
    }
}

static void place_range(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    for (int64_t i = end; i-- > begin;)
        if (g->key[i] >= 0)
            g->member[__atomic_sub_fetch(&g->first[g->key[i]], 1, __ATOMIC_RELAXED)] =
                (int32_t)i;
}

static void sift_down(int32_t *list, int32_t n, int32_t i)
{
    int32_t value = list[i];
    for (int32_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && list[child + 1] > list[child];
        if (list[child] <= value)
            break;
        list[i] = list[child];
    }
    list[i] = value;
}

static void sort_long(int32_t *list, int32_t n)
{
    for (int32_t i = n / 2; i-- > 0;)
        sift_down(list, n, i);
    for (int32_t last = n - 1; last > 0; last--) {
        int32_t largest = list[0];
        list[0] = list[last];
        list[last] = largest;
        sift_down(list, last, 0);
    }
}

static void sort_group(int32_t *list, int32_t n)
{
    int32_t sorted = 1;
    while (sorted < n && list[sorted] > list[sorted - 1])
        sorted++;
    if (sorted < n && n > few) {
        sort_long(list, n);
        return;
    }
    for (int32_t i = sorted; i < n; i++) {
        int32_t value = list[i], j = i;
        for (; j > 0 && list[j - 1] > value; j--)
            list[j] = list[j - 1];
        list[j] = value;
    }
}

static void sort_range(void *context, int64_t begin, int64_t end, int member)
{
    grouping *g = context;
    (void)member;
    for (int64_t k = begin; k < end; k++)
        sort_group(g->member + g->first[k], g->first[k + 1] - g->first[k]);
}

void clv_group_by_key_team(clv_team *team, int32_t n, const int32_t *key, int32_t nkeys,
                           int32_t *first, int32_t *member)
{
    if (n < parallel_from || clv_team_size(team) == 1) {
        clv_group_by_key(n, key, nkeys, first, member);
        return;
    }
    grouping g = {.key = key, .first = first, .member = member};
    g.blocks = clv_blocks_of(nkeys, grain);
    clv_parallel_for(team, nkeys, grain, clear_range, &g);
    clv_parallel_for(team, n, grain, count_range, &g);
    clv_parallel_for(team, g.blocks.count, 1, sum_block, &g);
    clv_running_sums32(g.total, g.blocks.count);
    clv_parallel_for(team, g.blocks.count, 1, end_groups, &g);
    first[nkeys] = g.total[g.blocks.count];
    clv_parallel_for(team, n, grain, place_range, &g);
    clv_parallel_for(team, nkeys, grain, sort_range, &g);
}
