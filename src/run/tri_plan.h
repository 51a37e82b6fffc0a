/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_plan.h - a triangular solve bound to a schedule: storage in the order of execution,
 * and the loops that execute it.  Independent of transpose, upper or lower: rows depend on the
 * columns that they contain, and the schedule respects that. */
#ifndef CLV_RUN_TRI_PLAN_H
#define CLV_RUN_TRI_PLAN_H

#include "run/run_sync.h"

/* Indices of values have 32 bits, which limits the size of a plan.  The last two are for
 * values that are not in the caller's array. */
#define CLV_TRI_ONE UINT32_MAX
#define CLV_TRI_ZERO (UINT32_MAX - 1)

/* The rows of op(A) without the diagonal, columns ascending; used only during
 * clv_tri_plan_new. */
typedef struct clv_tri_rows {
    int32_t n;
    const int64_t *xadj; /* n + 1 */
    const int32_t *col;
    const uint32_t *source;  /* by entry: index in the caller's array of values */
    const int64_t *diagonal; /* by row, likewise; NULL: all are 1 */
    bool single;             /* values and vectors are float, otherwise double */
} clv_tri_rows;

typedef struct clv_tri_plan clv_tri_plan;
/* The schedule may have split rows (s->row, s->share); it is not stored. */
cleave_status clv_tri_plan_new(clv_tri_plan **out, const clv_tri_rows *rows,
                               const clv_schedule *s, clv_sync sync, clv_ws *ws,
                               cleave_error *err);
void clv_tri_plan_free(clv_tri_plan *plan);
/* Copies values from the caller's array (double or float). */
void clv_tri_plan_values(clv_tri_plan *plan, const void *val);

/* One solve.  Every member in 0 .. threads - 1 calls it once, concurrently; returns when x is
 * complete. x and b may be the same array. b NULL: x is in the plan's order, in place. */
void clv_tri_plan_solve(clv_tri_plan *plan, int member, void *x, const void *b);
/* The same with fewer threads than members: every worker in 0 .. workers - 1 calls it, and
 * executes the members worker, worker + workers, ... alternately: a member that would have to
 * wait is left for another. */
void clv_tri_plan_share(clv_tri_plan *plan, int worker, int workers, void *x, const void *b);
/* Right-hand sides and solutions: columns, ldb and ldx numbers apart. */
typedef struct clv_tri_vectors {
    int32_t nrhs;
    void *x;
    const void *b;
    int64_t ldx, ldb;
} clv_tri_vectors;
/* Solves all columns; workers as above, at most as many as members. */
void clv_tri_plan_solve_many(clv_tri_plan *plan, int worker, int workers,
                             const clv_tri_vectors *v);

/* Times of a step: start of its wait, start of its work, end; seconds of clv_clock. */
typedef struct clv_tri_moment {
    double wait, begin, end;
} clv_tri_moment;
/* As clv_tri_plan_share; also records the times of all steps, in the order of
 * clv_tri_plan_steps.  The loops of the other calls contain no recording. */
void clv_tri_plan_trace(clv_tri_plan *plan, int worker, int workers, void *x, const void *b,
                        clv_tri_moment *moment);
const clv_run_sync *clv_tri_plan_steps(const clv_tri_plan *plan);
/* By step: multiply-adds and divisions. */
const int64_t *clv_tri_plan_work(const clv_tri_plan *plan);

int32_t clv_tri_plan_size(const clv_tri_plan *plan);    /* number of rows */
int32_t clv_tri_plan_threads(const clv_tri_plan *plan); /* number of threads that have work */
clv_sync clv_tri_plan_sync(const clv_tri_plan *plan);
const int32_t *clv_tri_plan_order(const clv_tri_plan *plan); /* row at position i */
int64_t clv_tri_plan_bytes(const clv_tri_plan *plan); /* bytes that a solve reads and writes */
int64_t clv_tri_plan_waits(const clv_tri_plan *plan);

#endif
