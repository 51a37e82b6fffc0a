/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_fortran.c - the functions under the four names that Fortran compilers
 * use: NAME, name, name_ and name__.  Scalars are passed by reference, so the arguments are
 * the same. */
#include "layer.h"

/* UPPER and lower are names, arguments and values lists in parentheses. */
#define FORTRAN(UPPER, lower, name, arguments, values)                                        \
    METIS_API(int) UPPER arguments;                                                           \
    METIS_API(int) UPPER arguments                                                            \
    {                                                                                         \
        return name values;                                                                   \
    }                                                                                         \
    METIS_API(int) lower arguments;                                                           \
    METIS_API(int) lower arguments                                                            \
    {                                                                                         \
        return name values;                                                                   \
    }                                                                                         \
    METIS_API(int) lower##_ arguments;                                                        \
    METIS_API(int) lower##_ arguments                                                         \
    {                                                                                         \
        return name values;                                                                   \
    }                                                                                         \
    METIS_API(int) lower##__ arguments;                                                       \
    METIS_API(int) lower##__ arguments                                                        \
    {                                                                                         \
        return name values;                                                                   \
    }

FORTRAN(METIS_PARTGRAPHRECURSIVE, metis_partgraphrecursive, METIS_PartGraphRecursive,
        (idx_t * nvtxs, idx_t *ncon, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *vsize,
         idx_t *adjwgt, idx_t *nparts, real_t *tpwgts, real_t *ubvec, idx_t *options,
         idx_t *edgecut, idx_t *part),
        (nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec, options,
         edgecut, part))
FORTRAN(METIS_PARTGRAPHKWAY, metis_partgraphkway, METIS_PartGraphKway,
        (idx_t * nvtxs, idx_t *ncon, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *vsize,
         idx_t *adjwgt, idx_t *nparts, real_t *tpwgts, real_t *ubvec, idx_t *options,
         idx_t *edgecut, idx_t *part),
        (nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec, options,
         edgecut, part))
FORTRAN(METIS_MESHTODUAL, metis_meshtodual, METIS_MeshToDual,
        (idx_t * ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *ncommon, idx_t *numflag,
         idx_t **xadj, idx_t **adjncy),
        (ne, nn, eptr, eind, ncommon, numflag, xadj, adjncy))
FORTRAN(METIS_MESHTONODAL, metis_meshtonodal, METIS_MeshToNodal,
        (idx_t * ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *numflag, idx_t **xadj,
         idx_t **adjncy),
        (ne, nn, eptr, eind, numflag, xadj, adjncy))
FORTRAN(METIS_PARTMESHNODAL, metis_partmeshnodal, METIS_PartMeshNodal,
        (idx_t * ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *vwgt, idx_t *vsize,
         idx_t *nparts, real_t *tpwgts, idx_t *options, idx_t *objval, idx_t *epart,
         idx_t *npart),
        (ne, nn, eptr, eind, vwgt, vsize, nparts, tpwgts, options, objval, epart, npart))
FORTRAN(METIS_PARTMESHDUAL, metis_partmeshdual, METIS_PartMeshDual,
        (idx_t * ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *vwgt, idx_t *vsize,
         idx_t *ncommon, idx_t *nparts, real_t *tpwgts, idx_t *options, idx_t *objval,
         idx_t *epart, idx_t *npart),
        (ne, nn, eptr, eind, vwgt, vsize, ncommon, nparts, tpwgts, options, objval, epart,
         npart))
FORTRAN(METIS_NODEND, metis_nodend, METIS_NodeND,
        (idx_t * nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *options, idx_t *perm,
         idx_t *iperm),
        (nvtxs, xadj, adjncy, vwgt, options, perm, iperm))
FORTRAN(METIS_COMPUTEVERTEXSEPARATOR, metis_computevertexseparator,
        METIS_ComputeVertexSeparator,
        (idx_t * nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *options,
         idx_t *sepsize, idx_t *part),
        (nvtxs, xadj, adjncy, vwgt, options, sepsize, part))
FORTRAN(METIS_FREE, metis_free, METIS_Free, (void *ptr), (ptr))
FORTRAN(METIS_SETDEFAULTOPTIONS, metis_setdefaultoptions, METIS_SetDefaultOptions,
        (idx_t * options), (options))
