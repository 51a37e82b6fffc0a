/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/redivide.c - see engine/acyclic/redivide.h.
 *
 * The splits of a recursive bisection were made before the parts around them were known, and
 * moves and flows between the parts stay near them.  A search of the subgraph has starts of
 * its own.
 *
 * Windows are filled by Kahn's algorithm on the quotient graph: of the parts whose
 * predecessors all have a place, the next one is that with the heaviest arcs from the window;
 * a window begins with a random one. */
#include "engine/acyclic/redivide.h"

#include "base/failure.h"
#include "base/group.h"
#include "base/queue.h"
#include "base/rng.h"
#include "engine/multilevel/block_subgraph.h"
#include "graph/derive.h"

enum { stage_redivide = 406 };

typedef struct redivision {
    const clv_multilevel_task *task;
    clv_preset search; /* of the windows of this sweep */
    clv_context *ctx;
    int32_t *part;      /* of the solution */
    uint64_t seed;      /* of this sweep */
    clv_blocks windows; /* blocks; their parts are ranks */
    clv_bounds bounds;  /* by rank */
    int32_t *rank;      /* by part: its position in the order of the windows */
    int32_t *at;        /* by rank: the part */
    int32_t *window_of; /* by part */
    int64_t *gain;      /* by window */
    clv_failure failure;
} redivision;

static cleave_status alloc_redivision(redivision *x, clv_ws *ws, cleave_error *err)
{
    int32_t n = x->task->g->nvtx, k = x->task->bounds.nparts;
    clv_blocks *all = &x->windows;
    *all = (clv_blocks){.task = x->task,
                        .order = clv_ws_alloc(ws, n, sizeof *all->order),
                        .label = clv_ws_alloc(ws, n, sizeof *all->label),
                        .local = clv_ws_alloc(ws, n, sizeof *all->local),
                        .block = clv_ws_alloc(ws, k, sizeof *all->block)};
    x->rank = clv_ws_alloc(ws, k, sizeof *x->rank);
    x->at = clv_ws_alloc(ws, k, sizeof *x->at);
    x->window_of = clv_ws_alloc(ws, k, sizeof *x->window_of);
    x->gain = clv_ws_alloc(ws, k, sizeof *x->gain);
    bool there = all->order && all->label && all->local && all->block && x->rank && x->at &&
                 x->window_of && x->gain;
    return there ? CLEAVE_OK : clv_fail_memory(err);
}

/* ---- Windows ---------------------------------------------------------------------------- */

typedef struct part_queue {
    clv_quotient arcs;
    clv_heap ready;   /* parts whose predecessors are placed: largest tie, then random */
    int32_t *missing; /* by part: predecessors that are not placed */
    int64_t *tie;     /* by part: weight of the arcs from the window that is being filled */
    int32_t *tied;    /* the parts with such arcs */
    int32_t ntied;
    uint64_t seed;
} part_queue;

/* Negative, so that every tied part precedes. */
static int64_t random_key(const part_queue *x, int32_t p)
{
    return -1 - (int64_t)(clv_hash64(x->seed ^ (uint64_t)(uint32_t)p) >> 1);
}

static cleave_status open_queue(part_queue *x, const redivision *r, clv_ws *ws,
                                cleave_error *err)
{
    int32_t k = r->task->bounds.nparts;
    *x = (part_queue){.seed = r->seed};
    CLV_TRY(clv_derive_quotient_rows(&x->arcs, r->task->g, k, r->part, ws, err));
    CLV_TRY(clv_heap_init(&x->ready, k, ws, err));
    x->missing = clv_ws_zalloc(ws, k, sizeof *x->missing);
    x->tie = clv_ws_zalloc(ws, k, sizeof *x->tie);
    x->tied = clv_ws_alloc(ws, k, sizeof *x->tied);
    if (!x->missing || !x->tie || !x->tied)
        return clv_fail_memory(err);
    for (int64_t a = 0; a < x->arcs.xadj[k]; a++)
        x->missing[x->arcs.adj[a]]++;
    for (int32_t p = 0; p < k; p++)
        if (x->missing[p] == 0)
            clv_heap_set(&x->ready, p, random_key(x, p));
    return CLEAVE_OK;
}

