/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance_bulk.c - rebalancing by sorted batches [Maas, Gottesbueren,
 * Seemaier 2024; deterministic: Krause, Gottesbueren, Maas 2025].
 *
 * A round has five steps, all but the fourth in parallel:
 *   1. Each overloaded part sums the weights of its candidates by rounded key, an upper bound
 *      from the hints, and takes as many of the best as its overload needs.
 *   2. These are evaluated: the best neighbouring part with capacity.
 *   3. Those whose exact key is as good as the bounds of the vertices not taken are sorted.
 *   4. In this order they take capacity, while their own part is overloaded.
 *   5. They move at once; the bounds of their neighbours grow.
 * The others wait with their exact keys.  A round that takes too few of them is followed by
 * one that evaluates twice as many.
 *
 * Every step reads one state and writes another, or adds integers, so that the result does
 * not depend on the number of threads. */
#include "refine/balance/rebalance_bulk.h"

#include <string.h>

#include "base/blocks.h"
#include "base/group.h"
#include "base/sort.h"
#include "refine/gain/lazy_queue.h"
#include "refine/moves/jet_bulk.h"
#include "refine/state/neighbour_parts.h"

enum { /* not tuned */
       most_rounds = 40,
       first_rounds = 4, /* these move half of the overload */
       least_list = 8192,
       many_moves = 256, /* of average weight; fewer are made one after the other */
       vertices_per_part = 64,
       most_parts = 1 << 16,
       grain = 512,
       block_of_list = 4096
};
static const int64_t hopeless = -(INT64_C(1) << 60); /* gain without a possible move */

typedef struct bulk {
    clv_partition_state *s;
    clv_context *ctx;
    const clv_rebalance_hints *hints;
    const clv_bulk_balance *arrays;
    clv_rebalance_log *log;
    clv_neighbour_parts *f; /* one per thread */
    int64_t *sum;           /* by part and bucket: weight of the candidates */
    int32_t *code;          /* by position in the list: see code_of */
    int32_t *last;          /* by part: the last bucket that is evaluated; -1: none */
    int64_t *weight;        /* by part, with the moves of the round */
    int64_t *goal;          /* by part: its weight after the round */
    int64_t need;           /* weight that should move */
    int64_t share;          /* of the overload that a round moves: 1 / share */
    clv_even_blocks blocks; /* of the list */
    int32_t first[clv_blocks_most + 1];
    int32_t *taken; /* vertices to evaluate, then to move */
    int32_t ntaken;
    int32_t *target; /* by position in taken: -1: none, or the key is too low */
    clv_sort_item *item, *scratch;
    int32_t *roomy; /* parts with the most capacity */
    int32_t nroomy;
    int64_t factor; /* weight to evaluate, in multiples of the overload */
} bulk;

/* ---- Candidates ---------------------------------------------------------------------- */

/* The part and the bucket of a candidate; -1: v is no candidate. */
static int32_t code_of(const bulk *b, int32_t v)
{
    const clv_partition_state *s = b->s;
    int32_t p = s->part[v];
    int64_t w = clv_graph_vwgt(s->g, v, 0);
    if (s->weight[p] <= s->bounds.max[p] || w == 0 || clv_state_is_fixed(s, v) ||
        b->hints->gain[v] <= hopeless / 2)
        return -1;
    return p * CLV_LAZY_BUCKETS + clv_lazy_bucket(clv_rebalance_key(b->hints->gain[v], w));
}

static void sum_range(void *context, int64_t begin, int64_t end, int member)
{
    bulk *b = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = b->hints->list[i], code = code_of(b, v);
        b->code[i] = code;
        if (code >= 0)
            __atomic_fetch_add(&b->sum[code], clv_graph_vwgt(b->s->g, v, 0), __ATOMIC_RELAXED);
    }
}

static void choose_last(bulk *b)
{
    const clv_partition_state *s = b->s;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        const int64_t *sum = b->sum + (int64_t)p * CLV_LAZY_BUCKETS;
        int64_t over = s->weight[p] - s->bounds.max[p], all = 0;
        int64_t need = over > 0 ? over / b->share + 1 : 0;
        int32_t k = -1;
        while (k + 1 < CLV_LAZY_BUCKETS && all / b->factor < need)
            all += sum[++k];
        b->last[p] = k;
        b->goal[p] = s->weight[p] - need;
        b->need += need;
    }
}

static bool is_taken(const bulk *b, int32_t i)
{
    int32_t code = b->code[i];
    return code >= 0 && code % CLV_LAZY_BUCKETS <= b->last[code / CLV_LAZY_BUCKETS];
}

static void count_range(void *context, int64_t begin, int64_t end, int member)
{
    bulk *b = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t count = 0;
        for (int32_t j = clv_block_begin(&b->blocks, i);
             j < clv_block_begin(&b->blocks, i + 1); j++)
            count += is_taken(b, j);
        b->first[i + 1] = count;
    }
}

