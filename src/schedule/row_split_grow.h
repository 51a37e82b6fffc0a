/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_grow.h - layers grown over rows that may be split; see row_split_grow.c.
 */
#ifndef CLV_SCHEDULE_ROW_SPLIT_GROW_H
#define CLV_SCHEDULE_ROW_SPLIT_GROW_H

#include "base/queue.h"
#include "schedule/row_split.h"

/* Minimum weight of a task that is split off. */
enum { clv_row_least = 16 };

/* A part of a row that ends before its predecessor with index `end`. */
typedef struct clv_row_piece {
    int32_t row, end, layer, thread;
} clv_row_piece;

/* What a row waits for.  Each attempt at a layer counts separately, so that a failed attempt
 * does not have to be undone. */
typedef struct clv_row_wait {
    int32_t pending; /* predecessors that are not in complete layers */
    int32_t attempt; /* the attempt to which `seen` and `owner` belong */
    int32_t seen;    /* number of the pending predecessors that it has taken */
    int32_t owner;   /* the thread that took them */
} clv_row_wait;

typedef struct clv_row_grower {
    const clv_graph *g;
    int32_t threads;
    double sync;
    /* By vertex, input: position in a topological order; lower bound on the time of the
     * longest path to a sink; may it be split? */
    const int32_t *rank;
    const int64_t *height;
    const uint8_t *heavy;
    const int32_t *by_height; /* vertices, highest first */
    const int32_t *place;     /* by vertex: its index in by_height */
    int64_t left;             /* total weight of unfinished rows */

    /* By vertex, the result; layer INT32_MAX: unfinished. */
    int32_t *layer, *thread;
    clv_row_piece *pieces; /* ascending layers; capacity for all possible pieces */
    int64_t npieces;
    int32_t layers; /* complete layers; the next one is growing */

    /* By vertex, during growth. */
    clv_row_wait *wait;
    int32_t *summed;  /* number of leading predecessors that pieces of earlier layers have
                         added up */
    int32_t *known;   /* number of leading predecessors that earlier layers have computed */
    int32_t *waiting; /* head of the list of rows whose next unknown predecessor this is */
    int32_t *next;    /* next row in that list */
    uint8_t *listed;  /* the row is in `open` */
    int64_t *load;    /* by thread */
    clv_heap ready;   /* rows that any thread can take */
    clv_heap own;     /* rows that only the current thread can take, because they need its work
                         in this layer */
    int32_t *open;    /* rows with a piece that can be split off, highest first */
    int32_t *woken;   /* scratch, same length as `open` */
    int32_t *taken;   /* rows of this layer */
    int32_t *popped;  /* those of them that were in `ready` */
    int32_t nopen, ntaken, npopped, ndone, top;
    int32_t attempts;    /* number of attempts so far */
    int64_t first_piece; /* index in pieces of the first piece of this layer */
    double work_share, path_share;
} clv_row_grower;

/* Allocates the arrays that are not input, from ws. */
cleave_status clv_row_grower_init(clv_row_grower *w, clv_ws *ws, cleave_error *err);
/* Grows and completes one layer, of at least one row. */
void clv_row_grower_layer(clv_row_grower *w);

#endif
