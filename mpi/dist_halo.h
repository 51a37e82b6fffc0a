/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_halo.h - the pattern of the ghost exchange. */
#ifndef CLV_MPI_DIST_HALO_H
#define CLV_MPI_DIST_HALO_H

#include "mpi/dist_graph.h"

/* Collective: fills g->halo from g->ghost. */
cleave_status clv_dist_make_halo(clv_dist_graph *g, cleave_error *err);

#endif
