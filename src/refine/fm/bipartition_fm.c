/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/bipartition_fm.c - FM for two parts.
 *
 * For every vertex that was evaluated, `outside` is the weight of its arcs to the other part
 * and `all` that of all its arcs: the gain of moving it is 2 * outside - all.  Both stay valid
 * through moves and rollbacks, so that later passes reuse them.  A vertex is in the queue of
 * its part while it is on the boundary and has not moved in this pass.  On a machine of two
 * places every gain is multiplied by their distance, which only scales the cut. */
#include "refine/fm/bipartition_fm.h"

#include "refine/gain/gain_queue.h"

enum { unknown = 0, known = 1, locked = 2 };
enum { work_between_looks = 1 << 14 }; /* arcs, and vertices that leave a queue */

typedef struct search {
    clv_partition_state *s;
    int64_t *outside, *all; /* by vertex, where state != unknown */
    uint8_t *state;
    clv_gain_queue queue[2];
    int32_t *list; /* the boundary, then the moves of a pass */
    int32_t nmoves;
    int64_t overload; /* of s, kept up to date */
    int64_t distance; /* of the two parts */
    clv_context *ctx;
    bool paid;    /* it began after the stop, within the credit: it is not interrupted */
    int64_t work; /* since the last look at the clock */
} search;

/* The objective of a solution; smaller is better, compared lexicographically. */
typedef struct worth {
    clv_worth is;
    double fullest; /* largest weight / bound */
} worth;

/* ---- Gains ------------------------------------------------------------------------------ */

static inline int64_t gain_of(const search *x, int32_t v)
{
    return 2 * x->outside[v] - x->all[v];
}

static void compute_weights(search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    int32_t own = x->s->part[v];
    int64_t outside = 0, all = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int64_t w = clv_graph_ewgt(g, a);
        all += w;
        outside += x->s->part[g->adj[a]] != own ? w : 0;
    }
    x->outside[v] = outside;
    x->all[v] = all;
    x->state[v] = known;
}

/* Inserts u into its queue or removes it, by its state. */
static inline void requeue(search *x, int32_t u)
{
    if (x->state[u] == locked)
        return;
    clv_gain_queue *q = &x->queue[x->s->part[u]];
    if (x->outside[u] > 0)
        clv_gain_queue_set(q, u, gain_of(x, u));
    else
        clv_gain_queue_remove(q, u);
}

static int64_t overload_of(const clv_partition_state *s)
{
    return clv_bounds_excess_of_part(&s->bounds, 0, s->weight) +
           clv_bounds_excess_of_part(&s->bounds, 1, s->weight);
}

/* One pass over a graph of hubs can take as long as many: moves alone are no measure. */
static bool is_over(search *x)
{
    if (x->work < work_between_looks)
        return false;
    x->work = 0;
    return !x->paid && clv_context_stop(x->ctx);
}

/* Moves v and updates the gains around it. */
static void move(search *x, int32_t v, bool queues)
{
    clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t to = 1 - s->part[v];
    x->work += g->xadj[v + 1] - g->xadj[v];
    /* Before v moves: a trusted graph can name a neighbour twice. */
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (x->state[g->adj[a]] == unknown)
            compute_weights(x, g->adj[a]);
    s->cut -= gain_of(x, v) * x->distance;
    x->outside[v] = x->all[v] - x->outside[v];
    clv_state_move(s, v, to);
    x->overload = overload_of(s);
    s->maybe_boundary[v] = 1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        int64_t w = clv_graph_ewgt(g, a);
        s->maybe_boundary[u] = 1;
        x->outside[u] += s->part[u] == to ? -(int64_t)w : w;
        if (queues && !clv_state_is_fixed(s, u))
            requeue(x, u);
    }
}

/* ---- One pass --------------------------------------------------------------------------- */

static worth worth_of(const search *x)
{
    const clv_partition_state *s = x->s;
    worth w = {{x->overload, s->cut}, 0};
    for (int32_t i = 0; i < 2 * s->g->ncon; i++) {
        double full =
            s->bounds.max[i] > 0 ? (double)s->weight[i] / (double)s->bounds.max[i] : 0;
        w.fullest = full > w.fullest ? full : w.fullest;
    }
    return w;
}

static bool better(const worth *a, const worth *b)
{
    return clv_worth_same(a->is, b->is) ? a->fullest < b->fullest
                                        : clv_worth_better(a->is, b->is);
}

static bool overloaded(const clv_partition_state *s, int32_t side)
{
    int32_t ncon = s->g->ncon;
    for (int32_t i = 0; i < ncon; i++)
        if (s->weight[side * ncon + i] > s->bounds.max[side * ncon + i])
            return true;
    return false;
}

