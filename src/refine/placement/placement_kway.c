/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_kway.c - placement of the parts of a mapping: whole parts change
 * places.
 *
 * The quotient graph of the parts is the graph of a placement; its arcs lead both ways, also
 * those of a DAG.  Besides the bounds on weights, an empty place that must not be empty adds
 * one to the overload, as in clv_state_overload. */
#include <string.h>

#include "base/group.h"
#include "graph/derive.h"
#include "refine/placement/placement.h"

typedef cleave_status improver(clv_placement *p, const void *params, clv_context *ctx,
                               cleave_error *err);

/* ---- Edges ------------------------------------------------------------------------------ */

/* Rows with arcs in both directions from those of the successors; parallel arcs are not
 * merged. */
static cleave_status both_ways(clv_placement *p, const clv_quotient *q, clv_ws *ws,
                               cleave_error *err)
{
    int64_t narc = q->xadj[q->nparts];
    int64_t *xadj = clv_ws_zalloc(ws, q->nparts + INT64_C(1), sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, 2 * narc, sizeof *adj);
    int64_t *weight = clv_ws_alloc(ws, 2 * narc, sizeof *weight);
    if (!xadj || !adj || !weight)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < q->nparts; i++)
        for (int64_t a = q->xadj[i]; a < q->xadj[i + 1]; a++) {
            xadj[i + 1]++;
            xadj[q->adj[a] + 1]++;
        }
    clv_group_starts(xadj, q->nparts);
    for (int32_t i = 0; i < q->nparts; i++)
        for (int64_t a = q->xadj[i]; a < q->xadj[i + 1]; a++) {
            int64_t there = xadj[i + 1]++, back = xadj[q->adj[a] + 1]++;
            adj[there] = q->adj[a];
            adj[back] = i;
            weight[there] = weight[back] = q->cut[a];
        }
    p->xadj = xadj;
    p->adj = adj;
    p->weight = weight;
    return CLEAVE_OK;
}

static cleave_status make_edges(clv_placement *p, const clv_partition_state *s, clv_ws *ws,
                                cleave_error *err)
{
    clv_quotient q;
    clv_graph g = *s->g;
    if (g.kind != CLEAVE_DAG) { /* coarse levels may not have this flag */
        g.xpred = g.xadj;
        g.pred = g.adj;
        clv_graph_set_pwgts(&g, clv_graph_ewgts(&g));
    }
    CLV_TRY(clv_derive_quotient_rows(&q, &g, s->bounds.nparts, s->part, ws, err));
    if (g.kind == CLEAVE_DAG)
        return both_ways(p, &q, ws, err);
    p->xadj = q.xadj;
    p->adj = q.adj;
    p->weight = q.cut;
    return CLEAVE_OK;
}

/* ---- Bounds ----------------------------------------------------------------------------- */

static cleave_status make_bounds(clv_placement *p, const clv_partition_state *s, clv_ws *ws,
                                 cleave_error *err)
{
    int32_t ncon = s->g->ncon;
    int64_t count = (int64_t)s->bounds.nparts * (ncon + 1);
    int64_t *need = clv_ws_alloc(ws, count, sizeof *need);
    int64_t *max = clv_ws_alloc(ws, count, sizeof *max);
    int64_t *min = clv_ws_alloc(ws, count, sizeof *min);
    if (!need || !max || !min)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < s->bounds.nparts; i++) {
        int64_t to = (int64_t)i * (ncon + 1), from = (int64_t)i * ncon;
        for (int32_t c = 0; c < ncon; c++) {
            need[to + c] = s->weight[from + c];
            max[to + c] = s->bounds.max[from + c];
            min[to + c] = s->bounds.min ? s->bounds.min[from + c] : 0;
        }
        need[to + ncon] = s->count[i] > 0;
        max[to + ncon] = 1;
        min[to + ncon] = clv_bounds_wants_vertex(&s->bounds, i);
    }
    p->need = need;
    p->bounds = (clv_bounds){s->bounds.nparts, ncon + 1, NULL, max, min};
    return CLEAVE_OK;
}

