/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_refine.h - better partitions of distributed graphs. */
#ifndef CLV_MPI_DIST_REFINE_H
#define CLV_MPI_DIST_REFINE_H

#include "engine/presets.h"
#include "mpi/dist_state.h"

typedef struct clv_dist_jet_params {
    int32_t rounds, patience;
    int32_t temperature; /* as clv_jet_params */
} clv_dist_jet_params;

/* Each of these is collective, improves k and never leaves it worse by (overload, cut); on
 * failure (CLEAVE_ENOMEM) it is consistent, too. */

/* Unconstrained moves of all ranks at once, then repair: refine/jet.h over ranks
 * (mpi/dist_jet.c). */
cleave_status clv_dist_jet(clv_dist_state *k, const clv_dist_jet_params *params,
                           clv_context *ctx, cleave_error *err);

/* Out of parts that hold too much, smallest loss per weight first (mpi/dist_rebalance.c). */
cleave_status clv_dist_rebalance(clv_dist_state *k, clv_context *ctx, cleave_error *err);

/* Each rank alone, on its own vertices around the borders of parts, by the refiners of one
 * machine; of vertices that other ranks see those whose neighbours are all on higher ranks
 * move, or (down) all on lower ones (mpi/dist_corridor.c). */
cleave_status clv_dist_corridor(clv_dist_state *k, const clv_preset *effort, bool down,
                                clv_context *ctx, cleave_error *err);

/* Of a DAG: moves that keep the ranks of the parts (s.rank) in order, all of them towards
 * higher or all towards lower ranks at a time (mpi/dist_acyclic.c). */
cleave_status clv_dist_acyclic(clv_dist_state *k, int32_t rounds, clv_context *ctx,
                               cleave_error *err);

#endif
