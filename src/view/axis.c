/* SPDX-License-Identifier: Apache-2.0 */
/* view/axis.c - scales and ticks: the smallest of the usual step sizes that fits. */
#include "view/axis.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

static const int multiples[] = {1, 2, 5};

/* Exact up to 10^22, and the same on every machine, unlike pow(). */
static double ten_to(int exponent)
{
    double power = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    return exponent < 0 ? 1 / power : power;
}

static double scaled(int64_t mantissa, int exponent)
{
    return exponent < 0 ? (double)mantissa / ten_to(-exponent)
                        : (double)mantissa * ten_to(exponent);
}

/* The largest e with 10^e <= value. */
static int decade(double value)
{
    int e = (int)floor(log10(value));
    while (ten_to(e) > value)
        e--;
    while (ten_to(e + 1) <= value)
        e++;
    return e;
}

void clv_axis_pad(bool log, double *lo, double *hi)
{
    const double room = 0.06; /* as a fraction of the length, at each end */
    if (log) {
        double factor = pow(*hi / *lo, room);
        if (!(factor > 1.02))
            factor = 1.02;
        *lo /= factor;
        *hi *= factor;
        return;
    }
    double length = *hi - *lo;
    if (!(length > 0))
        length = *hi != 0 ? fabs(*hi) : 1;
    *lo -= room * length;
    *hi += room * length;
}

double clv_axis_pixel(const clv_axis *axis, double value)
{
    double share = axis->log ? log(value / axis->lo) / log(axis->hi / axis->lo)
                             : (value - axis->lo) / (axis->hi - axis->lo);
    return axis->from + share * (axis->to - axis->from);
}

/* ---- Labels ---------------------------------------------------------------------------- */

/* Plain decimal notation: mantissa 15, exponent -1 is "1.5". */
static char *print_plain(char *to, int64_t mantissa, int exponent)
{
    if (exponent >= 0) {
        to = clv_print_i64(to, mantissa);
        for (int i = 0; i < exponent && mantissa != 0; i++)
            *to++ = '0';
        return to;
    }
    int64_t unit = 1;
    for (int i = 0; i < -exponent; i++)
        unit *= 10;
    int64_t whole = mantissa / unit, rest = mantissa % unit;
    to = clv_print_i64(to, whole);
    *to++ = '.';
    for (unit /= 10; unit > 0; unit /= 10)
        *to++ = (char)('0' + rest / unit % 10);
    return to;
}

static void print_tick(clv_tick *tick, int64_t mantissa, int exponent)
{
    tick->value = scaled(mantissa, exponent);
    char *to = tick->label;
    if (mantissa < 0) {
        memcpy(to, "\xe2\x88\x92", 3); /* U+2212, a minus sign */
        to += 3;
        mantissa = -mantissa;
    }
    if (exponent > 5 || exponent < -5) {
        to = clv_print_i64(to, mantissa);
        if (mantissa != 0) {
            *to++ = 'e';
            to = clv_print_i64(to, exponent);
        }
    } else {
        to = print_plain(to, mantissa, exponent);
    }
    *to = '\0';
}

/* ---- Steps ----------------------------------------------------------------------------- */

/* All multiples of step * 10^exponent within the axis; -1 if there are more than `most`. */
static int steps_of(const clv_axis *axis, int step, int exponent, int most, clv_tick *tick)
{
    double size = scaled(step, exponent), slack = 1e-9 * size;
    double first = ceil((axis->lo - slack) / size), last = floor((axis->hi + slack) / size);
    if (!(last - first < most) || fabs(first) > 1e12 || fabs(last) > 1e12)
        return -1;
    int count = 0;
    for (int64_t i = (int64_t)first; i <= (int64_t)last; i++)
        print_tick(&tick[count++], i * step, exponent);
    return count;
}

static int even_ticks(const clv_axis *axis, int most, clv_tick *tick)
{
    int exponent = decade((axis->hi - axis->lo) / most);
    for (int e = exponent; e <= exponent + 2; e++)
        for (int i = 0; i < 3; i++) {
            int count = steps_of(axis, multiples[i], e, most, tick);
            if (count >= 0)
                return count;
        }
    return 0;
}

/* Powers of ten, `stride` decades apart; with their multiples by 2 and 5 if dense. */
static int decades_of(const clv_axis *axis, int stride, bool dense, int most, clv_tick *tick)
{
    int count = 0;
    for (int e = decade(axis->lo); e <= decade(axis->hi); e++)
        for (int i = 0; i < (dense ? 3 : 1); i++) {
            double value = scaled(multiples[i], e);
            if (value < axis->lo || value > axis->hi || e % stride != 0)
                continue;
            if (count == most)
                return -1;
            print_tick(&tick[count++], multiples[i], e);
        }
    return count;
}

int clv_axis_ticks(const clv_axis *axis, int most, clv_tick *tick)
{
    assert(axis->lo < axis->hi && (!axis->log || axis->lo > 0));
    most = most < 2 ? 2 : most > CLV_MAX_TICKS ? CLV_MAX_TICKS : most;
    if (!axis->log)
        return even_ticks(axis, most, tick);
    int count = decades_of(axis, 1, true, most, tick);
    if (count >= 0 && count < 3) /* less than a decade: nearly linear */
        return even_ticks(axis, most, tick);
    for (int stride = 1; count < 0; stride++)
        count = decades_of(axis, stride, false, most, tick);
    return count;
}
