/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_vertices.h - the vertices of a DOT file: names, attributes and, at the end,
 * their numbers.
 *
 * While the file is read a vertex is known by the order in which it first appeared.  The
 * final numbers: ids that are exactly the integers 0..n-1 are the numbers themselves (and
 * then no names are kept); other integers are numbered in ascending order; as soon as one
 * id is not an integer, the order of appearance stays. */
#ifndef CLV_FORMATS_DOT_VERTICES_H
#define CLV_FORMATS_DOT_VERTICES_H

#include "formats/name_table.h"
#include "graph/build.h"

/* What an attribute list or a default says about vertices. */
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
    int32_t space;     /* vertices for which the arrays below have room */
    int32_t ncon;      /* 0: no weights seen so far */
    int32_t *vwgt;     /* ncon by vertex; 1 where the file says nothing */
    int32_t *vsize;    /* or NULL */
    int32_t ndim;      /* of the first position given; 0: none so far */
    double *coords;    /* 3 by vertex; the first is NaN where there is none */
    bool mixed_coords; /* some positions have two numbers, some three */
} clv_dot_vertices;

/* *v becomes the vertex of this name; a new one gets the defaults. */
cleave_status clv_dot_vertices_add(clv_dot_vertices *vertices, const char *name,
                                   int64_t length, const clv_dot_attributes *defaults,
                                   int32_t *v, cleave_error *err);
/* False: out of memory.  attributes->ncon is 0 or equals vertices->ncon if that is not 0. */
bool clv_dot_vertices_set(clv_dot_vertices *vertices, int32_t v,
                          const clv_dot_attributes *attributes);

/* Gives the vertices their final numbers, renumbers the edges accordingly, and drops the
 * names when they only repeat the numbers.  No more vertices can be added. */
cleave_status clv_dot_vertices_finish(clv_dot_vertices *vertices, clv_edge_stream *edges,
                                      cleave_error *err);
/* Hands names and attributes over to g, which has been built from those edges. */
cleave_status clv_dot_vertices_give(clv_dot_vertices *vertices, clv_graph *g,
                                    cleave_error *err);
void clv_dot_vertices_free(clv_dot_vertices *vertices);

#endif
