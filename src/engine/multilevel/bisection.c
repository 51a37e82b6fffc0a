/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/bisection.c - recursive bisection and dual recursive bipartitioning, see
 * engine/multilevel/bisection.h.
 *
 * A block is a range of parts and the vertices to be assigned to them: a range of `order` that
 * starts at block->first, all labelled with the block's first part.  Blocks of the same depth
 * are divided in parallel.  New labels are written to a second array because neighbours still
 * read the old ones. */
#include "engine/multilevel/bisection.h"

#include <string.h>

#include "base/failure.h"
#include "base/queue.h"
#include "base/rng.h"
#include "engine/multilevel/block_subgraph.h"
#include "engine/multilevel/search.h"

enum { stage_bisection = 301 };

typedef struct dividing {
    clv_blocks all;
    const clv_multilevel_task *task;
    const clv_division *how;
    const clv_preset *whole; /* for divisions by a search */
    clv_preset effort;       /* for each bisection */
    int32_t tries;
    clv_context *ctx;
    uint64_t seed;
    int32_t *next;           /* by vertex: label after this depth */
    clv_block *made;         /* by first part of the parent block */
    int32_t *nmade;          /* by block */
    clv_heap queue;          /* blocks still to be divided, in the order of the policy */
    int32_t born;            /* number of blocks created so far */
    clv_failure failure;     /* of the division that failed */
    atomic_bool out_of_time; /* at least one block was left undivided */
} dividing;

/* ---- Ways ------------------------------------------------------------------------------- */

/* Replaces a group that contains a single group by that group. */
static clv_domain skip_single(const clv_target *t, clv_domain d)
{
    while (clv_target_children(t, d) == 1)
        d = clv_target_child(t, d, 0);
    return d;
}

static cleave_status find_ways(const dividing *h, const clv_block *b, clv_block_ways *w,
                               clv_ws *ws, cleave_error *err)
{
    const clv_machine *m = h->task->machine;
    const clv_target *t = m ? m->t : NULL;
    clv_domain d = m && h->how->groups ? skip_single(t, b->domain) : b->domain;
    *w = (clv_block_ways){.block = b};
    w->count = m && h->how->groups ? clv_target_children(t, d) : 2;
    w->first = clv_ws_alloc(ws, w->count + INT64_C(1), sizeof *w->first);
    w->domain = m ? clv_ws_alloc(ws, w->count, sizeof *w->domain) : NULL;
    if (!w->first || (m && !w->domain))
        return clv_fail_memory(err);
    if (m && !h->how->groups)
        t->shape->bipartition(t, d, w->domain);
    w->first[0] = b->part;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t size = i == 0 ? (b->nparts + 1) / 2 : b->nparts / 2;
        if (m && h->how->groups)
            w->domain[i] = clv_target_child(t, d, i);
        if (m)
            size = t->shape->pes(t, w->domain[i]);
        w->first[i + 1] = w->first[i] + size;
    }
    return CLEAVE_OK;
}

static int depth_of(int32_t nparts)
{
    int depth = 0;
    while ((INT64_C(1) << depth) < nparts)
        depth++;
    return depth;
}

/* Approximate number of divisions from the block down to single parts, including this one. */
static int depth_below(const dividing *h, const clv_block *b)
{
    const clv_machine *m = h->task->machine;
    if (!m || !h->how->groups)
        return depth_of(b->nparts);
    int depth = 0;
    for (clv_domain d = skip_single(m->t, b->domain); m->t->shape->pes(m->t, d) > 1;
         d = skip_single(m->t, clv_target_child(m->t, d, 0)))
        depth++;
    return depth;
}

/* Shares and bounds of the ways. */
static cleave_status split_bounds(const dividing *h, const clv_block_ways *w,
                                  const clv_graph *sub, clv_bounds *to, clv_ws *ws,
                                  cleave_error *err)
{
    double *weight = clv_ws_zalloc(ws, sub->ncon, sizeof *weight);
    if (!weight)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < sub->nvtx; v++)
        for (int32_t c = 0; c < sub->ncon; c++)
            weight[c] += (double)clv_graph_vwgt(sub, v, c);
    clv_bounds_ranges ranges = {.count = w->count,
                                .first = w->first,
                                .weight = weight,
                                .depth = depth_below(h, w->block)};
    return clv_bounds_split(to, &h->task->bounds, &ranges, ws, err);
}

/* ---- One division ----------------------------------------------------------------------- */

