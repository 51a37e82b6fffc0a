/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/comm.h - collectives with agreed errors and 64-bit counts.
 *
 * A function that communicates is called by all ranks and returns the same status and the same
 * message on all of them.  An error on one rank alone (memory, a file, bad input) is kept as
 * that rank's status until clv_comm_agree; no rank returns between the error and that call. */
#ifndef CLV_MPI_COMM_H
#define CLV_MPI_COMM_H

#include <mpi.h>

#include "base/mem.h"

typedef struct clv_comm {
    MPI_Comm mpi; /* a duplicate, so that messages of the caller cannot match ours */
    int rank, size;
    int64_t *bytes_sent; /* by this rank to others; shared by all copies of the struct */
} clv_comm;

/* Collective.  The duplicate is freed by clv_comm_close, which is collective as well. */
cleave_status clv_comm_open(clv_comm *comm, MPI_Comm mpi, cleave_error *err);
void clv_comm_close(clv_comm *comm);

/* Collective.  Returns CLEAVE_OK when all ranks pass CLEAVE_OK; otherwise the status and the
 * message of the lowest rank that failed, on all ranks.  err may be NULL on any rank; `mine`
 * is the status of this rank (its message is in err). */
cleave_status clv_comm_agree(const clv_comm *comm, cleave_status mine, cleave_error *err);

/* Agrees on an allocation failure: pass whether all pointers of this rank are allocated. */
cleave_status clv_comm_agree_memory(const clv_comm *comm, bool ok, cleave_error *err);

int64_t clv_comm_sum(const clv_comm *comm, int64_t mine);
int64_t clv_comm_max(const clv_comm *comm, int64_t mine);
int64_t clv_comm_min(const clv_comm *comm, int64_t mine);
/* The exclusive prefix sum: the sum over the lower ranks. */
int64_t clv_comm_before(const clv_comm *comm, int64_t mine);
/* In place, any count. */
void clv_comm_sum_all(const clv_comm *comm, int64_t *values, int64_t count);
void clv_comm_max_all(const clv_comm *comm, int64_t *values, int64_t count);
/* Any number of bytes, sent in chunks. */
void clv_comm_broadcast(const clv_comm *comm, void *bytes, int64_t count, int root);

/* Collective.  Returns whether all ranks run on one computer. */
bool clv_comm_is_local(const clv_comm *comm);

/* ---- All-to-all ------------------------------------------------------------------------ */

/* What a rank has received, from clv_alloc: the items from rank r are number first[r] ..
 * first[r + 1] - 1, in the order in which they were sent. */
typedef struct clv_arrivals {
    void *items;
    int64_t *first; /* size + 1 */
    int64_t count;  /* first[size] */
} clv_arrivals;
void clv_arrivals_free(clv_arrivals *got);

/* Sends items of `each` bytes; those for rank r are send[first[r]] .. send[first[r + 1] - 1].
 * The caller frees *got.  The status is agreed: on failure *got is empty on all ranks. */
cleave_status clv_comm_exchange(const clv_comm *comm, const void *send, const int64_t *first,
                                size_t each, clv_arrivals *got, cleave_error *err);
/* The same without allocation, for receivers that have the counts (got_first is given, size +
 * 1 entries) and the memory.  Cannot fail. */
void clv_comm_exchange_known(const clv_comm *comm, const void *send, const int64_t *first,
                             size_t each, void *got, const int64_t *got_first);
/* All-gather: the concatenation of all ranks' items, on all ranks.  Arguments as above. */
cleave_status clv_comm_gather_all(const clv_comm *comm, const void *send, int64_t count,
                                  size_t each, clv_arrivals *got, cleave_error *err);

/* The count is for reports and benchmarks only. */
static inline void clv_comm_count_bytes(const clv_comm *comm, int64_t bytes)
{
    *comm->bytes_sent += bytes;
}

#endif
