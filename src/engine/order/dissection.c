/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection.c - nested dissection, see engine/order/dissection.h.
 *
 * Large pieces are separated one after the other, each by all threads, and stored in a tree.
 * The resulting small pieces are ordered in parallel, one thread each.  Then the orders are
 * joined from the leaves of the tree to its root. */
#include "engine/order/dissection.h"

#include <string.h>

#include "base/rng.h"
#include "engine/order/dissection_piece.h"
#include "engine/order/line_parts.h"
#include "engine/order/separator.h"
#include "generate/factor.h"
#include "generate/minimum_degree.h"

enum { stage_dissection = 611 };
enum { degree_passes = 50 }; /* estimated cost of minimum degree, in passes; not tuned */

static const double imbalance = 0.2; /* as METIS_NodeND's ufactor of 200 */

/* Parameters that are the same at all depths. */
typedef struct way {
    const clv_dissection_preset *is;
    cleave_effort effort;
} way;

/* ---- One piece -------------------------------------------------------------------------- */

/* After the deadline: reverse Cuthill-McKee order, without the halo [Cuthill, McKee 1969;
 * George 1971]. */
static cleave_status order_by_breadth(const clv_piece *p, clv_context *ctx, int32_t *order,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t n = p->g.nvtx, place = p->ninner;
    int32_t *line = clv_ws_alloc(ctx->ws, n, sizeof *line);
    uint8_t *seen = clv_ws_alloc(ctx->ws, n, sizeof *seen);
    if (!line || !seen)
        return clv_fail_memory(err);
    clv_context_count(ctx, p->g.narc);
    clv_line_by_breadth(&p->g, seen, line);
    for (int32_t i = 0; i < n; i++)
        if (line[i] < p->ninner)
            order[--place] = line[i];
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_by_degree(const clv_piece *p, clv_context *ctx, int32_t *order,
                                     cleave_error *err)
{
    clv_minimum_degree_task task = {.g = &p->g, .ninner = p->ninner, .copies = p->g.vwgt};
    if (!clv_context_afford(ctx, degree_passes * (p->g.narc + p->g.nvtx)))
        return order_by_breadth(p, ctx, order, err);
    /* After a stop, clv_context_afford has budgeted the whole run: it is not interrupted. */
    task.ctx = clv_context_is_stopped(ctx) ? NULL : ctx;
    return clv_minimum_degree(&task, ctx->ws, order, err);
}

/* part: by inner vertex.  *cut is false if the piece should not be separated. */
static cleave_status separate(const clv_piece *p, const way *how, int32_t depth,
                              uint64_t index, clv_context *ctx, int32_t *part, bool *cut,
                              cleave_error *err)
{
    clv_graph inner;
    int32_t count;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_piece_inner(&inner, p, ctx->ws, err));
    clv_separation s = {.g = &inner, .part = part};
    CLV_TRY(clv_separate_components(&s, ctx->ws, &count, err));
    if (count < 2) {
        clv_separator_preset effort = clv_preset_for_piece(how->effort, depth);
        uint64_t seed = ctx->seed;
        clv_rng rng = clv_rng_make(seed, stage_dissection, (uint64_t)depth, index);
        ctx->seed = clv_rng_u64(&rng);
        s.max = clv_separator_bound(clv_graph_weight(&inner), imbalance);
        cleave_status status = clv_separator_multilevel(&s, &effort, ctx, err);
        ctx->seed = seed;
        CLV_TRY(status);
    }
    clv_ws_restore(ctx->ws, mark);
    *cut = s.weight[0] > 0 && s.weight[1] > 0;
    return CLEAVE_OK;
}

/* Concatenates the orders of the two sides, given in their own numbers, and the separator. */
static void join_orders(const clv_piece *p, const int32_t *part, const clv_piece side[2],
                        int32_t *const inner[2], int32_t *order)
{
    int32_t place = 0;
    for (int i = 0; i < 2; i++)
        for (int32_t k = 0; k < side[i].ninner; k++)
            order[place++] = side[i].vertex[inner[i][k]];
    for (int32_t v = 0; v < p->ninner; v++)
        if (part[v] == clv_separator_part)
            order[place++] = v;
}

/* Takes the minimum degree order `rival` if it has less fill. */
static cleave_status take_better(const clv_piece *p, const int32_t *rival, clv_ws *ws,
                                 int32_t *order, cleave_error *err)
{
    int64_t now, other;
    CLV_TRY(clv_piece_fill(p, order, ws, &now, err));
    CLV_TRY(clv_piece_fill(p, rival, ws, &other, err));
    if (other < now)
        memcpy(order, rival, (size_t)p->ninner * sizeof *order);
    return CLEAVE_OK;
}

static bool has_rival(const clv_piece *p, const way *how, int32_t depth)
{
    return p->ninner <= how->is->compare || (how->is->whole && depth == 0);
}

