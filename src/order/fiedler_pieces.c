/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_pieces.c - connected components for spectral methods: edges of weight 0 are
 * ignored. */
#include "base/sort.h"
#include "order/fiedler.h"

static int32_t flood(const clv_graph *g, int32_t start, int32_t number, int32_t *component,
                     int32_t *queue)
{
    int32_t count = 1;
    queue[0] = start;
    component[start] = number;
    for (int32_t next = 0; next < count; next++) {
        int32_t v = queue[next];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (component[u] < 0 && clv_graph_ewgt(g, a) > 0) {
                component[u] = number;
                queue[count++] = u;
            }
        }
    }
    return count;
}

/* Renumbers components by descending size; size[i] is the size of component i. */
static cleave_status sort_by_size(int32_t nvtx, int32_t count, const int32_t *size, clv_ws *ws,
                                  int32_t *component, cleave_error *err)
{
    clv_sort_item *items = clv_ws_alloc(ws, count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    int32_t *number = clv_ws_alloc(ws, count, sizeof *number);
    if (!items || !scratch || !number)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < count; i++)
        items[i] = (clv_sort_item){.key = nvtx - size[i], .with.index = i};
    const clv_sort_item *sorted = clv_sort(items, scratch, count);
    for (int32_t i = 0; i < count; i++)
        number[sorted[i].with.index] = i;
    for (int32_t v = 0; v < nvtx; v++)
        component[v] = number[component[v]];
    return CLEAVE_OK;
}

cleave_status clv_fiedler_pieces(const clv_graph *g, clv_ws *ws, int32_t *component,
                                 int32_t *ncomponents, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *queue = clv_ws_alloc(ws, g->nvtx, sizeof *queue);
    int32_t *size = clv_ws_alloc(ws, g->nvtx, sizeof *size);
    if (!queue || !size)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        component[v] = -1;
    int32_t count = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (component[v] < 0) {
            size[count] = flood(g, v, count, component, queue);
            count++;
        }
    *ncomponents = count;
    cleave_status status = CLEAVE_OK;
    if (count > 1)
        status = sort_by_size(g->nvtx, count, size, ws, component, err);
    clv_ws_restore(ws, mark);
    return status;
}
