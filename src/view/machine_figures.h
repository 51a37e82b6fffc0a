/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_figures.h - the figures of a machine, for pictures of machines and for pages of
 * mappings. */
#ifndef CLV_VIEW_MACHINE_FIGURES_H
#define CLV_VIEW_MACHINE_FIGURES_H

#include "base/context.h"
#include "view/machine_picture.h"
#include "view/page.h"

typedef struct clv_machine_figures {
    /* Input. */
    const clv_target *t;
    const clv_graph *g;           /* NULL: the machine alone */
    const int32_t *before, *part; /* mappings of g; NULL: none */
    int32_t nparts;               /* of part; at most as many as there are PEs */
    const char *title[2];         /* of the figures: of before, and of part or the machine
                                     alone */
    clv_context *ctx;
    clv_arena *arena;
    /* Output. */
    clv_floorplan floorplan;
    clv_machine_loads loads[2]; /* before, part */
    int figures;                /* 1, or 2 with before */
    clv_figure figure[2];       /* side by side */
} clv_machine_figures;

/* Arrays from the arena.  CLEAVE_ERANGE: the machine is too large to be drawn. */
cleave_status clv_machine_figures_make(clv_machine_figures *v, cleave_error *err);
/* The figures in a row of a page. */
void clv_page_machine(clv_page *page, const clv_machine_figures *v);
/* PEs with load, share and traffic, up to the limit of a page. */
cleave_status clv_page_machine_table(clv_page *page, const clv_machine_figures *v,
                                     cleave_error *err);

#endif
