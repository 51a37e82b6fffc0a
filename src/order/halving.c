/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving.c - recursive bisection by one value per vertex, level by level: all sets of a
 * level are cut before any set of the next.
 *
 * [Williams 1991] (coordinates), [Pothen, Simon, Liou 1990] (spectral); unequal speeds and
 * orders from bisection: [Kaddoura, Ou, Ranka 1995].
 *
 * Sets are intervals of one array of vertices, each in ascending order.  The result of a set
 * depends on the set alone, not on the threads that cut others.  A set large enough to occupy
 * all threads is cut by the whole team; other sets are cut by one member each. */
#include "order/halving.h"

#include <assert.h>
#include <string.h>

#include "base/compare.h"
#include "base/rng.h"
#include "graph/share.h"
#include "order/halving_cut.h"
#include "order/halving_turn.h"

enum {
    stage_leaf = 601,
    all_the_way = -1,
    worth_a_team = 4096,
    passes_of_parts = 2, /* passes over the vertices that a level is charged with after the
                            stop */
    passes_of_order = 8  /* the same for an order, which has many more levels */
};

typedef struct set {
    int32_t begin, end;   /* range of its vertices */
    int32_t first, count; /* range of its PEs in the list of PEs; orders: count is the
                             number of its leaves */
} set;

typedef struct failure {
    int64_t index; /* index of the failed set; INT64_MAX: none */
    cleave_status status;
    cleave_error error;
} failure;

typedef struct halving {
    const clv_graph *g;
    const clv_halving_source *source;
    clv_context *ctx;
    int32_t *vertex; /* by place */
    /* Parts: */
    int32_t *part; /* NULL: an order */
    const clv_split_rule *rule;
    const double *share, *bound; /* by PE: target weight and upper bound */
    int32_t *pe, *pe_scratch;    /* PEs with a positive speed */
    /* Orders: */
    int32_t *home;   /* by vertex: first place of its set; NULL: halves are not exchanged */
    clv_turn *turns; /* by set */
    /* This level: */
    int32_t nsets;
    set *sets, *halves; /* two halves of each set; count 0: finished */
    failure *failures;  /* by member */
} halving;

/* ---- Rules ------------------------------------------------------------------------------ */

/* Every PE gets a vertex; if there are fewer vertices than PEs, no PE gets two. */
static void limit_counts(clv_cut_rule *rule, int32_t n, int32_t first, int32_t second)
{
    if (n >= first + (int64_t)second) {
        rule->least = first;
        rule->most = n - second;
    } else {
        rule->least = clv_larger(0, n - second);
        rule->most = clv_smaller(first, n);
    }
}

static clv_cut_rule rule_of_parts(const halving *h, const set *s, int32_t first)
{
    clv_cut_rule rule = {0};
    for (int32_t i = 0; i < s->count; i++) {
        int32_t pe = h->pe[s->first + i];
        *(i < first ? &rule.first : &rule.second) += h->share[pe];
        *(i < first ? &rule.first_most : &rule.second_most) += h->bound[pe];
    }
    if (!(rule.first + rule.second > 0)) /* shares below the precision of the arithmetic */
        rule.first = first, rule.second = s->count - first;
    limit_counts(&rule, s->end - s->begin, first, s->count - first);
    return rule;
}

static clv_cut_rule rule_of_order(const set *s, int32_t first)
{
    int32_t n = s->end - s->begin;
    clv_cut_rule rule = {1, 1, 0x1p63, 0x1p63, 1, n - 1};
    if (s->count != all_the_way) {
        rule.first = first;
        rule.second = s->count - first;
        limit_counts(&rule, n, first, s->count - first);
    }
    return rule;
}

/* ---- One set ---------------------------------------------------------------------------- */

static cleave_status cut_set(const halving *h, const clv_cut_rule *rule, const set *s,
                             clv_context *ctx, int32_t *middle, cleave_error *err)
{
    const clv_subset own = {h->g, s->end - s->begin, h->vertex + s->begin};
    int32_t first = 0;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    double *value = clv_ws_alloc(ctx->ws, own.count, sizeof *value);
    if (!value)
        return clv_fail_memory(err);
    cleave_status status = h->source->values(h->source->data, &own, value, ctx, err);
    if (status == CLEAVE_OK)
        status = clv_halving_cut(&own, rule, value, ctx->ws, &first, err);
    clv_ws_restore(ctx->ws, mark);
    *middle = s->begin + first;
    return status;
}

