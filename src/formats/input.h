/* SPDX-License-Identifier: Apache-2.0 */
/* formats/input.h - bytes of a file, a pipe or standard input, decompressed on the way.
 *
 * Files are read in blocks, never mapped: a file that shrinks meanwhile must give an
 * error, not a signal, and the text of a graph must not stay in memory beside the graph. */
#ifndef CLV_FORMATS_INPUT_H
#define CLV_FORMATS_INPUT_H

#include "base/mem.h"

typedef struct clv_input clv_input;

enum { CLV_INPUT_PEEK = 64 * 1024 }; /* most that clv_input_peek shows */

/* path "-": standard input.  Gzip is recognised by its magic bytes.  progress may be
 * NULL; it is called from clv_input_read with compressed bytes read so far. */
cleave_status clv_input_open(clv_input **out, const char *path, cleave_progress_fn progress,
                             void *payload, cleave_error *err);
/* Bytes that something else than a file descriptor delivers, `size` in all: `source` gives
 * 1..capacity of them from place `at` on.  path is for messages; progress as above. */
typedef cleave_status (*clv_input_source)(void *context, char *to, size_t capacity, int64_t at,
                                          size_t *count, cleave_error *err);
cleave_status clv_input_from(clv_input **out, const char *path, int64_t size,
                             clv_input_source source, void *context,
                             cleave_progress_fn progress, void *payload, cleave_error *err);
/* Bytes at the start of the (decompressed) input without consuming them: up to 64 KiB. */
cleave_status clv_input_peek(clv_input *in, const char **bytes, size_t *count,
                             cleave_error *err);
/* Reads 1..capacity bytes; *count 0: end of input.  capacity > 0. */
cleave_status clv_input_read(clv_input *in, char *to, size_t capacity, size_t *count,
                             cleave_error *err);
/* Size of a plain regular file in bytes, or -1 when unknown (pipe, compressed, standard
 * input). */
int64_t clv_input_size(const clv_input *in);
const char *clv_input_path(const clv_input *in);
/* The file descriptor when the input is a plain regular file of which only peeking has
 * read so far (for parallel reading and for mapping); -1 otherwise. */
int clv_input_fd(const clv_input *in);
/* For a plain regular file: bytes from a place of their own, by any thread, whatever else
 * is read.  *count 0: the file ends there. */
cleave_status clv_input_read_at(const clv_input *in, char *to, size_t capacity, int64_t at,
                                size_t *count, cleave_error *err);
/* How many bytes of a plain file clv_input_read has delivered. */
int64_t clv_input_position(const clv_input *in);
/* Tells the progress callback, when it is due, that `done` bytes have been read;
 * CLEAVE_ECANCEL when it says stop.  On the caller's thread only. */
cleave_status clv_input_report(clv_input *in, int64_t done, cleave_error *err);
void clv_input_close(clv_input *in); /* NULL is fine */

/* Reads everything into one zero-terminated block from clv_alloc; refuses more than
 * `limit` bytes.  For formats that need the whole text at once. */
cleave_status clv_input_slurp(clv_input *in, int64_t limit, char **text, int64_t *count,
                              cleave_error *err);

#endif
