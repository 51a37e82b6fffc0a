/* SPDX-License-Identifier: Apache-2.0 */
/* view/buffer.c - a growing buffer; escaped text, numbers by integers, base64. */
#include "view/buffer.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

void clv_buffer_free(clv_buffer *b)
{
    clv_sys_free(b->text);
    *b = (clv_buffer){0};
}

static bool reserve(clv_buffer *b, int64_t more)
{
    if (b->failed)
        return false;
    if (more <= b->room - b->used)
        return true;
    int64_t room = b->used + more;
    room = room < 4096 ? 4096 : 2 * room;
    char *text = clv_realloc(b->text, room, 1);
    if (!text) {
        b->failed = true;
        return false;
    }
    b->text = text;
    b->room = room;
    return true;
}

void clv_buffer_bytes(clv_buffer *b, const void *bytes, size_t count)
{
    if (!reserve(b, (int64_t)count))
        return;
    memcpy(b->text + b->used, bytes, count);
    b->used += (int64_t)count;
}

void clv_buffer_text(clv_buffer *b, const char *text)
{
    clv_buffer_bytes(b, text, strlen(text));
}

/* ---- Numbers --------------------------------------------------------------------------- */

void clv_buffer_int(clv_buffer *b, int64_t value)
{
    char digits[CLV_NUMBER_SPACE];
    clv_buffer_bytes(b, digits, (size_t)(clv_print_i64(digits, value) - digits));
}

/* A precision of a hundredth of a pixel is enough; values outside any picture are clamped. */
void clv_buffer_number(clv_buffer *b, double value)
{
    const double limit = 1e9;
    if (!(value > -limit)) /* also false for NaN */
        value = value <= -limit ? -limit : 0;
    if (value > limit)
        value = limit;
    int64_t hundredths = (int64_t)(value * 100 + (value < 0 ? -0.5 : 0.5));
    char digits[CLV_NUMBER_SPACE + 4], *end = digits;
    if (hundredths < 0) {
        *end++ = '-';
        hundredths = -hundredths;
    }
    end = clv_print_i64(end, hundredths / 100);
    int fraction = (int)(hundredths % 100);
    if (fraction) {
        *end++ = '.';
        *end++ = (char)('0' + fraction / 10);
        if (fraction % 10)
            *end++ = (char)('0' + fraction % 10);
    }
    clv_buffer_bytes(b, digits, (size_t)(end - digits));
}

void clv_buffer_real(clv_buffer *b, double value)
{
    char digits[CLV_NUMBER_SPACE];
    if (isfinite(value))
        clv_buffer_bytes(b, digits, (size_t)(clv_print_double(digits, value) - digits));
    else
        clv_buffer_text(b, "null");
}

/* ---- Text ------------------------------------------------------------------------------ */

int clv_buffer_character(const unsigned char *p, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int bytes = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (bytes == 0 || p[0] > 0xf4)
        return 0;
    *code = bytes == 1 ? p[0] : p[0] & (0x7fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    bool control = *code < 0x20 && *code != '\t' && *code != '\n' && *code != '\r';
    if (*code < smallest[bytes] || *code > 0x10ffff || surrogate || control ||
        (*code & ~1u) == 0xfffe)
        return 0;
    return bytes;
}

void clv_buffer_escaped(clv_buffer *b, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 0;
        int bytes = clv_buffer_character(p, &code);
        const char *instead = bytes == 0    ? "\xef\xbf\xbd" /* U+FFFD */
                              : code == '&' ? "&amp;"
                              : code == '<' ? "&lt;"
                              : code == '>' ? "&gt;"
                              : code == '"' ? "&quot;"
                                            : NULL;
        if (instead)
            clv_buffer_text(b, instead);
        else
            clv_buffer_bytes(b, (const char *)p, (size_t)bytes);
        p += bytes ? bytes : 1;
    }
}

/* Angle brackets and ampersands are escaped as well, so that no text can end a script element.
 */
void clv_buffer_json(clv_buffer *b, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    if (!text) {
        clv_buffer_text(b, "null");
        return;
    }
    clv_buffer_text(b, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t code = 0;
        int bytes = clv_buffer_character(p, &code);
        if (bytes == 0) {
            clv_buffer_text(b, "\\ufffd");
        } else if (code < 0x20 || strchr("\"\\<>&", code < 0x80 ? (int)code : 'x')) {
            char escape[] = "\\u0000";
            escape[4] = hex[code >> 4 & 15];
            escape[5] = hex[code & 15];
            clv_buffer_text(b, escape);
        } else {
            clv_buffer_bytes(b, p, (size_t)bytes);
        }
        p += bytes ? bytes : 1;
    }
    clv_buffer_text(b, "\"");
}

/* ---- Bytes ----------------------------------------------------------------------------- */

void clv_buffer_base64(clv_buffer *b, const void *bytes, int64_t count)
{
    static const char letter[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    if (!reserve(b, (count + 2) / 3 * 4))
        return;
    char *to = b->text + b->used;
    for (int64_t i = 0; i < count; i += 3) {
        int left = count - i < 3 ? (int)(count - i) : 3;
        uint32_t three = (uint32_t)from[i] << 16;
        if (left > 1)
            three |= (uint32_t)from[i + 1] << 8;
        if (left > 2)
            three |= from[i + 2];
        *to++ = letter[three >> 18];
        *to++ = letter[three >> 12 & 63];
        *to++ = left > 1 ? letter[three >> 6 & 63] : '=';
        *to++ = left > 2 ? letter[three & 63] : '=';
    }
    b->used = to - b->text;
}

void clv_buffer_align(clv_buffer *b, int64_t unit)
{
    static const char zeros[16];
    int64_t over = b->used % unit;
    if (over)
        clv_buffer_bytes(b, zeros, (size_t)(unit - over));
}
