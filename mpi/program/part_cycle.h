/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/part_cycle.h - a cycle in the quotient graph of a DAG. */
#ifndef CLEAVE_MPI_PART_CYCLE_H
#define CLEAVE_MPI_PART_CYCLE_H

#include "mpi/program/all_ranks.h"

/* Collective.  On rank 0 *cycle becomes the parts of a cycle in order, *length of them (0:
 * none), as cleave_evaluate_cycle finds it; freed by free, also on failure. */
cleave_status part_cycle_find(int64_t **cycle, int32_t *length, const cleave_mpi_graph *g,
                              int32_t nparts, const int32_t *part, cleave_error *err);

#endif
