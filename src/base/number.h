/* SPDX-License-Identifier: Apache-2.0 */
/* base/number.h - numbers from text and to text, fast and without the locale.
 *
 * Parsers take [p, end) and return the first byte behind the number, or NULL when no
 * number starts at p.  They never read *end.  Printers write no terminating zero and
 * return the byte behind what they wrote; `to` must have CLV_NUMBER_SPACE bytes. */
#ifndef CLV_BASE_NUMBER_H
#define CLV_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum { CLV_NUMBER_SPACE = 32 };

/* [+-]digits.  A value outside int64_t sets *overflow (never cleared here) and the
 * nearest limit; all digits are consumed. */
const char *clv_parse_i64(const char *p, const char *end, int64_t *value, bool *overflow);

/* Decimal floating point: [+-](digits[.[digits]]|.digits)[(e|E|d|D)[+-]digits], or inf,
 * infinity, nan in any case.  Correctly rounded to nearest even, as strtod in the C
 * locale (`d` exponents are Fortran's).  Too large gives infinity, too small zero or a
 * subnormal. */
const char *clv_parse_double(const char *p, const char *end, double *value);

char *clv_print_i64(char *to, int64_t value);

/* As few digits as clv_parse_double needs to give back the same double, and of those the
 * nearest: "0.1", "3", "-0", "1.5e-9" (plain notation where %.17g has it); otherwise
 * "nan", "inf", "-inf". */
char *clv_print_double(char *to, double value);

/* For people: whole numbers below 2^53 with all their digits, others rounded to five. */
char *clv_print_rounded(char *to, double value);

#endif
