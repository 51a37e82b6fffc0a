/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/link_cost.h - the cost of the edges of a vertex on a machine, from its links
 * (refine/gain/gain_cache.h). */
#ifndef CLV_REFINE_GAIN_LINK_COST_H
#define CLV_REFINE_GAIN_LINK_COST_H

#include "refine/gain/gain_cache.h"
#include "refine/gain/mapping_gain.h"

/* The connectivity of a vertex on a machine: its links and the edges inside its own place. */
typedef struct clv_pulls {
    const clv_link *link;
    const int64_t *wide; /* by place: the weights of the links; NULL: stored in the links */
    int32_t count, part;
    int64_t own;
} clv_pulls;

static CLV_ALWAYS_INLINE int64_t clv_pull_of(const clv_pulls *x, int32_t i)
{
    return x->wide ? x->wide[x->link[i].part] : x->link[i].weight;
}

/* The cost of the edges of the vertex at place b. */
static CLV_ALWAYS_INLINE int64_t clv_pulls_cost(const clv_machine *m, const clv_pulls *x,
                                                int32_t b)
{
    int64_t sum = x->own * clv_machine_distance(m, b, x->part);
    for (int32_t i = 0; i < x->count; i++)
        sum += clv_pull_of(x, i) * clv_machine_distance(m, b, x->link[i].part);
    return sum;
}

/* The strongest of many links, by insertion. */
static inline int32_t clv_pulls_strongest(const clv_pulls *x, int32_t *list)
{
    int32_t count = 0;
    for (int32_t i = 0; i < x->count; i++) {
        int64_t w = clv_pull_of(x, i);
        if (count == clv_most_candidates && w <= clv_pull_of(x, list[count - 1]))
            continue;
        int32_t j = count < clv_most_candidates ? count++ : count - 1;
        for (; j > 0 && clv_pull_of(x, list[j - 1]) < w; j--)
            list[j] = list[j - 1];
        list[j] = i;
    }
    return count;
}

/* Whether a link leads beyond the nearest places.  Requires m->between. */
static inline bool clv_pulls_reach(const clv_machine *m, const clv_pulls *x)
{
    for (int32_t i = 0; i < x->count; i++)
        if (clv_is_beyond(m, x->part, x->link[i].part))
            return true;
    return false;
}

static inline bool clv_pulls_has(const clv_pulls *x, int32_t part)
{
    for (int32_t i = 0; i < x->count; i++)
        if (x->link[i].part == part)
            return true;
    return false;
}

#endif
