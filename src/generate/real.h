/* SPDX-License-Identifier: Apache-2.0 */
/* generate/real.h - the elementary functions that generators need, from operations whose
 * results IEEE 754 determines.  Those of the C library may differ between versions and
 * processors, and with them the graph.  Accurate to about 1e-15. */
#ifndef CLV_GENERATE_REAL_H
#define CLV_GENERATE_REAL_H

#include <math.h>

#define CLV_PI 3.14159265358979323846

/* 2 atanh(s), |s| <= 0.18. */
static inline double clv_real_twice_atanh(double s)
{
    double q = s * s, sum = 0;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * q + 1.0 / k;
    return 2 * s * sum;
}

/* log(x), x > 0 and normal.  frexp is exact. */
static inline double clv_real_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent); /* in [0.5, 1) */
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    return exponent * 0.69314718055994530942 + clv_real_twice_atanh((m - 1) / (m + 1));
}

/* log(1 - p), 0 <= p < 1, accurate for tiny p. */
static inline double clv_real_log_rest(double p)
{
    return p < 0.25 ? clv_real_twice_atanh(-p / (2 - p)) : clv_real_log(1 - p);
}

/* sin and cos of x in [0, 2 pi]. */
static inline void clv_real_sincos(double x, double *sine, double *cosine)
{
    int quarter = (int)(x * (2 / CLV_PI) + 0.5);
    double r = x - quarter * (CLV_PI / 2), q = -r * r;
    double s = 1, c = 1; /* Horner's scheme of the Taylor series, |r| <= pi / 4 */
    for (int k = 18; k >= 2; k -= 2) {
        s = 1 + s * q / (k * (k + 1));
        c = 1 + c * q / (k * (k - 1));
    }
    s *= r;
    switch (quarter & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
    }
}

#endif
