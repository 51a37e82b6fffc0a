/* SPDX-License-Identifier: Apache-2.0 */
/* view/svg.c - the SVG writer: a growing buffer, escaped text, numbers by integers. */
#include "view/svg.h"

#include <string.h>

#include "base/number.h"

/* ---- The buffer ------------------------------------------------------------------------ */

static bool reserve(clv_svg *svg, int64_t more)
{
    if (svg->failed)
        return false;
    if (more <= svg->room - svg->used)
        return true;
    int64_t room = svg->used + more;
    room = room < 4096 ? 4096 : 2 * room;
    char *text = clv_realloc(svg->text, room, 1);
    if (!text) {
        svg->failed = true;
        return false;
    }
    svg->text = text;
    svg->room = room;
    return true;
}

static void put_bytes(clv_svg *svg, const char *bytes, size_t count)
{
    if (!reserve(svg, (int64_t)count))
        return;
    memcpy(svg->text + svg->used, bytes, count);
    svg->used += (int64_t)count;
}

static void put(clv_svg *svg, const char *text)
{
    put_bytes(svg, text, strlen(text));
}

/* Hundredths of a pixel are as fine as anybody sees; what no picture holds is clamped. */
static void put_number(clv_svg *svg, double value)
{
    const double limit = 1e9;
    if (!(value > -limit)) /* NaN as well */
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
    put_bytes(svg, digits, (size_t)(end - digits));
}

/* ---- Text ------------------------------------------------------------------------------ */

/* Bytes of the character at p, or 0 when no character that XML allows starts there.  The
 * text ends in a zero byte, which no continuation byte is. */
static int character_bytes(const unsigned char *p, uint32_t *code)
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

static void put_escaped(clv_svg *svg, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 0;
        int bytes = character_bytes(p, &code);
        const char *instead = bytes == 0    ? "\xef\xbf\xbd" /* U+FFFD */
                              : code == '&' ? "&amp;"
                              : code == '<' ? "&lt;"
                              : code == '>' ? "&gt;"
                              : code == '"' ? "&quot;"
                                            : NULL;
        if (instead)
            put(svg, instead);
        else
            put_bytes(svg, (const char *)p, (size_t)bytes);
        p += bytes ? bytes : 1;
    }
}

static double character_width(uint32_t code)
{
    if (code < 0x80 && strchr("iljtfI.,:;|!'()[]/ ", (int)code))
        return 0.32;
    if (code < 0x80 && strchr("mwMW%@", (int)code))
        return 0.88;
    if (code >= 'A' && code <= 'Z')
        return 0.67;
    return code < 0x2e80 ? 0.565 : 1.0; /* beyond: East Asian, as wide as high */
}

double clv_svg_text_width(const char *text, double size)
{
    double width = 0;
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 'x';
        int bytes = character_bytes(p, &code);
        width += character_width(bytes ? code : 'x');
        p += bytes ? bytes : 1;
    }
    return width * size;
}

/* ---- Elements -------------------------------------------------------------------------- */

static void put_attribute(clv_svg *svg, const char *name, double value)
{
    put(svg, " ");
    put(svg, name);
    put(svg, "=\"");
    put_number(svg, value);
    put(svg, "\"");
}

static void begin(clv_svg *svg, const char *element, const char *kind)
{
    put(svg, "<");
    put(svg, element);
    if (kind) {
        put(svg, " class=\"");
        put_escaped(svg, kind);
        put(svg, "\"");
    }
}

void clv_svg_open(clv_svg *svg, int32_t width, int32_t height, const char *title,
                  const char *style)
{
    put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    put(svg, " viewBox=\"0 0 ");
    put_number(svg, width);
    put(svg, " ");
    put_number(svg, height);
    put(svg, "\">\n<title>");
    put_escaped(svg, title ? title : "");
    put(svg, "</title>\n<style>\n");
    put(svg, style ? style : "");
    put(svg, "</style>\n");
}

cleave_status clv_svg_close(clv_svg *svg, cleave_error *err)
{
    put(svg, "</svg>\n");
    if (reserve(svg, 1))
        svg->text[svg->used] = '\0';
    return svg->failed ? clv_fail_memory(err) : CLEAVE_OK;
}

void clv_svg_free(clv_svg *svg)
{
    clv_sys_free(svg->text);
    *svg = (clv_svg){0};
}

void clv_svg_group(clv_svg *svg, const char *kind)
{
    begin(svg, "g", kind);
    put(svg, ">\n");
}

void clv_svg_group_end(clv_svg *svg)
{
    put(svg, "</g>\n");
}

void clv_svg_line(clv_svg *svg, const char *kind, double x1, double y1, double x2, double y2)
{
    begin(svg, "line", kind);
    put_attribute(svg, "x1", x1);
    put_attribute(svg, "y1", y1);
    put_attribute(svg, "x2", x2);
    put_attribute(svg, "y2", y2);
    put(svg, "/>\n");
}

void clv_svg_polyline(clv_svg *svg, const char *kind, int64_t count, const double *x,
                      const double *y)
{
    begin(svg, "polyline", kind);
    put(svg, " points=\"");
    for (int64_t i = 0; i < count; i++) {
        put(svg, i ? " " : "");
        put_number(svg, x[i]);
        put(svg, ",");
        put_number(svg, y[i]);
    }
    put(svg, "\"/>\n");
}

void clv_svg_circle(clv_svg *svg, const char *kind, double x, double y, double radius)
{
    begin(svg, "circle", kind);
    put_attribute(svg, "cx", x);
    put_attribute(svg, "cy", y);
    put_attribute(svg, "r", radius);
    put(svg, "/>\n");
}

void clv_svg_rect(clv_svg *svg, const char *kind, double x, double y, double width,
                  double height, double radius)
{
    begin(svg, "rect", kind);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    if (radius > 0)
        put_attribute(svg, "rx", radius);
    put(svg, "/>\n");
}

void clv_svg_text(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                  double degrees, const char *text)
{
    begin(svg, "text", kind);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    if (anchor != CLV_ANCHOR_START) {
        put(svg, " text-anchor=\"");
        put(svg, anchor == CLV_ANCHOR_MIDDLE ? "middle" : "end");
        put(svg, "\"");
    }
    if (degrees != 0) {
        put(svg, " transform=\"rotate(");
        put_number(svg, degrees);
        put(svg, " ");
        put_number(svg, x);
        put(svg, " ");
        put_number(svg, y);
        put(svg, ")\"");
    }
    put(svg, ">");
    put_escaped(svg, text);
    put(svg, "</text>\n");
}

/* ---- Paths ----------------------------------------------------------------------------- */

static void put_step(clv_svg *svg, const char *letter, double x, double y)
{
    put(svg, letter);
    put_number(svg, x);
    put(svg, " ");
    put_number(svg, y);
}

void clv_svg_path(clv_svg *svg, const char *kind)
{
    begin(svg, "path", kind);
    put(svg, " d=\"");
}

void clv_svg_path_move(clv_svg *svg, double x, double y)
{
    put_step(svg, "M", x, y);
}

void clv_svg_path_line(clv_svg *svg, double x, double y)
{
    put_step(svg, "L", x, y);
}

void clv_svg_path_close(clv_svg *svg)
{
    put(svg, "Z");
}

void clv_svg_path_end(clv_svg *svg)
{
    put(svg, "\"/>\n");
}
