/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vtk.h - the contents of a VTK file: points, cells and arrays over both.
 *
 * vtk_contents.c collects them, vtk.c writes them as a legacy .vtk file and vtu.c as XML. Of a
 * graph with coordinates, vertices are points and edges are lines (isolated vertices are
 * cells, so that they are visible); of a METIS mesh, nodes are points and elements are cells,
 * so that the vertices of a dual graph are cells. */
#ifndef CLV_FORMATS_VTK_H
#define CLV_FORMATS_VTK_H

#include "formats/formats.h"

typedef enum clv_vtk_type { CLV_VTK_U8, CLV_VTK_I32, CLV_VTK_I64, CLV_VTK_F64 } clv_vtk_type;

typedef struct clv_vtk_array {
    const char *name;
    clv_vtk_type type;
    int32_t components;
    int64_t tuples;
    const void *data;
} clv_vtk_array;

enum { CLV_VTK_MOST_ARRAYS = 6 };

typedef struct clv_vtk_arrays {
    int count;
    clv_vtk_array array[CLV_VTK_MOST_ARRAYS];
} clv_vtk_arrays;

typedef struct clv_vtk_contents {
    int64_t npoint, ncell;
    clv_vtk_array points;       /* three numbers each */
    clv_vtk_array connectivity; /* points of the cells, one cell after the other */
    clv_vtk_array offsets;      /* by cell: where its points end */
    clv_vtk_array types;        /* by cell: one of clv_vtk_cell */
    clv_vtk_arrays point_data, cell_data;
    clv_arena arena; /* owns what belongs neither to the graph, nor to the mesh, nor to the
                        caller */
} clv_vtk_contents;

typedef enum clv_vtk_encoding {
    CLV_VTK_ASCII,
    CLV_VTK_BASE64, /* vtu only */
    CLV_VTK_RAW
} clv_vtk_encoding;

/* What is written with a graph; all but g may be NULL. */
typedef struct clv_vtk_picture {
    const clv_graph *g;
    const int32_t *part, *place; /* by vertex */
    const char *mesh_file;       /* g is the dual (nodal) graph of this mesh */
    const char *mesh_coords;     /* coordinates of its nodes; NULL: next to it */
    bool mesh_nodal;
} clv_vtk_picture;

/* Collects the contents; the caller frees contents->arena, also on failure. */
cleave_status clv_vtk_collect(clv_vtk_contents *contents, const clv_vtk_picture *picture,
                              cleave_error *err);
/* Legacy .vtk, or XML (.vtu). */
void clv_vtk_put_legacy(clv_output *out, const clv_vtk_contents *contents, bool binary);
void clv_vtk_put_xml(clv_output *out, const clv_vtk_contents *contents,
                     clv_vtk_encoding encoding);
/* Collects and writes. */
cleave_status clv_vtk_write(clv_output *out, const clv_vtk_picture *picture, bool xml,
                            clv_vtk_encoding encoding, cleave_error *err);

/* ---- Numbers as bytes (vtk_bytes.c) -------------------------------------------------- */

size_t clv_vtk_size(clv_vtk_type type); /* of one number */
/* All numbers of an array as text, separated by blanks, a line per tuple. */
void clv_vtk_put_text(clv_output *out, const clv_vtk_array *array);
/* As bytes, big-endian or little-endian, independent of this machine. */
void clv_vtk_put_raw(clv_output *out, const clv_vtk_array *array, bool big_endian);
/* The bytes preceded by their number as 8 bytes, little-endian. base64: all of it as text. */
void clv_vtk_put_block(clv_output *out, const clv_vtk_array *array, bool base64);
/* Bytes that clv_vtk_put_block writes. */
int64_t clv_vtk_block_size(const clv_vtk_array *array, bool base64);

#endif
