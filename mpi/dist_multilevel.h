/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_multilevel.h - the distributed multilevel method: coarsen together, solve the
 * coarsest graph on every rank with its own seed, keep the best, refine together during
 * uncoarsening. */
#ifndef CLV_MPI_DIST_MULTILEVEL_H
#define CLV_MPI_DIST_MULTILEVEL_H

#include "base/context.h"
#include "cleave/cleave_mpi.h"
#include "engine/multilevel/multilevel_cycle.h"
#include "mpi/dist_graph.h"

typedef struct clv_dist_task {
    const clv_dist_graph *g; /* in a DAG no arc leads to a lower rank */
    const cleave_target *t;
    const cleave_options *opt;             /* complete; its constraints are those below */
    const cleave_constraints *constraints; /* shares, imbalance and max count */
    const int32_t *fixed;                  /* own vertices: part or -1; NULL: none */
    const int32_t *home;  /* own: home PE of a vertex, -1: none; NULL: not a remapping */
    const int64_t *size;  /* own: migration size of a vertex; NULL: vsize of g */
    double price;         /* cost of a unit of migration */
    const char *strategy; /* of a remapping */
    int64_t gather;       /* arcs: a graph with no more is solved by each rank alone */
} clv_dist_task;

typedef struct clv_dist_result {
    clv_multilevel_summary cycle; /* its levels include the graph itself */
    bool cancelled, timed_out;
    cleave_mpi_traffic traffic; /* bytes of this rank */
} clv_dist_result;

/* Collective.  Fills part (own vertices) with a valid mapping: every vertex in 0..PEs-1, fixed
 * vertices on their PEs, parts of a DAG acyclic; the bounds hold if the search can meet them.
 * If the context of one rank is stopped, all ranks return the best mapping so far. */
cleave_status clv_dist_multilevel(const clv_dist_task *task, clv_context *ctx, int32_t *part,
                                  clv_dist_result *result, cleave_error *err);

#endif
