/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/team.h - threads inside a rank. */
#ifndef CLV_MPI_TEAM_H
#define CLV_MPI_TEAM_H

#include "base/context.h"
#include "mpi/comm.h"

/* Collective: a team of `asked` threads, or, where that is 0, of up to an even share of the
 * processors of this machine for each rank that runs on it; at least 1.  Ranks may differ in
 * whether it fails. */
cleave_status clv_mpi_team(clv_team **out, const clv_comm *comm, int asked, cleave_error *err);
/* The same as clv_context_open of a team like that. */
cleave_status clv_mpi_context_open(clv_context *ctx, const clv_comm *comm, int asked,
                                   uint64_t seed, double limit, cleave_progress_fn progress,
                                   void *payload, cleave_error *err);

#endif
