/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dag_ranges.h - a DAG dealt out so that no arc leads to a lower rank. */
#ifndef CLV_MPI_DAG_RANGES_H
#define CLV_MPI_DAG_RANGES_H

#include "mpi/dist_graph.h"

/* Collective.  *out becomes NULL when g is like that already; otherwise the same DAG dealt out
 * by levels, number as of clv_dist_redistribute.  CLEAVE_ECYCLE: it has a cycle. */
cleave_status clv_dag_ranges(clv_dist_graph **out, const clv_dist_graph *g, int64_t *number,
                             cleave_error *err);

#endif
