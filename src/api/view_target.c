/* SPDX-License-Identifier: Apache-2.0 */
/* api/view_target.c - cleave_view_target: a machine, with what a mapping asks of it, and what
 * another one did before. */
#include <string.h>

#include "api/view_charts.h"
#include "api/view_machine.h"
#include "view/frames.h"

static const char *const formats[] = {"svg", "html", NULL};

typedef struct viewing {
    clv_view_chart c;
    clv_view_machine machine;
    const cleave_mapping *m;
    const char *title;
    char subtitle[160];
} viewing;

/* Side by side; the legend of the first says what that of the second does. */
static cleave_status write_svg(viewing *v, cleave_error *err)
{
    enum { legend = 190 };
    const clv_picture_size size = {v->c.opt.width, v->c.opt.height};
    clv_figure first = v->machine.figure[0];
    clv_svg svg = {0};
    int32_t left = (size.width - legend) / 2;
    first.nlegend = 0;
    const clv_frame frame[2] = {
        {&first, 0, 0, {left, size.height}},
        {&v->machine.figure[1], left, 0, {size.width - left, size.height}}};
    cleave_status status =
        v->machine.figures == 1
            ? clv_figure_svg(&svg, &v->machine.figure[0], size, v->c.ctx.ws, err)
            : clv_frames_svg(&svg, v->title, size, 2, frame, v->c.ctx.ws, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(v->c.path, &svg, err);
    clv_svg_free(&svg);
    return status;
}

static cleave_status fill_page(clv_page *page, viewing *v, cleave_error *err)
{
    clv_page_open(page, v->title, v->subtitle);
    clv_view_machine_put(page, &v->machine);
    if (v->machine.part) {
        CLV_TRY(clv_view_metrics_on(page, v->machine.g, v->m, v->machine.t, err));
        CLV_TRY(clv_view_machine_table(page, &v->machine, err));
    }
    return clv_page_close(page, err);
}

static cleave_status write_html(viewing *v, cleave_error *err)
{
    clv_page page = {0};
    cleave_status status = fill_page(&page, v, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(v->c.path, &page.out, err);
    clv_page_free(&page);
    return status;
}

static cleave_status check_mapping(const cleave_graph *g, const cleave_target *t,
                                   const cleave_mapping *m, cleave_error *err)
{
    if (!m)
        return CLEAVE_OK;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping needs its graph, which is NULL");
    if (m->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %lld vertices but the graph has %lld",
                        (long long)m->nvtx, (long long)g->nvtx);
    if (m->nparts > t->npes)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %lld parts but the target %lld PEs",
                        (long long)m->nparts, (long long)t->npes);
    return CLEAVE_OK;
}

static cleave_status draw(viewing *v, const cleave_mapping *before, cleave_error *err)
{
    clv_view_machine *machine = &v->machine;
    machine->ctx = &v->c.ctx;
    machine->arena = &v->c.arena;
    cleave_target_describe(machine->t, v->subtitle, sizeof v->subtitle);
    v->title = v->c.opt.title ? v->c.opt.title : v->subtitle;
    machine->before = before ? before->part : NULL;
    machine->part = v->m ? v->m->part : NULL;
    machine->nparts = v->m ? v->m->nparts : 0;
    machine->title[0] = "Before";
    machine->title[1] = before ? "After" : v->title;
    CLV_TRY(clv_view_machine_draw(machine, err));
    return strcmp(v->c.format, "svg") == 0 ? write_svg(v, err) : write_html(v, err);
}

cleave_status cleave_view_target(const char *path, const cleave_target *t,
                                 const cleave_graph *g, const cleave_mapping *m,
                                 const cleave_mapping *before, const cleave_view_options *opt,
                                 cleave_error *err)
{
    viewing v = {.machine = {.t = t, .g = g}, .m = m};
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the target is NULL");
    if (before && !m)
        return clv_fail(err, CLEAVE_EINVAL, "there is a mapping before but none after");
    CLV_TRY(check_mapping(g, t, m, err));
    CLV_TRY(check_mapping(g, t, before, err));
    CLV_TRY(clv_view_chart_open(&v.c, path, opt, formats, err));
    cleave_status status = draw(&v, before, err);
    clv_view_chart_close(&v.c);
    return status;
}
