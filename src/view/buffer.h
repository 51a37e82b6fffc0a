/* SPDX-License-Identifier: Apache-2.0 */
/* view/buffer.h - text that grows in memory, for every writer of pictures and pages.
 *
 * Failures stick: the put functions never fail; the caller checks `failed` once at the end.
 * Numbers are printed without the locale. */
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
/* Rounded to hundredths; what no picture holds is clamped. */
void clv_buffer_number(clv_buffer *b, double value);
/* The shortest form that reads back the same; null when it is not finite. */
void clv_buffer_real(clv_buffer *b, double value);
/* For XML and HTML.  Any bytes: markup is escaped, what is no UTF-8 or no character of XML
 * becomes U+FFFD. */
void clv_buffer_escaped(clv_buffer *b, const char *text);
/* A JSON string with its quotes, safe inside a script element; NULL gives null. */
void clv_buffer_json(clv_buffer *b, const char *text);
void clv_buffer_base64(clv_buffer *b, const void *bytes, int64_t count);
/* Zero bytes until `used` is a multiple of `unit`, for arrays that are read in place. */
void clv_buffer_align(clv_buffer *b, int64_t unit);

/* Bytes of the character at p, or 0 when no character that XML allows starts there.  The
 * text ends in a zero byte, which no continuation byte is. */
int clv_buffer_character(const unsigned char *p, uint32_t *code);

#endif
