/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_preds.c - the transpose of a distributed DAG: predecessors by the owner of the
 * head. */
#include "mpi/dist_check.h"

#include <string.h>

#include "base/sort.h"

typedef struct arc {
    int64_t tail, head;
    int64_t weight;
} arc;

void clv_dist_preds_free(clv_dist_preds *preds)
{
    clv_sys_free(preds->xadj);
    clv_sys_free(preds->adj);
    clv_sys_free(preds->ewgt);
    clv_sys_free(preds->wide_ewgt);
    *preds = (clv_dist_preds){0};
}

/* Sorts arcs by the owner of their heads, in the order of their tails. */
static void deal_arcs(const clv_comm *comm, const clv_dist_rows *rows, int64_t *first,
                      arc *arcs)
{
    int64_t begin = rows->first[comm->rank], own = rows->first[comm->rank + 1] - begin;
    memset(first, 0, (size_t)(comm->size + 2) * sizeof *first);
    for (int64_t a = 0; a < rows->xadj[own]; a++)
        first[clv_dist_owner(rows->first, comm->size, rows->adj[a]) + 2]++;
    for (int r = 0; r < comm->size; r++)
        first[r + 2] += first[r + 1];
    for (int64_t v = 0; v < own; v++)
        for (int64_t a = rows->xadj[v]; a < rows->xadj[v + 1]; a++) {
            int64_t u = rows->adj[a];
            int r = clv_dist_owner(rows->first, comm->size, u);
            clv_weights weights = {rows->ewgt, rows->wide_ewgt};
            arcs[first[r + 1]++] = (arc){begin + v, u, clv_weight_at(weights, a)};
        }
}

/* Arcs arrive from ascending ranks, each with ascending tails: rows are sorted. */
static bool build(const clv_comm *comm, const clv_dist_rows *rows, const clv_arrivals *got,
                  clv_dist_preds *preds)
{
    const arc *arcs = got->items;
    int64_t count = got->count, begin = rows->first[comm->rank],
            own = rows->first[comm->rank + 1] - begin;
    preds->xadj = clv_zalloc(own + 2, sizeof *preds->xadj);
    preds->adj = clv_alloc(count, sizeof *preds->adj);
    preds->ewgt = rows->ewgt ? clv_alloc(count, sizeof *preds->ewgt) : NULL;
    preds->wide_ewgt = rows->wide_ewgt ? clv_alloc(count, sizeof *preds->wide_ewgt) : NULL;
    if (!preds->xadj || !preds->adj || (rows->ewgt && !preds->ewgt) ||
        (rows->wide_ewgt && !preds->wide_ewgt))
        return false;
    int64_t *next = preds->xadj + 1;
    for (int64_t i = 0; i < count; i++)
        next[arcs[i].head - begin + 1]++;
    for (int64_t v = 0; v < own; v++)
        next[v + 1] += next[v];
    for (int64_t i = 0; i < count; i++) {
        int64_t place = next[arcs[i].head - begin]++;
        preds->adj[place] = arcs[i].tail;
        if (preds->ewgt)
            preds->ewgt[place] = (int32_t)arcs[i].weight;
        if (preds->wide_ewgt)
            preds->wide_ewgt[place] = arcs[i].weight;
    }
    return true;
}

cleave_status clv_dist_make_preds(const clv_comm *comm, const clv_dist_rows *rows,
                                  clv_dist_preds *preds, cleave_error *err)
{
    int64_t own = rows->first[comm->rank + 1] - rows->first[comm->rank];
    int64_t *first = clv_alloc(comm->size + 2, sizeof *first);
    arc *arcs = clv_alloc(rows->xadj[own], sizeof *arcs);
    clv_arrivals got = {0};
    cleave_status status = clv_comm_agree_memory(comm, first && arcs, err);
    if (status == CLEAVE_OK) {
        deal_arcs(comm, rows, first, arcs);
        status = clv_comm_exchange(comm, arcs, first, sizeof *arcs, &got, err);
    }
    clv_sys_free(arcs);
    if (status == CLEAVE_OK)
        status = clv_comm_agree_memory(comm, build(comm, rows, &got, preds), err);
    clv_arrivals_free(&got);
    clv_sys_free(first);
    return status;
}
