/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dag_ranges.h - redistribute a DAG so that no arc leads to a lower rank. */
#ifndef CLV_MPI_DAG_RANGES_H
#define CLV_MPI_DAG_RANGES_H

#include "mpi/dist_graph.h"

/* Collective.  *out becomes NULL when g already has this property; otherwise the same DAG
 * distributed by levels, with number as in clv_dist_redistribute.  Returns CLEAVE_ECYCLE when
 * the graph has a cycle. */
cleave_status clv_dag_ranges(clv_dist_graph **out, const clv_dist_graph *g, int64_t *number,
                             cleave_error *err);

#endif
