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

#include "base/group.h"
#include "graph/induced.h"
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

typedef struct solver {
    clv_spectral_notes *notes; /* NULL: none */
    clv_context *ctx;
} solver;

/* Computes the Fiedler vector of a connected graph and records its quality. */
static cleave_status solve(const solver *s, const clv_graph *g, double *x, cleave_error *err)
{
    clv_fiedler_result result;
    CLV_TRY(clv_fiedler(g, tolerance, s->ctx, x, &result, err));
    note(s->notes, &result);
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

static int32_t place_of(const void *set, int32_t v)
{
    const places *p = set;
    if (p->shift == 0)
        return p->place[v];
    for (uint32_t slot = slot_of(p, v);; slot = (slot + 1) & p->mask)
        if (p->place[slot] < 0 || p->vertex[p->place[slot]] == v)
            return p->place[slot];
}

/* Small sets of a large graph use a hash table, so that their cost does not depend on the
 * graph. */
static cleave_status make_places(places *p, const clv_subset *set, clv_ws *ws,
                                 cleave_error *err)
{
    const int32_t *vertex = set->vertex;
    int32_t count = set->count;
    int bits = 2;
    while (bits < 31 && (INT64_C(1) << bits) < 2 * (int64_t)count)
        bits++;
    bool direct = count >= set->g->nvtx / 8 || bits == 31;
    int64_t size = direct ? set->g->nvtx : INT64_C(1) << bits;
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

static int64_t arcs_of(const clv_subset *set)
{
    const clv_graph *g = set->g;
    int64_t arcs = 0;
    for (int32_t i = 0; i < set->count; i++) {
        int32_t v = set->vertex[i];
        arcs += g->xadj[v + 1] - g->xadj[v];
        if (g->kind == CLEAVE_DAG)
            arcs += g->xpred[v + 1] - g->xpred[v];
    }
    return arcs;
}

/* Is the set all vertices, in numerical order, of an undirected graph without weights?  Then
 * it induces the graph itself. */
static bool is_whole(const clv_subset *set)
{
    const clv_graph *g = set->g;
    if (set->count != g->nvtx || g->kind == CLEAVE_DAG || clv_weights_any(clv_graph_ewgts(g)))
        return false;
    for (int32_t i = 0; i < set->count; i++)
        if (set->vertex[i] != i)
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

static cleave_status induce_rows(clv_induced_rows *to, const clv_subset *set, clv_ws *ws,
                                 cleave_error *err)
{
    const clv_graph *g = set->g;
    const clv_csr next = {g->xadj, g->adj, clv_graph_ewgts(g)};
    const clv_csr before = {g->xpred, g->pred, clv_graph_pwgts(g)};
    places p;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(make_places(&p, set, ws, err));
    for (int32_t i = 0; i < set->count; i++) {
        to->xadj[i] = to->narc;
        clv_induced_append(to, &next, set->vertex[i], place_of, &p, true);
        if (g->kind == CLEAVE_DAG)
            clv_induced_append(to, &before, set->vertex[i], place_of, &p, true);
    }
    to->xadj[set->count] = to->narc;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Edges of weight 0 are left out; the arcs of a DAG become edges.  Arrays from ws, or those of
 * set->g. */
static cleave_status induce(clv_graph *sub, const clv_subset *set, clv_ws *ws,
                            cleave_error *err)
{
    const clv_graph *g = set->g;
    if (is_whole(set)) {
        view_rows(sub, set->count, g->xadj, g->adj);
        return CLEAVE_OK;
    }
    clv_induced_rows r;
    CLV_TRY(clv_induced_open(&r, set->count, arcs_of(set), clv_graph_ewgts(g), ws, err));
    CLV_TRY(induce_rows(&r, set, ws, err));
    view_rows(sub, set->count, r.xadj, r.adj);
    clv_graph_set_ewgts(sub, clv_weights_of(r.weight));
    clv_graph_set_pwgts(sub, clv_weights_of(r.weight));
    return CLEAVE_OK;
}

/* ---- Components ------------------------------------------------------------------------- */

/* Maps the Fiedler vector of one component into 0..1/2 and adds the position of the component
 * among the others.  value: by vertex of the graph. */
static cleave_status value_component(const solver *s, const clv_subset *component, double base,
                                     double *value, cleave_error *err)
{
    clv_graph sub;
    int32_t count = component->count;
    double *x = clv_ws_alloc(s->ctx->ws, count, sizeof *x);
    if (!x)
        return clv_fail_memory(err);
    x[0] = 0;
    if (count > 1) {
        CLV_TRY(induce(&sub, component, s->ctx->ws, err));
        CLV_TRY(solve(s, &sub, x, err));
    }
    double low = x[0], high = x[0];
    for (int32_t i = 1; i < count; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    for (int32_t i = 0; i < count; i++)
        value[component->vertex[i]] =
            base + (high > low ? (x[i] - low) / (high - low) / 2 : 0);
    return CLEAVE_OK;
}

/* component: by vertex. */
static cleave_status value_components(const solver *s, const clv_graph *g, int32_t ncomponents,
                                      const int32_t *component, double *value,
                                      cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    clv_key_groups by;
    CLV_TRY(clv_key_groups_make(&by, g->nvtx, component, ncomponents, ws, err));
    for (int32_t c = 0; c < ncomponents; c++) {
        const clv_subset one = {g, by.first[c + 1] - by.first[c], by.member + by.first[c]};
        clv_ws_mark mark = clv_ws_save(ws);
        CLV_TRY(value_component(s, &one, c, value, err));
        clv_ws_restore(ws, mark);
    }
    return CLEAVE_OK;
}

/* After the deadline: values by number instead of vectors. */
static cleave_status value_by_number(const solver *s, int32_t count, double *value)
{
    for (int32_t i = 0; i < count; i++)
        value[i] = i;
    note(s->notes, &(clv_fiedler_result){.residual = 1});
    return CLEAVE_OK;
}

static cleave_status value_set(const solver *s, const clv_subset *set, double *value,
                               cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    clv_graph sub;
    int32_t ncomponents, *component = clv_ws_alloc(ws, set->count, sizeof *component);
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(induce(&sub, set, ws, err));
    CLV_TRY(clv_fiedler_pieces(&sub, ws, component, &ncomponents, err));
    if (clv_context_stop(s->ctx))
        return value_by_number(s, set->count, value);
    if (ncomponents > 1)
        return value_components(s, &sub, ncomponents, component, value, err);
    return solve(s, &sub, value, err);
}

static cleave_status spectral_values(const void *data, const clv_subset *set, double *value,
                                     clv_context *ctx, cleave_error *err)
{
    clv_spectral_notes *const *notes = data;
    const solver s = {.notes = notes ? *notes : NULL, .ctx = ctx};
    assert(set->count >= 2);
    if (clv_context_stop(ctx))
        return value_by_number(&s, set->count, value);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = value_set(&s, set, value, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

const clv_halving_source clv_source_spectral = {spectral_values, NULL, false};

clv_halving_source clv_source_spectral_noting(clv_spectral_notes *const *notes)
{
    return (clv_halving_source){spectral_values, notes, false};
}
