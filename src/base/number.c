/* SPDX-License-Identifier: Apache-2.0 */
/* base/number.c - parsing and printing of numbers.
 *
 * Parsing a double multiplies the first 19 digits by 128 bits of the power of ten, as in
 * Lemire's method ["Number parsing at a gigabyte per second", 2021], and bounds the error of
 * the truncated product.  If that determines the rounding, the result is proved correct;
 * otherwise (ties, and some long inputs) the digits are compared with the midpoint of two
 * doubles in exact integer arithmetic.
 *
 * Printing is Schubfach [Giulietti, "The Schubfach way to render doubles", 2020].
 *
 * Only integers are used, so the result depends neither on the locale nor on the rounding mode
 * nor on the width of floating-point registers. */
#include "base/number.h"

#include <string.h>

#include "base/big.h"
#include "base/pow10_table.h"
#include "base/status.h"

static const uint64_t infinity_bits = UINT64_C(0x7ff) << 52;
static const uint64_t nan_bits = UINT64_C(0xfff) << 51;

/* clang-format off */
static const uint64_t small_pow10[20] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u,
    10000000u, 100000000u, 1000000000u, 10000000000u,
    100000000000u, 1000000000000u, 10000000000000u,
    100000000000000u, 1000000000000000u, 10000000000000000u,
    100000000000000000u, 1000000000000000000u,
    10000000000000000000u,
};
/* clang-format on */

/* ---- Arithmetic -------------------------------------------------------------------- */

typedef struct wide {
    uint64_t high, low;
} wide;

static inline wide multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    uint128 product = (uint128)a * b;
    return (wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32);
    uint64_t middle = a0 * b1 + (uint32_t)cross;
    return (wide){a1 * b1 + (cross >> 32) + (middle >> 32), (middle << 32) | (uint32_t)low};
#endif
}

/* floor(log2(10^k)); tools/gen-pow10-table checks it for the whole table. */
static inline int log2_pow10(int k)
{
    return (k * 1741647) >> 19;
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline double double_of(uint64_t bits, bool negative)
{
    double value;
    bits |= (uint64_t)negative << 63;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- Scanning ---------------------------------------------------------------------- */

/* A decimal number as in the text, without its sign. */
typedef struct decimal {
    const char *digits; /* `count` digits, with at most one dot among them */
    int64_t count;      /* if above 19, the first digit is not 0 */
    int64_t exponent;   /* power of ten of the last digit */
    uint64_t leading;   /* value of the first min(count, 19) digits */
} decimal;

enum { leading_digits = 19 }; /* as many as always fit into 64 bits */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline bool are_eight_digits(uint64_t text)
{
    const uint64_t high_halves = UINT64_C(0xf0f0f0f0f0f0f0f0);
    uint64_t above_nine = (text + UINT64_C(0x0606060606060606)) & high_halves;
    return ((text & high_halves) | (above_nine >> 4)) == UINT64_C(0x3333333333333333);
}

/* Combines neighbours: 8 digits to 4 pairs, to 2 groups of four, to 1 number. */
static inline uint64_t eight_digits(uint64_t text)
{
    text = (text & UINT64_C(0x0f0f0f0f0f0f0f0f)) * (10 * 256 + 1) >> 8;
    text = (text & UINT64_C(0x00ff00ff00ff00ff)) * (100 * 65536 + 1) >> 16;
    return (text & UINT64_C(0x0000ffff0000ffff)) * (10000 * UINT64_C(4294967296) + 1) >> 32;
}
#endif

/* Appends digits to *value, modulo 2^64. */
static inline const char *scan_digits(const char *p, const char *end, uint64_t *value)
{
    uint64_t v = *value;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t text;
        memcpy(&text, p, 8);
        if (!are_eight_digits(text))
            break;
        v = v * 100000000 + eight_digits(text);
        p += 8;
    }
#endif
    while (p < end && is_digit(*p))
        v = v * 10 + (uint64_t)(*p++ - '0');
    *value = v;
    return p;
}

/* For more digits than fit 64 bits: skips leading zeros, then keeps the first 19. */
static void rescan_long(decimal *d)
{
    const char *p = d->digits;
    while (d->count > leading_digits && (*p == '0' || *p == '.'))
        d->count -= *p++ == '0';
    d->digits = p;
    d->leading = 0;
    for (int64_t left = d->count < leading_digits ? d->count : leading_digits; left > 0; p++) {
        if (*p == '.')
            continue;
        d->leading = d->leading * 10 + (uint64_t)(*p - '0');
        left--;
    }
}

/* (e|E|d|D)[+-]digits; returns p if the text has another form. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    const char *q = p + 1;
    if (p == end || ((*p | 0x20) != 'e' && (*p | 0x20) != 'd'))
        return p;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+'))
        q++;
    if (q == end || !is_digit(*q))
        return p;
    /* No text has enough digits to compensate an exponent of 10^17. */
    const int64_t enough = INT64_C(100000000000000000);
    int64_t value = 0;
    for (; q < end && is_digit(*q); q++)
        if (value < enough)
            value = value * 10 + (*q - '0');
    *exponent += negative ? -value : value;
    return q;
}

