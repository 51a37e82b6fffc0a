/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/all_ranks.h - ranks that act as one program: rank 0 prints, and all exit with
 * the same status.
 *
 * Every rank runs the same verb with the same arguments.  A step that can fail on one rank
 * alone is followed by ranks_agree or ranks_agree_on before any rank communicates again. */
#ifndef CLEAVE_MPI_ALL_RANKS_H
#define CLEAVE_MPI_ALL_RANKS_H

#include "cleave/cleave_mpi.h"
#include "cli/options.h"

/* Initializes MPI and silences all ranks but rank 0. */
void ranks_begin(int *argc, char ***argv);
/* Finalizes MPI; returns the exit status of the program, the highest of all ranks. */
int ranks_end(int status);

int ranks_count(void);
bool ranks_first(void); /* is this rank 0? */

/* ---- Collective ------------------------------------------------------------------------ */

/* Returns CLI_GO_ON when all ranks pass it; otherwise the exit status of the lowest rank that
 * passes another, whose message is printed if rank 0 has none. */
int ranks_agree(int status);
/* The same for a library call that one rank made alone. */
cleave_status ranks_agree_on(cleave_status status, cleave_error *err);
/* Returns NULL on all ranks when it is NULL on one; err has the reason.  Freed by free. */
void *ranks_alloc(int64_t count, size_t each, cleave_error *err);
/* Whether one of the ranks has received a signal. */
bool ranks_interrupted(void);
int64_t ranks_sum(int64_t mine);
int64_t ranks_max(int64_t mine);
/* Broadcasts the value of rank 0. */
void ranks_share(void *bytes, int64_t count);

/* Whether all ranks resolve a target's text to the same machine.  Returns CLI_GO_ON, or prints
 * an error.  NULL is allowed. */
int ranks_same_target(const char *verb, const char *text, const cleave_target *t);

/* ---- Output files ---------------------------------------------------------------------- */

/* Called around the calls that write the file at path: if the ranks are terminated and killed
 * soon after, the temporary file is removed. */
void ranks_write_begin(const char *path);
void ranks_write_end(void);

#endif
