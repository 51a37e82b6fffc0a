/* SPDX-License-Identifier: Apache-2.0 */
/* order/cutter.h - what the steps of a split share.  For order/split*.c. */
#ifndef CLV_ORDER_CUTTER_H
#define CLV_ORDER_CUTTER_H

#include "base/compare.h"
#include "graph/share.h"
#include "order/split.h"

typedef struct clv_cutter {
    const clv_order *o;
    const double *speed;
    const int32_t *sequence; /* NULL: PEs by number */
    int32_t npes, busy;      /* busy: PEs of speed above 0 */
    bool count;              /* nothing weighs anything: vertices are counted instead */
    bool bounded;            /* there are cuts within the bounds */
    int64_t total;
    double eps, per_weight; /* places per unit of weight, on average */
    clv_share_rule rule;
    int32_t *begin, *end;
} clv_cutter;

/* Everything but the sequence, begin and end. */
void clv_cutter_open(clv_cutter *c, const clv_order *o, int32_t npes, const double *speed,
                     double eps);

static inline int32_t clv_cutter_pe(const clv_cutter *c, int32_t i)
{
    return c->sequence ? c->sequence[i] : i;
}

static inline bool clv_cutter_is_busy(const clv_cutter *c, int32_t pe)
{
    return !c->speed || c->speed[pe] > 0;
}

/* The weight before a place. */
static inline int64_t clv_cutter_before(const clv_cutter *c, int32_t place)
{
    return c->count ? place : c->o->before[place];
}

static inline int64_t clv_cutter_bound(const clv_cutter *c, int32_t pe)
{
    int64_t bound = clv_share_bound(&c->rule, c->total, pe, c->eps);
    return bound < c->total ? bound : c->total;
}

/* The first place in [low, high] with at least that weight before it; high: none.  Looks
 * around `guess` first, in steps that double. */
int32_t clv_cutter_search(const clv_cutter *c, int32_t low, int32_t high, int32_t guess,
                          int64_t weight);
/* Where so much weight would be if all vertices weighed the same. */
int32_t clv_cutter_likely(const clv_cutter *c, int64_t weight);
/* The place in [low, high] whose weight before it is nearest to `weight`. */
int32_t clv_cutter_nearest(const clv_cutter *c, int32_t low, int32_t high, double weight);

/* order/split_slide.c: shifts the cuts in begin and end, which are within the bounds, to where
 * less crosses them; they stay within.  Needs crossings. */
void clv_cutter_slide(clv_cutter *c);

#endif
