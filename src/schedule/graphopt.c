/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt.c - method graphopt: N. Shah, W. Meert, M. Verhelst, "GraphOpt:
 * constrained-optimization-based parallelization of irregular graphs", IEEE TPDS 2022,
 * Algorithms 1 and 2. docs/design/superlayers.md lists what the paper leaves open, and its
 * misprints.
 *
 * One super layer after the other, starting at the sources.  Extensions: a layer that cannot
 * feed all threads is also tried with half as many, and so on down to one, a layer that can
 * with twice as many; the one with the most work per unit of time is taken.  Adjacent layers
 * are merged by their components (schedule/improve_layers.c).  Runs of layers that one thread
 * does as fast become one layer.  All of this is repeated for smaller numbers of threads, and
 * the cheapest schedule is taken.  Arcs that are implied by others are dropped first if they
 * are the large majority, as in the exact factor of a matrix (schedule/grow_skeleton.c). */
#include "schedule/graphopt.h"

#include <string.h>

#include "base/group.h"
#include "graph/derive.h"
#include "graph/topology.h"
#include "schedule/grow_layers.h"
#include "schedule/window.h"

typedef struct run {
    const clv_graph *g;
    clv_graphopt s;
    clv_window window;
    int32_t *number;   /* by vertex of g: its number here */
    int32_t *level;    /* by number */
    int32_t *thread;   /* writable s.thread */
    int32_t *layer;    /* by number */
    int32_t *best;     /* by position in the window: the best layer so far */
    int64_t cost;      /* of the last complete schedule */
    clv_layering *out; /* the cheapest schedule so far, in the caller's numbers */
    int64_t out_cost;  /* -1: no schedule so far */
    int32_t nlayers;
    int32_t last;    /* vertices in the last layer */
    int64_t least;   /* minimum number of vertices in a window per fed thread */
    int32_t feeding; /* number of threads that the last layer fed */
} run;

/* ---- Renumbering ------------------------------------------------------------------------ */

/* Algorithm 2 as printed computes the level of a vertex before those of its successors are
 * known; graph/topology.h visits a topological order backwards instead. */
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
    clv_running_sums32(begin, depth);
    for (int32_t v = 0; v < n; v++) {
        r->number[v] = begin[level[v]]++;
        r->level[r->number[v]] = level[v];
    }
    return CLEAVE_OK;
}

/* The rows of predecessors in the new numbers, ascending: the transpose of the successors. */
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
    clv_running_sums(xadj, g->nvtx);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t to = xadj[r->number[v]];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            adj[to++] = r->number[g->adj[a]];
        weight[r->number[v]] = (int32_t)clv_graph_vwgt(g, v, 0);
    }
    clv_derive_transpose_rows(g->nvtx, (clv_csr){.xadj = xadj, .adj = adj},
                              (clv_csr_space){.xadj = xpred, .adj = pred});
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

/* Stores the layer in r->best.  It counts as feeding all its threads if more than half have
 * work, otherwise as many as have work. */
static void keep_layer(run *r, clv_vertex_set set, int32_t threads)
{
    int32_t fed = 0;
    for (int32_t i = 0; i < set.count; i++)
        r->best[i] = r->s.part[set.v[i]];
    for (int32_t t = 0; t < threads; t++)
        fed += r->s.load[t] > 0;
    r->feeding = fed > threads / 2 ? threads : fed > 1 ? fed : 1;
}

/* Tries another number of threads; *better: it does more work per unit of time, and is kept.
 */
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

static int32_t double_threads(const run *r, int32_t threads)
{
    return threads < r->s.threads / 2 ? 2 * threads : r->s.threads;
}

/* The layer of a window, in r->best.  Starts with twice as many threads as the last layer fed;
 * continues with more while all are fed, or with fewer, as long as that is better. k threads
 * do at most k units of work per unit of time, which bounds the trials. */
