/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/auto_layers.c - the cheapest of several growths, of graphopt, and of the serial
 * schedule.
 *
 * First two growths: one without homes on all threads, one with homes on at most as many
 * threads as a pipeline can use.  If there are many more threads than the speed-up, other
 * thread counts follow: one that suits the speed-up, then a hill climb from there on a ladder
 * of counts that does not depend on the number of threads.
 *
 * Then variations of the best candidate: a larger budget if synchronisation is its main cost
 * beyond even layers, a smaller one if threads wait for each other; and somewhat fewer
 * threads.  Their number depends on the structure of the DAG, not on the clock: a DAG in which
 * growth visits only a small part of the arcs (the skeleton of an exact factor is a tree) gets
 * more.  Graphopt, which takes far longer, is for small DAGs on which growth is far from the
 * lower bound.
 *
 * The search ends when a candidate is close to the lower bound.
 *
 * Candidates of a round are computed in parallel if there are several threads; the choice does
 * not depend on that. */
#include <math.h>
#include <string.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"

enum {
    round_size = 2,
    most_rounds = 5, /* of variations */
    step = 3,        /* factor between budgets */
    few_layers = 12,
    octave = 4,                   /* steps of the ladder from a thread count to its double */
    affordable = (1 << 17) + 8192 /* limit for graphopt: (vertices + arcs) * (threads - 1) */
};
/* Graphopt is tried if lower bound / cost and pipeline cost / cost are below these values. */
static const double far_from_bound = 0.85, far_from_pipeline = 0.95;
/* With `hasty`, the search ends at this distance above the lower bound; variations rarely gain
 * more. */
static const double content = 0.03;
/* About as many threads as growth uses per unit of speed-up. */
static const double threads_per_speedup = 2.2;

typedef struct candidate {
    clv_layering l;
    int32_t grown; /* number of layers before improve_layers */
    bool homes;
    int64_t budget;
    double cost;
    cleave_status status;
    cleave_error err;
} candidate;

typedef struct search {
    const clv_graph *g, *thin; /* the DAG, and its skeleton without implied arcs */
    const clv_schedule_costs *costs;
    clv_context *ctx;
    clv_grow_base base;
    candidate round[round_size];
    int32_t count; /* candidates in this round */
    candidate best;
    int32_t threads; /* maximum */
    double enough;   /* a candidate that costs at most this ends the search */
    int32_t rounds;  /* maximum number of rounds of variations */
} search;

/* ---- One candidate ---------------------------------------------------------------------- */

/* Estimated workspace of a growth; most of it is needed for improve_layers. */
static int64_t growth_bytes(const clv_graph *g)
{
    return 60 * (int64_t)g->nvtx + 8 * g->narc;
}

/* Adds the cost of reads.  A schedule with too many layers * threads cannot be made; its cost
 * is infinite. */
