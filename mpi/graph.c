/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/graph.c - the public functions on distributed graphs. */
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "mpi/dist_graph.h"

void cleave_mpi_csr_init(cleave_mpi_csr *csr, size_t size)
{
    cleave_mpi_csr defaults = {.ncon = 1};
    clv_sized_init(csr, size);
    clv_sized_write(csr, &defaults, sizeof defaults);
}

void cleave_mpi_local_init(cleave_mpi_local *local, size_t size)
{
    clv_sized_init(local, size);
}

/* ---- Construction ----------------------------------------------------------------------- */

static void *copy(const void *from, int64_t count, size_t each, bool *ok)
{
    void *to = clv_alloc(count, each);
    *ok &= to != NULL;
    if (to && count > 0)
        memcpy(to, from, (size_t)count * each);
    return to;
}

/* Copies the caller's arrays, which can be NULL on a rank without vertices. */
static cleave_status copy_rows(clv_dist_rows *rows, const cleave_mpi_csr *csr,
                               const clv_comm *comm, cleave_error *err)
{
    bool ok = true;
    int64_t own = csr->vtxdist[comm->rank + 1] - csr->vtxdist[comm->rank];
    int64_t narc = own > 0 && csr->xadj ? csr->xadj[own] : 0;
    if (own > 0 && (!csr->xadj || (narc > 0 && !csr->adj)))
        return clv_fail(err, CLEAVE_EINVAL, "xadj or adj is NULL on a rank with vertices");
    if (narc < 0 || own < 0)
        return clv_fail(err, CLEAVE_EINVAL, "vtxdist or the offsets (xadj) run backwards");
    if (csr->ncon < 1 || (csr->ndim != 0 && !csr->coords && own > 0))
        return clv_fail(err, CLEAVE_EINVAL,
                        "ncon is %d and ndim %d: weights are at least 1, and coordinates must "
                        "be given where there are any",
                        (int)csr->ncon, (int)csr->ndim);
    if (own > 0)
        rows->xadj = copy(csr->xadj, own + 1, sizeof *rows->xadj, &ok);
    rows->adj = copy(csr->adj, narc, sizeof *rows->adj, &ok);
    if (csr->ewgt)
        rows->ewgt = copy(csr->ewgt, narc, sizeof *rows->ewgt, &ok);
    if (csr->vwgt)
        rows->vwgt = copy(csr->vwgt, own * csr->ncon, sizeof *rows->vwgt, &ok);
    if (csr->vsize)
        rows->vsize = copy(csr->vsize, own, sizeof *rows->vsize, &ok);
    if (csr->ndim)
        rows->coords = copy(csr->coords, own * csr->ndim, sizeof *rows->coords, &ok);
    return ok ? CLEAVE_OK : clv_fail_memory(err);
}

static cleave_status create(cleave_mpi_graph **out, const clv_comm *comm,
                            const cleave_mpi_csr *given, unsigned flags, cleave_error *err)
{
    cleave_mpi_csr csr;
    cleave_mpi_csr_init(&csr, sizeof csr);
    cleave_status status = CLEAVE_OK;
    if (!given)
        status = clv_fail(err, CLEAVE_EINVAL, "csr is NULL");
    else if (flags & ~CLEAVE_TRUST)
        status = clv_fail(err, CLEAVE_EINVAL, "only the flag CLEAVE_TRUST is allowed here");
    else
        status = clv_sized_copy(&csr, sizeof csr, given, "csr", err);
    if (status == CLEAVE_OK && !csr.vtxdist)
        status = clv_fail(err, CLEAVE_EINVAL, "vtxdist is NULL");
    if (status == CLEAVE_OK && csr.kind != CLEAVE_UNDIRECTED && csr.kind != CLEAVE_DAG)
        status = clv_fail(err, CLEAVE_EINVAL, "unknown kind of graph %d", (int)csr.kind);
    CLV_TRY(clv_comm_agree(comm, status, err));
    clv_dist_rows rows = {.kind = csr.kind,
                          .first = csr.vtxdist,
                          .ncon = csr.ncon,
                          .ndim = csr.ndim,
                          .trust = (flags & CLEAVE_TRUST) != 0};
    status = clv_comm_agree(comm, copy_rows(&rows, &csr, comm, err), err);
    if (status == CLEAVE_OK)
        return clv_dist_graph_make(out, comm, &rows, err);
    clv_dist_rows_free(&rows);
    return status;
}

