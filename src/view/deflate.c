/* SPDX-License-Identifier: Apache-2.0 */
/* view/deflate.c - zlib streams (RFC 1950, 1951) and PNG files (W3C 2003). */
#include "view/deflate.h"

#include <string.h>

#ifdef CLEAVE_HAVE_ZLIB
#include <zlib.h>
#endif

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

#ifdef CLEAVE_HAVE_ZLIB

/* zlib uses the allocator of the library. */
static void *zlib_alloc(void *nothing, unsigned count, unsigned each)
{
    (void)nothing;
    return clv_alloc(count, each);
}

static void zlib_free(void *nothing, void *block)
{
    (void)nothing;
    clv_sys_free(block);
}

static bool compress_bytes(clv_buffer *out, const unsigned char *p, int64_t count)
{
    z_stream z = {0};
    unsigned char piece[16384];
    z.zalloc = zlib_alloc;
    z.zfree = zlib_free;
    if (deflateInit(&z, 6) != Z_OK)
        return false;
    int64_t left = count;
    int result = Z_OK;
    z.next_in = (unsigned char *)p; /* zlib only reads it */
    while (result == Z_OK && !out->failed) {
        if (z.avail_in == 0 && left > 0) {
            z.avail_in = left < (1 << 30) ? (unsigned)left : 1u << 30;
            left -= z.avail_in;
        }
        z.next_out = piece;
        z.avail_out = sizeof piece;
        result = deflate(&z, left > 0 ? Z_NO_FLUSH : Z_FINISH);
        clv_buffer_bytes(out, piece, sizeof piece - z.avail_out);
    }
    deflateEnd(&z);
    return result == Z_STREAM_END;
}

void clv_deflate(clv_buffer *out, const void *bytes, int64_t count)
{
    if (!out->failed && !compress_bytes(out, bytes, count))
        out->failed = true;
}

#else

/* ---- Stored blocks ---------------------------------------------------------------------- */

static uint32_t adler(const unsigned char *p, int64_t count)
{
    uint32_t a = 1, b = 0;
    for (int64_t i = 0; i < count; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void store_bytes(clv_buffer *out, const unsigned char *p, int64_t count)
{
    unsigned char sum[4];
    clv_buffer_bytes(out, "\x78\x01", 2);
    int64_t at = 0;
    do {
        int64_t length = count - at < 65535 ? count - at : 65535;
        unsigned char head[5] = {at + length == count, (unsigned char)length,
                                 (unsigned char)(length >> 8), (unsigned char)~length,
                                 (unsigned char)(~length >> 8)};
        clv_buffer_bytes(out, head, 5);
        clv_buffer_bytes(out, p + at, (size_t)length);
        at += length;
    } while (at < count);
    put_u32(sum, adler(p, count));
    clv_buffer_bytes(out, sum, 4);
}

void clv_deflate(clv_buffer *out, const void *bytes, int64_t count)
{
    store_bytes(out, bytes, count);
}

#endif

/* ---- PNG -------------------------------------------------------------------------------- */

static uint32_t crc(const unsigned char *p, int64_t count)
{
    uint32_t sum = 0xffffffffu;
    for (int64_t i = 0; i < count; i++) {
        sum ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    }
    return ~sum;
}

/* Makes a chunk of what was appended since `from`, including eight bytes for its head. */
static void end_chunk(clv_buffer *out, int64_t from, const char *name)
{
    unsigned char sum[4];
    if (out->failed)
        return;
    unsigned char *head = (unsigned char *)out->text + from;
    int64_t length = out->used - from - 8;
    put_u32(head, (uint32_t)length);
    memcpy(head + 4, name, 4);
    put_u32(sum, crc(head + 4, length + 4));
    clv_buffer_bytes(out, sum, 4);
}

static int64_t begin_chunk(clv_buffer *out)
{
    clv_buffer_bytes(out, "\0\0\0\0\0\0\0", 8);
    return out->used - 8;
}

/* Unfiltered rows, each after its filter byte: pictures of parts consist of flat areas, which
 * compress well without a filter. */
static void put_rows(clv_buffer *out, int32_t width, int32_t height, const unsigned char *rgba)
{
    clv_buffer rows = {0};
    for (int32_t y = 0; y < height; y++) {
        clv_buffer_bytes(&rows, "\0", 1);
        clv_buffer_bytes(&rows, rgba + (size_t)y * width * 4, (size_t)width * 4);
    }
    out->failed = out->failed || rows.failed;
    if (!out->failed)
        clv_deflate(out, rows.text, rows.used);
    clv_buffer_free(&rows);
}

void clv_png(clv_buffer *out, int32_t width, int32_t height, const unsigned char *rgba)
{
    unsigned char size[13] = {0};
    put_u32(size, (uint32_t)width);
    put_u32(size + 4, (uint32_t)height);
    size[8] = 8; /* bits per channel */
    size[9] = 6; /* colour and opacity */
    clv_buffer_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    int64_t from = begin_chunk(out);
    clv_buffer_bytes(out, size, sizeof size);
    end_chunk(out, from, "IHDR");
    from = begin_chunk(out);
    put_rows(out, width, height, rgba);
    end_chunk(out, from, "IDAT");
    from = begin_chunk(out);
    end_chunk(out, from, "IEND");
}
