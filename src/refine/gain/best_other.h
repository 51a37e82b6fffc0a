/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/best_other.h - the best part of a vertex other than its own. */
#ifndef CLV_REFINE_GAIN_BEST_OTHER_H
#define CLV_REFINE_GAIN_BEST_OTHER_H

#include "refine/gain/mapping_gain.h"

/* The best other part of the gathered vertex v, or -1; *most is its value there. */
static CLV_ALWAYS_INLINE int32_t clv_best_other(const clv_partition_state *s,
                                                clv_neighbour_parts *f, int32_t v,
                                                int64_t *most, bool mapped)
{
    int32_t from = s->part[v], best = -1, list[clv_most_choices];
    int32_t count = mapped ? clv_list_choices(s, f, from, list) : f->count;
    int64_t best_room = 0;
    *most = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = mapped ? list[i] : f->touched[i];
        if (p == from)
            continue;
        int64_t worth = clv_worth_at(s, f, p, mapped);
        if (best >= 0 && worth < *most)
            continue;
        /* Ties go to the part with more capacity, so that they spread over several parts. */
        int64_t room = clv_state_room(s, p, v, 0);
        if (best >= 0 && worth == *most &&
            (room < best_room || (room == best_room && p > best)))
            continue;
        best = p;
        *most = worth;
        best_room = room;
    }
    return best;
}

#endif
