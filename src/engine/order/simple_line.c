/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/simple_line.c - linear orders in linear time, see engine/order/simple_line.h.
 */
#include "engine/order/simple_line.h"

#include <string.h>

#include "engine/order/line_parts.h"

enum { most_sampled = 1 << 14 }; /* vertices; not tuned */

/* Weight times length of the edges of a regular sample of the vertices.  place: nvtx,
 * filled. */
static double sample_length(const clv_graph *g, const int32_t *vertex, int32_t *place)
{
    int32_t step = g->nvtx / most_sampled + 1;
    double sum = 0;
    for (int32_t p = 0; p < g->nvtx; p++)
        place[vertex[p]] = p;
    for (int32_t v = 0; v < g->nvtx; v += step)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double length = (double)place[v] - place[g->adj[a]];
            sum += (double)clv_graph_ewgt(g, a) * (length < 0 ? -length : length);
        }
    return sum;
}

static void keep_shorter(const clv_graph *g, const int32_t *line, int32_t *place,
                         double *shortest, int32_t *vertex)
{
    double length = sample_length(g, line, place);
    if (length >= *shortest)
        return;
    *shortest = length;
    memcpy(vertex, line, (size_t)g->nvtx * sizeof *vertex);
}

cleave_status clv_simple_line_replace(const clv_graph *g, clv_context *ctx, int32_t *vertex,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *line = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *line);
    int32_t *place = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *place);
    uint8_t *seen = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *seen);
    if (!line || !place || !seen)
        return clv_fail_memory(err);
    double shortest = sample_length(g, vertex, place);
    for (int32_t v = 0; v < g->nvtx; v++)
        line[v] = v;
    keep_shorter(g, line, place, &shortest, vertex);
    clv_context_count(ctx, g->narc);
    clv_line_by_breadth(g, seen, line);
    keep_shorter(g, line, place, &shortest, vertex);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
