/* SPDX-License-Identifier: Apache-2.0 */
/* engine/bisection.c - see engine/bisection.h.
 *
 * A block is a range of parts and the vertices that will hold them: block->first.. in
 * `order`, all labelled with the block's first part.  Blocks of one depth are cut in two at
 * the same time; new labels go to a second array because neighbours read the old ones. */
#include "engine/bisection.h"

#include <stdatomic.h>
#include <string.h>

#include "base/rng.h"

enum { stage_bisection = 301 };

typedef struct block {
    int32_t part, nparts; /* part .. part + nparts - 1 */
    int32_t first, count; /* in order */
} block;

typedef struct halving {
    const clv_multilevel_task *task;
    clv_effort effort; /* of each bisection */
    int32_t tries;
    clv_context *ctx;
    uint64_t seed;
    int32_t *order;        /* vertices, block by block */
    int32_t *label, *next; /* by vertex: first part of its block, now and after this depth */
    int32_t *local;        /* by vertex: number inside its block */
    block *blocks, *made;  /* of this depth and of the next */
    int32_t nblocks;
    atomic_int failed; /* a bisection ran out of memory */
} halving;

/* ---- Subgraphs -------------------------------------------------------------------------- */

/* The graph that the block's vertices induce, from ws; `fixed` in terms of the two halves. */
typedef struct induced {
    clv_graph g;
    int32_t *fixed;
} induced;

/* Rows of a graph, or of its predecessors. */
typedef struct rows {
    const int64_t *xadj;
    const int32_t *adj, *weight;
} rows;

static cleave_status induce_rows(const halving *h, const block *b, const rows *of, rows *out,
                                 clv_ws *ws, cleave_error *err)
{
    int64_t arcs = 0;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = h->order[b->first + i];
        arcs += of->xadj[v + 1] - of->xadj[v];
    }
    int64_t *xadj = clv_ws_alloc(ws, (int64_t)b->count + 1, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, arcs, sizeof *adj);
    int32_t *weight = of->weight ? clv_ws_alloc(ws, arcs, sizeof *weight) : NULL;
    if (!xadj || !adj || (of->weight && !weight))
        return clv_fail_memory(err);
    int64_t at = 0;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = h->order[b->first + i];
        xadj[i] = at;
        for (int64_t a = of->xadj[v]; a < of->xadj[v + 1]; a++) {
            if (h->label[of->adj[a]] != b->part)
                continue;
            adj[at] = h->local[of->adj[a]];
            if (weight)
                weight[at] = of->weight[a];
            at++;
        }
    }
    xadj[b->count] = at;
    *out = (rows){xadj, adj, weight};
    return CLEAVE_OK;
}

static cleave_status induce_arcs(const halving *h, const block *b, induced *sub, clv_ws *ws,
                                 cleave_error *err)
{
    const clv_graph *g = h->task->g;
    rows next = {g->xadj, g->adj, g->ewgt}, before = {g->xpred, g->pred, g->pwgt};
    CLV_TRY(induce_rows(h, b, &next, &next, ws, err));
    if (g->kind == CLEAVE_DAG)
        CLV_TRY(induce_rows(h, b, &before, &before, ws, err));
    else
        before = next;
    sub->g.narc = next.xadj[b->count];
    sub->g.xadj = next.xadj;
    sub->g.adj = next.adj;
    sub->g.ewgt = next.weight;
    sub->g.xpred = before.xadj;
    sub->g.pred = before.adj;
    sub->g.pwgt = before.weight;
    return CLEAVE_OK;
}

