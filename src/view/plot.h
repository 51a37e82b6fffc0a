/* SPDX-License-Identifier: Apache-2.0 */
/* view/plot.h - charts: points and lines over two axes, with a legend and labels. */
#ifndef CLV_VIEW_PLOT_H
#define CLV_VIEW_PLOT_H

#include "view/svg.h"

/* What the axes show; the values alone decide where lo >= hi. */
typedef struct clv_plot_range {
    double x_lo, x_hi, y_lo, y_hi;
} clv_plot_range;

/* Draws a whole picture, from clv_svg_open to clv_svg_close.  The values must be finite, and
 * positive on logarithmic axes: CLEAVE_EINVAL names the first that is not.  Scratch from ws,
 * given back.  O(points + labels * (labels + points)). */
cleave_status clv_plot_draw(clv_svg *svg, int32_t nseries, const cleave_series *series,
                            const cleave_plot_options *opt, const clv_plot_range *range,
                            clv_ws *ws, cleave_error *err);

/* The performance profile of ntool tools [Dolan, More 2002] as clv_plot_draw's picture;
 * see cleave_plot_write_profile. */
cleave_status clv_plot_profile(clv_svg *svg, int32_t ntool, const char *const *names,
                               int32_t ncase, const double *value,
                               const cleave_plot_options *opt, clv_ws *ws, cleave_error *err);

/* The CSS of every chart (view/plot_style.c). */
extern const char clv_plot_style[];

#endif
