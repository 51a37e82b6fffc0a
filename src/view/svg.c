/* SPDX-License-Identifier: Apache-2.0 */
/* view/svg.c - the SVG writer: elements with classes, put into a buffer. */
#include "view/svg.h"

#include <string.h>

/* ---- Text ------------------------------------------------------------------------------ */

static double character_width(uint32_t code)
{
    if (code < 0x80 && strchr("iljtfI.,:;|!'()[]/ ", (int)code))
        return 0.32;
    if (code < 0x80 && strchr("mwMW%@", (int)code))
        return 0.88;
    if (code >= 'A' && code <= 'Z')
        return 0.67;
    return code < 0x2e80 ? 0.565 : 1.0; /* East Asian characters are as wide as high */
}

double clv_svg_text_width(const char *text, double size)
{
    double width = 0;
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 'x';
        int bytes = clv_buffer_character(p, &code);
        width += character_width(bytes ? code : 'x');
        p += bytes ? bytes : 1;
    }
    return width * size;
}

/* ---- Elements -------------------------------------------------------------------------- */

static void put_attribute(clv_svg *svg, const char *name, double value)
{
    clv_buffer_text(svg, " ");
    clv_buffer_text(svg, name);
    clv_buffer_text(svg, "=\"");
    clv_buffer_number(svg, value);
    clv_buffer_text(svg, "\"");
}

static void begin(clv_svg *svg, const char *element, const char *kind)
{
    clv_buffer_text(svg, "<");
    clv_buffer_text(svg, element);
    if (kind) {
        clv_buffer_text(svg, " class=\"");
        clv_buffer_escaped(svg, kind);
        clv_buffer_text(svg, "\"");
    }
}

