/* SPDX-License-Identifier: Apache-2.0 */
/* run/plain_rows.h - a triangular solve row by row in natural order, for systems so small that
 * the overhead of a plan matters.  Nothing is written but x, so any number of threads may
 * solve at once. */
#ifndef CLV_RUN_PLAIN_ROWS_H
#define CLV_RUN_PLAIN_ROWS_H

#include "run/tri_plan.h"

typedef struct clv_plain_rows clv_plain_rows;
struct clv_plain_rows {
    /* Solves; returns CLEAVE_OK, so that callers can return its result directly. */
    cleave_status (*loop)(const clv_plain_rows *plain, void *x, const void *b);
    int32_t n;
    bool backward, single, unit;
    int32_t *end;     /* by step: end of its row, without the diagonal */
    int32_t *col;     /* by value: its column; for a diagonal its row */
    void *value;      /* double or float */
    int64_t count;    /* of values */
    uint32_t *source; /* by value: index in the caller's array */
    clv_arena arena;
};

/* backward: from the last row to the first. */
cleave_status clv_plain_rows_new(clv_plain_rows **out, const clv_tri_rows *rows, bool backward,
                                 bool single, cleave_error *err);
void clv_plain_rows_free(clv_plain_rows *plain); /* NULL is fine */
void clv_plain_rows_values(clv_plain_rows *plain, const void *val);
static inline cleave_status clv_plain_rows_solve(const clv_plain_rows *plain, void *x,
                                                 const void *b)
{
    return plain->loop(plain, x, b);
}

#endif
