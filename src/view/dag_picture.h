/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_picture.h - a DAG from left to right: levels are columns, parts are bands.
 *
 * Small DAGs are drawn vertex by vertex.  In large ones a cell represents the vertices of a
 * part in a range of levels; its height grows with their number, and an arrow represents all
 * arcs between two cells. */
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
    bool condensed; /* draw cells even if it is small */
} clv_dag_picture;

/* The layout; arrays from the arena that made it.  Without parts there is one band, and
 * part[v] is 0. */
typedef struct clv_dag_layout {
    int32_t depth;        /* levels */
    const int32_t *level; /* by vertex, ALAP: sinks have the last level */
    int32_t nbands;
    const int32_t *part; /* by vertex */
    const int32_t *band; /* by part: its position from the top, by mean level */
    const double *mean;  /* by part: mean level of its vertices */
    int64_t npath;
    const int32_t *path; /* vertices of the critical path, from its start */
    int64_t length;      /* with its costs */
} clv_dag_layout;
/* CLEAVE_ECYCLE: the graph has a cycle (it was read with `trust`).  O(nvtx + narc). */
cleave_status clv_dag_layout_make(clv_dag_layout *l, const clv_dag_picture *what,
                                  clv_arena *arena, clv_ws *ws, cleave_error *err);

/* Layers: "bands", "arcs", "cut arcs" ("traffic" between cells), "critical path", and
 * "vertices" ("cells"); names of bands and numbers of levels.  Arrays from arena. */
cleave_status clv_dag_figure(clv_figure *f, const clv_dag_picture *what,
                             const clv_dag_layout *l, clv_arena *arena, clv_ws *ws,
                             cleave_error *err);

/* ---- Shared by its files ---------------------------------------------------------------- */

typedef struct clv_dag_drawing {
    clv_figure *f;
    const clv_dag_picture *what;
    const clv_dag_layout *l;
    clv_arena *arena;
    clv_ws *ws;
    clv_canvas canvas;
    int32_t columns;      /* levels, or ranges of levels */
    double *top, *height; /* by part: of its band */
    double bottom;        /* of the last band */
    double *y;            /* by vertex: position of the vertex or of its cell */
} clv_dag_drawing;

static inline int32_t clv_dag_column(const clv_dag_drawing *d, int32_t v)
{
    return (int32_t)((int64_t)d->l->level[v] * d->columns / d->l->depth);
}

/* Stacks the bands; fit, by part: how much each must hold. */
cleave_status clv_dag_bands(clv_dag_drawing *d, const double *fit, cleave_error *err);
/* The layer of the bands; 2 * nbands positions. */
cleave_status clv_dag_backdrop(clv_dag_drawing *d, cleave_error *err);
/* The canvas with `room` positions, plus those that all DAG pictures have in common. */
cleave_status clv_dag_canvas(clv_dag_drawing *d, int64_t room, cleave_error *err);
/* view/dag_cells.c: the layers of a large DAG below the critical path. */
cleave_status clv_dag_cells(clv_dag_drawing *d, cleave_error *err);

#endif