static void take_range(void *context, int64_t begin, int64_t end, int member)
{
    bulk *b = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t at = b->first[i];
        for (int32_t j = clv_block_begin(&b->blocks, i);
             at < b->first[i + 1] && j < clv_block_begin(&b->blocks, i + 1); j++)
            if (is_taken(b, j))
                b->taken[at++] = b->hints->list[j];
    }
}

/* Lists the best candidates of each overloaded part. */
static void take_candidates(bulk *b)
{
    clv_team *team = b->ctx->team;
    int64_t sums = (int64_t)b->s->bounds.nparts * CLV_LAZY_BUCKETS;
    b->need = 0;
    memset(b->sum, 0, (size_t)sums * sizeof *b->sum);
    clv_parallel_for(team, b->hints->count, block_of_list, sum_range, b);
    choose_last(b);
    clv_parallel_for(team, b->blocks.count, 1, count_range, b);
    clv_running_sums32(b->first, b->blocks.count);
    clv_parallel_for(team, b->blocks.count, 1, take_range, b);
    b->ntaken = b->first[b->blocks.count];
}

/* ---- Evaluation ---------------------------------------------------------------------- */

/* Lists the parts with more than half of the largest capacity of a part. */
static void find_roomy(bulk *b)
{
    const clv_partition_state *s = b->s;
    int64_t most = 0;
    b->nroomy = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        if (s->bounds.max[p] - s->weight[p] > most)
            most = s->bounds.max[p] - s->weight[p];
    for (int32_t p = 0; p < s->bounds.nparts && most > 0; p++)
        if (s->bounds.max[p] - s->weight[p] > most / 2)
            b->roomy[b->nroomy++] = p;
}

static void evaluate_range(void *context, int64_t begin, int64_t end, int member)
{
    bulk *b = context;
    const clv_partition_state *s = b->s;
    clv_neighbour_parts *f = &b->f[member];
    for (int64_t i = begin; i < end; i++) {
        int32_t v = b->taken[i], from = s->part[v], best = -1;
        int64_t most = 0;
        clv_neighbour_parts_gather(f, s, v);
        for (int32_t j = 0; j < f->count; j++) {
            int32_t p = f->touched[j];
            bool better = best < 0 || f->conn[p] > most || (f->conn[p] == most && p < best);
            if (p == from || !better || !clv_state_fits(s, v, p))
                continue;
            best = p;
            most = f->conn[p];
        }
        int32_t far = b->nroomy > 0 ? b->roomy[v % b->nroomy] : -1;
        if (best < 0 && far >= 0 && clv_state_fits(s, v, far))
            best = far;
        int64_t gain = best < 0 ? hopeless : most - f->conn[from];
        clv_neighbour_parts_clear(f);
        if (gain != b->hints->gain[v])
            b->hints->flags[v] |= b->hints->changed;
        b->hints->gain[v] = gain;
        int64_t key = clv_rebalance_key(gain, clv_graph_vwgt(s->g, v, 0));
        b->target[i] = clv_lazy_bucket(key) <= b->last[from] ? best : -1;
        b->item[i] = (clv_sort_item){~key, {i}};
    }
}

/* ---- Moves --------------------------------------------------------------------------- */

static bool can_move(const bulk *b, int32_t v, int32_t to)
{
    const clv_bounds *bounds = &b->s->bounds;
    int32_t from = b->s->part[v];
    int64_t w = clv_graph_vwgt(b->s->g, v, 0);
    return b->weight[from] > b->goal[from] && b->weight[to] + w <= bounds->max[to] &&
           (!bounds->min || b->weight[from] - w >= bounds->min[from]);
}

/* Gives out the capacity in the order of the keys.  Lists in taken the vertices that move, and
 * logs them.  False: out of memory. */
static bool give_capacity(bulk *b)
{
    const clv_graph *g = b->s->g;
    int32_t count = 0, moves = 0;
    for (int32_t i = 0; i < b->ntaken; i++)
        if (b->target[i] >= 0)
            b->item[count++] = b->item[i];
    clv_sort_team(b->ctx->team, b->item, b->scratch, count);
    memcpy(b->weight, b->s->weight, (size_t)b->s->bounds.nparts * sizeof *b->weight);
    for (int32_t i = 0; i < count; i++) {
        int32_t at = (int32_t)b->item[i].with.index, v = b->taken[at], to = b->target[at];
        if (!can_move(b, v, to))
            continue;
        if (!clv_rebalance_note(b->log, v, b->s->part[v], &b->ctx->ws[0]))
            return false;
        b->weight[b->s->part[v]] -= clv_graph_vwgt(g, v, 0);
        b->weight[to] += clv_graph_vwgt(g, v, 0);
        b->arrays->to[v] = to;
        b->hints->flags[v] |= b->arrays->moving;
        moves++;
    }
    const int32_t *moved = b->log->move + 2 * (int64_t)(b->log->count - moves);
    for (int32_t i = 0; i < moves; i++)
        b->taken[i] = moved[2 * (int64_t)i];
    b->ntaken = moves;
    return true;
}

