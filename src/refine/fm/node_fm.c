/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/node_fm.c - FM on a vertex separator, see refine/state/separation.h.
 *
 * For every vertex v of the separator, pull[p][v] is the weight of its neighbours on side p:
 * moving v to side p gains its weight minus pull[1 - p][v], the weight that enters the
 * separator instead.  A pass logs each move: the vertices that entered, then the one that left
 * and its side. */
#include "refine/gain/gain_queue.h"
#include "refine/state/separation.h"

typedef struct node_move {
    int32_t v, to;
    int32_t entered; /* end of the log of the vertices that entered */
} node_move;

typedef struct node_search {
    clv_separation *s;
    int64_t *pull[2];
    uint8_t *moved; /* in this pass: it left the separator */
    clv_gain_queue queue[2];
    int32_t *list; /* vertices that are or were in the separator, some more than once */
    int32_t nlist, room;
    node_move *moves;
    int32_t nmoves, most_moves;
} node_search;

/* A pass moves the separator towards one side, as a whole and so past small obstacles, or to
 * the side with the larger gain. */
enum { both_ways = 2 };

void clv_separation_measure(clv_separation *s)
{
    s->weight[0] = s->weight[1] = s->weight[2] = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->weight[s->part[v]] += clv_graph_vwgt(s->g, v, 0);
}

/* ---- Gains ------------------------------------------------------------------------------ */

static inline int64_t gain_of(const node_search *x, int32_t v, int to)
{
    return clv_graph_vwgt(x->s->g, v, 0) - x->pull[1 - to][v];
}

static void enqueue(node_search *x, int32_t v)
{
    if (x->moved[v])
        return;
    clv_gain_queue_set(&x->queue[0], v, gain_of(x, v, 0));
    clv_gain_queue_set(&x->queue[1], v, gain_of(x, v, 1));
}

static void compute_pulls(node_search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    int64_t pull[3] = {0, 0, 0};
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        pull[x->s->part[g->adj[a]]] += clv_graph_vwgt(g, g->adj[a], 0);
    x->pull[0][v] = pull[0];
    x->pull[1][v] = pull[1];
}

/* Changes the pull of side p on x's neighbours in the separator by `by`. */
static void change_pulls(node_search *x, int32_t v, int p, int64_t by)
{
    const clv_graph *g = x->s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (x->s->part[u] != clv_separator_part)
            continue;
        x->pull[p][u] += by;
        if (!x->moved[u])
            clv_gain_queue_set(&x->queue[1 - p], u, gain_of(x, u, 1 - p));
    }
}

static inline void put(clv_separation *s, int32_t v, int32_t part)
{
    int64_t w = clv_graph_vwgt(s->g, v, 0);
    s->weight[s->part[v]] -= w;
    s->weight[part] += w;
    s->part[v] = part;
}

/* ---- Moves ------------------------------------------------------------------------------ */

/* u, on side p, enters the separator. */
static void enter(node_search *x, int32_t u, int p)
{
    put(x->s, u, clv_separator_part);
    change_pulls(x, u, p, -clv_graph_vwgt(x->s->g, u, 0));
    compute_pulls(x, u);
    enqueue(x, u);
    x->list[x->nlist++] = u;
}

static void move(node_search *x, int32_t v, int to)
{
    const clv_graph *g = x->s->g;
    clv_gain_queue_remove(&x->queue[0], v);
    clv_gain_queue_remove(&x->queue[1], v);
    x->moved[v] = 1;
    put(x->s, v, to);
    change_pulls(x, v, to, clv_graph_vwgt(g, v, 0));
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (x->s->part[g->adj[a]] == 1 - to)
            enter(x, g->adj[a], 1 - to);
    x->moves[x->nmoves++] = (node_move){v, to, x->nlist};
}

/* Undoes the moves from `from` on. */
static void roll_back(node_search *x, int32_t from, int32_t first_entered)
{
    while (x->nmoves > from) {
        const node_move *m = &x->moves[--x->nmoves];
        int32_t begin = x->nmoves > 0 ? m[-1].entered : first_entered;
        put(x->s, m->v, clv_separator_part);
        for (int32_t i = begin; i < m->entered; i++)
            put(x->s, x->list[i], 1 - m->to);
    }
}

/* ---- One pass --------------------------------------------------------------------------- */

static bool fits(const node_search *x, int32_t v, int to)
{
    const clv_separation *s = x->s;
    return s->weight[to] + clv_graph_vwgt(s->g, v, 0) <= s->max;
}

/* The best vertex that can move to that side, -1: none.  Those that cannot are removed; a
 * change of their gain reinserts them. */
static int32_t candidate(node_search *x, int to)
{
    for (;;) {
        int32_t v = clv_gain_queue_top(&x->queue[to]);
        if (v < 0 || fits(x, v, to))
            return v;
        clv_gain_queue_remove(&x->queue[to], v);
    }
}

