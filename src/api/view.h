/* SPDX-License-Identifier: Apache-2.0 */
/* api/view.h - what a call of cleave_view_graph asks for, checked. */
#ifndef CLV_API_VIEW_H
#define CLV_API_VIEW_H

#include "base/context.h"
#include "graph/graph.h"
#include "graph/mapping.h"
#include "target/target.h"
#include "view/graph_picture.h"
#include "view/page.h"

typedef struct clv_view_request {
    const char *path;
    const clv_graph *g;
    const clv_mapping *m;    /* or NULL */
    const clv_target *t;     /* or NULL */
    cleave_view_options opt; /* defaults where the caller's struct ends */
    clv_context *ctx;
    clv_arena *arena;
    cleave_metrics metrics; /* of m */
    clv_figure figure;
    clv_figure more; /* a second one: the quotient of a DAG */
    bool has_more;
} clv_view_request;

/* The whole page: the figure, then the metrics of graph, mapping and target, then the parts
 * (api/view_page.c). */
cleave_status clv_view_page(clv_page *page, clv_view_request *v, cleave_error *err);

/* A table of the metrics of a mapping on its target. */
cleave_status clv_view_metrics_on(clv_page *page, const clv_graph *g, const clv_mapping *m,
                                  const clv_target *t, cleave_error *err);

/* The results of the options; false: there are none. */
bool clv_view_results(clv_page *page, const cleave_view_options *opt);

/* Options that are plausible; given NULL: the defaults. */
cleave_status clv_view_options_take(cleave_view_options *opt, const cleave_view_options *given,
                                    cleave_error *err);
/* Where the vertices go: ndim, position and evened of *what. */
cleave_status clv_view_positions(clv_view_request *v, clv_graph_picture *what,
                                 cleave_error *err);
/* "2.9 %"; to has CLV_PERCENT_ROOM bytes.  An infinite share is "infinite". */
enum { CLV_PERCENT_ROOM = 32 };
void clv_view_percent(char *to, double share);
cleave_status clv_view_save(const char *path, const clv_buffer *text, cleave_error *err);

/* Is it drawn as a DAG, by levels and bands?  (api/view_dag.c) */
bool clv_view_is_dag(const clv_view_request *v);
/* The figure of a DAG, and with parts that of its quotient. */
cleave_status clv_view_dag(clv_view_request *v, const char *title, const char *caption,
                           const cleave_evaluate_options *costs, cleave_error *err);
/* Both figures in one picture. */
cleave_status clv_view_both_svg(clv_svg *svg, const clv_view_request *v, cleave_error *err);

#endif
