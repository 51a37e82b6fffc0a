/* SPDX-License-Identifier: Apache-2.0 */
/* base/compare.h - minimum and maximum, and numbers as sort keys. */
#ifndef CLV_BASE_COMPARE_H
#define CLV_BASE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline int32_t clv_smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t clv_larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int64_t clv_smaller64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t clv_larger64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline double clv_smaller_real(double a, double b)
{
    return a < b ? a : b;
}

static inline double clv_larger_real(double a, double b)
{
    return a > b ? a : b;
}

/* The number in [low, high] that is nearest to value.  If the interval is empty: low if value
 * is below low, otherwise high or value. */
static inline int64_t clv_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Whether (a, b) is lexicographically smaller than (c, d). */
static inline bool clv_pair_is_smaller(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return a != c ? a < c : b < d;
}

/* An integer key with the order of finite doubles; 0 and -0 have the same key. */
static inline int64_t clv_key_of_double(double value)
{
    int64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : bits ^ INT64_MAX;
}

#endif
