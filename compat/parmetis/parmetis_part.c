/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parmetis_part.c - the functions that partition graphs and points:
 * ParMETIS_V3_PartKway, PartGeomKway, AdaptiveRepart and RefineKway are one search; PartGeom
 * cuts a space-filling curve through the points into as many parts as ranks. */
#include <math.h>

#include "parlayer.h"

METIS_API(int)
ParMETIS_V3_PartKway(idx_t *vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *adjwgt,
                     idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *nparts,
                     real_t *tpwgts, real_t *ubvec, idx_t *options, idx_t *edgecut,
                     idx_t *part, MPI_Comm *comm)
{
    cp_call call = {vtxdist, xadj,   adjncy, vwgt,  NULL, adjwgt,  wgtflag, numflag,
                    ncon,    nparts, tpwgts, ubvec, NULL, options, edgecut, part};
    return cp_partition(&call, comm);
}

METIS_API(int)
ParMETIS_V3_AdaptiveRepart(idx_t *vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
                           idx_t *vsize, idx_t *adjwgt, idx_t *wgtflag, idx_t *numflag,
                           idx_t *ncon, idx_t *nparts, real_t *tpwgts, real_t *ubvec,
                           real_t *itr, idx_t *options, idx_t *edgecut, idx_t *part,
                           MPI_Comm *comm)
{
    real_t none = 0; /* rejected on all ranks */
    cp_call call = {vtxdist,           xadj,    adjncy,  vwgt,   vsize,  adjwgt,
                    wgtflag,           numflag, ncon,    nparts, tpwgts, ubvec,
                    itr ? itr : &none, options, edgecut, part};
    return cp_partition(&call, comm);
}

METIS_API(int)
ParMETIS_V3_RefineKway(idx_t *vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *adjwgt,
                       idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *nparts,
                       real_t *tpwgts, real_t *ubvec, idx_t *options, idx_t *edgecut,
                       idx_t *part, MPI_Comm *comm)
{
    /* The objective is the cut, but vertices do not move without a gain, as in ParMETIS. */
    static const real_t itr = 1000;
    cp_call call = {vtxdist, xadj,   adjncy, vwgt,  NULL, adjwgt,  wgtflag, numflag,
                    ncon,    nparts, tpwgts, ubvec, &itr, options, edgecut, part};
    return cp_partition(&call, comm);
}

/* ---- With coordinates --------------------------------------------------------------- */

static bool points_valid(const idx_t *ndims, const real_t *xyz, int64_t own)
{
    if (!ndims || *ndims < 1 || *ndims > 3 || (!xyz && own > 0))
        return false;
    for (int64_t i = 0; i < own * *ndims; i++)
        if (!isfinite(xyz[i]))
            return false;
    return true;
}

/* The engine gives better results without them, so they are only validated. */
METIS_API(int)
ParMETIS_V3_PartGeomKway(idx_t *vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
                         idx_t *adjwgt, idx_t *wgtflag, idx_t *numflag, idx_t *ndims,
                         real_t *xyz, idx_t *ncon, idx_t *nparts, real_t *tpwgts,
                         real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part,
                         MPI_Comm *comm)
{
    cp_call call = {vtxdist, xadj,   adjncy, vwgt,  NULL, adjwgt,  wgtflag, numflag,
                    ncon,    nparts, tpwgts, ubvec, NULL, options, edgecut, part};
    cp_ranks ranks;
    int64_t own = 0;
    int status = cp_ranks_open(&ranks, comm);
    if (status != METIS_OK)
        return status;
    bool valid = numflag && cp_ranges_valid(&ranks, vtxdist, *numflag, &own) &&
                 points_valid(ndims, xyz, own);
    idx_t dimensions = valid ? *ndims : 0;
    status = cp_agree_same(&ranks, valid ? METIS_OK : METIS_ERROR_INPUT,
                           cp_digest(0, &dimensions, sizeof dimensions));
    if (status == METIS_OK)
        status = cp_partition_ranks(&call, &ranks);
    cp_ranks_close(&ranks);
    return status;
}

/* ---- Coordinates alone -------------------------------------------------------------- */

typedef struct points {
    int64_t own;
    int64_t *vtxdist;
    int64_t *xadj; /* all 0: there are no edges */
    double *coords;
    int32_t *part;
    idx_t ndims;
} points;

