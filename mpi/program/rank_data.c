/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/rank_data.c - see mpi/program/rank_data.h. */
#include "mpi/program/rank_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

/* ---- Graphs ---------------------------------------------------------------------------- */

cleave_status rank_graph_read(cleave_mpi_graph **out, const char *path, const cli_input *input,
                              double *seconds, cleave_error *err)
{
    cli_progress progress;
    cleave_read_options opt;
    cli_read_options(&opt, input);
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    cli_progress_begin(&progress, CLI_READING);
    cleave_status status = cleave_mpi_graph_read(out, MPI_COMM_WORLD, path, &opt, err);
    *seconds = cli_progress_end(&progress);
    return ranks_interrupted() ? CLEAVE_ECANCEL : status;
}

cli_size rank_graph_size(const cleave_mpi_graph *g)
{
    return (cli_size){cleave_mpi_graph_kind(g), cleave_mpi_graph_vertices(g),
                      cleave_mpi_graph_edges(g)};
}

rank_share rank_graph_share(const cleave_mpi_graph *g)
{
    cleave_mpi_local local;
    cleave_mpi_local_init(&local, sizeof local);
    cleave_mpi_graph_view(g, &local);
    return (rank_share){local.ncon, local.ndim, local.nlocal, local.nghost};
}

int64_t rank_bytes_sent(const cleave_mpi_graph *g)
{
    return ranks_max(cleave_mpi_bytes_sent(g));
}

void rank_bytes_row(int64_t bytes_sent)
{
    cli_row("ranks", "%d, the busiest sent %.1f MB", ranks_count(), 1e-6 * (double)bytes_sent);
}

/* ---- Fixed vertices -------------------------------------------------------------------- */

/* Rank 0 has the values of all vertices and sends every rank its own. */
static void deal(const cleave_mpi_graph *g, const int32_t *all, int32_t *mine)
{
    enum { piece = 1 << 24, tag = 1 };
    const int64_t *first = cleave_mpi_graph_vtxdist(g);
    int64_t own = rank_graph_share(g).nlocal;
    if (!ranks_first()) {
        for (int64_t at = 0; at < own; at += piece)
            MPI_Recv(mine + at, (int)(own - at < piece ? own - at : piece), MPI_INT32_T, 0,
                     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    memcpy(mine, all, (size_t)own * sizeof *mine);
    for (int r = 1; r < ranks_count(); r++)
        for (int64_t at = first[r]; at < first[r + 1]; at += piece)
            MPI_Send(all + at, (int)(first[r + 1] - at < piece ? first[r + 1] - at : piece),
                     MPI_INT32_T, r, tag, MPI_COMM_WORLD);
}

cleave_status rank_fixed_read(int32_t **fixed, const cleave_mpi_graph *g, int32_t nparts,
                              const char *path, cleave_error *err)
{
    int64_t nvtx = cleave_mpi_graph_vertices(g);
    *fixed = NULL;
    if (nvtx > INT32_MAX) {
        snprintf(err->message, sizeof err->message,
                 "%.120s: a file of fixed vertices has at most 2^31-1 lines", path);
        return CLEAVE_ERANGE;
    }
    int32_t *all = ranks_alloc(ranks_first() ? nvtx : 0, sizeof *all, err);
    *fixed = all ? ranks_alloc(rank_graph_share(g).nlocal, sizeof **fixed, err) : NULL;
    cleave_status status = *fixed ? CLEAVE_OK : CLEAVE_ENOMEM;
    if (status == CLEAVE_OK && ranks_first())
        status = cleave_fixed_read(all, (int32_t)nvtx, nparts, path, err);
    status = ranks_agree_on(status, err);
    if (status == CLEAVE_OK)
        deal(g, all, *fixed);
    free(all);
    return status;
}

/* ---- Parts ----------------------------------------------------------------------------- */

cleave_status rank_parts_read(int32_t **part, int32_t *nparts, const cleave_mpi_graph *g,
                              const char *path, int32_t k, cleave_error *err)
{
    *part = ranks_alloc(rank_graph_share(g).nlocal, sizeof **part, err);
    if (!*part)
        return CLEAVE_ENOMEM;
    *nparts = k ? k : -1;
    cleave_status status = cleave_mpi_parts_read(*part, nparts, g, path, err);
    int32_t named = cli_parts_in_name(path);
    if (!k && named > *nparts) /* only the name shows empty parts at the end */
        *nparts = named;
    return status;
}

cleave_status rank_parts_write(const char *path, const cleave_mpi_graph *g,
                               const int32_t *part, double *seconds, cleave_error *err)
{
    cli_progress progress;
    ranks_write_begin(path);
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_mpi_parts_write(path, g, part, err);
    *seconds = cli_progress_end(&progress);
    ranks_write_end();
    return status;
}
