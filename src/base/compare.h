/* SPDX-License-Identifier: Apache-2.0 */
/* base/compare.h - which of two, and numbers as keys of a sort. */
#ifndef CLV_BASE_COMPARE_H
#define CLV_BASE_COMPARE_H

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

/* Integers in the order of finite numbers; 0 and -0 are the same. */
static inline int64_t clv_key_of_double(double value)
{
    int64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : bits ^ INT64_MAX;
}

#endif
