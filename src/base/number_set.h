/* SPDX-License-Identifier: Apache-2.0 */
/* base/number_set.h - a set of the numbers 0..count-1 with a fast search for the next element:
 * a bit for each number, and for each 64 bits of a row one bit in the next row. */
#ifndef CLV_BASE_NUMBER_SET_H
#define CLV_BASE_NUMBER_SET_H

#include "base/mem.h"

enum { clv_number_set_rows = 6 }; /* 64^6 > 2^31 */

typedef struct clv_number_set {
    int32_t rows;
    int64_t words[clv_number_set_rows];
    uint64_t *bits[clv_number_set_rows];
} clv_number_set;

static inline bool clv_number_set_init(clv_number_set *s, int32_t count, clv_ws *ws)
{
    int64_t words = count;
    s->rows = 0;
    do {
        words = words > 64 ? (words + 63) / 64 : 1;
        s->words[s->rows] = words;
        s->bits[s->rows] = clv_ws_zalloc(ws, words, sizeof **s->bits);
        if (!s->bits[s->rows++])
            return false;
    } while (words > 1);
    return true;
}
static inline void clv_number_set_insert(clv_number_set *s, int32_t x)
{
    for (int32_t row = 0; row < s->rows; row++, x >>= 6) {
        uint64_t *word = &s->bits[row][x >> 6], before = *word;
        *word = before | (uint64_t)1 << (x & 63);
        if (before)
            return;
    }
}
static inline void clv_number_set_remove(clv_number_set *s, int32_t x)
{
    for (int32_t row = 0; row < s->rows; row++, x >>= 6) {
        uint64_t *word = &s->bits[row][x >> 6];
        *word &= ~((uint64_t)1 << (x & 63));
        if (*word)
            return;
    }
}
/* The smallest element >= x, or -1. */
static inline int32_t clv_number_set_next(const clv_number_set *s, int32_t x)
{
    int64_t place = x;
    for (int32_t row = 0; row < s->rows; row++) {
        int64_t word = place >> 6;
        if (word >= s->words[row])
            return -1;
        uint64_t rest = s->bits[row][word] & ~(uint64_t)0 << (place & 63);
        if (rest) {
            place = word * 64 + __builtin_ctzll(rest);
            while (row-- > 0)
                place = place * 64 + __builtin_ctzll(s->bits[row][place]);
            return (int32_t)place;
        }
        place = word + 1;
    }
    return -1;
}

#endif
