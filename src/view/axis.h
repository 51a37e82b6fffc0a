/* SPDX-License-Identifier: Apache-2.0 */
/* view/axis.h - the mapping from values to pixels, and round tick values.
 *
 * A tick is mantissa * 10^exponent, so that its label is exact and free of the locale. */
#ifndef CLV_VIEW_AXIS_H
#define CLV_VIEW_AXIS_H

#include <stdbool.h>
#include <stdint.h>

enum { CLV_MAX_TICKS = 24, CLV_TICK_SPACE = 80 };

typedef struct clv_axis {
    bool log;        /* equal ratios are equal lengths; lo > 0 */
    double lo, hi;   /* values at the two ends; lo < hi */
    double from, to; /* pixels of lo and hi; from > to if the axis points upwards */
} clv_axis;

typedef struct clv_tick {
    double value;
    char label[CLV_TICK_SPACE];
} clv_tick;

/* Widens [*lo, *hi] to an interval of positive length with a margin at its ends. */
void clv_axis_pad(bool log, double *lo, double *hi);

double clv_axis_pixel(const clv_axis *axis, double value);

/* At most `most` (<= CLV_MAX_TICKS) ticks within the axis: steps of 1, 2 or 5 times a power of
 * ten; on a logarithmic axis powers of ten, with their multiples by 2 and 5 if they fit.
 * Returns their number. */
int clv_axis_ticks(const clv_axis *axis, int most, clv_tick *tick);

#endif
