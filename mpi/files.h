/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/files.h - parallel file access shared by the readers and writers in mpi/. */
#ifndef CLV_MPI_FILES_H
#define CLV_MPI_FILES_H

#include "formats/binary_layout.h"
#include "formats/matrix_market_scan.h"
#include "formats/metis_rows.h"
#include "mpi/dist_graph.h"

/* ---- A plain file (mpi/plain_file.c) ---------------------------------------------------- */

/* Uses MPI-IO, but independent calls: when one rank of a collective write meets a full disk,
 * the standard does not guarantee that the others return.  All functions are local; their
 * status is that of this rank until clv_comm_agree. */
typedef struct clv_plain_file {
    MPI_File handle;
    const char *path; /* for messages */
    bool open;
} clv_plain_file;

/* shown: the path used in messages, where it differs. */
cleave_status clv_plain_open(clv_plain_file *f, const char *path, const char *shown,
                             bool for_writing, cleave_error *err);
/* Reads exactly so many bytes from offset `at`; CLEAVE_EIO when the file ends before. */
cleave_status clv_plain_read(const clv_plain_file *f, void *to, int64_t bytes, int64_t at,
                             cleave_error *err);
cleave_status clv_plain_write(const clv_plain_file *f, const void *from, int64_t bytes,
                              int64_t at, cleave_error *err);
/* Also called after a failed open.  Write errors may be reported only here. */
cleave_status clv_plain_close(clv_plain_file *f, cleave_error *err);
/* The checksum (formats/binary_verify.h) of the bytes from begin to end.  It is sequential
 * over blocks, so that one rank computes all of it. */
cleave_status clv_plain_sum(const clv_plain_file *f, int64_t begin, int64_t end, uint64_t *sum,
                            cleave_error *err);

/* ---- Through rank 0 (mpi/root_stream.c) ------------------------------------------------- */

/* Collective, cannot fail.  Items of rank r are first[r] .. first[r + 1] - 1 of all; rank 0
 * passes those of all ranks to `sink` in this order, in chunks (sink is called on rank 0
 * only).  each <= 64 bytes. */
typedef void (*clv_root_sink)(void *context, const void *items, int64_t count);
void clv_root_collect(const clv_comm *comm, const int64_t *first, const void *mine,
                      size_t each, clv_root_sink sink, void *context);
/* The reverse: mine becomes this rank's share of the items of rank 0. */
void clv_root_deal(const clv_comm *comm, const int64_t *first, const void *all, size_t each,
                   void *mine);

/* ---- Reading ---------------------------------------------------------------------------- */

typedef enum clv_read_route {
    CLV_READ_WHOLE, /* rank 0 alone */
    CLV_READ_BINARY,
    CLV_READ_METIS,
    CLV_READ_MATRIX
} clv_read_route;

/* The plan of rank 0 for reading the file, the same on all ranks. */
typedef struct clv_read_plan {
    clv_read_route route;
    clv_as as;
    bool no_weights, trust;
    int64_t size;       /* of the file */
    int64_t body, line; /* first row or entry of a text: byte offset, and its line */
    clv_binary_header binary;
    clv_metis_header metis;
    struct {
        bool pattern;
        mm_symmetry symmetry;
        int64_t nvtx, nnz;
    } matrix;
} clv_read_plan;

typedef struct clv_read_job {
    const clv_comm *comm;
    const char *path;
    clv_read_plan plan;
    cleave_progress_fn progress;
    void *payload;
} clv_read_job;

/* Collective.  Reads the graph of the file, without coordinates from other files.  Errors in
 * the text or the arrays have the messages of formats/; errors that only clv_dist_graph_make
 * finds have its messages (CLEAVE_EINVAL, CLEAVE_ECYCLE, CLEAVE_ERANGE). */
cleave_status clv_read_binary_shares(clv_dist_graph **out, const clv_read_job *job,
                                     cleave_error *err);
cleave_status clv_read_metis_shares(clv_dist_graph **out, const clv_read_job *job,
                                    cleave_error *err);
cleave_status clv_read_matrix_shares(clv_dist_graph **out, const clv_read_job *job,
                                     cleave_error *err);

/* Widens 32-bit numbers (from clv_alloc) to 64-bit ones in the same block, which is
 * reallocated; NULL: out of memory, and the block is unchanged (mpi/read_metis.c). */
int64_t *clv_widen(int32_t *numbers, int64_t count);

#endif