static const char *scan_decimal(const char *p, const char *end, decimal *d)
{
    *d = (decimal){.digits = p};
    p = scan_digits(p, end, &d->leading);
    d->count = p - d->digits;
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p = scan_digits(fraction, end, &d->leading);
        d->exponent = fraction - p;
        d->count += p - fraction;
    }
    if (d->count == 0)
        return NULL;
    if (CLV_UNLIKELY(d->count > leading_digits))
        rescan_long(d);
    return scan_exponent(p, end, &d->exponent);
}

/* ---- Rounding ---------------------------------------------------------------------- */

/* The largest double not above a value, and whether the next one is nearer.  Positive doubles
 * have the same order as their bits: bits + 1 is the next double. */
typedef struct estimate {
    uint64_t bits;
    enum { round_unknown = -1, round_down = 0, round_up = 1 } round;
} estimate;

/* The bits of a product < 2^192; the highest bit is set and represents 2^exponent. */
typedef struct product {
    uint64_t high, middle, low;
    int exponent;
} product;

static inline product multiply_pow10(uint64_t digits, int power)
{
    int lead = __builtin_clzll(digits);
    const uint64_t *ten = pow10_table[power - pow10_first];
    wide upper = multiply(digits << lead, ten[0]), lower = multiply(digits << lead, ten[1]);
    product x = {upper.high, upper.low + lower.high, lower.low, log2_pow10(power) + 64 - lead};
    x.high += x.middle < lower.high;
    if (!(x.high >> 63)) {
        x.high = x.high << 1 | x.middle >> 63;
        x.middle = x.middle << 1 | x.low >> 63;
        x.low <<= 1;
        x.exponent--;
    }
    return x;
}

/* digits * 10^power.  Unless the table's row is exact, the true product is larger than
 * the computed one by less than 4 units of `middle`: one for `low`, two for the row. */
static estimate estimate_double(uint64_t digits, int64_t power)
{
    if (digits == 0 || power < pow10_first)
        return (estimate){0, round_down};
    if (power > 308)
        return (estimate){infinity_bits, round_down};
    product x = multiply_pow10(digits, (int)power);
    bool nearly_next = x.middle >= UINT64_MAX - 4;
    if (x.exponent > 1023)
        return (estimate){infinity_bits, round_down};
    /* Keep 53 bits, or fewer if the double is subnormal. */
    int shift = 11 + (x.exponent < -1022 ? -1022 - x.exponent : 0);
    if (shift > 64) {
        bool at_half = shift == 65 && x.high == UINT64_MAX && nearly_next;
        return (estimate){0, at_half ? round_unknown : round_down};
    }
    uint64_t kept = shift < 64 ? x.high >> shift : 0;
    uint64_t rest = shift < 64 ? x.high - (kept << shift) : x.high;
    uint64_t half = UINT64_C(1) << (shift - 1);
    estimate e = {kept, rest >= half ? round_up : round_down};
    if (x.exponent >= -1022)
        e.bits += (uint64_t)(x.exponent + 1022) << 52; /* kept has the hidden bit: + 1 */
    bool exact = power >= 0 && power <= pow10_last_exact;
    if (exact && rest == half && !(x.middle | x.low))
        e.round = kept & 1 ? round_up : round_down;
    if (!exact && rest == half - 1 && nearly_next)
        e.round = round_unknown;
    return e;
}

/* Both sides of the comparison stay below 10^800 * 2^1076 < 2^3734: a `big` holds them. */
enum { exact_digits = 800 };

/* Reads up to exact_digits digits; *nonzero: some of the remaining digits are not 0. */
static int64_t read_digits(const decimal *d, big *b, bool *nonzero)
{
    int64_t taken = d->count < exact_digits ? d->count : exact_digits;
    const char *p = d->digits;
    b->count = 0;
    for (int64_t left = taken; left > 0;) {
        uint32_t chunk = 0, scale = 1;
        for (; left > 0 && scale < 1000000000; p++) {
            if (*p == '.')
                continue;
            chunk = chunk * 10 + (uint32_t)(*p - '0');
            scale *= 10;
            left--;
        }
        big_multiply_add(b, scale, chunk);
    }
    *nonzero = false;
    for (int64_t left = d->count - taken; left > 0 && !*nonzero; p++) {
        left -= *p != '.';
        *nonzero = *p > '0';
    }
    return d->exponent + d->count - taken;
}

