/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_whole.c - scatter and gather of whole graphs. */
#include <string.h>

#include "graph/build.h"
#include "mpi/dist_graph.h"

/* ---- Scatter ---------------------------------------------------------------------------- */

enum { tag_deal = 13, has_vwgt = 1, has_ewgt = 2, has_vsize = 4, has_coords = 8 };

typedef struct summary {
    int64_t nvtx, kind, ncon, ndim, flags;
} summary;

static summary summarise(const clv_graph *g)
{
    return (summary){g->nvtx, g->kind, g->ncon, g->ndim,
                     (g->vwgt ? has_vwgt : 0) | (g->ewgt ? has_ewgt : 0) |
                         (g->vsize ? has_vsize : 0) | (g->coords ? has_coords : 0)};
}

/* Sends bytes of rank 0 to others, in chunks that fit an int. */
static void hand_over(const clv_comm *comm, const void *from, void *to, int64_t bytes,
                      int rank)
{
    enum { piece = 1 << 28 };
    if (comm->rank == 0)
        clv_comm_count_bytes(comm, bytes);
    for (int64_t at = 0; at < bytes; at += piece) {
        int now = (int)(bytes - at < piece ? bytes - at : piece);
        if (comm->rank == 0)
            MPI_Send((const char *)from + at, now, MPI_BYTE, rank, tag_deal, comm->mpi);
        else
            MPI_Recv((char *)to + at, now, MPI_BYTE, 0, tag_deal, comm->mpi,
                     MPI_STATUS_IGNORE);
    }
}

/* The items of an array of rank 0 that go to one rank. */
typedef struct share {
    const clv_comm *comm;
    int rank;
    int64_t begin, end;
} share;

/* Copies the share of an array of rank 0 to *to, which its rank has allocated. */
static void deal_array(const share *s, const void *array, size_t each, void *to)
{
    const char *from = array ? (const char *)array + s->begin * (int64_t)each : NULL;
    if (s->rank == 0 && s->comm->rank == 0 && s->end > s->begin)
        memcpy(to, from, (size_t)(s->end - s->begin) * each);
    else if (s->rank != 0 && (s->comm->rank == 0 || s->comm->rank == s->rank))
        hand_over(s->comm, from, to, (s->end - s->begin) * (int64_t)each, s->rank);
}

static bool allocate_rows(clv_dist_rows *rows, const summary *s, int64_t own, int64_t narc)
{
    rows->adj = clv_alloc(narc, sizeof *rows->adj);
    rows->ewgt = s->flags & has_ewgt ? clv_alloc(narc, sizeof *rows->ewgt) : NULL;
    rows->vwgt = s->flags & has_vwgt ? clv_alloc(own * s->ncon, sizeof *rows->vwgt) : NULL;
    rows->vsize = s->flags & has_vsize ? clv_alloc(own, sizeof *rows->vsize) : NULL;
    rows->coords =
        s->flags & has_coords ? clv_alloc(own * s->ndim, sizeof *rows->coords) : NULL;
    return rows->adj && (rows->ewgt || !(s->flags & has_ewgt)) &&
           (rows->vwgt || !(s->flags & has_vwgt)) &&
           (rows->vsize || !(s->flags & has_vsize)) &&
           (rows->coords || !(s->flags & has_coords));
}

/* Widens 32-bit neighbours at the end of their memory to 64-bit ones, from the front. */
static void widen(int64_t *adj, int64_t narc)
{
    const int32_t *narrow = (const int32_t *)adj + narc;
    for (int64_t a = 0; a < narc; a++) {
        int32_t u;
        memcpy(&u, narrow + a, sizeof u);
        int64_t wide = u;
        memcpy(adj + a, &wide, sizeof wide);
    }
}