/* Independent bisections of one graph. */
typedef struct trials {
    const dividing *h;
    const clv_multilevel_task *task;
    clv_context *ctx;
    uint64_t index;
    int32_t count;
    int32_t *side; /* count * nvtx */
    clv_multilevel_result *result;
    clv_failure failure;
} trials;

static void try_one(trials *t, int32_t i, clv_context *ctx)
{
    cleave_error err = {.status = CLEAVE_OK};
    clv_rng rng = clv_rng_make(t->h->seed, stage_bisection, t->index, (uint64_t)i);
    ctx->seed = clv_rng_u64(&rng);
    cleave_status status =
        clv_multilevel(t->task, &t->h->effort, ctx, t->side + (int64_t)i * t->task->g->nvtx,
                       &t->result[i], &err);
    if (status != CLEAVE_OK)
        clv_failure_note(&t->failure, i, status, &err);
}

static void try_range(void *context, int64_t begin, int64_t end, int member)
{
    trials *t = context;
    clv_context ctx = clv_context_child(t->ctx, member);
    for (int64_t i = begin; i < end; i++) {
        t->result[i].worth = clv_worth_none(); /* out of time: the first trial is used */
        if (i == 0 || !clv_context_stop(&ctx))
            try_one(t, (int32_t)i, &ctx);
    }
}

/* Fills side with the best of several bisections.  The threads of ctx share the trials.
 * *worth: of the best; none: it was out of time. */
static cleave_status bisect(const dividing *h, const clv_multilevel_task *task, uint64_t index,
                            clv_context *ctx, int32_t *side, clv_worth *worth,
                            cleave_error *err)
{
    int64_t n = task->g->nvtx;
    /* The first bisection has the longest cut and all later ones depend on it. */
    int32_t count = h->all.count == 1 ? 2 * h->tries : h->tries;
    if (clv_context_stop(ctx))
        count = 1;
    trials t = {.h = h, .task = task, .ctx = ctx, .index = index, .count = count};
    t.side = clv_ws_alloc(ctx->ws, count * n, sizeof *t.side);
    t.result = clv_ws_zalloc(ctx->ws, count, sizeof *t.result);
    if (!t.side || !t.result)
        return clv_fail_memory(err);
    clv_failure_init(&t.failure);
    clv_parallel_for(ctx->team, count, 1, try_range, &t);
    CLV_TRY(clv_failure_result(&t.failure, err));
    int32_t best = 0;
    for (int32_t i = 0; i < count; i++)
        if (clv_worth_better(t.result[i].worth, t.result[best].worth))
            best = i;
    *worth = t.result[best].worth;
    if (!clv_worth_is_none(*worth))
        memcpy(side, t.side + best * n, (size_t)n * sizeof *side);
    return CLEAVE_OK;
}

/* Divides the block by a search of its own, or as the caller wishes.  All groups of a machine
 * are at the same distance. */
static cleave_status search_ways(const dividing *h, const clv_multilevel_task *task,
                                 uint64_t index, clv_context *ctx, int32_t *way,
                                 clv_worth *worth, cleave_error *err)
{
    cleave_status status;
    clv_rng rng = clv_rng_make(h->seed, stage_bisection, index, 0);
    uint64_t seed = ctx->seed;
    ctx->seed = clv_rng_u64(&rng);
    if (h->how->divider) {
        status = h->how->divider(h->how->context, task, ctx, way, worth, err);
    } else {
        clv_search_result result;
        status = clv_search(task, h->whole, ctx, way, &result, err);
        *worth = result.last.worth;
    }
    ctx->seed = seed;
    return status;
}

/* Sorts the block's vertices by way, labels them and creates the blocks of the next depth.
 * scratch has w->block->count entries. */
static void regroup(dividing *h, const clv_block_ways *w, const int32_t *way, int32_t *scratch)
{
    const clv_block *b = w->block;
    int32_t *order = h->all.order + b->first, at = b->first;
    clv_block *made = h->made + b->part;
    for (int32_t i = 0; i < w->count; i++)
        made[i] = (clv_block){.part = w->first[i], .nparts = w->first[i + 1] - w->first[i]};
    for (int32_t i = 0; i < b->count; i++) {
        made[way[i]].count++;
        h->next[order[i]] = w->first[way[i]];
    }
    for (int32_t i = 0; i < w->count; i++) {
        made[i].first = at;
        at += made[i].count;
        if (w->domain)
            made[i].domain = w->domain[i];
    }
    memcpy(scratch, order, (size_t)b->count * sizeof *scratch);
    for (int32_t i = 0; i < b->count; i++)
        h->all.order[made[way[i]].first++] = scratch[i];
    for (int32_t i = 0; i < w->count; i++)
        made[i].first -= made[i].count;
}

