/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/curve.h - a space-filling curve through the vertices of all ranks.
 *
 * The curve, the grid and the order are those of order/curve.h, vertex for vertex.  No rank
 * holds more than its even share of the curve. */
#ifndef CLV_MPI_CURVE_H
#define CLV_MPI_CURVE_H

#include "mpi/dist_graph.h"
#include "mpi/dist_line.h"
#include "order/curve.h"
#include "target/target.h"

/* Collective.  Returns CLEAVE_EINVAL without coordinates, or when one is not finite. */
cleave_status clv_dist_curve_line(clv_dist_line *line, const clv_dist_graph *g,
                                  clv_curve curve, cleave_error *err);

/* Collective.  Fills place[v], the place of each own vertex along the curve. */
cleave_status clv_dist_curve_order(const clv_dist_graph *g, clv_curve curve, int64_t *place,
                                   cleave_error *err);

/* Collective.  Fills part[v] with the PE of each own vertex: the curve is cut in proportion to
 * the speeds of the PEs of t, by the first weight, as the methods hci and zci of cleave_map
 * cut it.  Where that exceeds floor((1 + imbalance) * ceil(share)) of a PE, the cuts keep
 * these bounds if any cuts of the curve do, and are as near to the shares as possible
 * otherwise: see cleave_mpi_evaluate.  PEs of speed 0 stay empty; all others get a vertex when
 * there are enough vertices.  If distances between PEs differ, the PEs follow the curve in the
 * order of the recursive halves of the machine. */
cleave_status clv_dist_curve_parts(const clv_dist_graph *g, clv_curve curve,
                                   const cleave_target *t, double imbalance, int32_t *part,
                                   cleave_error *err);

#endif
