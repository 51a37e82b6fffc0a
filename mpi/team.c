/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/team.c - see mpi/team.h. */
#include "mpi/team.h"

cleave_status clv_mpi_team(clv_team **out, const clv_comm *comm, int asked, cleave_error *err)
{
    MPI_Comm here;
    int ranks = 1;
    MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    MPI_Comm_free(&here);
    if (asked != 0)
        return clv_team_create(out, asked, err);
    int share = clv_threads_available() / ranks;
    return clv_team_create_up_to(out, share > 0 ? share : 1, err);
}

cleave_status clv_mpi_context_open(clv_context *ctx, const clv_comm *comm, int asked,
                                   uint64_t seed, cleave_error *err)
{
    clv_team *team;
    CLV_TRY(clv_mpi_team(&team, comm, asked, err));
    return clv_context_open_team(ctx, team, seed, err);
}
