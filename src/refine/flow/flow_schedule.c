/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow_schedule.c - schedules the pairs of parts for refine/flow/flow.c: active
 * block scheduling [Sanders, Schulz 2011], in parallel waves.
 *
 * A round processes adjacent pairs of parts, at least one of which changed in the round
 * before, heaviest boundary first; if there are many, the heaviest ones only.  A pair must
 * wait only for earlier pairs that share a part with it: its wave is the first after the waves
 * of those.  The pairs of a wave run in parallel on one state of the partition.  Their results
 * are applied in order when all are done: the result is that of one pair after the other.
 *
 * On a machine the cost of an edge depends on the PEs of both ends.  Two pairs of a wave can
 * move both ends of an edge between them, and neither gain includes that.  The gain of a pair
 * is therefore recomputed while its moves are applied, and they are rolled back if it is
 * negative, or 0 although a gain was expected. */
#include "refine/flow/flow_schedule.h"

#include "base/group.h"
#include "base/sort.h"
#include "refine/gain/move_gain.h"

#include <string.h>

/* Chosen by hand; measured only as part of the effort levels with flows: bench/RESULTS.md,
 * "Partitioning", quality, and "Acyclic partitioning". */
clv_flow_params clv_flow_defaults(void)
{
    return (clv_flow_params){.rounds = 4,
                             .alpha = 8,
                             .depth = 0,
                             .max_corridor = 200000,
                             .min_gain = 2,
                             .whole = 20000,
                             .effort = 32};
}

/* ---- Pairs ------------------------------------------------------------------------------ */

static bool new_pair(clv_flow_rounds *r, int32_t p, int32_t q)
{
    if (r->npair == r->capacity) {
        int32_t capacity = 2 * r->capacity + 64;
        clv_flow_pair *pair = clv_realloc(r->pair, capacity, sizeof *pair);
        if (!pair)
            return false;
        r->pair = pair;
        r->capacity = capacity;
    }
    r->pair[r->npair++] = (clv_flow_pair){.part = {p, q}, .slack = {r->slack[p], r->slack[q]}};
    return true;
}

typedef struct border { /* of one part, by the higher parts */
    int32_t part;
    const int32_t *vertex; /* of the boundary, in that part */
    int32_t count;
    int32_t first; /* the first pair of the part */
    int32_t *pair; /* valid from `first` on */
    int32_t *last; /* the last vertex seen adjacent to that part, or ~vertex */
} border;

static bool count_seeds(clv_flow_rounds *r, const border *b)
{
    const clv_partition_state *s = r->s;
    const clv_graph *g = s->g;
    bool directed = g->kind == CLEAVE_DAG;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t q = s->part[g->adj[a]];
            if (q == b->part || (q < b->part && !directed) ||
                !(r->active[b->part] || r->active[q]))
                continue;
            if (b->pair[q] < b->first) {
                b->pair[q] = r->npair;
                if (!new_pair(r, b->part, q))
                    return false;
            }
            clv_flow_pair *pair = &r->pair[b->pair[q]];
            pair->cut += clv_graph_ewgt(g, a);
            pair->nseed += b->last[q] != v;
            b->last[q] = v;
        }
    }
    return true;
}

static void write_seeds(clv_flow_rounds *r, const border *b, int32_t *seed)
{
    const clv_partition_state *s = r->s;
    const clv_graph *g = s->g;
    for (int32_t i = b->first; i < r->npair; i++) {
        r->pair[i].seed = seed;
        seed += r->pair[i].nseed;
        r->pair[i].nseed = 0;
    }
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t q = s->part[g->adj[a]];
            if (q == b->part || b->pair[q] < b->first || b->last[q] == ~v)
                continue;
            b->last[q] = ~v;
            clv_flow_pair *pair = &r->pair[b->pair[q]];
            ((int32_t *)pair->seed)[pair->nseed++] = v;
        }
    }
}

cleave_status clv_flow_find_pairs(clv_flow_rounds *r, clv_ws *ws, cleave_error *err)
{
    clv_partition_state *s = r->s;
    int32_t n = s->g->nvtx, k = s->bounds.nparts;
    int32_t *list = clv_ws_alloc(ws, n, sizeof *list);
    int32_t *start = clv_ws_alloc(ws, 3 * (int64_t)k + 1, sizeof *start);
    r->first = clv_ws_alloc(ws, (int64_t)k + 1, sizeof *r->first);
    if (!list || !start || !r->first)
        return clv_fail_memory(err);
    int32_t count = clv_state_boundary(s, list);
    int32_t *by = clv_ws_alloc(ws, count, sizeof *by);
    if (!by)
        return clv_fail_memory(err);
    clv_group_list_by_key(count, list, s->part, k, start, by);
    border b = {.pair = start + k + 1, .last = start + 2 * (int64_t)k + 1};
    memset(b.pair, -1, (size_t)k * sizeof *b.pair);
    for (int32_t p = 0; p < k; p++)
        b.last[p] = n;
    r->npair = 0;
    for (int32_t p = 0; p < k; p++) {
        b.part = p;
        b.vertex = by + start[p];
        b.count = start[p + 1] - start[p];
        b.first = r->first[p] = r->npair;
        if (!count_seeds(r, &b))
            return clv_fail_memory(err);
        int64_t seeds = 0;
        for (int32_t i = b.first; i < r->npair; i++)
            seeds += r->pair[i].nseed;
        int32_t *seed = seeds > 0 ? clv_ws_alloc(ws, seeds, sizeof *seed) : NULL;
        if (seeds > 0 && !seed)
            return clv_fail_memory(err);
        if (seeds > 0)
            write_seeds(r, &b, seed);
        for (int32_t i = b.first; i < r->npair; i++)
            r->pair[i].cut = clv_state_cost(s, r->pair[i].cut, p, r->pair[i].part[1]);
    }
    r->first[k] = r->npair;
    return CLEAVE_OK;
}