static void finish_part(const halving *h, const set *s)
{
    int32_t best = h->pe[s->first];
    for (int32_t i = 1; i < s->count; i++) /* one vertex, several PEs */
        if (h->share[h->pe[s->first + i]] > h->share[best])
            best = h->pe[s->first + i];
    for (int32_t p = s->begin; p < s->end; p++)
        h->part[h->vertex[p]] = best;
}

static cleave_status finish_leaf(const halving *h, const set *s, clv_ws *ws, cleave_error *err)
{
    int32_t n = s->end - s->begin, *vertex = h->vertex + s->begin;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, n, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    clv_rng rng = clv_rng_make(h->ctx->seed, stage_leaf, 0, (uint64_t)s->begin);
    clv_rng_permutation(&rng, n, order);
    for (int32_t i = 0; i < n; i++)
        order[i] = vertex[order[i]];
    memcpy(vertex, order, (size_t)n * sizeof *vertex);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status halve_parts(const halving *h, const set *s, set halves[2],
                                 clv_context *ctx, cleave_error *err)
{
    if (s->count == 1 || s->end - s->begin < 2) {
        finish_part(h, s);
        return CLEAVE_OK;
    }
    int32_t middle, first = clv_grouping_halve(h->rule->grouping, h->rule->speed, s->count,
                                               h->pe + s->first, h->pe_scratch + s->first);
    clv_cut_rule rule = rule_of_parts(h, s, first);
    CLV_TRY(cut_set(h, &rule, s, ctx, &middle, err));
    halves[0] = (set){s->begin, middle, s->first, first};
    halves[1] = (set){middle, s->end, s->first + first, s->count - first};
    return CLEAVE_OK;
}

static cleave_status halve_order(const halving *h, const set *s, set halves[2],
                                 clv_context *ctx, cleave_error *err)
{
    if (s->count == 1)
        return finish_leaf(h, s, ctx->ws, err);
    int32_t middle, first = s->count == all_the_way ? all_the_way : s->count - s->count / 2;
    int32_t second = s->count == all_the_way ? all_the_way : s->count - first;
    clv_cut_rule rule = rule_of_order(s, first);
    CLV_TRY(cut_set(h, &rule, s, ctx, &middle, err));
    halves[0] = (set){s->begin, middle, 0, first};
    halves[1] = (set){middle, s->end, 0, second};
    return CLEAVE_OK;
}

static void halve_set(halving *h, int64_t index, clv_context *ctx, failure *f)
{
    set *halves = h->halves + 2 * index;
    halves[0] = halves[1] = (set){0};
    cleave_error error = {0};
    cleave_status status = h->part ? halve_parts(h, &h->sets[index], halves, ctx, &error)
                                   : halve_order(h, &h->sets[index], halves, ctx, &error);
    if (status != CLEAVE_OK && index < f->index)
        *f = (failure){index, status, error};
}

/* ---- One level -------------------------------------------------------------------------- */

static bool takes_team(const halving *h, int64_t index)
{
    int threads = clv_context_threads(h->ctx);
    int64_t size = h->sets[index].end - h->sets[index].begin;
    return threads > 1 && size >= worth_a_team && size * threads >= h->g->nvtx;
}

static void halve_some(void *context, int64_t begin, int64_t end, int member)
{
    halving *h = context;
    clv_context ctx = clv_context_child(h->ctx, member);
    for (int64_t i = begin; i < end; i++)
        if (!takes_team(h, i))
            halve_set(h, i, &ctx, &h->failures[member]);
}

static void note_homes(void *context, int64_t begin, int64_t end, int member)
{
    halving *h = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        const set *halves = h->halves + 2 * i;
        h->turns[i] = (clv_turn){
            .begin = halves[0].begin, .middle = halves[0].end, .end = halves[1].end};
        for (int k = 0; k < 2; k++)
            for (int32_t p = halves[k].begin; p < halves[k].end; p++)
                h->home[h->vertex[p]] = halves[k].begin;
    }
}

