/* SPDX-License-Identifier: Apache-2.0 */
/* order/spectral_source.c - the values of recursive spectral bisection [Pothen, Simon, Liou
 * 1990]: the Fiedler vector of the subgraph that a set of vertices induces.
 *
 * If a set is disconnected, its components follow one another, the largest first, each in the
 * order of its own Fiedler vector.  A cut between two components costs nothing, and a cut
 * through one of them is as good as if it were alone. */
#include "order/spectral_source.h"

#include <assert.h>
#include <string.h>

#include "order/fiedler.h"

/* An error of a hundredth only exchanges vertices that are close in the order anyway. */
static const double tolerance = 0.01;

/* ---- Quality of the vectors ------------------------------------------------------------- */

static void note(clv_spectral_notes *notes, const clv_fiedler_result *result)
{
    uint64_t bits, worst;
    if (!notes)
        return;
    memcpy(&bits, &result->residual, sizeof bits);
    worst = atomic_load(&notes->worst);
    while (bits > worst && !atomic_compare_exchange_weak(&notes->worst, &worst, bits))
        ;
    atomic_store(&notes->computed, true);
    if (!result->converged)
        atomic_store(&notes->missed, true);
}

clv_spectral_quality clv_spectral_summary(const clv_spectral_notes *notes)
{
    uint64_t bits = atomic_load(&notes->worst);
    clv_spectral_quality quality = {.computed = atomic_load(&notes->computed)};
    quality.converged = quality.computed && !atomic_load(&notes->missed);
    memcpy(&quality.residual, &bits, sizeof bits);
    return quality;
}

/* Computes the Fiedler vector of a connected graph and records its quality. */
static cleave_status solve(const clv_graph *g, clv_spectral_notes *notes, clv_context *ctx,
                           double *x, cleave_error *err)
{
    clv_fiedler_result result;
    CLV_TRY(clv_fiedler(g, tolerance, ctx, x, &result, err));
    note(notes, &result);
    return CLEAVE_OK;
}

/* ---- Index of a vertex in the set ------------------------------------------------------- */

typedef struct places {
    const int32_t *vertex;
    int32_t *place; /* by vertex, or a hash table; -1: not in the set, or free */
    int shift;      /* of the hash; 0: no hash table */
    uint32_t mask;
} places;

static uint32_t slot_of(const places *p, int32_t v)
{
    return ((uint32_t)v * 0x9e3779b1u) >> p->shift;
}

static int32_t place_of(const places *p, int32_t v)
{
    if (p->shift == 0)
        return p->place[v];
    for (uint32_t slot = slot_of(p, v);; slot = (slot + 1) & p->mask)
        if (p->place[slot] < 0 || p->vertex[p->place[slot]] == v)
            return p->place[slot];
}

/* Small sets of a large graph use a hash table, so that their cost does not depend on the
 * graph. */
static cleave_status make_places(places *p, const clv_graph *g, int32_t count,
                                 const int32_t *vertex, clv_ws *ws, cleave_error *err)
{
    int bits = 2;
    while (bits < 31 && (INT64_C(1) << bits) < 2 * (int64_t)count)
        bits++;
    bool direct = count >= g->nvtx / 8 || bits == 31;
    int64_t size = direct ? g->nvtx : INT64_C(1) << bits;
    *p = (places){.vertex = vertex, .shift = direct ? 0 : 32 - bits};
    p->mask = (uint32_t)(size - 1);
    p->place = clv_ws_alloc(ws, size, sizeof *p->place);
    if (!p->place)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < size; i++)
        p->place[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        uint32_t slot = direct ? (uint32_t)vertex[i] : slot_of(p, vertex[i]);
        while (!direct && p->place[slot] >= 0)
            slot = (slot + 1) & p->mask;
        p->place[slot] = i;
    }
    return CLEAVE_OK;
}

/* ---- The induced graph ------------------------------------------------------------------ */

typedef struct rows {
    int64_t *xadj;
    int32_t *adj;
    clv_new_weights ewgt; /* none: all 1 */
} rows;

static int64_t arcs_of(const clv_graph *g, int32_t count, const int32_t *vertex)
{
    int64_t arcs = 0;
    for (int32_t i = 0; i < count; i++) {
        arcs += g->xadj[vertex[i] + 1] - g->xadj[vertex[i]];
        if (g->kind == CLEAVE_DAG)
            arcs += g->xpred[vertex[i] + 1] - g->xpred[vertex[i]];
    }
    return arcs;
}

static int64_t add_row(const places *p, const rows *r, int64_t at, const int64_t *xadj,
                       const int32_t *adj, clv_weights ewgt, int32_t v)
{
    for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
        int32_t place = place_of(p, adj[a]);
        if (place < 0 || clv_weight_at(ewgt, a) == 0)
            continue;
        r->adj[at] = place;
        if (clv_weights_any(ewgt))
            clv_weight_set(r->ewgt, at, clv_weight_at(ewgt, a));
        at++;
    }
    return at;
}

/* Is the set all vertices, in numerical order, of an undirected graph without weights?  Then
 * it induces the graph itself. */
static bool is_whole(const clv_graph *g, int32_t count, const int32_t *vertex)
{
    if (count != g->nvtx || g->kind == CLEAVE_DAG || clv_weights_any(clv_graph_ewgts(g)))
        return false;
    for (int32_t i = 0; i < count; i++)
        if (vertex[i] != i)
            return false;
    return true;
}

static void view_rows(clv_graph *sub, int32_t count, const int64_t *xadj, const int32_t *adj)
{
    *sub =
        (clv_graph){.kind = CLEAVE_UNDIRECTED, .nvtx = count, .narc = xadj[count], .ncon = 1};
    sub->xadj = sub->xpred = xadj;
    sub->adj = sub->pred = adj;
}

