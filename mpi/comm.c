/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/comm.c - see mpi/comm.h.
 *
 * Counts are int in MPI-3.  Long messages are split into chunks of the same size on both
 * sides; MPI keeps the order of messages, which matches them. */
#include "mpi/comm.h"

#include <stdatomic.h>
#include <string.h>

enum { piece_bytes = 1 << 28, tag_exchange = 11 };

static _Atomic int64_t bytes_sent;

int64_t clv_comm_bytes_sent(void)
{
    return atomic_load(&bytes_sent);
}

void clv_comm_count_bytes(int64_t bytes)
{
    atomic_fetch_add(&bytes_sent, bytes);
}

cleave_status clv_comm_open(clv_comm *comm, MPI_Comm mpi, cleave_error *err)
{
    if (mpi == MPI_COMM_NULL)
        return clv_fail(err, CLEAVE_EINVAL, "the communicator is MPI_COMM_NULL");
    if (MPI_Comm_dup(mpi, &comm->mpi) != MPI_SUCCESS)
        return clv_fail(err, CLEAVE_EINVAL, "the communicator cannot be duplicated");
    MPI_Comm_rank(comm->mpi, &comm->rank);
    MPI_Comm_size(comm->mpi, &comm->size);
    return CLEAVE_OK;
}

void clv_comm_close(clv_comm *comm)
{
    MPI_Comm_free(&comm->mpi);
}

/* ---- Agreement -------------------------------------------------------------------------- */

cleave_status clv_comm_agree(const clv_comm *comm, cleave_status mine, cleave_error *err)
{
    if (comm->size == 1)
        return mine;
    int failed = mine == CLEAVE_OK ? comm->size : comm->rank, lowest;
    MPI_Allreduce(&failed, &lowest, 1, MPI_INT, MPI_MIN, comm->mpi);
    if (lowest == comm->size)
        return CLEAVE_OK;
    cleave_error said = {.status = mine};
    if (err && mine != CLEAVE_OK)
        said = *err;
    said.status = mine;
    if (mine != CLEAVE_OK && !err)
        clv_fail(&said, mine, "%s", cleave_status_text(mine));
    MPI_Bcast(&said, (int)sizeof said, MPI_BYTE, lowest, comm->mpi);
    if (err)
        *err = said;
    return said.status;
}

cleave_status clv_comm_agree_memory(const clv_comm *comm, bool ok, cleave_error *err)
{
    return clv_comm_agree(comm, ok ? CLEAVE_OK : clv_fail_memory(err), err);
}

/* ---- Reductions ------------------------------------------------------------------------- */

static int64_t reduce(const clv_comm *comm, int64_t mine, MPI_Op op)
{
    int64_t all = mine;
    if (comm->size > 1)
        MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, op, comm->mpi);
    return all;
}

int64_t clv_comm_sum(const clv_comm *comm, int64_t mine)
{
    return reduce(comm, mine, MPI_SUM);
}

int64_t clv_comm_max(const clv_comm *comm, int64_t mine)
{
    return reduce(comm, mine, MPI_MAX);
}

int64_t clv_comm_min(const clv_comm *comm, int64_t mine)
{
    return reduce(comm, mine, MPI_MIN);
}

int64_t clv_comm_before(const clv_comm *comm, int64_t mine)
{
    int64_t before = 0;
    if (comm->size > 1)
        MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm->mpi);
    return comm->rank == 0 ? 0 : before;
}

static void reduce_all(const clv_comm *comm, int64_t *values, int64_t count, MPI_Op op)
{
    enum { piece = piece_bytes / 8 };
    clv_comm_count_bytes(comm->size > 1 ? count * 8 : 0);
    for (int64_t at = 0; comm->size > 1 && at < count; at += piece) {
        int now = (int)(count - at < piece ? count - at : piece);
        MPI_Allreduce(MPI_IN_PLACE, values + at, now, MPI_INT64_T, op, comm->mpi);
    }
}

void clv_comm_sum_all(const clv_comm *comm, int64_t *values, int64_t count)
{
    reduce_all(comm, values, count, MPI_SUM);
}

void clv_comm_max_all(const clv_comm *comm, int64_t *values, int64_t count)
{
    reduce_all(comm, values, count, MPI_MAX);
}

void clv_comm_broadcast(const clv_comm *comm, void *bytes, int64_t count, int root)
{
    clv_comm_count_bytes(comm->size > 1 && comm->rank == root ? count : 0);
    for (int64_t at = 0; comm->size > 1 && at < count; at += piece_bytes) {
        int now = (int)(count - at < piece_bytes ? count - at : piece_bytes);
        MPI_Bcast((char *)bytes + at, now, MPI_BYTE, root, comm->mpi);
    }
}

