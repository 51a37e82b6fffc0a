/* SPDX-License-Identifier: Apache-2.0 */
/* engine/counted.h - a task whose vertices weigh nothing, as one in which they are counted.
 *
 * Bounds of 0 forbid nothing to vertices without weight, and shares of nothing tell a search
 * nothing.  Counted, a part that shall stay empty has no room, and others have room for all.
 */
#ifndef CLV_ENGINE_COUNTED_H
#define CLV_ENGINE_COUNTED_H

#include "engine/partition.h"

typedef struct clv_counted {
    clv_partition_task task;
    clv_graph g; /* what it points to, when it differs */
} clv_counted;

/* to->task becomes task, counted where nothing weighs anything; to stays where it is while
 * its task is used.  Arrays are from ws. */
cleave_status clv_counted_make(clv_counted *to, const clv_partition_task *task, clv_ws *ws,
                               cleave_error *err);

#endif
