/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_graph.c - converts the caller's arrays to a cleave_mpi_graph.
 *
 * Arrays of the right width, counted from 0, are used directly; others are copied until the
 * graph is made.  A graph with edges that are stored in one direction only is rejected:
 * ParMETIS accepts it and returns a meaningless result.  Weights beyond 2^31 - 1, possible
 * with 64-bit idx_t, are divided by a power of two that all ranks agree on. */
#include "parlayer.h"

int cp_status(cleave_status status)
{
    switch (status) {
    case CLEAVE_OK:
    case CLEAVE_EBALANCE: /* the closest status that ParMETIS has */
        return METIS_OK;
    case CLEAVE_ENOMEM:
        return METIS_ERROR_MEMORY;
    case CLEAVE_EINVAL:
    case CLEAVE_ERANGE:
        return METIS_ERROR_INPUT;
    default:
        return METIS_ERROR;
    }
}

/* ---- Offsets and neighbours ------------------------------------------------------- */

static int take_ranges(cp_rows *rows, const cp_ranks *ranks, const cp_question *q)
{
    rows->vtxdist = cp_alloc((int64_t)ranks->size + 1, sizeof *rows->vtxdist);
    if (!rows->vtxdist)
        return METIS_ERROR_MEMORY;
    for (int r = 0; r <= ranks->size; r++)
        rows->vtxdist[r] = (int64_t)q->vtxdist[r] - q->numbering;
    rows->csr.vtxdist = rows->vtxdist;
    return METIS_OK;
}

static int take_offsets(cp_rows *rows, const cp_question *q)
{
    if (sizeof(idx_t) == sizeof(int64_t) && q->numbering == 0) {
        rows->csr.xadj = (const int64_t *)(const void *)q->xadj;
        return METIS_OK;
    }
    rows->xadj = cp_alloc(q->own + 1, sizeof *rows->xadj);
    if (!rows->xadj)
        return METIS_ERROR_MEMORY;
    for (int64_t v = 0; v <= q->own; v++)
        rows->xadj[v] = (int64_t)q->xadj[v] - q->numbering;
    rows->csr.xadj = rows->xadj;
    return METIS_OK;
}

static int take_neighbours(cp_rows *rows, const cp_question *q)
{
    if (sizeof(idx_t) == sizeof(int64_t) && q->numbering == 0) {
        rows->csr.adj = (const int64_t *)(const void *)q->adjncy;
        return METIS_OK;
    }
    int64_t narc = (int64_t)q->xadj[q->own] - q->numbering;
    rows->adj = cp_alloc(narc, sizeof *rows->adj);
    if (!rows->adj)
        return METIS_ERROR_MEMORY;
    for (int64_t i = 0; i < narc; i++)
        rows->adj[i] = (int64_t)q->adjncy[i] - q->numbering;
    rows->csr.adj = rows->adj;
    return METIS_OK;
}

static int take_rows(cp_rows *rows, const cp_ranks *ranks, const cp_question *q)
{
    int status = take_ranges(rows, ranks, q);
    if (status == METIS_OK && q->own > 0)
        status = take_offsets(rows, q);
    if (status == METIS_OK && q->own > 0)
        status = take_neighbours(rows, q);
    return cp_agree(ranks, status);
}

/* ---- Weights ---------------------------------------------------------------------- */

typedef struct weights {
    const idx_t *from; /* NULL: this rank has none */
    int64_t count;     /* number of kinds, interleaved */
    int64_t kinds;
    int halvings; /* the most that were needed */
} weights;

/* The number of halvings of the weights of a kind on all ranks; -1: one is negative. */
static int count_halvings(const weights *w, const cp_ranks *ranks, int64_t kind)
{
    int64_t largest = 0, least = 0;
    int times = 0;
    for (int64_t i = kind; w->from && i < w->count; i += w->kinds) {
        largest = w->from[i] > largest ? w->from[i] : largest;
        least = w->from[i] < least ? w->from[i] : least;
    }
    for (largest = cp_max(ranks, largest); largest > INT32_MAX; largest /= 2)
        times++;
    return cp_min(ranks, least) < 0 ? -1 : times;
}

