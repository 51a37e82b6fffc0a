/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/order.h - lines of distributed graphs that are not curves. */
#ifndef CLV_MPI_ORDER_H
#define CLV_MPI_ORDER_H

#include "mpi/dist_graph.h"

/* Collective (mpi/order_multilevel.c): place[v] of each own vertex.  Parts by cleave_mpi_map,
 * one per rank along a line; the vertices go there, each rank orders its own by itself, and
 * turns its piece around where its ends then are nearer to their neighbours.  Of a DAG parts
 * come in the order of their dependences, and every arc runs forward.
 *
 * Besides its part of the graph a rank needs what cleave_order_build needs for it. */
cleave_status clv_dist_multilevel_order(const clv_dist_graph *g,
                                        const cleave_order_options *opt, int64_t *place,
                                        cleave_error *err);

#endif
