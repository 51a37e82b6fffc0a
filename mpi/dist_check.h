/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_check.h - is what the ranks hand in one graph? */
#ifndef CLV_MPI_DIST_CHECK_H
#define CLV_MPI_DIST_CHECK_H

#include "mpi/dist_graph.h"

/* Collective.  Everything about rows that is promised in mpi/dist_graph.h but cycles; what is
 * trusted is not looked at.  Rows are put in ascending order unless trusted. */
cleave_status clv_dist_check_rows(const clv_comm *comm, clv_dist_rows *rows,
                                  cleave_error *err);

/* Collective, of a finished DAG: CLEAVE_ECYCLE names a cycle (mpi/dist_levels.c). */
cleave_status clv_dist_check_cycles(const clv_dist_graph *g, cleave_error *err);

/* The predecessors of a rank's own vertices, global numbers; from clv_alloc. */
typedef struct clv_dist_preds {
    int64_t *xadj, *adj;
    int32_t *ewgt;
    int64_t *wide_ewgt; /* in its place; both NULL: unweighted */
} clv_dist_preds;
void clv_dist_preds_free(clv_dist_preds *preds);
/* Collective (mpi/dist_preds.c).  Rows ascend. */
cleave_status clv_dist_make_preds(const clv_comm *comm, const clv_dist_rows *rows,
                                  clv_dist_preds *preds, cleave_error *err);

#endif
