/* SPDX-License-Identifier: Apache-2.0 */
/* initial/acyclic_start.h - initial acyclic partitions of small DAGs.
 *
 * A portfolio: topological orders of several kinds (initial/dag_orders.h) and greedy filling
 * [Herrmann et al. 2017], each cut into slices by Kernighan's dynamic program
 * (order/slices.h) and refined by FM.  The best by (overload, cut) is kept. */
#ifndef CLV_INITIAL_ACYCLIC_START_H
#define CLV_INITIAL_ACYCLIC_START_H

#include "refine/state/partition_state.h"

typedef struct clv_acyclic_start_params {
    int32_t tries;     /* least number of tries; >= 1 */
    int32_t most;      /* largest number, while tries improve the best; >= tries */
    int32_t fm_passes; /* per try */
    int32_t patience;  /* of FM */
    uint64_t index;    /* enters the seed */
    bool quick;        /* slicing parameter */
} clv_acyclic_start_params;

/* Fills s->part and the rest of the state for any number of parts.  On entry s->rank is the
 * order of the parts along the topological orders, which matters if parts differ in bounds or
 * fixed vertices; on return it is the order of the result.  CLEAVE_ECYCLE if the fixed
 * vertices contradict it; s->part is then undefined.  Scratch from ctx->ws; sequential. */
cleave_status clv_acyclic_start(clv_partition_state *s, const clv_acyclic_start_params *params,
                                clv_context *ctx, cleave_error *err);

#endif
