/* SPDX-License-Identifier: Apache-2.0 */
/* formats/graph_file.c - graph files: options, the choice of the format, reading with
 * coordinates and condensation, writing. */
#include "formats/graph_file.h"

#include <string.h>

#include "formats/vtk.h"

/* ---- Options -------------------------------------------------------------------------- */

/* The index of value among words; 0 for NULL. */
static cleave_status parse_word(const char *value, const char *const *words, const char *what,
                                int *which, cleave_error *err)
{
    *which = 0;
    if (!value)
        return CLEAVE_OK;
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0) {
            *which = i;
            return CLEAVE_OK;
        }
    char list[160] = "";
    for (int i = 0; words[i]; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, words[i], sizeof list - strlen(list) - 1);
    }
    return clv_fail(err, CLEAVE_EINVAL, "%s is \"%.40s\"; expected one of %s", what, value,
                    list);
}

cleave_status clv_graph_file_options(clv_read_options *known, const cleave_read_options *opt,
                                     cleave_error *err)
{
    static const char *const as[] = {"auto", "undirected", "dag", "lower", "upper", NULL};
    static const char *const symmetrise[] = {"refuse", "sum", "max", NULL};
    static const char *const weights[] = {"file", "values", "none", NULL};
    static const char *const mesh[] = {"dual", "nodal", NULL};
    int which;
    CLV_TRY(parse_word(opt->as, as, "as", &which, err));
    known->as = (clv_as)which;
    CLV_TRY(parse_word(opt->symmetrise, symmetrise, "symmetrise", &which, err));
    known->symmetrise = (clv_symmetrise)which;
    CLV_TRY(parse_word(opt->weights, weights, "weights", &which, err));
    known->weights_from_values = which == 1;
    known->no_weights = which == 2;
    CLV_TRY(parse_word(opt->mesh, mesh, "mesh", &which, err));
    known->mesh_nodal = which == 1;
    known->mesh_common = opt->common;
    known->binarise = opt->binarise != 0;
    if (opt->common < 1)
        return clv_fail(err, CLEAVE_EINVAL, "common is %d", (int)opt->common);
    if (!(opt->scale > 0 && opt->scale < 1e300))
        return clv_fail(err, CLEAVE_EINVAL, "scale is not a positive number");
    if (opt->flags & ~(CLEAVE_REPAIR | CLEAVE_TRUST))
        return clv_fail(err, CLEAVE_EINVAL,
                        "flags is %u; only CLEAVE_REPAIR and CLEAVE_TRUST are for reading",
                        opt->flags);
    if (opt->threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", opt->threads);
    known->threads = opt->threads;
    known->scale = opt->scale;
    known->repair = opt->flags & CLEAVE_REPAIR;
    known->trust = opt->flags & CLEAVE_TRUST;
    known->cycles = opt->condense != 0;
    return CLEAVE_OK;
}

/* ---- Reading -------------------------------------------------------------------------- */

cleave_status clv_graph_file_input(const clv_format **format, clv_input *in, const char *name,
                                   cleave_error *err)
{
    if (name) {
        *format = clv_format_by_name(name);
        if (!*format)
            return clv_fail(err, CLEAVE_EINVAL, "unknown format \"%.40s\"", name);
        return (*format)->read
                   ? CLEAVE_OK
                   : clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                                 "format \"%s\" can be written but not read", name);
    }
    const char *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    *format = clv_format_detect(clv_input_path(in), bytes, count);
    if (*format)
        return CLEAVE_OK;
    if (count == 0)
        return clv_fail_at(err, CLEAVE_EPARSE, clv_input_path(in), 0, "the file is empty");
    return clv_fail_at(err, CLEAVE_EPARSE, clv_input_path(in), 1,
                       "unknown graph format (see 'cleave help formats')");
}

/* Called after reading, so that weights in the file have been checked. */
static void drop_weights(clv_graph *g)
{
    g->vwgt = g->ewgt = g->pwgt = NULL;
    g->ncon = 1;
    g->unit = NULL;
}

static cleave_status read_format(clv_graph **g, clv_input *in, const clv_format *format,
                                 const clv_read_options *opt, cleave_error *err)
{
    if (opt->weights_from_values && !format->reads_values)
        return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                           "format \"%s\" has no values to make weights of", format->name);
    clv_read_options inner = *opt;
    bool orient =
        (opt->as == CLV_AS_LOWER || opt->as == CLV_AS_UPPER) && !format->reads_triangles;
    if (orient)
        inner.as = CLV_AS_UNDIRECTED;
    CLV_TRY(format->read(g, in, &inner, err));
    if (opt->no_weights)
        drop_weights(*g);
    if (orient)
        CLV_TRY(clv_orient(g, opt->as, err));
    (*g)->format = format->name;
    return CLEAVE_OK;
}

/* Reads coordinates from coords_path, or from a file next to the graph. */
static cleave_status add_coords(clv_graph *g, const char *graph_path, const char *coords_path,
                                cleave_error *err)
{
    if (coords_path && coords_path[0] == '\0')
        return CLEAVE_OK;
    bool oom = false;
    char *beside = NULL;
    if (!coords_path) {
        if (g->coords || strcmp(graph_path, "-") == 0)
            return CLEAVE_OK;
        coords_path = beside = clv_coords_beside(graph_path, &oom);
        if (!beside)
            return oom ? clv_fail_memory(err) : CLEAVE_OK;
    }
    double *coords = NULL;
    int32_t ndim = 0;
    cleave_status status = clv_coords_read(&coords, &ndim, coords_path, g->nvtx, err);
    bool found = beside != NULL;
    clv_sys_free(beside);
    /* A file found by its name only, whose contents do not fit, is taken to belong to another
     * graph. */
    if (found && status == CLEAVE_EPARSE)
        return CLEAVE_OK;
    CLV_TRY(status);
    if (!clv_arena_adopt(&g->arena, coords)) {
        clv_sys_free(coords);
        return clv_fail_memory(err);
    }
    g->coords = coords;
    g->ndim = ndim;
    return CLEAVE_OK;
}

