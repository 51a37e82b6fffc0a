/* SPDX-License-Identifier: Apache-2.0 */
/* base/number: parsing against strtod bit for bit, printing against %.{p}e.  Every text is
 * parsed at the very end of a page, so that reading past its end crashes. */
#include <ctype.h>
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <sys/mman.h>

#include "base/number.h"
#include "base/rng.h"
#include "support/test.h"

enum { region = 65536 };
static char *region_end; /* the byte there cannot be read */

static void make_region(void)
{
    char *map =
        mmap(NULL, 2 * region, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map + region, region, PROT_NONE) != 0)
        abort();
    region_end = map + region;
}

/* The text, ending where memory ends. */
static const char *at_end(const char *text)
{
    size_t length = strlen(text);
    if (length > region)
        abort();
    return memcpy(region_end - length, text, length);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_as_strtod(const char *text)
{
    char *expected_end;
    double expected = strtod(text, &expected_end), actual = 12345;
    const char *start = at_end(text);
    const char *end = clv_parse_double(start, region_end, &actual);
    CHECK(end && end - start == expected_end - text);
    CHECK(bits_of(actual) == bits_of(expected));
    if (!end || end - start != expected_end - text || bits_of(actual) != bits_of(expected))
        fprintf(stderr, "  text %.100s: %a, not %a\n", text, actual, expected);
}

/* ---- Parsing doubles --------------------------------------------------------------- */

static void test_parse_random_bits(void)
{
    clv_rng rng = clv_rng_make(1, 0, 0, 0);
    static const char *const formats[] = {"%.17g", "%.3g", "%.16e", "%.15g", "%.19e", "%.25g"};
    for (int i = 0; i < 60000; i++) {
        double value = double_of(clv_rng_u64(&rng));
        if (!isfinite(value))
            continue;
        char text[64];
        snprintf(text, sizeof text, formats[i % 6], value);
        check_as_strtod(text);
        if (i % 6 == 0)
            CHECK(strtod(text, NULL) == value);
    }
}

static void test_parse_everyday(void)
{
    clv_rng rng = clv_rng_make(2, 0, 0, 0);
    static const char *const formats[] = {"%.17g", "%g", "%f", "%.2f", "%.10f", "%.0f"};
    for (int i = 0; i < 60000; i++) {
        double value = (clv_rng_unit(&rng) - 0.5) * pow(10, (double)clv_rng_below(&rng, 25));
        char text[64];
        snprintf(text, sizeof text, formats[i % 6], value);
        check_as_strtod(text);
    }
}

static void test_parse_random_digits(void)
{
    clv_rng rng = clv_rng_make(3, 0, 0, 0);
    static char text[4096];
    for (int i = 0; i < 40000; i++) {
        static const uint32_t longest[] = {5, 19, 20, 25, 800, 3000};
        int count = 1 + (int)clv_rng_below(&rng, longest[i % 40 < 38 ? i % 4 : 4 + i % 2]);
        int dot = (int)clv_rng_below(&rng, (uint32_t)count + 1), length = 0;
        /* All digits equal, mostly zeros, or any: long runs of 0 and 9 are the hard ones. */
        uint32_t kind = clv_rng_below(&rng, 4), same = clv_rng_below(&rng, 10);
        for (int j = 0; j < count; j++) {
            if (j == dot && clv_rng_below(&rng, 4))
                text[length++] = '.';
            bool any = kind > 1 || (kind == 0 && clv_rng_below(&rng, 20) == 0);
            text[length++] = (char)('0' + (any ? clv_rng_below(&rng, 10) : same));
        }
        if (clv_rng_below(&rng, 3)) {
            int exponent = (int)clv_rng_below(&rng, 700) - 350 - (count - dot) / 2;
            length += sprintf(text + length, "e%d", exponent);
        }
        text[length] = 0;
        check_as_strtod(text);
    }
}

#if LDBL_MANT_DIG >= 64
/* The exact decimal expansion of the point between two doubles, and its neighbours. */
static void check_half_way(double below)
{
    static char text[2048];
    double above = double_of(bits_of(below) + 1);
    long double half =
        isinf(above) ? 0x1.fffffffffffff8p1023L : ((long double)below + above) / 2;
    snprintf(text, sizeof text, "%.800Le", half);
    check_as_strtod(text);
    char *exponent = strchr(text, 'e');
    exponent[-1] = '1'; /* just above */
    check_as_strtod(text);
    exponent[-1] = '0';
    char *digit = exponent - 1;
    while (*digit == '0')
        *digit-- = '9'; /* just below */
    --*digit;
    check_as_strtod(text);
    /* A nonzero digit behind more than anybody keeps. */
    snprintf(text, sizeof text, "%.1500Le", half);
    strchr(text, 'e')[-1] = '1';
    check_as_strtod(text);
    /* Cut to various lengths: below half way, by very little. */
    for (int digits = 15; digits < 40; digits++) {
        snprintf(text, sizeof text, "%.*Le", digits, half);
        check_as_strtod(text);
    }
}

static void test_parse_half_way(void)
{
    clv_rng rng = clv_rng_make(4, 0, 0, 0);
    for (int i = 0; i < 1500; i++) {
        uint64_t bits = clv_rng_u64(&rng) & INT64_MAX;
        if (i % 3 == 1)
            bits = bits % 1000 + (bits >> 53 << 52); /* small fractions */
        if (i % 3 == 2)
            bits >>= 12 + bits % 51; /* subnormal */
        if (isfinite(double_of(bits)))
            check_half_way(double_of(bits));
    }
    check_half_way(0);
    check_half_way(DBL_MIN);
    check_half_way(double_of(bits_of(DBL_MIN) - 1));
    check_half_way(DBL_MAX);
    for (int e = 0; e < 70; e++) /* whole numbers and short fractions */
        check_half_way(ldexp(9007199254740991.0, e - 20));
}
#else
static void test_parse_half_way(void)
{
}
#endif

static void test_parse_short_ties(void)
{
    clv_rng rng = clv_rng_make(5, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        /* Odd numbers of 54 bits, times 2^0..2^9 or 2^-1..2^-3: ties of at most 19 digits. */
        uint64_t odd = (clv_rng_u64(&rng) >> 11) | UINT64_C(1) << 53 | 1;
        char text[64];
        snprintf(text, sizeof text, "%llu", (unsigned long long)odd << i % 10);
        check_as_strtod(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)odd, i % 40 - 5);
        check_as_strtod(text);
        static const char *const tails[] = {".", ".5", ".50000", ".25", ".125"};
        snprintf(text, sizeof text, "%llu%s", (unsigned long long)odd >> 1, tails[i % 5]);
        check_as_strtod(text);
    }
}

