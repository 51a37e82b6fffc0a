/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/contract.c - contraction by merging the rows of each coarse vertex's members.
 *
 * Members of a coarse vertex are listed by a counting sort.  Each thread processes a
 * contiguous range of coarse vertices and writes their rows at the offset of their fine arcs,
 * which leaves enough room.  The ranges are then compacted.  The system never allocates pages
 * of the oversized array that are not written. */
#include "coarsen/contract.h"

#include <assert.h>
#include <string.h>

#include "coarsen/sparsify.h"
#include "graph/derive.h"
#include "graph/topology.h"

enum {                        /* not tuned */
       parallel_from = 20000, /* arcs; with fewer, one thread is faster */
       sample_step = 16,      /* sampling interval of rows for the density */
       rows_between_clocks = 4096
};

/* The kind of the fine edge weights, as a compile-time constant of the loop: most graphs are
 * one of the first two, and both widths are narrow then. */
typedef enum source { unit_weights, narrow_weights, any_weights } source;

typedef struct contraction {
    const clv_graph *g;
    const int32_t *map;
    clv_contraction how;
    int64_t threshold; /* lighter edges are sampled; 1: none */
    int32_t ncoarse;
    int64_t *first;  /* ncoarse + 1: first index into member */
    int32_t *member; /* fine vertices, grouped by coarse vertex */
    int64_t *xadj;   /* ncoarse + 1 */
    int32_t *adj;
    clv_new_weights ewgt, vwgt; /* of the coarse graph */
    int32_t **slot;             /* by thread: index of a coarse neighbour in the current row */
    int32_t *bound;             /* by thread: range of coarse vertices */
    int64_t *begin;             /* by thread: initial offset of its rows */
    int64_t *written;           /* by thread: number of arcs */
    clv_context *ctx;
} contraction;

/* ---- Widths ----------------------------------------------------------------------------- */

/* Can a sum of edge weights exceed 31 bits? */
static bool edges_are_wide(const clv_graph *g)
{
    int64_t sum = clv_weights_any(clv_graph_ewgts(g)) ? 0 : g->narc;
    for (int64_t a = 0; g->ewgt && a < g->narc; a++)
        sum += g->ewgt[a];
    for (int64_t a = 0; g->wide_ewgt && a < g->narc; a++)
        sum += g->wide_ewgt[a];
    return sum / (g->kind == CLEAVE_UNDIRECTED ? 2 : 1) > INT32_MAX;
}

static bool vertices_are_wide(const clv_graph *g)
{
    for (int32_t i = 0; i < g->ncon && clv_weights_any(clv_graph_vwgts(g)); i++) {
        int64_t sum = 0;
        for (int32_t v = 0; v < g->nvtx; v++)
            sum += clv_graph_vwgt(g, v, i);
        if (sum > INT32_MAX)
            return true;
    }
    return false;
}

/* ---- Rows ------------------------------------------------------------------------------- */

static void list_members(contraction *c)
{
    int32_t n = c->g->nvtx;
    memset(c->first, 0, (size_t)(c->ncoarse + 1) * sizeof *c->first);
    for (int32_t v = 0; v < n; v++)
        c->first[c->map[v] + 1]++;
    for (int32_t x = 0; x < c->ncoarse; x++)
        c->first[x + 1] += c->first[x];
    for (int32_t v = 0; v < n; v++)
        c->member[c->first[c->map[v]]++] = v;
    for (int32_t x = c->ncoarse; x > 0; x--)
        c->first[x] = c->first[x - 1];
    c->first[0] = 0;
}

static void sum_weights(contraction *c, int32_t x)
{
    int32_t ncon = c->g->ncon;
    for (int32_t i = 0; i < ncon; i++) {
        int64_t sum = 0, at = (int64_t)x * ncon + i;
        for (int64_t m = c->first[x]; m < c->first[x + 1]; m++)
            sum += clv_graph_vwgt(c->g, c->member[m], i);
        clv_weight_set(c->vwgt, at, sum);
    }
}

static inline clv_new_weights weights_from(clv_new_weights w, int64_t at)
{
    return (clv_new_weights){w.narrow ? w.narrow + at : NULL, w.wide ? w.wide + at : NULL};
}

static inline int64_t weight_of(clv_new_weights w, int64_t i, source from)
{
    return from != any_weights || w.narrow ? w.narrow[i] : w.wide[i];
}

static inline void put_weight(clv_new_weights w, int64_t i, int64_t weight, source from)
{
    if (from != any_weights)
        w.narrow[i] = (int32_t)weight;
    else
        clv_weight_set(w, i, weight);
}