/* A neighbour left the part of u: the gain of u has grown by twice the weight at most. */
static void raise_range(void *context, int64_t begin, int64_t end, int member)
{
    bulk *b = context;
    const clv_partition_state *s = b->s;
    const clv_graph *g = s->g;
    const int32_t *moved = b->log->move + 2 * (int64_t)(b->log->count - b->ntaken);
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = moved[2 * i], from = moved[2 * i + 1];
        if (s->weight[from] <= s->bounds.max[from])
            continue;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (s->part[u] == from && (b->hints->flags[u] & b->hints->known))
                __atomic_fetch_add(&b->hints->gain[u], 2 * clv_graph_ewgt(g, a),
                                   __ATOMIC_RELAXED);
        }
    }
}

/* False: a part would become empty. */
static bool move_taken(bulk *b)
{
    clv_bulk_move m = {.s = b->s,
                       .team = b->ctx->team,
                       .moved = b->taken,
                       .count = b->ntaken,
                       .to = b->arrays->to,
                       .state = b->hints->flags,
                       .moving = b->arrays->moving,
                       .marked = b->arrays->marked,
                       .leaving = b->arrays->leaving};
    if (!clv_bulk_move_fits(&m)) {
        for (int32_t i = 0; i < b->ntaken; i++)
            b->hints->flags[b->taken[i]] &= (uint8_t)~b->arrays->moving;
        b->log->count -= b->ntaken;
        return false;
    }
    clv_bulk_move_apply(&m);
    clv_parallel_for(b->ctx->team, b->ntaken, grain, raise_range, b);
    return true;
}

/* ---- Rounds -------------------------------------------------------------------------- */

/* Weight above the upper bounds. */
static int64_t overload_of(const clv_partition_state *s)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        if (s->weight[p] > s->bounds.max[p])
            sum += s->weight[p] - s->bounds.max[p];
    return sum;
}

static int64_t total_of(const clv_partition_state *s)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        sum += s->weight[p];
    return sum;
}

static bool open_bulk(bulk *b)
{
    clv_ws *ws = &b->ctx->ws[0];
    int32_t nparts = b->s->bounds.nparts, count = b->hints->count;
    int threads = clv_context_threads(b->ctx);
    b->blocks = clv_blocks_of(count, block_of_list);
    b->f = clv_ws_alloc(ws, threads, sizeof *b->f);
    b->sum = clv_ws_alloc(ws, (int64_t)nparts * CLV_LAZY_BUCKETS, sizeof *b->sum);
    b->last = clv_ws_alloc(ws, nparts, sizeof *b->last);
    b->weight = clv_ws_alloc(ws, nparts, sizeof *b->weight);
    b->goal = clv_ws_alloc(ws, nparts, sizeof *b->goal);
    b->roomy = clv_ws_alloc(ws, nparts, sizeof *b->roomy);
    b->code = clv_ws_alloc(ws, count, sizeof *b->code);
    b->taken = clv_ws_alloc(ws, count, sizeof *b->taken);
    b->target = clv_ws_alloc(ws, count, sizeof *b->target);
    b->item = clv_ws_alloc(ws, count, sizeof *b->item);
    b->scratch = clv_ws_alloc(ws, count, sizeof *b->scratch);
    if (!b->f || !b->sum || !b->last || !b->weight || !b->roomy || !b->code || !b->goal ||
        !b->taken || !b->target || !b->item || !b->scratch)
        return false;
    for (int i = 0; i < threads; i++)
        if (!clv_neighbour_parts_init(&b->f[i], nparts, ws))
            return false;
    return true;
}

cleave_status clv_rebalance_bulk(clv_partition_state *s, const clv_rebalance_hints *hints,
                                 const clv_bulk_balance *arrays, clv_rebalance_log *log,
                                 clv_context *ctx, cleave_error *err)
{
    int32_t n = s->g->nvtx;
    if (s->g->ncon > 1 || s->machine || hints->count < least_list ||
        s->bounds.nparts > n / vertices_per_part || s->bounds.nparts > most_parts)
        return CLEAVE_OK;
    int64_t least = total_of(s) / n * many_moves, over = overload_of(s);
    if (over <= least)
        return CLEAVE_OK;
    bulk b = {.s = s, .ctx = ctx, .hints = hints, .arrays = arrays, .log = log, .factor = 1};
    if (!open_bulk(&b))
        return clv_fail_memory(err);
    for (int round = 0; round < most_rounds && over > 0; round++) {
        if (clv_context_stop(ctx))
            return CLEAVE_OK;
        b.share = round < first_rounds ? 2 : 1;
        take_candidates(&b);
        find_roomy(&b);
        clv_parallel_for(ctx->team, b.ntaken, grain, evaluate_range, &b);
        if (!give_capacity(&b))
            return clv_fail_memory(err);
        if (!move_taken(&b))
            return CLEAVE_OK;
        int64_t now = overload_of(s);
        if (over - now < b.need / 2)
            b.factor *= 2;
        else if (b.factor > 1)
            b.factor /= 2;
        if (over - now < b.need / 16 && b.factor > 8)
            break;
        over = now;
    }
    return CLEAVE_OK;
}