static cleave_status compare(const clv_piece *p, clv_context *ctx, int32_t *order,
                             cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *rival = clv_ws_alloc(ws, p->ninner, sizeof *rival);
    if (!rival)
        return clv_fail_memory(err);
    CLV_TRY(order_by_degree(p, ctx, rival, err));
    CLV_TRY(take_better(p, rival, ws, order, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_piece(const clv_piece *p, const way *how, int32_t depth,
                                 uint64_t index, clv_context *ctx, int32_t *order,
                                 cleave_error *err);

static cleave_status order_sides(const clv_piece *p, const int32_t *part, const way *how,
                                 int32_t depth, uint64_t index, clv_context *ctx,
                                 int32_t *order, cleave_error *err)
{
    clv_piece side[2];
    int32_t *inner[2];
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    for (int i = 0; i < 2; i++) {
        CLV_TRY(clv_piece_cut(&side[i], p, part, i, ctx->ws, err));
        inner[i] = clv_ws_alloc(ctx->ws, side[i].ninner, sizeof *inner[i]);
        if (!inner[i])
            return clv_fail_memory(err);
        CLV_TRY(order_piece(&side[i], how, depth + 1, 2 * index + (uint64_t)i, ctx, inner[i],
                            err));
    }
    join_orders(p, part, side, inner, order);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_piece(const clv_piece *p, const way *how, int32_t depth,
                                 uint64_t index, clv_context *ctx, int32_t *order,
                                 cleave_error *err)
{
    bool cut = false;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *part = clv_ws_alloc(ctx->ws, p->ninner, sizeof *part);
    if (!part)
        return clv_fail_memory(err);
    if (p->ninner > how->is->leaf && !clv_context_stop(ctx))
        CLV_TRY(separate(p, how, depth, index, ctx, part, &cut, err));
    if (!cut) {
        clv_ws_restore(ctx->ws, mark);
        return order_by_degree(p, ctx, order, err);
    }
    CLV_TRY(order_sides(p, part, how, depth, index, ctx, order, err));
    clv_ws_restore(ctx->ws, mark);
    return has_rival(p, how, depth) && !clv_context_stop(ctx) ? compare(p, ctx, order, err)
                                                              : CLEAVE_OK;
}

/* ---- Many pieces at once ---------------------------------------------------------------- */

/* A node of the tree of large pieces.  The small pieces are its leaves. */
typedef struct tree_node {
    clv_piece piece;
    clv_ws ws; /* owns the piece and the following arrays */
    int32_t *part, *order;
    int32_t child; /* index of the first of two children; 0: none, the node is a task for
                      one thread */
    int32_t depth;
    uint64_t index;
    cleave_status status;
    cleave_error err;
} tree_node;

typedef struct tree {
    const way *how;
    clv_context *ctx;
    tree_node *node; /* children follow their parents; the first is the root */
    int32_t count;
    int32_t *rival; /* minimum degree order of the root; NULL: none */
    int32_t *task;  /* nodes without children; -1: the minimum degree order of the root */
    int32_t ntasks;
} tree;

enum { most_nodes = 512, tasks_about = 24, least_to_share = 6000 }; /* not tuned */

static cleave_status add_children(tree *t, int32_t parent, cleave_error *err)
{
    tree_node *p = &t->node[parent];
    clv_context_count(t->ctx, p->piece.g.narc);
    p->child = t->count;
    t->count += 2;
    for (int i = 0; i < 2; i++) {
        tree_node *c = &t->node[p->child + i];
        c->depth = p->depth + 1;
        c->index = 2 * p->index + (uint64_t)i;
        CLV_TRY(clv_piece_cut(&c->piece, &p->piece, p->part, i, &c->ws, err));
    }
    return CLEAVE_OK;
}

/* Separates large pieces level by level, each with all threads.  *ended: the context was
 * stopped before all were separated. */
static cleave_status grow_tree(tree *t, bool *ended, cleave_error *err)
{
    int32_t large = t->node[0].piece.ninner / tasks_about;
    for (int32_t i = 0; i < t->count && !*ended; i++) {
        tree_node *n = &t->node[i];
        bool cut = false;
        n->order = clv_ws_alloc(&n->ws, n->piece.ninner, sizeof *n->order);
        n->part = clv_ws_alloc(&n->ws, n->piece.ninner, sizeof *n->part);
        if (!n->order || !n->part)
            return clv_fail_memory(err);
        bool is_large = n->piece.ninner > large && t->count + 2 <= most_nodes;
        if (is_large && !clv_context_stop(t->ctx))
            CLV_TRY(
                separate(&n->piece, t->how, n->depth, n->index, t->ctx, n->part, &cut, err));
        *ended = is_large && clv_context_stop(t->ctx);
        if (cut && !*ended)
            CLV_TRY(add_children(t, i, err));
        else
            t->task[t->ntasks++] = i;
    }
    return CLEAVE_OK;
}

static void run_tasks(void *context, int64_t begin, int64_t end, int member)
{
    tree *t = context;
    clv_context ctx = clv_context_child(t->ctx, member);
    for (int64_t i = begin; i < end; i++) {
        tree_node *n = &t->node[t->task[i] < 0 ? 0 : t->task[i]];
        n->status = t->task[i] < 0 ? order_by_degree(&n->piece, &ctx, t->rival, &n->err)
                                   : order_piece(&n->piece, t->how, n->depth, n->index, &ctx,
                                                 n->order, &n->err);
    }
}

/* Joins the orders from the leaves to the root. */
static cleave_status join_tree(tree *t, cleave_error *err)
{
    for (int32_t i = t->count - 1; i >= 0; i--) {
        tree_node *n = &t->node[i];
        if (n->status != CLEAVE_OK) {
            if (err)
                *err = n->err;
            return n->status;
        }
        if (n->child == 0)
            continue;
        tree_node *side = &t->node[n->child];
        clv_piece pieces[2] = {side[0].piece, side[1].piece};
        int32_t *inner[2] = {side[0].order, side[1].order};
        join_orders(&n->piece, n->part, pieces, inner, n->order);
        if (clv_context_stop(t->ctx))
            continue;
        if (i == 0 && t->rival)
            CLV_TRY(take_better(&n->piece, t->rival, t->ctx->ws, n->order, err));
        else if (has_rival(&n->piece, t->how, n->depth))
            CLV_TRY(compare(&n->piece, t->ctx, n->order, err));
    }
    return CLEAVE_OK;
}

/* After a stop, a few large pieces in breadth-first order, each coupled with the separators
 * around it, have more fill than the whole graph in breadth-first order: grid2d:1600x1600 in
 * two halves has 1.37 times as much. */
static cleave_status order_tree(tree *t, int32_t *order, cleave_error *err)
{
    int32_t n = t->node[0].piece.ninner;
    bool ended = false;
    CLV_TRY(grow_tree(t, &ended, err));
    if (ended)
        return order_by_degree(&t->node[0].piece, t->ctx, order, err);
    bool rival = has_rival(&t->node[0].piece, t->how, 0) && t->count > 1;
    if (rival && !clv_context_stop(t->ctx)) {
        t->rival = clv_ws_alloc(t->ctx->ws, n, sizeof *t->rival);
        if (!t->rival)
            return clv_fail_memory(err);
        t->task[t->ntasks++] = -1;
    }
    clv_parallel_for(t->ctx->team, t->ntasks, 1, run_tasks, t);
    CLV_TRY(join_tree(t, err));
    memcpy(order, t->node[0].order, (size_t)n * sizeof *order);
    return CLEAVE_OK;
}

static cleave_status order_shared(const clv_piece *whole, const way *how, clv_context *ctx,
                                  int32_t *order, cleave_error *err)
{
    tree t = {.how = how, .ctx = ctx, .count = 1};
    t.node = clv_ws_zalloc(ctx->ws, most_nodes, sizeof *t.node);
    t.task = clv_ws_alloc(ctx->ws, most_nodes + 1, sizeof *t.task);
    if (!t.node || !t.task)
        return clv_fail_memory(err);
    t.node[0].piece = *whole;
    t.node[0].index = 1;
    cleave_status status = order_tree(&t, order, err);
    for (int32_t i = 0; i < t.count; i++)
        clv_ws_free(&t.node[i].ws);
    return status;
}

/* ---- The whole -------------------------------------------------------------------------- */

/* Expands the order of the piece to the graph: indistinguishable vertices are consecutive,
 * dense vertices that were left out come last. */
static cleave_status expand(const clv_graph *g, const clv_piece *whole, const int32_t *leader,
                            const int32_t *order, clv_ws *ws, int32_t *vertex,
                            cleave_error *err)
{
    int32_t *next = clv_ws_alloc(ws, whole->ninner, sizeof *next), place = 0;
    if (!next)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < whole->ninner; k++) {
        next[order[k]] = place;
        place += whole->g.vwgt[order[k]];
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        vertex[leader[v] < 0 ? place++ : next[leader[v]]++] = v;
    return CLEAVE_OK;
}

static cleave_status dissect(const clv_graph *g, const way *how, clv_context *ctx,
                             int32_t *vertex, cleave_error *err)
{
    clv_piece whole;
    int32_t *leader = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *leader);
    if (!leader)
        return clv_fail_memory(err);
    bool ended;
    CLV_TRY(clv_piece_whole(&whole, g, leader, ctx, &ended, err));
    if (ended)
        return order_by_breadth(&(clv_piece){.g = *g, .ninner = g->nvtx}, ctx, vertex, err);
    int32_t *order = clv_ws_alloc(ctx->ws, whole.ninner, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    if (whole.ninner > least_to_share)
        CLV_TRY(order_shared(&whole, how, ctx, order, err));
    else
        CLV_TRY(order_piece(&whole, how, 0, 1, ctx, order, err));
    CLV_TRY(expand(g, &whole, leader, order, ctx->ws, vertex, err));
    if (clv_context_stop(ctx)) /* any order is valid; this one has better cache locality */
        return CLEAVE_OK;
    return clv_factor_postorder(g, ctx->ws, vertex, err);
}

cleave_status clv_dissection(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                             int32_t *vertex, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    way how = {clv_preset_for_dissection(effort), effort};
    cleave_status status = dissect(g, &how, ctx, vertex, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
