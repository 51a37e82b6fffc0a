/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/all_ranks.h - ranks that act as one program: one of them speaks, and all end
 * with the same exit status.
 *
 * Every rank runs the same verb with the same words.  What can go wrong on one of them alone
 * is followed by ranks_agree or ranks_agree_on, before any rank communicates again. */
#ifndef CLEAVE_MPI_ALL_RANKS_H
#define CLEAVE_MPI_ALL_RANKS_H

#include "cleave/cleave_mpi.h"
#include "cli/options.h"

/* Starts MPI; all but rank 0 fall silent. */
void ranks_begin(int *argc, char ***argv);
/* Ends it; returns the exit status of the program, which is the highest of all ranks. */
int ranks_end(int status);

int ranks_count(void);
bool ranks_first(void); /* is this rank 0? */

/* ---- Collective ------------------------------------------------------------------------ */

/* CLI_GO_ON, where all have that; otherwise the exit status of the lowest rank that has
 * another, whose complaint is heard if rank 0 has none. */
int ranks_agree(int status);
/* The same of a call of the library that one rank made alone. */
cleave_status ranks_agree_on(cleave_status status, cleave_error *err);
/* NULL on all ranks where it is on one; err says why.  Freed by free. */
void *ranks_alloc(int64_t count, size_t each, cleave_error *err);
/* Has a signal come to one of the ranks? */
bool ranks_interrupted(void);
int64_t ranks_sum(int64_t mine);
int64_t ranks_max(int64_t mine);
/* What rank 0 has. */
void ranks_share(void *bytes, int64_t count);

/* Do all ranks see the same machine behind a target's text?  CLI_GO_ON, or complains.  NULL is
 * fine. */
int ranks_same_target(const char *verb, const char *text, const cleave_target *t);

/* ---- Output files ---------------------------------------------------------------------- */

/* Around the calls that write the file at path: should the ranks be told to end meanwhile, and
 * be killed soon after, what has been written under another name so far is removed. */
void ranks_write_begin(const char *path);
void ranks_write_end(void);

#endif
