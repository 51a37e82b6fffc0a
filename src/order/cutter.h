/* SPDX-License-Identifier: Apache-2.0 */
/* order/cutter.h - the state shared by the steps of splitting an order (order/split*.c). */
#ifndef CLV_ORDER_CUTTER_H
#define CLV_ORDER_CUTTER_H

#include "base/compare.h"
#include "graph/share.h"
#include "order/split.h"

typedef struct clv_cutter {
    const clv_order *o;
    const double *speed;
    const int32_t *sequence; /* NULL: PEs by number */
    int32_t npes, busy;      /* busy: number of PEs with a positive speed */
    bool count;              /* all weights are 0: vertices are counted instead */
    bool bounded;            /* there are cuts within the bounds */
    int64_t total;
    double eps, per_weight; /* per_weight: average number of places per unit of weight */
    clv_share_rule rule;
    int32_t *begin, *end;
} clv_cutter;

/* Initialises all fields except sequence, begin and end. */
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

/* The first place in [low, high] with at least that weight before it; high: none.  Galloping
 * search from `guess`. */
int32_t clv_cutter_search(const clv_cutter *c, int32_t low, int32_t high, int32_t guess,
                          int64_t weight);
/* The place of this prefix weight if all vertices had the same weight. */
int32_t clv_cutter_likely(const clv_cutter *c, int64_t weight);
/* The place in [low, high] whose prefix weight is nearest to `weight`. */
int32_t clv_cutter_nearest(const clv_cutter *c, int32_t low, int32_t high, double weight);

/* order/split_slide.c: moves the cuts in begin and end, which must be within the bounds, to
 * places with fewer crossings, within the bounds.  Requires crossings. */
void clv_cutter_slide(clv_cutter *c);

#endif
