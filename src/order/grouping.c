/* SPDX-License-Identifier: Apache-2.0 */
/* order/grouping.c - divides processors of unequal speed recursively into two groups.
 *
 * [Kaddoura, Ou, Ranka 1995, section 2]  The paper does not define "binpacking": here the
 * fastest remaining PE goes to the lighter group (LPT rule) [Graham 1969], and then single
 * moves and swaps reduce the difference.  PEs with consecutive numbers are often neighbours in
 * the machine.  If cutting the list as numbered divides the speeds no worse, that is done.
 *
 * A PE of the second group is marked by its complement, which is negative. */
#include <assert.h>

#include "base/queue.h"
#include "order/split.h"

static double speed_of(const double *speed, int32_t pe)
{
    return speed ? speed[pe < 0 ? ~pe : pe] : 1;
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

static double sum_speeds(const double *speed, int32_t count, const int32_t *parts)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += speed_of(speed, parts[i]);
    return sum;
}

/* The first y speeds that sum to at least half. */
static int32_t halve_simply(const double *speed, int32_t count, const int32_t *parts)
{
    double total = sum_speeds(speed, count, parts), sum = 0;
    for (int32_t y = 1; y < count; y++) {
        sum += speed_of(speed, parts[y - 1]);
        if (sum + sum >= total)
            return y;
    }
    return count - 1;
}

/* The y whose first y speeds sum to nearest to half; *apart: the remaining difference. */
static int32_t halve_nearest(const double *speed, int32_t count, const int32_t *parts,
                             double *apart)
{
    double total = sum_speeds(speed, count, parts), sum = 0;
    int32_t best = 1;
    for (int32_t y = 1; y < count; y++) {
        sum += speed_of(speed, parts[y - 1]);
        double difference = magnitude(sum + sum - total);
        if (y == 1 || difference < *apart) {
            *apart = difference;
            best = y;
        }
    }
    return best;
}

/* ---- Largest first ---------------------------------------------------------------------- */

typedef struct packing {
    const double *speed;
    int32_t count;
    int32_t *parts;  /* PEs, those of the second group marked */
    int32_t *sorted; /* indices into parts by descending speed, then ascending */
    double apart;    /* speed of the first group minus the second */
} packing;

static double size_at(const packing *p, int32_t place)
{
    return speed_of(p->speed, p->parts[place]);
}

static bool comes_before(const packing *p, int32_t a, int32_t b)
{
    double size_a = size_at(p, a), size_b = size_at(p, b);
    return size_a != size_b ? size_a > size_b : a < b;
}

/* Sift down in a heap whose top is the last in sorted order. */
static void sink(const packing *p, int32_t i, int32_t count)
{
    int32_t item = p->sorted[i];
    for (int64_t child = clv_heap_child(i); child < count; child = clv_heap_child(i)) {
        if (child + 1 < count && comes_before(p, p->sorted[child], p->sorted[child + 1]))
            child++;
        if (!comes_before(p, item, p->sorted[child]))
            break;
        p->sorted[i] = p->sorted[child];
        i = (int32_t)child;
    }
    p->sorted[i] = item;
}

/* Heap sort: needs no memory. */
static void sort_by_size(const packing *p)
{
    bool sorted = true;
    for (int32_t i = 0; i < p->count; i++) {
        p->sorted[i] = i;
        sorted = sorted && (i == 0 || size_at(p, i - 1) >= size_at(p, i));
    }
    if (sorted)
        return;
    for (int32_t i = p->count / 2; i-- > 0;)
        sink(p, i, p->count);
    for (int32_t last = p->count - 1; last > 0; last--) {
        int32_t top = p->sorted[0];
        p->sorted[0] = p->sorted[last];
        p->sorted[last] = top;
        sink(p, 0, last);
    }
}

static void deal(packing *p)
{
    for (int32_t i = 0; i < p->count; i++) {
        int32_t place = p->sorted[i];
        bool second = p->apart > 0;
        p->apart += second ? -size_at(p, place) : size_at(p, place);
        if (second)
            p->parts[place] = ~p->parts[place];
    }
}

/* ---- Moves and swaps -------------------------------------------------------------------- */

typedef struct exchange {
    int32_t give, take; /* indices in the heavier and in the lighter group; take -1: none */
    double apart;       /* the remaining difference */
} exchange;

static void consider(const packing *p, exchange *best, int32_t give, int32_t take)
{
    double less = size_at(p, give) - (take >= 0 ? size_at(p, take) : 0);
    double apart = magnitude(magnitude(p->apart) - (less + less));
    if (apart < best->apart)
        *best = (exchange){give, take, apart};
}

