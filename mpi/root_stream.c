/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/root_stream.c - see mpi/files.h.
 *
 * Uses a buffer on the stack: a function that cannot fail does not have to agree on a
 * status. */
#include <string.h>

#include "base/compare.h"
#include "mpi/files.h"

enum { buffer_bytes = 1 << 16, tag_stream = 17 };

static void send_all(const clv_comm *comm, const char *mine, int64_t count, size_t each)
{
    int64_t most = buffer_bytes / (int64_t)each;
    clv_comm_count_bytes(comm, count * (int64_t)each);
    for (int64_t at = 0; at < count; at += most)
        MPI_Send(mine + at * (int64_t)each,
                 (int)(clv_smaller64(count - at, most) * (int64_t)each), MPI_BYTE, 0,
                 tag_stream, comm->mpi);
}

void clv_root_collect(const clv_comm *comm, const int64_t *first, const void *mine,
                      size_t each, clv_root_sink sink, void *context)
{
    char buffer[buffer_bytes];
    int64_t own = first[comm->rank + 1] - first[comm->rank];
    int64_t most = buffer_bytes / (int64_t)each;
    if (comm->rank != 0) {
        send_all(comm, mine, own, each);
        return;
    }
    if (own > 0)
        sink(context, mine, own);
    for (int r = 1; r < comm->size; r++) {
        int64_t count = first[r + 1] - first[r];
        for (int64_t at = 0; at < count; at += most) {
            int64_t now = clv_smaller64(count - at, most);
            MPI_Recv(buffer, (int)(now * (int64_t)each), MPI_BYTE, r, tag_stream, comm->mpi,
                     MPI_STATUS_IGNORE);
            sink(context, buffer, now);
        }
    }
}

/* Sends messages in chunks of the same size on both sides. */
static void move_pieces(const clv_comm *comm, const char *from, char *to, int64_t bytes,
                        int rank)
{
    enum { piece = 1 << 26 };
    if (comm->rank == 0)
        clv_comm_count_bytes(comm, bytes);
    for (int64_t at = 0; at < bytes; at += piece) {
        int now = (int)clv_smaller64(bytes - at, piece);
        if (comm->rank == 0)
            MPI_Send(from + at, now, MPI_BYTE, rank, tag_stream, comm->mpi);
        else
            MPI_Recv(to + at, now, MPI_BYTE, 0, tag_stream, comm->mpi, MPI_STATUS_IGNORE);
    }
}

void clv_root_deal(const clv_comm *comm, const int64_t *first, const void *all, size_t each,
                   void *mine)
{
    const char *from = all;
    int64_t width = (int64_t)each;
    if (comm->rank != 0) {
        move_pieces(comm, NULL, mine, (first[comm->rank + 1] - first[comm->rank]) * width, 0);
        return;
    }
    if (first[1] > first[0])
        memcpy(mine, from + first[0] * width, (size_t)((first[1] - first[0]) * width));
    for (int r = 1; r < comm->size; r++)
        move_pieces(comm, from + first[r] * width, NULL, (first[r + 1] - first[r]) * width, r);
}
