/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/volume.c - communication volume as METIS defines it: every vertex sends its
 * data (vsize) once to each other part that has a neighbour of it (a DAG: a successor). */
#include "evaluate/evaluate.h"

/* Other parts among the neighbours of v.  last[p] is one more than the last vertex that
 * counted p, so that nothing is cleared between vertices. */
static int64_t parts_reached(const clv_graph *g, const int32_t *part, int32_t v, int32_t *last)
{
    int64_t count = 0;
    int32_t own = part[v];
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = part[g->adj[a]];
        if (p != own && last[p] != v + 1) {
            last[p] = v + 1;
            count++;
        }
    }
    return count;
}

cleave_status clv_evaluate_volume(const clv_parted_graph *p, clv_ws *ws, int64_t *total,
                                  int64_t *largest, int64_t *sent, cleave_error *err)
{
    const clv_graph *g = p->g;
    const int32_t *part = p->part;
    int32_t nparts = p->nparts;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *last = clv_ws_zalloc(ws, nparts, sizeof *last);
    int64_t *by_part = clv_ws_zalloc(ws, nparts, sizeof *by_part);
    if (!last || !by_part) {
        clv_ws_restore(ws, mark);
        return clv_fail_memory(err);
    }
    int64_t sum = 0, most = 0;
    bool fits = true;
    for (int32_t v = 0; v < g->nvtx && fits; v++) {
        /* No part's volume exceeds the checked sum. */
        int64_t volume;
        fits = clv_mul_i64(parts_reached(g, part, v, last), clv_graph_vsize(g, v), &volume) &&
               clv_add_i64(sum, volume, &sum);
        if (fits)
            by_part[part[v]] += volume;
    }
    for (int32_t i = 0; i < nparts; i++) {
        if (by_part[i] > most)
            most = by_part[i];
        if (sent)
            sent[i] = by_part[i];
    }
    clv_ws_restore(ws, mark);
    if (!fits)
        return clv_fail(err, CLEAVE_ERANGE, "the communication volume exceeds 2^63-1");
    *total = sum;
    *largest = most;
    return CLEAVE_OK;
}
