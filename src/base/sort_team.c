/* SPDX-License-Identifier: Apache-2.0 */
/* base/sort_team.c - radix sort, most significant digit first: items are distributed to
 * buckets by the highest bits in which their keys differ, then each bucket is sorted
 * separately; small buckets by insertion sort.  All members do the first distribution, each
 * for a piece of the items; then members take buckets dynamically. */
#include <string.h>

#include "base/sort.h"

enum {
    most_bits = 10, /* of a digit */
    buckets = 1 << most_bits,
    insertion_limit = 24, /* at most this many items are sorted by insertion */
    bucket_bits = 2,      /* log2 of the wanted number of items per bucket */
    worth_waking = 16384, /* items; fewer are sorted by one thread */
    most_pieces = 8
};

/* The bucket of a key: (key - least) >> shift. */
typedef struct digit {
    uint64_t least;
    int shift, count; /* count: number of buckets */
} digit;

static int bits_of(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

static digit choose_digit(int64_t least, int64_t most, int64_t n)
{
    uint64_t span = (uint64_t)most - (uint64_t)least;
    int bits = bits_of((uint64_t)n) - bucket_bits, width = bits_of(span);
    bits = bits > most_bits ? most_bits : bits;
    int shift = width > bits ? width - bits : 0;
    return (digit){(uint64_t)least, shift, (int)(span >> shift) + 1};
}

static inline uint64_t bucket_of(const digit *d, int64_t key)
{
    return ((uint64_t)key - d->least) >> d->shift;
}

static void find_range(const clv_sort_item *item, int64_t n, int64_t *least, int64_t *most)
{
    for (int64_t i = 0; i < n; i++) {
        *least = item[i].key < *least ? item[i].key : *least;
        *most = item[i].key > *most ? item[i].key : *most;
    }
}

static void insertion_sort(clv_sort_item *item, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        clv_sort_item moving = item[i];
        int64_t j = i;
        for (; j > 0 && item[j - 1].key > moving.key; j--)
            item[j] = item[j - 1];
        item[j] = moving;
    }
}

static void copy_unless_staying(clv_sort_item *item, clv_sort_item *other, int64_t n,
                                bool stay)
{
    if (!stay)
        memcpy(other, item, (size_t)n * sizeof *item);
}

/* Sorts into `item`, or into `other` if not `stay`.  Each call reduces the span by at least
 * two bits, so the recursion is not deep. */
static void sort_range(clv_sort_item *item, clv_sort_item *other, int64_t n, bool stay)
{
    int64_t least = INT64_MAX, most = INT64_MIN, place[buckets];
    if (n <= insertion_limit) {
        insertion_sort(item, n);
        copy_unless_staying(item, other, n, stay);
        return;
    }
    find_range(item, n, &least, &most);
    if (least == most) {
        copy_unless_staying(item, other, n, stay);
        return;
    }
    digit d = choose_digit(least, most, n);
    memset(place, 0, (size_t)d.count * sizeof *place);
    for (int64_t i = 0; i < n; i++)
        place[bucket_of(&d, item[i].key)]++;
    for (int64_t b = 0, sum = 0; b < d.count; b++) {
        int64_t count = place[b];
        place[b] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < n; i++)
        other[place[bucket_of(&d, item[i].key)]++] = item[i];
    for (int64_t b = 0, begin = 0; b < d.count; begin = place[b++])
        if (place[b] > begin)
            sort_range(other + begin, item + begin, place[b] - begin, !stay);
}

/* ---- By a team -------------------------------------------------------------------------- */

typedef struct sorting {
    clv_sort_item *item, *other;
    int64_t n, pieces;
    digit d;
    int64_t least[most_pieces], most[most_pieces];
    uint32_t place[most_pieces][buckets]; /* where the next item of a bucket goes, by piece */
} sorting;

static int64_t piece_begin(const sorting *s, int64_t piece)
{
    return s->n / s->pieces * piece + (s->n % s->pieces) * piece / s->pieces;
}

static void range_piece(void *context, int64_t begin, int64_t end, int member)
{
    sorting *s = context;
    (void)member;
    for (int64_t k = begin; k < end; k++) {
        int64_t from = piece_begin(s, k), least = INT64_MAX, most = INT64_MIN;
        find_range(s->item + from, piece_begin(s, k + 1) - from, &least, &most);
        s->least[k] = least;
        s->most[k] = most;
    }
}

static void count_piece(void *context, int64_t begin, int64_t end, int member)
{
    sorting *s = context;
    (void)member;
    for (int64_t k = begin; k < end; k++) {
        memset(s->place[k], 0, sizeof s->place[k]);
        for (int64_t i = piece_begin(s, k); i < piece_begin(s, k + 1); i++)
            s->place[k][bucket_of(&s->d, s->item[i].key)]++;
    }
}

static void deal_piece(void *context, int64_t begin, int64_t end, int member)
{
    sorting *s = context;
    (void)member;
    for (int64_t k = begin; k < end; k++)
        for (int64_t i = piece_begin(s, k); i < piece_begin(s, k + 1); i++)
            s->other[s->place[k][bucket_of(&s->d, s->item[i].key)]++] = s->item[i];
}

/* After the distribution, the position of the last piece is the end of the bucket. */
static void sort_buckets(void *context, int64_t begin, int64_t end, int member)
{
    sorting *s = context;
    const uint32_t *ends = s->place[s->pieces - 1];
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int64_t from = b > 0 ? ends[b - 1] : 0;
        sort_range(s->other + from, s->item + from, ends[b] - from, false);
    }
}

static void find_places(sorting *s)
{
    uint32_t sum = 0;
    for (int b = 0; b < s->d.count; b++)
        for (int64_t k = 0; k < s->pieces; k++) {
            uint32_t count = s->place[k][b];
            s->place[k][b] = sum;
            sum += count;
        }
}

void clv_sort_team(clv_team *team, clv_sort_item *items, clv_sort_item *scratch, int64_t n)
{
    int size = clv_team_size(team);
    if (size == 1 || n < worth_waking || n > UINT32_MAX) {
        sort_range(items, scratch, n, true);
        return;
    }
    sorting s = {.item = items, .other = scratch, .n = n};
    s.pieces = size < most_pieces ? size : most_pieces;
    clv_parallel_for(team, s.pieces, 1, range_piece, &s);
    int64_t least = s.least[0], most = s.most[0];
    for (int64_t k = 1; k < s.pieces; k++) {
        least = s.least[k] < least ? s.least[k] : least;
        most = s.most[k] > most ? s.most[k] : most;
    }
    s.d = choose_digit(least, most, n);
    clv_parallel_for(team, s.pieces, 1, count_piece, &s);
    find_places(&s);
    clv_parallel_for(team, s.pieces, 1, deal_piece, &s);
    clv_parallel_for(team, s.d.count, 4, sort_buckets, &s);
}
