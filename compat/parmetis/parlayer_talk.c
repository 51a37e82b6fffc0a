/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_talk.c - collectives with agreed errors and 64-bit counts.
 *
 * An all-to-all exchange in rounds: in round i each rank sends to the rank i after it and
 * receives from the rank i before it.  No rank receives from all others at once, and messages
 * can be built for one rank at a time. */
#include <string.h>

#include "parlayer.h"

enum { piece_bytes = 1 << 28, tag = 13 };

int cp_ranks_open(cp_ranks *ranks, const MPI_Comm *comm)
{
    int between = 0;
    if (!comm || *comm == MPI_COMM_NULL)
        return METIS_ERROR_INPUT;
    if (MPI_Comm_test_inter(*comm, &between) != MPI_SUCCESS || between)
        return METIS_ERROR_INPUT;
    if (MPI_Comm_dup(*comm, &ranks->comm) != MPI_SUCCESS)
        return METIS_ERROR;
    MPI_Comm_rank(ranks->comm, &ranks->rank);
    MPI_Comm_size(ranks->comm, &ranks->size);
    return METIS_OK;
}

void cp_ranks_close(cp_ranks *ranks)
{
    MPI_Comm_free(&ranks->comm);
}

/* ---- Agreement ------------------------------------------------------------------- */

int64_t cp_max(const cp_ranks *ranks, int64_t value)
{
    int64_t all;
    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MAX, ranks->comm);
    return all;
}

int64_t cp_min(const cp_ranks *ranks, int64_t value)
{
    int64_t all;
    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MIN, ranks->comm);
    return all;
}

void cp_sum_all(const cp_ranks *ranks, int64_t *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, ranks->comm);
}

int cp_agree(const cp_ranks *ranks, int status)
{
    return (int)cp_min(ranks, status); /* all errors are below METIS_OK */
}

int cp_agree_same(const cp_ranks *ranks, int status, uint64_t digest)
{
    int64_t mine = (int64_t)(digest >> 1);
    int64_t low[] = {status, mine, -mine};
    MPI_Allreduce(MPI_IN_PLACE, low, 3, MPI_INT64_T, MPI_MIN, ranks->comm);
    if (low[0] != METIS_OK)
        return (int)low[0];
    return low[1] == -low[2] ? METIS_OK : METIS_ERROR_INPUT;
}

uint64_t cp_digest(uint64_t digest, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3) + UINT64_C(0x9e3779b97f4a7c15);
    return digest;
}

/* ---- Exchange -------------------------------------------------------------------- */

static int piece_of(int64_t bytes, int64_t at)
{
    return bytes <= at ? 0 : (int)(bytes - at < piece_bytes ? bytes - at : piece_bytes);
}

void cp_swap(const cp_ranks *ranks, int step, const void *send, int64_t send_bytes, void *got,
             int64_t got_bytes)
{
    int to = cp_receiver(ranks, step), from = cp_sender(ranks, step);
    if (to == ranks->rank) {
        if (send_bytes > 0)
            memcpy(got, send, (size_t)send_bytes);
        return;
    }
    int64_t most = send_bytes > got_bytes ? send_bytes : got_bytes;
    for (int64_t at = 0; at < most; at += piece_bytes) {
        int out = piece_of(send_bytes, at), in = piece_of(got_bytes, at);
        MPI_Sendrecv((const char *)send + (out ? at : 0), out, MPI_BYTE,
                     out ? to : MPI_PROC_NULL, tag, (char *)got + (in ? at : 0), in, MPI_BYTE,
                     in ? from : MPI_PROC_NULL, tag, ranks->comm, MPI_STATUS_IGNORE);
    }
}

/* The counts are exchanged in the memory of the offsets and then summed. */
void cp_tell_counts(const cp_ranks *ranks, const int64_t *first, int64_t *got_first)
{
    for (int step = 0; step < ranks->size; step++) {
        int to = cp_receiver(ranks, step), from = cp_sender(ranks, step);
        int64_t count = first[to + 1] - first[to];
        cp_swap(ranks, step, &count, sizeof count, &got_first[from + 1], sizeof count);
    }
    got_first[0] = 0;
    for (int r = 0; r < ranks->size; r++)
        got_first[r + 1] += got_first[r];
}

void cp_exchange(const cp_ranks *ranks, const void *send, const int64_t *first, void *got,
                 const int64_t *got_first, size_t each)
{
    int64_t width = (int64_t)each;
    for (int step = 0; step < ranks->size; step++) {
        int to = cp_receiver(ranks, step), from = cp_sender(ranks, step);
        cp_swap(ranks, step, (const char *)send + first[to] * width,
                (first[to + 1] - first[to]) * width, (char *)got + got_first[from] * width,
                (got_first[from + 1] - got_first[from]) * width);
    }
}
