/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vtk_bytes.c - the numbers of VTK arrays as text, as bytes and as base64 [RFC 4648].
 *
 * Bytes go through a small buffer whose length is a multiple of 3, so that base64 is padded
 * only at the very end, and of 8, so that no number is split. */
#include <string.h>

#include "formats/vtk.h"

size_t clv_vtk_size(clv_vtk_type type)
{
    static const size_t sizes[] = {1, 4, 8, 8};
    return sizes[type];
}

static int64_t numbers_of(const clv_vtk_array *array)
{
    return array->tuples * array->components;
}

/* ---- Text ----------------------------------------------------------------------------- */

static void put_number(clv_output *out, const clv_vtk_array *array, int64_t i)
{
    switch (array->type) {
    case CLV_VTK_U8:
        clv_put_i64(out, ((const unsigned char *)array->data)[i]);
        break;
    case CLV_VTK_I32:
        clv_put_i64(out, ((const int32_t *)array->data)[i]);
        break;
    case CLV_VTK_I64:
        clv_put_i64(out, ((const int64_t *)array->data)[i]);
        break;
    case CLV_VTK_F64:
        clv_put_double(out, ((const double *)array->data)[i]);
        break;
    }
}

void clv_vtk_put_text(clv_output *out, const clv_vtk_array *array)
{
    int64_t i = 0;
    for (int64_t t = 0; t < array->tuples; t++)
        for (int32_t c = 0; c < array->components; c++) {
            put_number(out, array, i++);
            clv_put_char(out, c + 1 < array->components ? ' ' : '\n');
        }
}

/* ---- Bytes ---------------------------------------------------------------------------- */

enum { room = 3 * 8 * 128 };

typedef struct byte_stream {
    clv_output *out;
    bool base64;
    size_t used;
    unsigned char bytes[room];
} byte_stream;

static void put_base64(clv_output *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[room / 3 * 4];
    size_t used = 0;
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned group = (unsigned)bytes[i] << 16;
        group |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? bytes[i + 2] : 0;
        text[used++] = digits[group >> 18];
        text[used++] = digits[group >> 12 & 63];
        text[used++] = left > 1 ? digits[group >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[group & 63] : '=';
    }
    clv_put_bytes(out, text, used);
}

static void flush(byte_stream *s)
{
    if (s->base64)
        put_base64(s->out, s->bytes, s->used);
    else
        clv_put_bytes(s->out, s->bytes, s->used);
    s->used = 0;
}

/* The bits of a number of any type. */
static uint64_t bits_of(const clv_vtk_array *array, int64_t i)
{
    uint64_t bits = 0;
    switch (array->type) {
    case CLV_VTK_U8:
        return ((const unsigned char *)array->data)[i];
    case CLV_VTK_I32:
        return (uint32_t)((const int32_t *)array->data)[i];
    case CLV_VTK_I64:
        return (uint64_t)((const int64_t *)array->data)[i];
    case CLV_VTK_F64:
        memcpy(&bits, (const double *)array->data + i, sizeof bits);
        break;
    }
    return bits;
}

static void put_bits(byte_stream *s, uint64_t bits, size_t size, bool big_endian)
{
    if (s->used + size > room)
        flush(s);
    for (size_t b = 0; b < size; b++)
        s->bytes[s->used++] =
            (unsigned char)(bits >> 8 * (big_endian ? size - 1 - b : b) & 0xff);
}

static void put_all(byte_stream *s, const clv_vtk_array *array, bool big_endian)
{
    size_t size = clv_vtk_size(array->type);
    int64_t count = numbers_of(array);
    for (int64_t i = 0; i < count; i++)
        put_bits(s, bits_of(array, i), size, big_endian);
    flush(s);
}

void clv_vtk_put_raw(clv_output *out, const clv_vtk_array *array, bool big_endian)
{
    byte_stream s = {.out = out};
    put_all(&s, array, big_endian);
}

void clv_vtk_put_block(clv_output *out, const clv_vtk_array *array, bool base64)
{
    byte_stream s = {.out = out, .base64 = base64};
    put_bits(&s, (uint64_t)numbers_of(array) * clv_vtk_size(array->type), 8, false);
    put_all(&s, array, false);
}

int64_t clv_vtk_block_size(const clv_vtk_array *array, bool base64)
{
    int64_t bytes = 8 + numbers_of(array) * (int64_t)clv_vtk_size(array->type);
    return base64 ? (bytes + 2) / 3 * 4 : bytes;
}
