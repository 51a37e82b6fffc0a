/* SPDX-License-Identifier: Apache-2.0 */
/* graph/rows.h - sorting of adjacency lists. */
#ifndef CLV_GRAPH_ROWS_H
#define CLV_GRAPH_ROWS_H

#include "graph/build.h"

/* Does every row ascend strictly? clv_rows_strict: and without self-loops? */
bool clv_rows_ascend(const clv_rows *rows);
bool clv_rows_strict(const clv_rows *rows);

/* Sorts every row; equal neighbours become adjacent.  O(narc log max degree), linear if rows
 * ascend already.  Scratch from ws. */
cleave_status clv_rows_sort(clv_rows *rows, clv_ws *ws, cleave_error *err);

typedef struct clv_row_faults {
    int64_t loops, duplicates;
    int32_t loop_vertex;                           /* the first with a self-loop, or -1 */
    int32_t duplicate_vertex, duplicate_neighbour; /* the first duplicate, or -1 */
} clv_row_faults;
/* Rows must ascend. */
clv_row_faults clv_rows_faults(const clv_rows *rows);

/* Drops self-loops and merges duplicates, summing weights; rows must ascend.  False: the
 * weights from edge[0] to edge[1] sum to more than 2^31-1. */
bool clv_rows_clean(clv_rows *rows, int32_t edge[2]);

#endif
