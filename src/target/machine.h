/* SPDX-License-Identifier: Apache-2.0 */
/* target/machine.h - the view of a target for the engines.
 *
 * PEs are numbered by `places`, the order of the recursive halving of the machine, so that
 * every domain is a range of places.  Distances are in a table for up to a few thousand PEs;
 * above, they are computed by the shape. */
#ifndef CLV_TARGET_MACHINE_H
#define CLV_TARGET_MACHINE_H

#include "target/target.h"

enum {
    clv_most_tabled = 2048, /* PEs: 16 MB */
    clv_most_nearest = 8
};

typedef struct clv_machine {
    const clv_target *t;
    int32_t npes;
    int32_t *pe;      /* by place */
    int32_t *place;   /* by PE */
    int32_t *table;   /* npes * npes distances of places; NULL: too many */
    int32_t *nearest; /* npes * clv_most_nearest: the other places at the smallest distance, by
                         number, at most that many; -1: no more.  NULL: no table */
    bool between;     /* a nearest place may be on a shortest path to a third one */
    int64_t *sum;     /* (npes + 1)^2: sum of the table above and left of a place; NULL */
} clv_machine;

/* by_place: another order of the PEs, whose ranges are then not domains; NULL: that of the
 * halving.  Arrays from ws; the caller restores it.  O(npes^2) with a table, otherwise O(npes
 * log npes). */
cleave_status clv_machine_make(clv_machine *m, const clv_target *t, const int32_t *by_place,
                               clv_ws *ws, cleave_error *err);

/* The distance of two places. */
static inline int64_t clv_machine_distance(const clv_machine *m, int32_t p, int32_t q)
{
    if (m->table)
        return m->table[(int64_t)p * m->npes + q];
    return m->t->shape->between(m->t, m->pe[p], m->pe[q]);
}

/* The mean distance of the places first[i] .. last[i] - 1 of two non-empty ranges; only with a
 * table. */
static inline double clv_machine_mean(const clv_machine *m, const int32_t first[2],
                                      const int32_t last[2])
{
    int64_t n = m->npes + INT64_C(1);
    int64_t sum = m->sum[last[0] * n + last[1]] - m->sum[first[0] * n + last[1]] -
                  m->sum[last[0] * n + first[1]] + m->sum[first[0] * n + first[1]];
    return (double)sum / ((double)(last[0] - first[0]) * (double)(last[1] - first[1]));
}

#endif