static void tie_successors(part_queue *x, int32_t p)
{
    for (int64_t a = x->arcs.xadj[p]; a < x->arcs.xadj[p + 1]; a++) {
        int32_t to = x->arcs.adj[a];
        if (x->tie[to] == 0 && x->arcs.cut[a] > 0)
            x->tied[x->ntied++] = to;
        x->tie[to] += x->arcs.cut[a];
        x->missing[to]--;
        if (x->missing[to] == 0)
            clv_heap_set(&x->ready, to, x->tie[to] > 0 ? x->tie[to] : random_key(x, to));
    }
}

static void forget_ties(part_queue *x)
{
    while (x->ntied > 0) {
        int32_t p = x->tied[--x->ntied];
        x->tie[p] = 0;
        if (clv_heap_has(&x->ready, p))
            clv_heap_set(&x->ready, p, random_key(x, p));
    }
}

/* Gives every part a rank and a window of at most `size` parts. */
static void fill_windows(redivision *r, part_queue *x, int32_t size)
{
    clv_blocks *all = &r->windows;
    int32_t rank = 0;
    all->count = 0;
    while (x->ready.count > 0) {
        clv_block *b = &all->block[all->count];
        *b = (clv_block){.part = rank};
        do {
            int32_t p = clv_heap_pop(&x->ready);
            r->at[rank] = p;
            r->rank[p] = rank++;
            r->window_of[p] = all->count;
            b->nparts++;
            tie_successors(x, p);
        } while (b->nparts < size && x->ready.count > 0 &&
                 x->tie[clv_heap_top(&x->ready)] > 0);
        forget_ties(x);
        all->count++;
    }
}

/* Lists the vertices of each window. */
static cleave_status list_members(redivision *r, clv_ws *ws, cleave_error *err)
{
    clv_blocks *all = &r->windows;
    int32_t n = r->task->g->nvtx;
    int32_t *first = clv_ws_alloc(ws, all->count + INT64_C(1), sizeof *first);
    if (!first)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        all->label[v] = r->window_of[r->part[v]];
    clv_group_by_key(n, all->label, all->count, first, all->order);
    for (int32_t i = 0; i < all->count; i++) {
        all->block[i].first = first[i];
        all->block[i].count = first[i + 1] - first[i];
    }
    for (int32_t v = 0; v < n; v++)
        all->label[v] = all->block[all->label[v]].part;
    return CLEAVE_OK;
}

static cleave_status make_windows(redivision *r, int32_t size, clv_ws *ws, cleave_error *err)
{
    part_queue queue;
    CLV_TRY(open_queue(&queue, r, ws, err));
    fill_windows(r, &queue, size);
    CLV_TRY(list_members(r, ws, err));
    return clv_bounds_permute(&r->bounds, &r->task->bounds, r->at, ws, err);
}

/* ---- One window ------------------------------------------------------------------------- */

/* The bounds of the parts of a window. */
static clv_bounds bounds_of(const redivision *x, const clv_block *b)
{
    clv_bounds bounds = x->bounds;
    int64_t first = (int64_t)b->part * bounds.ncon;
    bounds.nparts = b->nparts;
    bounds.max += first;
    bounds.share += first;
    if (bounds.min)
        bounds.min += first;
    return bounds;
}

/* The present cut inside the window. */
static int64_t cut_inside(const redivision *x, const clv_block *b)
{
    const clv_graph *g = x->task->g;
    int64_t cut = 0;
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        int32_t v = x->windows.order[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (x->windows.label[u] == b->part && x->part[u] != x->part[v])
                cut += clv_graph_ewgt(g, a);
        }
    }
    return cut;
}

