/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/auto_layers.c - the cheapest of several growths, of graphopt, or serial.
 *
 * First one growth without homes and one with, of no more threads than a pipeline can use.
 * Where there are many more threads than speed-up, fewer are searched for: what suits the
 * speed-up so far, then more or less while that is better, all on a ladder of counts that does
 * not depend on how many there are.
 *
 * Then variations of the best one: another budget, larger where layers are even and
 * synchronisation is what they cost, smaller where threads wait for each other; and somewhat
 * fewer threads.  How many are tried depends on what there is to gain from a look, not on the
 * clock: a DAG of which growth sees few arcs (an exact factor is a tree to it) gets more.
 * Graphopt, which takes far longer, is for small DAGs on which growth is far from the bound.
 *
 * The search ends where a candidate is near what no schedule can be better than.
 *
 * Candidates of a round are computed side by side, if there are threads for that; which one
 * is taken does not depend on it. */
#include <math.h>
#include <string.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"

enum {
    round_size = 2,
    most_rounds = 5, /* of variations */
    step = 3,        /* between budgets */
    few_layers = 12,
    octave = 4,                   /* steps of the ladder that double the threads */
    affordable = (1 << 17) + 8192 /* size of a DAG times threads - 1 for graphopt */
};
/* Graphopt is tried where growth reaches less than these parts of the bound and of what a
 * pipeline would. */
static const double far_from_bound = 0.85, far_from_pipeline = 0.95;
/* Above what no schedule can be better than: variations win about as much. */
static const double content = 0.03;
/* Growth uses about so many threads per speed-up. */
static const double threads_per_speedup = 2.2;

typedef struct candidate {
    const char *method;
    bool homes;
    int32_t threads;
    int64_t budget;
    int32_t *layer, *thread; /* the result */
    int32_t layers, grown;   /* how many, and before they were improved */
    double cost;
    cleave_status status;
    cleave_error err;
} candidate;

typedef struct search {
    const clv_graph *g, *thin; /* the DAG, and its skeleton */
    const clv_schedule_costs *costs;
    clv_context *ctx;
    clv_grow_base base;
    candidate round[round_size];
    int32_t count; /* of this round */
    candidate best;
    int32_t threads; /* that there may be */
    double enough;   /* a candidate that costs no more ends the search */
    int32_t rounds;  /* of variations that may be tried */
} search;

/* ---- One candidate ---------------------------------------------------------------------- */

/* What the stack holds of a growth, about: most while it is improved. */
static int64_t growth_bytes(const clv_graph *g)
{
    return 60 * (int64_t)g->nvtx + 8 * g->narc;
}

/* What a candidate costs beyond work and layers.  Of too many layers and threads no schedule
 * can be made, whatever it costs. */
