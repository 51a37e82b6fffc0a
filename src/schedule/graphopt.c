/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt.c - method graphopt: N. Shah, W. Meert, M. Verhelst, "GraphOpt:
 * constrained-optimization-based parallelization of irregular graphs", IEEE TPDS 2022,
 * Algorithms 1 and 2.  What the paper leaves open, and its misprints, are in
 * docs/design/superlayers.md.
 *
 * One super layer after the other, from the sources on.  Beyond the paper, a layer that cannot
 * feed all threads is also tried with half of them, and so on down to one, one that does with
 * twice as many, and the one with the most work per unit of time is kept; neighbouring layers
 * are merged by their components (schedule/improve_layers.c); stretches of layers that one
 * thread does as fast become one layer; and all of this is done for fewer threads as well, and
 * the cheapest schedule taken. Arcs that others imply are left out first where they are most
 * of all, as in the exact factor of a matrix (schedule/grow_skeleton.c). */
#include "schedule/graphopt.h"

#include <string.h>

#include "graph/derive.h"
#include "graph/topology.h"
#include "schedule/grow_layers.h"
#include "schedule/window.h"

typedef struct run {
    const clv_graph *g;
    clv_graphopt s;
    clv_window window;
    int32_t *number; /* by vertex of g: ours */
    int32_t *level;  /* by our vertex */
    int32_t *thread; /* as s.thread, to be written */
    int32_t *layer;  /* by our vertex */
    int32_t *best;   /* by place in the window: the best layer so far */
    int32_t nlayers;
    int32_t last;    /* vertices in the last layer */
    int64_t least;   /* vertices that a window has for each of the threads fed, at least */
    int32_t feeding; /* threads that it fed */
} run;

/* ---- Our numbers ------------------------------------------------------------------------ */

/* Algorithm 2 as printed gives a level before those of the successors are known: the levels
 * of graph/topology.h walk the topological order backwards. */
static cleave_status number_by_level(run *r, clv_ws *ws, cleave_error *err)
{
    int32_t n = r->g->nvtx, depth = 0;
    int32_t *level = clv_ws_alloc(ws, n, sizeof *level);
    if (!level)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_levels(r->g, CLEAVE_LEVELS_ALAP, ws, level, &depth, err));
    int32_t *begin = clv_ws_zalloc(ws, (int64_t)depth + 1, sizeof *begin);
    if (!begin)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        begin[level[v] + 1]++;
    for (int32_t l = 0; l < depth; l++)
        begin[l + 1] += begin[l];
    for (int32_t v = 0; v < n; v++) {
        r->number[v] = begin[level[v]]++;
        r->level[r->number[v]] = level[v];
    }
    return CLEAVE_OK;
}

/* Predecessors in our numbers, ascending: successors turned around. */
static cleave_status renumber_rows(run *r, int64_t *xpred, int32_t *pred, int32_t *weight,
                                   clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = r->g;
    int64_t *xadj = clv_ws_zalloc(ws, (int64_t)g->nvtx + 1, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, g->narc, sizeof *adj);
    if (!xadj || !adj)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        xadj[r->number[v] + 1] = g->xadj[v + 1] - g->xadj[v];
    for (int32_t v = 0; v < g->nvtx; v++)
        xadj[v + 1] += xadj[v];
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t to = xadj[r->number[v]];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            adj[to++] = r->number[g->adj[a]];
        weight[r->number[v]] = (int32_t)clv_graph_vwgt(g, v, 0);
    }
    clv_derive_transpose_rows(g->nvtx, xadj, adj, NULL, xpred, pred, NULL);
    return CLEAVE_OK;
}

