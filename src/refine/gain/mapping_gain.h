/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/mapping_gain.h - gains of moves when parts are places of a machine.
 *
 * The edges of a vertex at place b cost the sum over places p of conn[p] * d(b, p).  Edges are
 * first gathered by place (refine/state/neighbour_parts.h), and only the few places that occur
 * are looked up, in one row of the table of distances.  The gain of a move is the reduction of
 * the cost.
 *
 * The sum of all edge weights times the largest distance must fit into 63 bits. */
#ifndef CLV_REFINE_GAIN_MAPPING_GAIN_H
#define CLV_REFINE_GAIN_MAPPING_GAIN_H

#include <string.h>

#include "refine/state/neighbour_parts.h"

/* For a vertex with neighbours in very many places only the strongest are candidates. */
enum { clv_most_candidates = 16, clv_most_choices = clv_most_candidates + clv_most_nearest };

/* The cost of the edges of the gathered vertex at place b. */
static inline int64_t clv_mapping_cost(const clv_machine *m, const clv_neighbour_parts *f,
                                       int32_t b)
{
    int64_t sum = 0;
    if (m->table) {
        const int32_t *row = m->table + (int64_t)b * m->npes;
        for (int32_t i = 0; i < f->count; i++)
            sum += f->conn[f->touched[i]] * row[f->touched[i]];
        return sum;
    }
    for (int32_t i = 0; i < f->count; i++)
        sum += f->conn[f->touched[i]] * clv_machine_distance(m, b, f->touched[i]);
    return sum;
}

/* The value of the vertex in part p, up to a constant: the gain of a move is the difference.
 * The caller passes `mapped` as a constant. */
static CLV_ALWAYS_INLINE int64_t clv_worth_at(const clv_partition_state *s,
                                              const clv_neighbour_parts *f, int32_t p,
                                              bool mapped)
{
    return mapped ? -clv_mapping_cost(s->machine, f, p) : f->conn[p];
}

/* Puts the strongest places first where there are more than clv_most_candidates, ties by
 * number.  Returns the number of candidates. */
static inline int32_t clv_strongest_first(clv_neighbour_parts *f)
{
    if (f->count <= clv_most_candidates)
        return f->count;
    int32_t *p = f->touched;
    for (int32_t i = 1; i < f->count; i++) {
        int32_t q = p[i], j = i < clv_most_candidates ? i : clv_most_candidates - 1,
                out = p[j];
        if (i >= clv_most_candidates &&
            (f->conn[q] < f->conn[out] || (f->conn[q] == f->conn[out] && q > out)))
            continue;
        for (; j > 0 && (f->conn[p[j - 1]] < f->conn[q] ||
                         (f->conn[p[j - 1]] == f->conn[q] && p[j - 1] > q));
             j--)
            p[j] = p[j - 1];
        p[j] = q;
        if (i >= clv_most_candidates)
            p[i] = out;
    }
    return clv_most_candidates;
}

/* Whether place p is farther from place `own` than the nearest ones, so that places in between
 * can exist.  Requires m->between. */
static inline bool clv_is_beyond(const clv_machine *m, int32_t own, int32_t p)
{
    const int32_t *row = m->table + (int64_t)own * m->npes;
    return row[p] > row[m->nearest[(int64_t)own * clv_most_nearest]];
}

/* The candidate places of the gathered vertex: those of its neighbours and, if one of these is
 * beyond the nearest places of its own, the nearest ones that are in use: a place between the
 * neighbours can be better than any of theirs.  Its own place can be among them. */
static inline int32_t clv_list_choices(const clv_partition_state *s, clv_neighbour_parts *f,
                                       int32_t own, int32_t list[clv_most_choices])
{
    const clv_machine *m = s->machine;
    int32_t count = clv_strongest_first(f), i = 0;
    memcpy(list, f->touched, (size_t)count * sizeof *list);
    if (!m->between)
        return count;
    while (i < f->count && !clv_is_beyond(m, own, f->touched[i]))
        i++;
    if (i == f->count)
        return count;
    const int32_t *near = m->nearest + (int64_t)own * clv_most_nearest;
    for (i = 0; i < clv_most_nearest && near[i] >= 0; i++)
        if (f->conn[near[i]] == 0 && s->count[near[i]] > 0)
            list[count++] = near[i];
    return count;
}

#endif
