/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_reorder.c - METIS_CacheFriendlyReordering of METIS 5.2, which DGL calls:
 * renumbers vertices part by part, in breadth-first order inside a part.
 *
 * The search starts from the first vertex of the part without a number.  O(n + m). */
#include "layer.h"

#if METIS_VER_MINOR >= 2

typedef struct numbering {
    const idx_t *xadj, *adjncy, *part;
    idx_t *next;    /* by part: the next number */
    idx_t *queue;   /* numbered vertices, in the order of their numbers */
    idx_t *old2new; /* -1: none yet */
} numbering;

static bool arguments_valid(idx_t n, const idx_t *xadj, const idx_t *adjncy, const idx_t *part,
                            idx_t *nparts)
{
    *nparts = 0;
    if (n < 0 || !xadj || xadj[0] != 0)
        return false;
    for (idx_t v = 0; v < n; v++) {
        if (xadj[v + 1] < xadj[v] || part[v] < 0 || part[v] == IDX_MAX)
            return false;
        *nparts = part[v] >= *nparts ? part[v] + 1 : *nparts;
    }
    if (xadj[n] > 0 && !adjncy)
        return false;
    for (idx_t i = 0; i < xadj[n]; i++)
        if (adjncy[i] < 0 || adjncy[i] >= n)
            return false;
    return true;
}

/* Numbers all vertices reachable from v inside its part. */
static void number_piece(numbering *o, idx_t v)
{
    idx_t p = o->part[v], head = 0, tail = 0;
    o->old2new[v] = o->next[p]++;
    o->queue[tail++] = v;
    while (head < tail) {
        idx_t u = o->queue[head++];
        for (idx_t i = o->xadj[u]; i < o->xadj[u + 1]; i++) {
            idx_t w = o->adjncy[i];
            if (o->part[w] != p || o->old2new[w] >= 0)
                continue;
            o->old2new[w] = o->next[p]++;
            o->queue[tail++] = w;
        }
    }
}

static void number_all(numbering *o, idx_t n, idx_t nparts)
{
    for (idx_t p = 0; p < nparts; p++)
        o->next[p] = 0;
    for (idx_t v = 0; v < n; v++) {
        o->old2new[v] = -1;
        o->next[o->part[v]]++;
    }
    for (idx_t p = 0, sum = 0; p < nparts; p++) {
        idx_t count = o->next[p];
        o->next[p] = sum;
        sum += count;
    }
    for (idx_t v = 0; v < n; v++)
        if (o->old2new[v] < 0)
            number_piece(o, v);
}

METIS_API(int)
METIS_CacheFriendlyReordering(idx_t nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *part,
                              idx_t *old2new)
{
    idx_t nparts;
    if ((nvtxs > 0 && (!part || !old2new)) ||
        !arguments_valid(nvtxs, xadj, adjncy, part, &nparts))
        return METIS_ERROR_INPUT;
    numbering o = {xadj,
                   adjncy,
                   part,
                   cm_alloc(nparts, sizeof *o.next),
                   cm_alloc(nvtxs, sizeof *o.queue),
                   old2new};
    bool room = o.next && o.queue;
    if (room)
        number_all(&o, nvtxs, nparts);
    cm_free(o.next);
    cm_free(o.queue);
    return room ? METIS_OK : METIS_ERROR_MEMORY;
}

#endif
