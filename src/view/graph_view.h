/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_view.h - the state of a picture of a graph, shared by the files that make its
 * figures and its page. */
#ifndef CLV_VIEW_GRAPH_VIEW_H
#define CLV_VIEW_GRAPH_VIEW_H

#include "view/drawing.h"
#include "view/graph_picture.h"

typedef struct clv_graph_view {
    clv_drawing *d;
    const clv_graph *g;
    const clv_mapping *m; /* or NULL */
    const clv_target *t;  /* or NULL */
    const cleave_evaluate_options *evaluate;
    cleave_metrics metrics; /* of m */
    clv_figure figure;
    clv_figure quotient; /* of a DAG with parts */
    bool has_quotient;
} clv_graph_view;

/* Positions of the vertices of what->g: sets ndim, position and evened of *what
 * (view/graph_positions.c). */
cleave_status clv_graph_positions(clv_graph_picture *what, clv_drawing *d, cleave_error *err);

/* The whole page: the figures, the metrics of graph, mapping and target, then the parts
 * (view/graph_page.c). */
cleave_status clv_graph_page(clv_page *page, clv_graph_view *v, cleave_error *err);
/* A table of the metrics of a mapping on its target. */
cleave_status clv_page_target_metrics(clv_page *page, const clv_graph *g, const clv_mapping *m,
                                      const clv_target *t, clv_ws *ws, cleave_error *err);

/* Is the graph drawn as a DAG, by levels and bands?  (view/dag_figures.c) */
bool clv_dag_is_layered(const clv_graph_view *v);
/* The figure of a DAG, and the figure of its quotient if there are parts. */
cleave_status clv_dag_figures(clv_graph_view *v, const char *title, const char *caption,
                              cleave_error *err);
/* Both figures in one picture. */
cleave_status clv_dag_figures_svg(const clv_graph_view *v, cleave_error *err);

#endif
