/* SPDX-License-Identifier: Apache-2.0 */
/* target/divisor.h - division of PE numbers by invariant integers through multiplication
 * [Lemire, Kaser, Kurz 2019]: most of the cost of distances on meshes and trees. */
#ifndef CLV_TARGET_DIVISOR_H
#define CLV_TARGET_DIVISOR_H

#include <stdint.h>

/* 2^64 / divisor, rounded up; 0: division by 1. */
typedef struct clv_divisor {
    uint64_t reciprocal;
} clv_divisor;

static inline clv_divisor clv_divisor_make(int32_t by)
{
    return (clv_divisor){by == 1 ? 0 : UINT64_MAX / (uint64_t)by + 1};
}

/* number / by, for all 0 <= number < 2^31. */
static inline int32_t clv_divisor_quotient(int32_t number, clv_divisor d)
{
    __extension__ typedef unsigned __int128 uint128;
    return d.reciprocal ? (int32_t)(((uint128)d.reciprocal * (uint32_t)number) >> 64) : number;
}

#endif
