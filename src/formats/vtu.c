/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vtu.c - unstructured grids in VTK's XML format, version 1.0 [VTK file formats].
 *
 * Numbers are text inside the elements, or one block per array after all elements, as base64
 * or as bytes; the elements then contain the offset of their block. */
#include "formats/vtk.h"

typedef struct xml_writer {
    clv_output *out;
    clv_vtk_encoding encoding;
    int64_t offset; /* where the next block starts, counted from the underscore */
} xml_writer;

static void put_attribute(xml_writer *w, const char *name, int64_t value)
{
    clv_put_char(w->out, ' ');
    clv_put_text(w->out, name);
    clv_put_text(w->out, "=\"");
    clv_put_i64(w->out, value);
    clv_put_char(w->out, '"');
}

static void put_array(xml_writer *w, const clv_vtk_array *array)
{
    static const char *const types[] = {"UInt8", "Int32", "Int64", "Float64"};
    clv_output *out = w->out;
    clv_put_text(out, "        <DataArray type=\"");
    clv_put_text(out, types[array->type]);
    clv_put_text(out, "\" Name=\"");
    clv_put_text(out, array->name);
    clv_put_char(out, '"');
    if (array->components > 1)
        put_attribute(w, "NumberOfComponents", array->components);
    if (w->encoding == CLV_VTK_ASCII) {
        clv_put_text(out, " format=\"ascii\">\n");
        clv_vtk_put_text(out, array);
        clv_put_text(out, "        </DataArray>\n");
        return;
    }
    clv_put_text(out, " format=\"appended\"");
    put_attribute(w, "offset", w->offset);
    clv_put_text(out, "/>\n");
    w->offset += clv_vtk_block_size(array, w->encoding == CLV_VTK_BASE64);
}

static void put_data(xml_writer *w, const char *element, const clv_vtk_arrays *arrays)
{
    clv_put_text(w->out, "      <");
    clv_put_text(w->out, element);
    if (arrays->count > 0) {
        clv_put_text(w->out, " Scalars=\"");
        clv_put_text(w->out, arrays->array[0].name);
        clv_put_char(w->out, '"');
    }
    clv_put_text(w->out, ">\n");
    for (int i = 0; i < arrays->count; i++)
        put_array(w, &arrays->array[i]);
    clv_put_text(w->out, "      </");
    clv_put_text(w->out, element);
    clv_put_text(w->out, ">\n");
}

static void put_piece(xml_writer *w, const clv_vtk_contents *c)
{
    clv_put_text(w->out, "    <Piece");
    put_attribute(w, "NumberOfPoints", c->npoint);
    put_attribute(w, "NumberOfCells", c->ncell);
    clv_put_text(w->out, ">\n      <Points>\n");
    put_array(w, &c->points);
    clv_put_text(w->out, "      </Points>\n      <Cells>\n");
    put_array(w, &c->connectivity);
    put_array(w, &c->offsets);
    put_array(w, &c->types);
    clv_put_text(w->out, "      </Cells>\n");
    put_data(w, "PointData", &c->point_data);
    put_data(w, "CellData", &c->cell_data);
    clv_put_text(w->out, "    </Piece>\n");
}

/* In the order in which put_piece assigned offsets. */
static void put_blocks(xml_writer *w, const clv_vtk_contents *c)
{
    bool base64 = w->encoding == CLV_VTK_BASE64;
    const clv_vtk_array *const mesh[] = {&c->points, &c->connectivity, &c->offsets, &c->types};
    clv_put_text(w->out, base64 ? "  <AppendedData encoding=\"base64\">\n    _"
                                : "  <AppendedData encoding=\"raw\">\n    _");
    for (int i = 0; i < 4; i++)
        clv_vtk_put_block(w->out, mesh[i], base64);
    for (int i = 0; i < c->point_data.count; i++)
        clv_vtk_put_block(w->out, &c->point_data.array[i], base64);
    for (int i = 0; i < c->cell_data.count; i++)
        clv_vtk_put_block(w->out, &c->cell_data.array[i], base64);
    clv_put_text(w->out, "\n  </AppendedData>\n");
}

void clv_vtk_put_xml(clv_output *out, const clv_vtk_contents *c, clv_vtk_encoding encoding)
{
    xml_writer w = {out, encoding, 0};
    clv_put_text(out, "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                      "  <UnstructuredGrid>\n");
    put_piece(&w, c);
    clv_put_text(out, "  </UnstructuredGrid>\n");
    if (encoding != CLV_VTK_ASCII)
        put_blocks(&w, c);
    clv_put_text(out, "</VTKFile>\n");
}