/* The next index from `i` on in the sorted list that is in this group; count: none. */
static int32_t next_of(const packing *p, int32_t i, bool second)
{
    while (i < p->count && (p->parts[p->sorted[i]] < 0) != second)
        i++;
    return i;
}

/* The speed given minus the speed taken should be half of the difference.  As the former
 * decreases, so does the latter: one pass over both groups. */
static exchange find_exchange(const packing *p)
{
    bool second = p->apart < 0;
    double half = magnitude(p->apart) / 2;
    exchange best = {-1, -1, magnitude(p->apart)};
    int32_t j = next_of(p, 0, !second), larger = -1;
    for (int32_t i = next_of(p, 0, second); i < p->count; i = next_of(p, i + 1, second)) {
        int32_t give = p->sorted[i];
        double wanted = size_at(p, give) - half;
        while (j < p->count && size_at(p, p->sorted[j]) > wanted) {
            larger = p->sorted[j];
            j = next_of(p, j + 1, !second);
        }
        consider(p, &best, give, -1);
        if (larger >= 0)
            consider(p, &best, give, larger);
        if (j < p->count)
            consider(p, &best, give, p->sorted[j]);
    }
    return best;
}

static void improve(packing *p)
{
    enum { most_exchanges = 16 };
    const double near_enough = sum_speeds(p->speed, p->count, p->parts) * 0x1p-14;
    for (int round = 0; round < most_exchanges; round++) {
        if (magnitude(p->apart) <= near_enough)
            return;
        exchange e = find_exchange(p);
        if (e.give < 0)
            return;
        double less = size_at(p, e.give) - (e.take >= 0 ? size_at(p, e.take) : 0);
        p->apart += p->apart > 0 ? -(less + less) : less + less;
        p->parts[e.give] = ~p->parts[e.give];
        if (e.take >= 0)
            p->parts[e.take] = ~p->parts[e.take];
    }
}

/* ---- Groups ----------------------------------------------------------------------------- */

/* Moves the group of the first PE to the front and removes the marks.  Returns its size. */
static int32_t gather(int32_t count, int32_t *parts, int32_t *scratch)
{
    bool flip = parts[0] < 0;
    int32_t front = 0, rest = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t pe = parts[i] < 0 ? ~parts[i] : parts[i];
        if ((parts[i] < 0) == flip)
            parts[front++] = pe;
        else
            scratch[rest++] = pe;
    }
    for (int32_t i = 0; i < rest; i++)
        parts[front + i] = scratch[i];
    return front;
}

static int32_t halve_packed(const double *speed, int32_t count, int32_t *parts,
                            int32_t *scratch)
{
    double as_listed = 0;
    int32_t nearest = halve_nearest(speed, count, parts, &as_listed);
    packing p = {speed, count, parts, scratch, 0};
    sort_by_size(&p);
    deal(&p);
    improve(&p);
    /* Sums in a different order may differ by rounding. */
    double slack = sum_speeds(speed, count, parts) * 0x1p-40;
    if (as_listed <= magnitude(p.apart) + slack) {
        for (int32_t i = 0; i < count; i++)
            parts[i] = parts[i] < 0 ? ~parts[i] : parts[i];
        return nearest;
    }
    return gather(count, parts, scratch);
}

int32_t clv_grouping_halve(clv_grouping grouping, const double *speed, int32_t count,
                           int32_t *parts, int32_t *scratch)
{
    assert(count >= 2);
    if (grouping == CLV_GROUPING_SIMPLE)
        return halve_simply(speed, count, parts);
    return halve_packed(speed, count, parts, scratch);
}

/* Recurses only into the smaller group, so the depth is at most log2(count). */
static void arrange(clv_grouping grouping, const double *speed, int32_t count,
                    int32_t *sequence, int32_t *scratch)
{
    while (count > 1) {
        int32_t first = clv_grouping_halve(grouping, speed, count, sequence, scratch);
        int32_t second = count - first;
        bool first_smaller = first < second;
        arrange(grouping, speed, first_smaller ? first : second,
                first_smaller ? sequence : sequence + first, scratch);
        sequence += first_smaller ? first : 0;
        count = first_smaller ? second : first;
    }
}

void clv_grouping_sequence(clv_grouping grouping, const double *speed, int32_t npes,
                           int32_t *sequence, int32_t *scratch)
{
    for (int32_t pe = 0; pe < npes; pe++)
        sequence[pe] = pe;
    if (grouping == CLV_GROUPING_SIMPLE || !speed)
        return;
    /* Sorted once: groups keep the order and need no sorting. */
    packing all = {speed, npes, sequence, scratch, 0};
    sort_by_size(&all);
    for (int32_t i = 0; i < npes; i++)
        sequence[i] = scratch[i];
    arrange(grouping, speed, npes, sequence, scratch);
}
