/* SPDX-License-Identifier: Apache-2.0 */
/* view/svg.h - writes a picture as SVG text into memory.
 *
 * Shapes are put in drawing order.  Their looks come from classes, which the style sheet
 * given at the start explains: that is how a picture can follow a light or a dark theme.
 * Coordinates are pixels, rounded to hundredths and printed without the locale.  Failures
 * stick: the shape functions never fail, clv_svg_close reports the first. */
#ifndef CLV_VIEW_SVG_H
#define CLV_VIEW_SVG_H

#include "base/mem.h"

typedef struct clv_svg {
    char *text; /* what was written so far; ends in a zero byte once closed */
    int64_t used, room;
    bool failed; /* out of memory: nothing more is written */
} clv_svg;       /* zero-initialise */

typedef enum clv_anchor { CLV_ANCHOR_START, CLV_ANCHOR_MIDDLE, CLV_ANCHOR_END } clv_anchor;

/* title is what a screen reader says; style is CSS, trusted to be well formed. */
void clv_svg_open(clv_svg *svg, int32_t width, int32_t height, const char *title,
                  const char *style);
/* Ends the document.  The text then belongs to the caller until clv_svg_free. */
cleave_status clv_svg_close(clv_svg *svg, cleave_error *err);
void clv_svg_free(clv_svg *svg);

/* Everywhere: kind is the class, NULL: none.  Texts may be any bytes: markup is escaped,
 * what is no UTF-8 or no character of XML becomes U+FFFD. */
void clv_svg_group(clv_svg *svg, const char *kind);
void clv_svg_group_end(clv_svg *svg);
void clv_svg_line(clv_svg *svg, const char *kind, double x1, double y1, double x2, double y2);
void clv_svg_polyline(clv_svg *svg, const char *kind, int64_t count, const double *x,
                      const double *y);
void clv_svg_circle(clv_svg *svg, const char *kind, double x, double y, double radius);
/* radius: of the corners. */
void clv_svg_rect(clv_svg *svg, const char *kind, double x, double y, double width,
                  double height, double radius);
/* x, y: of the baseline; degrees: turned clockwise about it. */
void clv_svg_text(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                  double degrees, const char *text);

/* A path: begin, then moves and lines, an optional close of the current shape, end. */
void clv_svg_path(clv_svg *svg, const char *kind);
void clv_svg_path_move(clv_svg *svg, double x, double y);
void clv_svg_path_line(clv_svg *svg, double x, double y);
void clv_svg_path_close(clv_svg *svg);
void clv_svg_path_end(clv_svg *svg);

/* About how wide a text is in a common sans-serif font of this size; used to lay out. */
double clv_svg_text_width(const char *text, double size);

#endif
