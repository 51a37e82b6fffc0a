/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_picture.h - a DAG from left to right: levels are columns, parts are bands.
 *
 * Small ones vertex by vertex.  Of large ones a cell stands for the vertices of a part in a
 * range of levels, as high as they are many, and arrows for all arcs from cell to cell. */
#ifndef CLV_VIEW_DAG_PICTURE_H
#define CLV_VIEW_DAG_PICTURE_H

#include "graph/graph.h"
#include "view/shapes.h"

typedef struct clv_dag_picture {
    const clv_graph *g; /* a DAG */
    int32_t nparts;     /* 0: no parts */
    const int32_t *part;
    int64_t cost_vertex, cost_inside, cost_cut; /* of the critical path */
    const char *title, *caption;
    bool condensed; /* cells, however small it is */
} clv_dag_picture;

/* Where everything is; arrays from the arena that made it.  Without parts there is one band,
 * and part[v] is 0. */
typedef struct clv_dag_layout {
    int32_t depth;        /* levels */
    const int32_t *level; /* by vertex, as late as possible: sinks have the last */
    int32_t nbands;
    const int32_t *part; /* by vertex */
    const int32_t *band; /* by part: its place from the top, by mean level */
    const double *mean;  /* by part: mean level of its vertices */
    int64_t npath;
    const int32_t *path; /* vertices of the critical path, from its begin */
    int64_t length;      /* with its costs */
} clv_dag_layout;
/* CLEAVE_ECYCLE: a graph taken on trust.  O(nvtx + narc). */
cleave_status clv_dag_layout_make(clv_dag_layout *l, const clv_dag_picture *what,
                                  clv_arena *arena, clv_ws *ws, cleave_error *err);

/* Layers: "bands", "arcs", "cut arcs" ("traffic" of cells), "critical path", and "vertices"
 * ("cells"); names of bands and numbers of levels.  Made from arena. */
cleave_status clv_dag_figure(clv_figure *f, const clv_dag_picture *what,
                             const clv_dag_layout *l, clv_arena *arena, clv_ws *ws,
                             cleave_error *err);

/* ---- Between its files ------------------------------------------------------------------ */

typedef struct clv_dag_drawing {
    clv_figure *f;
    const clv_dag_picture *what;
    const clv_dag_layout *l;
    clv_arena *arena;
    clv_ws *ws;
    clv_canvas canvas;
    int32_t columns;      /* levels, or ranges of them */
    double *top, *height; /* by part: of its band */
    double bottom;        /* of the last band */
    double *y;            /* by vertex: where it, or its cell, is */
} clv_dag_drawing;

static inline int32_t clv_dag_column(const clv_dag_drawing *d, int32_t v)
{
    return (int32_t)((int64_t)d->l->level[v] * d->columns / d->l->depth);
}

/* Bands one above the other, in which so much fits, by part. */
cleave_status clv_dag_bands(clv_dag_drawing *d, const double *fit, cleave_error *err);
/* The layer of the bands; 2 * nbands positions. */
cleave_status clv_dag_backdrop(clv_dag_drawing *d, cleave_error *err);
/* The canvas, with room for what all DAG pictures have in common as well. */
cleave_status clv_dag_canvas(clv_dag_drawing *d, int64_t room, cleave_error *err);
/* view/dag_cells.c: the layers of a large DAG below the critical path. */
cleave_status clv_dag_cells(clv_dag_drawing *d, cleave_error *err);

#endif
