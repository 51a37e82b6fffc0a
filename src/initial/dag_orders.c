/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dag_orders.c - topological orders of several kinds, see initial/dag_orders.h. */
#include "initial/dag_orders.h"

#include <assert.h>
#include <string.h>

#include "base/group.h"
#include "base/queue.h"
#include "base/rng.h"
#include "base/sort.h"
#include "graph/priority_order.h"
#include "graph/topology.h"
#include "order/tighten.h"

enum { stage_order = 211 };
enum { smooth_rounds = 4, smooth_sweeps = 6 }; /* not tuned */

/* The vertices in random order, or 0, 1, 2, ... for seed 0. */
static int32_t *shuffled(const clv_graph *g, uint64_t seed, clv_ws *ws)
{
    int32_t *list = clv_ws_alloc(ws, g->nvtx, sizeof *list);
    clv_rng rng = clv_rng_make(seed, stage_order, 0, 0);
    if (list && seed)
        clv_rng_permutation(&rng, g->nvtx, list);
    for (int32_t v = 0; list && !seed && v < g->nvtx; v++)
        list[v] = v;
    return list;
}

/* The i-th entry of a row of `degree` entries, rotated by the seed. */
static int64_t turned(int64_t begin, int64_t degree, int64_t i, uint64_t seed, int32_t v)
{
    if (!seed)
        return begin + i;
    uint64_t shift = clv_hash64(seed ^ (uint64_t)(uint32_t)v) % (uint64_t)degree;
    i += (int64_t)shift;
    return begin + (i < degree ? i : i - degree);
}

/* ---- Kahn's algorithm with a stack or a queue ------------------------------------------- */

static int32_t *count_inputs(const clv_graph *g, clv_ws *ws)
{
    int32_t *waiting = clv_ws_alloc(ws, g->nvtx, sizeof *waiting);
    for (int32_t v = 0; waiting && v < g->nvtx; v++)
        waiting[v] = (int32_t)(g->xpred[v + 1] - g->xpred[v]);
    return waiting;
}

static cleave_status order_stack(const clv_graph *g, uint64_t seed, clv_ws *ws, int32_t *order,
                                 cleave_error *err)
{
    int32_t *waiting = count_inputs(g, ws), *list = shuffled(g, seed, ws);
    int32_t *stack = clv_ws_alloc(ws, g->nvtx, sizeof *stack);
    if (!waiting || !list || !stack)
        return clv_fail_memory(err);
    int32_t height = 0, placed = 0;
    for (int32_t i = g->nvtx; i-- > 0;)
        if (waiting[list[i]] == 0)
            stack[height++] = list[i];
    while (height > 0) {
        int32_t v = stack[--height];
        order[placed++] = v;
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        for (int64_t i = degree; i-- > 0;) {
            int32_t u = g->adj[turned(g->xadj[v], degree, i, seed, v)];
            if (--waiting[u] == 0)
                stack[height++] = u;
        }
    }
    return CLEAVE_OK;
}

static cleave_status order_breadth(const clv_graph *g, uint64_t seed, clv_ws *ws,
                                   int32_t *order, cleave_error *err)
{
    int32_t *waiting = count_inputs(g, ws), *list = shuffled(g, seed, ws);
    if (!waiting || !list)
        return clv_fail_memory(err);
    int32_t reached = 0;
    for (int32_t i = 0; i < g->nvtx; i++)
        if (waiting[list[i]] == 0)
            order[reached++] = list[i];
    for (int32_t i = 0; i < reached; i++) {
        int32_t v = order[i];
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        for (int64_t j = 0; j < degree; j++) {
            int32_t u = g->adj[turned(g->xadj[v], degree, j, seed, v)];
            if (--waiting[u] == 0)
                order[reached++] = u;
        }
    }
    return CLEAVE_OK;
}

/* ---- Depth first from the sinks --------------------------------------------------------- */

