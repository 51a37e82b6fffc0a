/* SPDX-License-Identifier: Apache-2.0 */
/* initial/repair.c - repairs cyclic partitions, see initial/repair.h. */
#include "initial/repair.h"

#include <assert.h>
#include <string.h>

#include "base/sort.h"
#include "graph/priority_order.h"
#include "graph/topology.h"
#include "initial/dag_orders.h"
#include "initial/fixed_order.h"
#include "order/slices.h"
#include "refine/balance/acyclic_balance.h"

typedef enum remedy { push_forward, pull_back, slice_forward, slice_back, remedies } remedy;

enum {
    most_passed = 8, /* approximate number of parts that all weight may have to pass; not
                        tuned */
    /* An overload of this fraction of the weight is cheap to balance: docs/design/acyclic.md,
     * "Repair of a partition without directions". */
    cheap_share = 32,
    border_scale = 1 << 20,
    border_sweeps = 4 /* as in refine/moves/reslice.c */
};

typedef struct repairing {
    clv_partition_state *s;
    clv_context *ctx;
    int32_t *given;      /* nvtx: the parts passed by the caller */
    int32_t *order;      /* nvtx: a topological order */
    int32_t *sliced;     /* nvtx: another such order */
    int64_t *middle;     /* nvtx: mean of the levels from the sources and to the sinks */
    int32_t *border;     /* nvtx: 0 near the parts before its own .. border_scale */
    int64_t *priority;   /* nvtx */
    int32_t *by_rank;    /* nparts */
    int32_t *low, *high; /* nvtx: allowed ranks */
    int32_t *best, *best_rank;
    clv_worth worth; /* of the best partition */
    remedy best_how;
    bool fine; /* the given partition is acyclic and within the bounds */
    bool quick;
} repairing;

/* ---- The order of the parts ------------------------------------------------------------- */

static cleave_status find_middles(repairing *w, cleave_error *err)
{
    const clv_graph *g = w->s->g;
    clv_ws *ws = w->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *top = clv_ws_alloc(ws, g->nvtx, sizeof *top);
    int32_t *late = clv_ws_alloc(ws, g->nvtx, sizeof *late);
    if (!top || !late)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_TOP, ws, top, NULL, err));
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ws, late, NULL, err));
    for (int32_t v = 0; v < g->nvtx; v++)
        w->middle[v] = (int64_t)top[v] + late[v];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status order_parts(repairing *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    clv_ws *ws = w->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *item = clv_ws_alloc(ws, s->bounds.nparts, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, s->bounds.nparts, sizeof *scratch);
    int32_t *count = clv_ws_zalloc(ws, s->bounds.nparts, sizeof *count);
    if (!item || !scratch || !count)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        item[p] = (clv_sort_item){.key = 0, .with.index = p};
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        item[w->given[v]].key += w->middle[v];
        count[w->given[v]]++;
    }
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        item[p].key = count[p] ? (int64_t)((double)item[p].key / count[p] * 1024) : 0;
    item = clv_sort(item, scratch, s->bounds.nparts);
    for (int32_t i = 0; i < s->bounds.nparts; i++)
        w->by_rank[i] = (int32_t)item[i].with.index;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Distance from the borders -----------------------------------------------------------
 */

/* The mean of the neighbours, where those of earlier parts count as 0 and those of later ones
 * as border_scale. */
static int32_t mean_of_neighbours(const repairing *w, int32_t v, const int32_t *x)
{
    const clv_graph *g = w->s->g;
    const int32_t *rank = w->s->rank;
    double sum = 0, weight = 0;
    int32_t own = rank[w->given[v]];
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        double c = (double)clv_graph_pwgt(g, a);
        int32_t u = g->pred[a], r = rank[w->given[u]];
        weight += c;
        sum += c * (r == own ? x[u] : r < own ? 0 : border_scale);
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        double c = (double)clv_graph_ewgt(g, a);
        int32_t u = g->adj[a], r = rank[w->given[u]];
        weight += c;
        sum += c * (r == own ? x[u] : r < own ? 0 : border_scale);
    }
    return weight > 0 ? (int32_t)(sum / weight) : border_scale / 2;
}

