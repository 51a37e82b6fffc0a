/* SPDX-License-Identifier: Apache-2.0 */
/* view/deflate.h - the zlib format (RFC 1950), and PNG pictures.
 *
 * Compressed if the library is built with zlib, otherwise stored, which every reader
 * accepts. */
#ifndef CLV_VIEW_DEFLATE_H
#define CLV_VIEW_DEFLATE_H

#include "view/buffer.h"

/* Appends to `out`, which keeps failures. */
void clv_deflate(clv_buffer *out, const void *bytes, int64_t count);

/* Appends a PNG file of width x height pixels, four bytes each: red, green, blue, opacity. */
void clv_png(clv_buffer *out, int32_t width, int32_t height, const unsigned char *rgba);

#endif
