/* SPDX-License-Identifier: Apache-2.0 */
/* graph/weights.h - weight arrays of 32 bits, or of 64 bits if sums of the input's weights may
 * not fit. */
#ifndef CLV_GRAPH_WEIGHTS_H
#define CLV_GRAPH_WEIGHTS_H

#include "base/mem.h"

/* At most one is set; neither: all weights are 1. */
typedef struct clv_weights {
    const int32_t *narrow;
    const int64_t *wide;
} clv_weights;

/* Exactly one is set after allocation. */
typedef struct clv_new_weights {
    int32_t *narrow;
    int64_t *wide;
} clv_new_weights;

static inline bool clv_weights_any(clv_weights w)
{
    return w.narrow || w.wide;
}

static inline int64_t clv_weight_at(clv_weights w, int64_t i)
{
    if (w.narrow)
        return w.narrow[i];
    return CLV_UNLIKELY(w.wide != NULL) ? w.wide[i] : 1;
}

static inline clv_weights clv_weights_of(clv_new_weights w)
{
    return (clv_weights){w.narrow, w.wide};
}

static inline void clv_weight_set(clv_new_weights w, int64_t i, int64_t weight)
{
    if (w.narrow)
        w.narrow[i] = (int32_t)weight;
    else
        w.wide[i] = weight;
}

/* `count` weights, all 0, from ws.  False: out of memory. */
static inline bool clv_weights_zalloc(clv_new_weights *w, bool wide, int64_t count, clv_ws *ws)
{
    *w = (clv_new_weights){0};
    if (wide)
        w->wide = clv_ws_zalloc(ws, count, sizeof *w->wide);
    else
        w->narrow = clv_ws_zalloc(ws, count, sizeof *w->narrow);
    return w->wide || w->narrow;
}

#endif
