/* SPDX-License-Identifier: Apache-2.0 */
/* api/plot.c - public charts: checks the arguments, draws into memory, writes the file. */
#include "view/plot.h"

#include <string.h>

#include "formats/output.h"
#include "view/page.h"

static const cleave_plot_options plot_defaults = {.width = 720, .height = 480};

void cleave_series_init(cleave_series *series, size_t size)
{
    cleave_series defaults = {.markers = 1};
    clv_sized_init(series, size);
    clv_sized_write(series, &defaults, sizeof defaults);
}

void cleave_plot_options_init(cleave_plot_options *opt, size_t size)
{
    clv_sized_init(opt, size);
    clv_sized_write(opt, &plot_defaults, sizeof plot_defaults);
}

static cleave_status take_options(cleave_plot_options *known, const cleave_plot_options *opt,
                                  cleave_error *err)
{
    *known = plot_defaults;
    if (opt)
        CLV_TRY(clv_sized_copy(known, sizeof *known, opt, "options", err));
    return clv_picture_size_check(known->width, known->height, err);
}

/* Converts the caller's series, of any struct size, to ours. */
static cleave_status take_series(cleave_series **out, int32_t count,
                                 const cleave_series *series, clv_ws *ws, cleave_error *err)
{
    cleave_series *known = clv_ws_alloc(ws, count, sizeof *known);
    if (!known)
        return clv_fail_memory(err);
    const char *from = (const char *)series;
    for (int32_t s = 0; s < count; s++, from += series->size) {
        cleave_series_init(&known[s], sizeof *known);
        CLV_TRY(clv_sized_copy(&known[s], sizeof *known, from, "series", err));
        const cleave_series *k = &known[s];
        if (k->count < 0 || (k->count > 0 && (!k->x || !k->y)))
            return clv_fail(err, CLEAVE_EINVAL, "series[%d] has %d points but no arrays",
                            (int)s, (int)k->count);
        if (k->color < -1 || k->color > 8 || (unsigned)k->line > CLEAVE_LINE_STEPS)
            return clv_fail(err, CLEAVE_EINVAL, "series[%d].%s is %d", (int)s,
                            (unsigned)k->line > CLEAVE_LINE_STEPS ? "line" : "color",
                            (unsigned)k->line > CLEAVE_LINE_STEPS ? (int)k->line
                                                                  : (int)k->color);
    }
    *out = known;
    return CLEAVE_OK;
}

/* As a page like those of other pictures, or alone. */
static cleave_status write_picture(const char *path, const clv_svg *svg, const char *title,
                                   cleave_error *err)
{
    const char *format = cleave_view_format_of_path(path);
    if (!format || strcmp(format, "html") != 0)
        return clv_output_write(path, svg->text, (size_t)svg->used, err);
    clv_page page = {0};
    clv_page_open(&page, title ? title : "A chart", NULL);
    clv_page_svg(&page, NULL, svg);
    cleave_status status = clv_page_close(&page, err);
    if (status == CLEAVE_OK)
        status = clv_output_write(path, page.out.text, (size_t)page.out.used, err);
    clv_page_free(&page);
    return status;
}

/* Writes the plot when status is CLEAVE_OK; always frees it. */
static cleave_status finish_plot(const char *path, clv_svg *svg, const char *title, clv_ws *ws,
                                 cleave_status status, cleave_error *err)
{
    if (status == CLEAVE_OK)
        status = write_picture(path, svg, title, err);
    clv_svg_free(svg);
    clv_ws_free(ws);
    return status;
}

cleave_status cleave_plot_write(const char *path, int32_t nseries, const cleave_series *series,
                                const cleave_plot_options *opt, cleave_error *err)
{
    cleave_plot_options known;
    cleave_series *ours = NULL;
    if (!path || (!series && nseries > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "series" : "path");
    if (nseries < 0)
        return clv_fail(err, CLEAVE_EINVAL, "nseries is %d", (int)nseries);
    CLV_TRY(take_options(&known, opt, err));
    clv_ws ws = {NULL};
    clv_svg svg = {0};
    cleave_status status = take_series(&ours, nseries, series, &ws, err);
    if (status == CLEAVE_OK)
        status = clv_plot_draw(
            &svg, &(clv_plot){.nseries = nseries, .series = ours, .opt = &known}, &ws, err);
    return finish_plot(path, &svg, known.title, &ws, status, err);
}

cleave_status cleave_plot_write_profile(const char *path, int32_t ntool,
                                        const char *const *names, int32_t ncase,
                                        const double *value, const cleave_plot_options *opt,
                                        cleave_error *err)
{
    cleave_plot_options known;
    if (!path || !value)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "value" : "path");
    if (ntool < 1 || ncase < 1)
        return clv_fail(err, CLEAVE_EINVAL, "%s is %d", ntool < 1 ? "ntool" : "ncase",
                        ntool < 1 ? (int)ntool : (int)ncase);
    CLV_TRY(take_options(&known, opt, err));
    clv_ws ws = {NULL};
    clv_svg svg = {0};
    const clv_tool_results results = {ntool, ncase, names, value};
    cleave_status status = clv_plot_profile(&svg, &results, &known, &ws, err);
    return finish_plot(path, &svg, known.title, &ws, status, err);
}
