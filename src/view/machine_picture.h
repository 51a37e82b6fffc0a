/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_picture.h - a machine with the load of its PEs and the traffic on its links as
 * heat. */
#ifndef CLV_VIEW_MACHINE_PICTURE_H
#define CLV_VIEW_MACHINE_PICTURE_H

#include "evaluate/traffic.h"
#include "target/floorplan.h"
#include "view/figure.h"

/* The load of a mapping on a machine. */
typedef struct clv_machine_loads {
    const int64_t *work;    /* by PE of the target: weight of its vertices */
    const double *share;    /* by PE: its share according to its speed */
    const int64_t *traffic; /* by PE: weight of the edges to other PEs */
    const int64_t
        *link; /* by link, along the routes of evaluate/link_load.c; NULL: no routes */
    const int64_t
        *across;    /* by box of the floor plan: traffic across its walls; NULL: no boxes */
    int64_t npairs; /* without routes: pairs of PEs that exchange data */
    const clv_talk *pair;
    int64_t busiest; /* largest traffic of a link, box or pair */
} clv_machine_loads;

typedef struct clv_machine_mapping {
    const clv_graph *g;
    const clv_target *t;
    const int32_t *part; /* by vertex: a PE of t */
} clv_machine_mapping;

/* Arrays from arena; scratch from ws is released. */
cleave_status clv_machine_loads_make(clv_machine_loads *l, const clv_machine_mapping *m,
                                     const clv_floorplan *floorplan, clv_arena *arena,
                                     clv_ws *ws, cleave_error *err);

typedef struct clv_machine_picture {
    const clv_target *t;
    const clv_floorplan *floorplan; /* with positions */
    const clv_machine_loads *loads; /* NULL: machine without a mapping */
    int64_t hottest;     /* traffic at the hot end of the scale; equal in pictures that are
                            compared */
    const uint32_t *rgb; /* by PE of the target: colours of parts in other pictures; may be
                            NULL */
    const char *title, *caption;
} clv_machine_picture;

/* Fills a figure.  Layers, in order, if they have items: "boxes", "memory", "traffic", "links"
 * (or "pairs", without routes), "switches", "PEs", "threads", "part colours" (initially
 * hidden).  Arrays from arena. */
cleave_status clv_machine_figure(clv_figure *f, const clv_machine_picture *what,
                                 clv_arena *arena, cleave_error *err);

/* The palette: this many steps of heat for traffic, as many for loads, then the colours of the
 * parts. */
enum { CLV_MACHINE_STEPS = 64 };

#endif
