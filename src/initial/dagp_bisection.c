/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_bisection.c - initial bisections of dagP [Herrmann et al. 2019], see
 * initial/dagp_bisection.h.
 *
 * Growing starts with all vertices on one side.  A vertex may change sides when all its
 * predecessors have (from the sinks: its successors), so every state on the way is acyclic;
 * the best one by (overload, cut) is kept.  The gain of a ready vertex, arcs from the grown
 * side minus arcs to the other one, is constant. */
#include "initial/dagp_bisection.h"

#include <assert.h>
#include <string.h>

#include "base/queue.h"
#include "base/rng.h"
#include "graph/topology.h"
#include "initial/dag_orders.h"
#include "refine/dagp/boundary_fm.h"

enum { stage = 0xda6b, steps_between_looks = 1024 };

/* The best candidate so far. */
typedef struct best {
    clv_worth worth;
    int32_t *part;
    int32_t rank[2];
} best;

/* Refines s and keeps it if it is better. */
static cleave_status try_candidate(best *b, clv_partition_state *s, clv_context *ctx,
                                   cleave_error *err)
{
    clv_state_measure(s, ctx);
    CLV_TRY(clv_dagp_boundary_fm(s, ctx, err));
    clv_worth now = clv_state_worth(s);
    if (!clv_worth_better(now, b->worth))
        return CLEAVE_OK;
    b->worth = now;
    memcpy(b->part, s->part, (size_t)s->g->nvtx * sizeof *b->part);
    memcpy(b->rank, s->rank, sizeof b->rank);
    return CLEAVE_OK;
}

static void take_best(const best *b, clv_partition_state *s, clv_context *ctx)
{
    memcpy(s->part, b->part, (size_t)s->g->nvtx * sizeof *b->part);
    memcpy(s->rank, b->rank, sizeof b->rank);
    clv_state_measure(s, ctx);
}

static cleave_status open_best(best *b, const clv_partition_state *s, clv_ws *ws,
                               cleave_error *err)
{
    assert(s->rank && s->bounds.nparts == 2 && !s->fixed);
    *b = (best){.worth = clv_worth_none()};
    b->part = clv_ws_alloc(ws, s->g->nvtx, sizeof *b->part);
    return b->part ? CLEAVE_OK : clv_fail_memory(err);
}

/* ---- Greedy directed graph growing ------------------------------------------------------ */

typedef enum priority {
    by_gain,    /* arcs from the grown side minus the others */
    by_arcs_in, /* arcs from the grown side */
    in_phases,  /* by arcs in up to nine tenths of the share, then by gain */
    priorities
} priority;

typedef struct growing {
    clv_partition_state *s;
    clv_graph g; /* mirrored if it grows from the sinks */
    int32_t side;
    priority by;
    clv_heap ready; /* by random number, so that ties are random */
    int32_t *lot, *drawn;
    int64_t *waiting; /* by vertex: predecessors not taken yet */
    int32_t *taken;   /* in order */
} growing;

static int64_t sum_of(clv_weights w, int64_t begin, int64_t end)
{
    int64_t sum = 0;
    for (int64_t a = begin; a < end; a++)
        sum += clv_weight_at(w, a);
    return sum;
}

static int64_t gain_of(const growing *w, int32_t v)
{
    const clv_graph *g = &w->g;
    return sum_of(clv_graph_pwgts(g), g->xpred[v], g->xpred[v + 1]) -
           sum_of(clv_graph_ewgts(g), g->xadj[v], g->xadj[v + 1]);
}

static void make_ready(growing *w, int32_t v, bool late)
{
    const clv_graph *g = &w->g;
    int64_t key = w->by == by_gain || late
                      ? gain_of(w, v)
                      : sum_of(clv_graph_pwgts(g), g->xpred[v], g->xpred[v + 1]);
    clv_heap_set(&w->ready, w->lot[v], key);
}

/* Does the second phase begin? */
static bool is_late(const growing *w)
{
    const clv_partition_state *s = w->s;
    int64_t at = (int64_t)w->side * s->g->ncon;
    return w->by == in_phases && (double)s->weight[at] >= 0.9 * s->bounds.share[at];
}

/* Until the other side is empty; then all moves after the best state are undone. */
static void grow_side(growing *w, clv_context *ctx)
{
    clv_partition_state *s = w->s;
    int32_t n = s->g->nvtx, ntaken = 0, kept = 0;
    bool late = false;
    clv_worth least = clv_worth_none();
    for (int32_t v = 0; v < n; v++)
        if (w->waiting[v] == 0)
            make_ready(w, v, false);
    while (w->ready.count > 0) {
        if (ntaken % steps_between_looks == 0 && ntaken > 0 && clv_context_stop(ctx))
            break;
        if (!late && is_late(w)) {
            late = true;
            for (int32_t i = 0; i < n; i++)
                if (clv_heap_has(&w->ready, i))
                    make_ready(w, w->drawn[i], true);
        }
        int32_t v = w->drawn[clv_heap_pop(&w->ready)];
        s->cut -= gain_of(w, v);
        clv_state_move(s, v, w->side);
        w->taken[ntaken++] = v;
        for (int64_t a = w->g.xadj[v]; a < w->g.xadj[v + 1]; a++)
            if (--w->waiting[w->g.adj[a]] == 0)
                make_ready(w, w->g.adj[a], late);
        clv_worth now = clv_state_worth(s);
        if (clv_worth_better(now, least)) {
            least = now;
            kept = ntaken;
        }
    }
    for (int32_t i = kept; i < ntaken; i++)
        s->part[w->taken[i]] = 1 - w->side;
}