/* whole: on rank 0; else NULL. */
static cleave_status deal_offsets(clv_dist_rows *rows, const clv_comm *comm,
                                  const clv_graph *whole, cleave_error *err)
{
    const int64_t *first = rows->first;
    int64_t own = first[comm->rank + 1] - first[comm->rank];
    rows->xadj = clv_alloc(own + 1, sizeof *rows->xadj);
    CLV_TRY(clv_comm_agree_memory(comm, rows->xadj != NULL, err));
    for (int r = 0; r < comm->size; r++) {
        share offsets = {comm, r, first[r], first[r + 1] + 1};
        deal_array(&offsets, whole ? whole->xadj : NULL, sizeof *rows->xadj, rows->xadj);
    }
    return CLEAVE_OK;
}

static cleave_status deal_rows(clv_dist_rows *rows, const clv_comm *comm,
                               const clv_graph *whole, const summary *s, cleave_error *err)
{
    static const clv_graph nothing;
    const int64_t *first = rows->first;
    int64_t own = first[comm->rank + 1] - first[comm->rank];
    const clv_graph *from = whole ? whole : &nothing;
    CLV_TRY(deal_offsets(rows, comm, whole, err));
    int64_t base = rows->xadj[0], narc = rows->xadj[own] - base;
    for (int64_t v = 0; v <= own; v++)
        rows->xadj[v] -= base;
    CLV_TRY(clv_comm_agree_memory(comm, allocate_rows(rows, s, own, narc), err));
    for (int r = 0; r < comm->size; r++) {
        share vertices = {comm, r, first[r], first[r + 1]};
        share arcs = {comm, r, whole ? whole->xadj[first[r]] : base,
                      whole ? whole->xadj[first[r + 1]] : base + narc};
        deal_array(&arcs, from->adj, sizeof *from->adj, (int32_t *)rows->adj + narc);
        if (s->flags & has_ewgt)
            deal_array(&arcs, from->ewgt, sizeof *rows->ewgt, rows->ewgt);
        if (s->flags & has_vwgt)
            deal_array(&vertices, from->vwgt, (size_t)s->ncon * sizeof *rows->vwgt,
                       rows->vwgt);
        if (s->flags & has_vsize)
            deal_array(&vertices, from->vsize, sizeof *rows->vsize, rows->vsize);
        if (s->flags & has_coords)
            deal_array(&vertices, from->coords, (size_t)s->ndim * sizeof *rows->coords,
                       rows->coords);
    }
    widen(rows->adj, narc);
    return CLEAVE_OK;
}

cleave_status clv_dist_graph_scatter(clv_dist_graph **out, const clv_comm *comm,
                                     const clv_graph *whole, const int64_t *first,
                                     cleave_error *err)
{
    summary s = {0};
    int64_t *ranges = clv_alloc(comm->size + 1, sizeof *ranges);
    *out = NULL;
    if (comm->rank == 0)
        s = summarise(whole);
    clv_comm_broadcast(comm, &s, sizeof s, 0);
    cleave_status status = clv_comm_agree_memory(comm, ranges != NULL, err);
    clv_dist_rows rows = {.kind = (cleave_kind)s.kind,
                          .first = ranges,
                          .ncon = (int32_t)s.ncon,
                          .ndim = (int32_t)s.ndim,
                          .trust = true};
    if (status == CLEAVE_OK) {
        if (first)
            memcpy(ranges, first, (size_t)(comm->size + 1) * sizeof *ranges);
        else
            clv_dist_even(s.nvtx, comm->size, ranges);
        status = deal_rows(&rows, comm, comm->rank == 0 ? whole : NULL, &s, err);
    }
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, comm, &rows, err);
    clv_dist_rows_free(&rows);
    clv_sys_free(ranges);
    return status;
}

/* ---- Gather ----------------------------------------------------------------------------- */

/* The destination of the arrays of all ranks: on all ranks or on one. */
typedef struct gathering {
    const clv_dist_graph *g;
    int root; /* -1: all */
} gathering;

static bool takes(const gathering *k)
{
    return k->root < 0 || k->root == k->g->comm.rank;
}

