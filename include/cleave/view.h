/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/view.h - graphs and mappings as pictures; a part of cleave/cleave.h. */
#ifndef CLEAVE_VIEW_H
#define CLEAVE_VIEW_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_view_options {
    size_t size;
    const char *title;         /* NULL: what the graph is */
    const char *format;        /* NULL: from the name of the file; "svg", "html", "dot", "vtk",
                                  "vtu", "json" */
    int32_t width, height;     /* 1000, 720: pixels of an SVG picture, 200 to 4000 */
    int32_t layout;            /* 0: the coordinates of the graph, or a layout in the plane
                                  when it has none; 2, 3: a layout in as many dimensions */
    double imbalance;          /* 0.03: bound that "balanced" refers to */
    const cleave_order *order; /* NULL; without a mapping: colours run along this order */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    /* A table of results for pages, which then do without metrics of their own: names such as
     * "cost", which become words, and values as texts. */
    int32_t nresults; /* 0 */
    const char *const *result_keys, *const *result_values;
    /* Relative sizes of the parts of a mapping, to which its imbalance refers.  NULL: the
     * speeds of the target that is given, otherwise equal. */
    const double *shares;
    const double *shares_before; /* NULL; of the mapping before, in cleave_view_remap */
} cleave_view_options;
CLEAVE_API void cleave_view_options_init(cleave_view_options *opt, size_t size);

/* Draws a graph: vertices and edges or, of a mesh in the plane, its faces; with a mapping its
 * parts coloured, such that adjacent ones differ for colour-blind readers too, the borders
 * between them, the edges that are cut, and a legend with sizes.
 *   .svg    one picture that opens anywhere; what is very large becomes pixels in it
 *   .html   a page that works from disk: zoom, turn, what is under the mouse, layers, and the
 *           metrics of the mapping, with t also those on the target
 *   .dot    for Graphviz
 *   .vtk, .vtu  for ParaView: coordinates, edges, weights and parts; needs coordinates
 * m and t may be NULL.  Graphs without coordinates are laid out by their distances along
 * edges.  A DAG without coordinates runs from left to right: levels are columns, parts are
 * bands, the critical path stands out, and its quotient is drawn as well; a large one is drawn
 * by ranges of levels.  O(nvtx + narc), a layout about 50 times that. */
CLEAVE_API cleave_status cleave_view_graph(const char *path, const cleave_graph *g,
                                           const cleave_mapping *m, const cleave_target *t,
                                           const cleave_view_options *opt, cleave_error *err);
/* A schedule of g as a Gantt chart: a row per thread, a bar per layer, the barriers between
 * layers, how balanced each is, and the arcs that cross threads; as costs predict it (NULL:
 * the defaults).  Formats svg, html and
 *   .json   a trace that chrome://tracing and Perfetto open; a unit of cost is a nanosecond
 * Of opt, layout, imbalance and order are not used.  O(nvtx + narc + layers * threads). */
CLEAVE_API cleave_status cleave_view_schedule(const char *path, const cleave_graph *g,
                                              const cleave_schedule *s,
                                              const cleave_schedule_costs *costs,
                                              const cleave_view_options *opt,
                                              cleave_error *err);
/* Solves as they went (cleave_trsv_trace), one after the other such as the two sweeps of a
 * factor, beside what the cost model expected.  Formats as above; in .json there are two
 * processes for each. */
CLEAVE_API cleave_status cleave_view_trace(const char *path, int count,
                                           const cleave_trace *const *traces,
                                           const cleave_view_options *opt, cleave_error *err);
/* Two mappings of g side by side, what moved highlighted, and how much moved from where to
 * where as arrows.  Formats svg and html. */
CLEAVE_API cleave_status cleave_view_remap(const char *path, const cleave_graph *g,
                                           const cleave_mapping *before,
                                           const cleave_mapping *after,
                                           const cleave_view_options *opt, cleave_error *err);
/* A machine: its PEs and links, or packages, caches and cores within each other.  With a
 * mapping m of g the load of each PE and the traffic of each link, along the routes of
 * cleave_target_metrics.max_link_load, as heat; with another one, before, both side by side in
 * the same colours.  g, m and before may be NULL.  Formats svg and html.  Of opt, layout and
 * order are not used.  CLEAVE_ERANGE: more than 16384 PEs. */
CLEAVE_API cleave_status cleave_view_target(const char *path, const cleave_target *t,
                                            const cleave_graph *g, const cleave_mapping *m,
                                            const cleave_mapping *before,
                                            const cleave_view_options *opt, cleave_error *err);
/* The format that a picture of this name is written in; NULL: the name does not tell. */
CLEAVE_API const char *cleave_view_format_of_path(const char *path);

#ifdef __cplusplus
}
#endif
#endif
