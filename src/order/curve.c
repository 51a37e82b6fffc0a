/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve.c - indices along Hilbert and Morton curves, and their tables.
 *
 * A curve visits the 2^ndim cells of a cube in an order that depends on its state, and has a
 * state inside each cell.  Two dimensions: the procedure of [Kaddoura, Ou, Ranka 1995], figure
 * 3, whose state is a rotation and an orientation.  Three dimensions: entry corner and
 * direction [Butz 1971; Hamilton, Rau-Chaplin 2008].  The Morton curve has a single state. */
#include "order/curve.h"

#include <assert.h>

#include "order/curve_table.h"

/* ---- One level -------------------------------------------------------------------------- */

typedef struct curve_step {
    unsigned digit, state;
} curve_step;

/* state = 2 * rotation + (orientation is -1); cell = 2 * x + y. */
static curve_step step_hilbert_2d(unsigned state, unsigned cell)
{
    static const uint8_t quads[4][4] = {
        {0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}};
    static const uint8_t rotations[4] = {3, 0, 0, 1}, turns[4] = {1, 0, 0, 1};
    unsigned rotation = state >> 1, reversed = state & 1;
    unsigned quad = quads[rotation][cell];
    return (curve_step){reversed ? 3 - quad : quad,
                        ((rotation + rotations[quad]) & 3) << 1 | (reversed ^ turns[quad])};
}

static unsigned rotate_left(unsigned x, unsigned by)
{
    by %= 3;
    return (x << by | x >> (3 - by)) & 7;
}

/* state = 3 * entry corner + axis; the initial state is 0.  The cells are visited in the order
 * of the Gray code, rotated so that it begins at the entry corner and ends at its neighbour
 * along the axis.  The first coordinate is the highest bit: axis 0 is direction 2. */
static curve_step step_hilbert_3d(unsigned state, unsigned cell)
{
    static const uint8_t entries[8] = {0, 0, 0, 3, 3, 6, 6, 5};
    static const uint8_t directions[8] = {0, 1, 1, 2, 2, 1, 1, 0};
    unsigned entry = state / 3, direction = 2 - state % 3;
    unsigned gray = rotate_left(cell ^ entry, 2 - direction); /* rotate right by direction +
                                                                 1 */
    unsigned digit = gray ^ gray >> 1 ^ gray >> 2;
    entry ^= rotate_left(entries[digit], direction + 1);
    direction = (direction + directions[digit] + 1) % 3;
    return (curve_step){digit, 3 * entry + 2 - direction};
}

static curve_step step_once(clv_curve curve, int32_t ndim, unsigned state, unsigned cell)
{
    if (curve == CLV_CURVE_MORTON)
        return (curve_step){cell, 0};
    return ndim == 2 ? step_hilbert_2d(state, cell) : step_hilbert_3d(state, cell);
}

/* ---- Many levels ------------------------------------------------------------------------ */

/* The index from *state on; *state becomes the state inside the last cell. */
static uint64_t walk(clv_curve curve, int32_t ndim, int bits, const uint32_t *point,
                     unsigned *state)
{
    uint64_t index = 0;
    for (int bit = bits - 1; bit >= 0; bit--) {
        unsigned cell = 0;
        for (int32_t d = 0; d < ndim; d++)
            cell = cell << 1 | (point[d] >> bit & 1);
        curve_step step = step_once(curve, ndim, *state, cell);
        index = index << ndim | step.digit;
        *state = step.state;
    }
    return index;
}

uint64_t clv_curve_index(clv_curve curve, int32_t ndim, int bits, const uint32_t *point)
{
    assert(ndim == 2 || ndim == 3);
    assert(0 <= bits && bits <= (ndim == 2 ? 31 : 21));
    unsigned state = 0;
    return walk(curve, ndim, bits, point, &state);
}

void clv_curve_table_make(clv_curve_table *t, clv_curve curve, int32_t ndim)
{
    int levels = ndim == 2 ? CLV_CURVE_LEVELS_2D : CLV_CURVE_LEVELS_3D;
    unsigned cells = 1u << (ndim * levels), states = ndim == 2 ? 8 : 24;
    for (unsigned i = 0; i < (curve == CLV_CURVE_MORTON ? cells : states * cells); i++) {
        unsigned state = i / cells;
        uint32_t point[3];
        for (int32_t d = 0; d < ndim; d++)
            point[d] = i >> ((ndim - 1 - d) * levels) & ((1u << levels) - 1);
        uint64_t digits = walk(curve, ndim, levels, point, &state);
        t->step[i] = (uint16_t)(digits << CLV_CURVE_STATE_BITS | state);
    }
}
