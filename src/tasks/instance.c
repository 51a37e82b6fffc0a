/* SPDX-License-Identifier: Apache-2.0 */
/* See tasks/instance.h. */
#include "tasks/instance.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "graph/topology.h"

enum { most_tabulated = 1024 };

/* ---- Construction ---------------------------------------------------------------------- */

static cleave_status tabulate(clv_tasks *x, clv_ws *ws, cleave_error *err)
{
    int32_t n = x->t->npes;
    if (x->flat || n > most_tabulated)
        return CLEAVE_OK;
    int32_t *table = clv_ws_alloc(ws, (int64_t)n * n, sizeof *table);
    if (!table)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < n; p++)
        for (int32_t q = 0; q < n; q++)
            table[(int64_t)p * n + q] = p == q ? 0 : clv_target_distance(x->t, p, q);
    x->table = table;
    return CLEAVE_OK;
}

/* Mean values over the PEs; of many PEs only some pairs are looked at. */
static void find_means(clv_tasks *x)
{
    double sum = 0, pairs = 0, inverse = 0;
    int32_t stride = 1 + x->npes / 256;
    for (int32_t p = 0; p < x->npes; p++)
        inverse += 1 / x->speed[p];
    x->inverse = inverse / x->npes;
    x->spread = 1;
    if (x->flat)
        return;
    for (int32_t p = 0; p < x->npes; p += stride)
        for (int32_t q = 0; q < x->npes; q += stride)
            if (p != q) {
                sum += clv_tasks_distance(x, p, q);
                pairs += 1;
            }
    if (pairs > 0)
        x->spread = sum / pairs;
}

static cleave_status set_pes(clv_tasks *x, clv_ws *ws, cleave_error *err)
{
    const clv_target *t = x->t;
    int32_t *pe = clv_ws_alloc(ws, t->npes, sizeof *pe);
    double *speed = clv_ws_alloc(ws, t->npes, sizeof *speed);
    if (!pe || !speed)
        return clv_fail_memory(err);
    x->npes = 0;
    for (int32_t p = 0; p < t->npes; p++)
        if (clv_target_speed_of(t, p) > 0) {
            speed[x->npes] = clv_target_speed_of(t, p);
            pe[x->npes++] = p;
        }
    x->pe = pe;
    x->speed = speed;
    return CLEAVE_OK;
}

/* All times of a schedule that never waits for nothing are below the sum of all durations and
 * delays. */
static cleave_status check_range(const clv_tasks *x, cleave_error *err)
{
    double slowest = x->speed[0], total = 0, delays = 0;
    for (int32_t p = 1; p < x->npes; p++)
        slowest = x->speed[p] < slowest ? x->speed[p] : slowest;
    for (int32_t v = 0; v < x->ntasks; v++)
        total += x->work[v] / slowest;
    for (int64_t a = 0; a < x->g->narc; a++)
        delays += x->out[a];
    if (!(total + delays * (x->flat ? 1.0 : (double)INT32_MAX) < 1e300))
        return clv_fail(err, CLEAVE_ERANGE,
                        "work / speed and data / bandwidth exceed the range of a double");
    return CLEAVE_OK;
}

cleave_status clv_tasks_open(clv_tasks *x, const clv_task_problem *problem, clv_ws *ws,
                             cleave_error *err)
{
    const clv_graph *g = problem->g;
    double *work = clv_ws_alloc(ws, g->nvtx, sizeof *work);
    double *in = clv_ws_alloc(ws, g->narc, sizeof *in);
    double *out = clv_ws_alloc(ws, g->narc, sizeof *out);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    if (!work || !in || !out || !order)
        return clv_fail_memory(err);
    *x = (clv_tasks){
        .g = g, .t = problem->t, .ntasks = g->nvtx, .flat = clv_target_is_flat(problem->t)};
    for (int32_t v = 0; v < g->nvtx; v++)
        work[v] = (double)clv_graph_vwgt(g, v, 0);
    for (int64_t a = 0; a < g->narc; a++) {
        in[a] = problem->latency + (double)clv_graph_pwgt(g, a) / problem->bandwidth;
        out[a] = problem->latency + (double)clv_graph_ewgt(g, a) / problem->bandwidth;
    }
    x->work = work;
    x->in = in;
    x->out = out;
    x->order = order;
    CLV_TRY(clv_topology_order(g, ws, order, err));
    CLV_TRY(set_pes(x, ws, err));
    CLV_TRY(tabulate(x, ws, err));
    find_means(x);
    return check_range(x, err);
}

