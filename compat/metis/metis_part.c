/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_part.c - METIS_PartGraphKway and METIS_PartGraphRecursive: one search,
 * different defaults. */
#include "layer.h"

typedef struct arguments {
    idx_t *nvtxs, *ncon, *xadj, *adjncy, *vwgt, *vsize, *adjwgt, *nparts;
    real_t *tpwgts, *ubvec;
    idx_t *options, *edgecut, *part;
} arguments;

static int part_graph(const arguments *a, cm_call call)
{
    cm_settings settings;
    if (!a->nvtxs || !a->ncon || !a->nparts || !a->edgecut || (!a->part && *a->nvtxs > 0) ||
        !cm_settings_read(&settings, a->options, call, *a->ncon))
        return METIS_ERROR_INPUT;
    /* Sizes matter only for the volume objective. */
    idx_t *vsize = settings.objective == CLEAVE_OBJECTIVE_VOLUME ? a->vsize : NULL;
    cm_arrays arrays = {*a->nvtxs, *a->ncon, a->xadj,   a->adjncy,
                        a->vwgt,   vsize,    a->adjwgt, settings.numbering};
    cm_question question = {&arrays, *a->nparts, a->tpwgts, a->ubvec, &settings};
    int status = cm_partition(&question, a->edgecut, a->part);
    for (idx_t v = 0; status == METIS_OK && settings.numbering == 1 && v < arrays.nvtx; v++)
        a->part[v]++;
    return status;
}

METIS_API(int)
METIS_PartGraphKway(idx_t *nvtxs, idx_t *ncon, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
                    idx_t *vsize, idx_t *adjwgt, idx_t *nparts, real_t *tpwgts, real_t *ubvec,
                    idx_t *options, idx_t *edgecut, idx_t *part)
{
    arguments a = {nvtxs,  ncon,   xadj,  adjncy,  vwgt,    vsize, adjwgt,
                   nparts, tpwgts, ubvec, options, edgecut, part};
    return part_graph(&a, CM_KWAY);
}

METIS_API(int)
METIS_PartGraphRecursive(idx_t *nvtxs, idx_t *ncon, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
                         idx_t *vsize, idx_t *adjwgt, idx_t *nparts, real_t *tpwgts,
                         real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part)
{
    arguments a = {nvtxs,  ncon,   xadj,  adjncy,  vwgt,    vsize, adjwgt,
                   nparts, tpwgts, ubvec, options, edgecut, part};
    return part_graph(&a, CM_RECURSIVE);
}