/* Separated by blanks. */
static const char limits[] =
    "0 -0 0.0 -0.0e5 +0 0e999999999999999999999 00000000000000000000001 "
    "0.00000000000000000000000000000000000000000000000001 1e308 1e309 -1e309 "
    "1.7976931348623157e308 1.7976931348623158e308 1.7976931348623159e308 "
    "17976931348623157e292 4.9e-324 5e-324 2.4703282292062327e-324 "
    "2.4703282292062328e-324 2.47032822920623272e-324 2.4e-324 1e-323 1e-324 9e-325 "
    "9999999999999999999e-343 9999999999999999999e-342 2.2250738585072011e-308 "
    "2.2250738585072012e-308 2.2250738585072014e-308 1e-99999999999999999999 "
    "1e99999999999999999999 1e-400 1e400 1e+22 1e22 1e23 8.5e22 9007199254740992 "
    "9007199254740993 9007199254740995 9223372036854775807 18446744073709551615 "
    "18446744073709551616 99999999999999999999 9999999999999999999 "
    "123456789012345678901234567890 0.1 .1 1. 1.e3 0.3 5e-1 1e-1 "
    "3.14159265358979323846 6.02214076e23 12345678 1234567.8 1.2345678 "
    "12345678.12345678";

static void test_parse_limits(void)
{
    char list[sizeof limits], text[32];
    strcpy(list, limits);
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
        check_as_strtod(word);
    for (int e = -400; e <= 400; e++) {
        for (int d = 1; d <= 9; d += 4) {
            snprintf(text, sizeof text, "%de%d", d, e);
            check_as_strtod(text);
        }
    }
}

static void test_parse_long_zeros(void)
{
    static char text[region];
    memset(text, '0', 50000);
    text[1] = '.';
    strcpy(text + 40000, "123e40000");
    check_as_strtod(text);
    memset(text + 40000, '0', 10000);
    text[1] = '0';
    text[0] = '7';
    strcpy(text + 40000, "e-40000");
    check_as_strtod(text);
    memset(text, '9', 50000);
    strcpy(text + 50000, "e-49990");
    check_as_strtod(text);
}