/* ---- Waves ------------------------------------------------------------------------------ */

/* Fills r->order with the heaviest pairs, sorted by wave, inside a wave by weight; allocates
 * r->outcome. wave[i] is the index of the first pair of wave i, for *nwave waves. */
static cleave_status plan_waves(clv_flow_rounds *r, clv_ws *ws, int32_t **wave, int32_t *nwave,
                                cleave_error *err)
{
    int32_t n = r->npair, k = r->s->bounds.nparts;
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *items);
    int32_t *turn = clv_ws_zalloc(ws, k, sizeof *turn);
    r->order = clv_ws_alloc(ws, n, sizeof *r->order);
    r->outcome = clv_ws_alloc(ws, n, sizeof *r->outcome);
    *wave = clv_ws_alloc(ws, (int64_t)n + 1, sizeof **wave);
    if (!items || !turn || !r->order || !r->outcome || !*wave)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < n; i++) {
        items[i].key = -r->pair[i].cut;
        items[i].with.index = i;
    }
    clv_sort_item *sorted = clv_sort(items, items + n, n);
    int64_t most = (int64_t)k * clv_flow_pairs_per_part;
    n = n < most ? n : (int32_t)most;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *part = r->pair[sorted[i].with.index].part;
        int32_t a = turn[part[0]], b = turn[part[1]];
        sorted[i].key = a > b ? a : b;
        turn[part[0]] = turn[part[1]] = (int32_t)sorted[i].key + 1;
    }
    sorted = clv_sort(sorted, sorted == items ? items + r->npair : items, n);
    *nwave = 0;
    for (int32_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            (*wave)[(*nwave)++] = i;
        r->order[i] = (int32_t)sorted[i].with.index;
    }
    (*wave)[*nwave] = n;
    return CLEAVE_OK;
}

/* The workers share one array by vertex: pairs of a wave have no common part. */
static cleave_status share_nodes(clv_flow_rounds *r, cleave_error *err)
{
    int32_t n = r->s->g->nvtx;
    int32_t *local = clv_ws_alloc(r->ctx->ws, n, sizeof *local);
    if (!local)
        return clv_fail_memory(err);
    memset(local, -1, (size_t)n * sizeof *local);
    for (int i = 0; i < clv_context_threads(r->ctx); i++)
        r->worker[i].local = local;
    return CLEAVE_OK;
}

static void run_pairs(void *context, int64_t begin, int64_t end, int member)
{
    clv_flow_rounds *r = context;
    clv_flow_worker *worker = &r->worker[member];
    clv_context child = clv_context_child(r->ctx, member);
    for (int64_t i = r->begin + begin; i < r->begin + end; i++) {
        clv_flow_outcome *out = &r->outcome[i];
        *out = (clv_flow_outcome){.member = member, .begin = worker->nmoved};
        if (clv_context_stop(&child) || clv_failure_any(&r->failure))
            continue;
        cleave_error err = {.status = CLEAVE_OK};
        cleave_status status = clv_flow_refine_pair(r->s, &r->pair[r->order[i]], r->params,
                                                    worker, &out->gain, &err);
        if (status != CLEAVE_OK)
            clv_failure_note(&r->failure, i, status, &err);
        out->count = worker->nmoved - out->begin;
    }
}

static int32_t other_of(const clv_partition_state *s, const clv_flow_pair *pair, int32_t v)
{
    return s->part[v] == pair->part[0] ? pair->part[1] : pair->part[0];
}

/* Applies the moves one after the other and sets out->gain to their gain; moves nothing when
 * that is negative, or 0 where a gain was expected. */
static void move_and_count(clv_partition_state *s, clv_flow_outcome *out,
                           const clv_flow_pair *pair, const int32_t *moved)
{
    int64_t gain = 0;
    for (int64_t i = 0; i < out->count; i++) {
        int32_t to = other_of(s, pair, moved[i]);
        gain += clv_move_gain(s, moved[i], to);
        clv_state_move(s, moved[i], to);
    }
    bool good = gain > 0 || (gain == 0 && out->gain == 0);
    for (int64_t i = 0; i < out->count && !good; i++)
        clv_state_move(s, moved[i], other_of(s, pair, moved[i]));
    out->gain = good ? gain : 0;
    out->count = good ? out->count : 0;
}

