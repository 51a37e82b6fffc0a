/* SPDX-License-Identifier: Apache-2.0 */
/* view/svg.h - writes a picture as SVG text into memory.
 *
 * Shapes are added in drawing order.  Their style comes from classes, which the style sheet
 * given at the start defines: a picture can thus follow a light or a dark theme.  Coordinates
 * are pixels, rounded to hundredths and printed independent of the locale.  Failures are kept:
 * the shape functions never fail, clv_svg_close reports the first. */
#ifndef CLV_VIEW_SVG_H
#define CLV_VIEW_SVG_H

#include "view/buffer.h"

typedef clv_buffer clv_svg; /* zero-initialise; zero-terminated once closed */

typedef enum clv_anchor { CLV_ANCHOR_START, CLV_ANCHOR_MIDDLE, CLV_ANCHOR_END } clv_anchor;

/* title is for screen readers; style is CSS, which is not checked. */
void clv_svg_open(clv_svg *svg, int32_t width, int32_t height, const char *title,
                  const char *style);
/* Closes the document.  The caller owns the text until clv_svg_free. */
cleave_status clv_svg_close(clv_svg *svg, cleave_error *err);
void clv_svg_free(clv_svg *svg);

/* In all functions kind is the class, NULL: none.  Texts may have any bytes: markup is
 * escaped, invalid UTF-8 and characters that XML does not allow become U+FFFD. */
void clv_svg_group(clv_svg *svg, const char *kind);
void clv_svg_group_end(clv_svg *svg);
/* The same with a label for people and scripts, and CSS for the whole group, which is not
 * checked; each may be NULL. */
void clv_svg_group_with(clv_svg *svg, const char *kind, const char *label, const char *style);
void clv_svg_line(clv_svg *svg, const char *kind, double x1, double y1, double x2, double y2);
void clv_svg_polyline(clv_svg *svg, const char *kind, int64_t count, const double *x,
                      const double *y);
void clv_svg_circle(clv_svg *svg, const char *kind, double x, double y, double radius);
/* x, y: upper left corner. */
typedef struct clv_rect {
    double x, y, width, height;
} clv_rect;
/* radius: of the rounded corners. */
void clv_svg_rect(clv_svg *svg, const char *kind, clv_rect at, double radius);
/* x, y: of the baseline. */
void clv_svg_text(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                  const char *text);
/* The same, reading upwards. */
void clv_svg_text_upward(clv_svg *svg, const char *kind, double x, double y, clv_anchor anchor,
                         const char *text);

/* A PNG image in memory, drawn over the given rectangle. */
void clv_svg_image(clv_svg *svg, clv_rect at, const void *png, int64_t bytes);

/* A path: begin, then moves and lines, optionally closing the current shape, end. */
void clv_svg_path(clv_svg *svg, const char *kind);
void clv_svg_path_move(clv_svg *svg, double x, double y);
void clv_svg_path_line(clv_svg *svg, double x, double y);
/* A line by a relative step to the right and down. */
void clv_svg_path_step(clv_svg *svg, double dx, double dy);
void clv_svg_path_close(clv_svg *svg);
/* A full circle as two arcs. */
void clv_svg_path_dot(clv_svg *svg, double x, double y, double radius);
void clv_svg_path_end(clv_svg *svg);

/* Approximate width of a text in a common sans-serif font of this size, for layout. */
double clv_svg_text_width(const char *text, double size);

#endif