/* Adds the arcs of fine vertex v to the row of x, which has `count` neighbours so far. */
static CLV_ALWAYS_INLINE int32_t add_row(const contraction *c, int32_t x, int32_t v,
                                         int32_t *slot, int32_t *adj, clv_new_weights ewgt,
                                         int32_t count, source from)
{
    const clv_graph *g = c->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t y = c->map[g->adj[a]];
        if (y == x)
            continue;
        int64_t w = from == unit_weights     ? 1
                    : from == narrow_weights ? g->ewgt[a]
                                             : clv_graph_ewgt(g, a);
        int32_t place = slot[y];
        if (place < count && adj[place] == y) {
            put_weight(ewgt, place, weight_of(ewgt, place, from) + w, from);
        } else {
            slot[y] = count;
            adj[count] = y;
            put_weight(ewgt, count++, w, from);
        }
    }
    return count;
}

/* Writes the row of coarse vertex x to adj and ewgt; returns its length. */
static int32_t gather_row(const contraction *c, int32_t x, int32_t *slot, int32_t *adj,
                          clv_new_weights ewgt)
{
    int32_t count = 0;
    for (int64_t m = c->first[x]; m < c->first[x + 1]; m++)
        if (!ewgt.narrow || c->g->wide_ewgt)
            count = add_row(c, x, c->member[m], slot, adj, ewgt, count, any_weights);
        else if (c->g->ewgt)
            count = add_row(c, x, c->member[m], slot, adj, ewgt, count, narrow_weights);
        else
            count = add_row(c, x, c->member[m], slot, adj, ewgt, count, unit_weights);
    return count;
}

static int32_t thin_out(const contraction *c, int32_t x, int32_t *adj, clv_new_weights ewgt,
                        int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t y = adj[i];
        int64_t w = weight_of(ewgt, i, any_weights);
        if (w < c->threshold && !clv_sparsify_keeps(x, y, w, c->threshold, c->how.salt))
            continue;
        adj[kept] = y;
        clv_weight_set(ewgt, kept++, w < c->threshold ? c->threshold : w);
    }
    return kept;
}

/* Only the calling thread calls the callback. */
static bool is_ended(const contraction *c, int member)
{
    if (!c->how.may_end)
        return false;
    return member == 0 ? clv_context_stop(c->ctx) : clv_context_is_stopped(c->ctx);
}

static void build_rows(void *context, int member, int size)
{
    (void)size;
    contraction *c = context;
    int64_t at = c->begin[member];
    for (int32_t x = c->bound[member]; x < c->bound[member + 1]; x++) {
        if (x % rows_between_clocks == 0 && is_ended(c, member))
            return;
        int32_t *adj = c->adj + at;
        clv_new_weights ewgt = weights_from(c->ewgt, at);
        int32_t count = gather_row(c, x, c->slot[member], adj, ewgt);
        if (c->threshold > 1)
            count = thin_out(c, x, adj, ewgt, count);
        sum_weights(c, x);
        c->xadj[x] = at - c->begin[member];
        at += count;
    }
    c->written[member] = at - c->begin[member];
}

/* Builds a sample of the rows only for their weights, in the space of the first rows. */
static void choose_threshold(contraction *c)
{
    clv_weight_histogram histogram = {{0}};
    for (int32_t x = 0; x < c->ncoarse; x++) {
        if (clv_hash64(c->how.salt + (uint64_t)(uint32_t)x) % sample_step != 0)
            continue;
        int32_t count = gather_row(c, x, c->slot[0], c->adj, c->ewgt);
        for (int32_t i = 0; i < count; i++)
            histogram.count[clv_weight_bin(weight_of(c->ewgt, i, any_weights))]++;
    }
    c->threshold = clv_sparsify_threshold(&histogram, c->how.most_arcs / sample_step);
}

/* Ranges with about the same number of fine arcs; begin[i]: number of fine arcs before range
 * i. */
static void split_ranges(contraction *c, int threads)
{
    const clv_graph *g = c->g;
    int64_t arcs = 0;
    int thread = 0;
    c->bound[0] = 0;
    c->begin[0] = 0;
    for (int32_t x = 0; x < c->ncoarse && thread + 1 < threads; x++) {
        if (arcs * threads >= g->narc * (thread + 1)) {
            thread++;
            c->bound[thread] = x;
            c->begin[thread] = arcs;
        }
        for (int64_t m = c->first[x]; m < c->first[x + 1]; m++)
            arcs += g->xadj[c->member[m] + 1] - g->xadj[c->member[m]];
    }
    while (thread + 1 < threads) {
        c->bound[++thread] = c->ncoarse;
        c->begin[thread] = g->narc;
    }
    c->bound[threads] = c->ncoarse;
}

