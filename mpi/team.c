/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/team.c - see mpi/team.h. */
#include "mpi/team.h"

#include "base/threads.h"

int clv_mpi_threads(const clv_comm *comm, int asked)
{
    MPI_Comm here;
    int ranks = 1, threads = asked;
    MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    MPI_Comm_free(&here);
    if (asked == 0)
        threads = clv_threads_available() / ranks;
    return threads > 0 ? threads : asked < 0 ? asked : 1;
}