static cleave_status induce(const halving *h, const block *b, induced *sub, clv_ws *ws,
                            cleave_error *err)
{
    const clv_graph *g = h->task->g;
    *sub = (induced){.g = {.kind = g->kind, .nvtx = b->count, .ncon = g->ncon}};
    for (int32_t i = 0; i < b->count; i++)
        h->local[h->order[b->first + i]] = i;
    CLV_TRY(induce_arcs(h, b, sub, ws, err));
    int32_t *vwgt =
        g->vwgt ? clv_ws_alloc(ws, (int64_t)b->count * g->ncon, sizeof *vwgt) : NULL;
    sub->fixed = h->task->fixed ? clv_ws_alloc(ws, b->count, sizeof *sub->fixed) : NULL;
    if ((g->vwgt && !vwgt) || (h->task->fixed && !sub->fixed))
        return clv_fail_memory(err);
    int32_t middle = b->part + (b->nparts + 1) / 2;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = h->order[b->first + i];
        for (int32_t c = 0; vwgt && c < g->ncon; c++)
            vwgt[(int64_t)i * g->ncon + c] = g->vwgt[(int64_t)v * g->ncon + c];
        if (sub->fixed)
            sub->fixed[i] = h->task->fixed[v] < 0 ? -1 : h->task->fixed[v] >= middle;
    }
    sub->g.vwgt = vwgt;
    return CLEAVE_OK;
}

/* ---- Shares and bounds of the two halves ------------------------------------------------ */

/* x with x^degree = value, for value >= 1, by bisection: the same on every machine. */
static double root(double value, int degree)
{
    double low = 1, high = value;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, power = 1;
        for (int d = 0; d < degree; d++)
            power *= middle;
        if (power > value)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static int depth_of(int32_t nparts)
{
    int depth = 0;
    while ((INT64_C(1) << depth) < nparts)
        depth++;
    return depth;
}

typedef struct sums {
    double share, max, min;
} sums;

static sums sum_parts(const clv_multilevel_task *t, int32_t first, int32_t count, int32_t c)
{
    sums s = {0, 0, 0};
    for (int32_t p = first; p < first + count; p++) {
        int64_t i = (int64_t)p * t->g->ncon + c;
        s.share += t->share[i];
        s.max += (double)t->max[i];
        s.min += t->min ? (double)t->min[i] : 0;
    }
    return s;
}

/* Side by side for both halves: share, max, min of constraint c in places c and ncon + c. */
static void split_bounds(const halving *h, const block *b, const clv_graph *sub, double *share,
                         int64_t *max, int64_t *min)
{
    const clv_multilevel_task *t = h->task;
    int32_t ncon = sub->ncon, half = (b->nparts + 1) / 2;
    for (int32_t c = 0; c < ncon; c++) {
        double weight = 0;
        for (int32_t v = 0; v < sub->nvtx; v++)
            weight += clv_graph_vwgt(sub, v, c);
        sums side[2] = {sum_parts(t, b->part, half, c),
                        sum_parts(t, b->part + half, b->nparts - half, c)};
        double all = side[0].share + side[1].share;
        double slack = weight > 0 ? (side[0].max + side[1].max) / weight : 1;
        double factor = slack > 1 ? root(slack, depth_of(b->nparts)) : 1;
        for (int32_t i = 0; i < 2; i++) {
            double own = all > 0 ? weight * side[i].share / all : weight / 2;
            double bound = own * factor;
            share[i * ncon + c] = own;
            max[i * ncon + c] = (int64_t)(bound < side[i].max ? bound : side[i].max);
            if (min)
                min[i * ncon + c] = (int64_t)side[i].min;
        }
    }
}

/* ---- One bisection ---------------------------------------------------------------------- */

/* Independent bisections of one graph. */
typedef struct trials {
    const halving *h;
    const clv_multilevel_task *task;
    clv_context *ctx;
    uint64_t index;
    int32_t count;
    int32_t *side; /* count * nvtx */
    clv_multilevel_result *result;
    cleave_status *status;
} trials;

static void try_one(const trials *t, int32_t i, clv_context *ctx)
{
    clv_rng rng = clv_rng_make(t->h->seed, stage_bisection, t->index, (uint64_t)i);
    ctx->seed = clv_rng_u64(&rng);
    t->status[i] =
        clv_multilevel(t->task, &t->h->effort, ctx, t->side + (int64_t)i * t->task->g->nvtx,
                       &t->result[i], NULL);
}

static void try_range(void *context, int64_t begin, int64_t end, int member)
{
    const trials *t = context;
    clv_context ctx = clv_context_child(t->ctx, member);
    for (int64_t i = begin; i < end; i++) {
        t->result[i].overload = INT64_MAX; /* out of time: the first one has to do */
        if (i == 0 || !clv_context_stop(&ctx))
            try_one(t, (int32_t)i, &ctx);
    }
}

/* The best of several bisections, in side; the threads of ctx share them. */
static cleave_status bisect(const halving *h, const clv_multilevel_task *task, uint64_t index,
                            clv_context *ctx, int32_t *side, cleave_error *err)
{
    int64_t n = task->g->nvtx;
    /* The first cut is the longest one, and every other builds on it. */
    int32_t count = h->nblocks == 1 ? 2 * h->tries : h->tries;
    if (clv_context_stop(ctx))
        count = 1;
    trials t = {.h = h, .task = task, .ctx = ctx, .index = index, .count = count};
    t.side = clv_ws_alloc(ctx->ws, count * n, sizeof *t.side);
    t.result = clv_ws_zalloc(ctx->ws, count, sizeof *t.result);
    t.status = clv_ws_zalloc(ctx->ws, count, sizeof *t.status);
    if (!t.side || !t.result || !t.status)
        return clv_fail_memory(err);
    clv_parallel_for(ctx->team, count, 1, try_range, &t);
    int32_t best = 0;
    for (int32_t i = 0; i < count; i++) {
        if (t.status[i] != CLEAVE_OK)
            return clv_fail_memory(err);
        if (t.result[i].overload < t.result[best].overload ||
            (t.result[i].overload == t.result[best].overload &&
             t.result[i].cut < t.result[best].cut))
            best = i;
    }
    memcpy(side, t.side + best * n, (size_t)n * sizeof *side);
    return CLEAVE_OK;
}

/* Sorts the block's vertices by side, labels them, and makes the two blocks of the next
 * depth. */
static void divide(halving *h, const block *b, const int32_t *side, int32_t *scratch,
                   block *made)
{
    int32_t half = (b->nparts + 1) / 2, left = 0, right = 0;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = h->order[b->first + i];
        h->next[v] = side[i] ? b->part + half : b->part;
        if (side[i])
            scratch[right++] = v;
        else
            h->order[b->first + left++] = v;
    }
    memcpy(h->order + b->first + left, scratch, (size_t)right * sizeof *scratch);
    made[0] = (block){b->part, half, b->first, left};
    made[1] = (block){b->part + half, b->nparts - half, b->first + left, right};
}

