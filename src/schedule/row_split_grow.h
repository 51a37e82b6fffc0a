/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_grow.h - layers grown over rows that may be cut; see row_split_grow.c. */
#ifndef CLV_SCHEDULE_ROW_SPLIT_GROW_H
#define CLV_SCHEDULE_ROW_SPLIT_GROW_H

#include "base/queue.h"
#include "schedule/row_split.h"

/* Weight below which a task that is cut off is not worth its place in the lists. */
enum { clv_row_least = 16 };

/* Part of a row that ends before its predecessor `end`. */
typedef struct clv_row_piece {
    int32_t row, end, layer, thread;
} clv_row_piece;

/* What a row still waits for.  An attempt at a layer counts on its own, so that there is
 * nothing to take back when it fails. */
typedef struct clv_row_wait {
    int32_t pending; /* predecessors that complete layers do not have */
    int32_t attempt; /* that has counted: */
    int32_t seen;    /* those of them that it has taken */
    int32_t owner;   /* by which thread */
} clv_row_wait;

typedef struct clv_row_grower {
    const clv_graph *g;
    int32_t threads;
    double sync;
    /* By vertex, given: place in an order along the arcs; time that the longest way from here
     * to the end takes at least; may it be cut. */
    const int32_t *rank;
    const int64_t *height;
    const uint8_t *heavy;
    const int32_t *by_height; /* vertices, highest first */
    const int32_t *place;     /* by vertex: where it is in by_height */
    int64_t left;             /* weight that is not done yet */

    /* By vertex, the result: layer INT32_MAX is not done. */
    int32_t *layer, *thread;
    clv_row_piece *pieces; /* ascending layers; room for all there can be */
    int64_t npieces;
    int32_t layers; /* that are complete; the next one grows */

    /* By vertex, while it grows. */
    clv_row_wait *wait;
    int32_t *summed;  /* predecessors that pieces have added up, up to the layer before */
    int32_t *known;   /* predecessors at the front done by the layer before */
    int32_t *waiting; /* first row whose next unknown predecessor this is, then... */
    int32_t *next;    /* ... the others */
    uint8_t *listed;  /* is in `open` */
    int64_t *load;    /* by thread */
    clv_heap ready;   /* rows that anybody can take */
    clv_heap own;     /* rows that only the thread at hand can take, thanks to its own work */
    int32_t *open;    /* rows with something to cut off, highest first */
    int32_t *woken;   /* scratch, as long as `open` */
    int32_t *taken;   /* rows of this layer */
    int32_t *popped;  /* those that were ready before */
    int32_t nopen, ntaken, npopped, ndone, top;
    int32_t attempts;    /* so far */
    int64_t first_piece; /* of this layer */
    double work_share, path_share;
} clv_row_grower;

/* Arrays from ws, all but what is given. */
cleave_status clv_row_grower_init(clv_row_grower *w, clv_ws *ws, cleave_error *err);
/* Grows and completes a layer of at least one row. */
void clv_row_grower_layer(clv_row_grower *w);

#endif
