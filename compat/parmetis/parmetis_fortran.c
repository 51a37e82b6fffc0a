/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parmetis_fortran.c - the functions under the four names that Fortran
 * compilers use: NAME, name, name_ and name__.  Scalars are passed by reference, so the
 * arguments are the same, except for the communicator, which is an integer there. */
#include "parlayer.h"

/* UPPER and lower are names, arguments and values lists in parentheses; values use &comm. */
#define FORTRAN_NAME(name, spelling, arguments, values)                                       \
    METIS_API(int) spelling arguments;                                                        \
    METIS_API(int) spelling arguments                                                         \
    {                                                                                         \
        MPI_Comm comm = fortran_comm ? MPI_Comm_f2c(*fortran_comm) : MPI_COMM_NULL;           \
        return name values;                                                                   \
    }
#define FORTRAN(UPPER, lower, name, arguments, values)                                        \
    FORTRAN_NAME(name, UPPER, arguments, values)                                              \
    FORTRAN_NAME(name, lower, arguments, values)                                              \
    FORTRAN_NAME(name, lower##_, arguments, values)                                           \
    FORTRAN_NAME(name, lower##__, arguments, values)

FORTRAN(PARMETIS_V3_PARTKWAY, parmetis_v3_partkway, ParMETIS_V3_PartKway,
        (idx_t * vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *adjwgt,
         idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *nparts, real_t *tpwgts,
         real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part, MPI_Fint *fortran_comm),
        (vtxdist, xadj, adjncy, vwgt, adjwgt, wgtflag, numflag, ncon, nparts, tpwgts, ubvec,
         options, edgecut, part, &comm))
FORTRAN(PARMETIS_V3_PARTGEOMKWAY, parmetis_v3_partgeomkway, ParMETIS_V3_PartGeomKway,
        (idx_t * vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *adjwgt,
         idx_t *wgtflag, idx_t *numflag, idx_t *ndims, real_t *xyz, idx_t *ncon, idx_t *nparts,
         real_t *tpwgts, real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part,
         MPI_Fint *fortran_comm),
        (vtxdist, xadj, adjncy, vwgt, adjwgt, wgtflag, numflag, ndims, xyz, ncon, nparts,
         tpwgts, ubvec, options, edgecut, part, &comm))
FORTRAN(PARMETIS_V3_PARTGEOM, parmetis_v3_partgeom, ParMETIS_V3_PartGeom,
        (idx_t * vtxdist, idx_t *ndims, real_t *xyz, idx_t *part, MPI_Fint *fortran_comm),
        (vtxdist, ndims, xyz, part, &comm))
FORTRAN(PARMETIS_V3_ADAPTIVEREPART, parmetis_v3_adaptiverepart, ParMETIS_V3_AdaptiveRepart,
        (idx_t * vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *vsize, idx_t *adjwgt,
         idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *nparts, real_t *tpwgts,
         real_t *ubvec, real_t *itr, idx_t *options, idx_t *edgecut, idx_t *part,
         MPI_Fint *fortran_comm),
        (vtxdist, xadj, adjncy, vwgt, vsize, adjwgt, wgtflag, numflag, ncon, nparts, tpwgts,
         ubvec, itr, options, edgecut, part, &comm))
FORTRAN(PARMETIS_V3_REFINEKWAY, parmetis_v3_refinekway, ParMETIS_V3_RefineKway,
        (idx_t * vtxdist, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *adjwgt,
         idx_t *wgtflag, idx_t *numflag, idx_t *ncon, idx_t *nparts, real_t *tpwgts,
         real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part, MPI_Fint *fortran_comm),
        (vtxdist, xadj, adjncy, vwgt, adjwgt, wgtflag, numflag, ncon, nparts, tpwgts, ubvec,
         options, edgecut, part, &comm))
FORTRAN(PARMETIS_V3_PARTMESHKWAY, parmetis_v3_partmeshkway, ParMETIS_V3_PartMeshKway,
        (idx_t * elmdist, idx_t *eptr, idx_t *eind, idx_t *elmwgt, idx_t *wgtflag,
         idx_t *numflag, idx_t *ncon, idx_t *ncommonnodes, idx_t *nparts, real_t *tpwgts,
         real_t *ubvec, idx_t *options, idx_t *edgecut, idx_t *part, MPI_Fint *fortran_comm),
        (elmdist, eptr, eind, elmwgt, wgtflag, numflag, ncon, ncommonnodes, nparts, tpwgts,
         ubvec, options, edgecut, part, &comm))
FORTRAN(PARMETIS_V3_MESH2DUAL, parmetis_v3_mesh2dual, ParMETIS_V3_Mesh2Dual,
        (idx_t * elmdist, idx_t *eptr, idx_t *eind, idx_t *numflag, idx_t *ncommonnodes,
         idx_t **xadj, idx_t **adjncy, MPI_Fint *fortran_comm),
        (elmdist, eptr, eind, numflag, ncommonnodes, xadj, adjncy, &comm))

/* The function without a communicator. */
#define FORTRAN_FREE(spelling)                                                                \
    METIS_API(int) spelling(void *ptr);                                                       \
    METIS_API(int) spelling(void *ptr)                                                        \
    {                                                                                         \
        return METIS_Free(ptr);                                                               \
    }
FORTRAN_FREE(METIS_FREE)
FORTRAN_FREE(metis_free)
FORTRAN_FREE(metis_free_)
FORTRAN_FREE(metis_free__)
