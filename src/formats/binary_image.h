/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_image.h - the contents of a binary file: one block in memory, mapped or
 * read. */
#ifndef CLV_FORMATS_BINARY_IMAGE_H
#define CLV_FORMATS_BINARY_IMAGE_H

#include "formats/input.h"

enum { clv_binary_order = 0x01020304, clv_binary_alignment = 64 };

/* How the headers of all our binary files begin. */
typedef struct clv_binary_start {
    unsigned char magic[8];
    uint32_t byte_order, version;
    uint64_t header_sum; /* of the header with 0 here */
    uint64_t data_sum;   /* of everything behind the header */
    uint64_t file_size;
} clv_binary_start;

enum { clv_largest_header = 512 };

/* header_sum of a header of so many bytes, up to clv_largest_header, that begins as above. */
uint64_t clv_binary_header_sum(const void *header, size_t header_size);
/* Is the header, of whose file count bytes are there, whole and one that we can read?  The
 * magic is not checked. */
cleave_status clv_binary_check_start(const void *header, size_t header_size, size_t count,
                                     uint32_t version, const char *path, cleave_error *err);
/* Has the file as many bytes as its header says? */
cleave_status clv_binary_check_size(uint64_t says, uint64_t found, const char *path,
                                    cleave_error *err);
cleave_status clv_binary_refuse(const char *path, cleave_error *err, const char *sentence);

/* The size of a section with the zeros behind it. */
static inline uint64_t clv_binary_padded(uint64_t size)
{
    return (size + clv_binary_alignment - 1) / clv_binary_alignment * clv_binary_alignment;
}

/* The whole input, of which only peeking has read so far, as a block of file_size bytes that
 * the arena owns; CLEAVE_EPARSE when it has more or fewer.  map: a plain file is mapped, so
 * that processes share the memory; else, and where that is impossible, it is read, and memory
 * grows with the bytes that are read, independent of the header. */
cleave_status clv_binary_image(const unsigned char **image, clv_arena *arena, clv_input *in,
                               uint64_t file_size, bool map, cleave_error *err);

/* The checksum of a block: formats/binary_verify.h. */
uint64_t clv_binary_checksum(const void *bytes, uint64_t count);

#endif
