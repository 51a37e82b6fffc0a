/* SPDX-License-Identifier: Apache-2.0 */
/* order/split.c - cuts an order into intervals by prefix sums and searches in them.
 *
 * [Kaddoura, Ou, Ranka 1995, section 3]  In addition, cuts keep the bounds of all PEs if
 * possible, and are then moved to places with few crossings, as far as the bounds of both
 * neighbours allow.
 *
 *   1. From the right: the earliest begin of each PE such that all PEs after it are within
 * their bounds.  If the first PE cannot begin at place 0, no cuts are within the bounds and
 * these are ignored.
 *   2. From the left: each cut as near to its share as step 1 and the PE's own bound allow.
 *   3. Cuts are moved together to places with few crossings (order/split_slide.c).
 *
 * Every step takes a constant number of searches per PE and reads a bounded number of
 * crossings. */
#include "order/split.h"

#include <assert.h>
#include <math.h>

#include "order/cutter.h"

int32_t clv_cutter_search(const clv_cutter *c, int32_t low, int32_t high, int32_t guess,
                          int64_t weight)
{
    guess = clv_larger(low, clv_smaller(guess, high));
    if (guess < high && clv_cutter_before(c, guess) < weight) {
        low = guess + 1;
        for (int64_t step = 1; low + step < high; step *= 2) {
            if (clv_cutter_before(c, (int32_t)(low + step)) >= weight) {
                high = (int32_t)(low + step);
                break;
            }
            low = (int32_t)(low + step) + 1;
        }
    } else {
        high = guess;
        for (int64_t step = 1; high - step > low; step *= 2) {
            if (clv_cutter_before(c, (int32_t)(high - step)) < weight) {
                low = (int32_t)(high - step) + 1;
                break;
            }
            high = (int32_t)(high - step);
        }
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (clv_cutter_before(c, middle) >= weight)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int32_t clv_cutter_likely(const clv_cutter *c, int64_t weight)
{
    double place = (double)weight * c->per_weight;
    return place < c->o->nvtx ? (int32_t)place : c->o->nvtx;
}

int32_t clv_cutter_nearest(const clv_cutter *c, int32_t low, int32_t high, double weight)
{
    double up = ceil(weight);
    int64_t whole = up < (double)c->total ? (int64_t)up : c->total;
    int32_t place = clv_cutter_search(c, low, high, clv_cutter_likely(c, whole), whole);
    if (place > low && weight - (double)clv_cutter_before(c, place - 1) <=
                           (double)clv_cutter_before(c, place) - weight)
        place--;
    return place;
}

/* The last place where an interval of at most this weight that starts at `begin` may end. */
static int32_t last_end(const clv_cutter *c, int32_t begin, int64_t bound, int32_t guess)
{
    int64_t most = c->total - clv_cutter_before(c, begin);
    if (bound >= most)
        return c->o->nvtx;
    int64_t beyond = clv_cutter_before(c, begin) + bound + 1;
    return clv_cutter_search(c, begin, c->o->nvtx, guess, beyond) - 1;
}

/* The first place where an interval that ends at `end` may begin. */
static int32_t first_begin(const clv_cutter *c, int32_t end, int64_t bound, int32_t guess)
{
    if (bound >= clv_cutter_before(c, end))
        return 0;
    return clv_cutter_search(c, 0, end, guess, clv_cutter_before(c, end) - bound);
}

/* ---- First cuts ------------------------------------------------------------------------- */

/* begin[pe]: the first place where it may begin.  Each PE before it needs a vertex. */
static bool find_first_begins(clv_cutter *c)
{
    int32_t next = c->o->nvtx, before = c->busy;
    for (int32_t i = c->npes; i-- > 0;) {
        int32_t pe = clv_cutter_pe(c, i);
        if (!clv_cutter_is_busy(c, pe))
            continue;
        before--;
        int64_t bound = clv_cutter_bound(c, pe);
        int32_t guess = clv_cutter_likely(c, clv_cutter_before(c, next) - bound);
        int32_t place = first_begin(c, next, bound, guess);
        if (place >= next)
            return false;
        next = clv_larger(place, before);
        c->begin[pe] = next;
    }
    return next == 0;
}

/* The range of the cut after the i-th busy PE in which every busy PE gets a vertex or, with
 * fewer vertices, none gets two. */
static void limit_counts(const clv_cutter *c, int32_t i, int32_t last, int32_t *low,
                         int32_t *high)
{
    int32_t n = c->o->nvtx, after = c->busy - i;
    if (after == 0) {
        *low = *high = n;
    } else if (n >= c->busy) {
        *low = last + 1;
        *high = n - after;
    } else {
        *low = clv_larger(last, n - after);
        *high = clv_smaller(last + 1, n);
    }
}

/* The next busy PE after the i-th in the sequence; -1: none. */
static int32_t next_busy(const clv_cutter *c, int32_t i)
{
    while (++i < c->npes)
        if (clv_cutter_is_busy(c, clv_cutter_pe(c, i)))
            return clv_cutter_pe(c, i);
    return -1;
}

static void limit_weights(const clv_cutter *c, int32_t i, int32_t last, int32_t *low,
                          int32_t *high)
{
    int32_t pe = clv_cutter_pe(c, i), next = next_busy(c, i);
    int64_t bound = clv_cutter_bound(c, pe);
    int32_t guess = clv_cutter_likely(c, clv_cutter_before(c, last) + bound);
    int32_t most = last_end(c, last, bound, guess);
    int32_t least = next >= 0 ? c->begin[next] : c->o->nvtx;
    *low = clv_larger(*low, clv_smaller(least, *high));
    *high = clv_larger(*low, clv_smaller(most, *high));
}

static void cut_nearest(clv_cutter *c)
{
    double sum = 0;
    int32_t last = 0;
    for (int32_t i = 0, busy = 0; i < c->npes; i++) {
        int32_t pe = clv_cutter_pe(c, i), low, high, place = last;
        if (clv_cutter_is_busy(c, pe)) {
            limit_counts(c, ++busy, last, &low, &high);
            if (c->bounded)
                limit_weights(c, i, last, &low, &high);
            sum += clv_share_of(&c->rule, c->total, pe);
            place = clv_cutter_nearest(c, low, high, sum);
        }
        c->begin[pe] = last;
        c->end[pe] = place;
        last = place;
    }
}

/* Idle PEs get an empty interval at the end of the previous PE. */
static void place_idle(clv_cutter *c)
{
    int32_t last = 0;
    for (int32_t i = 0; i < c->npes; i++) {
        int32_t pe = clv_cutter_pe(c, i);
        if (!clv_cutter_is_busy(c, pe))
            c->begin[pe] = c->end[pe] = last;
        last = c->end[pe];
    }
}

void clv_cutter_open(clv_cutter *c, const clv_order *o, int32_t npes, const double *speed,
                     double eps)
{
    *c = (clv_cutter){.o = o, .speed = speed, .npes = npes, .eps = eps};
    for (int32_t pe = 0; pe < npes; pe++)
        c->busy += clv_cutter_is_busy(c, pe);
    assert(c->busy > 0);
    c->total = o->before[o->nvtx];
    c->count = c->total == 0;
    c->total = c->count ? o->nvtx : c->total;
    c->per_weight = c->total > 0 ? (double)o->nvtx / (double)c->total : 0;
    c->rule = clv_share_rule_make(speed, npes, 1);
}

void clv_split(const clv_order *o, const clv_split_rule *rule, const int32_t *sequence,
               int32_t *begin, int32_t *end)
{
    clv_cutter c;
    clv_cutter_open(&c, o, rule->npes, rule->speed, rule->imbalance);
    c.sequence = sequence;
    c.begin = begin;
    c.end = end;
    c.bounded = o->nvtx >= c.busy && find_first_begins(&c);
    cut_nearest(&c);
    if (c.bounded && rule->imbalance > 0 && o->crossing) {
        clv_cutter_slide(&c);
        place_idle(&c);
    }
}
