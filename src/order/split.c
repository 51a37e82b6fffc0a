/* SPDX-License-Identifier: Apache-2.0 */
/* order/split.c - an order cut into intervals: prefix sums and searches in them.
 *
 * Source: Kaddoura, Ou, Ranka 1995, section 3.  Beyond it: cuts keep the bounds of all PEs
 * where that is possible, and then slide to where the line is thin, as far as the bounds of
 * both neighbours allow.
 *
 * 1. From the right: how early may each PE begin so that all after it are within their
 *    bounds?  When the first one could not begin at the start, no cuts are within the bounds
 *    and these are left aside.
 * 2. From the left: each cut as near to its share as these and the PE's own bound allow.
 * 3. A few times from end to end: each cut to the least crossing between its neighbours.
 *
 * Every step takes a constant number of searches for each PE and looks at a bounded number
 * of crossings. */
#include "order/split.h"

#include <assert.h>
#include <math.h>

#include "graph/share.h"

typedef struct cutter {
    const clv_order *o;
    const double *speed;
    const int32_t *sequence;
    int32_t npes, busy; /* busy: PEs of speed above 0 */
    bool count;         /* nothing weighs anything: vertices are counted instead */
    bool bounded;       /* there are cuts within the bounds */
    int64_t total;
    double eps, per_weight; /* places per unit of weight, on average */
    clv_share_rule rule;
    int32_t *begin, *end;
} cutter;

static int32_t pe_at(const cutter *c, int32_t i)
{
    return c->sequence ? c->sequence[i] : i;
}

