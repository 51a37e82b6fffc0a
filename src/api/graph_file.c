/* SPDX-License-Identifier: Apache-2.0 */
/* api/graph_file.c - public graph files: checks the arguments, calls formats/. */
#include "formats/graph_file.h"

void cleave_read_options_init(cleave_read_options *opt, size_t size)
{
    cleave_read_options defaults = {.scale = 1.0, .common = 1};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

void cleave_write_options_init(cleave_write_options *opt, size_t size)
{
    clv_sized_init(opt, size);
}

const char *cleave_format_name(int i, const char **description, int *can_write)
{
    int count = 0;
    while (clv_formats[count])
        count++;
    if (i < 0 || i >= count)
        return NULL;
    if (description)
        *description = clv_formats[i]->description;
    if (can_write)
        *can_write = !clv_formats[i]->write ? 0 : clv_formats[i]->read ? 1 : 2;
    return clv_formats[i]->name;
}

unsigned cleave_format_holds(const char *format)
{
    const clv_format *known = format ? clv_format_by_name(format) : NULL;
    return known && known->write ? known->holds : 0;
}

const char *cleave_format_of_path(const char *path)
{
    const clv_format *format = path ? clv_format_by_path(path) : NULL;
    return format ? format->name : NULL;
}

cleave_status cleave_graph_read(cleave_graph **out, const char *path,
                                const cleave_read_options *opt, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "path" : "out");
    cleave_read_options full = {.scale = 1.0, .common = 1};
    if (opt)
        CLV_TRY(clv_sized_copy(&full, sizeof full, opt, "opt", err));
    cleave_repairs repairs = {.self_loops = 0};
    clv_read_options known = {.repairs = &repairs};
    if (full.components)
        *full.components = NULL;
    CLV_TRY(clv_graph_file_options(&known, &full, err));
    clv_graph *g = NULL;
    cleave_status status = clv_graph_file_read(&g, path, &full, &known, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    *out = g;
    return CLEAVE_OK;
}

cleave_status cleave_graph_write(const cleave_graph *g, const char *path,
                                 const cleave_write_options *opt, cleave_error *err)
{
    if (!g || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "path" : "graph");
    return clv_graph_file_write(g, NULL, path, opt, err);
}

cleave_status cleave_graph_write_coords(const cleave_graph *g, const char *path,
                                        cleave_error *err)
{
    if (!g || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "path" : "graph");
    if (!g->coords)
        return clv_fail(err, CLEAVE_EINVAL, "the graph has no coordinates");
    return clv_coords_write(g, path, err);
}
