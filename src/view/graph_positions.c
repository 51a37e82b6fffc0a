/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_positions.c - the positions of the vertices of a graph: its coordinates, or a
 * layout if it has none. */
#include <math.h>

#include "order/layout.h"
#include "view/even_out.h"
#include "view/graph_view.h"

static cleave_status check_finite(const clv_graph *g, cleave_error *err)
{
    for (int64_t i = 0; i < (int64_t)g->nvtx * g->ndim; i++)
        if (!isfinite(g->coords[i]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "a coordinate of vertex %lld is not a finite number",
                            (long long)(i / g->ndim));
    return CLEAVE_OK;
}

/* A surface at constant height is drawn in two dimensions. */
static bool is_flat(const clv_graph *g)
{
    for (int32_t v = 1; v < g->nvtx; v++)
        if (g->coords[3 * (int64_t)v + 2] != g->coords[2])
            return false;
    return true;
}

static cleave_status drop_height(const clv_graph *g, clv_arena *arena, const double **out,
                                 cleave_error *err)
{
    double *flat = clv_arena_alloc(arena, 2 * (int64_t)g->nvtx, sizeof *flat);
    if (!flat)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        flat[2 * (int64_t)v] = g->coords[3 * (int64_t)v];
        flat[2 * (int64_t)v + 1] = g->coords[3 * (int64_t)v + 1];
    }
    *out = flat;
    return CLEAVE_OK;
}

static cleave_status even_out(clv_graph_picture *what, clv_drawing *d, cleave_error *err)
{
    bool wanted = false;
    clv_ws *ws = d->ctx.ws;
    CLV_TRY(clv_even_out_wanted(&wanted, what->g->nvtx, what->position, ws, err));
    if (!wanted)
        return CLEAVE_OK;
    double *evened = clv_arena_alloc(&d->arena, 2 * (int64_t)what->g->nvtx, sizeof *evened);
    if (!evened)
        return clv_fail_memory(err);
    what->evened = evened;
    return clv_even_out(evened, what->g->nvtx, what->position, ws, err);
}

cleave_status clv_graph_positions(clv_graph_picture *what, clv_drawing *d, cleave_error *err)
{
    const clv_graph *g = what->g;
    if (d->opt.layout == 0 && g->coords && g->ndim >= 2) {
        CLV_TRY(check_finite(g, err));
        what->ndim = g->ndim;
        what->position = g->coords;
        if (g->ndim == 3 && is_flat(g)) {
            what->ndim = 2;
            CLV_TRY(drop_height(g, &d->arena, &what->position, err));
        }
        return what->ndim == 2 ? even_out(what, d, err) : CLEAVE_OK;
    }
    what->ndim = d->opt.layout ? d->opt.layout : 2;
    double *position =
        clv_arena_alloc(&d->arena, (int64_t)g->nvtx * what->ndim, sizeof *position);
    if (!position)
        return clv_fail_memory(err);
    clv_context_phase(&d->ctx, "laying out", 0, 0);
    CLV_TRY(clv_layout(g, what->ndim, &d->ctx, position, err));
    clv_context_stop(&d->ctx);
    if (clv_context_cancelled(&d->ctx))
        return clv_fail(err, CLEAVE_ECANCEL, "stopped by the progress callback");
    what->position = position;
    return CLEAVE_OK;
}
