/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_figures.c - the figures of a DAG: levels and bands, and the quotient below them. */
#include <stdio.h>

#include "view/dag_picture.h"
#include "view/flow_picture.h"
#include "view/frames.h"
#include "view/graph_view.h"

enum { most_discs = 500, caption_room = 240 };

bool clv_dag_is_layered(const clv_graph_view *v)
{
    return v->g->kind == CLEAVE_DAG && v->d->opt.layout == 0 && !v->d->opt.order &&
           !(v->g->coords && v->g->ndim >= 2);
}

static cleave_status sum_weights(int64_t **weight, const clv_graph_view *v, cleave_error *err)
{
    *weight = clv_arena_zalloc(&v->d->arena, v->m->nparts, sizeof **weight);
    if (!*weight)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < v->g->nvtx; i++)
        (*weight)[v->m->part[i]] += clv_graph_vwgt(v->g, i, 0);
    return CLEAVE_OK;
}

static cleave_status make_quotient(clv_graph_view *v, const clv_dag_layout *l,
                                   cleave_error *err)
{
    clv_quotient_places q;
    int64_t *weight;
    char *caption = clv_arena_alloc(&v->d->arena, caption_room, 1);
    if (!caption)
        return clv_fail_memory(err);
    CLV_TRY(sum_weights(&weight, v, err));
    const clv_graph_parts parts = {v->g, v->m->nparts, v->m->part};
    CLV_TRY(clv_flow_quotient(&q, &parts, l->mean, &v->d->arena, v->d->ctx.ws, err));
    snprintf(caption, caption_room, "%lld arcs between parts, as wide as their traffic; %s",
             (long long)v->metrics.setups, q.acyclic ? "acyclic" : "with cycles");
    const clv_flow_picture what = {.title = "Quotient graph",
                                   .caption = caption,
                                   .nparts = v->m->nparts,
                                   .place = q.place,
                                   .bend = q.bend,
                                   .weight = weight,
                                   .rgb = v->figure.palette,
                                   .nflows = q.nflows,
                                   .flow = q.flow,
                                   .layer = "traffic",
                                   .noun = "traffic",
                                   .left_out = q.left_out};
    v->has_quotient = true;
    return clv_flow_figure(&v->quotient, &what, &v->d->arena, err);
}

cleave_status clv_dag_figures(clv_graph_view *v, const char *title, const char *caption,
                              cleave_error *err)
{
    clv_dag_layout l;
    const clv_dag_picture what = {.g = v->g,
                                  .nparts = v->m ? v->m->nparts : 0,
                                  .part = v->m ? v->m->part : NULL,
                                  .cost_vertex = v->evaluate->cost_vertex,
                                  .cost_inside = v->evaluate->cost_inside,
                                  .cost_cut = v->evaluate->cost_cut,
                                  .title = title,
                                  .caption = caption};
    CLV_TRY(clv_dag_layout_make(&l, &what, &v->d->arena, v->d->ctx.ws, err));
    CLV_TRY(clv_dag_figure(&v->figure, &what, &l, &v->d->arena, v->d->ctx.ws, err));
    if (!v->m || v->m->nparts < 2 || v->m->nparts > most_discs)
        return CLEAVE_OK;
    return make_quotient(v, &l, err);
}

cleave_status clv_dag_figures_svg(const clv_graph_view *v, cleave_error *err)
{
    int32_t upper = v->d->opt.height * 3 / 5, width = v->d->opt.width;
    const clv_frame frame[2] = {{&v->figure, 0, 0, {width, upper}},
                                {&v->quotient, 0, upper, {width, v->d->opt.height - upper}}};
    const clv_frames frames = {v->figure.title, {width, v->d->opt.height}, 2, frame};
    return clv_frames_svg(&v->d->out, &frames, v->d->ctx.ws, err);
}
