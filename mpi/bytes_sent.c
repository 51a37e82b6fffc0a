/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/bytes_sent.c - the number of bytes this rank has sent for a graph, for reports. */
#include "cleave/cleave_mpi.h"
#include "mpi/dist_graph.h"

int64_t cleave_mpi_bytes_sent(const cleave_mpi_graph *g)
{
    return g ? *g->comm.bytes_sent : 0;
}