static cleave_status make_ready(run *r, clv_ws *ws, cleave_error *err)
{
    clv_graphopt *s = &r->s;
    int32_t n = r->g->nvtx;
    int64_t *xpred = clv_ws_alloc(ws, (int64_t)n + 1, sizeof *xpred);
    int32_t *pred = clv_ws_alloc(ws, r->g->narc, sizeof *pred);
    int32_t *weight = clv_ws_alloc(ws, n, sizeof *weight);
    r->number = clv_ws_alloc(ws, n, sizeof *r->number);
    r->level = clv_ws_alloc(ws, n, sizeof *r->level);
    r->thread = clv_ws_alloc(ws, n, sizeof *r->thread);
    r->layer = clv_ws_alloc(ws, n, sizeof *r->layer);
    r->best = clv_ws_alloc(ws, n, sizeof *r->best);
    s->part = clv_ws_alloc(ws, n, sizeof *s->part);
    s->local = clv_ws_alloc(ws, n, sizeof *s->local);
    s->load = clv_ws_zalloc(ws, s->threads, sizeof *s->load);
    s->votes = clv_ws_zalloc(ws, s->threads, sizeof *s->votes);
    if (!xpred || !pred || !weight || !r->number || !r->level || !r->thread || !r->layer ||
        !r->best || !s->part || !s->local || !s->load || !s->votes)
        return clv_fail_memory(err);
    memset(s->local, -1, (size_t)n * sizeof *s->local);
    s->xpred = xpred;
    s->pred = pred;
    s->weight = weight;
    s->thread = r->thread;
    CLV_TRY(clv_window_init(&r->window, n, r->level, ws, err));
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = number_by_level(r, ws, err);
    if (status == CLEAVE_OK)
        status = renumber_rows(r, xpred, pred, weight, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* ---- One layer -------------------------------------------------------------------------- */

static cleave_status try_layer(run *r, clv_vertex_set set, int32_t threads, double *rate,
                               cleave_error *err)
{
    clv_graphopt *s = &r->s;
    clv_thread_range range = {0, threads};
    for (int32_t i = 0; i < set.count; i++)
        s->part[set.v[i]] = -1;
    memset(s->load, 0, (size_t)s->threads * sizeof *s->load);
    CLV_TRY(clv_graphopt_split(s, set, range, err));
    CLV_TRY(clv_graphopt_balance(s, set, range, err));
    return clv_graphopt_finish(s, set, range, rate, err);
}

/* Of the threads that it was made for it has fed those that found work, if that is not more
 * than half of them. */
static void keep_layer(run *r, clv_vertex_set set, int32_t threads)
{
    int32_t fed = 0;
    for (int32_t i = 0; i < set.count; i++)
        r->best[i] = r->s.part[set.v[i]];
    for (int32_t t = 0; t < threads; t++)
        fed += r->s.load[t] > 0;
    r->feeding = fed > threads / 2 ? threads : fed > 1 ? fed : 1;
}

/* Tries another number of threads; *better: it does more per unit of time and is kept. */
static cleave_status try_instead(run *r, clv_vertex_set set, int32_t threads, double *best,
                                 bool *better, cleave_error *err)
{
    double rate = 0;
    CLV_TRY(try_layer(r, set, threads, &rate, err));
    *better = rate > *best;
    if (!*better)
        return CLEAVE_OK;
    keep_layer(r, set, threads);
    *best = rate;
    return CLEAVE_OK;
}

static int32_t twice(const run *r, int32_t threads)
{
    return threads < r->s.threads / 2 ? 2 * threads : r->s.threads;
}

/* The layer of a window, in r->best; from twice as many threads as the last one fed: more
 * while all of them are fed, or fewer, while that is better.  k threads cannot do more than k
 * at a time. */
static cleave_status best_layer(run *r, clv_vertex_set set, double *best, cleave_error *err)
{
    bool adapt = r->s.params->adapt, better = true;
    int32_t threads = adapt ? twice(r, r->feeding) : r->s.threads;
    CLV_TRY(try_layer(r, set, threads, best, err));
    keep_layer(r, set, threads);
    if (!adapt)
        return CLEAVE_OK;
    if (*best >= (threads + 1) / 2) {
        while (better && threads < r->s.threads && r->feeding == threads &&
               !clv_context_stop(r->s.ctx)) {
            threads = twice(r, threads);
            CLV_TRY(try_instead(r, set, threads, best, &better, err));
        }
        return CLEAVE_OK;
    }
    while (better && threads > 1 && *best < (threads + 1) / 2 && !clv_context_stop(r->s.ctx)) {
        threads = r->feeding < threads / 2 ? r->feeding : threads / 2;
        CLV_TRY(try_instead(r, set, threads, best, &better, err));
    }
    return CLEAVE_OK;
}

static void commit(run *r, clv_vertex_set set)
{
    int64_t all = 0, work = 0;
    r->last = 0;
    for (int32_t i = 0; i < set.count; i++) {
        int32_t v = set.v[i];
        all += r->s.weight[v];
        if (r->best[i] < 0)
            continue;
        r->thread[v] = r->best[i];
        r->layer[v] = r->nlayers;
        work += r->s.weight[v];
        r->last++;
    }
    r->nlayers++;
    r->s.mapped = all > 0 ? (double)work / (double)all : 1;
    clv_window_advance(&r->window, set.count, r->thread);
}

/* ---- All layers ------------------------------------------------------------------------- */

enum { first_share = 4 }; /* the first window has that part of the vertices */

/* Vertices for the next layer.  Algorithm 3 would begin with one level, because nothing is
 * mapped before.  Nor is a window smaller than what the threads can do in a layer that is cut
 * early. */
static int64_t wanted_vertices(const run *r)
{
    const clv_graphopt_params *p = r->s.params;
    int64_t left = clv_window_left(&r->window);
    if (!p->window)
        return left;
    int64_t wanted = (int64_t)p->alpha * r->last;
    if (r->nlayers == 0)
        wanted = r->g->nvtx / first_share;
    return wanted > r->least * r->feeding ? wanted : r->least * r->feeding;
}

static void finish_serially(run *r)
{
    clv_vertex_set set = {clv_window_vertices(&r->window), clv_window_left(&r->window)};
    for (int32_t i = 0; i < set.count; i++)
        r->best[i] = 0;
    commit(r, set);
}

/* As many as weigh what a thread does in a layer that is cut early, times alpha. */
static int64_t least_window(const run *r)
{
    const clv_graphopt_params *p = r->s.params;
    double total = 1;
    for (int32_t v = 0; v < r->g->nvtx; v++)
        total += r->s.weight[v];
    double least = (double)p->alpha * p->chunk * p->sync * r->g->nvtx / total;
    return least < r->g->nvtx ? (int64_t)least : r->g->nvtx;
}

static cleave_status make_layers(run *r, cleave_error *err)
{
    r->least = least_window(r);
    while (clv_window_left(&r->window) > 0) {
        clv_context_phase(r->s.ctx, "layers", r->window.head, r->window.nvtx);
        if (clv_context_stop(r->s.ctx)) {
            finish_serially(r);
            return CLEAVE_OK;
        }
        clv_vertex_set set = {clv_window_vertices(&r->window),
                              clv_window_count(&r->window, wanted_vertices(r))};
        double rate = 0;
        CLV_TRY(best_layer(r, set, &rate, err));
        commit(r, set);
    }
    return CLEAVE_OK;
}

/* ---- All numbers of threads ------------------------------------------------------------- */

static void start_again(run *r, int32_t threads)
{
    clv_graphopt *s = &r->s;
    s->threads = threads;
    s->mapped = 0.5;
    r->feeding = threads;
    r->nlayers = r->last = 0;
    memset(r->thread, -1, (size_t)s->nvtx * sizeof *r->thread);
    memset(s->part, -1, (size_t)s->nvtx * sizeof *s->part);
    clv_window_restart(&r->window);
}

enum { merge_price = 2 };

/* Neighbouring layers become one where that costs at most one synchronisation more than it
 * saves: fewer layers at nearly the same cost.  In the caller's numbers, because small
 * components go to threads in the order of their numbers. */
static cleave_status merge_layers(run *r, cleave_error *err)
{
    clv_ws *ws = r->s.ctx->ws;
    int32_t n = r->g->nvtx;
    double cost;
    int32_t *layer = clv_ws_alloc(ws, n, sizeof *layer);
    int32_t *thread = clv_ws_alloc(ws, n, sizeof *thread);
    if (!layer || !thread)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        layer[v] = r->layer[r->number[v]];
        thread[v] = r->thread[r->number[v]];
    }
    CLV_TRY(clv_improve_layers(r->g, r->s.threads, merge_price * (double)r->s.params->sync,
                               r->s.ctx, layer, thread, &r->nlayers, &cost, err));
    for (int32_t v = 0; v < n; v++) {
        r->layer[r->number[v]] = layer[v];
        r->thread[r->number[v]] = thread[v];
    }
    return CLEAVE_OK;
}

/* Fewer layers; *cost: of the schedule then. */
static cleave_status shorten(run *r, int64_t *cost, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(r->s.ctx->ws);
    cleave_status status = merge_layers(r, err);
    clv_ws_restore(r->s.ctx->ws, mark);
    CLV_TRY(status);
    return clv_graphopt_collapse(&r->s, r->nlayers, r->layer, r->thread, cost, err);
}

/* The schedule for `threads`, into layer and thread by the caller's numbers if it costs less
 * than *best, which is -1 before there is one. */
static cleave_status try_threads(run *r, int32_t threads, int32_t *layer, int32_t *thread,
                                 int64_t *cost, int64_t *best, cleave_error *err)
{
    start_again(r, threads);
    CLV_TRY(make_layers(r, err));
    bool stopped = clv_context_is_stopped(r->s.ctx);
    if (stopped && *best >= 0) /* a whole schedule is there */
        return CLEAVE_OK;
    if (!stopped)
        CLV_TRY(shorten(r, cost, err));
    if (*best >= 0 && *cost >= *best)
        return CLEAVE_OK;
    *best = *cost;
    for (int32_t v = 0; v < r->g->nvtx; v++) {
        layer[v] = r->layer[r->number[v]];
        thread[v] = r->thread[r->number[v]];
    }
    return CLEAVE_OK;
}

enum { worse = 20 };

/* The cheapest of 2 threads, 4, and so on up to all of them, until more are dearer by a
 * twentieth: few are quick to schedule, and many are not worth a try where half as many found
 * too little to do.  Twice a power of two never costs more than that. */
static cleave_status try_all(run *r, int32_t threads, int32_t *layer, int32_t *thread,
                             cleave_error *err)
{
    const clv_graphopt_params *p = r->s.params;
    /* A solver of the caller's is asked once for each layer. */
    bool fewer = p->adapt && !p->solver;
    int64_t best = -1, now = 0;
    for (int32_t k = 2; fewer && k <= threads / 3 * 2; k *= 2) {
        CLV_TRY(try_threads(r, k, layer, thread, &now, &best, err));
        if (now - best > best / worse || clv_context_stop(r->s.ctx))
            return CLEAVE_OK;
    }
    return try_threads(r, threads, layer, thread, &now, &best, err);
}

/* The same dependencies from fewer arcs, which saves looks at them.  The model then counts
 * crossing arcs of these alone, so that it is not worth it unless most arcs go. */
enum { thinner = 4 };

cleave_status clv_schedule_graphopt(const clv_graph *g, int32_t threads,
                                    const clv_graphopt_params *params, clv_context *ctx,
                                    int32_t *layer, int32_t *thread, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_graphopt_params priced = *params;
    int64_t price = (int64_t)params->sync * params->few;
    priced.sync = price < clv_graphopt_most_sync ? (int32_t)price : clv_graphopt_most_sync;
    clv_graph skeleton;
    run r = {.g = &skeleton};
    r.s = (clv_graphopt){.params = &priced, .ctx = ctx, .nvtx = g->nvtx, .threads = threads};
    cleave_status status = clv_grow_skeleton(&skeleton, g, ctx->ws, err);
    if (status == CLEAVE_OK && skeleton.narc > g->narc / thinner)
        r.g = g;
    if (status == CLEAVE_OK)
        status = make_ready(&r, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = try_all(&r, threads, layer, thread, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
