/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/plot.h - plots as SVG pictures; a part of cleave/cleave.h. */
#ifndef CLEAVE_PLOT_H
#define CLEAVE_PLOT_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How the points of a series are connected, in the order of the arrays. */
typedef enum cleave_line {
    CLEAVE_LINE_NONE = 0,
    CLEAVE_LINE_STRAIGHT = 1,
    CLEAVE_LINE_STEPS = 2 /* horizontal to the x of the next point, then vertical to it */
} cleave_line;

/* A series of points.  The arrays are read while the plot is written, and not copied. */
typedef struct cleave_series {
    size_t size;
    const char *name;          /* NULL: not in the legend */
    int32_t count;             /* 0 */
    const double *x, *y;       /* count each, finite */
    const char *const *labels; /* NULL, or count texts drawn beside the points; a NULL
                                  element: no text */
    cleave_line line;          /* CLEAVE_LINE_NONE */
    int32_t color; /* 0: the next of the palette; 1 to 8: palette index; -1: grey */
    int dashed;    /* 0; 1: line dashed, points hollow */
    int markers;   /* 1; 0: a line without points */
} cleave_series;
CLEAVE_API void cleave_series_init(cleave_series *series, size_t size);

typedef struct cleave_plot_options {
    size_t size;
    const char *title, *subtitle;  /* NULL: none; subtitle may have several lines */
    const char *x_label, *y_label; /* NULL: none */
    int log_x, log_y;              /* 0: linear; 1: logarithmic, every value > 0 */
    double mark_x, mark_y; /* 0: none; else a thin line across the plot at this value */
    int32_t width, height; /* 720, 480; pixels, 200 to 4000 */
} cleave_plot_options;
CLEAVE_API void cleave_plot_options_init(cleave_plot_options *opt, size_t size);

/* Draws nseries series (with the same `size`) and writes the plot as SVG; opt NULL: defaults.
 * The picture follows the viewer's light or dark theme.  Texts are UTF-8.
 * O(points + labels * (labels + points)). */
CLEAVE_API cleave_status cleave_plot_write(const char *path, int32_t nseries,
                                           const cleave_series *series,
                                           const cleave_plot_options *opt, cleave_error *err);
/* The performance profile [Dolan, More 2002] of ntool tools on ncase cases: for each tool the
 * share of cases on which it is within a factor of the best tool.  value[t * ncase + i] > 0 is
 * the result of tool t on case i, smaller is better; infinity or NaN: it failed.  log_y and
 * the marks of opt are not used; the default x label is "factor to the best". */
CLEAVE_API cleave_status cleave_plot_write_profile(const char *path, int32_t ntool,
                                                   const char *const *names, int32_t ncase,
                                                   const double *value,
                                                   const cleave_plot_options *opt,
                                                   cleave_error *err);

#ifdef __cplusplus
}
#endif
#endif