/* All sets of the level at once, because each depends on others. */
static void turn_halves(halving *h, int64_t grain)
{
    clv_parallel_for(h->ctx->team, h->nsets, grain, note_homes, h);
    clv_halving_turn(h->g, h->nsets, h->turns, h->vertex, h->home, h->ctx->team);
    for (int64_t i = 0; i < h->nsets; i++)
        h->halves[2 * i].end = h->halves[2 * i + 1].begin = h->turns[i].middle;
}

static cleave_status first_failure(const halving *h, cleave_error *err)
{
    const failure *first = &h->failures[0];
    for (int i = 1; i < clv_context_threads(h->ctx); i++)
        if (h->failures[i].index < first->index)
            first = &h->failures[i];
    if (first->index == INT64_MAX)
        return CLEAVE_OK;
    if (err)
        *err = first->error;
    return first->status;
}

/* After the deadline: the vertices of a set are assigned to its PEs in their current order, in
 * proportion to the shares, with at least one per PE as long as there are enough. */
static void cut_by_shares(const halving *h, const set *s)
{
    double total = 0, wanted = 0, weight = 0, held = 0;
    int32_t at = s->begin;
    for (int32_t p = s->begin; p < s->end; p++)
        weight += (double)clv_graph_vwgt(h->g, h->vertex[p], 0);
    for (int32_t i = 0; i < s->count; i++)
        total += h->share[h->pe[s->first + i]];
    bool by_weight = weight > 0 && total > 0;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t behind = s->count - i - 1, first = at;
        wanted += by_weight ? h->share[h->pe[s->first + i]] / total * weight
                            : (double)(s->end - s->begin) / s->count;
        for (; at < s->end; at++) {
            double w = by_weight ? (double)clv_graph_vwgt(h->g, h->vertex[at], 0) : 1;
            bool full = behind > 0 && (held + w / 2 >= wanted || s->end - at <= behind);
            if (full && at > first)
                break;
            h->part[h->vertex[at]] = h->pe[s->first + i];
            held += w;
        }
    }
}

/* After the deadline: vertices of sets that are not cut stay in numerical order. */
static void leave_rest(halving *h)
{
    for (int32_t i = 0; h->part && i < h->nsets; i++)
        cut_by_shares(h, &h->sets[i]);
    h->nsets = 0;
}

/* A single vertex has its place in the order, but maybe not its part. */
static void next_level(halving *h)
{
    int32_t count = 0, least = h->part ? 1 : 2;
    for (int64_t i = 0; i < 2 * (int64_t)h->nsets; i++)
        if (h->halves[i].end - h->halves[i].begin >= least)
            h->sets[count++] = h->halves[i];
    h->nsets = count;
}

static cleave_status halve_level(halving *h, cleave_error *err)
{
    int64_t grain = h->nsets / (16 * clv_context_threads(h->ctx)) + 1;
    for (int64_t i = 0; i < h->nsets; i++)
        if (takes_team(h, i))
            halve_set(h, i, h->ctx, &h->failures[0]);
    clv_parallel_for(h->ctx->team, h->nsets, grain, halve_some, h);
    CLV_TRY(first_failure(h, err));
    if (h->home && !clv_context_stop(h->ctx)) {
        clv_context_count(h->ctx, 2 * h->g->narc);
        turn_halves(h, grain);
    }
    next_level(h);
    int64_t arcs = (h->part ? passes_of_parts : passes_of_order) * (int64_t)h->g->nvtx;
    if (!clv_context_afford(h->ctx, h->source->is_cheap ? arcs : INT64_MAX / 2))
        leave_rest(h);
    return CLEAVE_OK;
}

