/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_arcs.c - see mpi/dist_arcs.h. */
#include "mpi/dist_arcs.h"

#include <string.h>

#include "base/rng.h"

bool clv_dist_merger_reserve(clv_dist_merger *m, int64_t longest)
{
    int64_t wanted = 4;
    while (wanted < 2 * longest)
        wanted *= 2;
    if (wanted <= m->nslots)
        return true;
    clv_sys_free(m->slot);
    m->slot = clv_zalloc(wanted, sizeof *m->slot);
    m->nslots = m->slot ? wanted : 0;
    return m->slot != NULL;
}

int64_t clv_dist_merge_row(clv_dist_merger *m, bool wide, void *row, int64_t count)
{
    int64_t kept = 0, mask = 4;
    while (mask < 2 * count)
        mask *= 2;
    mask--;
    for (int64_t i = 0; i < count; i++) {
        const clv_dist_arc *now = clv_dist_arc_at(wide, row, i);
        int64_t at = (int64_t)clv_hash64((uint64_t)now->head) & mask;
        while (m->slot[at] && clv_dist_arc_at(wide, row, m->slot[at] - 1)->head != now->head)
            at = (at + 1) & mask;
        if (!m->slot[at]) {
            m->slot[at] = kept + 1;
            memmove(clv_dist_arc_at(wide, row, kept++), now, clv_dist_arc_bytes(wide));
            continue;
        }
        clv_dist_arc *first = clv_dist_arc_at(wide, row, m->slot[at] - 1);
        clv_dist_arc_set(wide, first,
                         clv_dist_arc_weight(wide, first) + clv_dist_arc_weight(wide, now));
    }
    for (int64_t i = 0; i < kept; i++) {
        const clv_dist_arc *now = clv_dist_arc_at(wide, row, i);
        int64_t at = (int64_t)clv_hash64((uint64_t)now->head) & mask;
        while (m->slot[at]) {
            m->slot[at] = 0;
            at = (at + 1) & mask;
        }
    }
    return kept;
}
