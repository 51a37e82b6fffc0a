/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_code.h - order-preserving 32-bit codes of 64-bit gains. */
#ifndef CLV_REFINE_GAIN_GAIN_CODE_H
#define CLV_REFINE_GAIN_GAIN_CODE_H

#include <stdint.h>

#include "base/status.h"

enum {
    clv_exact_gain = INT32_MAX - (1 << 26), /* gains of a smaller absolute value are their own
                                               codes */
    clv_gain_bits = 21
};

/* A gain of absolute value at least `exact` >= 2^30, up to 2^62: coded by the first bits after
 * the leading one. */
static inline int64_t clv_gain_squeeze(int64_t gain, int64_t exact, int bits)
{
    int64_t size = gain < 0 ? -gain : gain;
    int32_t log = 63 - __builtin_clzll((uint64_t)size);
    int64_t code = exact + ((int64_t)(log - 30) << bits) +
                   ((size >> (log - bits)) & ((INT64_C(1) << bits) - 1));
    return gain < 0 ? -code : code;
}

static inline int64_t clv_gain_code(int64_t gain)
{
    if (CLV_UNLIKELY(gain >= clv_exact_gain || gain <= -clv_exact_gain))
        return clv_gain_squeeze(gain, clv_exact_gain, clv_gain_bits);
    return gain;
}

#endif
