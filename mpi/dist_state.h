/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_state.h - the partition state of a distributed graph during refinement.
 *
 * The counterpart of refine/state/partition_state.h, built on it: `s` is a state of that kind
 * whose graph has the rows of this rank's own vertices, whose part array includes the ghosts,
 * and whose weights and counts are those of all ranks.  Gains, remaining capacity and bounds
 * are therefore computed by the functions of refine/.  Solutions are compared by (overload,
 * cut). */
#ifndef CLV_MPI_DIST_STATE_H
#define CLV_MPI_DIST_STATE_H

#include "mpi/dist_graph.h"
#include "refine/state/neighbour_parts.h"

typedef struct clv_dist_state {
    const clv_dist_graph *g;
    clv_graph rows; /* own vertices; neighbours may be ghosts */
    clv_partition_state
        s;               /* maybe_boundary, fixed: own; cut: of all ranks, as last computed */
    const int32_t *home; /* own: the home part of a vertex, -1: none; NULL */
    const int64_t *tie;  /* own: the cost of leaving it, in units of the cut; NULL */
    clv_neighbour_parts *f; /* one per thread of the team */
} clv_dist_state;

/* Data shared by all levels; the machine and the arrays outlive the state. */
typedef struct clv_dist_bounds {
    clv_bounds parts;           /* share is not read, min is NULL */
    const clv_machine *machine; /* NULL: all parts at distance 1 */
} clv_dist_bounds;

/* Collective.  part: own and ghosts, own ones set.  Arrays are from ctx->ws, which the caller
 * restores.  Computes all weights and the cut; maybe_boundary is all 1.  The level is 0, no
 * vertex is fixed, and none has a home: the caller sets what differs. */
cleave_status clv_dist_state_open(clv_dist_state *k, const clv_dist_graph *g,
                                  const clv_dist_bounds *bounds, int32_t *part,
                                  clv_context *ctx, cleave_error *err);

/* Collective.  Updates the ghosts, and computes the weights and counts of all ranks from
 * part. */
void clv_dist_state_measure(clv_dist_state *k);
/* Collective.  Computes the cut (with home costs) from scratch; s.maybe_boundary becomes
 * exact. */
void clv_dist_state_cut(clv_dist_state *k);

/* Gathers the connectivity of the own vertex v, with its home cost. */
static inline void clv_dist_gather(const clv_dist_state *k, clv_neighbour_parts *f, int32_t v)
{
    clv_neighbour_parts_gather(f, &k->s, v);
    if (k->home && k->home[v] >= 0 && k->tie[v] > 0) {
        clv_neighbour_parts_add(f, k->home[v], k->tie[v]);
        f->outside |= k->home[v] != k->s.part[v];
    }
}

/* The cost of v in its part: its edges (each end of an edge counts), twice its home cost. */
int64_t clv_dist_cost(const clv_dist_state *k, int32_t v);

#endif