static cleave_status halve_block(halving *h, const block *b, block *made, clv_context *ctx,
                                 cleave_error *err)
{
    const clv_multilevel_task *t = h->task;
    int32_t ncon = t->g->ncon;
    induced sub;
    CLV_TRY(induce(h, b, &sub, ctx->ws, err));
    double *share = clv_ws_alloc(ctx->ws, 2 * ncon, sizeof *share);
    int64_t *max = clv_ws_alloc(ctx->ws, 2 * ncon, sizeof *max);
    int64_t *min = t->min ? clv_ws_alloc(ctx->ws, 2 * ncon, sizeof *min) : NULL;
    int32_t *side = clv_ws_alloc(ctx->ws, b->count, sizeof *side);
    int32_t *scratch = clv_ws_alloc(ctx->ws, b->count, sizeof *scratch);
    if (!share || !max || (t->min && !min) || !side || !scratch)
        return clv_fail_memory(err);
    split_bounds(h, b, &sub.g, share, max, min);
    clv_multilevel_task task = {
        .g = &sub.g, .nparts = 2, .share = share, .max = max, .min = min, .fixed = sub.fixed};
    CLV_TRY(bisect(h, &task, ((uint64_t)b->part << 32) | (uint64_t)b->nparts, ctx, side, err));
    divide(h, b, side, scratch, made);
    return CLEAVE_OK;
}

