/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_picture.h - a graph in two or three dimensions with coloured parts. */
#ifndef CLV_VIEW_GRAPH_PICTURE_H
#define CLV_VIEW_GRAPH_PICTURE_H

#include "graph/graph.h"
#include "view/figure.h"

/* A graph and the part of each vertex. */
typedef struct clv_graph_parts {
    const clv_graph *g;
    int32_t nparts;
    const int32_t *part; /* may be NULL */
} clv_graph_parts;

typedef struct clv_graph_picture {
    const clv_graph *g;
    int32_t nparts;         /* 0: no parts */
    const int32_t *part;    /* by vertex, or NULL */
    int ndim;               /* 2 or 3 */
    const double *position; /* nvtx * ndim, finite */
    const int32_t *place;   /* by vertex, 0 .. nvtx - 1, or NULL: position in an order; without
                               parts, colours follow it */
    const double *evened;   /* may be NULL; see clv_figure */
    const char *title, *caption;
} clv_graph_picture;

/* Fills a figure.  Two-dimensional meshes: the faces in the colour of the nearest vertex, and
 * the boundaries of parts; otherwise vertices and edges; cut edges on top; a legend with the
 * sizes of the parts.  Layers, in order: "parts" (two-dimensional meshes), "edges", "part
 * boundaries" (two-dimensional meshes), "cut edges", "vertices".  Arrays come from arena,
 * which must live until the figure is written, as must the arrays of `what`. */
cleave_status clv_graph_figure(clv_figure *f, const clv_graph_picture *what, clv_arena *arena,
                               clv_ws *ws, cleave_error *err);

/* Colours of parts such that those of adjacent parts differ clearly; nparts entries from
 * arena.  Other pictures of the same mapping use the same colours. */
cleave_status clv_graph_colors(uint32_t **rgb, const clv_graph_parts *parts, clv_arena *arena,
                               clv_ws *ws, cleave_error *err);

/* "part 3" with its number of vertices, or with its weight if there are weights; only the
 * first if there are very many parts.  From arena. */
cleave_status clv_graph_legend(clv_figure *f, const clv_graph_parts *parts, clv_arena *arena,
                               cleave_error *err);

/* For a picture with `place`: sets palette and legend; *tint: the colour of each vertex. */
cleave_status clv_graph_tints(int32_t **tint, clv_figure *f, int32_t nvtx,
                              const int32_t *place, clv_arena *arena, cleave_error *err);

#endif