/* Divided weights are rounded up, so that none becomes 0. */
static void divide(const weights *w, int64_t kind, int times, int32_t *to)
{
    int64_t most = ((int64_t)1 << times) - 1;
    for (int64_t i = kind; i < w->count; i += w->kinds) {
        int64_t less = ((int64_t)w->from[i] >> times) + ((w->from[i] & most) != 0);
        to[i] = (int32_t)(less > INT32_MAX ? INT32_MAX : less);
    }
}

static int take_weights(weights *w, const cp_ranks *ranks, int32_t **ours, const int32_t **to)
{
    if (sizeof(idx_t) == sizeof(int32_t)) { /* cleave rejects negative ones */
        *to = (const int32_t *)(const void *)w->from;
        return METIS_OK;
    }
    if (w->from)
        *ours = cp_alloc(w->count, sizeof **ours);
    int status = cp_agree(ranks, w->from && !*ours ? METIS_ERROR_MEMORY : METIS_OK);
    for (int64_t kind = 0; kind < w->kinds && status == METIS_OK; kind++) {
        int times = count_halvings(w, ranks, kind);
        if (times < 0)
            return METIS_ERROR_INPUT;
        w->halvings = times > w->halvings ? times : w->halvings;
        if (w->from)
            divide(w, kind, times, *ours);
    }
    *to = *ours;
    return status;
}

/* Where all vertex weights are 0, all become equal. */
static bool weightless(const cp_ranks *ranks, const cp_question *q)
{
    bool some = false;
    for (int64_t i = 0; q->vwgt && !some && i < q->own * q->ncon; i++)
        some = q->vwgt[i] != 0;
    return !cp_max(ranks, some);
}

static int take_all_weights(cp_rows *rows, cp_graph *graph, const cp_ranks *ranks,
                            const cp_question *q)
{
    int64_t narc = q->own > 0 ? (int64_t)q->xadj[q->own] - q->numbering : 0;
    const idx_t *vwgt = weightless(ranks, q) ? NULL : q->vwgt;
    weights vertices = {vwgt, q->own * q->ncon, q->ncon, 0};
    weights edges = {q->adjwgt, narc, 1, 0}, sizes = {q->vsize, q->own, 1, 0};
    int status = take_weights(&vertices, ranks, &rows->vwgt, &rows->csr.vwgt);
    if (status == METIS_OK)
        status = take_weights(&edges, ranks, &rows->ewgt, &rows->csr.ewgt);
    if (status == METIS_OK)
        status = take_weights(&sizes, ranks, &rows->vsize, &rows->csr.vsize);
    graph->edge_halvings = edges.halvings;
    graph->size_halvings = sizes.halvings;
    return status;
}

/* ---- The graph -------------------------------------------------------------------- */

static void rows_free(cp_rows *rows)
{
    cp_free(rows->vtxdist);
    cp_free(rows->xadj);
    cp_free(rows->adj);
    cp_free(rows->vwgt);
    cp_free(rows->ewgt);
    cp_free(rows->vsize);
}

int cp_graph_open(cp_graph *graph, const cp_ranks *ranks, const cp_question *q)
{
    cp_rows rows = {.begin = q->begin, .own = q->own};
    *graph = (cp_graph){0};
    cleave_mpi_csr_init(&rows.csr, sizeof rows.csr);
    rows.csr.ncon = (int32_t)q->ncon;
    int status = take_rows(&rows, ranks, q);
    if (status == METIS_OK)
        status = take_all_weights(&rows, graph, ranks, q);
    if (status == METIS_OK) {
        cleave_status made =
            cleave_mpi_graph_create(&graph->g, ranks->comm, &rows.csr, 0, NULL);
        status = made == CLEAVE_EINVAL ? cp_rows_mend(&rows, graph, ranks) : cp_status(made);
    }
    rows_free(&rows);
    return status;
}

void cp_graph_close(cp_graph *graph)
{
    cleave_mpi_graph_free(graph->g);
    graph->g = NULL;
}
