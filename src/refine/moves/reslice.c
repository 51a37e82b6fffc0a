/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/reslice.c - see refine/moves/reslice.h.
 *
 * The order inside a part: vertices close to the previous part come first, those close to the
 * next part last.  The distance from the boundaries is smoothed over neighbours, as in a few
 * steps towards a harmonic function that is 0 on earlier parts and 1 on later ones, so that
 * slices are compact whatever the numbering is. */
#include "refine/moves/reslice.h"

#include <assert.h>
#include <string.h>

#include "graph/priority_order.h"
#include "order/slices.h"
#include "order/tighten.h"

enum {
    rounds = 3, /* acyclic.md "Re-slicing": one round, 0.8025 instead of 0.7983 */
    sweeps = 4, /* 2 and 8 sweeps: 0.7995 and 0.7973 */
    scale = 1 << 20,
    least_gain = 500 /* another round if one gains this fraction of the cut */
};

typedef struct reslicing {
    clv_partition_state *s;
    clv_context *ctx;
    int32_t *by_rank;  /* nparts */
    int32_t *order;    /* nvtx */
    int32_t *part;     /* nvtx: the new parts */
    int64_t *priority; /* nvtx */
} reslicing;

/* ---- Priorities: 0..scale inside a part ------------------------------------------------- */

/* The mean of the neighbours, where those of earlier parts count as 0 and those of later parts
 * as scale. */
static int64_t pull(const reslicing *w, int32_t v, const int32_t *x)
{
    const clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    double sum = 0, weight = 0;
    int32_t own = s->part[v];
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        double c = clv_graph_pwgt(g, a);
        weight += c;
        if (s->part[g->pred[a]] == own)
            sum += c * x[g->pred[a]];
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        double c = clv_graph_ewgt(g, a);
        weight += c;
        sum += c * (s->part[g->adj[a]] == own ? x[g->adj[a]] : scale);
    }
    return weight > 0 ? (int64_t)(sum / weight) : scale / 2;
}

static cleave_status approach_borders(reslicing *w, int32_t *x, cleave_error *err)
{
    int32_t n = w->s->g->nvtx;
    int32_t *y = clv_ws_alloc(w->ctx->ws, n, sizeof *y);
    if (!y)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        x[v] = scale / 2;
    for (int sweep = 0; sweep < sweeps; sweep += 2) {
        for (int32_t v = 0; v < n; v++)
            y[v] = (int32_t)pull(w, v, x);
        for (int32_t v = 0; v < n; v++)
            x[v] = (int32_t)pull(w, v, y);
    }
    return CLEAVE_OK;
}

/* Is there no time for the order?  It takes longer than the distances from the borders, which
 * took `seconds`. */
static bool is_too_late(clv_context *ctx, double seconds)
{
    bool lacks = clv_context_lacks(ctx, seconds);
    if (lacks)
        clv_context_hurry(ctx);
    return clv_context_stop(ctx) || lacks;
}

/* A topological order, part after part, inside each by priority.  *ended: there was no time
 * for it. */
static cleave_status order_by_border(reslicing *w, bool *ended, cleave_error *err)
{
    const clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    clv_ws_mark mark = clv_ws_save(w->ctx->ws);
    int32_t *x = clv_ws_alloc(w->ctx->ws, g->nvtx, sizeof *x);
    if (!x)
        return clv_fail_memory(err);
    double begin = clv_context_now(w->ctx);
    CLV_TRY(approach_borders(w, x, err));
    *ended = is_too_late(w->ctx, clv_context_now(w->ctx) - begin);
    if (*ended)
        return CLEAVE_OK;
    for (int32_t v = 0; v < g->nvtx; v++)
        w->priority[v] = (int64_t)s->rank[s->part[v]] * ((int64_t)INT32_MAX + 1) + x[v];
    bool complete = false;
    CLV_TRY(clv_priority_order(g->nvtx, g->xadj, g->adj, w->priority, w->ctx->ws, w->order,
                               &complete, err));
    assert(complete);
    clv_ws_restore(w->ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- Slices ----------------------------------------------------------------------------- */

static cleave_status slice(reslicing *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    clv_slices_task task = {.g = s->g,
                            .order = w->order,
                            .by_rank = w->by_rank,
                            .bounds = s->bounds,
                            .fixed = s->fixed,
                            .ctx = w->ctx};
    int64_t cut;
    bool met;
    CLV_TRY(clv_slices(&task, w->ctx->ws, w->part, &cut, &met, err));
    /* Slices that break the bounds are worse than a state that keeps them, and no better than
     * others: clv_acyclic_balance handles those. */
    if (cut < 0 || !met || (clv_state_overload(s) == 0 && cut >= s->cut))
        return CLEAVE_OK;
    memcpy(s->part, w->part, (size_t)s->g->nvtx * sizeof *s->part);
    clv_state_measure(s, w->ctx);
    return CLEAVE_OK;
}

/* The order as it is, then tightened: tightening moves vertices across boundaries, which can
 * be worse where fixed vertices or bounds are in the way. */
static cleave_status slice_twice(reslicing *w, bool ties_late, cleave_error *err)
{
    CLV_TRY(slice(w, err));
    if (clv_context_stop(w->ctx))
        return CLEAVE_OK;
    CLV_TRY(clv_order_tighten(w->s->g, ties_late, w->ctx->ws, w->order, err));
    return slice(w, err);
}

/* Orders are sliced as long as that gains enough. */
static cleave_status reslice_all(reslicing *w, cleave_error *err)
{
    bool better = true, ended = false;
    for (int32_t i = 0; i < rounds && better && !clv_context_stop(w->ctx); i++) {
        int64_t overload = clv_state_overload(w->s), cut = w->s->cut;
        CLV_TRY(order_by_border(w, &ended, err));
        if (ended)
            break;
        CLV_TRY(slice_twice(w, i % 2 == 0, err));
        better = overload > 0 ? clv_state_overload(w->s) < overload
                              : w->s->cut < cut - cut / least_gain;
    }
    return CLEAVE_OK;
}

cleave_status clv_reslice(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    assert(s->g->kind == CLEAVE_DAG && s->rank);
    if (s->bounds.nparts < 2 || s->g->nvtx == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    reslicing w = {.s = s, .ctx = ctx};
    w.by_rank = clv_ws_alloc(ctx->ws, s->bounds.nparts, sizeof *w.by_rank);
    w.order = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.order);
    w.part = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.part);
    w.priority = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.priority);
    if (!w.by_rank || !w.order || !w.part || !w.priority)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        w.by_rank[s->rank[p]] = p;
    cleave_status status = reslice_all(&w, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