/* Closes the gaps between the ranges.  Returns the number of arcs. */
static int64_t join_ranges(contraction *c, int threads)
{
    int64_t at = 0;
    for (int i = 0; i < threads; i++) {
        size_t count = (size_t)c->written[i];
        int64_t from = c->begin[i];
        if (at != from) {
            memmove(c->adj + at, c->adj + from, count * sizeof *c->adj);
            if (c->ewgt.narrow)
                memmove(c->ewgt.narrow + at, c->ewgt.narrow + from, count * sizeof(int32_t));
            else
                memmove(c->ewgt.wide + at, c->ewgt.wide + from, count * sizeof(int64_t));
        }
        for (int32_t x = c->bound[i]; x < c->bound[i + 1]; x++)
            c->xadj[x] += at;
        at += c->written[i];
    }
    c->xadj[c->ncoarse] = at;
    return at;
}

/* ---- The whole -------------------------------------------------------------------------- */

static bool allocate_scratch(contraction *c, int threads, clv_ws *ws)
{
    c->first = clv_ws_alloc(ws, (int64_t)c->ncoarse + 1, sizeof *c->first);
    c->member = clv_ws_alloc(ws, c->g->nvtx, sizeof *c->member);
    c->slot = clv_ws_zalloc(ws, threads, sizeof *c->slot);
    c->bound = clv_ws_alloc(ws, threads + 1, sizeof *c->bound);
    c->begin = clv_ws_alloc(ws, threads + 1, sizeof *c->begin);
    c->written = clv_ws_zalloc(ws, threads, sizeof *c->written);
    if (!c->first || !c->member || !c->slot || !c->bound || !c->begin || !c->written)
        return false;
    for (int i = 0; i < threads; i++) {
        c->slot[i] = clv_ws_zalloc(ws, c->ncoarse, sizeof *c->slot[i]);
        if (!c->slot[i])
            return false;
    }
    return true;
}

/* Allocates space for as many arcs as the fine graph has; the graph does not own it yet.  On
 * failure all of it is freed. */
static bool allocate_rows(contraction *c)
{
    int64_t narc = c->g->narc;
    c->adj = clv_alloc(narc, sizeof *c->adj);
    if (!c->how.sums_fit && edges_are_wide(c->g))
        c->ewgt.wide = clv_alloc(narc, sizeof *c->ewgt.wide);
    else
        c->ewgt.narrow = clv_alloc(narc, sizeof *c->ewgt.narrow);
    if (c->adj && (c->ewgt.wide || c->ewgt.narrow))
        return true;
    clv_sys_free(c->adj);
    clv_sys_free(c->ewgt.wide);
    clv_sys_free(c->ewgt.narrow);
    return false;
}

/* Shrinks the array and transfers it to the graph.  Returns NULL when out of memory; the array
 * is then freed. */
static void *adopt_shrunk(clv_graph *coarse, void *array, int64_t count, size_t each)
{
    void *smaller = clv_realloc(array, count, each);
    if (smaller)
        array = smaller;
    if (clv_arena_adopt(&coarse->arena, array))
        return array;
    clv_sys_free(array);
    return NULL;
}

static bool adopt_rows(clv_graph *coarse, contraction *c)
{
    int64_t narc = coarse->narc;
    c->adj = adopt_shrunk(coarse, c->adj, narc, sizeof *c->adj);
    if (c->ewgt.wide)
        c->ewgt.wide = adopt_shrunk(coarse, c->ewgt.wide, narc, sizeof *c->ewgt.wide);
    else
        c->ewgt.narrow = adopt_shrunk(coarse, c->ewgt.narrow, narc, sizeof *c->ewgt.narrow);
    return c->adj && (c->ewgt.wide || c->ewgt.narrow);
}

static bool allocate_vertices(clv_graph *coarse, contraction *c)
{
    int64_t count = (int64_t)c->ncoarse * c->g->ncon;
    c->xadj = clv_arena_alloc(&coarse->arena, (int64_t)c->ncoarse + 1, sizeof *c->xadj);
    if (!c->how.sums_fit && vertices_are_wide(c->g))
        c->vwgt.wide = clv_arena_alloc(&coarse->arena, count, sizeof *c->vwgt.wide);
    else
        c->vwgt.narrow = clv_arena_alloc(&coarse->arena, count, sizeof *c->vwgt.narrow);
    return c->xadj && (c->vwgt.wide || c->vwgt.narrow);
}

