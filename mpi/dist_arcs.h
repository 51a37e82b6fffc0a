/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_arcs.h - arcs of a coarse graph on their way to the owners of their tails.
 *
 * Arrays hold clv_dist_arc or, where sums of weights may exceed 31 bits (`wide`),
 * clv_dist_wide_arc, whose last member is the weight.  Narrow graphs send no more than they
 * need. */
#ifndef CLV_MPI_DIST_ARCS_H
#define CLV_MPI_DIST_ARCS_H

#include "base/mem.h"

typedef struct clv_dist_arc {
    int32_t row; /* local number on that owner */
    int32_t weight;
    int64_t head; /* global */
} clv_dist_arc;

typedef struct clv_dist_wide_arc {
    clv_dist_arc base;
    int64_t weight;
} clv_dist_wide_arc;

static inline size_t clv_dist_arc_bytes(bool wide)
{
    return wide ? sizeof(clv_dist_wide_arc) : sizeof(clv_dist_arc);
}

static inline clv_dist_arc *clv_dist_arc_at(bool wide, void *arcs, int64_t i)
{
    return (clv_dist_arc *)((char *)arcs + i * (int64_t)clv_dist_arc_bytes(wide));
}

static inline int64_t clv_dist_arc_weight(bool wide, const clv_dist_arc *a)
{
    return wide ? ((const clv_dist_wide_arc *)a)->weight : a->weight;
}

static inline void clv_dist_arc_set(bool wide, clv_dist_arc *a, int64_t weight)
{
    if (wide)
        ((clv_dist_wide_arc *)a)->weight = weight;
    else
        a->weight = (int32_t)weight;
}

/* A hash table: the position of a head among the arcs of the row, + 1.  The user frees
 * slot. */
typedef struct clv_dist_merger {
    int64_t *slot;
    int64_t nslots;
} clv_dist_merger;

/* Reserves memory for rows of that length; false when out of memory. */
bool clv_dist_merger_reserve(clv_dist_merger *m, int64_t longest);

/* Merges the parallel arcs of a row in place; returns the number of arcs left. */
int64_t clv_dist_merge_row(clv_dist_merger *m, bool wide, void *row, int64_t count);

#endif
