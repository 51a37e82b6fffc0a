/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market_scan.h - the header and the entries of a Matrix Market coordinate
 * file, for graphs (matrix_market.c) and matrices (matrix_market_values.c).
 *
 * Entries are read by inline functions: a fast path for lines in the usual form that lie
 * within the window, and clv_mm_entry for all others, which also reports errors. */
#ifndef CLV_FORMATS_MATRIX_MARKET_SCAN_H
#define CLV_FORMATS_MATRIX_MARKET_SCAN_H

#include "formats/output.h"
#include "formats/text.h"

typedef enum mm_symmetry { MM_GENERAL, MM_SYMMETRIC, MM_SKEW } mm_symmetry;

typedef struct mm_reader {
    clv_text text;
    bool pattern;
    bool wants_values; /* otherwise values are only checked to be numbers */
    mm_symmetry symmetry;
    int64_t nrow, ncol, nnz, seen;
    int64_t last_line; /* of the size line, then of the last entry */
} mm_reader;

typedef struct mm_entry {
    int32_t row, col;
    double value; /* 1 in pattern files */
} mm_entry;

/* Also reads the header.  The caller frees r->text, also on failure. */
cleave_status clv_mm_open(mm_reader *r, clv_input *in, bool wants_values, cleave_error *err);
/* The general way to read a line; reports all errors. */
cleave_status clv_mm_entry(mm_reader *r, mm_entry *entry);
/* Fails if anything but blanks and comments follows the last entry. */
cleave_status clv_mm_expect_end(mm_reader *r);
/* CLEAVE_EPARSE for the line read last. */
cleave_status clv_mm_fail_last(const mm_reader *r, const char *sentence);
/* Rejects a header with an implausible number of rows: empty rows take no bytes in the file
 * but do take memory. */
cleave_status clv_mm_check_size(const mm_reader *r);
/* "row col" counted from one, and the line "nrow ncol nnz". */
void clv_mm_put_entry(clv_output *out, int32_t row, int32_t col);
void clv_mm_put_sizes(clv_output *out, int32_t nrow, int32_t ncol, int64_t nnz);

/* The arc of an entry in the DAG of one triangle; false: the entry is in the other triangle.
 * mirrored: the file holds one triangle of a symmetric matrix.  Entries of the diagonal become
 * self-loops. */
static inline bool clv_mm_triangle_arc(const mm_entry *e, bool lower, bool mirrored,
                                       int32_t *tail, int32_t *head)
{
    if (!mirrored && e->row != e->col && (e->row > e->col) != lower)
        return false;
    int32_t low = e->row < e->col ? e->row : e->col;
    int32_t high = e->row < e->col ? e->col : e->row;
    *tail = lower ? low : high;
    *head = lower ? high : low;
    return true;
}

/* ---- Inline fast path ------------------------------------------------------------------- */

static inline const char *clv_mm_skip_digits(const char *p)
{
    int count;
    do {
        count = clv_text_count_digits(clv_text_load(p));
        p += count;
    } while (count == 8);
    return p;
}

/* The byte after the plain decimal number at p; NULL: it is not one. */
static inline const char *clv_mm_skip_number(const char *p)
{
    p += *p == '-' || *p == '+';
    const char *start = p;
    p = clv_mm_skip_digits(p);
    bool digits = p > start;
    if (*p == '.') {
        start = p + 1;
        p = clv_mm_skip_digits(start);
        digits |= p > start;
    }
    if (!digits)
        return NULL;
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '-' || *p == '+';
        start = p;
        p = clv_mm_skip_digits(p);
        digits = p > start;
    }
    return digits ? p : NULL;
}

