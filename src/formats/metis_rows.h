/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_rows.h - the rows of a METIS file, fast: the inner loop of reading, and
 * reading by many threads or processes. */
#ifndef CLV_FORMATS_METIS_ROWS_H
#define CLV_FORMATS_METIS_ROWS_H

#include "base/threads.h"
#include "formats/text.h"
#include "graph/build.h"

/* What the first line of a file says. */
typedef struct clv_metis_header {
    int64_t nvtx, nedge;
    int64_t line; /* its number */
    bool has_vsize, has_vwgt, has_ewgt;
    int32_t ncon;
} clv_metis_header;
/* text becomes that of the rows. */
cleave_status clv_metis_read_header(clv_metis_header *h, clv_text *text);

/* Some consecutive rows of a file. */
typedef struct clv_metis_share {
    int64_t first; /* the vertex of the first row */
    int64_t count; /* rows */
    clv_rows rows; /* neighbours are those of the file */
    int32_t *vwgt, *vsize;
} clv_metis_share;
/* Reads rows first .. first + count - 1 and what follows: nothing that counts may.  The caller
 * frees the arrays, also on failure. */
cleave_status clv_metis_read_share(clv_metis_share *share, const clv_metis_header *h,
                                   clv_text *text);

/* CLEAVE_EPARSE: so many edges are not those that the header announces. */
cleave_status clv_metis_fail_count(const clv_metis_header *h, int64_t edges, const char *path,
                                   cleave_error *err);

/* One ordinary row: numbers of up to seven digits, one blank between them, newline, all
 * before `end`, where another newline stands.  Returns the byte behind the newline, or NULL
 * when the row is anything else.  One load per number finds its length, its value and the
 * character behind it.  *to has room for a number per two bytes; it moves behind those
 * written, also when the row is given up. */
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
            break; /* an empty row, or a blank at the end of one */
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

/* Files below this size are read sooner by one thread. */
enum { CLV_METIS_PIECES_PAY = 4 << 20 };

/* Reads the rows of an unweighted file from byte `begin` on, all members of the team at
 * once.  *done false: it has something else than ordinary rows, or memory is short; nothing
 * has been read, and one thread must go through it line by line (which also finds the words
 * for what is wrong). */
cleave_status clv_metis_read_pieces(clv_rows *rows, clv_input *in, int64_t begin, int32_t nvtx,
                                    clv_team *team, bool *done, cleave_error *err);

#endif
