/* SPDX-License-Identifier: Apache-2.0 */
/* api/view_charts.h - pictures that are no graphs: what their calls have in common. */
#ifndef CLV_API_VIEW_CHARTS_H
#define CLV_API_VIEW_CHARTS_H

#include "api/view.h"
#include "graph/schedule.h"
#include "view/gantt.h"

typedef struct clv_view_chart {
    const char *path;
    cleave_view_options opt;
    const char *format; /* one of those allowed */
    clv_context ctx;
    clv_arena arena; /* owns what the picture is made of */
} clv_view_chart;

/* formats: names that this kind of picture has, NULL at the end.  On success to be closed. */
cleave_status clv_view_chart_open(clv_view_chart *c, const char *path,
                                  const cleave_view_options *opt, const char *const *formats,
                                  cleave_error *err);
void clv_view_chart_close(clv_view_chart *c);

/* Figures one above the other, each as high as its share; all of them of one width. */
cleave_status clv_view_chart_svg(clv_view_chart *c, const char *title, int count,
                                 const clv_figure *figure, const double *share,
                                 cleave_error *err);
/* Charts as a trace. */
cleave_status clv_view_chart_trace(clv_view_chart *c, const char *title, int count,
                                   const clv_gantt *gantt, cleave_error *err);

/* Numbers as the cells of a table: nrows * ncolumns, from the arena. */
cleave_status clv_view_chart_cells(clv_view_chart *c, int ncolumns, int64_t nrows,
                                   const double *value, const char *const **cell,
                                   cleave_error *err);

/* api/view_gantt.c: the chart of a schedule, by its costs; of very many layers several share a
 * bar.  Everything from the arena. */
cleave_status clv_view_gantt_schedule(clv_gantt *out, clv_view_chart *c, const clv_graph *g,
                                      const clv_schedule *s,
                                      const cleave_schedule_costs *costs, cleave_error *err);

#endif
