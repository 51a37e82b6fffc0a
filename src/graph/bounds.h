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
    const double *share; /* nparts * ncon: target weight of each part; NULL: not needed */
    const int64_t *max;  /* nparts * ncon: upper bounds; all 0: the part stays empty */
    const int64_t *min;  /* nparts * ncon: lower bounds, >= 0; NULL: none */
} clv_bounds;

/* The arrays of new bounds, for filling. */
typedef struct clv_bounds_arrays {
    double *share;
    int64_t *max, *min; /* min may be NULL */
} clv_bounds_arrays;

/* Allocates bounds; *arrays gets their arrays, uninitialised. */
cleave_status clv_bounds_alloc(clv_bounds *to, clv_bounds_arrays *arrays, int32_t nparts,
                               int32_t ncon, bool with_min, clv_ws *ws, cleave_error *err);

/* ---- Queries ---------------------------------------------------------------------------- */

/* Length of the arrays; index part * ncon + constraint. */
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

/* By how much a weight is outside the bounds at an index of the arrays. */
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

/* Proportions of the parts by the first constraint: their shares; if all are 0, equal for all
 * parts that are not idle; if all are idle, equal for all. nparts numbers from ws; NULL: out
 * of memory. */
double *clv_bounds_proportions(const clv_bounds *b, clv_ws *ws);

/* ---- Operations ------------------------------------------------------------------------- */

/* One constraint, the same for each part. */
cleave_status clv_bounds_uniform(clv_bounds *to, int32_t nparts, double share, int64_t max,
                                 clv_ws *ws, cleave_error *err);

/* Part p of the result is part order[p] of `from`. order: nparts. */
cleave_status clv_bounds_permute(clv_bounds *to, const clv_bounds *from, const int32_t *order,
                                 clv_ws *ws, cleave_error *err);

/* The first constraint only. */
cleave_status clv_bounds_first(clv_bounds *to, const clv_bounds *from, clv_ws *ws,
                               cleave_error *err);

/* One constraint that counts vertices: shares are scaled to the sum `count`.  Idle parts get
 * the upper bound 0, the others `count`; if all parts are idle, all get `count`. */
cleave_status clv_bounds_scale_to_count(clv_bounds *to, const clv_bounds *from, int32_t count,
                                        clv_ws *ws, cleave_error *err);

/* One constraint that counts vertices: upper bound 1 for each part that should hold a vertex,
 * otherwise 0.  Shares are equal among the former and sum to `count`. */
cleave_status clv_bounds_singles(clv_bounds *to, const clv_bounds *from, int32_t count,
                                 clv_ws *ws, cleave_error *err);

/* Raises upper bounds above 0 to at least total[c] (ncon numbers); all else is borrowed. */
cleave_status clv_bounds_lift(clv_bounds *to, const clv_bounds *from, const int64_t *total,
                              clv_ws *ws, cleave_error *err);

/* Ranges of parts: first[i] .. first[i + 1] - 1 become part i of `count`. */
typedef struct clv_bounds_ranges {
    int32_t count;
    const int32_t *first; /* count + 1 */
    const double *weight; /* ncon: total weight of the parts of all ranges */
    int depth; /* number of divisions from here to single parts, this one included */
} clv_bounds_ranges;
/* Bounds for one division of recursive bisection.  Shares: the weight in proportion to the
 * sums of the shares, equal if these are 0.  Upper bounds: share * (sum of all upper bounds /
 * weight)^(1 / depth), so that each of the remaining divisions can use an equal part of the
 * slack, but at most the sum of the upper bounds in the range.  Lower bounds: sums.  O(nparts
 * of all ranges * ncon). */
cleave_status clv_bounds_split(clv_bounds *to, const clv_bounds *from,
                               const clv_bounds_ranges *ranges, clv_ws *ws, cleave_error *err);

#endif
