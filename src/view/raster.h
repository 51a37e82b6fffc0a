/* SPDX-License-Identifier: Apache-2.0 */
/* view/raster.h - pixel graphics for drawings with too many items: squares, lines, and shaded
 * balls with a depth buffer. */
#ifndef CLV_VIEW_RASTER_H
#define CLV_VIEW_RASTER_H

#include "base/mem.h"

typedef struct clv_raster {
    int32_t width, height;
    unsigned char *rgba; /* four bytes per pixel; initially transparent */
    float *depth;        /* towards the viewer; NULL: the last item is on top */
} clv_raster;

/* Arrays from ws; the caller restores it. */
cleave_status clv_raster_new(clv_raster *r, int32_t width, int32_t height, bool deep,
                             clv_ws *ws, cleave_error *err);
/* Upper bound on the radius of count balls or squares whose areas, in pixels, sum to `areas`.
 * Within it they cover the picture at most some 64 times, so drawing is linear in count and
 * the pixels. */
double clv_raster_most_radius(const clv_raster *r, int64_t count, double areas);
void clv_raster_square(clv_raster *r, double x, double y, double radius, uint32_t rgb,
                       double opacity);
/* Even-odd rule at pixel centres: adjacent shapes leave no seam.  At most 64 corners; shapes
 * with more are not drawn. */
void clv_raster_polygon(clv_raster *r, int count, const double *x, const double *y,
                        uint32_t rgb, double opacity);
/* z: depths of the ends, ignored without a depth buffer. */
void clv_raster_line(clv_raster *r, const double from[3], const double to[3], uint32_t rgb,
                     double opacity);
/* Lit from the upper left; shade: 1, or less for distant balls.  Needs a depth buffer. */
void clv_raster_ball(clv_raster *r, const double center[3], double radius, uint32_t rgb,
                     double shade);

#endif
