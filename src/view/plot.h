/* SPDX-License-Identifier: Apache-2.0 */
/* view/plot.h - charts: points and lines over two axes, with a legend and labels. */
#ifndef CLV_VIEW_PLOT_H
#define CLV_VIEW_PLOT_H

#include "view/svg.h"

/* The ranges of the axes; if lo >= hi, the range is that of the values. */
typedef struct clv_plot_range {
    double x_lo, x_hi, y_lo, y_hi;
} clv_plot_range;

typedef struct clv_plot {
    int32_t nseries;
    const cleave_series *series;
    const cleave_plot_options *opt;
    clv_plot_range range;
} clv_plot;

/* Draws a whole picture, from clv_svg_open to clv_svg_close.  Values must be finite, and
 * positive on logarithmic axes: CLEAVE_EINVAL reports the first that is not.  Scratch from ws
 * is released.  O(points + labels * (labels + points)). */
cleave_status clv_plot_draw(clv_svg *svg, const clv_plot *plot, clv_ws *ws, cleave_error *err);

/* Results of tools on cases; smaller values are better. */
typedef struct clv_tool_results {
    int32_t ntool, ncase;
    const char *const *name; /* by tool; NULL: no names */
    const double *value;     /* [tool][case]; not finite: the tool failed */
} clv_tool_results;

/* Draws the performance profile of the tools [Dolan, More 2002] with clv_plot_draw; see
 * cleave_plot_write_profile. */
cleave_status clv_plot_profile(clv_svg *svg, const clv_tool_results *results,
                               const cleave_plot_options *opt, clv_ws *ws, cleave_error *err);

/* The CSS of every chart (view/plot_style.c). */
extern const char clv_plot_style[];

#endif
