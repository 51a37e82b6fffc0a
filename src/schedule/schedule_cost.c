/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/schedule_cost.c - the cost of a schedule: the sum over its layers of the time of
 * the slowest thread and one synchronisation [BSP model, Valiant 1990].
 *
 * evaluate/schedule_metrics.c computes the same from a finished schedule, independently. */
#include "schedule/schedulers.h"

#include "base/group.h"

typedef struct load {
    int64_t work, reads;
} load;

typedef struct costing {
    const clv_graph *g;
    const int32_t *thread;
    const clv_schedule_costs *costs;
    load *loads;      /* by thread; 0 between layers */
    int64_t work_max; /* sum over layers: work of the heaviest thread */
    int64_t crossing; /* arcs between threads */
} costing;

static int64_t count_reads(const clv_graph *g, const int32_t *thread, int32_t v)
{
    int64_t reads = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        reads += thread[g->pred[a]] != thread[v];
    return reads;
}

/* The time of a layer of these vertices. */
static double layer_time(costing *c, const int32_t *begin, const int32_t *end)
{
    double longest = 0;
    int64_t heaviest = 0;
    for (const int32_t *v = begin; v < end; v++) {
        load *of = &c->loads[c->thread[*v]];
        int64_t reads = count_reads(c->g, c->thread, *v);
        of->work += clv_graph_vwgt(c->g, *v, 0);
        of->reads += reads;
        c->crossing += reads;
        double time = (double)of->work + c->costs->read * (double)of->reads;
        longest = time > longest ? time : longest;
        heaviest = of->work > heaviest ? of->work : heaviest;
    }
    for (const int32_t *v = begin; v < end; v++)
        c->loads[c->thread[*v]] = (load){0, 0};
    c->work_max += heaviest;
    return longest;
}

double clv_schedule_cost(const clv_graph *g, const clv_schedule_spec *of,
                         const clv_schedule_costs *costs, clv_ws *ws, int64_t *work_max,
                         int64_t *crossing)
{
    int32_t layers = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        layers = of->layer[v] >= layers ? of->layer[v] + 1 : layers;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *first = clv_ws_alloc(ws, (int64_t)layers + 1, sizeof *first);
    int32_t *vertex = clv_ws_alloc(ws, g->nvtx, sizeof *vertex);
    costing c = {.g = g, .thread = of->thread, .costs = costs};
    c.loads = clv_ws_zalloc(ws, of->threads, sizeof *c.loads);
    if (!first || !vertex || !c.loads) {
        clv_ws_restore(ws, mark);
        return -1;
    }
    clv_group_by_key(g->nvtx, of->layer, layers, first, vertex);
    double cost = 0;
    for (int32_t l = 0; l < layers; l++)
        if (first[l + 1] > first[l])
            cost += costs->sync + layer_time(&c, vertex + first[l], vertex + first[l + 1]);
    clv_ws_restore(ws, mark);
    if (work_max)
        *work_max = c.work_max;
    if (crossing)
        *crossing = c.crossing;
    return cost;
}
