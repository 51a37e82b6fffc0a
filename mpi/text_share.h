/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/text_share.h - a text file split at line ends among the ranks.
 *
 * Every rank takes an equal range of bytes and moves its ends to the beginnings of lines.  A
 * line that is longer than a range goes to one rank, and the next ranks may get nothing.
 * Lines are counted before parsing, so that every rank has the line number of its first line
 * and the number of counted lines (rows, entries) before it. */
#ifndef CLV_MPI_TEXT_SHARE_H
#define CLV_MPI_TEXT_SHARE_H

#include "mpi/files.h"

typedef struct clv_text_share {
    clv_plain_file file;
    const clv_read_job *job;
    int64_t begin, end;   /* bytes of the file */
    int64_t line;         /* number of the first line in the file */
    int64_t first, count; /* counted lines: before this share, and in it */
    int64_t total;        /* of all ranks */
    clv_input *in;
    clv_text text;
} clv_text_share;

/* Collective.  Distributes the text after plan.body.  Lines whose first nonblank character is
 * % are not counted; empty lines are, if empty_count.  Must be followed by
 * clv_text_share_close, also after a failure. */
cleave_status clv_text_share_open(clv_text_share *share, const clv_read_job *job,
                                  bool empty_count, cleave_error *err);
/* Local.  share->text is set to the beginning of the share; can be called repeatedly. */
cleave_status clv_text_share_start(clv_text_share *share, cleave_error *err);
void clv_text_share_close(clv_text_share *share);

/* Local.  The number of the `announced` lines that this rank reads.  Where the file has fewer,
 * the last rank tries to read one more and reports the error. */
int64_t clv_text_share_reads(const clv_text_share *share, int64_t announced);

#endif
