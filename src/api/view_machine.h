/* SPDX-License-Identifier: Apache-2.0 */
/* api/view_machine.h - the figures of a machine, for a picture of their own and for pages
 * about mappings. */
#ifndef CLV_API_VIEW_MACHINE_H
#define CLV_API_VIEW_MACHINE_H

#include "api/view.h"
#include "view/machine_picture.h"

typedef struct clv_view_machine {
    /* What to draw, from the caller. */
    const clv_target *t;
    const clv_graph *g;           /* NULL: the machine alone */
    const int32_t *before, *part; /* mappings of g; NULL: none */
    int32_t nparts;               /* of part; at most as many as there are PEs */
    const char *title[2];         /* of the figures: before, and part or nothing */
    clv_context *ctx;
    clv_arena *arena;
    /* What comes out. */
    clv_floor floor;
    clv_machine_loads loads[2]; /* before, part */
    int figures;                /* 1, or 2 with before */
    clv_figure figure[2];       /* side by side */
} clv_view_machine;

/* Everything from the arena.  CLEAVE_ERANGE: the machine is too large to be drawn. */
cleave_status clv_view_machine_draw(clv_view_machine *v, cleave_error *err);
/* The figures in a row of a page. */
void clv_view_machine_put(clv_page *page, const clv_view_machine *v);
/* PEs with load, share and traffic, as many as a page takes. */
cleave_status clv_view_machine_table(clv_page *page, const clv_view_machine *v,
                                     cleave_error *err);

#endif
