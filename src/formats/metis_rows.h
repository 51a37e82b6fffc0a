/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_rows.h - fast reading of the rows of a METIS file: the inner loop, and reading
 * by several threads or processes. */
#ifndef CLV_FORMATS_METIS_ROWS_H
#define CLV_FORMATS_METIS_ROWS_H

#include "base/threads.h"
#include "formats/text.h"
#include "graph/build.h"

/* The contents of the first line. */
typedef struct clv_metis_header {
    int64_t nvtx, nedge;
    int64_t line; /* its line number */
    bool has_vsize, has_vwgt, has_ewgt;
    int32_t ncon;
} clv_metis_header;
/* text becomes that of the rows. */
cleave_status clv_metis_read_header(clv_metis_header *h, clv_text *text);

/* Consecutive rows of a file. */
typedef struct clv_metis_share {
    int64_t first; /* vertex of the first row */
    int64_t count; /* rows */
    clv_rows rows; /* neighbours are numbered as in the file */
    int32_t *vwgt, *vsize;
} clv_metis_share;
/* Reads rows first .. first + count - 1; fails if anything but blanks and comments follows.
 * The caller frees the arrays, also on failure. */
cleave_status clv_metis_read_share(clv_metis_share *share, const clv_metis_header *h,
                                   clv_text *text);

/* CLEAVE_EPARSE: the number of edges differs from that in the header. */
cleave_status clv_metis_fail_count(const clv_metis_header *h, int64_t edges, const char *path,
                                   cleave_error *err);

/* One ordinary row: numbers of up to seven digits, one blank between them, newline, all before
 * `end`, where another newline is stored.  Returns the byte after the newline, or NULL if the
 * row has any other form.  One 8-byte load per number gives its length, its value and the
 * character after it.  *to has room for one number per two bytes; it advances past the numbers
 * written, also if the row is given up. */
static inline const char *clv_metis_row(const char *p, const char *end, uint64_t nvtx,
                                        int32_t **to, bool *ascending)
{
    int32_t *place = *to;
    int64_t before = -1;
    bool ascends = true;
    for (;;) {
        uint64_t bytes = clv_text_load(p);
        unsigned count = (unsigned)clv_text_count_digits(bytes);
        if (CLV_UNLIKELY(count - 1 >= 7)) { /* no digit, or eight of them */
            if (*p != '\n')
                return NULL;
            break; /* an empty row, or a blank at its end */
        }
        uint64_t u = clv_text_eight_digits(bytes << (64 - 8 * count)) - 1;
        if (CLV_UNLIKELY(u >= nvtx))
            return NULL;
        ascends &= (int64_t)u > before;
        before = (int64_t)u;
        *place++ = (int32_t)u;
        p += count;
        char behind = (char)(bytes >> (8 * count));
        if (behind == '\n')
            break;
        if (CLV_UNLIKELY(behind != ' '))
            return NULL;
        p++;
    }
    if (CLV_UNLIKELY(p >= end))
        return NULL;
    *to = place;
    *ascending &= ascends;
    return p + 1;
}

/* Smaller files are read faster by one thread. */
enum { CLV_METIS_PIECES_PAY = 4 << 20 };

/* Reads the rows of an unweighted file from byte `begin` on with all members of the team.
 * *done false: some row is not ordinary, or memory is exhausted; nothing has been consumed,
 * and one thread must read the file line by line (which also reports errors). */
cleave_status clv_metis_read_pieces(clv_rows *rows, clv_input *in, int64_t begin, int32_t nvtx,
                                    clv_team *team, bool *done, cleave_error *err);

#endif