static void apply(clv_flow_rounds *r, clv_flow_outcome *out, const clv_flow_pair *pair)
{
    clv_partition_state *s = r->s;
    if (out->count == 0)
        return;
    const int32_t *moved = r->worker[out->member].moved + out->begin;
    bool hoped = out->gain > 0;
    if (s->machine)
        move_and_count(s, out, pair, moved);
    for (int64_t i = 0; i < out->count; i++) {
        if (!s->machine)
            clv_state_move(s, moved[i], other_of(s, pair, moved[i]));
        clv_state_mark(s, moved[i]);
    }
    s->cut -= out->gain;
    if (out->gain > 0 || hoped)
        r->changed[pair->part[0]] = r->changed[pair->part[1]] = 1;
}

cleave_status clv_flow_run_wave(clv_flow_rounds *r, int32_t begin, int32_t end,
                                cleave_error *err)
{
    r->begin = begin;
    for (int i = 0; i < clv_context_threads(r->ctx); i++)
        r->worker[i].nmoved = 0;
    clv_parallel_for(r->ctx->team, end - begin, 1, run_pairs, r);
    CLV_TRY(clv_failure_result(&r->failure, err));
    for (int32_t i = begin; i < end; i++)
        apply(r, &r->outcome[i], &r->pair[r->order[i]]);
    return CLEAVE_OK;
}

/* ---- Rounds ----------------------------------------------------------------------------- */

static cleave_status run_round(clv_flow_rounds *r, cleave_error *err)
{
    clv_ws *ws = r->ctx->ws;
    int32_t *wave = NULL, nwave = 0;
    CLV_TRY(clv_flow_find_pairs(r, ws, err));
    CLV_TRY(plan_waves(r, ws, &wave, &nwave, err));
    for (int32_t i = 0; i < nwave && !clv_context_stop(r->ctx); i++)
        CLV_TRY(clv_flow_run_wave(r, wave[i], wave[i + 1], err));
    return CLEAVE_OK;
}

/* Divides the total slack, the sum of the upper bounds minus the total weight, among the
 * parts in proportion to their bounds (first constraint). */
static void measure_slack(clv_flow_rounds *r)
{
    const clv_partition_state *s = r->s;
    int32_t ncon = s->g->ncon;
    double weight = 0, bound = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        weight += (double)s->weight[(int64_t)p * ncon];
        bound += (double)s->bounds.max[(int64_t)p * ncon];
    }
    double spare = bound > weight ? (bound - weight) / bound : 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        r->slack[p] = (int64_t)((double)s->bounds.max[(int64_t)p * ncon] * spare);
}

static cleave_status run_rounds(clv_flow_rounds *r, cleave_error *err)
{
    clv_partition_state *s = r->s;
    clv_ws *ws = r->ctx->ws;
    int32_t k = s->bounds.nparts;
    r->slack = clv_ws_alloc(ws, k, sizeof *r->slack);
    r->active = clv_ws_alloc(ws, k, sizeof *r->active);
    r->changed = clv_ws_alloc(ws, k, sizeof *r->changed);
    if (!r->slack || !r->active || !r->changed)
        return clv_fail_memory(err);
    CLV_TRY(share_nodes(r, err));
    measure_slack(r);
    if (s->g->kind == CLEAVE_DAG)
        return clv_closure_rounds(r, err);
    memset(r->changed, 1, (size_t)k);
    for (int32_t round = 0; round < r->params->rounds && s->cut > 0; round++) {
        int64_t before = s->cut;
        memcpy(r->active, r->changed, (size_t)k);
        memset(r->changed, 0, (size_t)k);
        clv_ws_mark mark = clv_ws_save(ws);
        cleave_status status = run_round(r, err);
        clv_ws_restore(ws, mark);
        CLV_TRY(status);
        int64_t gain = before - s->cut;
        if (gain == 0 || gain < before / 1000 * r->params->min_gain)
            break;
    }
    return CLEAVE_OK;
}

cleave_status clv_flow_refine(clv_partition_state *s, const clv_flow_params *params,
                              clv_context *ctx, cleave_error *err)
{
    int threads = clv_context_threads(ctx);
    clv_flow_rounds r = {.s = s, .params = params, .ctx = ctx};
    clv_failure_init(&r.failure);
    r.worker = clv_zalloc(threads, sizeof *r.worker);
    if (!r.worker)
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = run_rounds(&r, err);
    clv_ws_restore(ctx->ws, mark);
    for (int i = 0; i < threads; i++) {
        clv_ws_free(&r.worker[i].ws);
        clv_sys_free(r.worker[i].moved);
    }
    clv_sys_free(r.pair);
    clv_sys_free(r.worker);
    return status;
}
