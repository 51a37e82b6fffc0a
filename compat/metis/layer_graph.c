/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_graph.c - converts the caller's arrays to a cleave_graph.
 *
 * Arrays of the right width, counted from 0, are used directly; others are copied.  A graph
 * with edges that are stored in one direction only is rejected: METIS accepts it and returns a
 * meaningless result.  Weights beyond 2^31 - 1, possible with 64-bit idx_t, are divided by a
 * power of two. */
#include <string.h>

#include "layer.h"

int cm_status(cleave_status status)
{
    switch (status) {
    case CLEAVE_OK:
    case CLEAVE_EBALANCE: /* the closest status that METIS has */
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

idx_t cm_narrow(int64_t value)
{
    return value > IDX_MAX ? IDX_MAX : (idx_t)value;
}

/* Whether the offsets ascend from the first number. */
static bool offsets_valid(const cm_arrays *a)
{
    if (a->xadj[0] != a->numbering)
        return false;
    for (idx_t v = 0; v < a->nvtx; v++)
        if (a->xadj[v + 1] < a->xadj[v])
            return false;
    return true;
}

static int take_offsets(cm_graph *graph, const cm_arrays *a, cleave_csr *csr)
{
    if (sizeof(idx_t) == sizeof(int64_t) && a->numbering == 0) {
        csr->xadj = (const int64_t *)(const void *)a->xadj;
        return METIS_OK;
    }
    graph->xadj = cm_alloc((int64_t)a->nvtx + 1, sizeof *graph->xadj);
    if (!graph->xadj)
        return METIS_ERROR_MEMORY;
    for (int64_t v = 0; v <= a->nvtx; v++)
        graph->xadj[v] = (int64_t)a->xadj[v] - a->numbering;
    csr->xadj = graph->xadj;
    return METIS_OK;
}

static int take_neighbours(cm_graph *graph, const cm_arrays *a, int64_t narc, cleave_csr *csr)
{
    static const int32_t none[1]; /* without edges adjncy can be NULL */
    csr->adj = none;
    if (narc == 0)
        return METIS_OK;
    if (sizeof(idx_t) == sizeof(int32_t) && a->numbering == 0) {
        csr->adj = (const int32_t *)(const void *)a->adjncy;
        return METIS_OK;
    }
    graph->adj = cm_alloc(narc, sizeof *graph->adj);
    if (!graph->adj)
        return METIS_ERROR_MEMORY;
    for (int64_t i = 0; i < narc; i++) {
        idx_t u = a->adjncy[i];
        if (u < a->numbering || u - a->numbering >= a->nvtx)
            return METIS_ERROR_INPUT;
        graph->adj[i] = (int32_t)(u - a->numbering);
    }
    csr->adj = graph->adj;
    return METIS_OK;
}

/* The number of halvings that make the largest of every stride-th weight fit; -1: one is
 * negative. */
static int halvings(const idx_t *weight, int64_t count, int64_t stride)
{
    idx_t largest = 0;
    for (int64_t i = 0; i < count; i += stride) {
        if (weight[i] < 0)
            return -1;
        largest = weight[i] > largest ? weight[i] : largest;
    }
    int times = 0;
    for (int64_t w = largest; w > INT32_MAX; w /= 2)
        times++;
    return times;
}

/* Weights of `kinds` kinds, interleaved.  Divided weights are rounded up, so that none becomes
 * 0. */
static int take_weights(const idx_t *from, int64_t count, int64_t kinds, int32_t **ours,
                        const int32_t **to, bool *scaled)
{
    if (!from || count == 0)
        return METIS_OK;
    if (sizeof(idx_t) == sizeof(int32_t)) { /* cleave rejects negative ones */
        *to = (const int32_t *)(const void *)from;
        return METIS_OK;
    }
    *ours = cm_alloc(count, sizeof **ours);
    if (!*ours)
        return METIS_ERROR_MEMORY;
    for (int64_t c = 0; c < kinds; c++) {
        int times = halvings(from + c, count - c, kinds);
        if (times < 0)
            return METIS_ERROR_INPUT;
        *scaled = *scaled || times > 0;
        int64_t most = ((int64_t)1 << times) - 1;
        for (int64_t i = c; i < count; i += kinds) {
            int64_t w = ((int64_t)from[i] >> times) + ((from[i] & most) != 0);
            (*ours)[i] = (int32_t)(w > INT32_MAX ? INT32_MAX : w);
        }
    }
    *to = *ours;
    return METIS_OK;
}

/* Where all vertex weights are 0, all become equal. */
static bool weightless(const cm_arrays *a)
{
    for (int64_t i = 0; i < (int64_t)a->nvtx * a->ncon; i++)
        if (a->vwgt[i] != 0)
            return false;
    return true;
}

static int take_all_weights(cm_graph *graph, const cm_arrays *a, int64_t narc, cleave_csr *csr)
{
    bool other = false;
    const idx_t *vwgt = a->vwgt && weightless(a) ? NULL : a->vwgt;
    int status = take_weights(vwgt, (int64_t)a->nvtx * a->ncon, a->ncon, &graph->vwgt,
                              &csr->vwgt, &other);
    if (status == METIS_OK)
        status = take_weights(a->adjwgt, narc, 1, &graph->ewgt, &csr->ewgt, &graph->scaled);
    other = false;
    if (status == METIS_OK)
        status = take_weights(a->vsize, a->nvtx, 1, &graph->vsize, &csr->vsize, &other);
    /* Volumes are reported exactly, so these must be exact. */
    return status == METIS_OK && other ? METIS_ERROR_INPUT : status;
}

int cm_graph_open(cm_graph *graph, const cm_arrays *a)
{
    cleave_csr csr;
    memset(graph, 0, sizeof *graph);
    if (a->nvtx < 0 || a->nvtx >= INT32_MAX || a->ncon < 1 || a->ncon > 1024 || !a->xadj)
        return METIS_ERROR_INPUT;
    if (!offsets_valid(a))
        return METIS_ERROR_INPUT;
    int64_t narc = (int64_t)a->xadj[a->nvtx] - a->numbering;
    if (narc > 0 && !a->adjncy)
        return METIS_ERROR_INPUT;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = (int32_t)a->nvtx;
    csr.ncon = (int32_t)a->ncon;
    int status = take_offsets(graph, a, &csr);
    if (status == METIS_OK)
        status = take_neighbours(graph, a, narc, &csr);
    if (status == METIS_OK)
        status = take_all_weights(graph, a, narc, &csr);
    if (status != METIS_OK)
        return status;
    cleave_status made = cleave_graph_create(&graph->g, &csr, CLEAVE_BORROW, NULL);
    return made == CLEAVE_EINVAL ? cm_graph_mend(graph, &csr) : cm_status(made);
}

void cm_graph_close(cm_graph *graph)
{
    cleave_graph_free(graph->g);
    cm_free(graph->xadj);
    cm_free(graph->adj);
    cm_free(graph->vwgt);
    cm_free(graph->vsize);
    cm_free(graph->ewgt);
}
