/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/generate_grid.c - regular grids: every rank writes the rows of an even range. */
#include "generate/assemble.h"
#include "generate/grid.h"
#include "mpi/generate.h"

enum { grain = 4096 };

typedef struct listing {
    const clv_grid *g;
    int64_t begin, own; /* vertices of this rank */
    clv_dist_rows *rows;
} listing;

static void count_rows(void *context, int64_t begin, int64_t end, int member)
{
    const listing *l = context;
    int64_t scratch[CLV_MOST_LISTED];
    (void)member;
    for (int64_t v = begin; v < end; v++)
        l->rows->xadj[v] = clv_grid_list(l->g, l->begin + v, scratch);
}

static void fill_rows(void *context, int64_t begin, int64_t end, int member)
{
    const listing *l = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        clv_grid_list(l->g, l->begin + v, l->rows->adj + l->rows->xadj[v]);
        clv_grid_place(l->g, l->begin + v, l->rows->coords + v * l->g->ndim);
    }
}

static bool list_rows(listing *l, clv_team *team)
{
    clv_dist_rows *rows = l->rows;
    rows->xadj = clv_alloc(l->own + 1, sizeof *rows->xadj);
    rows->coords = clv_alloc(l->own * l->g->ndim, sizeof *rows->coords);
    if (!rows->xadj || !rows->coords)
        return false;
    clv_parallel_for(team, l->own, grain, count_rows, l);
    rows->xadj[l->own] = clv_prefix_sum(team, rows->xadj, l->own);
    rows->adj = clv_alloc(rows->xadj[l->own], sizeof *rows->adj);
    if (!rows->adj)
        return false;
    clv_parallel_for(team, l->own, grain, fill_rows, l);
    return true;
}

/* Bounds the number of vertices by what the ranks can hold and by the number of edges. */
static int64_t most_vertices(const clv_comm *comm)
{
    int64_t most = CLV_MOST_VERTICES * comm->size;
    return most < CLV_MOST_EDGES ? most : CLV_MOST_EDGES;
}

static cleave_status make_grid(clv_dist_graph **out, const clv_comm *comm, clv_spec *spec,
                               int ndim, const clv_making *how, cleave_error *err)
{
    clv_grid g;
    cleave_status status = clv_grid_read(&g, spec, ndim, most_vertices(comm), err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    int64_t *first = clv_alloc(comm->size + 1, sizeof *first);
    clv_dist_rows rows = {.kind = CLEAVE_UNDIRECTED, .first = first, .ncon = 1, .ndim = ndim};
    rows.trust = true;
    bool ok = first != NULL;
    if (ok) {
        clv_dist_even(g.nvtx, comm->size, first);
        int64_t begin = first[comm->rank], end = first[comm->rank + 1];
        ok = list_rows(&(listing){&g, begin, end - begin, &rows}, how->team);
    }
    status = clv_comm_agree_memory(comm, ok, err);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, comm, &rows, err);
    clv_dist_rows_free(&rows);
    clv_sys_free(first);
    return status;
}

cleave_status clv_dist_generate_grid2d(clv_dist_graph **out, const clv_comm *comm,
                                       clv_spec *spec, const clv_making *how,
                                       cleave_error *err)
{
    return make_grid(out, comm, spec, 2, how, err);
}

cleave_status clv_dist_generate_grid3d(clv_dist_graph **out, const clv_comm *comm,
                                       clv_spec *spec, const clv_making *how,
                                       cleave_error *err)
{
    return make_grid(out, comm, spec, 3, how, err);
}
