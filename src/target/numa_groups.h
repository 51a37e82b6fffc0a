/* SPDX-License-Identifier: Apache-2.0 */
/* target/numa_groups.h - groups of closest NUMA nodes, as in hwloc. */
#ifndef CLV_TARGET_NUMA_GROUPS_H
#define CLV_TARGET_NUMA_GROUPS_H

#include <stdint.h>

/* Nodes connected by the smallest of all latencies, directly or through others, are one group.
 * group[i]: its number, in the order of the first members, or -1: a node without a group.
 * Returns the number of groups; 0: none, or all nodes are one group, or the latencies are not
 * symmetric or not larger than those from a node to itself. latency: count * count; stack:
 * count.  O(count^2). */
int32_t clv_group_nearest(int32_t count, const uint64_t *latency, int32_t *group,
                          int32_t *stack);
/* mean[a][b], ngroups * ngroups: the mean latency between the members of two groups, rounded
 * down.  size: ngroups.  O(count^2). */
void clv_group_latencies(int32_t count, const uint64_t *latency, const int32_t *group,
                         int32_t ngroups, uint64_t *mean, int32_t *size);

#endif