/* How much of the text is a number; -1: none starts there. */
static void check_consumes(const char *text, int expected, double value)
{
    double actual = 7;
    const char *start = at_end(text);
    const char *end = clv_parse_double(start, region_end, &actual);
    CHECK_EQ(end ? end - start : -1, expected);
    CHECK(expected < 0 ? actual == 7 : actual == value);
}

static void test_parse_malformed(void)
{
    static const char *const none[] = {"",   "+",  "-",  ".",    "e5",   "+.e1", "--1", "+-1",
                                       " 1", "\n", "x",  "in",   "na",   "-i",   ",5",  "..1",
                                       "-.", "d1", ".d", "\xb1", "\xff", "/",    ":",   "-e"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check_consumes(none[i], -1, 0);
    check_consumes("1e", 1, 1);
    check_consumes("1e+", 1, 1);
    check_consumes("1e-x", 1, 1);
    check_consumes("1.e5", 4, 1e5);
    check_consumes(".5", 2, 0.5);
    check_consumes("1..2", 2, 1);
    check_consumes("1.2.3", 3, 1.2);
    check_consumes("0x10", 1, 0);
    check_consumes("1,5", 1, 1);
    check_consumes("1d3", 3, 1000);
    check_consumes("1D-2", 4, 0.01);
    check_consumes("1.5d+01 7", 7, 15);
    check_consumes("1d", 1, 1);
    check_consumes("12345678/", 8, 12345678);
    check_consumes("12345678:", 8, 12345678);
    check_consumes("1234567\xb8", 7, 1234567);
    check_consumes("inf", 3, INFINITY);
    check_consumes("-INF", 4, -INFINITY);
    check_consumes("+Infinity", 9, INFINITY);
    check_consumes("infinit", 3, INFINITY);
    double value = 0;
    const char *text = at_end("NaN");
    CHECK(clv_parse_double(text, region_end, &value) == region_end && isnan(value));
}

static void test_parse_ignores_surroundings(void)
{
    double value = 0;
    const char *text = at_end("0.1");
    fesetround(FE_UPWARD);
    clv_parse_double(text, region_end, &value);
    fesetround(FE_TONEAREST);
    CHECK(value == 0.1);
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (int i = 0; i < 3; i++) {
        if (!setlocale(LC_ALL, locales[i]))
            continue;
        char print[CLV_NUMBER_SPACE];
        value = 0;
        CHECK(clv_parse_double(text, region_end, &value) == region_end && value == 0.1);
        CHECK(clv_print_double(print, 0.1) == print + 3 && memcmp(print, "0.1", 3) == 0);
    }
    setlocale(LC_ALL, "C");
}

/* ---- Printing doubles -------------------------------------------------------------- */

static const char *printed(double value)
{
    static char text[CLV_NUMBER_SPACE + 8];
    memset(text, '#', sizeof text);
    char *end = clv_print_double(text, value);
    CHECK(end > text && end <= text + CLV_NUMBER_SPACE);
    for (int i = CLV_NUMBER_SPACE; i < CLV_NUMBER_SPACE + 8; i++)
        CHECK(text[i] == '#');
    *end = 0;
    return text;
}

/* Copies the significant digits, without zeros at either end. */
static int significant(const char *text, char *digits)
{
    int count = 0;
    for (; *text && tolower((unsigned char)*text) != 'e'; text++)
        if (isdigit((unsigned char)*text) && (count > 0 || *text != '0'))
            digits[count++] = *text;
    while (count > 0 && digits[count - 1] == '0')
        count--;
    digits[count] = 0;
    return count;
}

static void check_shortest(double value)
{
    const char *text = printed(value);
    double back = 0;
    const char *start = at_end(text);
    CHECK(clv_parse_double(start, region_end, &back) == region_end);
    CHECK(bits_of(back) == bits_of(value) && bits_of(strtod(text, NULL)) == bits_of(value));
    if (value == 0)
        return;
    char digits[64], nearest[64], other[64];
    int count = significant(text, digits);
    CHECK(count >= 1 && count <= 17);
    for (int shorter = count - 1; shorter >= 1 && shorter >= count - 2; shorter--) {
        snprintf(other, sizeof other, "%.*e", shorter - 1, value);
        CHECK(strtod(other, NULL) != value);
    }
    /* The nearest of its length, unless that one belongs to the neighbour below a power
     * of two. */
    snprintf(other, sizeof other, "%.*e", count - 1, value);
    significant(other, nearest);
    CHECK(strcmp(digits, nearest) == 0 || strtod(other, NULL) != value);
}

static void test_print_random(void)
{
    clv_rng rng = clv_rng_make(6, 0, 0, 0);
    for (int i = 0; i < 60000; i++) {
        uint64_t bits = clv_rng_u64(&rng);
        if (i % 4 == 1)
            bits &= ~((UINT64_C(1) << clv_rng_below(&rng, 53)) - 1); /* few bits set */
        double value = double_of(bits);
        if (i % 4 == 2)
            value = (double)clv_rng_below(&rng, 1000000) / (1 << clv_rng_below(&rng, 20));
        if (i % 4 == 3)
            value = (double)(int32_t)bits / 1e4;
        if (isfinite(value))
            check_shortest(value);
    }
}

static void test_print_limits(void)
{
    for (int e = -1074; e < 1024; e++) {
        uint64_t bits = bits_of(ldexp(1, e));
        check_shortest(double_of(bits));
        check_shortest(double_of(bits + 1));
        check_shortest(double_of(bits - 1));
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        check_shortest(strtod(text, NULL));
        check_shortest(double_of(bits_of(strtod(text, NULL)) + 1));
    }
    for (uint64_t bits = 0; bits < 3000; bits++)
        check_shortest(double_of(bits));
}

static void test_print_texts(void)
{
    CHECK_STR(printed(0), "0");
    CHECK_STR(printed(-0.0), "-0");
    CHECK_STR(printed(3), "3");
    CHECK_STR(printed(-100), "-100");
    CHECK_STR(printed(0.1), "0.1");
    CHECK_STR(printed(0.1 + 0.2), "0.30000000000000004");
    CHECK_STR(printed(1.5e-9), "1.5e-9");
    CHECK_STR(printed(0.0001), "0.0001");
    CHECK_STR(printed(-0.00012345678901234567), "-0.00012345678901234567");
    CHECK_STR(printed(0.00001), "1e-5");
    CHECK_STR(printed(123.456), "123.456");
    CHECK_STR(printed(1e16), "10000000000000000");
    CHECK_STR(printed(1e17), "1e17");
    CHECK_STR(printed(1e22), "1e22");
    CHECK_STR(printed(1e23), "1e23");
    CHECK_STR(printed(9007199254740991.0), "9007199254740991");
    CHECK_STR(printed(9007199254740992.0), "9007199254740992");
    CHECK_STR(printed(DBL_MAX), "1.7976931348623157e308");
    CHECK_STR(printed(-DBL_MIN), "-2.2250738585072014e-308");
    CHECK_STR(printed(double_of(1)), "5e-324");
    CHECK_STR(printed(2e-323), "2e-323");
    CHECK_STR(printed(INFINITY), "inf");
    CHECK_STR(printed(-INFINITY), "-inf");
    CHECK_STR(printed(NAN), "nan");
    CHECK_STR(printed(-NAN), "nan");
}

/* ---- Whole numbers ----------------------------------------------------------------- */

static void check_i64(int64_t value)
{
    char text[CLV_NUMBER_SPACE], expected[32];
    *clv_print_i64(text, value) = 0;
    snprintf(expected, sizeof expected, "%lld", (long long)value);
    CHECK_STR(text, expected);
    int64_t back = 0;
    bool overflow = false;
    const char *start = at_end(text);
    CHECK(clv_parse_i64(start, region_end, &back, &overflow) == region_end);
    CHECK(back == value && !overflow);
}

static void check_rounded(double value, const char *expected)
{
    char text[CLV_NUMBER_SPACE + 1];
    *clv_print_rounded(text, value) = '\0';
    if (strcmp(text, expected) != 0)
        fprintf(stderr, "%.17g: %s instead of %s\n", value, text, expected);
    CHECK(strcmp(text, expected) == 0);
}

static void test_rounded_texts(void)
{
    check_rounded(0, "0");
    check_rounded(0.1, "0.1");
    check_rounded(0.501647518000027, "0.50165");
    check_rounded(-0.029336889319917514, "-0.029337");
    check_rounded(4.040893845713711e-05, "4.0409e-5");
    check_rounded(1.4471859662573863e-16, "1.4472e-16");
    check_rounded(99999.5, "100000");
    check_rounded(0.99999999, "1");
    check_rounded(12383320880.8812, "12383000000");
    check_rounded(781292, "781292");
    check_rounded(4503599627370497, "4503599627370497");
    check_rounded(INFINITY, "inf");
}

/* Five digits at most, and within half a unit of the fifth. */
static void test_rounded_random(void)
{
    clv_rng rng = clv_rng_make(7, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        char text[CLV_NUMBER_SPACE + 1];
        double value = ldexp((double)(clv_rng_u64(&rng) >> 11), (int)(i % 200) - 153);
        if (value == floor(value))
            continue;
        *clv_print_rounded(text, value) = '\0';
        double unit = pow(10, floor(log10(value)) - 4);
        CHECK(fabs(strtod(text, NULL) - value) <= 0.500001 * unit);
        const char *p = text + strspn(text, "0.");
        size_t digits = strcspn(p, "e"), point = memchr(p, '.', digits) != NULL;
        while (digits > 0 && (p[digits - 1] == '0'))
            digits--;
        CHECK(digits - point <= 5);
    }
}

static void test_i64(void)
{
    clv_rng rng = clv_rng_make(7, 0, 0, 0);
    for (int i = 0; i < 50000; i++)
        check_i64((int64_t)clv_rng_u64(&rng) >> clv_rng_below(&rng, 64));
    int64_t power = 1;
    for (int i = 0; i < 19; i++, power *= i < 19 ? 10 : 1)
        for (int64_t d = -1; d <= 1; d++) {
            check_i64(power + d);
            check_i64(-power + d);
        }
    check_i64(INT64_MAX);
    check_i64(INT64_MIN);
    check_i64(INT64_MIN + 1);
}

static void check_parse_i64(const char *text, int consumed, int64_t expected, bool over)
{
    int64_t value = 77;
    bool overflow = false;
    const char *start = at_end(text);
    const char *end = clv_parse_i64(start, region_end, &value, &overflow);
    CHECK_EQ(end ? end - start : -1, consumed);
    CHECK_EQ(value, consumed < 0 ? 77 : expected);
    CHECK_EQ(overflow, over);
}

static void test_i64_texts(void)
{
    check_parse_i64("", -1, 0, false);
    check_parse_i64("-", -1, 0, false);
    check_parse_i64("+", -1, 0, false);
    check_parse_i64("x1", -1, 0, false);
    check_parse_i64(" 1", -1, 0, false);
    check_parse_i64("--1", -1, 0, false);
    check_parse_i64("-0", 2, 0, false);
    check_parse_i64("+5 ", 2, 5, false);
    check_parse_i64("1.5", 1, 1, false);
    check_parse_i64("0000000000000000000000000012", 28, 12, false);
    check_parse_i64("9223372036854775807", 19, INT64_MAX, false);
    check_parse_i64("-9223372036854775808", 20, INT64_MIN, false);
    check_parse_i64("9223372036854775808", 19, INT64_MAX, true);
    check_parse_i64("-9223372036854775809x", 20, INT64_MIN, true);
    check_parse_i64("18446744073709551617", 20, INT64_MAX, true);
    check_parse_i64("99999999999999999999999999999999", 32, INT64_MAX, true);
    int64_t value = 0;
    bool overflow = true; /* never cleared */
    CHECK(clv_parse_i64(at_end("1"), region_end, &value, &overflow) == region_end);
    CHECK_EQ(value, 1);
    CHECK(overflow);
}

int main(void)
{
    make_region();
    RUN(test_parse_random_bits);
    RUN(test_parse_everyday);
    RUN(test_parse_random_digits);
    RUN(test_parse_half_way);
    RUN(test_parse_short_ties);
    RUN(test_parse_limits);
    RUN(test_parse_long_zeros);
    RUN(test_parse_malformed);
    RUN(test_parse_ignores_surroundings);
    RUN(test_print_random);
    RUN(test_print_limits);
    RUN(test_print_texts);
    RUN(test_rounded_texts);
    RUN(test_rounded_random);
    RUN(test_i64);
    RUN(test_i64_texts);
    return test_end();
}