/* first: in items, by rank; to: memory for all of them on ranks that receive. */
static void gather_array(const gathering *k, const void *mine, size_t each,
                         const int64_t *first, void *to)
{
    const clv_comm *comm = &k->g->comm;
    char *all = to;
    int64_t count = first[comm->rank + 1] - first[comm->rank];
    if (takes(k) && count > 0)
        memcpy(all + first[comm->rank] * (int64_t)each, mine, (size_t)count * each);
    if (k->root < 0) {
        for (int r = 0; r < comm->size; r++)
            clv_comm_broadcast(comm, all + first[r] * (int64_t)each,
                               (first[r + 1] - first[r]) * (int64_t)each, r);
        return;
    }
    enum { piece = 1 << 28 };
    for (int r = 0; r < comm->size; r++) {
        int64_t bytes = (first[r + 1] - first[r]) * (int64_t)each;
        if (r == k->root || (comm->rank != k->root && comm->rank != r))
            continue;
        for (int64_t at = 0; at < bytes; at += piece) {
            int now = (int)(bytes - at < piece ? bytes - at : piece);
            if (comm->rank == r)
                MPI_Send((const char *)mine + at, now, MPI_BYTE, k->root, tag_deal, comm->mpi);
            else
                MPI_Recv(all + first[r] * (int64_t)each + at, now, MPI_BYTE, r, tag_deal,
                         comm->mpi, MPI_STATUS_IGNORE);
        }
        if (comm->rank == r)
            clv_comm_count_bytes(comm, bytes);
    }
}

typedef struct whole_arrays {
    clv_rows rows;
    int32_t *vwgt, *vsize;
    int64_t *wide_ewgt, *wide_vwgt;
    double *coords;
} whole_arrays;

static bool allocate_whole(whole_arrays *w, const clv_dist_graph *g)
{
    int64_t n = g->nglobal, m = g->narc_global;
    w->rows.nvtx = (int32_t)n;
    w->rows.xadj = clv_alloc(n + 1, sizeof *w->rows.xadj);
    w->rows.adj = clv_alloc(m, sizeof *w->rows.adj);
    w->rows.ewgt = g->ewgt ? clv_alloc(m, sizeof *w->rows.ewgt) : NULL;
    w->vwgt = g->vwgt ? clv_alloc(n * g->ncon, sizeof *w->vwgt) : NULL;
    w->wide_ewgt = g->wide_ewgt ? clv_alloc(m, sizeof *w->wide_ewgt) : NULL;
    w->wide_vwgt = g->wide_vwgt ? clv_alloc(n * g->ncon, sizeof *w->wide_vwgt) : NULL;
    w->vsize = g->vsize ? clv_alloc(n, sizeof *w->vsize) : NULL;
    w->coords = g->coords ? clv_alloc(n * g->ndim, sizeof *w->coords) : NULL;
    return w->rows.xadj && w->rows.adj && (w->rows.ewgt || !g->ewgt) &&
           (w->vwgt || !g->vwgt) && (w->wide_ewgt || !g->wide_ewgt) &&
           (w->wide_vwgt || !g->wide_vwgt) && (w->vsize || !g->vsize) &&
           (w->coords || !g->coords);
}

static void free_whole(whole_arrays *w)
{
    clv_rows_free(&w->rows);
    clv_sys_free(w->vwgt);
    clv_sys_free(w->wide_ewgt);
    clv_sys_free(w->wide_vwgt);
    clv_sys_free(w->vsize);
    clv_sys_free(w->coords);
}

