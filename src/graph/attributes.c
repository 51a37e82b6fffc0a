/* SPDX-License-Identifier: Apache-2.0 */
/* graph/attributes.c - weights, sizes, coordinates and names of vertices. */
#include <math.h>
#include <string.h>

#include "graph/build.h"

static cleave_status check_not_negative(const int32_t *values, int64_t count, int32_t each,
                                        const char *what, cleave_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the negative %s %ld",
                            (long long)(i / each), what, (long)values[i]);
    return CLEAVE_OK;
}

static cleave_status check_attributes(int32_t nvtx, const cleave_csr *csr, cleave_error *err)
{
    if (csr->ncon < 1)
        return clv_fail(err, CLEAVE_EINVAL, "ncon is %d; a vertex has at least one weight",
                        (int)csr->ncon);
    if (csr->ndim != 0 && csr->ndim != 2 && csr->ndim != 3)
        return clv_fail(err, CLEAVE_EINVAL, "ndim is %d; coordinates have 2 or 3 dimensions",
                        (int)csr->ndim);
    if ((csr->ndim != 0) != (csr->coords != NULL))
        return clv_fail(err, CLEAVE_EINVAL, "coords and ndim must be given together");
    if (csr->vwgt)
        CLV_TRY(check_not_negative(csr->vwgt, (int64_t)nvtx * csr->ncon, csr->ncon, "weight",
                                   err));
    if (csr->vsize)
        CLV_TRY(check_not_negative(csr->vsize, nvtx, 1, "size", err));
    for (int64_t i = 0; i < (int64_t)nvtx * csr->ndim; i++)
        if (!isfinite(csr->coords[i]))
            return clv_fail(err, CLEAVE_EINVAL, "a coordinate of vertex %lld is not finite",
                            (long long)(i / csr->ndim));
    for (int32_t v = 0; csr->names && v < nvtx; v++)
        if (!csr->names[v])
            return clv_fail(err, CLEAVE_EINVAL, "the name of vertex %d is NULL", (int)v);
    return CLEAVE_OK;
}

/* The array itself, or a copy in the graph's arena; NULL stays NULL. *ok becomes false if
 * memory is exhausted. */
static const void *borrow_or_copy(clv_graph *g, const void *array, int64_t count, size_t each,
                                  bool borrow, bool *ok)
{
    if (!array || borrow)
        return array;
    void *copy = clv_arena_alloc(&g->arena, count, each);
    if (copy)
        memcpy(copy, array, (size_t)count * each);
    else
        *ok = false;
    return copy;
}

static cleave_status keep_names(clv_graph *g, const char *const *names, cleave_error *err)
{
    if (!names)
        return CLEAVE_OK;
    int64_t *offset = clv_arena_alloc(&g->arena, (int64_t)g->nvtx + 1, sizeof *offset);
    if (!offset)
        return clv_fail_memory(err);
    offset[0] = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        offset[v + 1] = offset[v] + (int64_t)strlen(names[v]) + 1;
    char *text = clv_arena_alloc(&g->arena, offset[g->nvtx], 1);
    if (!text)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        memcpy(text + offset[v], names[v], (size_t)(offset[v + 1] - offset[v]));
    g->names = (clv_names){offset, text};
    return CLEAVE_OK;
}

cleave_status clv_graph_set_wide_vwgt(clv_graph *g, int32_t ncon, int64_t **vwgt,
                                      cleave_error *err)
{
    if (!clv_arena_adopt(&g->arena, *vwgt))
        return clv_fail_memory(err);
    g->ncon = ncon;
    clv_graph_set_vwgts(g, (clv_weights){NULL, *vwgt});
    *vwgt = NULL;
    return CLEAVE_OK;
}

cleave_status clv_graph_set_attributes(clv_graph *g, const cleave_csr *csr, bool borrow,
                                       cleave_error *err)
{
    CLV_TRY(check_attributes(g->nvtx, csr, err));
    int64_t n = g->nvtx;
    g->ncon = csr->vwgt ? csr->ncon : 1;
    g->ndim = csr->ndim;
    bool ok = true;
    g->vwgt = borrow_or_copy(g, csr->vwgt, n * csr->ncon, sizeof *g->vwgt, borrow, &ok);
    g->vsize = borrow_or_copy(g, csr->vsize, n, sizeof *g->vsize, borrow, &ok);
    g->coords = borrow_or_copy(g, csr->coords, n * csr->ndim, sizeof *g->coords, borrow, &ok);
    return ok ? keep_names(g, csr->names, err) : clv_fail_memory(err);
}
