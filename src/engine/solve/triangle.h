/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/triangle.h - a caller's triangle as the rows of op(A), and its values. */
#ifndef CLV_ENGINE_SOLVE_TRIANGLE_H
#define CLV_ENGINE_SOLVE_TRIANGLE_H

#include "run/plain_rows.h"

/* A triangle whose pattern has been checked; arrays from ws. */
typedef struct clv_oriented {
    clv_tri_rows rows;
    bool upper;              /* rows depend on those after them */
    const int64_t *diagonal; /* by row: position of its value; rows.diagonal or NULL */
} clv_oriented;

/* triangle_rows.c: columns ascend in each row.  t must have valid offsets and indices.  Errors
 * name row and column of the caller's matrix: an entry outside the triangle, a duplicate, a
 * missing diagonal.  O(n + non-zeros). */
cleave_status clv_triangle_orient(clv_oriented *out, const cleave_triangle *t, clv_ws *ws,
                                  cleave_error *err);
/* The pattern of op(A) and of the transpose of the entries that `part` ignores; columns
 * ascend.  Sets only xadj, col and n of *out. */
cleave_status clv_triangle_union(clv_tri_rows *out, const cleave_triangle *t, clv_ws *ws,
                                 cleave_error *err);

/* Where the values of a triangle are in the caller's array: enough to check new values. */
typedef struct clv_value_places {
    int32_t n;
    int64_t count;           /* values in the caller's array */
    bool by_columns, single; /* single: float */
    const int64_t *xadj;     /* the caller's */
    const int64_t *diagonal; /* by row; NULL: unit */
    const uint8_t *used;     /* a bit by value; NULL: all are */
} clv_value_places;
/* triangle_values.c: arrays from arena. */
cleave_status clv_value_places_make(clv_value_places *out, const cleave_triangle *t,
                                    const clv_oriented *o, clv_arena *arena,
                                    cleave_error *err);
/* Checks that every value that is used is finite, and that none on the diagonal is zero. */
cleave_status clv_values_check(const clv_value_places *places, const void *val,
                               cleave_error *err);

#endif
