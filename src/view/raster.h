/* SPDX-License-Identifier: Apache-2.0 */
/* view/raster.h - pixel graphics for drawings with too many items: squares, lines, and shaded
 * balls with a depth buffer. */
#ifndef CLV_VIEW_RASTER_H
#define CLV_VIEW_RASTER_H

#include "base/mem.h"

typedef struct clv_raster {
    int32_t width, height;
    unsigned char *rgba; /* four bytes per pixel; transparent at first */
    float *depth;        /* towards the viewer; NULL: the last item is on top */
} clv_raster;

/* Arrays from ws; the caller restores. */
cleave_status clv_raster_new(clv_raster *r, int32_t width, int32_t height, bool deep,
                             clv_ws *ws, cleave_error *err);
/* Balls and squares of these areas in pixels, count of them, may cover the picture some 64
 * times in all.  Beyond, none may have a larger radius than this: drawing then takes time
 * linear in count and the pixels. */
double clv_raster_most_radius(const clv_raster *r, int64_t count, double areas);
void clv_raster_square(clv_raster *r, double x, double y, double radius, uint32_t rgb,
                       double opacity);
/* Even-odd, by the middles of pixels: shapes side by side leave no seam.  At most 64 corners;
 * more are not drawn. */
void clv_raster_polygon(clv_raster *r, int count, const double *x, const double *y,
                        uint32_t rgb, double opacity);
/* z: depths of the ends, ignored without a depth buffer. */
void clv_raster_line(clv_raster *r, const double from[3], const double to[3], uint32_t rgb,
                     double opacity);
/* Lit from the upper left; shade: 1, or less for what is far away.  Needs a depth buffer. */
void clv_raster_ball(clv_raster *r, const double center[3], double radius, uint32_t rgb,
                     double shade);

#endif