void clv_svg_open(clv_svg *svg, int32_t width, int32_t height, const char *title,
                  const char *style)
{
    clv_buffer_text(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    clv_buffer_text(svg, " viewBox=\"0 0 ");
    clv_buffer_number(svg, width);
    clv_buffer_text(svg, " ");
    clv_buffer_number(svg, height);
    clv_buffer_text(svg, "\">\n<title>");
    clv_buffer_escaped(svg, title ? title : "");
    clv_buffer_text(svg, "</title>\n<style>\n");
    clv_buffer_text(svg, style ? style : "");
    clv_buffer_text(svg, "</style>\n");
}

cleave_status clv_svg_close(clv_svg *svg, cleave_error *err)
{
    clv_buffer_text(svg, "</svg>\n");
    clv_buffer_bytes(svg, "", 1);
    if (!svg->failed)
        svg->used--;
    return svg->failed ? clv_fail_memory(err) : CLEAVE_OK;
}

void clv_svg_free(clv_svg *svg)
{
    clv_buffer_free(svg);
}

void clv_svg_group(clv_svg *svg, const char *kind)
{
    begin(svg, "g", kind);
    clv_buffer_text(svg, ">\n");
}

void clv_svg_group_with(clv_svg *svg, const char *kind, const char *label, const char *style)
{
    begin(svg, "g", kind);
    if (label) {
        clv_buffer_text(svg, " aria-label=\"");
        clv_buffer_escaped(svg, label);
        clv_buffer_text(svg, "\"");
    }
    if (style) {
        clv_buffer_text(svg, " style=\"");
        clv_buffer_escaped(svg, style);
        clv_buffer_text(svg, "\"");
    }
    clv_buffer_text(svg, ">\n");
}

void clv_svg_group_end(clv_svg *svg)
{
    clv_buffer_text(svg, "</g>\n");
}

void clv_svg_line(clv_svg *svg, const char *kind, double x1, double y1, double x2, double y2)
{
    begin(svg, "line", kind);
    put_attribute(svg, "x1", x1);
    put_attribute(svg, "y1", y1);
    put_attribute(svg, "x2", x2);
    put_attribute(svg, "y2", y2);
    clv_buffer_text(svg, "/>\n");
}

void clv_svg_polyline(clv_svg *svg, const char *kind, int64_t count, const double *x,
                      const double *y)
{
    begin(svg, "polyline", kind);
    clv_buffer_text(svg, " points=\"");
    for (int64_t i = 0; i < count; i++) {
        clv_buffer_text(svg, i ? " " : "");
        clv_buffer_number(svg, x[i]);
        clv_buffer_text(svg, ",");
        clv_buffer_number(svg, y[i]);
    }
    clv_buffer_text(svg, "\"/>\n");
}

void clv_svg_circle(clv_svg *svg, const char *kind, double x, double y, double radius)
{
    begin(svg, "circle", kind);
    put_attribute(svg, "cx", x);
    put_attribute(svg, "cy", y);
    put_attribute(svg, "r", radius);
    clv_buffer_text(svg, "/>\n");
}

static void put_rect(clv_svg *svg, clv_rect at)
{
    put_attribute(svg, "x", at.x);
    put_attribute(svg, "y", at.y);
    put_attribute(svg, "width", at.width);
    put_attribute(svg, "height", at.height);
}

void clv_svg_rect(clv_svg *svg, const char *kind, clv_rect at, double radius)
{
    begin(svg, "rect", kind);
    put_rect(svg, at);
    if (radius > 0)
        put_attribute(svg, "rx", radius);
    clv_buffer_text(svg, "/>\n");
}

/* The start tag of a text, still open for further attributes. */
static void begin_text(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor)
{
    begin(svg, "text", kind);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    if (anchor != CLV_ANCHOR_START) {
        clv_buffer_text(svg, " text-anchor=\"");
        clv_buffer_text(svg, anchor == CLV_ANCHOR_MIDDLE ? "middle" : "end");
        clv_buffer_text(svg, "\"");
    }
}

static void end_text(clv_svg *svg, const char *text)
{
    clv_buffer_text(svg, ">");
    clv_buffer_escaped(svg, text);
    clv_buffer_text(svg, "</text>\n");
}

void clv_svg_text(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                  const char *text)
{
    begin_text(svg, kind, x, y, anchor);
    end_text(svg, text);
}

void clv_svg_text_upward(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                         const char *text)
{
    begin_text(svg, kind, x, y, anchor);
    clv_buffer_text(svg, " transform=\"rotate(-90 ");
    clv_buffer_number(svg, x);
    clv_buffer_text(svg, " ");
    clv_buffer_number(svg, y);
    clv_buffer_text(svg, ")\"");
    end_text(svg, text);
}

void clv_svg_image(clv_svg *svg, clv_rect at, const void *png, int64_t bytes)
{
    begin(svg, "image", NULL);
    put_rect(svg, at);
    clv_buffer_text(svg, " href=\"data:image/png;base64,");
    clv_buffer_base64(svg, png, bytes);
    clv_buffer_text(svg, "\"/>\n");
}

/* ---- Paths ----------------------------------------------------------------------------- */

static void put_step(clv_svg *svg, const char *letter, double x, double y)
{
    clv_buffer_text(svg, letter);
    clv_buffer_number(svg, x);
    clv_buffer_text(svg, " ");
    clv_buffer_number(svg, y);
}

void clv_svg_path(clv_svg *svg, const char *kind)
{
    begin(svg, "path", kind);
    clv_buffer_text(svg, " d=\"");
}

void clv_svg_path_move(clv_svg *svg, double x, double y)
{
    put_step(svg, "M", x, y);
}

void clv_svg_path_line(clv_svg *svg, double x, double y)
{
    put_step(svg, "L", x, y);
}

void clv_svg_path_step(clv_svg *svg, double dx, double dy)
{
    put_step(svg, "l", dx, dy);
}

void clv_svg_path_close(clv_svg *svg)
{
    clv_buffer_text(svg, "Z");
}

void clv_svg_path_dot(clv_svg *svg, double x, double y, double radius)
{
    put_step(svg, "M", x - radius, y);
    for (int half = 0; half < 2; half++) {
        put_step(svg, "a", radius, radius);
        clv_buffer_text(svg, " 0 1 0 ");
        clv_buffer_number(svg, half ? -2 * radius : 2 * radius);
        clv_buffer_text(svg, " 0");
    }
}

void clv_svg_path_end(clv_svg *svg)
{
    clv_buffer_text(svg, "\"/>\n");
}