/* The position of x among doubles >= 0, for sorting. */
static int64_t bits_of(double x)
{
    int64_t bits;
    x += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

cleave_status clv_tasks_on_fastest(clv_tasks *x, const clv_tasks *all, int32_t count,
                                   clv_ws *ws, cleave_error *err)
{
    int32_t n = all->npes, *pe = clv_ws_alloc(ws, n, sizeof *pe), kept = 0;
    double *speed = clv_ws_alloc(ws, n, sizeof *speed);
    bool *used = clv_ws_zalloc(ws, n, sizeof *used);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *items);
    if (!pe || !speed || !used || !items)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < n; p++)
        items[p] = (clv_sort_item){-bits_of(all->speed[p]), {p}};
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    for (int32_t i = 0; i < count; i++)
        used[sorted[i].with.index] = true;
    for (int32_t p = 0; p < n; p++)
        if (used[p]) {
            speed[kept] = all->speed[p];
            pe[kept++] = all->pe[p];
        }
    *x = *all;
    x->npes = kept;
    x->pe = pe;
    x->speed = speed;
    find_means(x);
    return CLEAVE_OK;
}

/* ---- Plans ----------------------------------------------------------------------------- */

cleave_status clv_task_plan_alloc(clv_task_plan *plan, const clv_tasks *x, clv_ws *ws,
                                  cleave_error *err)
{
    plan->pe = clv_ws_zalloc(ws, x->ntasks, sizeof *plan->pe);
    plan->start = clv_ws_zalloc(ws, x->ntasks, sizeof *plan->start);
    plan->makespan = INFINITY;
    return plan->pe && plan->start ? CLEAVE_OK : clv_fail_memory(err);
}

/* The number in `all` of a PE of the target. */
static int32_t find_pe(const clv_tasks *all, int32_t pe)
{
    int32_t low = 0, high = all->npes - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (all->pe[middle] < pe)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void clv_task_plan_copy(clv_task_plan *to, const clv_tasks *all, const clv_task_plan *from,
                        const clv_tasks *x)
{
    for (int32_t v = 0; v < x->ntasks; v++) {
        to->pe[v] = all == x ? from->pe[v] : find_pe(all, x->pe[from->pe[v]]);
        to->start[v] = from->start[v];
    }
    to->makespan = from->makespan;
}

/* ---- Ranks ----------------------------------------------------------------------------- */

void clv_tasks_upward_rank(const clv_tasks *x, bool data, double *rank)
{
    const clv_graph *g = x->g;
    for (int32_t i = x->ntasks - 1; i >= 0; i--) {
        int32_t v = x->order[i];
        double longest = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double path = rank[g->adj[a]] + (data ? x->spread * x->out[a] : 0);
            longest = path > longest ? path : longest;
        }
        rank[v] = longest + x->work[v] * x->inverse;
    }
}

void clv_tasks_downward_rank(const clv_tasks *x, double *rank)
{
    const clv_graph *g = x->g;
    for (int32_t i = 0; i < x->ntasks; i++) {
        int32_t v = x->order[i];
        rank[v] = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            double path = rank[u] + x->work[u] * x->inverse + x->spread * x->in[a];
            rank[v] = path > rank[v] ? path : rank[v];
        }
    }
}

cleave_status clv_tasks_by_rank(const clv_tasks *x, const double *rank, int32_t *list,
                                clv_ws *ws, cleave_error *err)
{
    int64_t n = x->ntasks;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * n, sizeof *items);
    if (!items)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < n; i++)
        items[i] = (clv_sort_item){-bits_of(rank[x->order[i]]), {x->order[i]}};
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    for (int64_t i = 0; i < n; i++)
        list[i] = (int32_t)sorted[i].with.index;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Ready tasks ----------------------------------------------------------------------- */

static bool comes_before(const clv_task_heap *h, int32_t u, int32_t v)
{
    return h->key[u] > h->key[v] || (h->key[u] == h->key[v] && u < v);
}

static void push(clv_task_heap *h, int32_t v)
{
    int32_t i = h->count++;
    while (i > 0 && comes_before(h, v, h->item[(i - 1) / 2])) {
        h->item[i] = h->item[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->item[i] = v;
}

cleave_status clv_task_heap_open(clv_task_heap *h, const clv_tasks *x, const double *key,
                                 clv_ws *ws, cleave_error *err)
{
    *h = (clv_task_heap){.key = key,
                         .item = clv_ws_alloc(ws, x->ntasks, sizeof *h->item),
                         .waiting = clv_ws_alloc(ws, x->ntasks, sizeof *h->waiting)};
    if (!h->item || !h->waiting)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < x->ntasks; v++) {
        h->waiting[v] = (int32_t)(x->g->xpred[v + 1] - x->g->xpred[v]);
        if (h->waiting[v] == 0)
            push(h, v);
    }
    return CLEAVE_OK;
}

int32_t clv_task_heap_pop(clv_task_heap *h)
{
    int32_t first = h->item[0], v = h->item[--h->count], i = 0;
    for (;;) {
        int32_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && comes_before(h, h->item[child + 1], h->item[child]))
            child++;
        if (!comes_before(h, h->item[child], v))
            break;
        h->item[i] = h->item[child];
        i = child;
    }
    h->item[i] = v;
    return first;
}

void clv_task_heap_done(clv_task_heap *h, const clv_tasks *x, int32_t v)
{
    for (int64_t a = x->g->xadj[v]; a < x->g->xadj[v + 1]; a++)
        if (--h->waiting[x->g->adj[a]] == 0)
            push(h, x->g->adj[a]);
}
