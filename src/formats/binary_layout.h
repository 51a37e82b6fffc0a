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
    CLV_XPRED, /* DAGs only */
    CLV_PRED,
    CLV_PWGT,
    CLV_VWGT,
    CLV_VSIZE,
    CLV_COORDS,
    CLV_NAME_OFFSETS,
    CLV_NAME_TEXT,
    CLV_SOURCE, /* origin and unit, each zero-terminated */
    clv_binary_sections
} clv_binary_section;

typedef struct clv_binary_header {
    clv_binary_start start;
    int32_t kind, nvtx, ncon, ndim;
    int64_t narc, entries;
    struct {
        uint64_t offset; /* 0: the section is absent */
        uint64_t size;   /* without padding */
    } section[clv_binary_sections];
    unsigned char reserved[56];
} clv_binary_header;
_Static_assert(sizeof(clv_binary_header) == 320, "the header has no padding");

/* Refuses an invalid or inconsistent header. count: bytes of the file that were read. */
cleave_status clv_binary_check_header(const clv_binary_header *h, size_t count,
                                      const char *path, cleave_error *err);
/* Refuses an `as` that contradicts the kind of graph in the file. */
cleave_status clv_binary_check_kind(cleave_kind kind, clv_as as, const char *path,
                                    cleave_error *err);
/* Origin and unit from the section SOURCE; false: the section is damaged. */
bool clv_binary_read_source(const char *text, uint64_t size, const char **origin,
                            const char **unit);

/* The size of an item of a section: an offset, a neighbour, all weights of a vertex, a byte of
 * text. */
int64_t clv_binary_item_bytes(const clv_binary_header *h, clv_binary_section s);
/* Completes a header whose counts are set.  `there` says which sections the file has.
 * name_bytes and source_bytes are the lengths of the sections that the counts do not
 * determine. */
void clv_binary_lay_out(clv_binary_header *h, const bool there[clv_binary_sections],
                        uint64_t name_bytes, uint64_t source_bytes);
/* Sets both checksums; data_sum is that of everything after the header. */
void clv_binary_seal(clv_binary_header *h, uint64_t data_sum);

#endif
