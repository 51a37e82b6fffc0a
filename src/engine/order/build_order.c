/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/build_order.c - the pipeline of cleave_order_build: the method computes a
 * linear order of the vertices, then weights, hash and crossings are computed. */
#include "engine/order/build_order.h"

cleave_status clv_order_build(clv_order **out, const clv_graph *g,
                              const clv_line_method *method, cleave_effort effort,
                              clv_context *ctx, cleave_error *err)
{
    clv_line_result line = {.vertex = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *line.vertex)};
    if (!line.vertex)
        return clv_fail_memory(err);
    clv_context_phase(ctx, "ordering", 0, 0);
    if (g->nvtx > 0)
        CLV_TRY(clv_line_make(&line, g, method, effort, ctx, err));
    clv_context_stop(ctx);
    CLV_TRY(clv_order_new(out, g, method->name, line.vertex, ctx->ws, err));
    if (line.spectral.computed) {
        (*out)->residual = line.spectral.residual;
        (*out)->converged = line.spectral.converged;
    }
    return clv_context_cancelled(ctx)
               ? clv_fail(err, CLEAVE_ECANCEL,
                          "stopped by the progress callback; the order is the best so far")
               : CLEAVE_OK;
}