/* Edges of weight 0 are left out; the arcs of a DAG become edges.  Arrays from ws, or those of
 * g. */
static cleave_status induce(clv_graph *sub, const clv_graph *g, int32_t count,
                            const int32_t *vertex, clv_ws *ws, cleave_error *err)
{
    if (is_whole(g, count, vertex)) {
        view_rows(sub, count, g->xadj, g->adj);
        return CLEAVE_OK;
    }
    int64_t arcs = arcs_of(g, count, vertex), at = 0;
    rows r = {clv_ws_alloc(ws, (int64_t)count + 1, sizeof *r.xadj),
              clv_ws_alloc(ws, arcs, sizeof *r.adj),
              {0}};
    bool weighted = clv_weights_any(clv_graph_ewgts(g));
    places p;
    if (!r.xadj || !r.adj ||
        (weighted && !clv_weights_zalloc(&r.ewgt, g->wide_ewgt != NULL, arcs, ws)))
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(make_places(&p, g, count, vertex, ws, err));
    for (int32_t i = 0; i < count; i++) {
        r.xadj[i] = at;
        at = add_row(&p, &r, at, g->xadj, g->adj, clv_graph_ewgts(g), vertex[i]);
        if (g->kind == CLEAVE_DAG)
            at = add_row(&p, &r, at, g->xpred, g->pred, clv_graph_pwgts(g), vertex[i]);
    }
    r.xadj[count] = at;
    clv_ws_restore(ws, mark);
    view_rows(sub, count, r.xadj, r.adj);
    clv_graph_set_ewgts(sub, clv_weights_of(r.ewgt));
    clv_graph_set_pwgts(sub, clv_weights_of(r.ewgt));
    return CLEAVE_OK;
}

/* ---- Components ------------------------------------------------------------------------- */

/* Maps the Fiedler vector of one component into 0..1/2 and adds the position of the component
 * among the others. */
static cleave_status value_component(const clv_graph *g, int32_t count, const int32_t *vertex,
                                     double base, double *value, clv_spectral_notes *notes,
                                     clv_context *ctx, cleave_error *err)
{
    clv_graph sub;
    double *x = clv_ws_alloc(ctx->ws, count, sizeof *x);
    if (!x)
        return clv_fail_memory(err);
    x[0] = 0;
    if (count > 1) {
        CLV_TRY(induce(&sub, g, count, vertex, ctx->ws, err));
        CLV_TRY(solve(&sub, notes, ctx, x, err));
    }
    double low = x[0], high = x[0];
    for (int32_t i = 1; i < count; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    for (int32_t i = 0; i < count; i++)
        value[vertex[i]] = base + (high > low ? (x[i] - low) / (high - low) / 2 : 0);
    return CLEAVE_OK;
}

static cleave_status value_components(const clv_graph *g, int32_t ncomponents,
                                      const int32_t *component, double *value,
                                      clv_spectral_notes *notes, clv_context *ctx,
                                      cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t *first = clv_ws_zalloc(ws, (int64_t)ncomponents + 2, sizeof *first);
    int32_t *member = clv_ws_alloc(ws, g->nvtx, sizeof *member);
    if (!first || !member)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        first[component[v] + 2]++;
    for (int32_t c = 0; c < ncomponents; c++)
        first[c + 2] += first[c + 1];
    for (int32_t v = 0; v < g->nvtx; v++)
        member[first[component[v] + 1]++] = v;
    for (int32_t c = 0; c < ncomponents; c++) {
        clv_ws_mark mark = clv_ws_save(ws);
        CLV_TRY(value_component(g, first[c + 1] - first[c], member + first[c], c, value, notes,
                                ctx, err));
        clv_ws_restore(ws, mark);
    }
    return CLEAVE_OK;
}

/* After the deadline: values by number instead of vectors. */
static cleave_status value_by_number(int32_t count, double *value, clv_spectral_notes *notes)
{
    for (int32_t i = 0; i < count; i++)
        value[i] = i;
    note(notes, &(clv_fiedler_result){.residual = 1});
    return CLEAVE_OK;
}

static cleave_status value_set(const clv_graph *g, int32_t count, const int32_t *vertex,
                               double *value, clv_spectral_notes *notes, clv_context *ctx,
                               cleave_error *err)
{
    clv_graph sub;
    int32_t ncomponents, *component = clv_ws_alloc(ctx->ws, count, sizeof *component);
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(induce(&sub, g, count, vertex, ctx->ws, err));
    CLV_TRY(clv_fiedler_pieces(&sub, ctx->ws, component, &ncomponents, err));
    if (clv_context_stop(ctx))
        return value_by_number(count, value, notes);
    if (ncomponents > 1)
        return value_components(&sub, ncomponents, component, value, notes, ctx, err);
    return solve(&sub, notes, ctx, value, err);
}

static cleave_status spectral_values(const void *data, const clv_graph *g, int32_t count,
                                     const int32_t *vertex, double *value, clv_context *ctx,
                                     cleave_error *err)
{
    clv_spectral_notes *const *notes = data;
    assert(count >= 2);
    if (clv_context_stop(ctx))
        return value_by_number(count, value, notes ? *notes : NULL);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = value_set(g, count, vertex, value, notes ? *notes : NULL, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

const clv_halving_source clv_source_spectral = {spectral_values, NULL, false};

clv_halving_source clv_source_spectral_noting(clv_spectral_notes *const *notes)
{
    return (clv_halving_source){spectral_values, notes, false};
}