static cleave_status best_layer(run *r, clv_vertex_set set, double *best, cleave_error *err)
{
    bool adapt = r->s.params->adapt, better = true;
    int32_t threads = adapt ? double_threads(r, r->feeding) : r->s.threads;
    CLV_TRY(try_layer(r, set, threads, best, err));
    keep_layer(r, set, threads);
    if (!adapt)
        return CLEAVE_OK;
    if (*best >= (threads + 1) / 2) {
        while (better && threads < r->s.threads && r->feeding == threads &&
               !clv_context_stop(r->s.ctx)) {
            threads = double_threads(r, threads);
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

static void commit_layer(run *r, clv_vertex_set set)
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

enum { first_share = 4 }; /* the first window has 1 / first_share of the vertices */

/* Number of vertices for the next layer.  Algorithm 3 would start with a single level, because
 * no vertex is mapped yet.  A window has at least as many vertices as the threads can process
 * in a layer that is cut early. */
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
    commit_layer(r, set);
}

/* The number of vertices whose weight is alpha times what a thread does in a layer that is cut
 * early. */
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
        commit_layer(r, set);
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

static void copy_in_callers_numbers(const run *r, clv_layering *l)
{
    for (int32_t v = 0; v < r->g->nvtx; v++) {
        l->layer[v] = r->layer[r->number[v]];
        l->thread[v] = r->thread[r->number[v]];
    }
}

enum { merge_price = 2 };

/* Merges adjacent layers if that costs at most one synchronisation more than it saves: fewer
 * layers at nearly the same cost.  Uses the caller's vertex numbers, because small components
 * are assigned to threads in the order of their numbers. */
static cleave_status merge_layers(run *r, cleave_error *err)
{
    clv_ws *ws = r->s.ctx->ws;
    int32_t n = r->g->nvtx;
    double price = merge_price * (double)r->s.params->sync, cost;
    clv_layering l = {.threads = r->s.threads, .layers = r->nlayers};
    l.layer = clv_ws_alloc(ws, n, sizeof *l.layer);
    l.thread = clv_ws_alloc(ws, n, sizeof *l.thread);
    if (!l.layer || !l.thread)
        return clv_fail_memory(err);
    copy_in_callers_numbers(r, &l);
    CLV_TRY(clv_improve_layers(r->g, price, r->s.ctx, &l, &cost, err));
    r->nlayers = l.layers;
    for (int32_t v = 0; v < n; v++) {
        r->layer[r->number[v]] = l.layer[v];
        r->thread[r->number[v]] = l.thread[v];
    }
    return CLEAVE_OK;
}

/* Merges and collapses layers; sets the cost of the result. */
static cleave_status merge_and_collapse(run *r, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(r->s.ctx->ws);
    cleave_status status = merge_layers(r, err);
    clv_ws_restore(r->s.ctx->ws, mark);
    CLV_TRY(status);
    return clv_graphopt_collapse(&r->s, r->nlayers, r->layer, r->thread, &r->cost, err);
}

/* Computes the schedule for `threads`; keeps it if it is the cheapest. */
static cleave_status try_threads(run *r, int32_t threads, cleave_error *err)
{
    start_again(r, threads);
    CLV_TRY(make_layers(r, err));
    bool stopped = clv_context_is_stopped(r->s.ctx);
    if (stopped && r->out_cost >= 0) /* there is a complete schedule already */
        return CLEAVE_OK;
    if (!stopped)
        CLV_TRY(merge_and_collapse(r, err));
    if (r->out_cost >= 0 && r->cost >= r->out_cost)
        return CLEAVE_OK;
    r->out_cost = r->cost;
    r->out->layers = r->nlayers;
    copy_in_callers_numbers(r, r->out);
    return CLEAVE_OK;
}

enum { worse = 20 };

/* The cheapest schedule for 2, 4, 8, ... up to all threads; stops when one costs over 5 % more
 * than the best.  Small numbers are fast to try, and if k threads found too little work, 2 k
 * need not be tried. k = 2^i is tried only up to two thirds of all threads. */
static cleave_status try_all(run *r, cleave_error *err)
{
    const clv_graphopt_params *p = r->s.params;
    /* A solver of the caller is called for one number of threads only. */
    bool fewer = p->adapt && !p->solver;
    int32_t threads = r->out->threads;
    r->out_cost = -1;
    for (int32_t k = 2; fewer && k <= threads / 3 * 2; k *= 2) {
        CLV_TRY(try_threads(r, k, err));
        if (r->cost - r->out_cost > r->out_cost / worse || clv_context_stop(r->s.ctx))
            return CLEAVE_OK;
    }
    return try_threads(r, threads, err);
}

/* The skeleton has the same dependencies with fewer arcs, which saves time.  The model then
 * counts only its crossing arcs; that is acceptable only if most arcs are dropped. */
enum { thinner = 4 };

cleave_status clv_schedule_graphopt(const clv_graph *g, const clv_graphopt_params *params,
                                    clv_context *ctx, clv_layering *l, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_graphopt_params priced = *params;
    int64_t price = (int64_t)params->sync * params->few;
    priced.sync = price < clv_graphopt_most_sync ? (int32_t)price : clv_graphopt_most_sync;
    clv_graph skeleton;
    run r = {.g = &skeleton, .out = l};
    r.s =
        (clv_graphopt){.params = &priced, .ctx = ctx, .nvtx = g->nvtx, .threads = l->threads};
    cleave_status status = clv_grow_skeleton(&skeleton, g, ctx->ws, err);
    if (status == CLEAVE_OK && skeleton.narc > g->narc / thinner)
        r.g = g;
    if (status == CLEAVE_OK)
        status = make_ready(&r, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = try_all(&r, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
