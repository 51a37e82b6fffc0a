/* SPDX-License-Identifier: Apache-2.0 */
/* engine/clear_idle_parts.c - moves zero-weight vertices out of parts that must stay empty,
 * see engine/clear_idle_parts.h. */
#include "engine/clear_idle_parts.h"

#include "engine/limits.h"
#include "refine/state/ranks.h"

typedef struct clearing {
    const clv_multilevel_task *task;
    int32_t *part;
    uint8_t *idle;  /* by part */
    int32_t *count; /* by part: number of vertices */
    int32_t *queue; /* vertices that were just moved */
    int32_t head, tail;
    int64_t *pull; /* by part: edge weight to v; 0 between calls */
} clearing;

/* Is v a free vertex in a part that must stay empty? */
static bool is_to_leave(const clearing *x, int32_t v)
{
    const clv_graph *g = x->task->g;
    if (!x->idle[x->part[v]] || (x->task->fixed && x->task->fixed[v] >= 0))
        return false;
    for (int32_t c = 0; c < g->ncon; c++)
        if (clv_graph_vwgt(g, v, c) > 0)
            return false;
    return true;
}

/* ---- Undirected graphs ------------------------------------------------------------------ */

/* The part that v has the largest edge weight to; -1: all neighbours are in parts to be
 * cleared. */
static int32_t strongest(const clearing *x, int32_t v)
{
    const clv_graph *g = x->task->g;
    int32_t best = -1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = x->part[g->adj[a]];
        if (x->idle[p])
            continue;
        x->pull[p] += clv_graph_ewgt(g, a);
        if (best < 0 || x->pull[p] > x->pull[best] ||
            (x->pull[p] == x->pull[best] && p < best))
            best = p;
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        x->pull[x->part[g->adj[a]]] = 0;
    return best;
}

static int32_t emptiest(const clearing *x)
{
    int32_t best = -1;
    for (int32_t p = 0; p < x->task->bounds.nparts; p++)
        if (!x->idle[p] && (best < 0 || x->count[p] < x->count[best]))
            best = p;
    return best;
}

static void leave(clearing *x, int32_t v, int32_t to)
{
    x->count[x->part[v]]--;
    x->count[to]++;
    x->part[v] = to;
    x->queue[x->tail++] = v;
}

/* Moves vertices to the part that their neighbours were moved to, by breadth-first search. */
static void follow(clearing *x)
{
    const clv_graph *g = x->task->g;
    while (x->head < x->tail) {
        int32_t v = x->queue[x->head++];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (is_to_leave(x, g->adj[a]))
                leave(x, g->adj[a], strongest(x, g->adj[a]));
    }
}

static void leave_one_by_one(clearing *x)
{
    int32_t n = x->task->g->nvtx, to = emptiest(x);
    for (int32_t v = 0; v < n && x->count[to] == 0; v++)
        if (is_to_leave(x, v)) {
            leave(x, v, to);
            to = emptiest(x);
        }
    for (int32_t v = 0; v < n; v++)
        if (is_to_leave(x, v) && (to = strongest(x, v)) >= 0)
            leave(x, v, to);
    follow(x);
    for (int32_t v = 0; v < n; v++)
        if (is_to_leave(x, v)) {
            leave(x, v, emptiest(x));
            follow(x);
        }
}

/* ---- DAGs ------------------------------------------------------------------------------- */

/* to[p]: the next part in the order that may hold vertices; p itself if it may or if it has
 * fixed vertices.  Parts after the last such part map to that part. */
static void find_next(const clearing *x, const int32_t *by_rank, const uint8_t *stays,
                      int32_t *to)
{
    int32_t k = x->task->bounds.nparts;
    for (int turn = 0; turn < 2; turn++) {
        int32_t open = -1;
        for (int32_t i = 0; i < k; i++) {
            int32_t p = by_rank[turn ? i : k - 1 - i];
            if (turn == 0)
                to[p] = x->idle[p] && !stays[p] ? open : p;
            else if (to[p] < 0)
                to[p] = open >= 0 ? open : p;
            if (!x->idle[p])
                open = p;
            else if (stays[p])
                open = -1; /* merging across it could close a cycle */
        }
    }
}

static cleave_status leave_together(clearing *x, clv_context *ctx, cleave_error *err)
{
    int32_t n = x->task->g->nvtx, k = x->task->bounds.nparts;
    bool acyclic;
    clv_partition_state s;
    CLV_TRY(clv_multilevel_state(&s, x->task, x->part, ctx, err));
    CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    int32_t *by_rank = clv_ws_alloc(ctx->ws, k, sizeof *by_rank);
    int32_t *to = clv_ws_alloc(ctx->ws, k, sizeof *to);
    uint8_t *stays = clv_ws_zalloc(ctx->ws, k, sizeof *stays);
    if (!by_rank || !to || !stays)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++)
        by_rank[s.rank[p]] = p;
    for (int32_t v = 0; v < n; v++)
        if (x->idle[x->part[v]] && !is_to_leave(x, v))
            stays[x->part[v]] = 1;
    find_next(x, by_rank, stays, to);
    for (int32_t v = 0; acyclic && v < n; v++)
        x->part[v] = to[x->part[v]];
    return CLEAVE_OK;
}

/* ---- Both ------------------------------------------------------------------------------- */

/* Marks the parts to be cleared.  Returns whether there are any vertices in them. */
static bool find_idle(clearing *x)
{
    const clv_multilevel_task *task = x->task;
    int32_t idle = 0, inside = 0;
    for (int32_t p = 0; p < task->bounds.nparts; p++)
        idle += x->idle[p] = clv_bounds_is_idle(&task->bounds, p);
    if (idle == 0 || idle == task->bounds.nparts)
        return false;
    for (int32_t v = 0; v < task->g->nvtx; v++) {
        inside += is_to_leave(x, v);
        x->count[x->part[v]]++;
    }
    return inside > 0;
}

cleave_status clv_clear_idle_parts(const clv_multilevel_task *task, clv_context *ctx,
                                   int32_t *part, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    cleave_status status = CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    clearing x = {.task = task, .part = part};
    x.idle = clv_ws_alloc(ws, task->bounds.nparts, sizeof *x.idle);
    x.count = clv_ws_zalloc(ws, task->bounds.nparts, sizeof *x.count);
    x.pull = clv_ws_zalloc(ws, task->bounds.nparts, sizeof *x.pull);
    x.queue = clv_ws_alloc(ws, task->g->nvtx, sizeof *x.queue);
    if (!x.idle || !x.count || !x.pull || !x.queue)
        return clv_fail_memory(err);
    bool any = find_idle(&x);
    if (any && task->g->kind == CLEAVE_DAG)
        status = leave_together(&x, ctx, err);
    else if (any)
        leave_one_by_one(&x);
    clv_ws_restore(ws, mark);
    return status;
}
