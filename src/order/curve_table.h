/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve_table.h - a space-filling curve as a table that processes several levels of
 * cells per lookup; used by order/curve_order.c. */
#ifndef CLV_ORDER_CURVE_TABLE_H
#define CLV_ORDER_CURVE_TABLE_H

#include "order/curve.h"

enum {
    CLV_CURVE_LEVELS_2D = 5, /* levels per lookup */
    CLV_CURVE_LEVELS_3D = 3,
    CLV_CURVE_STATE_BITS = 5
};

/* step[state << (ndim * levels) | bits of the coordinates, the first one highest]: the digits
 * of the index, followed by the next state in CLV_CURVE_STATE_BITS bits. */
typedef struct clv_curve_table {
    uint16_t step[24 << (3 * CLV_CURVE_LEVELS_3D)];
} clv_curve_table;

void clv_curve_table_make(clv_curve_table *t, clv_curve curve, int32_t ndim);

/* As clv_curve_index; bits must be a multiple of the levels per lookup.  Higher bits of the
 * point are ignored. */
static inline uint64_t clv_curve_table_2d(const clv_curve_table *t, int bits, uint64_t x,
                                          uint64_t y)
{
    enum { levels = CLV_CURVE_LEVELS_2D, mask = (1 << levels) - 1 };
    uint64_t index = 0;
    unsigned state = 0;
    for (int shift = bits - levels; shift >= 0; shift -= levels) {
        unsigned cell = (unsigned)((x >> shift & mask) << levels | (y >> shift & mask));
        unsigned step = t->step[state << (2 * levels) | cell];
        index = index << (2 * levels) | step >> CLV_CURVE_STATE_BITS;
        state = step & ((1 << CLV_CURVE_STATE_BITS) - 1);
    }
    return index;
}

static inline uint64_t clv_curve_table_3d(const clv_curve_table *t, int bits, uint64_t x,
                                          uint64_t y, uint64_t z)
{
    enum { levels = CLV_CURVE_LEVELS_3D, mask = (1 << levels) - 1 };
    uint64_t index = 0;
    unsigned state = 0;
    for (int shift = bits - levels; shift >= 0; shift -= levels) {
        unsigned cell = (unsigned)((x >> shift & mask) << (2 * levels) |
                                   (y >> shift & mask) << levels | (z >> shift & mask));
        unsigned step = t->step[state << (3 * levels) | cell];
        index = index << (3 * levels) | step >> CLV_CURVE_STATE_BITS;
        state = step & ((1 << CLV_CURVE_STATE_BITS) - 1);
    }
    return index;
}

#endif
