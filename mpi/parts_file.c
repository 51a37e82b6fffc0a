/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/parts_file.c - reads and writes partition files through rank 0.
 *
 * Rank 0 holds one chunk of the parts at a time.  (Scotch mappings, whose lines can be in any
 * order, are read as a whole.) */
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "mpi/files.h"

enum { tag_parts = 19 };

/* ---- Writing ---------------------------------------------------------------------------- */

static void put_parts(void *context, const void *items, int64_t count)
{
    clv_partition_put(context, items, count);
}

static cleave_status check_parts(const clv_dist_graph *g, const char *path,
                                 const int32_t *part, cleave_error *err)
{
    if (!path || (!part && g->nlocal > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "part" : "path");
    return CLEAVE_OK;
}

cleave_status cleave_mpi_parts_write(const char *path, const cleave_mpi_graph *g,
                                     const int32_t *part, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "graph is NULL");
    const clv_comm *comm = &g->comm;
    clv_partition_writer writer;
    CLV_TRY(clv_comm_agree(comm, check_parts(g, path, part, err), err));
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = clv_partition_begin(&writer, path, g->nglobal, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    clv_root_collect(comm, g->first, part, sizeof *part, put_parts, &writer);
    if (comm->rank == 0)
        status = clv_partition_end(&writer, err);
    return clv_comm_agree(comm, status, err);
}

/* ---- Reading ---------------------------------------------------------------------------- */

/* The state of rank 0 while reading the file. */
typedef struct dealer {
    const clv_dist_graph *g;
    int32_t *part;   /* of rank 0 */
    int64_t next;    /* next vertex */
    int32_t largest; /* largest part so far */
} dealer;

/* At most the capacity of the receiver (take_parts). */
static cleave_status deal_parts(void *context, const int32_t *part, int64_t count,
                                cleave_error *err)
{
    enum { most = 1 << 20 };
    dealer *d = context;
    const clv_comm *comm = &d->g->comm;
    (void)err;
    while (count > 0) {
        int to = clv_dist_owner(d->g->first, comm->size, d->next);
        int64_t left = d->g->first[to + 1] - d->next, now = count < left ? count : left;
        now = now < most ? now : most;
        for (int64_t i = 0; i < now; i++)
            d->largest = part[i] > d->largest ? part[i] : d->largest;
        if (to == 0)
            memcpy(d->part + d->next, part, (size_t)now * sizeof *part);
        else
            MPI_Send(part, (int)now, MPI_INT32_T, to, tag_parts, comm->mpi);
        clv_comm_count_bytes(comm, to == 0 ? 0 : now * 4);
        d->next += now;
        part += now;
        count -= now;
    }
    return CLEAVE_OK;
}

/* After a failure rank 0 sends an empty message to each rank that waits. */
static void stop_dealing(const dealer *d)
{
    const clv_comm *comm = &d->g->comm;
    for (int r = 1; r < comm->size; r++)
        if (d->next < d->g->first[r + 1] && d->g->first[r] < d->g->first[r + 1])
            MPI_Send(NULL, 0, MPI_INT32_T, r, tag_parts, comm->mpi);
}

static void take_parts(const clv_dist_graph *g, int32_t *part)
{
    for (int64_t have = 0; have < g->nlocal;) {
        MPI_Status status;
        int64_t room = g->nlocal - have;
        int got = 0, most = room < 1 << 30 ? (int)room : 1 << 30;
        MPI_Recv(part + have, most, MPI_INT32_T, 0, tag_parts, g->comm.mpi, &status);
        MPI_Get_count(&status, MPI_INT32_T, &got);
        if (got == 0)
            return;
        have += got;
    }
}

static cleave_status check_reading(const clv_dist_graph *g, const int32_t *part,
                                   const int32_t *nparts, const char *path, cleave_error *err)
{
    if (!nparts)
        return clv_fail(err, CLEAVE_EINVAL, "nparts is NULL");
    if (*nparts < -1)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld parts", (long)*nparts);
    return check_parts(g, path, part, err);
}

cleave_status cleave_mpi_parts_read(int32_t *part, int32_t *nparts, const cleave_mpi_graph *g,
                                    const char *path, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "graph is NULL");
    const clv_comm *comm = &g->comm;
    CLV_TRY(clv_comm_agree(comm, check_reading(g, part, nparts, path, err), err));
    dealer d = {.g = g, .part = part, .largest = -1};
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0) {
        status = clv_partition_stream(path, g->nglobal, *nparts, deal_parts, &d, err);
        if (status != CLEAVE_OK)
            stop_dealing(&d);
    } else {
        take_parts(g, part);
    }
    CLV_TRY(clv_comm_agree(comm, status, err));
    clv_comm_broadcast(comm, &d.largest, sizeof d.largest, 0);
    if (*nparts < 0)
        *nparts = d.largest + 1;
    return CLEAVE_OK;
}
