/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/bytes_sent.c - the number of bytes this rank has sent, for reports. */
#include "cleave/cleave_mpi.h"
#include "mpi/comm.h"

int64_t cleave_mpi_bytes_sent(void)
{
    return clv_comm_bytes_sent();
}
