/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/view.h - pictures of graphs, mappings, machines, schedules and solves, and plots of
 * measured values.
 *
 * The name of the file sets the format:
 *
 *     cleave_view_graph("mesh.svg", g, m, NULL, NULL, &err);
 *
 * SVG pictures follow the viewer's light or dark theme; HTML pages work offline. */
#ifndef CLEAVE_VIEW_H
#define CLEAVE_VIEW_H

#include "cleave/graph.h"
#include "cleave/mapping.h"
#include "cleave/order.h"
#include "cleave/schedule.h"
#include "cleave/solve.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Pictures ------------------------------------------------------------------------- */

typedef struct cleave_view_options {
    size_t size;
    const char *title;         /* NULL: a description of the graph */
    const char *format;        /* NULL: from the name of the file; "svg", "html", "dot", "vtk",
                                  "vtu", "json" */
    int32_t width, height;     /* 1000, 720: pixels of an SVG picture, 200 to 4000 */
    int32_t layout;            /* 0: the coordinates of the graph, or a layout in the plane
                                  when it has none; 2, 3: a layout in as many dimensions */
    double imbalance;          /* 0.03: bound that "balanced" refers to */
    const cleave_order *order; /* NULL; without a mapping: vertices coloured by this order */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    /* A table of results for HTML pages; it replaces the metrics computed there: keys such as
     * "cost", which are shown as words, and values as text. */
    int32_t nresults; /* 0 */
    const char *const *result_keys, *const *result_values;
    /* Relative sizes of the parts of a mapping, to which its imbalance refers.  NULL: the
     * speeds of the target if there is one, else equal. */
    const double *shares;
    const double *shares_before; /* NULL; of the mapping `before` in cleave_view_remap */
} cleave_view_options;
CLEAVE_API void cleave_view_options_init(cleave_view_options *opt, size_t size);

/* Draws a graph: vertices and edges or, for a mesh in the plane, its faces.  With a mapping it
 * also shows the parts in colours (adjacent parts differ for colour-blind readers, too), the
 * boundaries between them, the cut edges, and a legend with sizes.
 *   .svg    a stand-alone picture; very large graphs are rasterised in it
 *   .html   a stand-alone page: zoom, rotation, details under the mouse, layers, and the
 *           metrics of the mapping, with t also those on the target
 *   .dot    for Graphviz
 *   .vtk, .vtu  for ParaView: coordinates, edges, weights and parts; needs coordinates
 * m and t may be NULL.  Graphs without coordinates are laid out by their distances along
 * edges.  A DAG without coordinates is drawn from left to right: levels are columns, parts are
 * bands, the critical path is highlighted, and the quotient graph is drawn as well; a large
 * DAG is drawn by ranges of levels.  O(nvtx + narc), a layout about 50 times that. */
CLEAVE_API cleave_status cleave_view_graph(const char *path, const cleave_graph *g,
                                           const cleave_mapping *m, const cleave_target *t,
                                           const cleave_view_options *opt, cleave_error *err);
/* Draws a schedule of g as a Gantt chart: a row per thread, a bar per layer, the barriers
 * between layers, the balance of each layer, and the arcs between threads; times are predicted
 * from costs (NULL: the defaults).  Formats svg, html and
 *   .json   a trace for chrome://tracing and Perfetto; a unit of cost is a nanosecond
 * opt->layout, imbalance and order are not used.  O(nvtx + narc + layers * threads). */
CLEAVE_API cleave_status cleave_view_schedule(const char *path, const cleave_graph *g,
                                              const cleave_schedule *s,
                                              const cleave_schedule_costs *costs,
                                              const cleave_view_options *opt,
                                              cleave_error *err);
/* Draws measured solves (cleave_trsv_trace) in sequence, such as the two sweeps of a factor,
 * beside the prediction of the cost model.  Formats as above; .json has two processes for
 * each. */
CLEAVE_API cleave_status cleave_view_trace(const char *path, int count,
                                           const cleave_trace *const *traces,
                                           const cleave_view_options *opt, cleave_error *err);
/* Draws two mappings of g side by side, with the migrated vertices highlighted and the
 * migration between parts as arrows.  Formats svg and html. */
CLEAVE_API cleave_status cleave_view_remap(const char *path, const cleave_graph *g,
                                           const cleave_mapping *before,
                                           const cleave_mapping *after,
                                           const cleave_view_options *opt, cleave_error *err);
/* Draws a machine: its PEs and links, or nested packages, caches and cores.  With a mapping m
 * of g it shows the load of each PE and the traffic of each link, along the routes of
 * cleave_target_metrics.max_link_load, as a heat map; with a second mapping, before, both side
 * by side on the same colour scale.  g, m and before may be NULL.  Formats svg and html.
 * opt->layout and order are not used.  CLEAVE_ERANGE above 16384 PEs. */
CLEAVE_API cleave_status cleave_view_target(const char *path, const cleave_target *t,
                                            const cleave_graph *g, const cleave_mapping *m,
                                            const cleave_mapping *before,
                                            const cleave_view_options *opt, cleave_error *err);
/* The format in which a picture of this name is written; NULL: the name implies no format. */
CLEAVE_API const char *cleave_view_format_of_path(const char *path);

/* ---- Plots ---------------------------------------------------------------------------- */

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
