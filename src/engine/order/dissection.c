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
#include "order/elimination/elimination_order.h"
#include "order/elimination/minimum_degree.h"

enum { stage_dissection = 611 };
enum { degree_passes = 50 }; /* estimated cost of minimum degree, in passes; not tuned */

static const double imbalance = 0.2; /* as METIS_NodeND's ufactor of 200 */

/* The same at all depths; each thread has its own, with its own context. */
typedef struct dissection {
    const clv_dissection_preset *preset;
    cleave_effort effort;
    clv_context *ctx;
    clv_ws *scratch; /* of clv_dissection_cut */
} dissection;

/* A node of the tree of pieces.  The children of `index` are 2 * index and 2 * index + 1, the
 * root is 1: the random numbers of a piece do not depend on the order of the work. */
typedef struct tree_position {
    int32_t depth;
    uint64_t index;
} tree_position;

static const tree_position root = {0, 1};

static tree_position child_of(tree_position parent, int side)
{
    return (tree_position){parent.depth + 1, 2 * parent.index + (uint64_t)side};
}

/* ---- One piece -------------------------------------------------------------------------- */

/* After the deadline: reverse Cuthill-McKee order, without the halo [Cuthill, McKee 1969;
 * George 1971]. */
static cleave_status order_by_breadth(const clv_dissection_piece *p, clv_context *ctx,
                                      int32_t *order, cleave_error *err)
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

static cleave_status order_by_degree(const clv_dissection_piece *p, clv_context *ctx,
                                     int32_t *order, cleave_error *err)
{
    clv_minimum_degree_task task = {.g = &p->g, .ninner = p->ninner, .copies = p->g.vwgt};
    if (!clv_context_afford(ctx, degree_passes * (p->g.narc + p->g.nvtx)))
        return order_by_breadth(p, ctx, order, err);
    /* After a stop, clv_context_afford has budgeted the whole run: it is not interrupted. */
    task.ctx = clv_context_is_stopped(ctx) ? NULL : ctx;
    return clv_minimum_degree(&task, ctx->ws, order, err);
}

/* part: by inner vertex.  *cut is false if the piece should not be separated, or if the time
 * was too short. */