/* ---- Depth by depth --------------------------------------------------------------------- */

static void halve_or_keep(halving *h, int64_t i, clv_context *ctx)
{
    const block *b = &h->blocks[i];
    h->made[2 * i] = *b;
    h->made[2 * i + 1] = (block){0};
    if (b->nparts == 1) {
        for (int32_t j = b->first; j < b->first + b->count; j++)
            h->next[h->order[j]] = b->part;
        return;
    }
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    if (halve_block(h, b, &h->made[2 * i], ctx, NULL) != CLEAVE_OK)
        atomic_store(&h->failed, 1);
    clv_ws_restore(ctx->ws, mark);
}

static void halve_range(void *context, int64_t begin, int64_t end, int member)
{
    halving *h = context;
    clv_context ctx = clv_context_child(h->ctx, member);
    for (int64_t i = begin; i < end; i++)
        halve_or_keep(h, i, &ctx);
}

/* One block: its trials share the threads.  Several: each has one. */
static void halve_blocks(halving *h)
{
    uint64_t seed = h->ctx->seed;
    if (h->nblocks == 1)
        halve_or_keep(h, 0, h->ctx);
    else
        clv_parallel_for(h->ctx->team, h->nblocks, 1, halve_range, h);
    h->ctx->seed = seed;
}

/* Blocks without parts (the second half of a finished one) go. */
static void gather_blocks(halving *h)
{
    int32_t count = 0;
    for (int32_t i = 0; i < 2 * h->nblocks; i++)
        if (h->made[i].nparts > 0)
            h->blocks[count++] = h->made[i];
    h->nblocks = count;
    int32_t *label = h->label;
    h->label = h->next;
    h->next = label;
}

static cleave_status halve_all(halving *h, int32_t *part, cleave_error *err)
{
    const clv_graph *g = h->task->g;
    clv_ws *ws = h->ctx->ws;
    int32_t k = h->task->nparts;
    h->order = clv_ws_alloc(ws, g->nvtx, sizeof *h->order);
    h->label = clv_ws_zalloc(ws, g->nvtx, sizeof *h->label);
    h->next = clv_ws_zalloc(ws, g->nvtx, sizeof *h->next);
    h->local = clv_ws_alloc(ws, g->nvtx, sizeof *h->local);
    h->blocks = clv_ws_alloc(ws, k, sizeof *h->blocks);
    h->made = clv_ws_alloc(ws, 2 * (int64_t)k, sizeof *h->made);
    if (!h->order || !h->label || !h->next || !h->local || !h->blocks || !h->made)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        h->order[v] = v;
    h->blocks[0] = (block){0, k, 0, g->nvtx};
    h->nblocks = 1;
    for (int depth = depth_of(k); depth > 0; depth--) {
        halve_blocks(h);
        if (atomic_load(&h->failed))
            return clv_fail_memory(err);
        gather_blocks(h);
        clv_context_stop(h->ctx);
    }
    memcpy(part, h->label, (size_t)g->nvtx * sizeof *part);
    return CLEAVE_OK;
}

/* With very many parts there are very many bisections, and each matters less. */
static int32_t tries_for(const clv_effort *effort, int32_t nparts)
{
    return nparts <= 256 ? effort->bisections : (effort->bisections + 1) / 2;
}

cleave_status clv_recursive_bisection(const clv_multilevel_task *task,
                                      const clv_effort *effort, clv_context *ctx,
                                      int32_t *part, cleave_error *err)
{
    halving h = {.task = task,
                 .effort = clv_effort_inner(effort),
                 .tries = tries_for(effort, task->nparts),
                 .ctx = ctx,
                 .seed = ctx->seed};
    atomic_init(&h.failed, 0);
    clv_context_phase(ctx, "first solution", 0, 0);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = halve_all(&h, part, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