/* The best vertex of a part that can move, -1: none, or out of time.  Those that cannot are
 * removed; a change of their gain reinserts them. */
static int32_t candidate(search *x, int32_t side, bool must)
{
    for (;;) {
        int32_t v = clv_gain_queue_top(&x->queue[side]);
        if (v < 0 ||
            (clv_state_may_leave(x->s, v) && (must || clv_state_fits(x->s, v, 1 - side))))
            return v;
        clv_gain_queue_remove(&x->queue[side], v);
        x->work++;
        if (is_over(x))
            return -1;
    }
}

static int32_t pick(search *x)
{
    clv_partition_state *s = x->s;
    bool heavy[2] = {overloaded(s, 0), overloaded(s, 1)};
    if (heavy[0] != heavy[1])
        return candidate(x, heavy[0] ? 0 : 1, true);
    int32_t a = candidate(x, 0, false), b = candidate(x, 1, false);
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (gain_of(x, a) != gain_of(x, b))
        return gain_of(x, a) > gain_of(x, b) ? a : b;
    int32_t ncon = s->g->ncon;
    return (double)s->weight[0] * (double)s->bounds.max[ncon] >=
                   (double)s->weight[ncon] * (double)s->bounds.max[0]
               ? a
               : b;
}

static void fill_queues(search *x)
{
    int32_t count = clv_state_boundary(x->s, x->list);
    for (int32_t i = 0; i < count && !is_over(x); i++) {
        int32_t v = x->list[i];
        x->work += x->s->g->xadj[v + 1] - x->s->g->xadj[v];
        if (x->state[v] == unknown)
            compute_weights(x, v);
        if (!clv_state_is_fixed(x->s, v))
            requeue(x, v);
    }
}

/* Returns whether the pass improved the solution. */
static bool run_pass(search *x, const clv_bipartition_fm_params *params)
{
    fill_queues(x);
    worth first = worth_of(x), best = first;
    int32_t nbest = 0;
    x->nmoves = 0;
    while (x->nmoves - nbest <= params->patience && !is_over(x)) {
        int32_t v = pick(x);
        if (v < 0)
            break;
        clv_gain_queue_remove(&x->queue[x->s->part[v]], v);
        x->state[v] = locked;
        move(x, v, true);
        x->list[x->nmoves++] = v;
        worth now = worth_of(x);
        if (better(&now, &best)) {
            best = now;
            nbest = x->nmoves;
        }
    }
    for (int32_t i = 0; i < x->nmoves; i++)
        x->state[x->list[i]] = known;
    while (x->nmoves > nbest)
        move(x, x->list[--x->nmoves], false);
    clv_gain_queue_clear(&x->queue[0]);
    clv_gain_queue_clear(&x->queue[1]);
    return better(&best, &first);
}

/* ---- All passes ------------------------------------------------------------------------- */

static int64_t heaviest_row(const clv_graph *g)
{
    int64_t heaviest = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        bool weighted = clv_weights_any(clv_graph_ewgts(g));
        int64_t sum = weighted ? 0 : g->xadj[v + 1] - g->xadj[v];
        for (int64_t a = g->xadj[v]; weighted && a < g->xadj[v + 1]; a++)
            sum += clv_graph_ewgt(g, a);
        heaviest = sum > heaviest ? sum : heaviest;
    }
    return heaviest;
}

static cleave_status open_search(search *x, clv_ws *ws, cleave_error *err)
{
    int32_t n = x->s->g->nvtx;
    x->outside = clv_ws_alloc(ws, n, sizeof *x->outside);
    x->all = clv_ws_alloc(ws, n, sizeof *x->all);
    x->state = clv_ws_zalloc(ws, n, sizeof *x->state);
    x->list = clv_ws_alloc(ws, n, sizeof *x->list);
    if (!x->outside || !x->all || !x->state || !x->list)
        return clv_fail_memory(err);
    int64_t bound = heaviest_row(x->s->g);
    CLV_TRY(clv_gain_queue_init(&x->queue[0], n, bound, ws, err));
    return clv_gain_queue_init(&x->queue[1], n, bound, ws, err);
}

cleave_status clv_bipartition_fm(clv_partition_state *s,
                                 const clv_bipartition_fm_params *params, clv_context *ctx,
                                 cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    search x = {.s = s, .overload = overload_of(s), .distance = clv_state_cost(s, 1, 0, 1)};
    x.ctx = ctx;
    x.paid = clv_context_is_stopped(ctx);
    cleave_status status = open_search(&x, ctx->ws, err);
    for (int32_t pass = 0; status == CLEAVE_OK && pass < params->passes; pass++)
        if (!run_pass(&x, params) || clv_context_stop(ctx))
            break;
    clv_context_count(ctx, s->g->narc);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