static cleave_status separate(const dissection *d, const clv_dissection_piece *p,
                              tree_position at, int32_t *part, bool *cut, cleave_error *err)
{
    clv_graph inner;
    int32_t count;
    clv_context *ctx = d->ctx;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_dissection_inner(&inner, p, ctx->ws, err));
    clv_separation s = {.g = &inner, .part = part, .no_line = true};
    CLV_TRY(clv_separate_components(&s, ctx->ws, &count, err));
    if (count < 2 && !clv_context_stop(ctx)) {
        clv_separator_preset effort = clv_preset_for_piece(d->effort, at.depth);
        uint64_t seed = ctx->seed;
        clv_rng rng = clv_rng_make(seed, stage_dissection, (uint64_t)at.depth, at.index);
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
static void join_orders(const clv_dissection_piece *p, const int32_t *part,
                        const clv_dissection_piece side[2], int32_t *const inner[2],
                        int32_t *order)
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
static cleave_status take_better(const clv_dissection_piece *p, const int32_t *rival,
                                 clv_ws *ws, int32_t *order, cleave_error *err)
{
    int64_t now, other;
    CLV_TRY(clv_dissection_fill(p, order, ws, &now, err));
    CLV_TRY(clv_dissection_fill(p, rival, ws, &other, err));
    if (other < now)
        memcpy(order, rival, (size_t)p->ninner * sizeof *order);
    return CLEAVE_OK;
}

static bool has_rival(const dissection *d, const clv_dissection_piece *p, int32_t depth)
{
    return p->ninner <= d->preset->compare || (d->preset->whole && depth == 0);
}

static cleave_status compare(const clv_dissection_piece *p, clv_context *ctx, int32_t *order,
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

static cleave_status order_piece(const dissection *d, const clv_dissection_piece *p,
                                 tree_position at, int32_t *order, cleave_error *err);

static cleave_status order_sides(const dissection *d, const clv_dissection_piece *p,
                                 tree_position at, const int32_t *part, int32_t *order,
                                 cleave_error *err)
{
    clv_dissection_piece side[2];
    int32_t *inner[2];
    clv_ws *ws = d->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    for (int i = 0; i < 2; i++) {
        clv_dissection_side half = {p, part, i};
        CLV_TRY(clv_dissection_cut(&side[i], &half, d->scratch, ws, err));
        inner[i] = clv_ws_alloc(ws, side[i].ninner, sizeof *inner[i]);
        if (!inner[i])
            return clv_fail_memory(err);
        CLV_TRY(order_piece(d, &side[i], child_of(at, i), inner[i], err));
    }
    join_orders(p, part, side, inner, order);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_piece(const dissection *d, const clv_dissection_piece *p,
                                 tree_position at, int32_t *order, cleave_error *err)
{
    bool cut = false;
    clv_context *ctx = d->ctx;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *part = clv_ws_alloc(ctx->ws, p->ninner, sizeof *part);
    if (!part)
        return clv_fail_memory(err);
    if (p->ninner > d->preset->leaf && !clv_context_stop(ctx))
        CLV_TRY(separate(d, p, at, part, &cut, err));
    if (!cut) {
        clv_ws_restore(ctx->ws, mark);
        return order_by_degree(p, ctx, order, err);
    }
    CLV_TRY(order_sides(d, p, at, part, order, err));
    clv_ws_restore(ctx->ws, mark);
    return has_rival(d, p, at.depth) && !clv_context_stop(ctx) ? compare(p, ctx, order, err)
                                                               : CLEAVE_OK;
}

/* ---- Many pieces at once ---------------------------------------------------------------- */

/* A node of the tree of large pieces.  The small pieces are its leaves. */
typedef struct tree_node {
    clv_dissection_piece piece;
    clv_ws ws; /* owns the piece and the following arrays */
    int32_t *part, *order;
    int32_t child; /* index of the first of two children; 0: none, the node is a task for
                      one thread */
    tree_position at;
    cleave_status status;
    cleave_error err;
} tree_node;

typedef struct tree {
    const dissection *d; /* d->ctx: the context of all threads */
    tree_node *node;     /* children follow their parents; the first is the root */
    int32_t count;
    int32_t *rival; /* minimum degree order of the root; NULL: none */
    int32_t *task;  /* nodes without children; -1: the minimum degree order of the root */
    int32_t ntasks;
} tree;

enum { most_nodes = 512, tasks_about = 24, least_to_share = 6000 }; /* not tuned */

/* *ended: the context was stopped before both were made. */
static cleave_status add_children(tree *t, int32_t parent, bool *ended, cleave_error *err)
{
    tree_node *p = &t->node[parent];
    p->child = t->count;
    t->count += 2;
    for (int i = 0; i < 2 && !*ended; i++) {
        tree_node *c = &t->node[p->child + i];
        clv_dissection_side side = {&p->piece, p->part, i};
        c->at = child_of(p->at, i);
        CLV_TRY(clv_dissection_cut(&c->piece, &side, t->d->scratch, &c->ws, err));
        *ended = clv_context_stop(t->d->ctx);
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
        if (is_large && !clv_context_stop(t->d->ctx))
            CLV_TRY(separate(t->d, &n->piece, n->at, n->part, &cut, err));
        *ended = is_large && clv_context_stop(t->d->ctx);
        if (cut && !*ended)
            CLV_TRY(add_children(t, i, ended, err));
        else
            t->task[t->ntasks++] = i;
    }
    return CLEAVE_OK;
}

static void run_tasks(void *context, int64_t begin, int64_t end, int member)
{
    tree *t = context;
    clv_context ctx = clv_context_child(t->d->ctx, member);
    clv_ws scratch = {NULL};
    dissection own = {t->d->preset, t->d->effort, &ctx, &scratch};
    for (int64_t i = begin; i < end; i++) {
        tree_node *n = &t->node[t->task[i] < 0 ? 0 : t->task[i]];
        n->status = t->task[i] < 0 ? order_by_degree(&n->piece, &ctx, t->rival, &n->err)
                                   : order_piece(&own, &n->piece, n->at, n->order, &n->err);
    }
    clv_ws_free(&scratch);
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
        clv_dissection_piece pieces[2] = {side[0].piece, side[1].piece};
        int32_t *inner[2] = {side[0].order, side[1].order};
        join_orders(&n->piece, n->part, pieces, inner, n->order);
        if (clv_context_stop(t->d->ctx))
            continue;
        if (i == 0 && t->rival)
            CLV_TRY(take_better(&n->piece, t->rival, t->d->ctx->ws, n->order, err));
        else if (has_rival(t->d, &n->piece, n->at.depth))
            CLV_TRY(compare(&n->piece, t->d->ctx, n->order, err));
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
        return order_by_degree(&t->node[0].piece, t->d->ctx, order, err);
    bool rival = has_rival(t->d, &t->node[0].piece, 0) && t->count > 1;
    if (rival && !clv_context_stop(t->d->ctx)) {
        t->rival = clv_ws_alloc(t->d->ctx->ws, n, sizeof *t->rival);
        if (!t->rival)
            return clv_fail_memory(err);
        t->task[t->ntasks++] = -1;
    }
    clv_parallel_for(t->d->ctx->team, t->ntasks, 1, run_tasks, t);
    CLV_TRY(join_tree(t, err));
    memcpy(order, t->node[0].order, (size_t)n * sizeof *order);
    return CLEAVE_OK;
}

static cleave_status order_shared(const dissection *d, const clv_dissection_piece *whole,
                                  int32_t *order, cleave_error *err)
{
    tree t = {.d = d, .count = 1};
    t.node = clv_ws_zalloc(d->ctx->ws, most_nodes, sizeof *t.node);
    t.task = clv_ws_alloc(d->ctx->ws, most_nodes + 1, sizeof *t.task);
    if (!t.node || !t.task)
        return clv_fail_memory(err);
    t.node[0].piece = *whole;
    t.node[0].at = root;
    cleave_status status = order_tree(&t, order, err);
    for (int32_t i = 0; i < t.count; i++)
        clv_ws_free(&t.node[i].ws);
    return status;
}

/* ---- The whole -------------------------------------------------------------------------- */

/* The graph as a piece, and for each vertex of the graph its vertex of the piece; -1: left
 * out. */
typedef struct compressed_graph {
    clv_dissection_piece piece;
    int32_t *leader;
} compressed_graph;

/* Expands the order of the piece to the graph: indistinguishable vertices are consecutive,
 * dense vertices that were left out come last. */
static cleave_status expand(const compressed_graph *c, int32_t nvtx, const int32_t *order,
                            clv_ws *ws, int32_t *vertex, cleave_error *err)
{
    int32_t ninner = c->piece.ninner, place = 0;
    if (ninner == nvtx) { /* then every vertex is a leader, and numbers are the same */
        memcpy(vertex, order, (size_t)nvtx * sizeof *vertex);
        return CLEAVE_OK;
    }
    int32_t *next = clv_ws_alloc(ws, ninner, sizeof *next);
    if (!next)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < ninner; k++) {
        next[order[k]] = place;
        place += c->piece.g.vwgt[order[k]];
    }
    for (int32_t v = 0; v < nvtx; v++)
        vertex[c->leader[v] < 0 ? place++ : next[c->leader[v]]++] = v;
    return CLEAVE_OK;
}

static cleave_status dissect(const dissection *d, const clv_graph *g, int32_t *vertex,
                             cleave_error *err)
{
    clv_ws *ws = d->ctx->ws;
    compressed_graph c = {.leader = clv_ws_alloc(ws, g->nvtx, sizeof *c.leader)};
    if (!c.leader)
        return clv_fail_memory(err);
    bool ended;
    CLV_TRY(clv_dissection_whole(&c.piece, g, c.leader, d->ctx, &ended, err));
    if (ended)
        return order_by_breadth(&(clv_dissection_piece){.g = *g, .ninner = g->nvtx}, d->ctx,
                                vertex, err);
    int32_t *order = clv_ws_alloc(ws, c.piece.ninner, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    if (c.piece.ninner > least_to_share)
        CLV_TRY(order_shared(d, &c.piece, order, err));
    else
        CLV_TRY(order_piece(d, &c.piece, root, order, err));
    CLV_TRY(expand(&c, g->nvtx, order, ws, vertex, err));
    if (clv_context_stop(d->ctx)) /* any order is valid; this one has better cache locality */
        return CLEAVE_OK;
    return clv_order_postorder(g, ws, vertex, err);
}

cleave_status clv_dissection(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                             int32_t *vertex, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_ws scratch = {NULL};
    dissection d = {clv_preset_for_dissection(effort), effort, ctx, &scratch};
    cleave_status status = dissect(&d, g, vertex, err);
    clv_ws_restore(ctx->ws, mark);
    clv_ws_free(&scratch);
    return status;
}