/* Do neighbours outside the block attract its vertices?  After the deadline they do not if
 * that would take several searches per vertex: the rest is then divided by its own edges
 * alone. */
static bool is_pulled(const dividing *h, clv_context *ctx)
{
    const clv_machine *m = h->task->machine;
    if (!m || h->how->groups || h->all.count == 1)
        return false;
    return m->table || !m->t->shape->searched || !clv_context_stop(ctx);
}

/* *nmade stays 0 if it fails or if the time was too short. */
static cleave_status divide_block(dividing *h, const clv_block *b, int32_t *nmade,
                                  clv_context *ctx, cleave_error *err)
{
    const clv_multilevel_task *t = h->task;
    clv_ws *ws = ctx->ws;
    clv_block_ways w;
    clv_block_subgraph sub;
    CLV_TRY(find_ways(h, b, &w, ws, err));
    w.anchored = is_pulled(h, ctx);
    CLV_TRY(clv_block_subgraph_make(&sub, &h->all, &w, ws, err));
    int32_t *way = clv_ws_alloc(ws, sub.g.nvtx, sizeof *way);
    int32_t *scratch = clv_ws_alloc(ws, b->count, sizeof *scratch);
    if (!way || !scratch)
        return clv_fail_memory(err);
    clv_multilevel_task task = {
        .g = &sub.g, .fixed = sub.fixed, .no_line = t->g->kind == CLEAVE_UNDIRECTED};
    CLV_TRY(split_bounds(h, &w, &sub.g, &task.bounds, ws, err));
    uint64_t index = ((uint64_t)b->part << 32) | (uint64_t)b->nparts;
    clv_worth worth = clv_worth_none();
    if (h->how->divider || h->how->search || (t->machine && h->how->groups))
        CLV_TRY(search_ways(h, &task, index, ctx, way, &worth, err));
    else
        CLV_TRY(bisect(h, &task, index, ctx, way, &worth, err));
    if (clv_worth_is_none(worth))
        return CLEAVE_OK;
    regroup(h, &w, way, scratch);
    *nmade = w.count;
    return CLEAVE_OK;
}

/* ---- Block after block ------------------------------------------------------------------ */

/* After the deadline, blocks that would take too long are left undivided.  Fixed vertices of a
 * DAG are an exception, because cutting a topological order would contradict them, unless the
 * division is only one of several starts. */
static bool is_affordable(dividing *h, const clv_block *b, clv_context *ctx)
{
    const clv_graph *g = h->task->g;
    if (g->kind == CLEAVE_DAG && h->task->fixed && !h->how->search)
        return true;
    double arcs = (double)g->narc / g->nvtx * b->count;
    if (clv_context_afford(ctx, clv_passes_per_halving * (b->count + (int64_t)arcs)))
        return true;
    atomic_store(&h->out_of_time, true);
    return false;
}

static void keep_block(dividing *h, int64_t i)
{
    const clv_block *b = &h->all.block[i];
    h->made[b->part] = *b;
    h->nmade[i] = 1;
    for (int32_t j = b->first; j < b->first + b->count; j++)
        h->next[h->all.order[j]] = b->part;
}

static void divide_or_keep(dividing *h, int64_t i, clv_context *ctx)
{
    const clv_block *b = &h->all.block[i];
    if (b->nparts == 1 || b->count == 0 || !is_affordable(h, b, ctx)) {
        keep_block(h, i);
        return;
    }
    h->nmade[i] = 0;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_error err = {.status = CLEAVE_OK};
    cleave_status status = divide_block(h, b, &h->nmade[i], ctx, &err);
    if (status != CLEAVE_OK)
        clv_failure_note(&h->failure, i, status, &err);
    clv_ws_restore(ctx->ws, mark);
    if (h->nmade[i] > 0)
        return;
    keep_block(h, i);
    atomic_store(&h->out_of_time, true);
}

static void divide_range(void *context, int64_t begin, int64_t end, int member)
{
    dividing *h = context;
    clv_context ctx = clv_context_child(h->ctx, member);
    for (int64_t i = begin; i < end; i++)
        divide_or_keep(h, i, &ctx);
}

