/* SPDX-License-Identifier: Apache-2.0 */
/* formats/input.h - bytes of a file, a pipe or standard input, decompressed if necessary.
 *
 * Files are read in blocks, not mapped: a file that is truncated during reading must give an
 * error, not a signal, and the text of a graph must not occupy memory in addition to the
 * graph. */
#ifndef CLV_FORMATS_INPUT_H
#define CLV_FORMATS_INPUT_H

#include "base/mem.h"

typedef struct clv_input clv_input;

enum { CLV_INPUT_PEEK = 64 * 1024 }; /* bytes that clv_input_peek can return */

/* path "-": standard input.  Gzip is recognised by its magic bytes. progress may be NULL;
 * clv_input_read calls it with the number of compressed bytes read so far. */
cleave_status clv_input_open(clv_input **out, const char *path, cleave_progress_fn progress,
                             void *payload, cleave_error *err);
/* Bytes that are not read from a file descriptor: `read` returns 1..capacity of them from
 * offset `at` on. */
typedef struct clv_input_source {
    int64_t size; /* bytes */
    cleave_status (*read)(void *context, char *to, size_t capacity, int64_t at, size_t *count,
                          cleave_error *err);
    void *context;
    cleave_progress_fn progress; /* as above */
    void *payload;
} clv_input_source;
/* path is for messages. */
cleave_status clv_input_from(clv_input **out, const char *path, const clv_input_source *source,
                             cleave_error *err);
/* Bytes at the start of the (decompressed) input, without consuming them: up to 64 KiB. */
cleave_status clv_input_peek(clv_input *in, const char **bytes, size_t *count,
                             cleave_error *err);
/* Reads 1..capacity bytes; *count 0: end of input.  capacity > 0. */
cleave_status clv_input_read(clv_input *in, char *to, size_t capacity, size_t *count,
                             cleave_error *err);
/* Size of an uncompressed regular file in bytes, or -1 if unknown (pipe, compressed, standard
 * input). */
int64_t clv_input_size(const clv_input *in);
const char *clv_input_path(const clv_input *in);
/* The file descriptor if the input is an uncompressed regular file and nothing but
 * clv_input_peek has read from it (for parallel reading and for mapping); otherwise -1. */
int clv_input_fd(const clv_input *in);
/* Bytes of an uncompressed regular file from offset `at`; callable by any thread, independent
 * of other reads.  *count 0: end of the file. */
cleave_status clv_input_read_at(const clv_input *in, char *to, size_t capacity, int64_t at,
                                size_t *count, cleave_error *err);
/* How many bytes of an uncompressed file clv_input_read has returned. */
int64_t clv_input_position(const clv_input *in);
/* Calls the progress callback, if it is due, with `done` bytes read; CLEAVE_ECANCEL if it
 * requests a stop.  On the caller's thread only. */
cleave_status clv_input_report(clv_input *in, int64_t done, cleave_error *err);
void clv_input_close(clv_input *in); /* NULL is fine */

/* Reads everything into one zero-terminated block from clv_alloc; refuses more than
 * `limit` bytes.  For formats that need the whole text at once. */
cleave_status clv_input_slurp(clv_input *in, int64_t limit, char **text, int64_t *count,
                              cleave_error *err);

#endif
