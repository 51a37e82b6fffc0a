/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/curve.h - the vertices of all ranks along a space-filling curve.
 *
 * The same curve over the same grid as order/curve.h, and the same order, to the last vertex;
 * no rank has more than its even share of the line. */
#ifndef CLV_MPI_CURVE_H
#define CLV_MPI_CURVE_H

#include "mpi/dist_graph.h"
#include "mpi/dist_line.h"
#include "order/curve.h"
#include "target/target.h"

/* Collective.  CLEAVE_EINVAL: no coordinates, or some that are not finite. */
cleave_status clv_dist_curve_line(clv_dist_line *line, const clv_dist_graph *g,
                                  clv_curve curve, cleave_error *err);

/* Collective: place[v] of each own vertex along the curve. */
cleave_status clv_dist_curve_order(const clv_dist_graph *g, clv_curve curve, int64_t *place,
                                   cleave_error *err);

/* Collective: part[v] of each own vertex becomes a PE of t: the curve cut in proportion to the
 * speeds, by the first weight.  As the methods hci and zci of cleave_map cut it; where that is
 * above floor((1 + imbalance) * ceil(share)) of a PE, within these bounds if any cuts of the
 * curve are, else as near to the shares as can be: see cleave_mpi_evaluate.  PEs of speed 0
 * stay empty, and others do not when there are as many vertices.  PEs that are not all equally
 * far from each other come along the curve in the order of the machine's halves. */
cleave_status clv_dist_curve_parts(const clv_dist_graph *g, clv_curve curve,
                                   const cleave_target *t, double imbalance, int32_t *part,
                                   cleave_error *err);

#endif
