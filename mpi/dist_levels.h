/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_levels.h - topological levels of a distributed DAG. */
#ifndef CLV_MPI_DIST_LEVELS_H
#define CLV_MPI_DIST_LEVELS_H

#include "mpi/dist_graph.h"

/* Collective.  Sets level[v] of an own vertex to the number of arcs on the longest path from a
 * source to it, or to -1 for vertices on or behind a cycle; *cyclic reports whether there are
 * any.  In each round a rank proceeds as far as it can alone: the number of rounds is at most
 * the number of times a path changes ranks. */
cleave_status clv_dist_levels(const clv_dist_graph *g, int32_t *level, bool *cyclic,
                              cleave_error *err);

#endif
