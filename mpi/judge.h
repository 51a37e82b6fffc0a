/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/judge.h - evaluation of a distributed partition: every metric is recomputed from the
 * graph and the part array, each in its own file, by all ranks together.
 *
 * All functions are collective.  Where possible, each rank applies evaluate/ to its own rows,
 * and the ranks sum the results. */
#ifndef CLV_MPI_JUDGE_H
#define CLV_MPI_JUDGE_H

#include "base/sort.h"
#include "evaluate/evaluate.h"
#include "graph/derive.h"
#include "mpi/dist_graph.h"

typedef struct clv_judge {
    const clv_dist_graph *g;
    int32_t nparts;      /* the caller's number of parts */
    clv_used_parts used; /* the same or, with more parts than vertices, the parts in use; part
                            has own vertices and ghosts */
    clv_graph view; /* the own rows; adj and pred also name ghosts, which have parts but no
                       rows: for functions that read nothing else */
    clv_ws ws;
} clv_judge;

/* mpi/evaluate_parts.c.  part: by own vertex.  CLEAVE_EINVAL names a vertex whose part is not
 * in 0..nparts-1.  With more parts than vertices every rank has arrays of all vertices.  The
 * caller closes it, also on failure. */
cleave_status clv_judge_open(clv_judge *j, const clv_dist_graph *g, int32_t nparts,
                             const int32_t *part, cleave_error *err);
void clv_judge_close(clv_judge *j);

/* The sum over the ranks of values >= 0; fits: no overflow on this rank so far.
 * CLEAVE_ERANGE: "`what` exceeds 2^63-1". */
cleave_status clv_judge_sum(const clv_comm *comm, bool fits, int64_t mine, int64_t *sum,
                            const char *what, cleave_error *err);

/* mpi/evaluate_parts.c: as clv_evaluate_balance. */
cleave_status clv_judge_balance(clv_judge *j, const double *shares, double eps,
                                clv_balance *balance, cleave_error *err);
/* mpi/evaluate_cut.c: as clv_evaluate_cut and clv_evaluate_volume. */
cleave_status clv_judge_cut(clv_judge *j, int64_t *cut, cleave_error *err);
cleave_status clv_judge_volume(clv_judge *j, int64_t *total, int64_t *largest,
                               cleave_error *err);
/* mpi/evaluate_pieces.c: as clv_evaluate_pieces. */
cleave_status clv_judge_pieces(clv_judge *j, int64_t *total, cleave_error *err);

/* ---- The quotient (mpi/evaluate_quotient.c) --------------------------------------------- */

/* The pairs of adjacent parts, distributed over the ranks by a hash. */
typedef struct clv_judge_quotient {
    int64_t count;       /* of the own pairs */
    clv_sort_item *pair; /* ascending; key: from * used.count + to, with.index: the edge
                            weight; undirected: both (p, q) and (q, p), perhaps on different
                            ranks.  From clv_alloc */
} clv_judge_quotient;
/* Returns CLEAVE_ERANGE when a weight does not fit; q is empty on failure. */
cleave_status clv_judge_quotient_make(clv_judge_quotient *q, clv_judge *j, cleave_error *err);
void clv_judge_quotient_free(clv_judge_quotient *q);
/* The own pairs as rows; arrays from ws.  Not collective. */
cleave_status clv_judge_quotient_rows(clv_quotient *rows, int32_t nparts,
                                      const clv_judge_quotient *q, clv_ws *ws,
                                      cleave_error *err);
/* Strongly connected components of the whole quotient of a DAG, computed by rank 0, which must
 * hold it; by part, 0..*ncomponents-1.  The quotient is acyclic when there are used.count
 * components. */
cleave_status clv_judge_strong(const clv_judge_quotient *q, clv_judge *j, int32_t *component,
                               int32_t *ncomponents, cleave_error *err);

/* ---- DAGs ------------------------------------------------------------------------------- */

/* mpi/evaluate_sweep.c: calls visit(context, v) once for each own vertex v, after value[u] is
 * known for all of its predecessors; visit sets value[v].  value: own vertices and ghosts.
 * *complete becomes false when a cycle stops the sweep.  In each round a rank proceeds as far
 * as it can alone and sends its values to its peers: as many rounds as a path changes
 * ranks. */
cleave_status clv_judge_sweep(const clv_dist_graph *g, uint64_t *value,
                              void (*visit)(void *context, int32_t v), void *context,
                              bool *complete, cleave_error *err);
/* mpi/evaluate_dag.c: as clv_evaluate_convex, for the components of clv_judge_strong, and as
 * clv_evaluate_critical_path. */
cleave_status clv_judge_convex(clv_judge *j, const int32_t *component, int32_t ncomponents,
                               bool *convex, cleave_error *err);
cleave_status clv_judge_critical_path(clv_judge *j, int64_t cost_vertex, int64_t cost_inside,
                                      int64_t cost_cut, int64_t *length, cleave_error *err);

#endif