static inline const char *clv_mm_skip_spaces(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* "row col" with one blank and up to seven digits each, followed by the byte `behind`, the
 * form in nearly all files.  Returns the position of that byte; NULL: another form. */
static CLV_ALWAYS_INLINE const char *clv_mm_pair(const mm_reader *r, const char *p,
                                                 char behind, mm_entry *entry)
{
    uint64_t first = clv_text_load(p);
    unsigned digits = (unsigned)clv_text_count_digits(first);
    if (CLV_UNLIKELY(digits - 1 >= 7 || (char)(first >> (8 * digits)) != ' '))
        return NULL;
    p += digits + 1;
    uint64_t row = clv_text_eight_digits(first << (64 - 8 * digits)) - 1;
    uint64_t second = clv_text_load(p);
    digits = (unsigned)clv_text_count_digits(second);
    if (CLV_UNLIKELY(digits - 1 >= 7 || (char)(second >> (8 * digits)) != behind))
        return NULL;
    uint64_t col = clv_text_eight_digits(second << (64 - 8 * digits)) - 1;
    if (CLV_UNLIKELY(row >= (uint64_t)r->nrow || col >= (uint64_t)r->ncol))
        return NULL;
    *entry = (mm_entry){(int32_t)row, (int32_t)col, 1.0};
    return p + digits;
}

/* The same with any number of blanks and digits; returns the position after the blanks that
 * follow. */
static inline const char *clv_mm_loose_pair(const mm_reader *r, const char *p, mm_entry *entry)
{
    uint64_t index[2];
    for (int i = 0; i < 2; i++) {
        const char *digits = clv_mm_skip_spaces(p);
        if ((unsigned char)(*digits - '0') >= 10 || (i > 0 && digits == p))
            return NULL;
        p = clv_text_digits(digits, &index[i]);
    }
    if (index[0] - 1 >= (uint64_t)r->nrow || index[1] - 1 >= (uint64_t)r->ncol)
        return NULL;
    *entry = (mm_entry){(int32_t)(index[0] - 1), (int32_t)(index[1] - 1), 1.0};
    return p;
}

/* Reads "row col [value]\n" at p if it has the plain form and ends before `end`; returns the
 * byte after it.  NULL: clv_mm_entry must read the line. */
static CLV_ALWAYS_INLINE const char *clv_mm_plain(const mm_reader *r, const char *p,
                                                  const char *end, mm_entry *entry)
{
    const char *pair = clv_mm_pair(r, p, r->pattern ? '\n' : ' ', entry);
    if (r->pattern && CLV_LIKELY(pair && pair < end))
        return pair + 1;
    if (CLV_UNLIKELY(!pair)) {
        pair = clv_mm_loose_pair(r, p, entry);
        if (!pair)
            return NULL;
    }
    p = clv_mm_skip_spaces(pair);
    if (!r->pattern) {
        if (CLV_UNLIKELY(p == pair)) /* column and value must be separated */
            return NULL;
        p = r->wants_values ? clv_parse_double(p, end, &entry->value) : clv_mm_skip_number(p);
        if (CLV_UNLIKELY(!p))
            return NULL;
        p = clv_mm_skip_spaces(p);
    }
    p += *p == '\r';
    return CLV_LIKELY(*p == '\n' && p < end) ? p + 1 : NULL;
}

/* Makes sure that the next line, if it has the plain form, lies within the window. */
static inline cleave_status clv_mm_fill(mm_reader *r)
{
    enum { longest_plain = 256 };
    return CLV_UNLIKELY(r->text.end - r->text.cur < longest_plain) ? clv_text_fill(&r->text)
                                                                   : CLEAVE_OK;
}

/* clv_mm_entry writes to a separate struct, so that the compiler can keep *entry in registers.
 */
static CLV_ALWAYS_INLINE cleave_status clv_mm_next(mm_reader *r, mm_entry *entry)
{
    CLV_TRY(clv_mm_fill(r));
    const char *next = clv_mm_plain(r, r->text.cur, r->text.end, entry);
    if (CLV_LIKELY(next != NULL)) {
        r->text.cur = next;
        r->last_line = r->text.line++;
    } else {
        mm_entry careful;
        CLV_TRY(clv_mm_entry(r, &careful));
        *entry = careful;
    }
    r->seen++;
    return CLEAVE_OK;
}

#endif
