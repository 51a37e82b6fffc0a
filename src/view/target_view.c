/* SPDX-License-Identifier: Apache-2.0 */
/* view/target_view.c - clv_draw_target: a machine with the loads of a mapping and of an
 * earlier mapping. */
#include <string.h>

#include "view/frames.h"
#include "view/graph_view.h"
#include "view/machine_figures.h"

typedef struct target_view {
    clv_drawing *d;
    clv_machine_figures machine;
    const clv_mapping *m;
    const char *title;
    char subtitle[160];
} target_view;

/* Side by side; the second figure has no legend, because it would equal the first. */
static cleave_status write_svg(target_view *v, cleave_error *err)
{
    enum { legend = 190 };
    const clv_picture_size size = {v->d->opt.width, v->d->opt.height};
    clv_figure first = v->machine.figure[0];
    int32_t left = (size.width - legend) / 2;
    first.nlegend = 0;
    const clv_frame frame[2] = {
        {&first, 0, 0, {left, size.height}},
        {&v->machine.figure[1], left, 0, {size.width - left, size.height}}};
    const clv_frames frames = {v->title, size, 2, frame};
    clv_ws *ws = v->d->ctx.ws;
    return v->machine.figures == 1
               ? clv_figure_svg(&v->d->out, &v->machine.figure[0], size, ws, err)
               : clv_frames_svg(&v->d->out, &frames, ws, err);
}

static cleave_status fill_page(clv_page *page, target_view *v, cleave_error *err)
{
    clv_page_open(page, v->title, v->subtitle);
    clv_page_machine(page, &v->machine);
    if (v->machine.part) {
        CLV_TRY(clv_page_target_metrics(page, v->machine.g, v->m, v->machine.t, v->d->ctx.ws,
                                        err));
        CLV_TRY(clv_page_machine_table(page, &v->machine, err));
    }
    return clv_page_close(page, err);
}

cleave_status clv_draw_target(clv_drawing *d, const clv_target *t, const clv_graph *g,
                              const clv_mapping *m, const clv_mapping *before,
                              cleave_error *err)
{
    target_view v = {.d = d, .m = m};
    t->shape->describe(t, v.subtitle, sizeof v.subtitle);
    v.title = d->opt.title ? d->opt.title : v.subtitle;
    v.machine = (clv_machine_figures){.t = t,
                                      .g = g,
                                      .before = before ? before->part : NULL,
                                      .part = m ? m->part : NULL,
                                      .nparts = m ? m->nparts : 0,
                                      .title = {"Before", before ? "After" : v.title},
                                      .ctx = &d->ctx,
                                      .arena = &d->arena};
    CLV_TRY(clv_machine_figures_make(&v.machine, err));
    if (strcmp(d->format, "svg") == 0)
        return write_svg(&v, err);
    clv_page page = {0};
    return clv_drawing_page(d, &page, fill_page(&page, &v, err));
}
