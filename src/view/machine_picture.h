/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_picture.h - a machine with the load of its PEs and the traffic of its links as
 * heat. */
#ifndef CLV_VIEW_MACHINE_PICTURE_H
#define CLV_VIEW_MACHINE_PICTURE_H

#include "evaluate/traffic.h"
#include "target/floorplan.h"
#include "view/figure.h"

/* What a mapping asks of a machine. */
typedef struct clv_machine_loads {
    const int64_t *work;    /* by PE of the target: the weight of its vertices */
    const double *share;    /* by PE: how much its speed promises */
    const int64_t *traffic; /* by PE: the weight of the edges that lead to other PEs */
    const int64_t *link; /* by link, along the routes that evaluate knows; NULL: no routes */
    const int64_t
        *across;    /* by box of the floor plan: what passes its walls; NULL: no boxes */
    int64_t npairs; /* without routes: who talks to whom */
    const clv_talk *pair;
    int64_t busiest; /* of the links, boxes or pairs */
} clv_machine_loads;

/* part[v] is a PE of t.  Arrays from arena; scratch from ws, given back. */
cleave_status clv_machine_loads_make(clv_machine_loads *l, const clv_graph *g,
                                     const clv_target *t, const clv_floorplan *floorplan,
                                     const int32_t *part, clv_arena *arena, clv_ws *ws,
                                     cleave_error *err);

typedef struct clv_machine_picture {
    const clv_target *t;
    const clv_floorplan *floorplan; /* with positions */
    const clv_machine_loads *loads; /* NULL: nothing is mapped yet */
    int64_t hottest; /* the traffic that is drawn hottest: the same for pictures to compare */
    const uint32_t *rgb; /* by PE of the target: colours of parts in other pictures; NULL */
    const char *title, *caption;
} clv_machine_picture;

/* Fills a figure.  Layers, in order, as far as there are any: "boxes", "memory", "traffic",
 * "links" (or "pairs", without routes), "switches", "PEs", "threads", "part colours" (not
 * shown at first).  What is made comes from arena. */
cleave_status clv_machine_figure(clv_figure *f, const clv_machine_picture *what,
                                 clv_arena *arena, cleave_error *err);

/* The palette: so many steps of heat for traffic, then as many for loads, then the colours of
 * the parts. */
enum { CLV_MACHINE_STEPS = 64 };

#endif