/* A single block: its trials share the threads.  Several blocks: one thread each. */
static void divide_all_once(dividing *h)
{
    uint64_t seed = h->ctx->seed;
    if (h->all.count == 1)
        divide_or_keep(h, 0, h->ctx);
    else
        clv_parallel_for(h->ctx->team, h->all.count, 1, divide_range, h);
    h->ctx->seed = seed;
    /* Children are stored at the first part of their parent, so they are in part order. */
    int32_t count = 0, blocks = h->all.count;
    for (int32_t i = 0, part = 0; i < blocks; i++) {
        int32_t parts = h->all.block[i].nparts;
        memmove(h->made + count, h->made + part, (size_t)h->nmade[i] * sizeof *h->made);
        count += h->nmade[i];
        part += parts;
    }
    clv_block *block = h->all.block;
    h->all.block = h->made;
    h->made = block;
    h->all.count = count;
    int32_t *label = h->all.label;
    h->all.label = h->next;
    h->next = label;
}

/* Priority of a block by the policy.  Ties: the older block first. */
static int64_t urgency(const dividing *h, const clv_block *b)
{
    if (h->how->policy == CLV_POLICY_DEPTH)
        return b->age;
    return h->how->policy == CLV_POLICY_BREADTH ? -(int64_t)b->age : b->count;
}

/* A block of one part or without vertices needs no division. */
static bool is_done(const clv_block *b)
{
    return b->nparts == 1 || b->count == 0;
}

static void enqueue(dividing *h, int32_t i)
{
    const clv_block *b = &h->all.block[i];
    h->all.at[b->part] = i;
    if (!is_done(b))
        clv_heap_set(&h->queue, i, urgency(h, b));
}

static void divide_one(dividing *h, int32_t i)
{
    clv_block b = h->all.block[i];
    divide_or_keep(h, i, h->ctx);
    const clv_block *made = h->made + b.part;
    for (int32_t j = 0; j < h->nmade[i]; j++) {
        int32_t at = j == 0 ? i : h->all.count++;
        h->all.block[at] = made[j];
        h->all.block[at].age = ++h->born;
        enqueue(h, at);
    }
    for (int32_t j = b.first; j < b.first + b.count; j++)
        h->all.label[h->all.order[j]] = h->next[h->all.order[j]];
}

static bool any_left(const clv_blocks *all)
{
    for (int32_t i = 0; i < all->count; i++)
        if (!is_done(&all->block[i]))
            return true;
    return false;
}

static cleave_status divide_all(dividing *h, cleave_error *err)
{
    uint64_t seed = h->ctx->seed;
    bool together = h->how->policy == CLV_POLICY_LEVEL;
    if (!together) {
        CLV_TRY(clv_heap_init(&h->queue, h->task->bounds.nparts, h->ctx->ws, err));
        for (int32_t i = 0; i < h->all.count; i++)
            enqueue(h, i);
    }
    while (together ? any_left(&h->all) : h->queue.count > 0) {
        if (together)
            divide_all_once(h);
        else
            divide_one(h, clv_heap_pop(&h->queue));
        h->ctx->seed = seed;
        CLV_TRY(clv_failure_result(&h->failure, err));
        clv_context_stop(h->ctx);
        if (atomic_load(&h->out_of_time))
            return clv_blocks_cut(&h->all, h->ctx, err);
    }
    return CLEAVE_OK;
}

/* The domains that `depth` halvings of d produce, in the order of their places. */
static void list_domains(const clv_target *t, clv_domain d, int32_t count, clv_block *block)
{
    clv_domain half[2];
    if (count == 1 || !t->shape->bipartition(t, d, half)) {
        block->domain = d;
        return;
    }
    list_domains(t, half[0], count / 2, block);
    list_domains(t, half[1], count / 2, block + count / 2);
}

/* Restores the blocks of an earlier division. */
static void restore_blocks(dividing *h)
{
    const clv_target *t = h->task->machine->t;
    clv_blocks *all = &h->all;
    int32_t n = h->task->g->nvtx, count = h->how->ndone, part = 0, first = 0;
    list_domains(t, t->shape->root(t), count, all->block);
    for (int32_t i = 0; i < count; i++) {
        clv_block *b = &all->block[i];
        *b = (clv_block){.part = part, .age = i, .domain = b->domain};
        b->nparts = t->shape->pes(t, b->domain);
        part += b->nparts;
    }
    for (int32_t v = 0; v < n; v++)
        all->block[h->how->done[v]].count++;
    for (int32_t i = 0; i < count; i++) {
        all->block[i].first = first;
        first += all->block[i].count;
    }
    for (int32_t v = 0; v < n; v++) {
        clv_block *b = &all->block[h->how->done[v]];
        all->order[b->first++] = v;
        all->label[v] = b->part;
    }
    for (int32_t i = 0; i < count; i++)
        all->block[i].first -= all->block[i].count;
    all->count = count;
    h->born = count - 1;
}