static cleave_status make_fixed(clv_placement *p, const clv_partition_state *s, clv_ws *ws,
                                cleave_error *err)
{
    uint8_t *fixed = clv_ws_zalloc(ws, s->bounds.nparts, sizeof *fixed);
    p->at = clv_ws_alloc(ws, s->bounds.nparts, sizeof *p->at);
    if (!fixed || !p->at)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < s->bounds.nparts; i++)
        p->at[i] = i;
    for (int32_t v = 0; s->fixed && v < s->g->nvtx; v++)
        if (s->fixed[v] >= 0)
            fixed[s->part[v]] = 1;
    p->fixed = fixed;
    return CLEAVE_OK;
}

/* ---- New numbers ------------------------------------------------------------------------ */

/* Moves the data of part i to at[i]; copy has as many bytes. */
static void carry(void *array, const int32_t *at, int32_t count, size_t each, char *copy)
{
    if (!array)
        return;
    memcpy(copy, array, (size_t)count * each);
    for (int32_t i = 0; i < count; i++)
        memcpy((char *)array + (size_t)at[i] * each, copy + (size_t)i * each, each);
}

static cleave_status renumber(clv_partition_state *s, const clv_placement *p, int64_t gain,
                              clv_ws *ws, cleave_error *err)
{
    size_t each = (size_t)s->g->ncon * sizeof *s->weight;
    char *copy = clv_ws_alloc(ws, s->bounds.nparts, each);
    if (!copy)
        return clv_fail_memory(err);
    carry(s->weight, p->at, s->bounds.nparts, each, copy);
    carry(s->count, p->at, s->bounds.nparts, sizeof *s->count, copy);
    carry(s->rank, p->at, s->bounds.nparts, sizeof *s->rank, copy);
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->part[v] = p->at[s->part[v]];
    s->cut -= gain;
    return CLEAVE_OK;
}

static cleave_status place_parts(clv_partition_state *s, improver *improve, const void *params,
                                 clv_context *ctx, cleave_error *err)
{
    clv_placement p = {.nitems = s->bounds.nparts, .machine = s->machine};
    clv_context_count(ctx, s->g->narc);
    CLV_TRY(make_edges(&p, s, ctx->ws, err));
    if (clv_context_stop(ctx)) /* with many parts that was a pass of its own */
        return CLEAVE_OK;
    CLV_TRY(make_bounds(&p, s, ctx->ws, err));
    CLV_TRY(make_fixed(&p, s, ctx->ws, err));
    int64_t before = clv_placement_cost(&p);
    CLV_TRY(improve(&p, params, ctx, err));
    return renumber(s, &p, before - clv_placement_cost(&p), ctx->ws, err);
}

static cleave_status place_on_machine(clv_partition_state *s, improver *improve,
                                      const void *params, clv_context *ctx, cleave_error *err)
{
    if (s->bounds.nparts < 2 || !s->machine || clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = place_parts(s, improve, params, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* ---- The two objectives ----------------------------------------------------------------- */

static cleave_status improve_cost(clv_placement *p, const void *params, clv_context *ctx,
                                  cleave_error *err)
{
    return clv_placement_improve(p, params, ctx, err);
}

cleave_status clv_placement_kway(clv_partition_state *s, const clv_placement_params *params,
                                 clv_context *ctx, cleave_error *err)
{
    return place_on_machine(s, improve_cost, params, ctx, err);
}

typedef struct relieving {
    int32_t steps;
    int64_t *largest;
} relieving;

static cleave_status improve_loads(clv_placement *p, const void *params, clv_context *ctx,
                                   cleave_error *err)
{
    const relieving *r = params;
    return clv_placement_relieve(p, r->steps, r->largest, ctx, err);
}

cleave_status clv_placement_relieve_kway(clv_partition_state *s, int32_t steps,
                                         int64_t *largest, clv_context *ctx, cleave_error *err)
{
    relieving r = {steps, largest};
    return place_on_machine(s, improve_loads, &r, ctx, err);
}