static cleave_status build_whole(clv_graph **out, const clv_dist_graph *g, whole_arrays *w,
                                 cleave_error *err)
{
    clv_build_rules rules = {.trust = true};
    w->rows.paired = g->kind == CLEAVE_UNDIRECTED;
    CLV_TRY(w->wide_ewgt ? clv_build_wide(out, g->kind, &w->rows, &w->wide_ewgt, err)
                         : clv_build_graph(out, g->kind, &w->rows, &rules, NULL, err));
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.ncon = g->ncon;
    csr.vwgt = w->vwgt;
    csr.vsize = w->vsize;
    csr.ndim = g->ndim;
    csr.coords = w->coords;
    cleave_status status = clv_graph_set_attributes(*out, &csr, false, err);
    if (status == CLEAVE_OK && w->wide_vwgt)
        status = clv_graph_set_wide_vwgt(*out, g->ncon, &w->wide_vwgt, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* The rows of this rank with global numbers. */
static int32_t *global_rows(const clv_dist_graph *g)
{
    int32_t *adj = clv_alloc(g->narc, sizeof *adj);
    for (int64_t a = 0; adj && a < g->narc; a++)
        adj[a] = (int32_t)clv_dist_global(g, g->adj[a]);
    return adj;
}

static cleave_status gather_all(clv_graph **out, const gathering *k, const int64_t *first_arc,
                                whole_arrays *w, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    const clv_comm *comm = &g->comm;
    int32_t *adj = global_rows(g);
    int64_t *ends = clv_alloc(g->nlocal, sizeof *ends);
    bool ok = adj && ends && (!takes(k) || allocate_whole(w, g));
    cleave_status status = clv_comm_agree_memory(comm, ok, err);
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < g->nlocal; v++)
            ends[v] = first_arc[comm->rank] + g->xadj[v + 1];
        if (takes(k))
            w->rows.xadj[0] = 0;
        gather_array(k, ends, sizeof *ends, g->first, takes(k) ? w->rows.xadj + 1 : NULL);
        gather_array(k, adj, sizeof *adj, first_arc, w->rows.adj);
        if (g->ewgt)
            gather_array(k, g->ewgt, sizeof *g->ewgt, first_arc, w->rows.ewgt);
        if (g->vwgt)
            gather_array(k, g->vwgt, (size_t)g->ncon * 4, g->first, w->vwgt);
        if (g->wide_ewgt)
            gather_array(k, g->wide_ewgt, sizeof *g->wide_ewgt, first_arc, w->wide_ewgt);
        if (g->wide_vwgt)
            gather_array(k, g->wide_vwgt, (size_t)g->ncon * 8, g->first, w->wide_vwgt);
        if (g->vsize)
            gather_array(k, g->vsize, sizeof *g->vsize, g->first, w->vsize);
        if (g->coords)
            gather_array(k, g->coords, (size_t)g->ndim * 8, g->first, w->coords);
    }
    clv_sys_free(adj);
    clv_sys_free(ends);
    if (status == CLEAVE_OK)
        status = clv_comm_agree(comm, takes(k) ? build_whole(out, g, w, err) : CLEAVE_OK, err);
    return status;
}

cleave_status clv_dist_graph_gather(clv_graph **out, const clv_dist_graph *g, int root,
                                    cleave_error *err)
{
    gathering k = {g, root};
    whole_arrays w = {0};
    *out = NULL;
    if (g->nglobal >= INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE,
                        "%lld vertices are too many for one machine: at most 2^31 - 2",
                        (long long)g->nglobal);
    int64_t *first_arc = clv_alloc(g->comm.size + 1, sizeof *first_arc);
    cleave_status status = clv_comm_agree_memory(&g->comm, first_arc != NULL, err);
    if (status == CLEAVE_OK) {
        first_arc[0] = 0;
        MPI_Allgather(&g->narc, 1, MPI_INT64_T, first_arc + 1, 1, MPI_INT64_T, g->comm.mpi);
        for (int r = 0; r < g->comm.size; r++)
            first_arc[r + 1] += first_arc[r];
        status = gather_all(out, &k, first_arc, &w, err);
    }
    if (status != CLEAVE_OK && *out) {
        clv_graph_free(*out);
        *out = NULL;
    }
    free_whole(&w);
    clv_sys_free(first_arc);
    return status;
}
