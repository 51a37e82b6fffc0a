/* SPDX-License-Identifier: Apache-2.0 */
/* engine/units.h - vertices that are mapped together: a group, or a vertex of its own. */
#ifndef CLV_ENGINE_UNITS_H
#define CLV_ENGINE_UNITS_H

#include "engine/limits.h"

typedef struct clv_units {
    int32_t count;
    const int32_t *unit;  /* by vertex, units numbered by their smallest vertex; NULL: each
                             vertex is the unit of its own number */
    const int32_t *fixed; /* by unit: the part it must be in, or -1; NULL: all are free */
} clv_units;

/* fixed: in -1..nparts-1, or NULL; groups: >= -1, or NULL.  CLEAVE_EINVAL when a group is
 * fixed to two parts.  Arrays are from ws or the caller's.  O(nvtx log nvtx) with groups. */
cleave_status clv_units_make(clv_units *units, int32_t nvtx, const int32_t *fixed,
                             const int32_t *groups, clv_ws *ws, cleave_error *err);

static inline int32_t clv_units_of(const clv_units *units, int32_t v)
{
    return units->unit ? units->unit[v] : v;
}

/* part[v] of nvtx vertices becomes that of v's unit: where it is fixed, or else where its
 * smallest vertex is. */
cleave_status clv_units_obey(const clv_units *units, int32_t nvtx, int32_t *part, clv_ws *ws,
                             cleave_error *err);

/* *free_parts: parts of limits that may hold something and have no fixed unit; *free_units:
 * units that are not fixed.  Parts can be filled as far as the latter last. */
cleave_status clv_units_count(const clv_units *units, const clv_limits *limits, clv_ws *ws,
                              int32_t *free_parts, int32_t *free_units, cleave_error *err);

/* The mapping when there are at least as many free parts as free units: each free unit gets
 * a part of its own, the heaviest unit the part with the largest bound.  O(nvtx log nvtx). */
cleave_status clv_units_spread(const clv_units *units, const clv_graph *g,
                               const clv_limits *limits, clv_ws *ws, int32_t *part,
                               cleave_error *err);

#endif
