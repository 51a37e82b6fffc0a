/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_picture.h - a graph in the plane or in space, its parts coloured. */
#ifndef CLV_VIEW_GRAPH_PICTURE_H
#define CLV_VIEW_GRAPH_PICTURE_H

#include "graph/graph.h"
#include "view/figure.h"

typedef struct clv_graph_picture {
    const clv_graph *g;
    int32_t nparts;         /* 0: no parts */
    const int32_t *part;    /* by vertex, or NULL */
    int ndim;               /* 2 or 3 */
    const double *position; /* nvtx * ndim, finite */
    const int32_t *place; /* by vertex, 0 .. nvtx - 1, or NULL: without parts, colours run from
                             the first to the last */
    const double *evened; /* or NULL; see clv_figure */
    const char *title, *caption;
} clv_graph_picture;

/* Fills a figure: of a flat mesh its faces, in the colour of the nearest vertex, with the
 * borders between parts; else vertices and edges; cut edges on top; a legend with the sizes
 * of the parts.  Layers, in order: "parts" (flat meshes), "edges", "part boundaries" (flat
 * meshes), "cut edges", "vertices".  What is made comes from arena, which must live until the
 * figure is written; the arrays of `what` too. */
cleave_status clv_graph_figure(clv_figure *f, const clv_graph_picture *what, clv_arena *arena,
                               clv_ws *ws, cleave_error *err);

/* Colours of parts such that those of adjacent parts differ clearly; nparts places from
 * arena.  Other pictures of the same mapping use the same. */
cleave_status clv_graph_colors(uint32_t **rgb, const clv_graph *g, int32_t nparts,
                               const int32_t *part, clv_arena *arena, clv_ws *ws,
                               cleave_error *err);

/* "part 3" with the number of its vertices or, where they are weighted, its weight; of very
 * many parts the first.  From arena. */
cleave_status clv_graph_legend(clv_figure *f, const clv_graph *g, int32_t nparts,
                               const int32_t *part, clv_arena *arena, cleave_error *err);

/* For a picture with `place`: the palette, the legend, and the colour of each vertex. */
cleave_status clv_graph_tints(int32_t **tint, clv_figure *f, int32_t nvtx,
                              const int32_t *place, clv_arena *arena, cleave_error *err);

#endif