/* Processes all levels, with at most `most` sets at once. */
static cleave_status halve_all(halving *h, set whole, int32_t most, cleave_error *err)
{
    int members = clv_context_threads(h->ctx);
    clv_ws *ws = h->ctx->ws;
    h->sets = clv_ws_alloc(ws, most, sizeof *h->sets);
    h->halves = clv_ws_alloc(ws, 2 * (int64_t)most, sizeof *h->halves);
    h->failures = clv_ws_alloc(ws, members, sizeof *h->failures);
    if (!h->sets || !h->halves || !h->failures)
        return clv_fail_memory(err);
    for (int i = 0; i < members; i++)
        h->failures[i].index = INT64_MAX;
    h->sets[0] = whole;
    for (h->nsets = 1; h->nsets > 0;)
        CLV_TRY(halve_level(h, err));
    return CLEAVE_OK;
}

/* ---- Parts ------------------------------------------------------------------------------ */

static cleave_status prepare_parts(halving *h, int32_t *busy, cleave_error *err)
{
    clv_ws *ws = h->ctx->ws;
    const double *speed = h->rule->speed;
    int32_t nparts = h->rule->npes;
    h->vertex = clv_ws_alloc(ws, h->g->nvtx, sizeof *h->vertex);
    h->pe = clv_ws_alloc(ws, nparts, sizeof *h->pe);
    h->pe_scratch = clv_ws_alloc(ws, nparts, sizeof *h->pe_scratch);
    double *share = clv_ws_alloc(ws, nparts, sizeof *share);
    double *bound = clv_ws_alloc(ws, nparts, sizeof *bound);
    if (!h->vertex || !h->pe || !h->pe_scratch || !share || !bound)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < h->g->nvtx; v++)
        h->vertex[v] = v;
    clv_share_rule rule = clv_share_rule_make(speed, nparts, 1);
    int64_t weight = clv_graph_weight(h->g), total = weight > 0 ? weight : h->g->nvtx;
    *busy = 0;
    for (int32_t pe = 0; pe < nparts; pe++) {
        share[pe] = clv_share_of(&rule, total, pe);
        bound[pe] = (double)clv_share_bound(&rule, total, pe, 0);
        if (!speed || speed[pe] > 0)
            h->pe[(*busy)++] = pe;
    }
    h->share = share;
    h->bound = bound;
    return CLEAVE_OK;
}

static cleave_status run_parts(halving *h, cleave_error *err)
{
    int32_t busy = 0;
    CLV_TRY(prepare_parts(h, &busy, err));
    if (busy == 0)
        return clv_fail(err, CLEAVE_EINVAL, "the speeds of all PEs are 0");
    return halve_all(h, (set){0, h->g->nvtx, 0, busy}, clv_smaller(busy, h->g->nvtx), err);
}

cleave_status clv_halving_parts(const clv_graph *g, const clv_halving_source *source,
                                const clv_split_rule *rule, clv_context *ctx, int32_t *part,
                                cleave_error *err)
{
    assert(rule->npes >= 1);
    if (g->nvtx == 0)
        return CLEAVE_OK;
    halving h = {.g = g, .source = source, .ctx = ctx, .part = part, .rule = rule};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = run_parts(&h, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* ---- Orders ----------------------------------------------------------------------------- */

static cleave_status run_order(halving *h, int32_t leaves, cleave_error *err)
{
    int32_t n = h->g->nvtx, most = n / 2;
    for (int32_t v = 0; v < n; v++)
        h->vertex[v] = v;
    if (n < 2)
        return CLEAVE_OK;
    if (leaves > 0)
        return halve_all(h, (set){0, n, 0, leaves}, most, err);
    h->home = clv_ws_zalloc(h->ctx->ws, n, sizeof *h->home);
    h->turns = clv_ws_alloc(h->ctx->ws, most, sizeof *h->turns);
    if (!h->home || !h->turns)
        return clv_fail_memory(err);
    return halve_all(h, (set){0, n, 0, all_the_way}, most, err);
}

cleave_status clv_halving_order(const clv_graph *g, const clv_halving_source *source,
                                int32_t leaves, clv_context *ctx, int32_t *vertex,
                                cleave_error *err)
{
    halving h = {.g = g, .source = source, .ctx = ctx, .vertex = vertex};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = run_order(&h, leaves, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