static cleave_status order_demand(const clv_graph *g, uint64_t seed, clv_ws *ws,
                                  int32_t *order, cleave_error *err)
{
    int32_t *list = shuffled(g, seed, ws);
    int32_t *stack = clv_ws_alloc(ws, g->nvtx, sizeof *stack);
    int64_t *seen = clv_ws_zalloc(ws, g->nvtx, sizeof *seen); /* 1 + number of predecessors
                                                                 visited */
    if (!list || !stack || !seen)
        return clv_fail_memory(err);
    int32_t placed = 0;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t height = 0;
        if (g->xadj[list[i]] == g->xadj[list[i] + 1])
            stack[height++] = list[i];
        while (height > 0) {
            int32_t v = stack[height - 1];
            int64_t degree = g->xpred[v + 1] - g->xpred[v];
            seen[v] = seen[v] ? seen[v] : 1;
            if (seen[v] > degree) {
                order[placed++] = v;
                height--;
                continue;
            }
            int32_t u = g->pred[turned(g->xpred[v], degree, seen[v]++ - 1, seed, v)];
            if (!seen[u])
                stack[height++] = u;
        }
    }
    assert(placed == g->nvtx);
    return CLEAVE_OK;
}

/* ---- By level --------------------------------------------------------------------------- */

/* Sorts order by level; vertices of one level keep their order. */
static cleave_status sort_by_level(const clv_graph *g, clv_ws *ws, int32_t *order,
                                   cleave_error *err)
{
    int32_t n = g->nvtx, depth = 0;
    int32_t *level = clv_ws_alloc(ws, n, sizeof *level);
    int32_t *copy = clv_ws_alloc(ws, n, sizeof *copy);
    if (!level || !copy)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_TOP, ws, level, &depth, err));
    int32_t *start = clv_ws_alloc(ws, (int64_t)depth + 1, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(copy, order, (size_t)n * sizeof *copy);
    clv_group_list_by_key(n, copy, level, depth, start, order);
    return CLEAVE_OK;
}

static cleave_status order_level(const clv_graph *g, uint64_t seed, clv_ws *ws, int32_t *order,
                                 cleave_error *err)
{
    CLV_TRY(order_stack(g, seed, ws, order, err));
    return sort_by_level(g, ws, order, err);
}

/* ---- Greedy ----------------------------------------------------------------------------- */

/* The heap prefers larger keys, and later entries among equals, so that the search stays
 * local. */
static int64_t greedy_key(int64_t gain, int64_t clock)
{
    const int64_t limit = INT64_C(1) << 30;
    gain = gain > limit ? limit : gain < -limit ? -limit : gain;
    return gain * (INT64_C(1) << 32) + clock;
}

static cleave_status order_frontier(const clv_graph *g, uint64_t seed, clv_ws *ws,
                                    int32_t *order, cleave_error *err)
{
    clv_heap ready;
    int32_t *waiting = count_inputs(g, ws), *list = shuffled(g, seed, ws), placed = 0;
    CLV_TRY(clv_heap_init(&ready, g->nvtx, ws, err));
    if (!waiting || !list)
        return clv_fail_memory(err);
    int64_t clock = 0;
    for (int32_t i = g->nvtx; i-- > 0;)
        if (waiting[list[i]] == 0)
            clv_heap_set(&ready, list[i], greedy_key(clv_order_relief(g, list[i]), clock++));
    while (ready.count > 0) {
        int32_t v = clv_heap_pop(&ready);
        order[placed++] = v;
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        for (int64_t i = degree; i-- > 0;) {
            int32_t u = g->adj[turned(g->xadj[v], degree, i, seed, v)];
            if (--waiting[u] == 0)
                clv_heap_set(&ready, u, greedy_key(clv_order_relief(g, u), clock++));
        }
    }
    return CLEAVE_OK;
}

typedef struct living {
    const clv_graph *g;
    clv_heap ready;
    int32_t *waiting; /* predecessors not placed yet */
    int32_t *readers; /* successors not placed yet */
    int32_t *frees;   /* values whose last reader this is, minus the value it produces */
    int32_t *since;   /* time at which it became ready */
    int32_t clock;
} living;

static void become_ready(living *w, int32_t v)
{
    w->since[v] = w->clock++;
    clv_heap_set(&w->ready, v, greedy_key(w->frees[v], w->since[v]));
}

