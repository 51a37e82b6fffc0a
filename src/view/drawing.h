/* SPDX-License-Identifier: Apache-2.0 */
/* view/drawing.h - a picture of any kind that becomes one file, and one function per kind.
 *
 * The functions draw into memory; they do not open files.  The caller checks arguments. */
#ifndef CLV_VIEW_DRAWING_H
#define CLV_VIEW_DRAWING_H

#include "base/context.h"
#include "graph/graph.h"
#include "graph/mapping.h"
#include "graph/schedule.h"
#include "target/target.h"
#include "view/gantt.h"
#include "view/page.h"

typedef struct clv_drawing {
    cleave_view_options opt; /* checked; fields missing in the caller's struct have their
                                defaults */
    const char *format;      /* "svg", "html" or, for charts over time, "json" */
    clv_context ctx;
    clv_arena arena; /* owns the contents of the picture */
    clv_buffer out;  /* the bytes of the file */
} clv_drawing;

/* The caller closes the drawing after success. */
cleave_status clv_drawing_open(clv_drawing *d, const cleave_view_options *opt,
                               const char *format, cleave_error *err);
void clv_drawing_close(clv_drawing *d);

/* ---- The kinds of pictures: each fills d->out ------------------------------------------- */

/* A graph; m and t may be NULL. evaluate: options of the metrics, unused without m
 * (view/graph_view.c). */
cleave_status clv_draw_graph(clv_drawing *d, const clv_graph *g, const clv_mapping *m,
                             const clv_target *t, const cleave_evaluate_options *evaluate,
                             cleave_error *err);
/* Two mappings of a graph, before and after, and the migration; evaluate: options for each
 * (view/remap_view.c). */
cleave_status clv_draw_remap(clv_drawing *d, const clv_graph *g, const clv_mapping *const m[2],
                             const cleave_evaluate_options evaluate[2], cleave_error *err);
/* A machine with the load of m, or without load if m is NULL; before may be NULL
 * (view/target_view.c). */
cleave_status clv_draw_target(clv_drawing *d, const clv_target *t, const clv_graph *g,
                              const clv_mapping *m, const clv_mapping *before,
                              cleave_error *err);
/* A schedule of g that has been checked (view/schedule_view.c). */
cleave_status clv_draw_schedule(clv_drawing *d, const clv_graph *g, const clv_schedule *s,
                                const cleave_schedule_costs *costs, cleave_error *err);
/* 1 to clv_most_traces solves (view/trace_view.c). */
enum { clv_most_traces = 4 };
cleave_status clv_draw_traces(clv_drawing *d, int count, const cleave_trace *const *trace,
                              cleave_error *err);

/* ---- Common helpers --------------------------------------------------------------------- */

/* Figures one below the other, with heights in proportion to share; all have the same width.
 */
cleave_status clv_drawing_svg(clv_drawing *d, const char *title, int count,
                              const clv_figure *figure, const double *share,
                              cleave_error *err);
/* Writes the page to the file if status is CLEAVE_OK; frees it in any case.  Returns status.
 */
cleave_status clv_drawing_page(clv_drawing *d, clv_page *page, cleave_status status);
/* Charts as a JSON trace. */
cleave_status clv_drawing_trace(clv_drawing *d, const char *title, int count,
                                const clv_gantt *gantt, cleave_error *err);
/* The table of the results in the options; false: there are no results. */
bool clv_drawing_results(clv_page *page, const cleave_view_options *opt);
/* Formats numbers as cells of a table: nrows * ncolumns, from the arena. */
cleave_status clv_drawing_cells(clv_drawing *d, int ncolumns, int64_t nrows,
                                const double *value, const char *const **cell,
                                cleave_error *err);
/* "2.9 %"; to has CLV_PERCENT_ROOM bytes.  An infinite share is "infinite". */
enum { CLV_PERCENT_ROOM = 32 };
void clv_print_percent(char *to, double share);

/* The chart of a schedule according to its costs; if there are very many layers, several share
 * a bar.  Arrays from the arena (view/schedule_gantt.c). */
cleave_status clv_schedule_gantt(clv_gantt *out, clv_drawing *d, const clv_graph *g,
                                 const clv_schedule *s, const cleave_schedule_costs *costs,
                                 cleave_error *err);

#endif
