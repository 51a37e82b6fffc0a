/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_vertices.h - the vertices of a DOT file: names, attributes and final numbers.
 *
 * During reading, vertices are numbered in order of appearance.  Final numbers: if the ids are
 * exactly the integers 0..n-1, they are the numbers (and no names are kept); other integers
 * are numbered in ascending order; if one id is not an integer, the order of appearance
 * stays. */
#ifndef CLV_FORMATS_DOT_VERTICES_H
#define CLV_FORMATS_DOT_VERTICES_H

#include "formats/name_table.h"
#include "graph/build.h"

/* Vertex attributes from an attribute list or from defaults. */
typedef struct clv_dot_attributes {
    int32_t ncon; /* numbers in weight; 0: no weight given */
    int32_t *weight;
    int32_t weight_space;
    int32_t vsize; /* -1: not given */
    int32_t ndim;  /* numbers in pos; 0: not given; only for single vertices */
    double pos[3];
} clv_dot_attributes;

typedef struct clv_dot_vertices { /* zero-initialise */
    clv_name_table names;
    int32_t space;     /* capacity of the arrays below, in vertices */
    int32_t ncon;      /* 0: no weights seen so far */
    int32_t *vwgt;     /* ncon per vertex; 1 where the file gives no weight */
    int32_t *vsize;    /* or NULL */
    int32_t ndim;      /* dimensions of the first position; 0: none so far */
    double *coords;    /* 3 per vertex; the first is NaN if there is no position */
    bool mixed_coords; /* some positions have two numbers, some three */
} clv_dot_vertices;

/* *v becomes the vertex with this name; a new vertex gets the defaults. */
cleave_status clv_dot_vertices_add(clv_dot_vertices *vertices, const char *name,
                                   int64_t length, const clv_dot_attributes *defaults,
                                   int32_t *v, cleave_error *err);
/* False: out of memory.  attributes->ncon is 0 or equals vertices->ncon if that is not 0. */
bool clv_dot_vertices_set(clv_dot_vertices *vertices, int32_t v,
                          const clv_dot_attributes *attributes);

/* Assigns the final numbers, renumbers the edges, and drops names that only repeat the
 * numbers.  No vertices can be added afterwards. */
cleave_status clv_dot_vertices_finish(clv_dot_vertices *vertices, clv_edge_stream *edges,
                                      cleave_error *err);
/* Transfers names and attributes to g, which was built from those edges. */
cleave_status clv_dot_vertices_give(clv_dot_vertices *vertices, clv_graph *g,
                                    cleave_error *err);
void clv_dot_vertices_free(clv_dot_vertices *vertices);

#endif
