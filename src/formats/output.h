/* SPDX-License-Identifier: Apache-2.0 */
/* formats/output.h - a buffered output file that is replaced atomically.
 *
 * Bytes are written to a file in the same directory: unnamed if the file system supports it
 * (O_TMPFILE), so that nothing is left if the process is killed; otherwise with a temporary
 * name. clv_output_commit syncs it, then renames it.  A file that is replaced keeps its
 * permissions; a file without write permission is not replaced.  ".gz" compresses.  "-" is
 * standard output; devices and pipes are written directly.  Errors are kept: the put functions
 * never fail, clv_output_commit reports the first error. */
#ifndef CLV_FORMATS_OUTPUT_H
#define CLV_FORMATS_OUTPUT_H

#include "base/mem.h"

typedef struct clv_output clv_output;

cleave_status clv_output_open(clv_output **out, const char *path, cleave_progress_fn progress,
                              void *payload, cleave_error *err);
/* Gives an uncompressed file the temporary name OUT.PID-N.tmp until clv_output_commit, so that
 * other processes can write to it; *name NULL: it is compressed, or written directly. */
cleave_status clv_output_temporary(const char **name, clv_output *out, cleave_error *err);
/* A path by which processes on the same machine can open an unnamed file while this process
 * has it open; false: it is named, compressed, or written directly. */
enum { CLV_OUTPUT_UNNAMED = 64 };
bool clv_output_unnamed(const clv_output *out, char name[CLV_OUTPUT_UNNAMED]);
/* Skips syncing, for files that need not survive a system crash. */
void clv_output_no_sync(clv_output *out);
void clv_put_bytes(clv_output *out, const void *bytes, size_t count);
void clv_put_text(clv_output *out, const char *text);
void clv_put_char(clv_output *out, char c);
void clv_put_i64(clv_output *out, int64_t value);
void clv_put_double(clv_output *out,
                    double value); /* shortest form that reads back the same */
/* Flushes, syncs, renames to the final name, syncs the directory, and frees.  Failure removes
 * the temporary file. */
cleave_status clv_output_commit(clv_output *out, cleave_error *err);
/* Writes a whole file at once. */
cleave_status clv_output_write(const char *path, const void *bytes, size_t count,
                               cleave_error *err);
/* Removes the temporary file and frees; out may be NULL. */
void clv_output_abandon(clv_output *out);

#endif