static bool is_busy(const cutter *c, int32_t pe)
{
    return !c->speed || c->speed[pe] > 0;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- Places ----------------------------------------------------------------------------- */

static int64_t weight_before(const cutter *c, int32_t place)
{
    return c->count ? place : c->o->before[place];
}

/* The first place in [low, high] with at least that weight before it; high: none.  Looks
 * around `guess` first, in steps that double. */
static int32_t search(const cutter *c, int32_t low, int32_t high, int32_t guess,
                      int64_t weight)
{
    guess = larger(low, smaller(guess, high));
    if (guess < high && weight_before(c, guess) < weight) {
        low = guess + 1;
        for (int64_t step = 1; low + step < high; step *= 2) {
            if (weight_before(c, (int32_t)(low + step)) >= weight) {
                high = (int32_t)(low + step);
                break;
            }
            low = (int32_t)(low + step) + 1;
        }
    } else {
        high = guess;
        for (int64_t step = 1; high - step > low; step *= 2) {
            if (weight_before(c, (int32_t)(high - step)) < weight) {
                low = (int32_t)(high - step) + 1;
                break;
            }
            high = (int32_t)(high - step);
        }
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (weight_before(c, middle) >= weight)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int32_t likely_place(const cutter *c, int64_t weight)
{
    double place = (double)weight * c->per_weight;
    return place < c->o->nvtx ? (int32_t)place : c->o->nvtx;
}

/* The place in [low, high] whose weight before it is nearest to `weight`. */
static int32_t nearest_place(const cutter *c, int32_t low, int32_t high, double weight)
{
    double up = ceil(weight);
    int64_t whole = up < (double)c->total ? (int64_t)up : c->total;
    int32_t place = search(c, low, high, likely_place(c, whole), whole);
    if (place > low && weight - (double)weight_before(c, place - 1) <=
                           (double)weight_before(c, place) - weight)
        place--;
    return place;
}

/* The last place at which an interval from `begin` with so much weight may end. */
static int32_t last_end(const cutter *c, int32_t begin, int64_t bound, int32_t guess)
{
    int64_t most = c->total - weight_before(c, begin);
    if (bound >= most)
        return c->o->nvtx;
    int64_t beyond = weight_before(c, begin) + bound + 1;
    return search(c, begin, c->o->nvtx, guess, beyond) - 1;
}

/* The first place at which an interval up to `end` may begin. */
static int32_t first_begin(const cutter *c, int32_t end, int64_t bound, int32_t guess)
{
    if (bound >= weight_before(c, end))
        return 0;
    return search(c, 0, end, guess, weight_before(c, end) - bound);
}

static int64_t bound_of(const cutter *c, int32_t pe)
{
    int64_t bound = clv_share_bound(&c->rule, c->total, pe, c->eps);
    return bound < c->total ? bound : c->total;
}

/* ---- First cuts ------------------------------------------------------------------------- */

/* begin[pe]: the first place where it may begin.  Each PE before it needs a vertex. */
static bool find_first_begins(cutter *c)
{
    int32_t next = c->o->nvtx, before = c->busy;
    for (int32_t i = c->npes; i-- > 0;) {
        int32_t pe = pe_at(c, i);
        if (!is_busy(c, pe))
            continue;
        before--;
        int64_t bound = bound_of(c, pe);
        int32_t guess = likely_place(c, weight_before(c, next) - bound);
        int32_t place = first_begin(c, next, bound, guess);
        if (place >= next)
            return false;
        next = larger(place, before);
        c->begin[pe] = next;
    }
    return next == 0;
}

/* Between which places the cut after the i-th busy PE must be so that every busy PE gets a
 * vertex, or, when vertices are fewer, none gets two. */
static void limit_counts(const cutter *c, int32_t i, int32_t last, int32_t *low, int32_t *high)
{
    int32_t n = c->o->nvtx, after = c->busy - i;
    if (after == 0) {
        *low = *high = n;
    } else if (n >= c->busy) {
        *low = last + 1;
        *high = n - after;
    } else {
        *low = larger(last, n - after);
        *high = smaller(last + 1, n);
    }
}

/* The next busy PE behind the i-th in the sequence; -1: none. */
static int32_t next_busy(const cutter *c, int32_t i)
{
    while (++i < c->npes)
        if (is_busy(c, pe_at(c, i)))
            return pe_at(c, i);
    return -1;
}

static void limit_weights(const cutter *c, int32_t i, int32_t last, int32_t *low,
                          int32_t *high)
{
    int32_t pe = pe_at(c, i), next = next_busy(c, i);
    int64_t bound = bound_of(c, pe);
    int32_t guess = likely_place(c, weight_before(c, last) + bound);
    int32_t most = last_end(c, last, bound, guess);
    int32_t least = next >= 0 ? c->begin[next] : c->o->nvtx;
    *low = larger(*low, smaller(least, *high));
    *high = larger(*low, smaller(most, *high));
}

static void cut_nearest(cutter *c)
{
    double sum = 0;
    int32_t last = 0;
    for (int32_t i = 0, busy = 0; i < c->npes; i++) {
        int32_t pe = pe_at(c, i), low, high, place = last;
        if (is_busy(c, pe)) {
            limit_counts(c, ++busy, last, &low, &high);
            if (c->bounded)
                limit_weights(c, i, last, &low, &high);
            sum += clv_share_of(&c->rule, c->total, pe);
            place = nearest_place(c, low, high, sum);
        }
        c->begin[pe] = last;
        c->end[pe] = place;
        last = place;
    }
}

/* ---- Sliding ---------------------------------------------------------------------------- */

/* A busy PE and the weight it may have. */
typedef struct neighbour {
    int32_t pe;
    int64_t bound;
} neighbour;

/* Moves the cut between two neighbours to the least crossing within `reach` places that
 * leaves both within their bounds; it stays unless another place is better. */
static void slide(cutter *c, neighbour left, neighbour right, int32_t reach)
{
    const int64_t *crossing = c->o->crossing;
    int32_t here = c->end[left.pe], best = here;
    int32_t low = larger(c->begin[left.pe] + 1, here - reach);
    int32_t high = smaller(c->end[right.pe] - 1, here + reach);
    int64_t end = weight_before(c, c->end[right.pe]) - right.bound;
    int64_t begin = weight_before(c, c->begin[left.pe]) + left.bound;
    int64_t least = crossing[here];
    for (int32_t p = here - 1; p >= low && weight_before(c, p) >= end; p--)
        if (crossing[p] < least)
            least = crossing[best = p];
    for (int32_t p = here + 1; p <= high && weight_before(c, p) <= begin; p++)
        if (crossing[p] < least)
            least = crossing[best = p];
    c->end[left.pe] = c->begin[right.pe] = best;
}

static void slide_all(cutter *c)
{
    enum { sweeps = 2, looks = 1 << 17, least_looks = 256 };
    int32_t reach = larger(least_looks, looks / c->busy);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        neighbour last = {-1, 0};
        for (int32_t k = 0; k < c->npes; k++) {
            neighbour now = {pe_at(c, sweep % 2 ? c->npes - 1 - k : k), 0};
            if (!is_busy(c, now.pe))
                continue;
            now.bound = bound_of(c, now.pe);
            if (last.pe >= 0)
                slide(c, sweep % 2 ? now : last, sweep % 2 ? last : now, reach);
            last = now;
        }
    }
}

/* Idle PEs stand where the one before them ends. */
static void place_idle(cutter *c)
{
    int32_t last = 0;
    for (int32_t i = 0; i < c->npes; i++) {
        int32_t pe = pe_at(c, i);
        if (!is_busy(c, pe))
            c->begin[pe] = c->end[pe] = last;
        last = c->end[pe];
    }
}

void clv_split(const clv_order *o, int32_t npes, const double *speed, const int32_t *sequence,
               double eps, int32_t *begin, int32_t *end)
{
    cutter c = {.o = o,
                .speed = speed,
                .sequence = sequence,
                .npes = npes,
                .eps = eps,
                .begin = begin,
                .end = end};
    for (int32_t pe = 0; pe < npes; pe++)
        c.busy += is_busy(&c, pe);
    assert(c.busy > 0);
    c.total = o->before[o->nvtx];
    c.count = c.total == 0;
    c.total = c.count ? o->nvtx : c.total;
    c.per_weight = c.total > 0 ? (double)o->nvtx / (double)c.total : 0;
    c.rule = clv_share_rule_make(speed, npes, 1);
    c.bounded = o->nvtx >= c.busy && find_first_begins(&c);
    cut_nearest(&c);
    if (c.bounded && eps > 0 && o->crossing) {
        slide_all(&c);
        place_idle(&c);
    }
}
