/* SPDX-License-Identifier: Apache-2.0 */
/* view/flow_picture.h - flows between parts as arrows of proportional width: the quotient of a
 * graph, the migration of a remapping. */
#ifndef CLV_VIEW_FLOW_PICTURE_H
#define CLV_VIEW_FLOW_PICTURE_H

#include "view/graph_picture.h"

typedef struct clv_flow {
    int32_t from, to;
    int64_t amount; /* > 0 */
} clv_flow;

typedef struct clv_flow_picture {
    const char *title, *caption;
    int32_t nparts;
    const double *place;   /* by part, x and y, neighbours about 1 apart, y downwards */
    const double *bend;    /* by flow; NULL: equal */
    const int64_t *weight; /* by part */
    const uint32_t *rgb;   /* by part */
    int64_t nflows;
    const clv_flow *flow;
    const char *layer, *noun; /* "traffic": name of the arrows, and of one under the mouse */
    int64_t left_out;         /* number of flows omitted because there are too many; for the
                                 caption */
} clv_flow_picture;

/* Layers: the arrows, "parts", and their numbers.  Arrays from arena. */
cleave_status clv_flow_figure(clv_figure *f, const clv_flow_picture *what, clv_arena *arena,
                              cleave_error *err);

/* Keeps the `most` largest flows in their order. */
cleave_status clv_flow_largest(clv_flow *flow, int64_t *count, int64_t most, clv_ws *ws,
                               cleave_error *err);

/* The quotient of a DAG: its arcs as flows, and positions of the parts: from left to right by
 * their levels in the quotient, parts of one level one below the other; if the quotient has
 * cycles, in a row, sorted by `mean`. bend keeps arrows away from the parts in between.
 * Arrays from arena. */
typedef struct clv_quotient_places {
    int64_t nflows;
    clv_flow *flow;
    double *place, *bend;
    int64_t left_out; /* flows omitted because they are small */
    bool acyclic;
} clv_quotient_places;
cleave_status clv_flow_quotient(clv_quotient_places *out, const clv_graph_parts *parts,
                                const double *mean, clv_arena *arena, clv_ws *ws,
                                cleave_error *err);

/* Positions on a circle; adjacent parts have the usual distance. */
void clv_flow_circle(double *place, int32_t nparts);

#endif
