/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/simple_line.c - linear orders in linear time, see engine/order/simple_line.h.
 */
#include "engine/order/simple_line.h"

#include <string.h>

#include "engine/order/line_parts.h"

enum {
    good_enough = 20
}; /* a line so many times shorter than a random one is accepted; not
      tuned */

/* Weight times length of the edges of a regular sample of the vertices, and what is expected
 * of a random line. */
typedef struct sampled {
    double length, random;
} sampled;

/* place: by vertex; NULL: its number. */
static sampled sample_places(const clv_graph *g, const int32_t *place)
{
    int32_t step = clv_line_sample_step(g);
    sampled sum = {0, 0};
    for (int32_t v = 0; v < g->nvtx; v += step)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            double length = place ? (double)place[v] - place[u] : (double)v - u;
            double w = (double)clv_graph_ewgt(g, a);
            sum.length += w * (length < 0 ? -length : length);
            sum.random += w * g->nvtx / 3;
        }
    return sum;
}

static sampled sample_line(const clv_graph *g, const int32_t *vertex, int32_t *place)
{
    bool by_number = true;
    for (int32_t p = 0; p < g->nvtx; p++) {
        place[vertex[p]] = p;
        by_number = by_number && vertex[p] == p;
    }
    return sample_places(g, by_number ? NULL : place);
}

cleave_status clv_simple_line_replace(const clv_graph *g, clv_context *ctx, int32_t *vertex,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *place = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    sampled given = sample_line(g, vertex, place), by_number = sample_places(g, NULL);
    double shortest = given.length;
    if (by_number.length < shortest) {
        shortest = by_number.length;
        for (int32_t v = 0; v < g->nvtx; v++)
            vertex[v] = v;
    }
    if (shortest * good_enough >= given.random) {
        int32_t *line = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *line);
        uint8_t *seen = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *seen);
        if (!line || !seen)
            return clv_fail_memory(err);
        clv_context_count(ctx, g->narc);
        clv_line_by_breadth(g, seen, line);
        if (sample_line(g, line, place).length < shortest)
            memcpy(vertex, line, (size_t)g->nvtx * sizeof *vertex);
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
