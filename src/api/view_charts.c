/* SPDX-License-Identifier: Apache-2.0 */
/* api/view_charts.c - options, formats and files of pictures that are no graphs. */
#include "api/view_charts.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "view/frames.h"

enum { most_frames = 8 };

static cleave_status find_format(clv_view_chart *c, const char *const *formats,
                                 cleave_error *err)
{
    char known[64] = "";
    const char *name = c->opt.format ? c->opt.format : cleave_view_format_of_path(c->path);
    for (int i = 0; formats[i]; i++) {
        if (name && strcmp(name, formats[i]) == 0) {
            c->format = formats[i];
            return CLEAVE_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 formats[i]);
    }
    if (name)
        return clv_fail(err, CLEAVE_EINVAL,
                        "there is no \"%s\" of this kind of picture, only %s", name, known);
    return clv_fail(err, CLEAVE_EINVAL,
                    "%s: the name does not tell the kind of picture: %s, or the format is "
                    "given",
                    c->path, known);
}

cleave_status clv_view_chart_open(clv_view_chart *c, const char *path,
                                  const cleave_view_options *opt, const char *const *formats,
                                  cleave_error *err)
{
    *c = (clv_view_chart){.path = path};
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    CLV_TRY(clv_view_options_take(&c->opt, opt, err));
    CLV_TRY(find_format(c, formats, err));
    return clv_context_open(&c->ctx, 1, 1, 0, c->opt.progress, c->opt.payload, err);
}

void clv_view_chart_close(clv_view_chart *c)
{
    clv_arena_free(&c->arena);
    clv_context_close(&c->ctx);
}

cleave_status clv_view_chart_svg(clv_view_chart *c, const char *title, int count,
                                 const clv_figure *figure, const double *share,
                                 cleave_error *err)
{
    clv_frame frame[most_frames];
    clv_svg svg = {0};
    double total = 0, used = 0;
    const clv_picture_size size = {c->opt.width, c->opt.height};
    for (int i = 0; i < count; i++)
        total += share[i];
    for (int i = 0; i < count; i++) {
        int32_t top = (int32_t)(size.height * used / total);
        used += share[i];
        int32_t end = (int32_t)(size.height * used / total);
        frame[i] = (clv_frame){&figure[i], 0, top, {size.width, end - top}};
    }
    cleave_status status =
        count == 1 ? clv_figure_svg(&svg, figure, size, c->ctx.ws, err)
                   : clv_frames_svg(&svg, title, size, count, frame, c->ctx.ws, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(c->path, &svg, err);
    clv_svg_free(&svg);
    return status;
}

cleave_status clv_view_chart_trace(clv_view_chart *c, const char *title, int count,
                                   const clv_gantt *gantt, cleave_error *err)
{
    clv_buffer out = {0};
    clv_gantt_trace(&out, title, count, gantt);
    cleave_status status =
        out.failed ? clv_fail_memory(err) : clv_view_save(c->path, &out, err);
    clv_buffer_free(&out);
    return status;
}

cleave_status clv_view_chart_cells(clv_view_chart *c, int ncolumns, int64_t nrows,
                                   const double *value, const char *const **cell,
                                   cleave_error *err)
{
    int64_t count = nrows * ncolumns;
    const char **text = clv_arena_alloc(&c->arena, count, sizeof *text);
    char *room = clv_arena_alloc(&c->arena, count, CLV_NUMBER_SPACE);
    if (!text || !room)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++, room += CLV_NUMBER_SPACE) {
        *clv_print_rounded(room, value[i]) = '\0';
        text[i] = room;
    }
    *cell = text;
    return CLEAVE_OK;
}
