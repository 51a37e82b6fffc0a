/* SPDX-License-Identifier: Apache-2.0 */
/* engine/groups.h - vertices that are mapped together.  A vertex that the caller put in
 * no group is one of its own. */
#ifndef CLV_ENGINE_GROUPS_H
#define CLV_ENGINE_GROUPS_H

#include "engine/limits.h"

typedef struct clv_groups {
    int32_t count;
    const int32_t *group; /* by vertex, groups numbered by their smallest vertex; NULL: each
                            vertex is the group of its own number */
    const int32_t *fixed; /* by group: the part it must be in, or -1; NULL: all are free */
} clv_groups;

/* fixed: in -1..nparts-1, or NULL; given: >= -1, or NULL.  CLEAVE_EINVAL when a group is
 * fixed to two parts.  Arrays are from ws or the caller's.  O(nvtx log nvtx) with groups. */
cleave_status clv_groups_make(clv_groups *groups, int32_t nvtx, const int32_t *fixed,
                              const int32_t *given, clv_ws *ws, cleave_error *err);

static inline int32_t clv_group_of(const clv_groups *groups, int32_t v)
{
    return groups->group ? groups->group[v] : v;
}

/* part[v] of nvtx vertices becomes that of v's group: where it is fixed, or else where its
 * smallest vertex is. */
cleave_status clv_groups_obey(const clv_groups *groups, int32_t nvtx, int32_t *part,
                              clv_ws *ws, cleave_error *err);

/* *free_parts: parts of limits that may hold something and have no fixed group; *free_groups:
 * groups that are not fixed.  Parts can be filled as far as the latter last. */
cleave_status clv_groups_count(const clv_groups *groups, const clv_limits *limits, clv_ws *ws,
                               int32_t *free_parts, int32_t *free_groups, cleave_error *err);

/* The mapping when there are at least as many free parts as free groups: each free group gets
 * a part of its own, the heaviest group the part with the largest bound.  O(nvtx log nvtx). */
cleave_status clv_groups_spread(const clv_groups *groups, const clv_graph *g,
                                const clv_limits *limits, clv_ws *ws, int32_t *part,
                                cleave_error *err);

#endif
