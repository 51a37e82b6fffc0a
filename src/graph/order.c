/* SPDX-License-Identifier: Apache-2.0 */
/* graph/order.c - creating and freeing orders: a permutation of the vertices, with the prefix
 * sums that splitting needs. */
#include "graph/order.h"

#include <string.h>

#include "base/group.h"
#include "base/rng.h"

void clv_order_free(clv_order *o)
{
    if (!o)
        return;
    clv_arena_free(&o->arena);
    clv_sys_free(o);
}

/* place[v] becomes the position of v. */
static cleave_status find_places(int32_t nvtx, const int32_t *vertex, int32_t *place,
                                 cleave_error *err)
{
    for (int32_t v = 0; v < nvtx; v++)
        place[v] = -1;
    for (int32_t p = 0; p < nvtx; p++) {
        int32_t v = vertex[p];
        if (v < 0 || v >= nvtx)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is at place %ld of the order, but vertices run from "
                            "0 to %ld",
                            (long)v, (long)p, (long)nvtx - 1);
        if (place[v] >= 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is at places %ld and %ld of the order", (long)v,
                            (long)place[v], (long)p);
        place[v] = p;
    }
    return CLEAVE_OK;
}

/* An order with all its arrays; only `vertex` is filled. */
static cleave_status make_order(clv_order **out, int32_t nvtx, const char *method,
                                const int32_t *vertex, cleave_error *err)
{
    clv_order *o = clv_zalloc(1, sizeof *o);
    if (!o)
        return clv_fail_memory(err);
    int32_t *mine = clv_arena_alloc(&o->arena, nvtx, sizeof *mine);
    o->before = clv_arena_alloc(&o->arena, (int64_t)nvtx + 1, sizeof *o->before);
    if (!mine || !o->before) {
        clv_order_free(o);
        return clv_fail_memory(err);
    }
    o->nvtx = nvtx;
    o->residual = o->converged = -1;
    if (nvtx > 0)
        memcpy(mine, vertex, (size_t)nvtx * sizeof *mine);
    o->vertex = mine;
    strncpy(o->method, method, sizeof o->method - 1);
    *out = o;
    return CLEAVE_OK;
}

/* weight: that of vertex v is at v * stride. */
static cleave_status sum_weights(clv_order *o, clv_weights weight, int64_t stride,
                                 cleave_error *err)
{
    int64_t *before = (int64_t *)o->before, sum = 0;
    for (int32_t p = 0; p < o->nvtx; p++) {
        int32_t v = o->vertex[p];
        int64_t w = clv_weight_at(weight, v * stride);
        if (w < 0)
            return clv_fail(err, CLEAVE_EINVAL, "the weight of vertex %ld is %ld, below 0",
                            (long)v, (long)w);
        before[p] = sum;
        sum += w;
    }
    before[o->nvtx] = sum;
    return CLEAVE_OK;
}

/* An edge between positions a < b crosses the positions a + 1 .. b: collects what starts and
 * ends at each position, then sums from the left. */
static void sum_crossings(const clv_order *o, const clv_graph *g, const int32_t *place,
                          int64_t *crossing)
{
    memset(crossing, 0, ((size_t)o->nvtx + 1) * sizeof *crossing);
    for (int32_t v = 0; v < o->nvtx; v++) { /* by number: the rows follow one another */
        int32_t p = place[v];
        int64_t here = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t q = place[g->adj[a]];
            int64_t w = clv_graph_ewgt(g, a);
            if (g->kind == CLEAVE_UNDIRECTED) { /* it is also counted at its other end */
                here += q > p ? w : -w;
            } else {
                int32_t first = p < q ? p : q, last = p < q ? q : p;
                crossing[first + 1] += w;
                crossing[last + 1] -= w;
            }
        }
        crossing[p + 1] += here;
    }
    clv_running_sums(crossing, o->nvtx);
}