/* Does d round up from the double `bits` just below it?  The midpoint to the next double has
 * at most 767 digits, so digits after the first 800 only break ties. */
static bool rounds_up(const decimal *d, uint64_t bits)
{
    big left, right;
    bool nonzero;
    int64_t power = read_digits(d, &left, &nonzero);
    uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
    int64_t exponent = (int64_t)(bits >> 52);
    if (exponent > 0)
        significand |= UINT64_C(1) << 52;
    else
        exponent = 1;
    uint64_t half_way = 2 * significand + 1; /* from here on multiplied by 2^exponent */
    exponent -= 1076;
    big_set(&right, half_way);
    /* compares left * 10^power with right * 2^exponent, without fractions */
    big_multiply_pow5(power > 0 ? &left : &right, power > 0 ? power : -power);
    int64_t twos = power - exponent;
    big_shift_left(twos > 0 ? &left : &right, twos > 0 ? twos : -twos);
    int order = big_compare(&left, &right);
    if (order == 0)
        return nonzero || significand & 1;
    return order > 0;
}

static uint64_t nearest_double(const decimal *d)
{
    int64_t dropped = d->count > leading_digits ? d->count - leading_digits : 0;
    estimate below = estimate_double(d->leading, d->exponent + dropped);
    bool certain = below.round != round_unknown;
    if (dropped && certain) {
        estimate above = estimate_double(d->leading + 1, d->exponent + dropped);
        certain = above.round != round_unknown &&
                  above.bits + (uint64_t)above.round == below.bits + (uint64_t)below.round;
    }
    if (CLV_LIKELY(certain))
        return below.bits + (uint64_t)below.round;
    return below.bits + rounds_up(d, below.bits);
}

/* ---- Parsing ----------------------------------------------------------------------- */

static bool starts_with(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - p) < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((p[i] | 0x20) != word[i])
            return false;
    return true;
}

static const char *parse_word(const char *p, const char *end, uint64_t *bits)
{
    static const struct {
        char word[12];
        bool nan;
    } words[] = {{"infinity", false}, {"inf", false}, {"nan", true}};
    for (int i = 0; i < 3; i++) {
        if (starts_with(p, end, words[i].word)) {
            *bits = words[i].nan ? nan_bits : infinity_bits;
            return p + strlen(words[i].word);
        }
    }
    return NULL;
}

const char *clv_parse_double(const char *p, const char *end, double *value)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    decimal d;
    uint64_t bits;
    const char *behind = scan_decimal(p, end, &d);
    if (CLV_LIKELY(behind != NULL))
        bits = nearest_double(&d);
    else if (!(behind = parse_word(p, end, &bits)))
        return NULL;
    *value = double_of(bits, negative);
    return behind;
}

const char *clv_parse_i64(const char *p, const char *end, int64_t *value, bool *overflow)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return NULL;
    uint64_t limit = (uint64_t)INT64_MAX + negative, v = 0;
    bool fits = true;
    for (; p < end && is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        fits = fits && v <= limit / 10 && v * 10 <= limit - digit;
        if (CLV_LIKELY(fits))
            v = v * 10 + digit;
    }
    if (CLV_UNLIKELY(!fits)) {
        *overflow = true;
        v = limit;
    }
    /* -v would overflow for INT64_MIN */
    *value = negative ? -1 - (int64_t)(v - 1) : (int64_t)v;
    return p;
}

/* ---- Printing ---------------------------------------------------------------------- */

static int count_digits(uint64_t v)
{
    int guess = (64 - __builtin_clzll(v | 1)) * 1233 >> 12; /* bits * log10(2) */
    return guess + (guess == 0 || v >= small_pow10[guess]);
}

/* Writes the lowest `count` digits of v. */
static void write_digits(char *to, uint64_t v, int count)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    while (count >= 2) {
        count -= 2;
        memcpy(to + count, pairs + 2 * (v % 100), 2);
        v /= 100;
    }
    if (count)
        to[0] = (char)('0' + v % 10);
}

static char *print_u64(char *to, uint64_t v)
{
    int count = count_digits(v);
    write_digits(to, v, count);
    return to + count;
}

char *clv_print_i64(char *to, int64_t value)
{
    uint64_t v = (uint64_t)value;
    if (value < 0) {
        *to++ = '-';
        v = 0 - v;
    }
    return print_u64(to, v);
}

/* digits * 10^exponent */
typedef struct shortest {
    uint64_t digits;
    int exponent;
} shortest;

/* floor(x * g / 2^128), with the lowest bit set if that is not exact ("round to odd"):
 * comparisons with even numbers then give the same result as for the exact value. g is rounded
 * up; the error stays in the lowest 64 bits. */
