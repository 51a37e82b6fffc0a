/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/team.h - threads inside a rank. */
#ifndef CLV_MPI_TEAM_H
#define CLV_MPI_TEAM_H

#include "mpi/comm.h"

/* Collective: `asked`, or, where that is 0, an even share of the processors of this machine
 * for each rank that runs on it; at least 1. */
int clv_mpi_threads(const clv_comm *comm, int asked);

#endif
