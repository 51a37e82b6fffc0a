/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/order.h - linear orders of distributed graphs other than space-filling curves. */
#ifndef CLV_MPI_ORDER_H
#define CLV_MPI_ORDER_H

#include "mpi/dist_graph.h"

/* Collective (mpi/order_multilevel.c).  Fills place[v] of each own vertex.  Partitions by
 * cleave_mpi_map into one part per rank on a path; vertices move to their ranks, each rank
 * orders its own, and reverses its segment where that shortens the edges to other ranks.
 * Parts of a DAG follow a topological order, and every arc leads forward.
 *
 * Besides its part of the graph a rank needs the memory of cleave_order_build for it. */
cleave_status clv_dist_multilevel_order(const clv_dist_graph *g,
                                        const cleave_order_options *opt, int64_t *place,
                                        cleave_error *err);

#endif
