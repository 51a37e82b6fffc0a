/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/text_share.h - a text file split at line ends among the ranks.
 *
 * Every rank takes an equal range of bytes and moves its ends to where lines begin.  A line
 * that is longer than a range goes to one rank, and the next ranks may get nothing.  Lines are
 * counted before anything is read in earnest, so that every rank knows which line of the file
 * its first one is, and how many lines that count (rows, entries) are in front of it. */
#ifndef CLV_MPI_TEXT_SHARE_H
#define CLV_MPI_TEXT_SHARE_H

#include "mpi/files.h"

typedef struct clv_text_share {
    clv_plain_file file;
    const clv_read_job *job;
    int64_t begin, end;   /* bytes of the file */
    int64_t line;         /* number of the first line in the file */
    int64_t first, count; /* lines that count: before this share, and in it */
    int64_t total;        /* of all ranks */
    clv_input *in;
    clv_text text;
} clv_text_share;

/* Collective: shares the text behind plan.body.  Lines whose first character that is not blank
 * is % do not count; empty ones, if empty_count.  Ends with clv_text_share_close, also after a
 * failure. */
cleave_status clv_text_share_open(clv_text_share *share, const clv_read_job *job,
                                  bool empty_count, cleave_error *err);
/* Local: share->text becomes that of the share, from its beginning; as often as wanted. */
cleave_status clv_text_share_start(clv_text_share *share, cleave_error *err);
void clv_text_share_close(clv_text_share *share);

/* Local: how many of the `announced` lines this rank reads.  Where the file has fewer, the
 * last rank goes for one that is not there, and so finds the words to say it. */
int64_t clv_text_share_reads(const clv_text_share *share, int64_t announced);

#endif