static bool points_new(points *p, int size)
{
    p->vtxdist = cp_alloc((int64_t)size + 1, sizeof *p->vtxdist);
    p->xadj = cp_alloc(p->own + 1, sizeof *p->xadj);
    p->coords = cp_alloc(3 * p->own, sizeof *p->coords);
    p->part = cp_alloc(p->own, sizeof *p->part);
    return p->vtxdist && p->xadj && p->coords && p->part;
}

static void points_free(points *p)
{
    cp_free(p->vtxdist);
    cp_free(p->xadj);
    cp_free(p->coords);
    cp_free(p->part);
}

/* Points on a line are treated as points of a plane. */
static int points_graph(const points *p, const real_t *xyz, const cp_ranks *ranks,
                        cleave_mpi_graph **g)
{
    static const int64_t no_neighbours[1];
    int ndims = (int)p->ndims, wide = ndims < 2 ? 2 : ndims;
    cleave_mpi_csr csr;
    for (int64_t v = 0; v <= p->own; v++)
        p->xadj[v] = 0;
    for (int64_t v = 0; v < p->own; v++)
        for (int d = 0; d < wide; d++)
            p->coords[v * wide + d] = d < ndims ? xyz[v * ndims + d] : 0;
    cleave_mpi_csr_init(&csr, sizeof csr);
    csr.vtxdist = p->vtxdist;
    csr.xadj = p->xadj;
    csr.adj = no_neighbours;
    csr.ndim = wide;
    csr.coords = p->coords;
    return cp_status(cleave_mpi_graph_create(g, ranks->comm, &csr, CLEAVE_TRUST, NULL));
}

static int points_map(const points *p, const cp_ranks *ranks, const cleave_mpi_graph *g)
{
    cleave_options opt;
    cleave_target *target = NULL;
    cleave_options_init(&opt, sizeof opt);
    opt.method = "hci";
    opt.threads = 1;
    int status = cp_agree(
        ranks, cp_status(cleave_target_create(&target, (int32_t)ranks->size, NULL, NULL)));
    if (status == METIS_OK)
        status = cp_status(cleave_mpi_map(p->part, g, target, &opt, NULL));
    if (status == METIS_OK)
        status = cp_rename_parts(ranks, p->part, p->own);
    cleave_target_free(target);
    return status;
}

static int part_points(points *p, const idx_t *vtxdist, const real_t *xyz, idx_t *part,
                       const cp_ranks *ranks)
{
    cleave_mpi_graph *g = NULL;
    int status = cp_agree(ranks, points_new(p, ranks->size) ? METIS_OK : METIS_ERROR_MEMORY);
    if (status == METIS_OK) {
        for (int r = 0; r <= ranks->size; r++)
            p->vtxdist[r] = (int64_t)vtxdist[r] - vtxdist[0];
        status = points_graph(p, xyz, ranks, &g);
    }
    if (status == METIS_OK)
        status = points_map(p, ranks, g);
    for (int64_t v = 0; status == METIS_OK && v < p->own; v++)
        part[v] = p->part[v];
    cleave_mpi_graph_free(g);
    return status;
}

/* There is no numflag: vtxdist can begin with 0 or 1, parts begin with 0. */
METIS_API(int)
ParMETIS_V3_PartGeom(idx_t *vtxdist, idx_t *ndims, real_t *xyz, idx_t *part, MPI_Comm *comm)
{
    points p = {0};
    cp_ranks ranks;
    int status = cp_ranks_open(&ranks, comm);
    if (status != METIS_OK)
        return status;
    bool valid = vtxdist && (vtxdist[0] == 0 || vtxdist[0] == 1) &&
                 cp_ranges_valid(&ranks, vtxdist, vtxdist[0], &p.own) &&
                 points_valid(ndims, xyz, p.own) && (part || p.own == 0);
    uint64_t digest = 0;
    if (valid) {
        p.ndims = *ndims;
        digest = cp_digest(0, vtxdist, ((size_t)ranks.size + 1) * sizeof *vtxdist);
        digest = cp_digest(digest, &p.ndims, sizeof p.ndims);
    }
    status = cp_agree_same(&ranks, valid ? METIS_OK : METIS_ERROR_INPUT, digest);
    if (status == METIS_OK)
        status = part_points(&p, vtxdist, xyz, part, &ranks);
    points_free(&p);
    cp_ranks_close(&ranks);
    return status;
}