static int32_t pick(node_search *x, int direction, int *to)
{
    const int64_t *weight = x->s->weight;
    int lighter = weight[1] < weight[0];
    *to = lighter;
    if (clv_separation_overload(x->s) > 0)
        return candidate(x, lighter);
    if (direction != both_ways)
        return candidate(x, *to = direction);
    int32_t here = candidate(x, lighter), there = candidate(x, 1 - lighter);
    if (here < 0 || (there >= 0 && gain_of(x, there, 1 - lighter) > gain_of(x, here, lighter)))
        *to = 1 - lighter;
    return *to == lighter ? here : there;
}

/* The separator at the start of a pass, each vertex once. */
static void fill_queues(node_search *x)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < x->nlist; i++) {
        int32_t v = x->list[i];
        if (x->s->part[v] != clv_separator_part || x->moved[v])
            continue;
        x->moved[v] = 1; /* marked as seen temporarily */
        x->list[kept++] = v;
    }
    x->nlist = kept;
    for (int32_t i = 0; i < kept; i++)
        x->moved[x->list[i]] = 0;
    for (int32_t i = 0; i < kept; i++) {
        compute_pulls(x, x->list[i]);
        enqueue(x, x->list[i]);
    }
}

/* A vertex that enters twice in one pass has left in between, and each leaves only once. */
static bool has_room(const node_search *x)
{
    return x->nmoves < x->most_moves && x->nlist <= x->room - x->s->g->nvtx;
}

/* Returns whether the pass improved the solution. */
static bool run_pass(node_search *x, const clv_node_fm_params *params, int direction)
{
    fill_queues(x);
    int32_t first_entered = x->nlist, nbest = 0;
    clv_separation_worth first = clv_separation_judge(x->s), best = first;
    x->nmoves = 0;
    while (x->nmoves - nbest <= params->patience && has_room(x)) {
        int to;
        int32_t v = pick(x, direction, &to);
        if (v < 0)
            break;
        move(x, v, to);
        clv_separation_worth now = clv_separation_judge(x->s);
        if (clv_separation_better(&now, &best)) {
            best = now;
            nbest = x->nmoves;
        }
    }
    for (int32_t i = 0; i < x->nmoves; i++)
        x->moved[x->moves[i].v] = 0;
    roll_back(x, nbest, first_entered);
    clv_gain_queue_clear(&x->queue[0]);
    clv_gain_queue_clear(&x->queue[1]);
    return clv_separation_better(&best, &first);
}

/* ---- All passes ------------------------------------------------------------------------- */

/* An upper bound on gains: a vertex, or all its neighbours. */
static int64_t largest_gain(const clv_graph *g)
{
    int64_t degree = 1, weight = 1;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t d = g->xadj[v + 1] - g->xadj[v], w = clv_graph_vwgt(g, v, 0);
        degree = d > degree ? d : degree;
        weight = w > weight ? w : weight;
    }
    int64_t bound;
    return clv_mul_i64(degree, weight, &bound) ? bound : INT64_MAX;
}

static cleave_status open_search(node_search *x, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = x->s->g;
    int64_t n = g->nvtx, bound = largest_gain(g);
    x->room = (int32_t)(3 * n < INT32_MAX ? 3 * n : INT32_MAX);
    x->most_moves = g->nvtx;
    x->moved = clv_ws_zalloc(ws, n, sizeof *x->moved);
    x->pull[0] = clv_ws_alloc(ws, n, sizeof *x->pull[0]);
    x->pull[1] = clv_ws_alloc(ws, n, sizeof *x->pull[1]);
    x->list = clv_ws_alloc(ws, x->room, sizeof *x->list);
    x->moves = clv_ws_alloc(ws, n, sizeof *x->moves);
    if (!x->moved || !x->pull[0] || !x->pull[1] || !x->list || !x->moves)
        return clv_fail_memory(err);
    CLV_TRY(clv_gain_queue_init(&x->queue[0], g->nvtx, bound, ws, err));
    CLV_TRY(clv_gain_queue_init(&x->queue[1], g->nvtx, bound, ws, err));
    for (int32_t v = 0; v < g->nvtx; v++)
        if (x->s->part[v] == clv_separator_part)
            x->list[x->nlist++] = v;
    return CLEAVE_OK;
}

cleave_status clv_node_fm(clv_separation *s, const clv_node_fm_params *params,
                          clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    node_search x = {.s = s};
    cleave_status status = open_search(&x, ctx->ws, err);
    int lighter = s->weight[1] < s->weight[0];
    int32_t in_vain = 0;
    for (int32_t pass = 0; status == CLEAVE_OK && pass < params->passes && in_vain < 3;
         pass++) {
        int direction = pass % 3 == 2 ? both_ways : (lighter + pass) % 2;
        in_vain = run_pass(&x, params, direction) ? 0 : in_vain + 1;
        if (clv_context_stop(ctx))
            break;
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
