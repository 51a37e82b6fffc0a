/* SPDX-License-Identifier: Apache-2.0 */
/* formats/text.h - words and lines of a text input, with the line number for messages.
 *
 * A window of bytes slides over the input.  The byte after the window is always a newline, so
 * a loop over characters stops there; a word that is shorter than the window is never split at
 * its end (longer words are an error). */
#ifndef CLV_FORMATS_TEXT_H
#define CLV_FORMATS_TEXT_H

#include <string.h>

#include "base/number.h"
#include "formats/input.h"

enum { CLV_TEXT_WINDOW = 256 * 1024 };

typedef struct clv_text {
    const char *cur; /* next unread byte */
    const char *end; /* end of the window; *end == '\n' always */
    int64_t line;    /* number of the line that cur is in, from 1 */
    bool at_end;     /* nothing follows the window */
    char *window;
    clv_input *in;
    cleave_error *err; /* where messages go; may be NULL */
} clv_text;

cleave_status clv_text_init(clv_text *text, clv_input *in, cleave_error *err);
/* The same for an input that begins in the middle of a file, with line `line` of it. */
cleave_status clv_text_resume(clv_text *text, clv_input *in, int64_t line, cleave_error *err);
void clv_text_free(clv_text *text); /* does not close the input */

/* Slides the window until at least one more byte than before follows cur, or at_end is set. */
cleave_status clv_text_fill(clv_text *text);

/* Skips blanks (space, tab, carriage return, vertical tab, form feed) inside the line. */
cleave_status clv_text_skip_blanks(clv_text *text);
/* Skips to the next line that is neither empty nor starts with one of the bytes in `comment`;
 * cur is at its first non-blank byte.  *more false: end of input. */
cleave_status clv_text_next_content(clv_text *text, const char *comment, bool *more);
/* Skips the rest of the line and its newline. */
cleave_status clv_text_skip_line(clv_text *text);
/* Skips blanks; *ends: the line (or the input) ends here.  The newline is not consumed. */
cleave_status clv_text_at_line_end(clv_text *text, bool *ends);
/* The word at cur, which must not be blank: [*word, *word + *length), up to the next blank or
 * newline, valid until the next call; cur moves after it. */
cleave_status clv_text_word(clv_text *text, const char **word, size_t *length);
/* *is: the next word of this line is `expected`, ignoring case.  It is then consumed. */
cleave_status clv_text_word_is(clv_text *text, const char *expected, bool *is);

/* Skips blanks and reads a whole word as a number.  `what` names it in messages:
 * "the vertex count".  Fails at the end of the line. */
cleave_status clv_text_i64(clv_text *text, int64_t low, int64_t high, const char *what,
                           int64_t *value);
cleave_status clv_text_double(clv_text *text, const char *what, double *value);
/* The same for formats in which line breaks have no meaning. */
cleave_status clv_text_next_i64(clv_text *text, int64_t low, int64_t high, const char *what,
                                int64_t *value);
/* Fails if anything follows in the line: "unexpected text after WHAT". */
cleave_status clv_text_end_line(clv_text *text, const char *what);

/* The digits at p (at least one) as a number, for the inner loops of readers; returns the byte
 * after them.  Reads up to 8 bytes past the window, which exist.  Numbers of more than 16
 * digits saturate at 10^17: no reader accepts so much. */
static inline const char *clv_text_digits(const char *p, uint64_t *value);

/* For lists and tables, in which commas and semicolons also separate columns. */
static inline bool clv_text_separates(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '\f' ||
           c == '\v';
}
/* The beginning "% cleave KIND 1" of a text file of our own; `line` in messages is the whole
 * first line. */
cleave_status clv_text_heading(clv_text *text, const char *kind, const char *line);

/* Skips separators and returns the next word; length 0 at the end of the line. */
cleave_status clv_text_field(clv_text *text, const char **word, size_t *length);
/* Skips the first line if it is a row of column titles: it starts with a letter or a quote. */
cleave_status clv_text_skip_titles(clv_text *text, bool *titles);

/* ASCII only, independent of the locale. */
static inline char clv_text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* CLEAVE_EPARSE "path:line: sentence" for the current line. */
cleave_status clv_text_fail(const clv_text *text, const char *format, ...) CLV_PRINTF(2, 3);

/* ---- Eight digits at once ------------------------------------------------------------ */

/* Number of digits among the eight bytes, lowest first, before the first other byte. */
static inline int clv_text_count_digits(uint64_t bytes)
{
    uint64_t x = bytes ^ 0x3030303030303030u; /* digits become 0..9 */
    uint64_t not_digit = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
    return not_digit ? __builtin_ctzll(not_digit) / 8 : 8;
}

/* Eight digit characters, the first in the lowest byte, as a number. */
static inline uint64_t clv_text_eight_digits(uint64_t bytes)
{
    bytes = (bytes & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
    bytes = (bytes & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
    return (bytes & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
}

static inline uint64_t clv_text_load(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

static inline const char *clv_text_digits(const char *p, uint64_t *value)
{
    uint64_t bytes = clv_text_load(p);
    int count = clv_text_count_digits(bytes);
    if (CLV_LIKELY(count < 8)) {
        /* Shifting in zero bytes from below has the effect of leading zeros. */
        *value = clv_text_eight_digits(bytes << (8 * (8 - count)));
        return p + count;
    }
    uint64_t v = clv_text_eight_digits(bytes);
    for (p += 8; (unsigned char)(*p - '0') < 10; p++)
        v = v < 10000000000000000u ? 10 * v + (uint64_t)(*p - '0') : 100000000000000000u;
    *value = v;
    return p;
}

#endif
