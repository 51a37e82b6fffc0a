/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/schedule_cost.c - what a schedule costs: the sum over its layers of what the
 * thread that takes longest takes, and of one synchronisation [the BSP model, Valiant 1990].
 *
 * evaluate/schedule_metrics.c computes the same from a finished schedule, without this. */
#include "schedule/schedulers.h"

#include <string.h>

typedef struct load {
    int64_t work, reads;
} load;

/* The vertices layer by layer, by counting: first[l] is where layer l begins. */
static void sort_by_layer(int32_t nvtx, int32_t layers, const int32_t *layer, int32_t *first,
                          int32_t *vertex)
{
    for (int32_t v = 0; v < nvtx; v++)
        first[layer[v] + 1]++;
    for (int32_t l = 0; l < layers; l++)
        first[l + 1] += first[l];
    for (int32_t v = 0; v < nvtx; v++)
        vertex[first[layer[v]]++] = v;
    for (int32_t l = layers; l > 0; l--)
        first[l] = first[l - 1];
    first[0] = 0;
}

static int64_t count_reads(const clv_graph *g, const int32_t *thread, int32_t v)
{
    int64_t reads = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        reads += thread[g->pred[a]] != thread[v];
    return reads;
}

/* What one layer takes; loads are all 0 before and after. */
static double layer_time(const clv_graph *g, const int32_t *thread, const int32_t *begin,
                         const int32_t *end, const clv_schedule_costs *costs, load *loads,
                         int64_t *work_max, int64_t *crossing)
{
    double longest = 0;
    int64_t heaviest = 0;
    for (const int32_t *v = begin; v < end; v++) {
        load *of = &loads[thread[*v]];
        int64_t reads = count_reads(g, thread, *v);
        of->work += clv_graph_vwgt(g, *v, 0);
        of->reads += reads;
        *crossing += reads;
        double time = (double)of->work + costs->read * (double)of->reads;
        longest = time > longest ? time : longest;
        heaviest = of->work > heaviest ? of->work : heaviest;
    }
    for (const int32_t *v = begin; v < end; v++)
        loads[thread[*v]] = (load){0, 0};
    *work_max += heaviest;
    return longest;
}

double clv_schedule_cost(const clv_graph *g, int32_t threads, const int32_t *layer,
                         const int32_t *thread, const clv_schedule_costs *costs, clv_ws *ws,
                         int64_t *work_max, int64_t *crossing)
{
    int32_t layers = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        layers = layer[v] >= layers ? layer[v] + 1 : layers;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *first = clv_ws_zalloc(ws, (int64_t)layers + 1, sizeof *first);
    int32_t *vertex = clv_ws_alloc(ws, g->nvtx, sizeof *vertex);
    load *loads = clv_ws_zalloc(ws, threads, sizeof *loads);
    if (!first || !vertex || !loads) {
        clv_ws_restore(ws, mark);
        return -1;
    }
    sort_by_layer(g->nvtx, layers, layer, first, vertex);
    int64_t heaviest = 0, reads = 0;
    double cost = 0;
    for (int32_t l = 0; l < layers; l++)
        if (first[l + 1] > first[l])
            cost +=
                costs->sync + layer_time(g, thread, vertex + first[l], vertex + first[l + 1],
                                         costs, loads, &heaviest, &reads);
    clv_ws_restore(ws, mark);
    if (work_max)
        *work_max = heaviest;
    if (crossing)
        *crossing = reads;
    return cost;
}