bool clv_comm_is_local(const clv_comm *comm)
{
    MPI_Comm computer = MPI_COMM_NULL;
    int size = 0;
    MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &computer);
    if (computer != MPI_COMM_NULL) {
        MPI_Comm_size(computer, &size);
        MPI_Comm_free(&computer);
    }
    return clv_comm_min(comm, size) == comm->size;
}

/* ---- All-to-all ------------------------------------------------------------------------- */

/* Sends to one peer and receives from another.  Both sides have the length of a message: an
 * empty one is not sent. */
static void swap_with(const clv_comm *comm, const char *send, int64_t send_bytes, int to,
                      char *got, int64_t got_bytes, int from)
{
    clv_comm_count_bytes(send_bytes);
    for (int64_t at = 0; at < got_bytes || at < send_bytes; at += piece_bytes) {
        int64_t in = got_bytes - at < piece_bytes ? got_bytes - at : piece_bytes;
        int64_t out = send_bytes - at < piece_bytes ? send_bytes - at : piece_bytes;
        MPI_Request request = MPI_REQUEST_NULL;
        if (in > 0)
            MPI_Irecv(got + at, (int)in, MPI_BYTE, from, tag_exchange, comm->mpi, &request);
        if (out > 0)
            MPI_Send(send + at, (int)out, MPI_BYTE, to, tag_exchange, comm->mpi);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Rank r exchanges with r + 1 and r - 1, then with r + 2 and r - 2, and so on, so that no rank
 * receives from all others at once. */
void clv_comm_exchange_known(const clv_comm *comm, const void *send, const int64_t *first,
                             size_t each, void *got, const int64_t *got_first)
{
    int me = comm->rank, size = comm->size;
    const char *from = send;
    char *to = got;
    int64_t own = first[me + 1] - first[me];
    if (own > 0)
        memcpy(to + got_first[me] * (int64_t)each, from + first[me] * (int64_t)each,
               (size_t)own * each);
    for (int step = 1; step < size; step++) {
        int next = (me + step) % size, last = (me + size - step) % size;
        swap_with(comm, from + first[next] * (int64_t)each,
                  (first[next + 1] - first[next]) * (int64_t)each, next,
                  to + got_first[last] * (int64_t)each,
                  (got_first[last + 1] - got_first[last]) * (int64_t)each, last);
    }
}

cleave_status clv_comm_exchange(const clv_comm *comm, const void *send, const int64_t *first,
                                size_t each, void **got, int64_t *got_first, cleave_error *err)
{
    int size = comm->size;
    int64_t *count = clv_alloc(size, sizeof *count);
    cleave_status status = clv_comm_agree_memory(comm, count != NULL, err);
    *got = NULL;
    if (status != CLEAVE_OK) {
        clv_sys_free(count);
        return status;
    }
    for (int r = 0; r < size; r++)
        count[r] = first[r + 1] - first[r];
    MPI_Alltoall(count, 1, MPI_INT64_T, got_first + 1, 1, MPI_INT64_T, comm->mpi);
    clv_sys_free(count);
    got_first[0] = 0;
    for (int r = 0; r < size; r++)
        got_first[r + 1] += got_first[r];
    *got = clv_alloc(got_first[size], each);
    status = clv_comm_agree_memory(comm, *got != NULL, err);
    if (status != CLEAVE_OK) {
        clv_sys_free(*got);
        *got = NULL;
        return status;
    }
    clv_comm_exchange_known(comm, send, first, each, *got, got_first);
    return CLEAVE_OK;
}

cleave_status clv_comm_gather_all(const clv_comm *comm, const void *send, int64_t count,
                                  size_t each, void **got, int64_t *got_first,
                                  cleave_error *err)
{
    *got = NULL;
    MPI_Allgather(&count, 1, MPI_INT64_T, got_first + 1, 1, MPI_INT64_T, comm->mpi);
    got_first[0] = 0;
    for (int r = 0; r < comm->size; r++)
        got_first[r + 1] += got_first[r];
    *got = clv_alloc(got_first[comm->size], each);
    cleave_status status = clv_comm_agree_memory(comm, *got != NULL, err);
    if (status != CLEAVE_OK) {
        clv_sys_free(*got);
        *got = NULL;
        return status;
    }
    char *to = *got;
    if (count > 0)
        memcpy(to + got_first[comm->rank] * (int64_t)each, send, (size_t)count * each);
    for (int r = 0; r < comm->size; r++)
        clv_comm_broadcast(comm, to + got_first[r] * (int64_t)each,
                           (got_first[r + 1] - got_first[r]) * (int64_t)each, r);
    return CLEAVE_OK;
}
