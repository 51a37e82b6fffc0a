/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_solve.h - the initial partition: the coarsest graph, solved by every rank. */
#ifndef CLV_MPI_DIST_SOLVE_H
#define CLV_MPI_DIST_SOLVE_H

#include "mpi/dist_multilevel.h"

/* Data for the finer levels; arrays from clv_alloc. */
typedef struct clv_dist_solution {
    int64_t *max;  /* nparts * ncon: bounds, the same on all levels */
    int32_t *rank; /* nparts: topological ranks of the parts of a DAG; else NULL */
    int32_t nparts;
} clv_dist_solution;
void clv_dist_solution_free(clv_dist_solution *s);

/* Collective.  Gathers the graph of the task on all ranks, solves the task there with
 * different seeds, and fills part (own vertices) from the best mapping. */
cleave_status clv_dist_solve(const clv_dist_task *task, clv_context *ctx, int32_t *part,
                             clv_dist_solution *solution, cleave_error *err);

#endif
