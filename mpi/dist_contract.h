/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_contract.h - contraction of clusters to a redistributed coarse graph. */
#ifndef CLV_MPI_DIST_CONTRACT_H
#define CLV_MPI_DIST_CONTRACT_H

#include "base/context.h"
#include "mpi/dist_graph.h"

/* Data of the vertices besides their weights; each may be NULL. */
typedef struct clv_dist_attributes {
    int32_t *merge_class; /* the same for all vertices of a cluster */
    int64_t *size;        /* summed */
} clv_dist_attributes;

typedef struct clv_dist_contraction {
    int64_t *leader; /* own vertices, of mpi/dist_cluster.h; from clv_alloc; freed as soon as
                        it is not needed, also on failure */
    clv_dist_attributes carried; /* by own vertex */
    double density; /* light edges are dropped beyond about this share of the arcs,
                       or 1.25 times the share of the vertices that is left, if
                       that is more; 0: none.  Never a DAG's (coarsen/sparsify.h) */
    uint64_t salt;  /* of that */
} clv_dist_contraction;

typedef struct clv_dist_coarse {
    clv_dist_graph *g;
    int64_t *map; /* by own vertex of the fine graph: its coarse vertex; clv_alloc */
    clv_dist_attributes carried; /* by own vertex of the coarse graph; clv_alloc */
    bool thinned;                /* edges were dropped: cuts are estimates */
} clv_dist_coarse;

/* Collective.  Coarse vertices are numbered by their leaders and distributed in even ranges
 * (those of a DAG stay on their rank).  Vertex weights are summed; weights of parallel edges
 * are summed and saturate at 2^31 - 1.  Rows are exchanged in batches: besides the two graphs
 * a rank holds a bounded number of arcs. */
cleave_status clv_dist_contract(clv_dist_coarse *out, const clv_dist_graph *g,
                                clv_dist_contraction *how, cleave_error *err);
void clv_dist_coarse_free(clv_dist_coarse *c);

/* Collective.  Sets values[v] (4 bytes, by own vertex) to the value of vertex map[v] of g;
 * `there` is by own vertex of g. */
cleave_status clv_dist_lookup(const clv_dist_graph *g, int64_t count, const int64_t *map,
                              const int32_t *there, int32_t *values, cleave_error *err);
/* The same for 8 bytes. */
cleave_status clv_dist_lookup_wide(const clv_dist_graph *g, int64_t count, const int64_t *map,
                                   const int64_t *there, int64_t *values, cleave_error *err);

#endif