/* u has one reader left: placing that reader frees u. */
static void update_last_reader(living *w, int32_t u, const bool *placed)
{
    const clv_graph *g = w->g;
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
        int32_t v = g->adj[a];
        if (placed[v])
            continue;
        w->frees[v]++;
        if (w->waiting[v] == 0)
            clv_heap_set(&w->ready, v, greedy_key(w->frees[v], w->since[v]));
        return;
    }
}

static void place_living(living *w, uint64_t seed, bool *done, int32_t *order)
{
    const clv_graph *g = w->g;
    for (int32_t placed = 0; w->ready.count > 0;) {
        int32_t v = clv_heap_pop(&w->ready);
        order[placed++] = v;
        done[v] = true;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (--w->readers[g->pred[a]] == 1)
                update_last_reader(w, g->pred[a], done);
        if (w->readers[v] == 1)
            update_last_reader(w, v, done);
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        for (int64_t i = degree; i-- > 0;) {
            int32_t u = g->adj[turned(g->xadj[v], degree, i, seed, v)];
            if (--w->waiting[u] == 0)
                become_ready(w, u);
        }
    }
}

static cleave_status order_live(const clv_graph *g, uint64_t seed, clv_ws *ws, int32_t *order,
                                cleave_error *err)
{
    int32_t n = g->nvtx, *list = shuffled(g, seed, ws);
    living w = {.g = g, .waiting = count_inputs(g, ws)};
    CLV_TRY(clv_heap_init(&w.ready, n, ws, err));
    w.readers = clv_ws_alloc(ws, n, sizeof *w.readers);
    w.frees = clv_ws_alloc(ws, n, sizeof *w.frees);
    w.since = clv_ws_alloc(ws, n, sizeof *w.since);
    bool *done = clv_ws_zalloc(ws, n, sizeof *done);
    if (!list || !w.waiting || !w.readers || !w.frees || !w.since || !done)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        w.readers[v] = (int32_t)(g->xadj[v + 1] - g->xadj[v]);
        w.frees[v] = w.readers[v] > 0 ? -1 : 0;
    }
    for (int32_t i = n; i-- > 0;)
        if (w.waiting[list[i]] == 0)
            become_ready(&w, list[i]);
    place_living(&w, seed, done, order);
    return CLEAVE_OK;
}

/* ---- Short arcs ------------------------------------------------------------------------- */

/* y[v]: the mean of x[v] and the mean over the neighbours of v. */
static void average(const clv_graph *g, const double *x, double *y)
{
    for (int32_t v = 0; v < g->nvtx; v++) {
        double sum = 0, weight = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            double w = clv_graph_pwgt(g, a);
            sum += w * x[g->pred[a]];
            weight += w;
        }
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double w = clv_graph_ewgt(g, a);
            sum += w * x[g->adj[a]];
            weight += w;
        }
        y[v] = weight > 0 ? (x[v] + sum / weight) / 2 : x[v];
    }
}

