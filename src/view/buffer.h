/* SPDX-License-Identifier: Apache-2.0 */
/* view/buffer.h - text that grows in memory, for every writer of pictures and pages.
 *
 * Failures are kept: the put functions never fail; the caller checks `failed` once at the end.
 * Numbers are printed independent of the locale. */
#ifndef CLV_VIEW_BUFFER_H
#define CLV_VIEW_BUFFER_H

#include "base/mem.h"

typedef struct clv_buffer {
    char *text; /* what was written so far */
    int64_t used, room;
    bool failed; /* out of memory: nothing more is written */
} clv_buffer;    /* zero-initialise; clv_buffer_free */

void clv_buffer_free(clv_buffer *b);

void clv_buffer_bytes(clv_buffer *b, const void *bytes, size_t count);
void clv_buffer_text(clv_buffer *b, const char *text);
void clv_buffer_int(clv_buffer *b, int64_t value);
/* Rounded to hundredths; values outside any picture are clamped. */
void clv_buffer_number(clv_buffer *b, double value);
/* The shortest form that reads back the same; null if it is not finite. */
void clv_buffer_real(clv_buffer *b, double value);
/* For XML and HTML; accepts any bytes: markup is escaped, invalid UTF-8 and characters that
 * XML does not allow become U+FFFD. */
void clv_buffer_escaped(clv_buffer *b, const char *text);
/* A JSON string with its quotes, safe inside a script element; NULL gives null. */
void clv_buffer_json(clv_buffer *b, const char *text);
void clv_buffer_base64(clv_buffer *b, const void *bytes, int64_t count);
/* Appends zero bytes until `used` is a multiple of `unit`, for arrays that are read in place.
 */
void clv_buffer_align(clv_buffer *b, int64_t unit);

/* Bytes of the character at p, or 0 if it is not one that XML allows.  The text is
 * zero-terminated, and a zero byte is never a continuation byte. */
int clv_buffer_character(const unsigned char *p, uint32_t *code);

#endif
