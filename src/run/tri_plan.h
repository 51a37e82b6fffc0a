/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_plan.h - a triangular solve bound to a schedule: storage in the order of execution,
 * and the loops that run it.  Knows nothing of transposes, upper or lower: rows depend on the
 * columns they hold, and the schedule obeys that. */
#ifndef CLV_RUN_TRI_PLAN_H
#define CLV_RUN_TRI_PLAN_H

#include "run/run_sync.h"

/* Places of values have 32 bits: a plan is made by moving them about.  The last two are for
 * values that are not the caller's. */
#define CLV_TRI_ONE UINT32_MAX
#define CLV_TRI_ZERO (UINT32_MAX - 1)

/* The rows of op(A) without the diagonal, columns ascending; borrowed during _new only. */
typedef struct clv_tri_rows {
    int32_t n;
    const int64_t *xadj; /* n + 1 */
    const int32_t *col;
    const uint32_t *source;  /* by entry: its place in the caller's array of values */
    const int64_t *diagonal; /* by row, likewise; NULL: all are 1 */
} clv_tri_rows;

typedef struct clv_tri_plan clv_tri_plan;
/* single: values and vectors are float, else double.  The schedule may have its rows split
 * (s->row, s->share); it is not kept. */
cleave_status clv_tri_plan_new(clv_tri_plan **out, const clv_tri_rows *rows,
                               const clv_schedule *s, clv_sync sync, bool single, clv_ws *ws,
                               cleave_error *err);
void clv_tri_plan_free(clv_tri_plan *plan);
/* Values from the caller's array (double or float). */
void clv_tri_plan_values(clv_tri_plan *plan, const void *val);

/* One solve.  Every member in 0 .. threads - 1 calls it once, at the same time; returns when
 * the member's share is done and (x complete) all others' too.  x and b may be the same array.
 * b NULL: x is in the plan's order, in place. */
void clv_tri_plan_solve(clv_tri_plan *plan, int member, void *x, const void *b);
/* The same by fewer threads than members: every worker in 0 .. workers - 1 calls it, and runs
 * whichever of its members worker, worker + workers, ... need not wait. */
void clv_tri_plan_share(clv_tri_plan *plan, int worker, int workers, void *x, const void *b);
/* nrhs columns, ldx and ldb apart; by workers, at most as many as members. */
void clv_tri_plan_solve_many(clv_tri_plan *plan, int worker, int workers, int32_t nrhs,
                             void *x, int64_t ldx, const void *b, int64_t ldb);

/* When a step waited, worked and ended: seconds of clv_clock. */
typedef struct clv_tri_moment {
    double wait, begin, end;
} clv_tri_moment;
/* As clv_tri_plan_share, and writes down the moments of all steps, in the order of those of
 * clv_tri_plan_steps.  The other calls have no such line in their loops. */
void clv_tri_plan_trace(clv_tri_plan *plan, int worker, int workers, void *x, const void *b,
                        clv_tri_moment *moment);
const clv_run_sync *clv_tri_plan_steps(const clv_tri_plan *plan);
/* By step: multiply-adds and divisions. */
const int64_t *clv_tri_plan_work(const clv_tri_plan *plan);

int32_t clv_tri_plan_threads(const clv_tri_plan *plan); /* that have work */
clv_sync clv_tri_plan_sync(const clv_tri_plan *plan);
const int32_t *clv_tri_plan_order(const clv_tri_plan *plan); /* row at place i */
int64_t clv_tri_plan_bytes(const clv_tri_plan *plan); /* that a solve reads and writes */
int64_t clv_tri_plan_waits(const clv_tri_plan *plan);

#endif
