/* SPDX-License-Identifier: Apache-2.0 */
/* initial/portfolio.h - initial bipartitions of small graphs.
 *
 * A portfolio: part 0 is grown from a random vertex by gain (greedy graph growing [Karypis,
 * Kumar 1998]), by ties or breadth-first, or is random.  Each is refined by FM, and the best
 * by (overload, cut) is kept.
 *
 * Growing by ties adds the vertex with the heaviest edges to part 0 (maximum adjacency order
 * [Stoer, Wagner 1997]).  Growing by gain avoids vertices with heavy edges to the outside, and
 * so crosses a light boundary before a region of heavy edges is complete; growing by ties does
 * not. */
#ifndef CLV_INITIAL_PORTFOLIO_H
#define CLV_INITIAL_PORTFOLIO_H

#include "refine/state/partition_state.h"

typedef struct clv_grow_params {
    int32_t tries;     /* least number of tries */
    int32_t most;      /* largest number, while tries improve the best */
    int32_t fm_passes; /* per try */
    int32_t patience;  /* of FM */
    uint64_t index;    /* enters the seed */
} clv_grow_params;

/* Fills s->part (of two parts) and the rest of the state.  Only part 0 needs a share.  Scratch
 * from ctx->ws. */
cleave_status clv_grow_bipartition(clv_partition_state *s, const clv_grow_params *params,
                                   clv_context *ctx, cleave_error *err);

#endif
