/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_math.h - exp and log for vectors: the same bits for every vector width.
 *
 * IEEE additions, multiplications and one division in a fixed order: the result in a lane does
 * not depend on the other lanes, nor on their number.  The functions of the C library are not
 * used because they differ between processors.
 *
 * Included once per width: LANES is the number of doubles in a vector, LANE(name) generates
 * the names of the functions, LANE_TARGET has their attributes.  A file that includes it again
 * must undefine them first.
 *
 * exp(x), x <= 709: error at most 1.25 units in the last place; 0 below -708, also for minus
 * infinity. log(x), x normal: error at most 1 unit; log(0) is some finite number, because
 * callers add it to minus infinity. */

typedef double LANE(real) __attribute__((vector_size(8 * LANES)));
typedef uint64_t LANE(bits) __attribute__((vector_size(8 * LANES)));

LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(all)(double x)
{
    return x - (LANE(real)){0};
}

/* The larger one; NaNs are not handled. */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(max)(LANE(real) x, LANE(real) y)
{
    LANE(bits) more = (LANE(bits))(x > y);
    return (LANE(real))(((LANE(bits))x & more) | ((LANE(bits))y & ~more));
}

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2: interpolation of degree 9 at Chebyshev points;
 * error at most 2^-56 of exp(r). */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(exp_tail)(LANE(real) r)
{
    LANE(real) r2 = r * r, r4 = r2 * r2;
    LANE(real) p0 = 0.5 + 0x1.5555555555556p-3 * r;
    LANE(real) p1 = 0x1.5555555553d64p-5 + 0x1.11111111109b4p-7 * r;
    LANE(real) p2 = 0x1.6c16c1788b646p-10 + 0x1.a01a01a7c3d59p-13 * r;
    LANE(real) p3 = 0x1.a019b90eefe8ep-16 + 0x1.71de0daf7a6ccp-19 * r;
    LANE(real) p4 = 0x1.2891834686c7ep-22 + 0x1.af38a71a18cb9p-26 * r;
    return (p0 + p1 * r2) + r4 * ((p2 + p3 * r2) + p4 * r4);
}

LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(exp)(LANE(real) x)
{
    const double least = -708, shifter = 0x1.8p52; /* adding it rounds to an integer in the
                                                      last bits */
    LANE(bits) fine = (LANE(bits))(x >= least);
    LANE(real) y = LANE(max)(x, LANE(all)(least));
    LANE(real) shifted = y * 0x1.71547652b82fep+0 + shifter, n = shifted - shifter;
    LANE(real) r = (y - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    LANE(real) p = 1.0 + (r + (r * r) * LANE(exp_tail)(r));
    return (LANE(real))(((LANE(bits))p + ((LANE(bits))shifted << 52)) & fine);
}

/* (log((1 + s) / (1 - s)) / s - 2) / s^2 at z = s^2, for |s| <= 3 - sqrt(8): interpolation of
 * degree 6 at Chebyshev points; error at most 2^-57 of the logarithm. */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(log_tail)(LANE(real) z)
{
    LANE(real) z2 = z * z;
    LANE(real) p0 = 0x1.5555555555558p-1 + 0x1.99999999952d8p-2 * z;
    LANE(real) p1 = 0x1.2492492df26cep-2 + 0x1.c71c62e40b94ep-3 * z;
    LANE(real) p2 = 0x1.7462b5152e8a6p-3 + 0x1.39fe52a20dc69p-3 * z;
    return p0 + z2 * (p1 + z2 * (p2 + z2 * 0x1.2b58f4c8d5f63p-3));
}

/* x = 2^n m with m between sqrt(1/2) and sqrt(2). */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(log)(LANE(real) x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, bias = 1024;
    LANE(bits) whole = (LANE(bits))x;
    LANE(bits) k = (whole - root_half + (bias << 52)) >> 52;
    LANE(real) n = (LANE(real))(k | 0x4330000000000000) - (0x1p52 + (double)bias);
    LANE(real) f = (LANE(real))(whole - (k << 52) + (bias << 52)) - 1.0;
    LANE(real) s = f / (2.0 + f), z = s * s, half = 0.5 * (f * f);
    LANE(real) rest = s * (half + z * LANE(log_tail)(z));
    return n * 0x1.62e42feep-1 - ((half - (rest + n * 0x1.a39ef35793c76p-33)) - f);
}