/* The parts have the ranks of by_rank. */
static cleave_status find_borders(repairing *w, cleave_error *err)
{
    int32_t n = w->s->g->nvtx;
    clv_ws *ws = w->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *x = w->border, *y = clv_ws_alloc(ws, n, sizeof *y);
    if (!y)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < w->s->bounds.nparts; i++)
        w->s->rank[w->by_rank[i]] = i;
    for (int32_t v = 0; v < n; v++)
        x[v] = border_scale / 2;
    for (int i = 0; i < border_sweeps; i += 2) {
        for (int32_t v = 0; v < n; v++)
            y[v] = mean_of_neighbours(w, v, x);
        for (int32_t v = 0; v < n; v++)
            x[v] = mean_of_neighbours(w, v, y);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Remedies --------------------------------------------------------------------------- */

/* Returns whether all vertices stay in their part. */
static bool push(repairing *w)
{
    clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    bool unchanged = true;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = w->order[i], r = s->rank[w->given[v]];
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t q = s->rank[s->part[g->pred[a]]];
            r = q > r ? q : r;
        }
        s->part[v] = w->by_rank[r < w->high[v] ? r : w->high[v]];
        unchanged = unchanged && s->part[v] == w->given[v];
    }
    return unchanged;
}

static void pull(repairing *w)
{
    clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = w->order[i], r = s->rank[w->given[v]];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t q = s->rank[s->part[g->adj[a]]];
            r = q < r ? q : r;
        }
        s->part[v] = w->by_rank[r > w->low[v] ? r : w->low[v]];
    }
}

/* An order by part as far as the arcs allow; within parts by level or, from the end, by the
 * distance from the borders, which follows the given parts where levels cross them (a stencil
 * cut in space). */
static cleave_status slice(repairing *w, bool from_end, cleave_error *err)
{
    clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t wish = (int64_t)s->rank[w->given[v]] * ((int64_t)UINT32_MAX + 1) +
                       (from_end ? w->border[v] : w->middle[v]);
        w->priority[v] = from_end ? -wish : wish;
    }
    clv_graph m = from_end ? clv_dag_mirrored(g) : *g;
    bool complete = false, met;
    int64_t cut;
    CLV_TRY(clv_priority_order(g->nvtx, m.xadj, m.adj, w->priority, w->ctx->ws, w->sliced,
                               &complete, err));
    if (from_end)
        clv_dag_order_reverse(g->nvtx, w->sliced);
    CLV_TRY(clv_fixed_order(s, w->by_rank, w->ctx->ws, w->sliced, err));
    clv_slices_task task = {.g = g,
                            .order = w->sliced,
                            .by_rank = w->by_rank,
                            .bounds = s->bounds,
                            .fixed = s->fixed,
                            .quick = w->quick,
                            .ctx = w->ctx};
    CLV_TRY(clv_slices(&task, w->ctx->ws, s->part, &cut, &met, err));
    assert(cut >= 0);
    return CLEAVE_OK;
}

static double weight_of_all(const clv_partition_state *s)
{
    double total = 0;
    for (int64_t i = 0; i < clv_bounds_places(&s->bounds); i++)
        total += (double)s->weight[i];
    return total;
}

bool clv_repair_beyond_balance(const clv_partition_state *s)
{
    return (double)clv_state_overload(s) * s->bounds.nparts > most_passed * weight_of_all(s);
}

/* Fills s->part and the fields that depend on it. */
static cleave_status apply(repairing *w, remedy how, cleave_error *err)
{
    clv_partition_state *s = w->s;
    bool unchanged = false;
    for (int32_t i = 0; i < s->bounds.nparts; i++)
        s->rank[w->by_rank[i]] = i;
    if (how == push_forward)
        unchanged = push(w);
    else if (how == pull_back)
        pull(w);
    else
        CLV_TRY(slice(w, how == slice_back, err));
    clv_state_measure(s, w->ctx);
    w->fine = unchanged && clv_state_overload(s) == 0;
    return CLEAVE_OK;
}

/* Rebalances the result of a remedy and keeps it if it is the best. */
static cleave_status finish(repairing *w, remedy how, cleave_error *err)
{
    clv_partition_state *s = w->s;
    if ((how == push_forward || how == pull_back) && clv_repair_beyond_balance(s))
        return CLEAVE_OK;
    CLV_TRY(clv_acyclic_balance(s, w->ctx, err));
    clv_worth now = clv_state_worth(s);
    if (!clv_worth_better(now, w->worth))
        return CLEAVE_OK;
    w->worth = now;
    w->best_how = how;
    memcpy(w->best, s->part, (size_t)s->g->nvtx * sizeof *s->part);
    memcpy(w->best_rank, s->rank, (size_t)s->bounds.nparts * sizeof *s->rank);
    return CLEAVE_OK;
}

/* ---- All of them ------------------------------------------------------------------------ */

static cleave_status try_remedy(repairing *w, remedy how, cleave_error *err)
{
    CLV_TRY(apply(w, how, err));
    return finish(w, how, err);
}

static cleave_status try_all(repairing *w, cleave_error *err)
{
    /* Slices last, but at least one slicing, because slices are within the bounds. */
    for (int how = 0; how < remedies && !w->fine; how++)
        if (how == slice_forward || w->worth.overload > 0 || !clv_context_stop(w->ctx))
            CLV_TRY(try_remedy(w, (remedy)how, err));
    return CLEAVE_OK;
}

