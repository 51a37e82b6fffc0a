/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_finish.c - the end of M2: sets of different sizes are truncated in
 * topological order.
 *
 * The paper truncates "to equalize the sizes (with some margin)" without numbers.  Here the
 * cut is the size that maximises work per unit of time, sum of min(size of a thread's set,
 * cut) / (cut + synchronisation), and the margin is a percentage.  A layer for fewer than all
 * threads is cut early, because the other threads may find work after it.
 *
 * Before truncation, vertices that the two-way solutions left out although all their
 * predecessors are on one thread join it (coarse vertices are left out as a whole); after
 * truncation, vertices that still fit fill the threads. */
#include "base/queue.h"
#include "base/sort.h"
#include "schedule/graphopt.h"

enum { ready = -2, blocked = -1 };

/* The thread that has all predecessors of v in the current layer; ready: there are none;
 * blocked: some are in no layer yet, or they are on several threads. */
static int32_t thread_before(const clv_graphopt *s, int32_t v)
{
    int32_t thread = ready;
    for (int64_t a = s->xpred[v]; a < s->xpred[v + 1]; a++) {
        int32_t u = s->pred[a];
        if (s->thread[u] >= 0)
            continue;
        if (s->part[u] < 0 || (thread != ready && s->part[u] != thread))
            return blocked;
        thread = s->part[u];
    }
    return thread;
}

static void join_threads(clv_graphopt *s, clv_vertex_set set)
{
    for (int32_t i = 0; i < set.count; i++) {
        int32_t v = set.v[i];
        if (s->part[v] >= 0)
            continue;
        int32_t t = thread_before(s, v);
        if (t >= 0) {
            s->part[v] = t;
            s->load[t] += s->weight[v];
        }
    }
}

/* The cut with the most work per unit of time. */
static cleave_status choose_cut(const clv_graphopt *s, clv_thread_range range, int64_t *cut,
                                cleave_error *err)
{
    const clv_graphopt_params *p = s->params;
    clv_sort_item *items = clv_ws_alloc(s->ctx->ws, range.count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(s->ctx->ws, range.count, sizeof *scratch);
    if (!items || !scratch)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < range.count; t++)
        items[t].key = s->load[range.begin + t];
    items = clv_sort(items, scratch, range.count);
    /* Longer than `chunk` only while more than half of all threads have work. */
    int32_t half = range.count - 1 - s->threads / 2;
    int64_t most = (int64_t)p->chunk * p->sync;
    if (half >= 0 && items[half].key > most)
        most = items[half].key;
    double best = -1, below = 0; /* below: sum of the smaller sizes */
    for (int32_t t = 0; t < range.count; t++) {
        items[t].key = items[t].key < most ? items[t].key : most;
        double size = (double)items[t].key;
        double rate = (below + size * (range.count - t)) / (size + p->sync + 1);
        below += size;
        if (rate >= best) {
            best = rate;
            *cut = items[t].key;
        }
    }
    *cut += (int64_t)((double)*cut / 100 * p->margin);
    return CLEAVE_OK;
}

/* Keeps the start of each set, with at least one vertex. */
static void truncate_sets(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                          int64_t cut)
{
    for (int32_t t = range.begin; t < range.begin + range.count; t++)
        s->load[t] = -1;
    for (int32_t i = 0; i < set.count; i++) {
        int32_t v = set.v[i], t = s->part[v];
        if (t < 0)
            continue;
        s->part[v] = -1;
        if (s->load[t] >= 0 && s->load[t] + s->weight[v] > cut)
            continue;
        if (thread_before(s, v) == blocked)
            continue;
        s->part[v] = t;
        s->load[t] = (s->load[t] < 0 ? 0 : s->load[t]) + s->weight[v];
    }
    for (int32_t t = range.begin; t < range.begin + range.count; t++)
        s->load[t] = s->load[t] < 0 ? 0 : s->load[t];
}

/* Assigns remaining vertices to the thread of their predecessors or, without any, to the least
 * loaded thread, as long as the layer does not become longer. */
static cleave_status fill_threads(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                                  cleave_error *err)
{
    clv_heap idle;
    CLV_TRY(clv_heap_init(&idle, range.count, s->ctx->ws, err));
    int64_t most = 0;
    for (int32_t t = 0; t < range.count; t++) {
        int64_t load = s->load[range.begin + t];
        clv_heap_set(&idle, t, -load);
        most = load > most ? load : most;
    }
    for (int32_t i = 0; i < set.count; i++) {
        int32_t v = set.v[i];
        if (s->part[v] >= 0)
            continue;
        int32_t t = thread_before(s, v);
        if (t == blocked)
            continue;
        t = t == ready ? clv_heap_top(&idle) + range.begin : t;
        if (s->load[t] + s->weight[v] > most)
            continue;
        s->part[v] = t;
        s->load[t] += s->weight[v];
        clv_heap_set(&idle, t - range.begin, -s->load[t]);
    }
    return CLEAVE_OK;
}

static cleave_status truncate_layer(clv_graphopt *s, clv_vertex_set set,
                                    clv_thread_range range, double *rate, cleave_error *err)
{
    int64_t cut = 0, most = 0;
    double work = 0;
    join_threads(s, set);
    CLV_TRY(choose_cut(s, range, &cut, err));
    truncate_sets(s, set, range, cut);
    CLV_TRY(fill_threads(s, set, range, err));
    for (int32_t t = range.begin; t < range.begin + range.count; t++) {
        work += (double)s->load[t];
        most = s->load[t] > most ? s->load[t] : most;
    }
    *rate = work / ((double)most + s->params->sync + 1); /* + 1, because weights may be 0 */
    return CLEAVE_OK;
}

cleave_status clv_graphopt_finish(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                                  double *rate, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(s->ctx->ws);
    cleave_status status = truncate_layer(s, set, range, rate, err);
    clv_ws_restore(s->ctx->ws, mark);
    return status;
}
