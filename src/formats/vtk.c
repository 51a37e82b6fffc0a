/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vtk.c - unstructured grids as legacy VTK files, version 3.0, in ASCII or binary
 * (big-endian) [VTK file formats]; and the entries of both kinds of VTK files in the table of
 * formats: they can be written, not read. */
#include "formats/vtk.h"

typedef struct legacy_writer {
    clv_output *out;
    bool binary;
} legacy_writer;

static void put_count(legacy_writer *w, int64_t count, char end)
{
    clv_put_i64(w->out, count);
    clv_put_char(w->out, end);
}

static void put_numbers(legacy_writer *w, const clv_vtk_array *array)
{
    if (!w->binary) {
        clv_vtk_put_text(w->out, array);
        return;
    }
    clv_vtk_put_raw(w->out, array, true);
    clv_put_char(w->out, '\n');
}

/* Each cell: the number of its points, then the points. */
static void put_cells(legacy_writer *w, const clv_vtk_contents *c)
{
    const int64_t *end = c->offsets.data;
    const int32_t *point = c->connectivity.data;
    clv_put_text(w->out, "CELLS ");
    put_count(w, c->ncell, ' ');
    put_count(w, c->ncell + c->connectivity.tuples, '\n');
    for (int64_t i = 0, at = 0; i < c->ncell; at = end[i++]) {
        int32_t count = (int32_t)(end[i] - at);
        clv_vtk_array own = {"", CLV_VTK_I32, 1, 1, &count};
        clv_vtk_array points = {"", CLV_VTK_I32, count, 1, point + at};
        if (w->binary) {
            clv_vtk_put_raw(w->out, &own, true);
            clv_vtk_put_raw(w->out, &points, true);
        } else {
            put_count(w, count, count > 0 ? ' ' : '\n');
            clv_vtk_put_text(w->out, &points);
        }
    }
    if (w->binary)
        clv_put_char(w->out, '\n');
}

static void put_types(legacy_writer *w, const clv_vtk_contents *c)
{
    const unsigned char *type = c->types.data;
    clv_put_text(w->out, "CELL_TYPES ");
    put_count(w, c->ncell, '\n');
    for (int64_t i = 0; i < c->ncell; i++) {
        int32_t wide = type[i];
        clv_vtk_array own = {"", CLV_VTK_I32, 1, 1, &wide};
        if (w->binary)
            clv_vtk_put_raw(w->out, &own, true);
        else
            clv_vtk_put_text(w->out, &own);
    }
    if (w->binary)
        clv_put_char(w->out, '\n');
}

static void put_data(legacy_writer *w, const char *keyword, int64_t tuples,
                     const clv_vtk_arrays *arrays)
{
    static const char *const types[] = {"unsigned_char", "int", "vtktypeint64", "double"};
    if (arrays->count == 0)
        return;
    clv_put_text(w->out, keyword);
    put_count(w, tuples, '\n');
    clv_put_text(w->out, "FIELD FieldData ");
    put_count(w, arrays->count, '\n');
    for (int i = 0; i < arrays->count; i++) {
        const clv_vtk_array *array = &arrays->array[i];
        clv_put_text(w->out, array->name);
        clv_put_char(w->out, ' ');
        put_count(w, array->components, ' ');
        put_count(w, array->tuples, ' ');
        clv_put_text(w->out, types[array->type]);
        clv_put_char(w->out, '\n');
        put_numbers(w, array);
    }
}

void clv_vtk_put_legacy(clv_output *out, const clv_vtk_contents *c, bool binary)
{
    legacy_writer w = {out, binary};
    clv_put_text(out, "# vtk DataFile Version 3.0\nwritten by cleave\n");
    clv_put_text(out, binary ? "BINARY\n" : "ASCII\n");
    clv_put_text(out, "DATASET UNSTRUCTURED_GRID\nPOINTS ");
    put_count(&w, c->npoint, ' ');
    clv_put_text(out, "double\n");
    put_numbers(&w, &c->points);
    put_cells(&w, c);
    put_types(&w, c);
    put_data(&w, "POINT_DATA ", c->npoint, &c->point_data);
    put_data(&w, "CELL_DATA ", c->ncell, &c->cell_data);
}

cleave_status clv_vtk_write(clv_output *out, const clv_vtk_picture *picture, bool xml,
                            clv_vtk_encoding encoding, cleave_error *err)
{
    clv_vtk_contents contents = {0};
    cleave_status status = clv_vtk_collect(&contents, picture, err);
    if (status == CLEAVE_OK && xml)
        clv_vtk_put_xml(out, &contents, encoding);
    else if (status == CLEAVE_OK)
        clv_vtk_put_legacy(out, &contents, encoding == CLV_VTK_RAW);
    clv_arena_free(&contents.arena);
    return status;
}

/* ---- As formats ----------------------------------------------------------------------- */

static cleave_status write_vtk(const clv_graph *g, clv_output *out, const int32_t *part,
                               cleave_error *err)
{
    clv_vtk_picture picture = {.g = g, .part = part};
    return clv_vtk_write(out, &picture, false, CLV_VTK_ASCII, err);
}

static cleave_status write_vtu(const clv_graph *g, clv_output *out, const int32_t *part,
                               cleave_error *err)
{
    clv_vtk_picture picture = {.g = g, .part = part};
    return clv_vtk_write(out, &picture, true, CLV_VTK_BASE64, err);
}

const clv_format clv_format_vtk = {
    .name = "vtk",
    .description = "VTK's legacy files, for ParaView",
    .extensions = "vtk",
    .write = write_vtk,
    .holds = CLV_HOLDS_WEIGHTS | CLEAVE_HOLDS_COORDINATES | CLEAVE_HOLDS_DIRECTION |
             CLEAVE_HOLDS_PARTS,
};

const clv_format clv_format_vtu = {
    .name = "vtu",
    .description = "VTK's XML files of unstructured grids, for ParaView",
    .extensions = "vtu",
    .write = write_vtu,
    .holds = CLV_HOLDS_WEIGHTS | CLEAVE_HOLDS_COORDINATES | CLEAVE_HOLDS_DIRECTION |
             CLEAVE_HOLDS_PARTS,
};
