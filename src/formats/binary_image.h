/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_image.h - the bytes of our own binary files: one block in memory, mapped or
 * read. */
#ifndef CLV_FORMATS_BINARY_IMAGE_H
#define CLV_FORMATS_BINARY_IMAGE_H

#include "formats/input.h"

enum { clv_binary_order = 0x01020304, clv_binary_alignment = 64 };

/* The size of a section with the zeros behind it. */
static inline uint64_t clv_binary_padded(uint64_t size)
{
    return (size + clv_binary_alignment - 1) / clv_binary_alignment * clv_binary_alignment;
}

/* The whole input, of which only peeking has read so far, as a block of file_size bytes that
 * the arena owns; CLEAVE_EPARSE when it has more or fewer.  map: a plain file is mapped, so
 * that processes share the memory; else, and where that is impossible, it is read, and memory
 * grows with what really comes, whatever its header says. */
cleave_status clv_binary_image(const unsigned char **image, clv_arena *arena, clv_input *in,
                               uint64_t file_size, bool map, cleave_error *err);

/* The checksum of a block: formats/binary_verify.h. */
uint64_t clv_binary_checksum(const void *bytes, uint64_t count);

#endif