static cleave_status grow_once(clv_partition_state *s, int32_t run, clv_context *ctx,
                               cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t n = s->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_rng rng = clv_rng_make(ctx->seed, stage, (uint64_t)run, 0);
    growing w = {.s = s, .side = run % 2, .by = (priority)(run / 2 % priorities)};
    w.g = w.side ? clv_dag_mirrored(s->g) : *s->g;
    w.lot = clv_ws_alloc(ws, n, sizeof *w.lot);
    w.drawn = clv_ws_alloc(ws, n, sizeof *w.drawn);
    w.waiting = clv_ws_alloc(ws, n, sizeof *w.waiting);
    w.taken = clv_ws_alloc(ws, n, sizeof *w.taken);
    if (!w.lot || !w.drawn || !w.waiting || !w.taken)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&w.ready, n, ws, err));
    clv_rng_permutation(&rng, n, w.drawn);
    for (int32_t i = 0; i < n; i++)
        w.lot[w.drawn[i]] = i;
    for (int32_t v = 0; v < n; v++) {
        s->part[v] = 1 - w.side;
        w.waiting[v] = w.g.xpred[v + 1] - w.g.xpred[v];
    }
    s->rank[0] = 0;
    s->rank[1] = 1;
    clv_state_measure(s, ctx);
    grow_side(&w, ctx);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_dagp_grow(clv_partition_state *s, int32_t runs, clv_context *ctx,
                            cleave_error *err)
{
    best b;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(open_best(&b, s, ctx->ws, err));
    for (int32_t run = 0; run < runs && (run == 0 || !clv_context_stop(ctx)); run++) {
        CLV_TRY(grow_once(s, run, ctx, err));
        CLV_TRY(try_candidate(&b, s, ctx, err));
    }
    take_best(&b, s, ctx);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- Undirected bisections made acyclic ------------------------------------------------- */

/* The vertices of `first` pull in their ancestors. */
static void pull_ancestors(clv_partition_state *s, const int32_t *order, int32_t first)
{
    const clv_graph *g = s->g;
    for (int32_t i = g->nvtx; i-- > 0;)
        if (s->part[order[i]] == first)
            for (int64_t a = g->xpred[order[i]]; a < g->xpred[order[i] + 1]; a++)
                s->part[g->pred[a]] = first;
}

/* The vertices outside `first` push out their descendants. */
static void push_descendants(clv_partition_state *s, const int32_t *order, int32_t first)
{
    const clv_graph *g = s->g;
    for (int32_t i = 0; i < g->nvtx; i++)
        if (s->part[order[i]] != first)
            for (int64_t a = g->xadj[order[i]]; a < g->xadj[order[i] + 1]; a++)
                s->part[g->adj[a]] = 1 - first;
}

static cleave_status fix_all_ways(best *b, clv_partition_state *s, const int32_t *given,
                                  const int32_t *order, clv_context *ctx, cleave_error *err)
{
    for (int32_t way = 0; way < 4; way++) {
        int32_t first = way / 2;
        if (way > 0 && clv_context_stop(ctx))
            break;
        memcpy(s->part, given, (size_t)s->g->nvtx * sizeof *s->part);
        s->rank[first] = 0;
        s->rank[1 - first] = 1;
        if (way % 2)
            push_descendants(s, order, first);
        else
            pull_ancestors(s, order, first);
        CLV_TRY(try_candidate(b, s, ctx, err));
    }
    return CLEAVE_OK;
}

cleave_status clv_dagp_fix(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    best b;
    int32_t n = s->g->nvtx;
    bool complete = false;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(open_best(&b, s, ctx->ws, err));
    int32_t *given = clv_ws_alloc(ctx->ws, n, sizeof *given);
    int32_t *order = clv_ws_alloc(ctx->ws, n, sizeof *order);
    if (!given || !order)
        return clv_fail_memory(err);
    memcpy(given, s->part, (size_t)n * sizeof *given);
    CLV_TRY(clv_topology_sort(n, s->g->xadj, s->g->adj, ctx->ws, order, &complete, err));
    assert(complete);
    CLV_TRY(fix_all_ways(&b, s, given, order, ctx, err));
    take_best(&b, s, ctx);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