static cleave_status read_input(clv_graph **g, clv_input *in, const cleave_read_options *opt,
                                clv_read_options *known, cleave_error *err)
{
    const clv_format *format;
    CLV_TRY(clv_graph_file_input(&format, in, opt->format, err));
    if (opt->mesh && format != &clv_format_metis_mesh)
        return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                           "has no %s graph: its format is %s, not mesh", opt->mesh,
                           format->name);
    if (opt->binarise && format != &clv_format_psdd)
        return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                           "has no two-input form: its format is %s, not psdd", format->name);
    CLV_TRY(read_format(g, in, format, known, err));
    return add_coords(*g, clv_input_path(in), opt->coords, err);
}

/* wanted: NULL, or receives the mapping of vertices to components. */
static cleave_status condense(clv_graph **g, clv_mapping **wanted, cleave_error *err)
{
    clv_mapping *components = NULL;
    clv_ws ws = {0};
    cleave_status status = clv_derive_condense(g, &components, &ws, err);
    clv_ws_free(&ws);
    if (wanted)
        *wanted = components;
    else
        clv_mapping_free(components);
    return status;
}

cleave_status clv_graph_file_read(clv_graph **g, const char *path,
                                  const cleave_read_options *opt, clv_read_options *known,
                                  cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, opt->progress, opt->payload, err));
    cleave_status status = read_input(g, in, opt, known, err);
    if (status == CLEAVE_OK && known->cycles && (*g)->kind == CLEAVE_DAG)
        status = condense(g, opt->components, err);
    clv_input_close(in);
    if (opt->repairs)
        clv_sized_write(opt->repairs, known->repairs, sizeof *known->repairs);
    return status;
}

/* ---- Writing -------------------------------------------------------------------------- */

cleave_status clv_graph_file_output(const clv_format **format, const char *path,
                                    const char *name, cleave_error *err)
{
    *format = name ? clv_format_by_name(name) : clv_format_by_path(path);
    if (!*format && name)
        return clv_fail(err, CLEAVE_EINVAL, "unknown format \"%.40s\"", name);
    if (!*format)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the name \"%.100s\" does not determine the output format", path);
    if (!(*format)->write)
        return clv_fail(err, CLEAVE_EINVAL, "format \"%s\" can be read but not written",
                        (*format)->name);
    return CLEAVE_OK;
}

static bool is_vtk(const clv_format *format)
{
    return format == &clv_format_vtk || format == &clv_format_vtu;
}

/* Options that this format does not have are errors; part is ignored, because `cleave convert`
 * always passes it. */
static cleave_status check_write_options(const cleave_write_options *opt,
                                         const clv_format *format, int *encoding, int *nodal,
                                         cleave_error *err)
{
    static const char *const encodings[] = {"ascii", "base64", "raw", NULL};
    static const char *const kinds[] = {"dual", "nodal", NULL};
    bool xml = format == &clv_format_vtu;
    CLV_TRY(parse_word(opt->encoding, encodings, "encoding", encoding, err));
    CLV_TRY(parse_word(opt->mesh, kinds, "mesh", nodal, err));
    if (!opt->encoding && xml)
        *encoding = CLV_VTK_BASE64;
    if (!is_vtk(format) && (opt->place || opt->encoding || opt->mesh_file))
        return clv_fail(err, CLEAVE_EINVAL,
                        "place, encoding and mesh_file are for vtk and vtu, not for \"%s\"",
                        format->name);
    if (!xml && *encoding == CLV_VTK_BASE64)
        return clv_fail(err, CLEAVE_EINVAL, "encoding \"base64\" is for vtu, not for \"vtk\"");
    return CLEAVE_OK;
}

cleave_status clv_graph_file_write(const clv_graph *g, const clv_sums *sums, const char *path,
                                   const cleave_write_options *opt, cleave_error *err)
{
    cleave_write_options full = {.format = NULL};
    if (opt)
        CLV_TRY(clv_sized_copy(&full, sizeof full, opt, "opt", err));
    const clv_format *format;
    int encoding, nodal;
    CLV_TRY(clv_graph_file_output(&format, path, full.format, err));
    CLV_TRY(check_write_options(&full, format, &encoding, &nodal, err));
    if (sums && !format->write_sums)
        return clv_fail(
            err, CLEAVE_ERANGE,
            "a weight is more than 2147483647, for which format \"%s\" has no room",
            format->name);
    clv_vtk_picture picture = {
        g, full.part, full.place, full.mesh_file, full.mesh_coords, nodal == 1};
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, full.progress, full.payload, err));
    if (full.no_sync)
        clv_output_no_sync(out);
    cleave_status status = is_vtk(format)
                               ? clv_vtk_write(out, &picture, format == &clv_format_vtu,
                                               (clv_vtk_encoding)encoding, err)
                           : sums ? format->write_sums(g, sums, out, full.part, err)
                                  : format->write(g, out, full.part, err);
    if (status != CLEAVE_OK) {
        clv_output_abandon(out);
        return status;
    }
    return clv_output_commit(out, err);
}
