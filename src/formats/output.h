/* SPDX-License-Identifier: Apache-2.0 */
/* formats/output.h - a buffered output file that is replaced atomically.
 *
 * Bytes go to a file in the same directory that has no name where the file system allows it
 * (O_TMPFILE), so that nothing is left when the process is killed, and a temporary name
 * elsewhere.  clv_output_commit renames it, after the bytes are on the device.  A file that is
 * replaced keeps its permissions; one that may not be written is not replaced.
 * ".gz" compresses.  "-" is standard output; a device or a pipe is written directly.
 * Errors stick: the put functions never fail, clv_output_commit reports the first. */
#ifndef CLV_FORMATS_OUTPUT_H
#define CLV_FORMATS_OUTPUT_H

#include "base/mem.h"

typedef struct clv_output clv_output;

cleave_status clv_output_open(clv_output **out, const char *path, cleave_progress_fn progress,
                              void *payload, cleave_error *err);
/* Gives a plain file a temporary name, OUT.PID-N.tmp, that it has until clv_output_commit, for
 * others who put bytes there themselves; *name NULL: it is compressed, or written directly. */
cleave_status clv_output_temporary(const char **name, clv_output *out, cleave_error *err);
/* The name under which processes of this computer can open a file that has none yet, while
 * this one has it open; false: it has a name, is compressed, or written directly. */
enum { CLV_OUTPUT_UNNAMED = 64 };
bool clv_output_unnamed(const clv_output *out, char name[CLV_OUTPUT_UNNAMED]);
/* For a file that need not survive a crash of the system: it is not synced. */
void clv_output_no_sync(clv_output *out);
void clv_put_bytes(clv_output *out, const void *bytes, size_t count);
void clv_put_text(clv_output *out, const char *text);
void clv_put_char(clv_output *out, char c);
void clv_put_i64(clv_output *out, int64_t value);
void clv_put_double(clv_output *out, double value); /* shortest that reads back the same */
/* Flushes, syncs, renames to the final name, syncs the directory, and frees.  Failure removes
 * the temporary file. */
cleave_status clv_output_commit(clv_output *out, cleave_error *err);
/* A whole file at once. */
cleave_status clv_output_write(const char *path, const void *bytes, size_t count,
                               cleave_error *err);
/* Gives up: removes the temporary file and frees; NULL is fine. */
void clv_output_abandon(clv_output *out);

#endif
