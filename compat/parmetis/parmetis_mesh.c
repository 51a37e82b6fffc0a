/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parmetis_mesh.c - the functions for meshes: ParMETIS_V3_Mesh2Dual and
 * PartMeshKway, and METIS_Free for the results of the first. */
#include "parlayer.h"

static bool nodes_valid(const idx_t *eptr, const idx_t *eind, int64_t own, idx_t numbering)
{
    int64_t count = own > 0 ? (int64_t)eptr[own] - numbering : 0;
    for (int64_t i = 0; i < count; i++)
        if (eind[i] < numbering)
            return false;
    return true;
}

/* Checks the arrays of the mesh and completes it. */
static bool mesh_read(cp_mesh *mesh, const cp_ranks *ranks, const idx_t *numflag,
                      const idx_t *ncommon)
{
    if (!mesh->elmdist || !numflag || !ncommon || (*numflag != 0 && *numflag != 1))
        return false;
    mesh->numbering = *numflag;
    mesh->ncommon = *ncommon < 1 ? 1 : *ncommon;
    if (!cp_ranges_valid(ranks, mesh->elmdist, *numflag, &mesh->own) ||
        !cp_offsets_valid(mesh->eptr, mesh->own, *numflag, mesh->eind) ||
        !nodes_valid(mesh->eptr, mesh->eind, mesh->own, *numflag))
        return false;
    mesh->begin = (int64_t)mesh->elmdist[ranks->rank] - *numflag;
    return true;
}

static uint64_t digest_of(const cp_mesh *mesh, const cp_ranks *ranks)
{
    idx_t scalars[] = {mesh->numbering, mesh->ncommon};
    uint64_t digest = cp_digest(0, scalars, sizeof scalars);
    return cp_digest(digest, mesh->elmdist, ((size_t)ranks->size + 1) * sizeof(idx_t));
}

/* Agrees on the arguments of the ranks before they are used. */
static int agree_mesh(const cp_mesh *mesh, bool valid, const cp_ranks *ranks)
{
    return cp_agree_same(ranks, valid ? METIS_OK : METIS_ERROR_INPUT,
                         valid ? digest_of(mesh, ranks) : 0);
}

METIS_API(int)
ParMETIS_V3_Mesh2Dual(idx_t *elmdist, idx_t *eptr, idx_t *eind, idx_t *numflag,
                      idx_t *ncommonnodes, idx_t **xadj, idx_t **adjncy, MPI_Comm *comm)
{
    cp_mesh mesh = {.elmdist = elmdist, .eptr = eptr, .eind = eind};
    cp_ranks ranks;
    int status = cp_ranks_open(&ranks, comm);
    if (status != METIS_OK)
        return status;
    bool valid = xadj && adjncy && mesh_read(&mesh, &ranks, numflag, ncommonnodes);
    status = agree_mesh(&mesh, valid, &ranks);
    if (status == METIS_OK)
        status = cp_mesh_dual(&mesh, &ranks, xadj, adjncy);
    cp_ranks_close(&ranks);
    if (status != METIS_OK || mesh.numbering == 0)
        return status;
    for (int64_t i = 0; i < (*xadj)[mesh.own]; i++)
        (*adjncy)[i]++;
    for (int64_t e = 0; e <= mesh.own; e++)
        (*xadj)[e]++;
    return METIS_OK;
}

/* ---- Parts -------------------------------------------------------------------------- */

/* The dual graph counts from 0, the mesh may not. */
static int part_dual(const cp_mesh *mesh, const cp_ranks *ranks, const cp_call *call)
{
    static const idx_t zero = 0, weights = 2, none = 0;
    idx_t *xadj = NULL, *adjncy = NULL;
    idx_t *vtxdist = cp_alloc((int64_t)ranks->size + 1, sizeof *vtxdist);
    int status = cp_agree(ranks, vtxdist ? METIS_OK : METIS_ERROR_MEMORY);
    if (status == METIS_OK)
        status = cp_mesh_dual(mesh, ranks, &xadj, &adjncy);
    if (status == METIS_OK) {
        cp_call graph = *call;
        for (int r = 0; r <= ranks->size; r++)
            vtxdist[r] = mesh->elmdist[r] - mesh->numbering;
        graph.vtxdist = vtxdist;
        graph.xadj = xadj;
        graph.adjncy = adjncy;
        graph.numflag = &zero;
        graph.wgtflag = *call->wgtflag & 2 ? &weights : &none;
        status = cp_partition_ranks(&graph, ranks);
    }
    for (int64_t e = 0; status == METIS_OK && mesh->numbering == 1 && e < mesh->own; e++)
        call->part[e]++;
    cp_free(vtxdist);
    cp_free(xadj);
    cp_free(adjncy);
    return status;
}

METIS_API(int)
ParMETIS_V3_PartMeshKway(idx_t *elmdist, idx_t *eptr, idx_t *eind, idx_t *elmwgt,
                         idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *ncommonnodes,
                         idx_t *nparts, real_t *tpwgts, real_t *ubvec, idx_t *options,
                         idx_t *edgecut, idx_t *part, MPI_Comm *comm)
{
    cp_call call = {.vwgt = elmwgt,
                    .wgtflag = wgtflag,
                    .ncon = ncon,
                    .nparts = nparts,
                    .tpwgts = tpwgts,
                    .ubvec = ubvec,
                    .options = options,
                    .edgecut = edgecut,
                    .part = part};
    cp_mesh mesh = {.elmdist = elmdist, .eptr = eptr, .eind = eind};
    cp_ranks ranks;
    int status = cp_ranks_open(&ranks, comm);
    if (status != METIS_OK)
        return status;
    bool valid = mesh_read(&mesh, &ranks, numflag, ncommonnodes) && wgtflag && *wgtflag >= 0 &&
                 *wgtflag <= 3;
    status = agree_mesh(&mesh, valid, &ranks);
    if (status == METIS_OK)
        status = part_dual(&mesh, &ranks, &call);
    cp_ranks_close(&ranks);
    return status;
}

METIS_API(int) METIS_Free(void *ptr)
{
    cp_free(ptr);
    return METIS_OK;
}