cleave_status clv_order_given(clv_order **out, int32_t nvtx, const int32_t *vertex,
                              const int32_t *weight, cleave_error *err)
{
    *out = NULL;
    if (nvtx < 0)
        return clv_fail(err, CLEAVE_EINVAL, "an order cannot have %ld vertices", (long)nvtx);
    int32_t *place = clv_alloc(nvtx, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    cleave_status status = find_places(nvtx, vertex, place, err);
    clv_sys_free(place);
    clv_order *o = NULL;
    if (status == CLEAVE_OK)
        status = make_order(&o, nvtx, "given", vertex, err);
    if (status == CLEAVE_OK)
        status = sum_weights(o, (clv_weights){weight, NULL}, 1, err);
    if (status != CLEAVE_OK) {
        clv_order_free(o);
        return status;
    }
    *out = o;
    return CLEAVE_OK;
}

/* Sum over all arcs: undirected edges count twice. */
static int64_t weigh_edges(const clv_graph *g)
{
    bool weighted = clv_weights_any(clv_graph_ewgts(g));
    int64_t sum = weighted ? 0 : g->narc;
    for (int64_t a = 0; weighted && a < g->narc; a++)
        sum += clv_graph_ewgt(g, a);
    return g->kind == CLEAVE_UNDIRECTED ? sum / 2 : sum;
}

/* Sets all fields that depend on the graph. */
static cleave_status add_graph(clv_order *o, const clv_graph *g, const int32_t *place,
                               cleave_error *err)
{
    if (weigh_edges(g) <= clv_most_crossing) {
        int64_t *crossing = clv_arena_alloc(&o->arena, (int64_t)g->nvtx + 1, sizeof *crossing);
        if (!crossing)
            return clv_fail_memory(err);
        sum_crossings(o, g, place, crossing);
        o->crossing = crossing;
    }
    o->hash = clv_order_hash(g);
    return sum_weights(o, clv_graph_vwgts(g), g->ncon, err);
}

cleave_status clv_order_new(clv_order **out, const clv_graph *g, const char *method,
                            const int32_t *vertex, clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *place = clv_ws_alloc(ws, g->nvtx, sizeof *place);
    clv_order *o = NULL;
    cleave_status status =
        place ? find_places(g->nvtx, vertex, place, err) : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        status = make_order(&o, g->nvtx, method, vertex, err);
    if (status == CLEAVE_OK)
        status = add_graph(o, g, place, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_order_free(o);
        return status;
    }
    *out = o;
    return CLEAVE_OK;
}

cleave_status clv_order_graph(clv_graph *view, const clv_graph *g, clv_ws *ws,
                              cleave_error *err)
{
    *view = *g;
    view->ncon = 1;
    clv_new_weights first;
    if (g->ncon == 1 || !clv_weights_any(clv_graph_vwgts(g)))
        return CLEAVE_OK;
    if (!clv_weights_zalloc(&first, g->wide_vwgt != NULL, g->nvtx, ws))
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        clv_weight_set(first, v, clv_graph_vwgt(g, v, 0));
    clv_graph_set_vwgts(view, clv_weights_of(first));
    return CLEAVE_OK;
}

/* ---- Hash ------------------------------------------------------------------------------- */

/* Four independent lanes: a step does not wait for the one before. */
typedef struct hash_lanes {
    uint64_t lane[4];
} hash_lanes;

static inline void hash_word(uint64_t *lane, uint64_t word)
{
    uint64_t mixed = (*lane ^ word) * 0x9e3779b97f4a7c15u;
    *lane = mixed ^ (mixed >> 32);
}

/* Absent weights hash as weights of 1. */
static CLV_ALWAYS_INLINE void hash_rows(hash_lanes *h, const clv_graph *g, bool weighted)
{
    hash_lanes now = *h; /* in registers */
    int64_t a = 0;
    for (; a < g->narc - g->narc % 4; a += 4)
        for (int i = 0; i < 4; i++) {
            uint32_t w = weighted ? (uint32_t)clv_graph_ewgt(g, a + i) : 1;
            hash_word(&now.lane[i], (uint64_t)(uint32_t)g->adj[a + i] << 32 | w);
        }
    for (; a < g->narc; a++)
        hash_word(&now.lane[a & 3],
                  (uint64_t)(uint32_t)g->adj[a] << 32 | (uint32_t)clv_graph_ewgt(g, a));
    *h = now;
}

static void hash_arcs(hash_lanes *h, const clv_graph *g)
{
    if (clv_weights_any(clv_graph_ewgts(g)))
        hash_rows(h, g, true);
    else
        hash_rows(h, g, false);
}

static void hash_vertices(hash_lanes *h, const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++) {
        hash_word(&h->lane[v & 1], (uint64_t)g->xadj[v + 1]);
        for (int32_t c = 0; c < g->ncon; c++)
            hash_word(&h->lane[2 + (v & 1)], (uint64_t)clv_graph_vwgt(g, v, c));
    }
}

