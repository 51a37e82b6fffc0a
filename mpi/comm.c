/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/comm.c - see mpi/comm.h.
 *
 * Counts are int in MPI-3.  Long messages are split into chunks of the same size on both
 * sides; MPI keeps the order of messages, which matches them. */
#include "mpi/comm.h"

#include <string.h>

enum { piece_bytes = 1 << 28, tag_exchange = 11 };

cleave_status clv_comm_open(clv_comm *comm, MPI_Comm mpi, cleave_error *err)
{
    if (mpi == MPI_COMM_NULL)
        return clv_fail(err, CLEAVE_EINVAL, "the communicator is MPI_COMM_NULL");
    if (MPI_Comm_dup(mpi, &comm->mpi) != MPI_SUCCESS)
        return clv_fail(err, CLEAVE_EINVAL, "the communicator cannot be duplicated");
    MPI_Comm_rank(comm->mpi, &comm->rank);
    MPI_Comm_size(comm->mpi, &comm->size);
    comm->bytes_sent = clv_zalloc(1, sizeof *comm->bytes_sent);
    cleave_status status = clv_comm_agree_memory(comm, comm->bytes_sent != NULL, err);
    if (status != CLEAVE_OK)
        clv_comm_close(comm);
    return status;
}

void clv_comm_close(clv_comm *comm)
{
    clv_sys_free(comm->bytes_sent);
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
    clv_comm_count_bytes(comm, comm->size > 1 ? count * 8 : 0);
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
    clv_comm_count_bytes(comm, comm->size > 1 && comm->rank == root ? count : 0);
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

/* The length of the chunk at `at` of a message of so many bytes; 0: the message is over. */
static int chunk_length(int64_t bytes, int64_t at)
{
    int64_t left = bytes - at;
    return left <= 0 ? 0 : left < piece_bytes ? (int)left : piece_bytes;
}

/* Both sides have the length of a message: an empty one is not sent. */
static MPI_Request receive_chunk(const clv_comm *comm, int from, char *to, int length)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (length > 0)
        MPI_Irecv(to, length, MPI_BYTE, from, tag_exchange, comm->mpi, &request);
    return request;
}

static void send_chunk(const clv_comm *comm, int to, const char *from, int length)
{
    if (length > 0)
        MPI_Send(from, length, MPI_BYTE, to, tag_exchange, comm->mpi);
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
        const char *out = from + first[next] * (int64_t)each;
        char *in = to + got_first[last] * (int64_t)each;
        int64_t out_bytes = (first[next + 1] - first[next]) * (int64_t)each;
        int64_t in_bytes = (got_first[last + 1] - got_first[last]) * (int64_t)each;
        clv_comm_count_bytes(comm, out_bytes);
        for (int64_t at = 0; at < in_bytes || at < out_bytes; at += piece_bytes) {
            MPI_Request request =
                receive_chunk(comm, last, in + at, chunk_length(in_bytes, at));
            send_chunk(comm, next, out + at, chunk_length(out_bytes, at));
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

void clv_arrivals_free(clv_arrivals *got)
{
    clv_sys_free(got->items);
    clv_sys_free(got->first);
    *got = (clv_arrivals){0};
}

/* Collective.  Allocates *got; got->first[r + 1] is the number of items from rank r and
 * becomes the end of these items. */
static cleave_status allocate_items(clv_arrivals *got, const clv_comm *comm, size_t each,
                                    cleave_error *err)
{
    got->first[0] = 0;
    for (int r = 0; r < comm->size; r++)
        got->first[r + 1] += got->first[r];
    got->count = got->first[comm->size];
    got->items = clv_alloc(got->count, each);
    cleave_status status = clv_comm_agree_memory(comm, got->items != NULL, err);
    if (status != CLEAVE_OK)
        clv_arrivals_free(got);
    return status;
}

/* Collective.  Allocates got->first and, for the sender, as many counts. */
static cleave_status allocate_counts(clv_arrivals *got, const clv_comm *comm, int64_t **count,
                                     cleave_error *err)
{
    *got = (clv_arrivals){.first = clv_alloc(comm->size + 1, sizeof *got->first)};
    *count = clv_alloc(comm->size, sizeof **count);
    cleave_status status = clv_comm_agree_memory(comm, got->first && *count, err);
    if (status != CLEAVE_OK) {
        clv_sys_free(*count);
        clv_arrivals_free(got);
    }
    return status;
}

cleave_status clv_comm_exchange(const clv_comm *comm, const void *send, const int64_t *first,
                                size_t each, clv_arrivals *got, cleave_error *err)
{
    int64_t *count;
    CLV_TRY(allocate_counts(got, comm, &count, err));
    for (int r = 0; r < comm->size; r++)
        count[r] = first[r + 1] - first[r];
    MPI_Alltoall(count, 1, MPI_INT64_T, got->first + 1, 1, MPI_INT64_T, comm->mpi);
    clv_sys_free(count);
    CLV_TRY(allocate_items(got, comm, each, err));
    clv_comm_exchange_known(comm, send, first, each, got->items, got->first);
    return CLEAVE_OK;
}

cleave_status clv_comm_gather_all(const clv_comm *comm, const void *send, int64_t count,
                                  size_t each, clv_arrivals *got, cleave_error *err)
{
    *got = (clv_arrivals){.first = clv_alloc(comm->size + 1, sizeof *got->first)};
    cleave_status status = clv_comm_agree_memory(comm, got->first != NULL, err);
    if (status != CLEAVE_OK) {
        clv_arrivals_free(got);
        return status;
    }
    MPI_Allgather(&count, 1, MPI_INT64_T, got->first + 1, 1, MPI_INT64_T, comm->mpi);
    CLV_TRY(allocate_items(got, comm, each, err));
    char *to = got->items;
    if (count > 0)
        memcpy(to + got->first[comm->rank] * (int64_t)each, send, (size_t)count * each);
    for (int r = 0; r < comm->size; r++)
        clv_comm_broadcast(comm, to + got->first[r] * (int64_t)each,
                           (got->first[r + 1] - got->first[r]) * (int64_t)each, r);
    return CLEAVE_OK;
}
