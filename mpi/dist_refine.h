/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_refine.h - refinement of distributed partitions. */
#ifndef CLV_MPI_DIST_REFINE_H
#define CLV_MPI_DIST_REFINE_H

#include "engine/presets.h"
#include "mpi/dist_state.h"

typedef struct clv_dist_jet_params {
    int32_t rounds, patience;
    int32_t temperature; /* as clv_jet_params */
} clv_dist_jet_params;

/* Each of these is collective, improves k and never makes (overload, cut) worse; after a
 * failure (CLEAVE_ENOMEM) k is consistent, too. */

/* Jet: unconstrained moves on all ranks at once, then rebalancing; refine/moves/jet.h over
 * ranks (mpi/dist_jet.c). */
cleave_status clv_dist_jet(clv_dist_state *k, const clv_dist_jet_params *params,
                           clv_context *ctx, cleave_error *err);

/* Moves vertices out of overloaded parts, smallest loss per weight first
 * (mpi/dist_rebalance.c). */
cleave_status clv_dist_rebalance(clv_dist_state *k, clv_context *ctx, cleave_error *err);

/* Each rank refines its own vertices around the boundary with the sequential refiners.  A
 * vertex that is a ghost elsewhere moves only if all its neighbours on other ranks are on
 * higher ranks or, with down, on lower ranks (mpi/dist_corridor.c). */
cleave_status clv_dist_corridor(clv_dist_state *k, const clv_preset *effort, bool down,
                                clv_context *ctx, cleave_error *err);

/* For a DAG: moves that keep the topological ranks of the parts (s.rank), all towards higher
 * or all towards lower ranks at a time (mpi/dist_acyclic.c). */
cleave_status clv_dist_acyclic(clv_dist_state *k, int32_t rounds, clv_context *ctx,
                               cleave_error *err);

#endif
