/* SPDX-License-Identifier: Apache-2.0 */
/* base/number.h - parsing and printing of numbers, fast and independent of the locale.
 *
 * Parsers take [p, end) and return the first byte after the number, or NULL if no number
 * starts at p.  They never read *end.  Printers write no terminating zero and return the
 * position after what they wrote; `to` must have CLV_NUMBER_SPACE bytes. */
#ifndef CLV_BASE_NUMBER_H
#define CLV_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum { CLV_NUMBER_SPACE = 32 };

/* [+-]digits.  For a value outside int64_t, sets *overflow (never cleared here) and returns
 * the nearest limit in *value; all digits are consumed. */
const char *clv_parse_i64(const char *p, const char *end, int64_t *value, bool *overflow);

/* Decimal floating point: [+-](digits[.[digits]]|.digits)[(e|E|d|D)[+-]digits], or inf,
 * infinity, nan in any case.  Rounded to nearest even, like strtod in the C locale (exponents
 * with `d` are Fortran's).  Overflow gives infinity, underflow zero or a subnormal. */
const char *clv_parse_double(const char *p, const char *end, double *value);

char *clv_print_i64(char *to, int64_t value);

/* The fewest digits from which clv_parse_double gives the same double, and among those the
 * nearest: "0.1", "3", "-0", "1.5e-9" (plain notation where %.17g uses it); also "nan", "inf",
 * "-inf". */
char *clv_print_double(char *to, double value);

/* For display: integers below 2^53 with all digits, other numbers rounded to five digits. */
char *clv_print_rounded(char *to, double value);

#endif
