/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_check.h - validation of a distributed graph. */
#ifndef CLV_MPI_DIST_CHECK_H
#define CLV_MPI_DIST_CHECK_H

#include "mpi/dist_graph.h"

/* Collective.  Checks all invariants of rows in mpi/dist_graph.h except acyclicity; trusted
 * input is not checked.  Sorts rows in ascending order unless trusted. */
cleave_status clv_dist_check_rows(const clv_comm *comm, clv_dist_rows *rows,
                                  cleave_error *err);

/* Collective, for a finished DAG.  CLEAVE_ECYCLE names a cycle (mpi/dist_levels.c). */
cleave_status clv_dist_check_cycles(const clv_dist_graph *g, cleave_error *err);

/* The predecessors of a rank's own vertices as global numbers; from clv_alloc. */
typedef struct clv_dist_preds {
    int64_t *xadj, *adj;
    int32_t *ewgt;
    int64_t *wide_ewgt; /* used instead of the above; both NULL: unweighted */
} clv_dist_preds;
void clv_dist_preds_free(clv_dist_preds *preds);
/* Collective (mpi/dist_preds.c).  Rows are in ascending order. */
cleave_status clv_dist_make_preds(const clv_comm *comm, const clv_dist_rows *rows,
                                  clv_dist_preds *preds, cleave_error *err);

#endif
