/* SPDX-License-Identifier: Apache-2.0 */
/* initial/acyclic_start.h - first acyclic partitions of small DAGs.
 *
 * A portfolio: topological orders of several kinds (initial/dag_orders.h) and greedy filling
 * [Herrmann et al. 2017], each cut into slices by Kernighan's program (refine/slices.h) and
 * improved by FM; the best by (overload, cut) is kept. */
#ifndef CLV_INITIAL_ACYCLIC_START_H
#define CLV_INITIAL_ACYCLIC_START_H

#include "refine/partition_state.h"

typedef struct clv_acyclic_start_params {
    int32_t tries;     /* at least; >= 1 */
    int32_t most;      /* and at most, while new best ones keep coming; >= tries */
    int32_t fm_passes; /* per try */
    int32_t patience;  /* of FM */
    uint64_t index;    /* enters the seed */
    bool quick;        /* of the slices */
} clv_acyclic_start_params;

/* Fills s->part and the rest of the state for any number of parts.  s->rank at the call is
 * the order in which the parts lie along the topological orders, which matters where parts
 * differ in their bounds or fixed vertices; at the end it is the order of the result.
 * CLEAVE_ECYCLE when the fixed vertices contradict it; s->part is undefined then.  Scratch
 * from ctx->ws; sequential. */
cleave_status clv_acyclic_start(clv_partition_state *s, const clv_acyclic_start_params *params,
                                clv_context *ctx, cleave_error *err);

#endif