static cleave_status smooth_once(const clv_graph *g, double *x, double *y, int64_t *priority,
                                 clv_ws *ws, int32_t *order, cleave_error *err)
{
    for (int32_t i = 0; i < g->nvtx; i++)
        x[order[i]] = i;
    for (int sweep = 0; sweep < smooth_sweeps; sweep += 2) {
        average(g, x, y);
        average(g, y, x);
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        priority[v] = (int64_t)(x[v] * 1024);
    bool complete = false;
    return clv_priority_order(g->nvtx, g->xadj, g->adj, priority, ws, order, &complete, err);
}

cleave_status clv_dag_order_smooth(const clv_graph *g, int32_t rounds, clv_ws *ws,
                                   int32_t *order, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    double *x = clv_ws_alloc(ws, g->nvtx, sizeof *x),
           *y = clv_ws_alloc(ws, g->nvtx, sizeof *y);
    int64_t *priority = clv_ws_alloc(ws, g->nvtx, sizeof *priority);
    if (!x || !y || !priority)
        return clv_fail_memory(err);
    for (int32_t round = 0; round < rounds; round++)
        CLV_TRY(smooth_once(g, x, y, priority, ws, order, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_smooth(const clv_graph *g, uint64_t seed, clv_ws *ws,
                                  int32_t *order, cleave_error *err)
{
    if (seed % 2)
        CLV_TRY(order_demand(g, seed, ws, order, err));
    else
        CLV_TRY(order_stack(g, seed, ws, order, err));
    return clv_dag_order_smooth(g, smooth_rounds, ws, order, err);
}

/* ---- Two orders in one ------------------------------------------------------------------ */

/* Two kinds other than smoothing, and their weights. */
typedef struct blend {
    int kind[2];
    uint64_t seed[2];
    int64_t share[2];
} blend;

static blend draw_blend(uint64_t seed)
{
    static const int kinds[] = {CLV_ORDER_STACK, CLV_ORDER_DEMAND, CLV_ORDER_BREADTH,
                                CLV_ORDER_FRONTIER};
    enum { nkinds = sizeof kinds / sizeof kinds[0] };
    blend b;
    clv_rng rng = clv_rng_make(seed, stage_order, 1, 0);
    uint32_t first = clv_rng_below(&rng, 2 * nkinds);
    uint32_t second = (first + 1 + clv_rng_below(&rng, 2 * nkinds - 1)) % (2 * nkinds);
    for (int i = 0; i < 2; i++) {
        uint32_t drawn = i ? second : first;
        b.kind[i] = kinds[drawn % nkinds] + (drawn < nkinds ? 0 : CLV_ORDER_MIRRORED);
        /* The numerical order is often better than a random one. */
        b.seed[i] = clv_rng_below(&rng, 2) ? clv_rng_u64(&rng) : 0;
        b.share[i] = 1 + clv_rng_below(&rng, 3);
    }
    return b;
}

/* Arcs point forward in both orders, and so in their weighted sum. */
static cleave_status order_blend(const clv_graph *g, uint64_t seed, clv_ws *ws, int32_t *order,
                                 cleave_error *err)
{
    int32_t n = g->nvtx;
    blend b = draw_blend(seed);
    clv_sort_item *item = clv_ws_alloc(ws, n, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, n, sizeof *scratch);
    if (!item || !scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        item[v] = (clv_sort_item){.key = 0, .with.index = v};
    for (int i = 0; i < 2; i++) {
        CLV_TRY(
            clv_dag_order_make((clv_dag_order_kind)b.kind[i], g, b.seed[i], ws, order, err));
        for (int32_t j = 0; j < n; j++)
            item[order[j]].key += b.share[i] * j;
    }
    item = clv_sort(item, scratch, n);
    for (int32_t i = 0; i < n; i++)
        order[i] = (int32_t)item[i].with.index;
    return CLEAVE_OK;
}

/* ---- All of them ------------------------------------------------------------------------ */

typedef cleave_status (*order_fn)(const clv_graph *g, uint64_t seed, clv_ws *ws,
                                  int32_t *order, cleave_error *err);

static const order_fn make_order[CLV_ORDER_MIRRORED] = {
    [CLV_ORDER_STACK] = order_stack,       [CLV_ORDER_DEMAND] = order_demand,
    [CLV_ORDER_BREADTH] = order_breadth,   [CLV_ORDER_LEVEL] = order_level,
    [CLV_ORDER_FRONTIER] = order_frontier, [CLV_ORDER_LIVE] = order_live,
    [CLV_ORDER_SMOOTH] = order_smooth,     [CLV_ORDER_BLEND] = order_blend};

cleave_status clv_dag_order_make(clv_dag_order_kind kind, const clv_graph *g, uint64_t seed,
                                 clv_ws *ws, int32_t *order, cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG && kind >= 0 && kind < CLV_ORDER_KINDS);
    clv_ws_mark mark = clv_ws_save(ws);
    if (kind < CLV_ORDER_MIRRORED) {
        CLV_TRY(make_order[kind](g, seed, ws, order, err));
    } else {
        clv_graph m = clv_dag_mirrored(g);
        CLV_TRY(make_order[kind - CLV_ORDER_MIRRORED](&m, seed, ws, order, err));
        clv_dag_order_reverse(g->nvtx, order);
    }
    CLV_TRY(clv_order_tighten(g, kind < CLV_ORDER_MIRRORED, ws, order, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