static inline uint64_t scale_to_odd(uint64_t x, wide g)
{
    wide upper = multiply(x, g.high), lower = multiply(x, g.low);
    uint64_t middle = upper.low + lower.high;
    uint64_t high = upper.high + (middle < lower.high);
    return high | (middle > 1);
}

static wide pow10_rounded_up(int power)
{
    const uint64_t *ten = pow10_table[power - pow10_first];
    wide g = {ten[0], ten[1]};
    if (power < 0 || power > pow10_last_exact) {
        g.low++;
        g.high += g.low == 0;
    }
    return g;
}

/* significand * 2^exponent, both as stored in a finite double other than 0.  Candidates are
 * the two multiples of 10^(k+1) and the two of 10^k around the value; all numbers below are in
 * quarters of 10^k. */
static shortest find_shortest(uint64_t fraction, int biased)
{
    uint64_t c = biased ? fraction | UINT64_C(1) << 52 : fraction;
    int q = (biased ? biased : 1) - 1075;
    /* Below a power of two, doubles are twice as dense. */
    bool narrow = fraction == 0 && biased > 1;
    /* floor(log10(2^q)), or of 3/4 * 2^q */
    int k = (int)((q * INT64_C(661971961083) - (narrow ? INT64_C(274743187321) : 0)) >> 41);
    int h = q + log2_pow10(-k) + 1;
    wide g = pow10_rounded_up(-k);
    uint64_t odd =
        c & 1; /* ties go to even: the ends of the interval belong to it only then */
    uint64_t value = scale_to_odd(4 * c << h, g);
    uint64_t low = scale_to_odd((4 * c - (narrow ? 1 : 2)) << h, g) + odd;
    uint64_t high = scale_to_odd((4 * c + 2) << h, g) - odd;
    uint64_t s = value / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = low <= 40 * tens, up = 40 * tens + 40 <= high;
        if (down != up)
            return (shortest){tens + up, k + 1};
    }
    bool down = low <= 4 * s, up = 4 * s + 4 <= high;
    if (down == up)
        up = value > 4 * s + 2 || (value == 4 * s + 2 && s & 1);
    return (shortest){s + up, k};
}

/* Plain notation in the range where printf's %.17g uses it, otherwise d.ddde-dd. */
static char *write_decimal(char *to, shortest x)
{
    int count = count_digits(x.digits);
    int point = count + x.exponent; /* digits in front of the decimal point */
    if (point > 17 || point <= -4) {
        write_digits(to + 1, x.digits, count);
        to[0] = to[1];
        to[1] = '.';
        to += count > 1 ? count + 1 : 1;
        *to++ = 'e';
        return clv_print_i64(to, point - 1);
    }
    if (x.exponent >= 0) {
        write_digits(to, x.digits, count);
        memset(to + count, '0', (size_t)x.exponent);
        return to + point;
    }
    if (point > 0) {
        uint64_t scale = small_pow10[-x.exponent];
        write_digits(to, x.digits / scale, point);
        to[point] = '.';
        write_digits(to + point + 1, x.digits % scale, -x.exponent);
        return to + count + 1;
    }
    memcpy(to, "0.000", 5);
    to += 2 - point;
    write_digits(to, x.digits, count);
    return to + count;
}

/* Rounds to at most `digits` digits, halves up; a carry can leave one more, a zero. */
static shortest round_to(shortest x, int digits)
{
    int dropped = count_digits(x.digits) - digits;
    if (dropped > 0) {
        x.digits = (x.digits + small_pow10[dropped] / 2) / small_pow10[dropped];
        x.exponent += dropped;
    }
    return x;
}

enum { all_digits = 17, rounded_digits = 5 };

static char *print_double(char *to, double value, int digits)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    if (biased == 0x7ff && fraction) {
        memcpy(to, "nan", 3);
        return to + 3;
    }
    if (bits >> 63)
        *to++ = '-';
    if (biased == 0x7ff) {
        memcpy(to, "inf", 3);
        return to + 3;
    }
    if (biased == 0 && fraction == 0) {
        *to = '0';
        return to + 1;
    }
    /* Integers below 2^53 are their own shortest text. */
    if (biased >= 1023 && biased <= 1075) {
        uint64_t significand = fraction | UINT64_C(1) << 52;
        int shift = 1075 - biased;
        if (!(significand & ((UINT64_C(1) << shift) - 1)))
            return print_u64(to, significand >> shift);
    }
    shortest x = round_to(find_shortest(fraction, biased), digits);
    while (x.digits % 10 == 0) {
        x.digits /= 10;
        x.exponent++;
    }
    return write_decimal(to, x);
}

char *clv_print_double(char *to, double value)
{
    return print_double(to, value, all_digits);
}

char *clv_print_rounded(char *to, double value)
{
    return print_double(to, value, rounded_digits);
}