static bool is_cheap(const clv_partition_state *s)
{
    return (double)clv_state_overload(s) * cheap_share <= weight_of_all(s);
}

/* Rebalancing takes time in proportion to the overload, and a large overload leaves little of
 * the given partition.  The direction with the larger overload is therefore skipped unless
 * rebalancing is cheap.  Slices are made only from the better end. */
static cleave_status try_gentler(repairing *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    CLV_TRY(apply(w, push_forward, err));
    int64_t pushed = clv_state_overload(s);
    bool done = w->fine || is_cheap(s);
    if (done)
        CLV_TRY(finish(w, push_forward, err));
    if (w->fine)
        return CLEAVE_OK;
    if (!clv_context_stop(w->ctx)) {
        CLV_TRY(apply(w, pull_back, err));
        if (is_cheap(s) || clv_state_overload(s) < pushed)
            CLV_TRY(finish(w, pull_back, err));
        else if (!done)
            CLV_TRY(try_remedy(w, push_forward, err));
    }
    if (w->worth.overload == 0 && clv_context_stop(w->ctx))
        return CLEAVE_OK;
    return try_remedy(w, w->best_how == pull_back ? slice_back : slice_forward, err);
}

/* An acyclic partition needs no other repair. */
static cleave_status try_order(repairing *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    w->fine = false;
    for (int32_t i = 0; i < s->bounds.nparts; i++)
        s->rank[w->by_rank[i]] = i;
    if (!clv_fixed_ranks(s, w->order, w->low, w->high))
        return clv_fail(err, CLEAVE_ECYCLE,
                        "the fixed vertices contradict the order of their parts");
    return w->quick ? try_gentler(w, err) : try_all(w, err);
}

static cleave_status repair(repairing *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    const clv_graph *g = s->g;
    bool complete = false;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, w->ctx->ws, w->order, &complete, err));
    assert(complete);
    CLV_TRY(find_middles(w, err));
    memcpy(w->given, s->part, (size_t)g->nvtx * sizeof *w->given);
    for (int32_t p = 0; p < s->bounds.nparts && s->fixed; p++)
        w->by_rank[s->rank[p]] = p;
    if (!s->fixed)
        CLV_TRY(order_parts(w, err));
    CLV_TRY(find_borders(w, err));
    CLV_TRY(try_order(w, err));
    if (s->bounds.nparts == 2 && !s->fixed && !(w->quick && w->fine)) {
        clv_dag_order_reverse(2, w->by_rank);
        for (int32_t v = 0; v < g->nvtx; v++)
            w->border[v] = border_scale - w->border[v];
        CLV_TRY(try_order(w, err));
    }
    memcpy(s->part, w->best, (size_t)g->nvtx * sizeof *s->part);
    memcpy(s->rank, w->best_rank, (size_t)s->bounds.nparts * sizeof *s->rank);
    clv_state_measure(s, w->ctx);
    return CLEAVE_OK;
}

cleave_status clv_repair(clv_partition_state *s, bool quick, clv_context *ctx,
                         cleave_error *err)
{
    assert(s->g->kind == CLEAVE_DAG && s->rank);
    int32_t n = s->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    repairing w = {.s = s, .ctx = ctx, .worth = clv_worth_none(), .quick = quick};
    w.given = clv_ws_alloc(ctx->ws, n, sizeof *w.given);
    w.order = clv_ws_alloc(ctx->ws, n, sizeof *w.order);
    w.sliced = clv_ws_alloc(ctx->ws, n, sizeof *w.sliced);
    w.middle = clv_ws_alloc(ctx->ws, n, sizeof *w.middle);
    w.priority = clv_ws_alloc(ctx->ws, n, sizeof *w.priority);
    w.border = clv_ws_alloc(ctx->ws, n, sizeof *w.border);
    w.low = clv_ws_alloc(ctx->ws, n, sizeof *w.low);
    w.high = clv_ws_alloc(ctx->ws, n, sizeof *w.high);
    w.best = clv_ws_alloc(ctx->ws, n, sizeof *w.best);
    w.best_rank = clv_ws_alloc(ctx->ws, s->bounds.nparts, sizeof *w.best_rank);
    w.by_rank = clv_ws_alloc(ctx->ws, s->bounds.nparts, sizeof *w.by_rank);
    if (!w.given || !w.order || !w.sliced || !w.middle || !w.border || !w.priority || !w.low ||
        !w.high || !w.best || !w.best_rank || !w.by_rank)
        return clv_fail_memory(err);
    cleave_status status = repair(&w, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
