/* SPDX-License-Identifier: Apache-2.0 */
/* target/numa_groups.c - see target/numa_groups.h. */
#include "target/numa_groups.h"

#include <stdbool.h>

typedef struct latency_table {
    int32_t count; /* nodes */
    const uint64_t *latency;
    uint64_t least; /* between two nodes */
} latency_table;

static bool is_sound(latency_table *t)
{
    const uint64_t *latency = t->latency;
    int64_t count = t->count;
    t->least = UINT64_MAX;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            uint64_t there = latency[i * count + j];
            if (there != latency[j * count + i] || (i != j && there <= latency[i * count + i]))
                return false;
            t->least = i != j && there < t->least ? there : t->least;
        }
    return true;
}

/* Sets group of all nodes reachable from `first` to `number`; returns how many they are. */
static int32_t flood_group(const latency_table *t, int32_t first, int32_t number,
                           int32_t *group, int32_t *stack)
{
    int32_t size = 1, top = 0;
    group[first] = number;
    stack[top++] = first;
    while (top > 0) {
        int64_t i = stack[--top];
        for (int32_t j = 0; j < t->count; j++)
            if (group[j] < 0 && t->latency[i * t->count + j] == t->least) {
                group[j] = number;
                stack[top++] = j;
                size++;
            }
    }
    return size;
}

int32_t clv_group_nearest(int32_t count, const uint64_t *latency, int32_t *group,
                          int32_t *stack)
{
    latency_table table = {.count = count, .latency = latency};
    int32_t ngroups = 0, alone = 0;
    if (!is_sound(&table))
        return 0;
    for (int32_t i = 0; i < count; i++)
        group[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        if (group[i] >= 0)
            continue;
        if (flood_group(&table, i, ngroups, group, stack) > 1) {
            ngroups++;
        } else {
            group[i] = -1;
            alone++;
        }
    }
    return ngroups == 1 && alone == 0 ? 0 : ngroups;
}

void clv_group_latencies(int32_t count, const uint64_t *latency, const int32_t *group,
                         int32_t ngroups, uint64_t *mean, int32_t *size)
{
    for (int32_t a = 0; a < ngroups; a++)
        size[a] = 0;
    for (int64_t i = 0; i < (int64_t)ngroups * ngroups; i++)
        mean[i] = 0;
    for (int64_t i = 0; i < count; i++) {
        if (group[i] < 0)
            continue;
        size[group[i]]++;
        for (int32_t j = 0; j < count; j++)
            if (group[j] >= 0)
                mean[(int64_t)group[i] * ngroups + group[j]] += latency[i * count + j];
    }
    for (int64_t a = 0; a < ngroups; a++)
        for (int64_t b = 0; b < ngroups; b++)
            mean[a * ngroups + b] /= (uint64_t)size[a] * (uint64_t)size[b];
}
