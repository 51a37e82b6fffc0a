/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/rank_data.h - graphs and arrays by vertex read from files, for all ranks.  All
 * functions are collective. */
#ifndef CLEAVE_MPI_RANK_DATA_H
#define CLEAVE_MPI_RANK_DATA_H

#include "cli/graph_io.h"
#include "cli/quality.h"
#include "mpi/program/all_ranks.h"

/* With progress, signals and time limit; CLEAVE_ECANCEL on all ranks when one was
 * interrupted. */
cleave_status rank_graph_read(cleave_mpi_graph **out, const char *path, const cli_input *input,
                              double *seconds, cleave_error *err);

cli_size rank_graph_size(const cleave_mpi_graph *g); /* local */
/* Of this rank; the first two are the same on all ranks. */
typedef struct rank_share {
    int32_t ncon, ndim;
    int32_t nlocal, nghost;
} rank_share;
rank_share rank_graph_share(const cleave_mpi_graph *g); /* local */

/* Reads a part or -1 for each own vertex from a file with a line per vertex; rank 0 holds all
 * of it temporarily.  *fixed is freed by free, also on failure. */
cleave_status rank_fixed_read(int32_t **fixed, const cleave_mpi_graph *g, int32_t nparts,
                              const char *path, cleave_error *err);

/* Reads a partition as cli_mapping_read does.  *part is freed by free, also on failure. */
cleave_status rank_parts_read(int32_t **part, int32_t *nparts, const cleave_mpi_graph *g,
                              const char *path, int32_t k, cleave_error *err);
cleave_status rank_parts_write(const char *path, const cleave_mpi_graph *g,
                               const int32_t *part, double *seconds, cleave_error *err);

/* The number of bytes that the busiest rank has sent for g so far. */
int64_t rank_bytes_sent(const cleave_mpi_graph *g);
/* The row "ranks" of a report. */
void rank_bytes_row(int64_t bytes_sent);

#endif
