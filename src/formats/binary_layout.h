/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_layout.h - the layout of a binary graph (formats/binary.c), for partial
 * reading and writing. */
#ifndef CLV_FORMATS_BINARY_LAYOUT_H
#define CLV_FORMATS_BINARY_LAYOUT_H

#include "formats/binary_image.h"
#include "formats/formats.h"

typedef enum clv_binary_section {
    CLV_XADJ,
    CLV_ADJ,
    CLV_EWGT,
    CLV_XPRED, /* of a DAG only */
    CLV_PRED,
    CLV_PWGT,
    CLV_VWGT,
    CLV_VSIZE,
    CLV_COORDS,
    CLV_NAME_OFFSETS,
    CLV_NAME_TEXT,
    CLV_SOURCE, /* origin and unit, each with a zero byte */
    clv_binary_sections
} clv_binary_section;

typedef struct clv_binary_header {
    clv_binary_start start;
    int32_t kind, nvtx, ncon, ndim;
    int64_t narc, entries;
    struct {
        uint64_t offset; /* 0: there is no such section */
        uint64_t size;   /* without padding */
    } section[clv_binary_sections];
    unsigned char reserved[56];
} clv_binary_header;
_Static_assert(sizeof(clv_binary_header) == 320, "the header has no padding");

/* count: bytes of the file that were read.  Refuses an invalid or inconsistent header. */
cleave_status clv_binary_check_header(const clv_binary_header *h, size_t count,
                                      const char *path, cleave_error *err);
/* The file holds a finished graph: it is what it is. */
cleave_status clv_binary_check_kind(cleave_kind kind, clv_as as, const char *path,
                                    cleave_error *err);
/* The section SOURCE of so many bytes: its two words; false: it is damaged. */
bool clv_binary_read_source(const char *text, uint64_t size, const char **origin,
                            const char **unit);

/* Completes a header whose counts are there: `there` says which sections the file has; those
 * whose length does not follow from the counts have name_bytes and source_bytes. */
void clv_binary_lay_out(clv_binary_header *h, const bool there[clv_binary_sections],
                        uint64_t name_bytes, uint64_t source_bytes);
/* data_sum: of everything behind the header. */
void clv_binary_seal(clv_binary_header *h, uint64_t data_sum);

#endif
