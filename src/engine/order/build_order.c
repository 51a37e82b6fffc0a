/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/build_order.c - the pipeline of cleave_order_build: the method computes a
 * linear order of the vertices, then weights, hash and crossings are computed. */
#include "engine/order/build_order.h"

cleave_status clv_order_build(clv_order **out, const clv_graph *g,
                              const clv_line_method *method, cleave_effort effort,
                              clv_context *ctx, cleave_error *err)
{
    clv_spectral_quality spectral = {0};
    int32_t *vertex = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *vertex);
    if (!vertex)
        return clv_fail_memory(err);
    clv_context_phase(ctx, "ordering", 0, 0);
    if (g->nvtx > 0)
        CLV_TRY(clv_line_make(g, method, effort, ctx, vertex, &spectral, err));
    clv_context_stop(ctx);
    CLV_TRY(clv_order_new(out, g, method->name, vertex, ctx->ws, err));
    if (spectral.computed) {
        (*out)->residual = spectral.residual;
        (*out)->converged = spectral.converged;
    }
    return clv_context_cancelled(ctx)
               ? clv_fail(err, CLEAVE_ECANCEL,
                          "the progress callback said stop; the order is the best so far")
               : CLEAVE_OK;
}
