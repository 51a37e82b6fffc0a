/* SPDX-License-Identifier: Apache-2.0 */
/* generate/assemble.c - builds the rows of generated graphs. */
#include "generate/assemble.h"

#include <assert.h>
#include <string.h>

#include "base/group.h"
#include "graph/rows.h"

enum { grain = 4096 };

/* ---- Rows from a list function -------------------------------------------------------- */

typedef struct listing {
    clv_rows *rows;
    clv_list_fn list;
    const void *context;
} listing;

static void count_listed(void *context, int64_t begin, int64_t end, int member)
{
    const listing *l = context;
    int32_t scratch[CLV_MOST_LISTED];
    (void)member;
    for (int64_t v = begin; v < end; v++)
        l->rows->xadj[v] = l->list(l->context, (int32_t)v, scratch);
}

static void fill_listed(void *context, int64_t begin, int64_t end, int member)
{
    const listing *l = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        l->list(l->context, (int32_t)v, l->rows->adj + l->rows->xadj[v]);
}

cleave_status clv_rows_listed(clv_rows *rows, int32_t nvtx, clv_list_fn list,
                              const void *context, clv_team *team, cleave_error *err)
{
    *rows = (clv_rows){.nvtx = nvtx};
    listing l = {rows, list, context};
    rows->xadj = clv_alloc((int64_t)nvtx + 1, sizeof *rows->xadj);
    if (!rows->xadj)
        return clv_fail_memory(err);
    clv_parallel_for(team, nvtx, grain, count_listed, &l);
    rows->xadj[nvtx] = clv_prefix_sum(team, rows->xadj, nvtx);
    rows->adj = clv_alloc(rows->xadj[nvtx], sizeof *rows->adj);
    if (!rows->adj) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    clv_parallel_for(team, nvtx, grain, fill_listed, &l);
    return CLEAVE_OK;
}

/* ---- Rows from one half of each edge --------------------------------------------------- */

/* At the start xadj[v + 1] is the start of row v.  Smaller neighbours are appended in the
 * order of the rows that contain v, so they ascend; the upper half of row v follows them. */
static void mirror(const clv_rows *rows, const int64_t *xup, const int32_t *up)
{
    int64_t *fill = rows->xadj + 1;
    for (int32_t v = 0; v < rows->nvtx; v++) {
        for (int64_t a = xup[v]; a < xup[v + 1]; a++) {
            assert(up[a] > v);
            rows->adj[fill[up[a]]++] = v;
        }
        int64_t own = xup[v + 1] - xup[v];
        memcpy(rows->adj + fill[v], up + xup[v], (size_t)own * sizeof *up);
        fill[v] += own;
    }
}

cleave_status clv_rows_mirrored(clv_rows *rows, int32_t nvtx, const int64_t *xup,
                                const int32_t *up, cleave_error *err)
{
    *rows = (clv_rows){.nvtx = nvtx};
    rows->xadj = clv_zalloc((int64_t)nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(2 * xup[nvtx], sizeof *rows->adj);
    if (!rows->xadj || !rows->adj) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    /* Degrees are counted one entry ahead: xadj[v + 1] becomes the start of row v, and filling
     * the row moves it to the start of row v + 1. */
    int64_t *degree = rows->xadj + 1;
    for (int64_t a = 0; a < xup[nvtx]; a++)
        degree[up[a]]++;
    for (int32_t v = 0; v < nvtx; v++)
        degree[v] += xup[v + 1] - xup[v];
    clv_group_starts(rows->xadj, nvtx);
    mirror(rows, xup, up);
    return CLEAVE_OK;
}

/* ---- The graph ------------------------------------------------------------------------ */

cleave_status clv_assemble(clv_graph **out, cleave_kind kind, clv_rows *rows, int32_t ndim,
                           double *coords, cleave_error *err)
{
    clv_build_rules rules = {.trust = true};
    rows->known_good = true;
    rows->paired = kind == CLEAVE_UNDIRECTED;
    assert(clv_rows_strict(rows));
    cleave_status status = clv_build_graph(out, kind, rows, &rules, NULL, err);
    if (status != CLEAVE_OK || !coords) {
        clv_sys_free(coords);
        return status;
    }
    if (!clv_arena_adopt(&(*out)->arena, coords)) {
        clv_sys_free(coords);
        return clv_fail_memory(err);
    }
    (*out)->ndim = ndim;
    (*out)->coords = coords;
    return CLEAVE_OK;
}
