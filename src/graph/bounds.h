/* SPDX-License-Identifier: Apache-2.0 */
/* graph/bounds.h - target weights, lower and upper bounds of the parts.
 *
 * The same structure goes from the pipeline down to the refiners.  Structures hold it by value
 * and borrow its arrays.  Bounds are never changed in place: an operation makes new ones, with
 * arrays from the workspace, which the caller restores.  Operations fail only with
 * CLEAVE_ENOMEM. */
#ifndef CLV_GRAPH_BOUNDS_H
#define CLV_GRAPH_BOUNDS_H

#include "graph/graph.h"

typedef struct clv_bounds {
    int32_t nparts;
    int32_t ncon;        /* weights per vertex of the graph */
    const double *share; /* nparts * ncon: the weight each part should have; NULL where only
                            limits matter */
    const int64_t *max;  /* nparts * ncon: upper bounds; all 0: the part stays empty */
    const int64_t *min;  /* nparts * ncon: lower bounds, >= 0; NULL: none */
} clv_bounds;

/* The arrays of new bounds while they are filled. */
typedef struct clv_bounds_arrays {
    double *share;
    int64_t *max, *min; /* min may be NULL */
} clv_bounds_arrays;

/* Makes bounds whose arrays, not yet filled, are those of *arrays. */
cleave_status clv_bounds_alloc(clv_bounds *to, clv_bounds_arrays *arrays, int32_t nparts,
                               int32_t ncon, bool with_min, clv_ws *ws, cleave_error *err);

/* ---- Questions -------------------------------------------------------------------------- */

/* Places in the arrays: part * ncon + constraint. */
static inline int64_t clv_bounds_places(const clv_bounds *b)
{
    return (int64_t)b->nparts * b->ncon;
}

/* Must the part stay empty?  All its upper bounds are 0. */
static inline bool clv_bounds_is_idle(const clv_bounds *b, int32_t p)
{
    for (int64_t i = (int64_t)p * b->ncon, end = i + b->ncon; i < end; i++)
        if (b->max[i] > 0)
            return false;
    return true;
}

/* Should the part hold a vertex?  Its first upper bound is above 0. */
static inline bool clv_bounds_wants_vertex(const clv_bounds *b, int32_t p)
{
    return b->max[(int64_t)p * b->ncon] > 0;
}

/* How far a weight is outside the bounds of a place. */
static inline int64_t clv_bounds_excess(const clv_bounds *b, int64_t place, int64_t weight)
{
    int64_t excess = weight > b->max[place] ? weight - b->max[place] : 0;
    if (b->min && weight < b->min[place])
        excess += b->min[place] - weight;
    return excess;
}

/* The same for all weights of one part; weight: nparts * ncon. */
static inline int64_t clv_bounds_excess_of_part(const clv_bounds *b, int32_t p,
                                                const int64_t *weight)
{
    int64_t sum = 0;
    for (int64_t i = (int64_t)p * b->ncon, end = i + b->ncon; i < end; i++)
        sum += clv_bounds_excess(b, i, weight[i]);
    return sum;
}

/* The same for all parts, at most CLV_MOST_WEIGHT. */
int64_t clv_bounds_overload(const clv_bounds *b, const int64_t *weight);

/* Of the first constraint: what each part should have, in proportion.  Where that is nothing
 * for all, the same for all parts that are not idle; where all are idle, for all.  nparts
 * numbers from ws; NULL: no memory. */
double *clv_bounds_proportions(const clv_bounds *b, clv_ws *ws);

/* ---- Operations ------------------------------------------------------------------------- */

/* One constraint, the same for each part. */
cleave_status clv_bounds_uniform(clv_bounds *to, int32_t nparts, double share, int64_t max,
                                 clv_ws *ws, cleave_error *err);

/* Part p becomes what part order[p] is.  order: nparts. */
cleave_status clv_bounds_permute(clv_bounds *to, const clv_bounds *from, const int32_t *order,
                                 clv_ws *ws, cleave_error *err);

/* The first constraint alone. */
cleave_status clv_bounds_first(clv_bounds *to, const clv_bounds *from, clv_ws *ws,
                               cleave_error *err);

/* One constraint that counts `count` vertices: shares are scaled to add up to count.  Idle
 * parts have no room and others have room for all; where all are idle, all have room. */
cleave_status clv_bounds_scale_to_count(clv_bounds *to, const clv_bounds *from, int32_t count,
                                        clv_ws *ws, cleave_error *err);

/* One constraint that counts: room for one vertex in each part that wants a vertex.  Shares
 * are equal among these and add up to count. */
cleave_status clv_bounds_singles(clv_bounds *to, const clv_bounds *from, int32_t count,
                                 clv_ws *ws, cleave_error *err);

/* Upper bounds above 0 become at least total[c] (ncon numbers); the rest is borrowed. */
cleave_status clv_bounds_lift(clv_bounds *to, const clv_bounds *from, const int64_t *total,
                              clv_ws *ws, cleave_error *err);

/* Ranges of parts as one part each: first[i] .. first[i + 1] - 1 become part i of count. */
typedef struct clv_bounds_ranges {
    int32_t count;
    const int32_t *first; /* count + 1 */
    const double *weight; /* ncon: what the parts of all ranges hold together */
    int depth;            /* divisions that lead to single parts, this one included */
} clv_bounds_ranges;
/* The weight is shared out in proportion to the shares, equally where there are none.  An
 * upper bound is the sum of those of the parts, and no more than this division's part of the
 * slack: the depth-th root of what all parts may hold over the weight.  A lower bound is the
 * sum of those of the parts.  O(nparts of all ranges * ncon). */
cleave_status clv_bounds_split(clv_bounds *to, const clv_bounds *from,
                               const clv_bounds_ranges *ranges, clv_ws *ws, cleave_error *err);

#endif
