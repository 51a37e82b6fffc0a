/* SPDX-License-Identifier: Apache-2.0 */
/* view/drawing.c - the common part of all pictures: scratch, frames, pages, tables. */
#include "view/drawing.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "view/frames.h"

cleave_status clv_drawing_open(clv_drawing *d, const cleave_view_options *opt,
                               const char *format, cleave_error *err)
{
    *d = (clv_drawing){.opt = *opt, .format = format};
    CLV_TRY(clv_context_open(&d->ctx, 1, 1, err));
    clv_context_watch(&d->ctx, 0, opt->progress, opt->payload);
    return CLEAVE_OK;
}

void clv_drawing_close(clv_drawing *d)
{
    clv_buffer_free(&d->out);
    clv_arena_free(&d->arena);
    clv_context_close(&d->ctx);
}

cleave_status clv_drawing_svg(clv_drawing *d, const char *title, int count,
                              const clv_figure *figure, const double *share, cleave_error *err)
{
    clv_frame frame[2 * clv_most_traces];
    double total = 0, used = 0;
    const clv_picture_size size = {d->opt.width, d->opt.height};
    for (int i = 0; i < count; i++)
        total += share[i];
    for (int i = 0; i < count; i++) {
        int32_t top = (int32_t)(size.height * used / total);
        used += share[i];
        int32_t end = (int32_t)(size.height * used / total);
        frame[i] = (clv_frame){&figure[i], 0, top, {size.width, end - top}};
    }
    const clv_frames frames = {title, size, count, frame};
    return count == 1 ? clv_figure_svg(&d->out, figure, size, d->ctx.ws, err)
                      : clv_frames_svg(&d->out, &frames, d->ctx.ws, err);
}

cleave_status clv_drawing_page(clv_drawing *d, clv_page *page, cleave_status status)
{
    if (status == CLEAVE_OK) {
        d->out = page->out;
        page->out = (clv_buffer){0};
    }
    clv_page_free(page);
    return status;
}

cleave_status clv_drawing_trace(clv_drawing *d, const char *title, int count,
                                const clv_gantt *gantt, cleave_error *err)
{
    clv_gantt_trace(&d->out, title, count, gantt);
    return d->out.failed ? clv_fail_memory(err) : CLEAVE_OK;
}

bool clv_drawing_results(clv_page *page, const cleave_view_options *opt)
{
    if (opt->nresults <= 0)
        return false;
    clv_page_results(page, "Results", opt->nresults, opt->result_keys, opt->result_values);
    return true;
}

cleave_status clv_drawing_cells(clv_drawing *d, int ncolumns, int64_t nrows,
                                const double *value, const char *const **cell,
                                cleave_error *err)
{
    int64_t count = nrows * ncolumns;
    const char **text = clv_arena_alloc(&d->arena, count, sizeof *text);
    char *room = clv_arena_alloc(&d->arena, count, CLV_NUMBER_SPACE);
    if (!text || !room)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++, room += CLV_NUMBER_SPACE) {
        *clv_print_rounded(room, value[i]) = '\0';
        text[i] = room;
    }
    *cell = text;
    return CLEAVE_OK;
}

void clv_print_percent(char *to, double share)
{
    /* Integers, because the decimal point of "%.1f" depends on the locale. */
    long long tenths = (long long)fmin(share * 1000 + 0.5, 1e15);
    if (isfinite(share))
        snprintf(to, CLV_PERCENT_ROOM, "%lld.%lld %%", tenths / 10, tenths % 10);
    else
        snprintf(to, CLV_PERCENT_ROOM, "infinite");
}