static cleave_status fill(clv_graph *coarse, contraction *c, clv_context *ctx,
                          cleave_error *err)
{
    int threads = c->g->narc < parallel_from ? 1 : clv_context_threads(ctx);
    if (!allocate_vertices(coarse, c) || !allocate_scratch(c, threads, ctx->ws))
        return clv_fail_memory(err);
    list_members(c);
    split_ranges(c, threads);
    if (!allocate_rows(c))
        return clv_fail_memory(err);
    if (c->how.most_arcs > 0)
        choose_threshold(c);
    clv_team_run(threads > 1 ? ctx->team : NULL, build_rows, c);
    bool ended = c->how.may_end && clv_context_is_stopped(ctx);
    coarse->narc = ended ? 0 : join_ranges(c, threads);
    return adopt_rows(coarse, c) ? CLEAVE_OK : clv_fail_memory(err);
}

#ifndef NDEBUG
/* Also returns true if there is no memory for the check. */
static bool has_no_cycle(const clv_graph *g, clv_ws *ws)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    bool acyclic = true;
    if (order &&
        clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &acyclic, NULL) != CLEAVE_OK)
        acyclic = true;
    clv_ws_restore(ws, mark);
    return acyclic;
}
#endif

/* The rows of a DAG so far are those of the successors. */
static cleave_status add_predecessors(clv_graph *coarse, cleave_error *err)
{
    clv_arena *arena = &coarse->arena;
    int64_t narc = coarse->narc;
    int64_t *xpred = clv_arena_alloc(arena, (int64_t)coarse->nvtx + 1, sizeof *xpred);
    int32_t *pred = clv_arena_alloc(arena, narc, sizeof *pred);
    bool wide = coarse->wide_ewgt != NULL;
    int32_t *pwgt = wide ? NULL : clv_arena_alloc(arena, narc, sizeof *pwgt);
    int64_t *wide_pwgt = wide ? clv_arena_alloc(arena, narc, sizeof *wide_pwgt) : NULL;
    if (!xpred || !pred || (!pwgt && !wide_pwgt))
        return clv_fail_memory(err);
    if (wide)
        clv_derive_transpose_wide(coarse->nvtx, coarse->xadj, coarse->adj, coarse->wide_ewgt,
                                  xpred, pred, wide_pwgt);
    else
        clv_derive_transpose_rows(coarse->nvtx, coarse->xadj, coarse->adj, coarse->ewgt, xpred,
                                  pred, pwgt);
    coarse->xpred = xpred;
    coarse->pred = pred;
    coarse->pwgt = pwgt;
    coarse->wide_pwgt = wide_pwgt;
    return CLEAVE_OK;
}

static cleave_status finish(clv_graph *coarse, const contraction *c, clv_context *ctx,
                            cleave_error *err)
{
    coarse->kind = c->g->kind;
    coarse->nvtx = c->ncoarse;
    coarse->ncon = c->g->ncon;
    coarse->xadj = coarse->xpred = c->xadj;
    coarse->adj = coarse->pred = c->adj;
    clv_graph_set_ewgts(coarse, clv_weights_of(c->ewgt));
    clv_graph_set_pwgts(coarse, clv_weights_of(c->ewgt));
    clv_graph_set_vwgts(coarse, clv_weights_of(c->vwgt));
    if (coarse->kind == CLEAVE_UNDIRECTED)
        return CLEAVE_OK;
    assert(has_no_cycle(coarse, ctx->ws));
    (void)ctx;
    return add_predecessors(coarse, err);
}

cleave_status clv_contract(clv_graph **out, const clv_graph *g, const int32_t *map,
                           int32_t ncoarse, clv_contraction *how, clv_context *ctx,
                           cleave_error *err)
{
    *out = NULL;
    clv_graph *coarse = clv_graph_new();
    if (!coarse)
        return clv_fail_memory(err);
    contraction c = {
        .g = g, .map = map, .how = *how, .threshold = 1, .ncoarse = ncoarse, .ctx = ctx};
    /* A contraction that begins after the stop is completed. */
    c.how.may_end = how->may_end && !clv_context_is_stopped(ctx);
    clv_context_count(ctx, g->narc);
    if (g->kind == CLEAVE_DAG)
        c.how.most_arcs = 0;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = fill(coarse, &c, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    bool ended = c.how.may_end && clv_context_is_stopped(ctx);
    if (status == CLEAVE_OK && !ended)
        status = finish(coarse, &c, ctx, err);
    if (status != CLEAVE_OK || ended) {
        clv_graph_free(coarse);
        return status;
    }
    how->thinned = c.threshold > 1;
    *out = coarse;
    return CLEAVE_OK;
}
