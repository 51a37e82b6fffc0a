/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/task_bounds.c - lower bounds of the makespan of a task graph on a target.
 *
 * bound_path is the longest path at the fastest speed, bound_area the total work over the
 * total speed.  `bound` is at least as large as both.  It also uses that the predecessors of a
 * task either run one after another on its PE, or send their data over the smallest distance:
 * the earliest start of a task is the minimum, over the sets of predecessors on its PE, of the
 * later of the end of that set (in the order of their earliest starts) and of the last arrival
 * from the others.  Only the sets of the k last arrivals matter.  The same in the reversed
 * graph bounds the time after a task; start, duration and time after it are added up.  Valid
 * as long as no task runs twice. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "evaluate/task_metrics.h"
#include "graph/topology.h"

enum { most_compared = 512 }; /* PEs of which all distances are looked at */

/* One direction of the graph. */
typedef struct direction {
    const int64_t *xadj; /* rows of the tasks that must be done before */
    const int32_t *adj;
    clv_weights data;
    bool forward;
} direction;

typedef struct bounding {
    const clv_graph *g;
    double bandwidth, latency;
    double fastest, distance; /* the smallest distance of two PEs */
    bool one_pe;
    int32_t *order;
    double *early;                    /* by task, of the direction */
    clv_sort_item *by_early, *by_end; /* as many as the largest degree; twice for scratch */
    int32_t *rank;                    /* by task: its place among the last arrivals */
} bounding;

static int64_t bits_of(double time)
{
    int64_t bits;
    time += 0.0;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

static double duration(const bounding *b, int32_t v)
{
    return (double)clv_graph_vwgt(b->g, v, 0) / b->fastest;
}

/* The end of the k tasks of the last arrivals, one after another. */
static double end_of(const bounding *b, const clv_sort_item *early, int64_t count, int64_t k)
{
    double end = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t u = (int32_t)early[i].with.index;
        if (b->rank[u] < k)
            end = fmax(end, b->early[u]) + duration(b, u);
    }
    return end;
}

/* The earliest start of a task with this row. */
static double earliest_start(const bounding *b, const direction *d, int32_t v)
{
    int64_t first = d->xadj[v], count = d->xadj[v + 1] - first;
    clv_sort_item *early = b->by_early, *late = b->by_end;
    for (int64_t i = 0; i < count; i++) {
        int32_t u = d->adj[first + i];
        double delay = b->latency + (double)clv_weight_at(d->data, first + i) / b->bandwidth;
        double arrival = b->early[u] + duration(b, u) + b->distance * delay;
        early[i] = (clv_sort_item){bits_of(b->early[u]), {u}};
        late[i] = (clv_sort_item){-bits_of(arrival), {u}};
    }
    early = clv_sort(early, early + count, count);
    late = clv_sort(late, late + count, count);
    for (int64_t i = 0; i < count; i++)
        b->rank[late[i].with.index] = (int32_t)i;
    if (b->one_pe)
        return end_of(b, early, count, count);
    /* The smallest k whose end is not before the last arrival of the others. */
    int64_t low = 0, high = count;
    double least = INFINITY;
    while (low <= high) {
        int64_t k = low + (high - low) / 2, bits = k < count ? -late[k].key : 0;
        double arrival, end = end_of(b, early, count, k);
        memcpy(&arrival, &bits, sizeof arrival);
        least = fmin(least, fmax(end, arrival));
        if (end >= arrival)
            high = k - 1;
        else
            low = k + 1;
    }
    return least;
}

static void find_early(bounding *b, const direction *d, double *early)
{
    int32_t n = b->g->nvtx;
    b->early = early;
    for (int32_t i = 0; i < n; i++) {
        int32_t v = b->order[d->forward ? i : n - 1 - i];
        early[v] = earliest_start(b, d, v);
    }
}

static void look_at_target(bounding *b, const clv_target *t)
{
    int32_t usable = 0;
    for (int32_t p = 0; p < t->npes; p++) {
        b->fastest = fmax(b->fastest, clv_target_speed_of(t, p));
        usable += clv_target_speed_of(t, p) > 0;
    }
    b->one_pe = usable == 1;
    b->distance = clv_target_is_flat(t) ? 1 : 0;
    if (clv_target_is_flat(t) || t->npes > most_compared)
        return;
    b->distance = INFINITY;
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++)
            if (p != q)
                b->distance = fmin(b->distance, clv_target_distance(t, p, q));
}

/* The longest path, and the total work over the total speed. */
static cleave_status simple_bounds(const bounding *b, const clv_target *t,
                                   cleave_task_metrics *m, double *path)
{
    const clv_graph *g = b->g;
    double speeds = clv_target_sum_speeds(t, 0, t->npes - 1), work = 0;
    m->bound_path = 0;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = b->order[i];
        double longest = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            longest = fmax(longest, path[g->pred[a]]);
        path[v] = longest + duration(b, v);
        work += (double)clv_graph_vwgt(g, v, 0);
        m->bound_path = fmax(m->bound_path, path[v]);
    }
    m->bound_area = work / speeds;
    m->bound = fmax(m->bound_path, m->bound_area);
    return CLEAVE_OK;
}

static cleave_status find_bounds(bounding *b, const clv_target *t, cleave_task_metrics *m,
                                 clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = b->g;
    int64_t n = g->nvtx, degree = 1;
    const direction forward = {g->xpred, g->pred, clv_graph_pwgts(g), true};
    const direction backward = {g->xadj, g->adj, clv_graph_ewgts(g), false};
    for (int64_t v = 0; v < n; v++) {
        degree = g->xadj[v + 1] - g->xadj[v] > degree ? g->xadj[v + 1] - g->xadj[v] : degree;
        degree =
            g->xpred[v + 1] - g->xpred[v] > degree ? g->xpred[v + 1] - g->xpred[v] : degree;
    }
    double *early = clv_ws_alloc(ws, n, sizeof *early);
    double *late = clv_ws_alloc(ws, n, sizeof *late);
    b->order = clv_ws_alloc(ws, n, sizeof *b->order);
    b->rank = clv_ws_alloc(ws, n, sizeof *b->rank);
    b->by_early = clv_ws_alloc(ws, 2 * degree, sizeof *b->by_early);
    b->by_end = clv_ws_alloc(ws, 2 * degree, sizeof *b->by_end);
    if (!early || !late || !b->order || !b->rank || !b->by_early || !b->by_end)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_order(g, ws, b->order, err));
    CLV_TRY(simple_bounds(b, t, m, early));
    find_early(b, &forward, early);
    find_early(b, &backward, late);
    for (int32_t v = 0; v < n; v++)
        m->bound = fmax(m->bound, early[v] + duration(b, v) + late[v]);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_task_bounds(cleave_task_metrics *m, const clv_task_problem *problem,
                                       clv_ws *ws, cleave_error *err)
{
    const clv_target *t = problem->t;
    bounding b = {
        .g = problem->g, .bandwidth = problem->bandwidth, .latency = problem->latency};
    clv_ws_mark mark = clv_ws_save(ws);
    look_at_target(&b, t);
    cleave_status status = find_bounds(&b, t, m, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}
