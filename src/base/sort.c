/* SPDX-License-Identifier: Apache-2.0 */
/* base/sort.c - bottom-up merge sort; for many items radix sort, least significant digit
 * first, over as many digits as the keys span. */
#include "base/sort.h"

#include <string.h>

enum { radix_bits = 11, radix = 1 << radix_bits, radix_pays = 4096 };

static void merge_runs(const clv_sort_item *from, clv_sort_item *to, int64_t n, int64_t width)
{
    for (int64_t low = 0; low < n; low += 2 * width) {
        int64_t a = low, a_end = low + width < n ? low + width : n;
        int64_t b = a_end, b_end = low + 2 * width < n ? low + 2 * width : n;
        for (int64_t k = low; k < b_end; k++) {
            int left = b == b_end || (a < a_end && from[a].key <= from[b].key);
            to[k] = left ? from[a++] : from[b++];
        }
    }
}

static void radix_pass(const clv_sort_item *from, clv_sort_item *to, int64_t n, int64_t least,
                       int shift)
{
    int64_t place[radix];
    memset(place, 0, sizeof place);
    for (int64_t i = 0; i < n; i++)
        place[((uint64_t)from[i].key - (uint64_t)least) >> shift & (radix - 1)]++;
    int64_t sum = 0;
    for (int d = 0; d < radix; d++) {
        int64_t count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < n; i++)
        to[place[((uint64_t)from[i].key - (uint64_t)least) >> shift & (radix - 1)]++] =
            from[i];
}

clv_sort_item *clv_sort(clv_sort_item *items, clv_sort_item *scratch, int64_t n)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t i = 0; i < n; i++) {
        least = items[i].key < least ? items[i].key : least;
        most = items[i].key > most ? items[i].key : most;
    }
    uint64_t span = n > 0 ? (uint64_t)most - (uint64_t)least : 0;
    clv_sort_item *from = items, *to = scratch, *swap;
    if (n >= radix_pays && span >> (4 * radix_bits) == 0) {
        for (int shift = 0; span >> shift; shift += radix_bits) {
            radix_pass(from, to, n, least, shift);
            swap = from, from = to, to = swap;
        }
        return from;
    }
    for (int64_t width = 1; width < n; width *= 2) {
        merge_runs(from, to, n, width);
        swap = from, from = to, to = swap;
    }
    return from;
}
