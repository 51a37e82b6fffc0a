/* SPDX-License-Identifier: Apache-2.0 */
/* graph/ordered_rows.h - rows in both directions from sorted edges.
 *
 * Edges low - high, low < high, sorted by low, then by high: the lower triangle of a symmetric
 * matrix by columns, the usual order in files.  The rows then need no sorting, no merging and
 * no check. */
#ifndef CLV_GRAPH_ORDERED_ROWS_H
#define CLV_GRAPH_ORDERED_ROWS_H

#include "graph/build.h"

typedef struct clv_ordered_rows {
    int32_t nvtx;
    int32_t low, high; /* of the last edge */
    int64_t room;      /* capacity in edges */
    int64_t count;
    int32_t *upper; /* by vertex: number of edges in which it is the low end */
    int32_t *head;  /* by edge: its high end */
} clv_ordered_rows;

cleave_status clv_ordered_rows_init(clv_ordered_rows *o, int32_t nvtx, int64_t room,
                                    cleave_error *err);
/* False: the edge is out of order, or the capacity is exhausted; nothing has changed. */
static inline bool clv_ordered_rows_add(clv_ordered_rows *o, int32_t low, int32_t high)
{
    bool in_order = low < high && (low > o->low || (low == o->low && high > o->high));
    if (CLV_UNLIKELY(!in_order || o->count == o->room))
        return false;
    o->low = low;
    o->high = high;
    o->upper[low]++;
    o->head[o->count++] = high;
    return true;
}
/* The finished rows; o is empty afterwards, also on failure. */
cleave_status clv_ordered_rows_finish(clv_rows *rows, clv_ordered_rows *o, cleave_error *err);
/* Moves the edges to a stream instead.  False: out of memory. */
bool clv_ordered_rows_to_stream(clv_ordered_rows *o, clv_edge_stream *stream);
void clv_ordered_rows_free(clv_ordered_rows *o);

#endif