/* ---- Start ------------------------------------------------------------------------------ */

/* The arrays of all blocks: they have as many vertices and parts as the task. */
static cleave_status alloc_blocks(clv_blocks *all, const clv_multilevel_task *task, clv_ws *ws,
                                  cleave_error *err)
{
    int32_t n = task->g->nvtx, k = task->bounds.nparts, anchored = task->machine ? k : 0;
    *all = (clv_blocks){.task = task,
                        .order = clv_ws_alloc(ws, n, sizeof *all->order),
                        .label = clv_ws_zalloc(ws, n, sizeof *all->label),
                        .local = clv_ws_alloc(ws, n, sizeof *all->local),
                        .at = clv_ws_alloc(ws, k, sizeof *all->at),
                        .block = clv_ws_alloc(ws, k, sizeof *all->block),
                        .ahead = clv_ws_alloc(ws, anchored, sizeof *all->ahead),
                        .known = clv_ws_alloc(ws, anchored, sizeof *all->known)};
    if (!all->order || !all->label || !all->local || !all->at || !all->block || !all->ahead ||
        !all->known)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < anchored; i++)
        all->known[i] = -1;
    return CLEAVE_OK;
}

/* The arrays that a division writes before it replaces its block. */
static cleave_status alloc_next(dividing *h, clv_ws *ws, cleave_error *err)
{
    int32_t k = h->task->bounds.nparts;
    h->next = clv_ws_zalloc(ws, h->task->g->nvtx, sizeof *h->next);
    h->made = clv_ws_alloc(ws, k, sizeof *h->made);
    h->nmade = clv_ws_alloc(ws, k, sizeof *h->nmade);
    return h->next && h->made && h->nmade ? CLEAVE_OK : clv_fail_memory(err);
}

/* One block of all vertices and all parts. */
static void make_first_block(clv_blocks *all)
{
    const clv_multilevel_task *task = all->task;
    const clv_machine *m = task->machine;
    for (int32_t v = 0; v < task->g->nvtx; v++)
        all->order[v] = v;
    all->block[0] = (clv_block){.nparts = task->bounds.nparts, .count = task->g->nvtx};
    if (m)
        all->block[0].domain = m->t->shape->root(m->t);
    all->count = 1;
}

static cleave_status divide_task(dividing *h, int32_t *part, cleave_error *err)
{
    CLV_TRY(alloc_blocks(&h->all, h->task, h->ctx->ws, err));
    CLV_TRY(alloc_next(h, h->ctx->ws, err));
    if (h->how->done)
        restore_blocks(h);
    else
        make_first_block(&h->all);
    CLV_TRY(divide_all(h, err));
    memcpy(part, h->all.label, (size_t)h->task->g->nvtx * sizeof *part);
    return CLEAVE_OK;
}

cleave_status clv_recursive_division(const clv_multilevel_task *task, const clv_preset *effort,
                                     const clv_division *how, clv_context *ctx, int32_t *part,
                                     cleave_error *err)
{
    dividing h = {.task = task,
                  .how = how,
                  .whole = how->search ? how->search : effort,
                  .ctx = ctx,
                  .seed = ctx->seed};
    if (!how->divider) {
        h.effort = clv_preset_for_bisection(effort);
        h.tries = clv_preset_bisections(effort, task->bounds.nparts);
    }
    clv_failure_init(&h.failure);
    atomic_init(&h.out_of_time, false);
    clv_context_phase(ctx, "first solution", 0, 0);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = divide_task(&h, part, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

cleave_status clv_recursive_bisection(const clv_multilevel_task *task,
                                      const clv_preset *effort, clv_context *ctx,
                                      int32_t *part, cleave_error *err)
{
    /* On a machine, a division needs the domains that its neighbours were assigned to. */
    clv_division halves = {.policy = task->machine ? CLV_POLICY_SIZE : CLV_POLICY_LEVEL};
    return clv_recursive_division(task, effort, &halves, ctx, part, err);
}
