/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_image.h - the contents of a binary file as one block in memory, mapped or
 * read. */
#ifndef CLV_FORMATS_BINARY_IMAGE_H
#define CLV_FORMATS_BINARY_IMAGE_H

#include "formats/input.h"

enum { clv_binary_order = 0x01020304, clv_binary_alignment = 64 };

/* The beginning of the header, the same in all binary formats of cleave. */
typedef struct clv_binary_start {
    unsigned char magic[8];
    uint32_t byte_order, version;
    uint64_t header_sum; /* of the header with 0 here */
    uint64_t data_sum;   /* of everything behind the header */
    uint64_t file_size;
} clv_binary_start;

enum { clv_largest_header = 512 };

/* header_sum of a header that begins as above; header_size: at most clv_largest_header. */
uint64_t clv_binary_header_sum(const void *header, size_t header_size);
/* Fails unless the first `count` bytes of the file hold a whole header with a correct
 * checksum, and byte order and version are supported.  The magic number is not checked. */
cleave_status clv_binary_check_start(const void *header, size_t header_size, size_t count,
                                     uint32_t version, const char *path, cleave_error *err);
/* Fails unless the file has as many bytes as its header requires. */
cleave_status clv_binary_check_size(uint64_t says, uint64_t found, const char *path,
                                    cleave_error *err);
cleave_status clv_binary_refuse(const char *path, cleave_error *err, const char *sentence);

/* The size of a section with its padding. */
static inline uint64_t clv_binary_padded(uint64_t size)
{
    return (size + clv_binary_alignment - 1) / clv_binary_alignment * clv_binary_alignment;
}

/* The whole input as a block of file_size bytes that the arena owns; nothing but
 * clv_input_peek may have read from it before.  CLEAVE_EPARSE if it has more or fewer bytes.
 * map: an uncompressed file is mapped, so that processes share the memory; otherwise, and if
 * mapping fails, it is read, and memory grows with the bytes read, not with what the header
 * says. */
cleave_status clv_binary_image(const unsigned char **image, clv_arena *arena, clv_input *in,
                               uint64_t file_size, bool map, cleave_error *err);

/* The checksum of a block: formats/binary_verify.h. */
uint64_t clv_binary_checksum(const void *bytes, uint64_t count);

#endif