cleave_status cleave_mpi_graph_create(cleave_mpi_graph **out, MPI_Comm comm,
                                      const cleave_mpi_csr *csr, unsigned flags,
                                      cleave_error *err)
{
    clv_comm ours;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_comm_open(&ours, comm, err));
    cleave_status status = create(out, &ours, csr, flags, err);
    if (status == CLEAVE_OK)
        (*out)->owns_comm = true;
    else
        clv_comm_close(&ours);
    return status;
}

void cleave_mpi_graph_free(cleave_mpi_graph *g)
{
    clv_dist_graph_free(g);
}

/* ---- Accessors -------------------------------------------------------------------------- */

cleave_kind cleave_mpi_graph_kind(const cleave_mpi_graph *g)
{
    return g ? g->kind : CLEAVE_UNDIRECTED;
}

int64_t cleave_mpi_graph_vertices(const cleave_mpi_graph *g)
{
    return g ? g->nglobal : 0;
}

int64_t cleave_mpi_graph_edges(const cleave_mpi_graph *g)
{
    return g ? clv_dist_edges(g) : 0;
}

const int64_t *cleave_mpi_graph_vtxdist(const cleave_mpi_graph *g)
{
    return g ? g->first : NULL;
}

void cleave_mpi_graph_view(const cleave_mpi_graph *g, cleave_mpi_local *local)
{
    cleave_mpi_local nothing = {.nlocal = 0};
    clv_sized_write(local, &nothing, sizeof nothing);
    if (!g)
        return;
    cleave_mpi_local view = {.nlocal = g->nlocal,
                             .nghost = g->nghost,
                             .xadj = g->xadj,
                             .adj = g->adj,
                             .ewgt = g->ewgt,
                             .ncon = g->ncon,
                             .ndim = g->ndim,
                             .vwgt = g->vwgt,
                             .vsize = g->vsize,
                             .coords = g->coords,
                             .ghost = g->ghost,
                             .npeers = g->halo.npeers,
                             .peer = g->halo.peer,
                             .send_at = g->halo.send_at,
                             .send = g->halo.send,
                             .recv_at = g->halo.recv_at};
    clv_sized_write(local, &view, sizeof view);
}

/* ---- Redistribution --------------------------------------------------------------------- */

cleave_status cleave_mpi_exchange(const cleave_mpi_graph *g, void *values, size_t each,
                                  cleave_error *err)
{
    if (!g || (each != 1 && each != 2 && each != 4 && each != 8))
        return clv_fail(err, CLEAVE_EINVAL,
                        "g is NULL, or an item has not 1, 2, 4 or 8 bytes");
    bool ok = values || (int64_t)g->nlocal + g->nghost == 0;
    CLV_TRY(clv_comm_agree(
        &g->comm, ok ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "values is NULL"), err));
    clv_halo_exchange(g, values, each);
    return CLEAVE_OK;
}

cleave_status cleave_mpi_redistribute(cleave_mpi_graph **out, const cleave_mpi_graph *g,
                                      const int32_t *owner, int64_t *number, cleave_error *err)
{
    if (!out || !g)
        return clv_fail(err, CLEAVE_EINVAL, "out or g is NULL");
    *out = NULL;
    bool ok = owner || g->nlocal == 0;
    CLV_TRY(clv_comm_agree(
        &g->comm, ok ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "owner is NULL"), err));
    clv_comm ours;
    CLV_TRY(clv_dist_redistribute(out, g, owner, number, err));
    cleave_status status = clv_comm_open(&ours, g->comm.mpi, err);
    if (status != CLEAVE_OK) {
        clv_dist_graph_free(*out);
        *out = NULL;
        return status;
    }
    (*out)->comm = ours; /* it may outlive g */
    (*out)->owns_comm = true;
    return CLEAVE_OK;
}

cleave_status cleave_mpi_migrate(const cleave_mpi_graph *g, const cleave_mpi_graph *moved,
                                 const int64_t *number, const void *values, size_t each,
                                 void *there, cleave_error *err)
{
    if (!g || !moved || each == 0)
        return clv_fail(err, CLEAVE_EINVAL, "g or moved is NULL, or an item has no bytes");
    bool ok = (g->nlocal == 0 || (number && values)) && (moved->nlocal == 0 || there);
    CLV_TRY(clv_comm_agree(
        &g->comm,
        ok ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "number, values or there is NULL"),
        err));
    clv_dist_moved done = {.from = g, .to = moved, .number = number};
    return clv_dist_send_values(&done, values, each, there, err);
}
