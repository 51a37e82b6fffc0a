/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_levels.h - levels of a distributed DAG. */
#ifndef CLV_MPI_DIST_LEVELS_H
#define CLV_MPI_DIST_LEVELS_H

#include "mpi/dist_graph.h"

/* Collective: level[v] of an own vertex becomes the arcs on the longest path from a source to
 * it; -1 where a cycle is in the way, *cyclic says whether that happened.  Each round a rank
 * goes as far as it can alone: as many rounds as a path changes ranks, at most. */
cleave_status clv_dist_levels(const clv_dist_graph *g, int32_t *level, bool *cyclic,
                              cleave_error *err);

#endif