static cleave_status add_reads(const search *s, candidate *c, clv_ws *ws, cleave_error *err)
{
    if (!clv_schedule_is_plausible(s->g->nvtx, c->layers, c->threads)) {
        c->cost = HUGE_VAL;
        return CLEAVE_OK;
    }
    if (!(s->costs->read > 0))
        return CLEAVE_OK;
    c->cost =
        clv_schedule_cost(s->g, c->threads, c->layer, c->thread, s->costs, ws, NULL, NULL);
    return c->cost < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

static cleave_status grow(const search *s, candidate *c, clv_context *ctx, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    clv_grow_order order = {.vertex = s->base.vertex};
    if (!clv_ws_reserve(ws, growth_bytes(s->thin)))
        return clv_fail_memory(err);
    if (c->homes) {
        order.vertex = clv_ws_alloc(ws, s->g->nvtx, sizeof *order.vertex);
        order.start = clv_ws_alloc(ws, (int64_t)c->threads + 1, sizeof *order.start);
        if (!order.vertex || !order.start)
            return clv_fail_memory(err);
        CLV_TRY(clv_grow_order_homes(&order, &s->base, s->thin, c->threads, ws, err));
    }
    CLV_TRY(clv_grow_pass(s->thin, c->threads, &order, c->budget, s->costs->sync, ctx,
                          c->layer, c->thread, &c->layers, err));
    c->grown = c->layers;
    CLV_TRY(clv_improve_layers(s->thin, c->threads, s->costs->sync, ctx, c->layer, c->thread,
                               &c->layers, &c->cost, err));
    return add_reads(s, c, ws, err);
}

static void grow_some(void *payload, int64_t begin, int64_t end, int member)
{
    search *s = payload;
    for (int64_t i = begin; i < end; i++) {
        candidate *c = &s->round[i];
        clv_context child = clv_context_child(s->ctx, member);
        clv_ws_mark mark = clv_ws_save(child.ws);
        c->status = grow(s, c, &child, &c->err);
        clv_ws_restore(child.ws, mark);
    }
}

/* ---- Rounds ----------------------------------------------------------------------------- */

static void add(search *s, bool homes, int32_t threads, int64_t budget)
{
    candidate *c = &s->round[s->count++];
    c->method = "grow";
    c->homes = homes;
    c->threads = threads;
    c->budget = budget > 0 ? budget : 1;
}

/* Computes the candidates of the round, and ends it with the first that is good enough;
 * what a team has computed beyond that is not looked at. */
static cleave_status compute_round(search *s, cleave_error *err)
{
    bool alone = clv_team_size(s->ctx->team) == 1;
    if (!alone)
        clv_parallel_for(s->ctx->team, s->count, 1, grow_some, s);
    for (int32_t i = 0; i < s->count; i++) {
        const candidate *c = &s->round[i];
        if (alone)
            grow_some(s, i, i + 1, 0);
        if (c->status != CLEAVE_OK) {
            if (err)
                *err = c->err;
            return c->status;
        }
        if (c->cost <= s->enough)
            s->count = i + 1;
    }
    return CLEAVE_OK;
}

/* The best keeps its arrays in exchange for others. */
static bool take_better(search *s, candidate *c)
{
    if (!(c->cost < s->best.cost))
        return false;
    candidate old = s->best;
    s->best = *c;
    c->layer = old.layer;
    c->thread = old.thread;
    return true;
}

static cleave_status run_round(search *s, bool *better, cleave_error *err)
{
    *better = false;
    CLV_TRY(compute_round(s, err));
    for (int32_t i = 0; i < s->count; i++)
        *better = take_better(s, &s->round[i]) || *better;
    s->count = 0;
    return CLEAVE_OK;
}

static double speedup(const search *s)
{
    return ((double)s->base.total + s->costs->sync) / s->best.cost;
}

/* No schedule costs less than the mean of the threads, nor than the heaviest path. */
static double least_cost(const search *s)
{
    double mean = (double)s->base.total / s->threads, path = (double)s->base.path;
    return mean > path ? mean : path;
}

/* ---- How many threads ------------------------------------------------------------------- */

/* 2 3 4 5 6 7 8 10 12 14 16 20 ... from step 0. */
static int32_t rung(int32_t i)
{
    return i < 2 ? i + 2 : (4 + (i - 2) % octave) << (i - 2) / octave;
}

/* The last rung that is not above. */
static int32_t rung_below(double threads)
{
    int32_t i = 0;
    while (rung(i + 1) <= threads)
        i++;
    return i;
}

/* Looks at one rung, without homes; *better: than all so far. */
static cleave_status try_rung(search *s, int32_t i, bool *better, cleave_error *err)
{
    *better = false;
    if (i < 0 || rung(i) >= s->threads || clv_context_stop(s->ctx))
        return CLEAVE_OK;
    add(s, false, rung(i), clv_grow_budget(&s->base, rung(i), false, s->costs->sync));
    return run_round(s, better, err);
}

/* Steps up or down from *at, which becomes the best, until so many in a row are not better. */
static cleave_status climb(search *s, int32_t *at, int32_t by, int32_t patience,
                           cleave_error *err)
{
    for (int32_t i = *at + by, failed = 0; failed < patience && s->best.cost > s->enough;
         i += by) {
        bool better;
        CLV_TRY(try_rung(s, i, &better, err));
        *at = better ? i : *at;
        failed = better ? 0 : failed + 1;
    }
    return CLEAVE_OK;
}

/* Half octaves, then the rungs beside the best of them. */
static cleave_status climb_around(search *s, int32_t at, cleave_error *err)
{
    int32_t from = at;
    CLV_TRY(climb(s, &at, octave / 2, 2, err));
    if (at == from)
        CLV_TRY(climb(s, &at, -octave / 2, 2, err));
    from = at;
    CLV_TRY(climb(s, &at, 1, 1, err));
    return at == from ? climb(s, &at, -1, 1, err) : CLEAVE_OK;
}

/* Are there many more threads than speed-up, though the DAG allows more? */
static bool has_too_many(const search *s)
{
    return s->threads > 2 * threads_per_speedup * speedup(s) &&
           s->best.cost * 0.6 > (double)s->base.path;
}

static cleave_status search_counts(search *s, cleave_error *err)
{
    bool better = false;
    int32_t at = rung_below(threads_per_speedup * speedup(s) + 1);
    at -= at > octave ? at % 2 : 0; /* as counts are that people ask for */
    CLV_TRY(try_rung(s, at, &better, err));
    /* With homes the first count was about right. */
    return s->best.homes ? CLEAVE_OK : climb_around(s, at, err);
}

/* A pipeline of P threads, each doing its W / P in B pieces, costs (B + P - 1) (W / P / B +
 * sync): with the best pieces W / P + (P - 1) sync + 2 sqrt(W / P (P - 1) sync). */
static double pipeline_cost(const search *s, int32_t threads)
{
    double mean = (double)s->base.total / threads, syncs = (threads - 1) * s->costs->sync;
    return mean + syncs + 2 * sqrt(mean * syncs);
}

/* The best number of threads of that. */
static int32_t pipeline_threads(const search *s)
{
    double threads = sqrt((double)s->base.total / s->costs->sync);
    return threads < s->threads ? rung(rung_below(threads)) : s->threads;
}

/* ---- Variations ------------------------------------------------------------------------- */

/* Is a larger budget worth a look?  Where improvement made few of many layers it mostly is;
 * where it could not, growth knows best.  Few layers are soon looked at. */
static bool may_grow(const candidate *c)
{
    return c->layers <= few_layers || c->grown >= c->layers + c->layers / 3;
}

/* Variations of the best candidate until none is better.  fewer: other counts have been
 * looked at. */
static cleave_status vary(search *s, bool fewer, cleave_error *err)
{
    double sync = s->costs->sync, total = (double)s->base.total;
    bool better = true;
    int direction = 0;
    for (int32_t i = 0; i < s->rounds && better && !clv_context_stop(s->ctx); i++) {
        const candidate *b = &s->best;
        double syncs = sync * b->layers, uneven = b->cost - syncs - total / b->threads;
        if (b->cost <= s->enough)
            break;
        if (direction == 0)
            direction = syncs > uneven ? 1 : -1;
        double useful = threads_per_speedup * speedup(s);
        /* Threads that have nothing to do find no more in smaller layers. */
        bool idle = b->threads > 2 && useful < 0.9 * b->threads;
        if (direction > 0 ? may_grow(b) : !idle)
            add(s, b->homes, b->threads, direction > 0 ? b->budget * step : b->budget / step);
        if (!fewer && idle) {
            int32_t q = (int32_t)useful + 1;
            add(s, false, q, clv_grow_budget(&s->base, q, false, sync));
            fewer = true;
        }
        CLV_TRY(run_round(s, &better, err));
    }
    return CLEAVE_OK;
}

/* Graphopt, improved as growths are. */
static cleave_status try_graphopt(search *s, cleave_error *err)
{
    double useful = threads_per_speedup * speedup(s) + 1, least = least_cost(s);
    double size = (double)s->g->narc + s->g->nvtx; /* not its weight, which has a unit */
    candidate *c = &s->round[0];
    c->method = "graphopt";
    c->threads = useful < s->threads ? (int32_t)useful : s->threads;
    if (s->costs->hasty || size * (c->threads - 1) > affordable ||
        least > far_from_bound * s->best.cost ||
        pipeline_cost(s, c->threads) > far_from_pipeline * s->best.cost ||
        clv_context_stop(s->ctx))
        return CLEAVE_OK;
    clv_graphopt_params params = clv_graphopt_defaults();
    params.sync = clv_graphopt_whole_sync(s->costs->sync);
    CLV_TRY(
        clv_schedule_graphopt(s->g, c->threads, &params, s->ctx, c->layer, c->thread, err));
    c->layers = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        c->layers = c->layer[v] >= c->layers ? c->layer[v] + 1 : c->layers;
    CLV_TRY(clv_improve_layers(s->thin, c->threads, s->costs->sync, s->ctx, c->layer,
                               c->thread, &c->layers, &c->cost, err));
    CLV_TRY(add_reads(s, c, s->ctx->ws, err));
    take_better(s, c);
    return CLEAVE_OK;
}

static cleave_status search_all(search *s, clv_graph *thin, cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    int32_t n = s->g->nvtx;
    bool better;
    if (!clv_ws_reserve(ws, 48 * (int64_t)n + 4 * s->g->narc + growth_bytes(s->g)))
        return clv_fail_memory(err);
    CLV_TRY(clv_grow_skeleton(thin, s->g, ws, err));
    s->thin = thin;
    CLV_TRY(clv_grow_base_make(&s->base, s->thin, ws, err));
    s->threads = clv_grow_useful(&s->base, n, s->threads);
    if (s->threads == 1)
        return CLEAVE_OK;
    s->best.cost = (double)s->base.total + s->costs->sync;
    /* Few DAGs fall into pieces that are one layer. */
    s->enough =
        (least_cost(s) + 2 * s->costs->sync) * (1 + (s->costs->hasty ? content : 1.0 / 256));
    for (int i = 0; i < round_size; i++) {
        s->round[i].layer = clv_ws_alloc(ws, n, sizeof *s->round[i].layer);
        s->round[i].thread = clv_ws_alloc(ws, n, sizeof *s->round[i].thread);
        if (!s->round[i].layer || !s->round[i].thread)
            return clv_fail_memory(err);
    }
    double share = ((double)s->g->narc + n) / ((double)thin->narc + n);
    s->rounds = share < 1.5 || s->costs->hasty ? 1 : share < 3 ? 2 : most_rounds;
    int32_t homes = pipeline_threads(s);
    add(s, false, s->threads, clv_grow_budget(&s->base, s->threads, false, s->costs->sync));
    add(s, true, homes, clv_grow_budget(&s->base, homes, true, s->costs->sync));
    CLV_TRY(run_round(s, &better, err));
    bool far = has_too_many(s);
    if (far && s->best.cost > s->enough)
        CLV_TRY(search_counts(s, err));
    if (s->best.threads > 1)
        CLV_TRY(vary(s, far, err));
    return s->best.cost > s->enough ? try_graphopt(s, err) : CLEAVE_OK;
}

cleave_status clv_schedule_auto(const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                int32_t *layer, int32_t *thread, const char **method,
                                cleave_error *err)
{
    size_t bytes = (size_t)g->nvtx * sizeof *layer;
    *method = "serial";
    if (g->nvtx == 0)
        return CLEAVE_OK;
    memset(layer, 0, bytes);
    memset(thread, 0, bytes);
    if (threads == 1)
        return CLEAVE_OK;
    search s = {
        .g = g,
        .costs = costs,
        .ctx = ctx,
        .threads = threads,
        .best = {
            .method = "serial", .threads = 1, .layers = 1, .layer = layer, .thread = thread}};
    clv_graph thin;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = search_all(&s, &thin, err);
    if (status == CLEAVE_OK && s.best.threads > 1) {
        *method = s.best.method;
        if (s.best.layer != layer)
            memcpy(layer, s.best.layer, bytes);
        if (s.best.thread != thread)
            memcpy(thread, s.best.thread, bytes);
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
