/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/team.h - the threads of a rank. */
#ifndef CLV_MPI_TEAM_H
#define CLV_MPI_TEAM_H

#include "base/context.h"
#include "mpi/comm.h"

/* Collective.  Creates a team of `asked` threads or, when that is 0, of an even share of the
 * processors of this computer among its ranks; at least 1.  The status can differ between
 * ranks. */
cleave_status clv_mpi_team(clv_team **out, const clv_comm *comm, int asked, cleave_error *err);
/* As clv_context_open with such a team. */
cleave_status clv_mpi_context_open(clv_context *ctx, const clv_comm *comm, int asked,
                                   uint64_t seed, cleave_error *err);

#endif
