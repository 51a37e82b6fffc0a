/* SPDX-License-Identifier: Apache-2.0 */
/* engine/groups.h - groups of vertices that must be in the same part.  A vertex in no group of
 * the caller forms its own group. */
#ifndef CLV_ENGINE_GROUPS_H
#define CLV_ENGINE_GROUPS_H

#include "engine/limits.h"

typedef struct clv_groups {
    int32_t count;
    const int32_t *group; /* by vertex, numbered by their smallest vertex; NULL: each vertex
                             is its own group */
    const int32_t *fixed; /* by group: the part it must be in, or -1; NULL: all are free */
} clv_groups;

/* fixed: values in -1..nparts-1, or NULL; given: values >= -1, or NULL.  CLEAVE_EINVAL if a
 * group is fixed to two parts.  Arrays are from ws or the caller's.  O(nvtx log nvtx) with
 * groups. */
cleave_status clv_groups_make(clv_groups *groups, int32_t nvtx, const int32_t *fixed,
                              const int32_t *given, clv_ws *ws, cleave_error *err);

static inline int32_t clv_group_of(const clv_groups *groups, int32_t v)
{
    return groups->group ? groups->group[v] : v;
}

/* Assigns all vertices of a group to the same part: the one it is fixed to, otherwise the part
 * of its smallest vertex. */
cleave_status clv_groups_obey(const clv_groups *groups, int32_t nvtx, int32_t *part,
                              clv_ws *ws, cleave_error *err);

/* *free_parts: number of parts that may hold vertices and have no fixed group.  *free_groups:
 * number of groups that are not fixed, the most parts that can still be filled. */
cleave_status clv_groups_count(const clv_groups *groups, const clv_limits *limits, clv_ws *ws,
                               int32_t *free_parts, int32_t *free_groups, cleave_error *err);

/* The mapping if there are at least as many free parts as free groups: each free group gets
 * its own part, the heaviest group the part with the largest bound.  O(nvtx log nvtx). */
cleave_status clv_groups_spread(const clv_groups *groups, const clv_graph *g,
                                const clv_limits *limits, clv_ws *ws, int32_t *part,
                                cleave_error *err);

#endif
