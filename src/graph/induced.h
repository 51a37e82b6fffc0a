/* SPDX-License-Identifier: Apache-2.0 */
/* graph/induced.h - the rows of an induced subgraph, in the vertex order of the caller.
 *
 * Callers have different tests for vertices inside: labels, a range, a hash table.  They pass
 * a function, which is inlined. clv_derive_subgraph makes a graph with ascending rows and all
 * attributes. */
#ifndef CLV_GRAPH_INDUCED_H
#define CLV_GRAPH_INDUCED_H

#include "graph/derive.h"

typedef struct clv_induced_rows {
    int64_t *xadj;
    int32_t *adj;
    clv_new_weights weight; /* none: all 1 */
    int64_t narc;           /* so far */
} clv_induced_rows;

/* Arrays from ws for nvtx rows with at most narc entries; weights of the same kind as
 * `like`. */
static inline cleave_status clv_induced_open(clv_induced_rows *r, int64_t nvtx, int64_t narc,
                                             clv_weights like, clv_ws *ws, cleave_error *err)
{
    *r = (clv_induced_rows){.xadj = clv_ws_alloc(ws, nvtx + 1, sizeof *r->xadj),
                            .adj = clv_ws_alloc(ws, narc, sizeof *r->adj)};
    if (!r->xadj || !r->adj ||
        (clv_weights_any(like) &&
         !clv_weights_zalloc(&r->weight, like.wide != NULL, narc, ws)))
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

/* The number of a vertex in the subgraph; -1: it is outside. */
typedef int32_t (*clv_induced_number)(const void *set, int32_t v);

/* Appends the entries of row v that are inside; `positive`: without those of weight 0.  The
 * caller sets xadj. */
static CLV_ALWAYS_INLINE void clv_induced_append(clv_induced_rows *to, const clv_csr *from,
                                                 int32_t v, clv_induced_number number,
                                                 const void *set, bool positive)
{
    bool weighted = clv_weights_any(from->weight);
    for (int64_t a = from->xadj[v]; a < from->xadj[v + 1]; a++) {
        int32_t u = number(set, from->adj[a]);
        if (u < 0 || (positive && clv_weight_at(from->weight, a) == 0))
            continue;
        to->adj[to->narc] = u;
        if (weighted)
            clv_weight_set(to->weight, to->narc, clv_weight_at(from->weight, a));
        to->narc++;
    }
}

#endif