uint64_t clv_order_hash(const clv_graph *g)
{
    hash_lanes h = {
        {(uint64_t)g->kind, (uint64_t)g->nvtx, (uint64_t)g->narc, (uint64_t)g->ncon}};
    hash_vertices(&h, g);
    hash_arcs(&h, g);
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++)
        hash = clv_hash64(hash ^ h.lane[i]);
    return hash != 0 ? hash : 1;
}

/* ---- Uses ------------------------------------------------------------------------------ */

/* Fails if an arc goes backward. */
static cleave_status check_directions(const clv_order *o, const clv_graph *g,
                                      cleave_error *err)
{
    int32_t *place = clv_alloc(o->nvtx, sizeof *place), from = -1, to = -1;
    if (!place)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < o->nvtx; p++)
        place[o->vertex[p]] = p;
    for (int32_t v = 0; v < g->nvtx && from < 0; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (place[g->adj[a]] < place[v]) {
                from = v;
                to = g->adj[a];
            }
    clv_sys_free(place);
    if (from < 0)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL,
                    "the arc from vertex %ld to vertex %ld runs backward in the order, so "
                    "that its intervals could depend on each other in a cycle",
                    (long)from, (long)to);
}

cleave_status clv_order_check(const clv_order *o, const clv_graph *g, cleave_error *err)
{
    if (o->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the order has %ld vertices, but the graph has %ld", (long)o->nvtx,
                        (long)g->nvtx);
    if (o->hash && o->hash != clv_order_hash(g))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the order was made from another graph: edges, weights or directions "
                        "differ");
    return g->kind == CLEAVE_DAG ? check_directions(o, g, err) : CLEAVE_OK;
}

cleave_status clv_order_complete(clv_order *o, const clv_graph *g, cleave_error *err)
{
    if (o->crossing && o->hash)
        return CLEAVE_OK;
    clv_ws ws = {0};
    clv_order *whole;
    cleave_status status = clv_order_new(&whole, g, o->method, o->vertex, &ws, err);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK)
        return status;
    clv_order given = *o;
    whole->residual = o->residual;
    whole->converged = o->converged;
    *o = *whole;
    *whole = given;
    clv_order_free(whole);
    return CLEAVE_OK;
}

double clv_order_average_crossing(const clv_order *o)
{
    double sum = 0;
    if (!o->crossing)
        return -1;
    for (int32_t p = 1; p < o->nvtx; p++)
        sum += (double)o->crossing[p];
    return o->nvtx > 1 ? sum / (o->nvtx - 1) : 0;
}

static cleave_status check_intervals(const clv_order *o, int32_t npes, const int32_t *begin,
                                     const int32_t *end, cleave_error *err)
{
    for (int32_t pe = 0; pe < npes; pe++)
        if (begin[pe] < 0 || begin[pe] > end[pe] || end[pe] > o->nvtx)
            return clv_fail(err, CLEAVE_EINVAL,
                            "PE %ld has places %ld to %ld, but places run from 0 to %ld",
                            (long)pe, (long)begin[pe], (long)end[pe] - 1, (long)o->nvtx - 1);
    return CLEAVE_OK;
}

static cleave_status fill_intervals(clv_mapping *m, const clv_order *o, const int32_t *begin,
                                    const int32_t *end, cleave_error *err)
{
    for (int32_t v = 0; v < m->nvtx; v++)
        m->part[v] = -1;
    for (int32_t pe = 0; pe < m->nparts; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++) {
            int32_t *part = &m->part[o->vertex[p]];
            if (*part >= 0)
                return clv_fail(err, CLEAVE_EINVAL, "place %ld is of two PEs, %ld and %ld",
                                (long)p, (long)*part, (long)pe);
            *part = pe;
        }
    for (int32_t p = 0; p < o->nvtx; p++)
        if (m->part[o->vertex[p]] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "place %ld is of no PE", (long)p);
    return CLEAVE_OK;
}

cleave_status clv_order_mapping(clv_mapping **out, const clv_order *o, int32_t npes,
                                const int32_t *begin, const int32_t *end, cleave_error *err)
{
    CLV_TRY(check_intervals(o, npes, begin, end, err));
    CLV_TRY(clv_mapping_new(out, o->nvtx, npes, NULL, err));
    cleave_status status = fill_intervals(*out, o, begin, end, err);
    if (status != CLEAVE_OK) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
}