/* Parts of other windows do not change meanwhile: only labels of this one are written. */
static cleave_status divide_window(redivision *x, int64_t i, clv_context *ctx,
                                   cleave_error *err)
{
    const clv_block *b = &x->windows.block[i];
    clv_block_ways ways = {.block = b};
    clv_block_subgraph sub;
    clv_search_result result;
    int64_t cut = cut_inside(x, b);
    if (cut == 0)
        return CLEAVE_OK;
    CLV_TRY(clv_block_subgraph_make(&sub, &x->windows, &ways, ctx->ws, err));
    int32_t *found = clv_ws_alloc(ctx->ws, b->count, sizeof *found);
    if (!found)
        return clv_fail_memory(err);
    clv_multilevel_task task = {.g = &sub.g, .bounds = bounds_of(x, b), .known_cut = cut};
    clv_rng rng = clv_rng_make(x->seed, stage_redivide, (uint64_t)i, 0);
    ctx->seed = clv_rng_u64(&rng);
    CLV_TRY(clv_search(&task, &x->search, ctx, found, &result, err));
    if (!clv_worth_better(result.last.worth, (clv_worth){.cut = cut}))
        return CLEAVE_OK;
    for (int32_t j = 0; j < b->count; j++)
        x->part[x->windows.order[b->first + j]] = x->at[b->part + found[j]];
    x->gain[i] = cut - result.last.worth.cut;
    return CLEAVE_OK;
}

static void divide_range(void *context, int64_t begin, int64_t end, int member)
{
    redivision *x = context;
    clv_context ctx = clv_context_child(x->ctx, member);
    for (int64_t i = begin; i < end; i++) {
        x->gain[i] = 0;
        if (x->windows.block[i].nparts < 2 || clv_context_stop(&ctx))
            continue;
        cleave_error err = {.status = CLEAVE_OK};
        clv_ws_mark mark = clv_ws_save(ctx.ws);
        cleave_status status = divide_window(x, i, &ctx, &err);
        clv_ws_restore(ctx.ws, mark);
        if (status != CLEAVE_OK)
            clv_failure_note(&x->failure, i, status, &err);
    }
}

/* ---- Sweeps ----------------------------------------------------------------------------- */

static cleave_status sweep(redivision *x, int32_t size, clv_solution *solution,
                           cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(x->ctx->ws);
    uint64_t seed = x->ctx->seed;
    CLV_TRY(make_windows(x, size, x->ctx->ws, err));
    clv_parallel_for(x->ctx->team, x->windows.count, 1, divide_range, x);
    x->ctx->seed = seed;
    CLV_TRY(clv_failure_result(&x->failure, err));
    for (int32_t i = 0; i < x->windows.count; i++)
        solution->is.worth.cut -= x->gain[i];
    clv_ws_restore(x->ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status sweep_all(redivision *x, const clv_preset *effort, clv_solution *solution,
                               cleave_error *err)
{
    int32_t k = x->task->bounds.nparts, most = effort->dag.redivide_parts, number = 0;
    for (int32_t i = 0; i < effort->dag.redivide_sweeps; i++) {
        int64_t before = solution->is.worth.cut;
        for (int32_t size = 2; size < k && size <= most; size *= 2, number++) {
            if (clv_context_stop(x->ctx))
                return CLEAVE_OK;
            clv_rng rng = clv_rng_make(x->ctx->seed, stage_redivide, (uint64_t)number, 1);
            x->seed = clv_rng_u64(&rng);
            x->search = clv_preset_for_window(effort, size);
            CLV_TRY(sweep(x, size, solution, err));
        }
        if (solution->is.worth.cut == before)
            return CLEAVE_OK;
    }
    return CLEAVE_OK;
}

cleave_status clv_redivide(const clv_multilevel_task *task, const clv_preset *effort,
                           clv_context *ctx, clv_solution *solution, cleave_error *err)
{
    if (task->bounds.nparts < 3 || task->fixed || task->machine ||
        solution->is.worth.overload > 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    redivision x = {.task = task, .ctx = ctx, .part = solution->part};
    clv_failure_init(&x.failure);
    CLV_TRY(alloc_redivision(&x, ctx->ws, err));
    CLV_TRY(sweep_all(&x, effort, solution, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
