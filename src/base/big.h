/* SPDX-License-Identifier: Apache-2.0 */
/* base/big.h - exact arithmetic on long integers, as far as base/number.c needs it for correct
 * rounding.  Does not allocate; 4096 bits are enough for the caller. */
#ifndef CLV_BASE_BIG_H
#define CLV_BASE_BIG_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { big_limbs = 128 }; /* 4096 bits */

typedef struct big {
    int count;
    uint32_t limb[big_limbs]; /* least significant first; the last one is not 0 */
} big;

static inline void big_set(big *b, uint64_t value)
{
    b->limb[0] = (uint32_t)value;
    b->limb[1] = (uint32_t)(value >> 32);
    b->count = b->limb[1] ? 2 : value != 0;
}

static inline void big_multiply_add(big *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        assert(b->count < big_limbs);
        b->limb[b->count++] = (uint32_t)carry;
    }
}

static inline void big_multiply_pow5(big *b, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(b, 1220703125, 0); /* 5^13 */
    for (; power > 0; power--)
        big_multiply_add(b, 5, 0);
}

static inline void big_shift_left(big *b, int64_t bits)
{
    if (b->count == 0)
        return;
    if (bits % 32)
        big_multiply_add(b, UINT32_C(1) << (bits % 32), 0);
    int limbs = (int)(bits / 32);
    assert(b->count + limbs <= big_limbs);
    memmove(b->limb + limbs, b->limb, (size_t)b->count * sizeof b->limb[0]);
    memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
    b->count += limbs;
}

static inline int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

#endif
