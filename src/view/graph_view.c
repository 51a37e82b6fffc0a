/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_view.c - clv_draw_graph: metrics, positions, the figure, then SVG or a page. */
#include "view/graph_view.h"

#include <stdio.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "evaluate/mapping_metrics.h"
#include "graph/order.h"

static cleave_status find_places(clv_graph_view *v, clv_graph_picture *what, cleave_error *err)
{
    const clv_order *o = v->d->opt.order;
    int32_t *place = clv_arena_alloc(&v->d->arena, v->g->nvtx, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < o->nvtx; i++)
        place[o->vertex[i]] = i;
    what->place = place;
    return CLEAVE_OK;
}

/* Title and caption; the texts live as long as the figure. */
static cleave_status describe(clv_graph_view *v, clv_graph_picture *what, cleave_error *err)
{
    enum { room = 240 };
    char *caption = clv_arena_alloc(&v->d->arena, room, 1);
    if (!caption)
        return clv_fail_memory(err);
    char imbalance[CLV_PERCENT_ROOM];
    clv_print_percent(imbalance, v->metrics.imbalance);
    int used = snprintf(caption, room, "%s of %lld vertices and %lld edges",
                        v->g->kind == CLEAVE_DAG ? "DAG" : "Undirected graph",
                        (long long)v->g->nvtx, (long long)clv_graph_edges(v->g));
    if (v->m)
        snprintf(caption + used, (size_t)(room - used),
                 "; %lld part%s, cut %lld, imbalance %s", (long long)v->m->nparts,
                 v->m->nparts == 1 ? "" : "s", (long long)v->metrics.cut, imbalance);
    if (what->evened)
        snprintf(caption + strlen(caption), room - strlen(caption),
                 "; crowded places enlarged");
    what->title = v->d->opt.title ? v->d->opt.title : "A graph";
    what->caption = caption;
    return CLEAVE_OK;
}

/* All metrics; balance relative to the shares of the options, or to the speeds of the target.
 */
static cleave_status evaluate_mapping(clv_graph_view *v, cleave_error *err)
{
    clv_ws *ws = v->d->ctx.ws;
    CLV_TRY(clv_evaluate_mapping(&v->metrics, v->g, v->m, v->evaluate, ws, err));
    if (!v->t || v->evaluate->shares)
        return CLEAVE_OK;
    clv_balance on_target;
    clv_parted_graph on_pes = {v->g, v->t->npes, v->m->part};
    CLV_TRY(clv_evaluate_balance(&on_pes, v->t->speed, v->evaluate->imbalance, ws, &on_target,
                                 err));
    v->metrics.imbalance = on_target.imbalance;
    v->metrics.balanced = on_target.balanced;
    return CLEAVE_OK;
}

static cleave_status make_figures(clv_graph_view *v, cleave_error *err)
{
    clv_graph_picture what = {.g = v->g};
    if (v->m) {
        CLV_TRY(evaluate_mapping(v, err));
        what.part = v->m->part;
        what.nparts = v->m->nparts;
    } else if (v->d->opt.order) {
        CLV_TRY(find_places(v, &what, err));
    }
    if (clv_dag_is_layered(v)) {
        CLV_TRY(describe(v, &what, err));
        return clv_dag_figures(v, what.title, what.caption, err);
    }
    CLV_TRY(clv_graph_positions(&what, v->d, err));
    CLV_TRY(describe(v, &what, err));
    return clv_graph_figure(&v->figure, &what, &v->d->arena, v->d->ctx.ws, err);
}

cleave_status clv_draw_graph(clv_drawing *d, const clv_graph *g, const clv_mapping *m,
                             const clv_target *t, const cleave_evaluate_options *evaluate,
                             cleave_error *err)
{
    clv_graph_view v = {.d = d,
                        .g = g,
                        .m = m,
                        .t = t,
                        .evaluate = evaluate,
                        .metrics = {.size = sizeof v.metrics}};
    CLV_TRY(make_figures(&v, err));
    if (strcmp(d->format, "html") == 0) {
        clv_page page = {0};
        return clv_drawing_page(d, &page, clv_graph_page(&page, &v, err));
    }
    return v.has_quotient
               ? clv_dag_figures_svg(&v, err)
               : clv_drawing_svg(d, v.figure.title, 1, &v.figure, (double[]){1}, err);
}
