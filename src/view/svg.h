/* SPDX-License-Identifier: Apache-2.0 */
/* view/svg.h - writes a picture as SVG text into memory.
 *
 * Shapes are put in drawing order.  Their looks come from classes, which the style sheet
 * given at the start explains: that is how a picture can follow a light or a dark theme.
 * Coordinates are pixels, rounded to hundredths and printed without the locale.  Failures
 * stick: the shape functions never fail, clv_svg_close reports the first. */
#ifndef CLV_VIEW_SVG_H
#define CLV_VIEW_SVG_H

#include "view/buffer.h"

typedef clv_buffer clv_svg; /* zero-initialise; ends in a zero byte once closed */

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
/* The same with more: a label that people and scripts find, CSS for the whole group, which is
 * trusted to be well formed; each may be NULL. */
void clv_svg_group_with(clv_svg *svg, const char *kind, const char *label, const char *style);
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

/* A picture of pixels, PNG in memory, over the rectangle given. */
void clv_svg_image(clv_svg *svg, double x, double y, double width, double height,
                   const void *png, int64_t bytes);

/* A path: begin, then moves and lines, an optional close of the current shape, end. */
void clv_svg_path(clv_svg *svg, const char *kind);
void clv_svg_path_move(clv_svg *svg, double x, double y);
void clv_svg_path_line(clv_svg *svg, double x, double y);
/* A line from where the path is, so far to the right and down. */
void clv_svg_path_step(clv_svg *svg, double dx, double dy);
void clv_svg_path_close(clv_svg *svg);
/* A full circle as two arcs. */
void clv_svg_path_dot(clv_svg *svg, double x, double y, double radius);
void clv_svg_path_end(clv_svg *svg);

/* About how wide a text is in a common sans-serif font of this size; used to lay out. */
double clv_svg_text_width(const char *text, double size);

#endif
