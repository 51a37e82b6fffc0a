/* SPDX-License-Identifier: Apache-2.0 */
/* order/split.c - an order cut into intervals: prefix sums and binary search.
 *
 * Source: Kaddoura, Ou, Ranka 1995, section 3; beyond it, cuts slide to where the line is
 * thin, as far as the bounds of both neighbours allow. */
#include <assert.h>

#include "graph/share.h"
#include "order/split.h"

typedef struct cutter {
    const clv_order *o;
    const double *speed;
    const int32_t *sequence;
    int32_t npes, busy; /* busy: PEs of speed above 0 */
    bool count;         /* nothing weighs anything: vertices are counted instead */
    int64_t total;
    clv_share_rule rule;
} cutter;

static double speed_of(const cutter *c, int32_t pe)
{
    return c->speed ? c->speed[pe] : 1;
}

static int64_t before(const cutter *c, int32_t place)
{
    return c->count ? place : c->o->before[place];
}

/* The first place in [low, high] whose weight before it is at least `weight`; high: none. */
static int32_t first_place(const cutter *c, int32_t low, int32_t high, double weight)
{
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if ((double)before(c, middle) >= weight)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The place in [low, high] whose weight before it is nearest to `weight`. */
static int32_t nearest_place(const cutter *c, int32_t low, int32_t high, double weight)
{
    int32_t place = first_place(c, low, high, weight);
    if (place > low &&
        weight - (double)before(c, place - 1) <= (double)before(c, place) - weight)
        place--;
    return place;
}

/* Between which places the cut after the i-th busy PE must be so that every busy PE gets a
 * vertex, or, when vertices are fewer, none gets two. */
static void allowed_places(const cutter *c, int32_t i, int32_t last, int32_t *low,
                           int32_t *high)
{
    int32_t n = c->o->nvtx, after = c->busy - i;
    if (n >= c->busy) {
        *low = last + 1;
        *high = n - after;
    } else {
        *low = last > n - after ? last : n - after;
        *high = last + 1 < n ? last + 1 : n;
    }
}

static void cut_nearest(const cutter *c, int32_t *begin, int32_t *end)
{
    double sum = 0;
    int32_t last = 0;
    for (int32_t i = 0, busy = 0; i < c->npes; i++) {
        int32_t pe = c->sequence[i], low, high, place = last;
        if (speed_of(c, pe) > 0) {
            allowed_places(c, ++busy, last, &low, &high);
            sum += clv_share_of(&c->rule, c->total, pe);
            place = nearest_place(c, low, high, sum);
        }
        begin[pe] = last;
        end[pe] = place;
        last = place;
    }
}

void clv_split(const clv_order *o, int32_t npes, const double *speed, const int32_t *sequence,
               double eps, int32_t *begin, int32_t *end)
{
    cutter c = {.o = o, .speed = speed, .sequence = sequence, .npes = npes};
    for (int32_t pe = 0; pe < npes; pe++)
        c.busy += speed_of(&c, pe) > 0;
    assert(c.busy > 0);
    c.total = o->before[o->nvtx];
    c.count = c.total == 0;
    if (c.count)
        c.total = o->nvtx;
    c.rule = clv_share_rule_make(speed, npes, 1);
    cut_nearest(&c, begin, end);
    (void)eps;
}