static cleave_status add_reads(const search *s, candidate *c, clv_ws *ws, cleave_error *err)
{
    if (!clv_schedule_is_plausible(s->g->nvtx, c->l.layers, c->l.threads)) {
        c->cost = HUGE_VAL;
        return CLEAVE_OK;
    }
    if (!(s->costs->read > 0))
        return CLEAVE_OK;
    clv_schedule_spec spec = clv_layering_spec(&c->l);
    c->cost = clv_schedule_cost(s->g, &spec, s->costs, ws, NULL, NULL);
    return c->cost < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

static cleave_status grow_candidate(const search *s, candidate *c, clv_context *ctx,
                                    cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    clv_grow_rule rule = {
        .order = {.vertex = s->base.vertex}, .budget = c->budget, .sync = s->costs->sync};
    clv_grow_order *order = &rule.order;
    if (!clv_ws_reserve(ws, growth_bytes(s->thin)))
        return clv_fail_memory(err);
    if (c->homes) {
        order->vertex = clv_ws_alloc(ws, s->g->nvtx, sizeof *order->vertex);
        order->start = clv_ws_alloc(ws, (int64_t)c->l.threads + 1, sizeof *order->start);
        if (!order->vertex || !order->start)
            return clv_fail_memory(err);
        CLV_TRY(clv_grow_order_homes(order, &s->base, s->thin, c->l.threads, ws, err));
    }
    CLV_TRY(clv_grow_pass(s->thin, &rule, ctx, &c->l, err));
    c->grown = c->l.layers;
    CLV_TRY(clv_improve_layers(s->thin, s->costs->sync, ctx, &c->l, &c->cost, err));
    return add_reads(s, c, ws, err);
}

static void grow_some(void *payload, int64_t begin, int64_t end, int member)
{
    search *s = payload;
    for (int64_t i = begin; i < end; i++) {
        candidate *c = &s->round[i];
        clv_context child = clv_context_child(s->ctx, member);
        clv_ws_mark mark = clv_ws_save(child.ws);
        c->status = grow_candidate(s, c, &child, &c->err);
        clv_ws_restore(child.ws, mark);
    }
}

/* ---- Rounds ----------------------------------------------------------------------------- */

static void add_candidate(search *s, bool homes, int32_t threads, int64_t budget)
{
    candidate *c = &s->round[s->count++];
    c->l.method = "grow";
    c->l.threads = threads;
    c->homes = homes;
    c->budget = budget > 0 ? budget : 1;
}

/* Computes the candidates of the round.  Those after the first that is good enough are
 * ignored, also if a team has computed them: the result does not depend on the number of
 * threads. */
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

/* Exchanges the arrays of the candidate with those of the best. */
static bool take_better(search *s, candidate *c)
{
    if (!(c->cost < s->best.cost))
        return false;
    clv_layering old = s->best.l;
    s->best = *c;
    c->l.layer = old.layer;
    c->l.thread = old.thread;
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

/* Lower bound: the mean load of the threads, and the heaviest path. */
static double least_cost(const search *s)
{
    double mean = (double)s->base.total / s->threads, path = (double)s->base.path;
    return mean > path ? mean : path;
}

/* ---- How many threads ------------------------------------------------------------------- */

/* 2 3 4 5 6 7 8 10 12 14 16 20 ... for i = 0, 1, ... */
static int32_t rung(int32_t i)
{
    return i < 2 ? i + 2 : (4 + (i - 2) % octave) << (i - 2) / octave;
}

/* The last rung that is not above `threads`. */
static int32_t rung_below(double threads)
{
    int32_t i = 0;
    while (rung(i + 1) <= threads)
        i++;
    return i;
}

/* Tries the thread count of a rung, without homes; *better: cheaper than all candidates so
 * far. */
static cleave_status try_rung(search *s, int32_t i, bool *better, cleave_error *err)
{
    *better = false;
    if (i < 0 || rung(i) >= s->threads || clv_context_stop(s->ctx))
        return CLEAVE_OK;
    add_candidate(s, false, rung(i),
                  clv_grow_budget(&s->base, rung(i), false, s->costs->sync));
    return run_round(s, better, err);
}

/* Goes from *at by steps of `by` until `patience` steps in a row are not better; *at becomes
 * the best rung. */
static cleave_status hill_climb(search *s, int32_t *at, int32_t by, int32_t patience,
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

/* Steps of half an octave in both directions, then single steps from the best. */
static cleave_status climb_around(search *s, int32_t at, cleave_error *err)
{
    int32_t from = at;
    CLV_TRY(hill_climb(s, &at, octave / 2, 2, err));
    if (at == from)
        CLV_TRY(hill_climb(s, &at, -octave / 2, 2, err));
    from = at;
    CLV_TRY(hill_climb(s, &at, 1, 1, err));
    return at == from ? hill_climb(s, &at, -1, 1, err) : CLEAVE_OK;
}

/* Are there many more threads than the speed-up, although the heaviest path allows a higher
 * one? */
static bool has_too_many(const search *s)
{
    return s->threads > 2 * threads_per_speedup * speedup(s) &&
           s->best.cost * 0.6 > (double)s->base.path;
}

static cleave_status search_counts(search *s, cleave_error *err)
{
    bool better = false;
    int32_t at = rung_below(threads_per_speedup * speedup(s) + 1);
    at -= at > octave ? at % 2 : 0; /* the usual counts: even numbers on the ladder */
    CLV_TRY(try_rung(s, at, &better, err));
    /* With homes, the first count is near the best. */
    return s->best.homes ? CLEAVE_OK : climb_around(s, at, err);
}

/* A pipeline of P threads, each with its share W / P in B pieces, costs (B + P - 1) (W / P / B
 * + sync).  With the best B this is W / P + (P - 1) sync + 2 sqrt(W / P (P - 1) sync). */
static double pipeline_cost(const search *s, int32_t threads)
{
    double mean = (double)s->base.total / threads, syncs = (threads - 1) * s->costs->sync;
    return mean + syncs + 2 * sqrt(mean * syncs);
}

/* The number of threads that minimises the pipeline cost. */
static int32_t pipeline_threads(const search *s)
{
    double threads = sqrt((double)s->base.total / s->costs->sync);
    return threads < s->threads ? rung(rung_below(threads)) : s->threads;
}

/* ---- Variations ------------------------------------------------------------------------- */

/* Should a larger budget be tried?  If improve_layers merged many layers, usually yes; if it
 * could not, growth has found the right size.  With few layers a trial is cheap. */
static bool may_grow(const candidate *c)
{
    int32_t layers = c->l.layers;
    return layers <= few_layers || c->grown >= layers + layers / 3;
}

/* Tries variations of the best candidate until none is better. fewer: other thread counts have
 * been tried already. */
static cleave_status try_variations(search *s, bool fewer, cleave_error *err)
{
    double sync = s->costs->sync, total = (double)s->base.total;
    bool better = true;
    int direction = 0;
    for (int32_t i = 0; i < s->rounds && better && !clv_context_stop(s->ctx); i++) {
        const candidate *b = &s->best;
        int32_t threads = b->l.threads;
        double syncs = sync * b->l.layers, uneven = b->cost - syncs - total / threads;
        if (b->cost <= s->enough)
            break;
        if (direction == 0)
            direction = syncs > uneven ? 1 : -1;
        double useful = threads_per_speedup * speedup(s);
        /* Idle threads do not find more work in smaller layers. */
        bool idle = threads > 2 && useful < 0.9 * threads;
        if (direction > 0 ? may_grow(b) : !idle)
            add_candidate(s, b->homes, threads,
                          direction > 0 ? b->budget * step : b->budget / step);
        if (!fewer && idle) {
            int32_t q = (int32_t)useful + 1;
            add_candidate(s, false, q, clv_grow_budget(&s->base, q, false, sync));
            fewer = true;
        }
        CLV_TRY(run_round(s, &better, err));
    }
    return CLEAVE_OK;
}

/* Graphopt, followed by improve_layers as for growths. */
static cleave_status try_graphopt(search *s, cleave_error *err)
{
    double useful = threads_per_speedup * speedup(s) + 1, least = least_cost(s);
    double size =
        (double)s->g->narc + s->g->nvtx; /* not the weight, which depends on its unit */
    candidate *c = &s->round[0];
    c->l.method = "graphopt";
    c->l.threads = useful < s->threads ? (int32_t)useful : s->threads;
    if (s->costs->hasty || size * (c->l.threads - 1) > affordable ||
        least > far_from_bound * s->best.cost ||
        pipeline_cost(s, c->l.threads) > far_from_pipeline * s->best.cost ||
        clv_context_stop(s->ctx))
        return CLEAVE_OK;
    clv_graphopt_params params = clv_graphopt_defaults();
    params.sync = clv_graphopt_whole_sync(s->costs->sync);
    CLV_TRY(clv_schedule_graphopt(s->g, &params, s->ctx, &c->l, err));
    CLV_TRY(clv_improve_layers(s->thin, s->costs->sync, s->ctx, &c->l, &c->cost, err));
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
    /* Two synchronisations: DAGs that fit into one layer are rare. */
    s->enough =
        (least_cost(s) + 2 * s->costs->sync) * (1 + (s->costs->hasty ? content : 1.0 / 256));
    for (int i = 0; i < round_size; i++) {
        clv_layering *l = &s->round[i].l;
        l->layer = clv_ws_alloc(ws, n, sizeof *l->layer);
        l->thread = clv_ws_alloc(ws, n, sizeof *l->thread);
        if (!l->layer || !l->thread)
            return clv_fail_memory(err);
    }
    double share = ((double)s->g->narc + n) / ((double)thin->narc + n);
    s->rounds = share < 1.5 || s->costs->hasty ? 1 : share < 3 ? 2 : most_rounds;
    int32_t homes = pipeline_threads(s);
    add_candidate(s, false, s->threads,
                  clv_grow_budget(&s->base, s->threads, false, s->costs->sync));
    add_candidate(s, true, homes, clv_grow_budget(&s->base, homes, true, s->costs->sync));
    CLV_TRY(run_round(s, &better, err));
    bool far = has_too_many(s);
    if (far && s->best.cost > s->enough)
        CLV_TRY(search_counts(s, err));
    if (s->best.l.threads > 1)
        CLV_TRY(try_variations(s, far, err));
    return s->best.cost > s->enough ? try_graphopt(s, err) : CLEAVE_OK;
}

cleave_status clv_schedule_auto(const clv_graph *g, const clv_schedule_costs *costs,
                                clv_context *ctx, clv_layering *l, cleave_error *err)
{
    size_t bytes = (size_t)g->nvtx * sizeof *l->layer;
    l->method = "serial";
    l->layers = g->nvtx > 0;
    if (g->nvtx == 0)
        return CLEAVE_OK;
    memset(l->layer, 0, bytes);
    memset(l->thread, 0, bytes);
    if (l->threads == 1)
        return CLEAVE_OK;
    search s = {.g = g, .costs = costs, .ctx = ctx, .threads = l->threads, .best = {.l = *l}};
    s.best.l.threads = 1;
    clv_graph thin;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = search_all(&s, &thin, err);
    const clv_layering *best = &s.best.l;
    if (status == CLEAVE_OK && best->threads > 1) {
        l->method = best->method;
        l->layers = best->layers;
        if (best->layer != l->layer)
            memcpy(l->layer, best->layer, bytes);
        if (best->thread != l->thread)
            memcpy(l->thread, best->thread, bytes);
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
