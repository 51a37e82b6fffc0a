/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_starts.c - starting mappings of a repartitioning; see
 * engine/remap/remap.h. */
#include <string.h>

#include "base/sort.h"
#include "engine/remap/remap.h"
#include "order/split.h"

/* ---- Current mapping -------------------------------------------------------------------- */

typedef struct spreading {
    const clv_remap_task *task;
    int32_t *part, *queue;
    int32_t count;
    double *load; /* by PE: weight over share, first constraint */
} spreading;

static void put_vertex(spreading *s, int32_t v, int32_t p)
{
    const clv_graph *g = s->task->to.g;
    double share = s->task->to.bounds.share[(int64_t)p * g->ncon];
    s->part[v] = p;
    s->queue[s->count++] = v;
    if (share > 0)
        s->load[p] += clv_graph_vwgt(g, v, 0) / share;
}

/* Breadth-first search from the assigned vertices: unassigned neighbours join their part. */
static void put_neighbours(spreading *s, int32_t first)
{
    const clv_graph *g = s->task->to.g;
    for (int32_t i = first; i < s->count; i++) {
        int32_t v = s->queue[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (s->part[g->adj[a]] < 0)
                put_vertex(s, g->adj[a], s->part[v]);
        for (int64_t a = g->xpred[v]; g->kind == CLEAVE_DAG && a < g->xpred[v + 1]; a++)
            if (s->part[g->pred[a]] < 0)
                put_vertex(s, g->pred[a], s->part[v]);
    }
}

/* The PE with the most room relative to its share. */
static int32_t emptiest(const spreading *s)
{
    const clv_partition_task *to = &s->task->to;
    int32_t best = -1;
    for (int32_t p = 0; p < to->bounds.nparts; p++)
        if (clv_bounds_wants_vertex(&to->bounds, p) &&
            (best < 0 || s->load[p] < s->load[best]))
            best = p;
    return best < 0 ? 0 : best;
}

cleave_status clv_remap_spread(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err)
{
    int32_t n = task->to.g->nvtx;
    clv_ws_mark mark = clv_ws_save(ws);
    spreading s = {.task = task, .part = part};
    s.queue = clv_ws_alloc(ws, n, sizeof *s.queue);
    s.load = clv_ws_zalloc(ws, task->to.bounds.nparts, sizeof *s.load);
    if (!s.queue || !s.load)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        part[v] = -1;
    for (int32_t v = 0; v < n; v++)
        if (task->home[v] >= 0)
            put_vertex(&s, v, task->home[v]);
    put_neighbours(&s, 0);
    /* Whole components whose PEs were lost. */
    for (int32_t v = 0; v < n; v++) {
        int32_t first = s.count;
        if (part[v] >= 0)
            continue;
        put_vertex(&s, v, emptiest(&s));
        put_neighbours(&s, first);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Intervals -------------------------------------------------------------------------- */

/* Mean place of the vertices that live on each PE; -1: it has none. */
static void find_places(const clv_remap_task *task, const int32_t *order, double *place,
                        int64_t *count)
{
    for (int32_t p = 0; p < task->to.bounds.nparts; p++)
        place[p] = 0;
    for (int32_t i = 0; i < task->to.g->nvtx; i++) {
        int32_t p = task->home[order[i]];
        if (p >= 0) {
            place[p] += i;
            count[p]++;
        }
    }
    for (int32_t p = 0; p < task->to.bounds.nparts; p++)
        place[p] = count[p] ? place[p] / (double)count[p] : -1;
}

/* Places PEs without residents: spreads them evenly over the vertices without a home, or at
 * the end if there are none. */
static void place_newcomers(const clv_remap_task *task, const int32_t *order, double *place)
{
    int32_t n = task->to.g->nvtx, seen = 0;
    int64_t homeless = 0, newcomers = 0, next = 0;
    for (int32_t v = 0; v < n; v++)
        homeless += task->home[v] < 0;
    for (int32_t p = 0; p < task->to.bounds.nparts; p++)
        newcomers += place[p] < 0;
    int32_t i = 0;
    for (int32_t p = 0; p < task->to.bounds.nparts; p++) {
        if (place[p] >= 0)
            continue;
        int64_t wanted = (2 * next++ + 1) * homeless / (2 * newcomers);
        while (i < n && (task->home[order[i]] >= 0 || seen < wanted))
            seen += task->home[order[i++]] < 0;
        place[p] = i;
    }
}

static cleave_status line_up(const clv_remap_task *task, const int32_t *order,
                             int32_t *sequence, clv_ws *ws, cleave_error *err)
{
    int32_t k = task->to.bounds.nparts;
    double *place = clv_ws_alloc(ws, k, sizeof *place);
    int64_t *count = clv_ws_zalloc(ws, k, sizeof *count);
    clv_sort_item *items = clv_ws_alloc(ws, k, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, k, sizeof *scratch);
    if (!place || !count || !items || !scratch)
        return clv_fail_memory(err);
    find_places(task, order, place, count);
    place_newcomers(task, order, place);
    for (int32_t p = 0; p < k; p++)
        items[p] = (clv_sort_item){.key = (int64_t)(place[p] * 1024), .with.index = p};
    const clv_sort_item *sorted = clv_sort(items, scratch, k);
    for (int32_t i = 0; i < k; i++)
        sequence[i] = (int32_t)sorted[i].with.index;
    return CLEAVE_OK;
}

/* The order as clv_split expects it, with the weights of the first constraint. */
static cleave_status weigh_line(clv_order *line, const clv_graph *g, const int32_t *order,
                                clv_ws *ws, cleave_error *err)
{
    int64_t *before = clv_ws_alloc(ws, g->nvtx + INT64_C(1), sizeof *before);
    if (!before)
        return clv_fail_memory(err);
    before[0] = 0;
    for (int32_t i = 0; i < g->nvtx; i++)
        before[i + 1] = before[i] + clv_graph_vwgt(g, order[i], 0);
    *line = (clv_order){.nvtx = g->nvtx, .vertex = order, .before = before};
    return CLEAVE_OK;
}

cleave_status clv_remap_cut(const clv_remap_task *task, const int32_t *order, clv_ws *ws,
                            int32_t *part, cleave_error *err)
{
    const clv_partition_task *to = &task->to;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_order line;
    int32_t *sequence = clv_ws_alloc(ws, to->bounds.nparts, sizeof *sequence);
    int32_t *begin = clv_ws_alloc(ws, to->bounds.nparts, sizeof *begin);
    int32_t *end = clv_ws_alloc(ws, to->bounds.nparts, sizeof *end);
    double *share = clv_bounds_proportions(&to->bounds, ws);
    if (!sequence || !begin || !end || !share)
        return clv_fail_memory(err);
    CLV_TRY(line_up(task, order, sequence, ws, err));
    CLV_TRY(weigh_line(&line, to->g, order, ws, err));
    const clv_split_rule rule = {.npes = to->bounds.nparts, .speed = share};
    clv_split(&line, &rule, sequence, begin, end);
    for (int32_t p = 0; p < to->bounds.nparts; p++)
        for (int32_t i = begin[p]; i < end[p]; i++)
            part[order[i]] = p;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
