/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/contract.c - contraction by merging the rows of each coarse vertex's members.
 *
 * Members of a coarse vertex are listed by a counting sort.  The coarse vertices are divided
 * into blocks, which threads process independently: they write the rows at the offset of the
 * fine arcs, which leaves enough room.  The blocks are then compacted.  The system never
 * allocates pages of the oversized array that are not written.
 *
 * Neighbours of a row are found in a hash table with linear probing, sized by the arcs of the
 * row and not by the graph, so that each thread can have one.  It is not cleared between rows:
 * places are counted on from row to row, so that entries of other rows have smaller ones. */
#include "coarsen/contract.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/group.h"
#include "coarsen/sparsify.h"
#include "graph/derive.h"
#include "graph/topology.h"

enum {                        /* not tuned */
       parallel_from = 20000, /* arcs; with fewer, one thread is faster */
       sample_step = 16,      /* sampling interval of rows for the density */
       least_block = 256,     /* coarse vertices */
       blocks_per_thread = 4, /* the first touch of a block allocates pages: not many */
       most_hashed = 1 << 14  /* arcs; rows of more arcs take turns with one large table */
};

/* The kind of the fine edge weights, as a compile-time constant of the loop: most graphs are
 * one of the first two, and both widths are narrow then. */
typedef enum source { unit_weights, narrow_weights, any_weights } source;

/* A neighbour, and its place in the row plus `base`; entries below the base are free. */
typedef struct found {
    int32_t y, place;
} found;

typedef struct neighbour_table {
    found *slot;
    int64_t clean;   /* slots 0..clean-1 are initialised */
    int32_t base;    /* of the current row */
    uint32_t factor; /* of the hash of the current row */
    int shift;       /* its slots are 0 .. 2^(32 - shift) - 1 */
} neighbour_table;

typedef struct contraction {
    const clv_graph *g;
    const int32_t *map; /* of how, as ncoarse */
    int32_t ncoarse;
    clv_contraction how;
    int64_t threshold; /* lighter edges are sampled; 1: none */
    int32_t *first;    /* ncoarse + 1: first index into member */
    int32_t *member;   /* fine vertices, grouped by coarse vertex */
    int64_t *xadj;     /* ncoarse + 1 */
    int32_t *adj;
    clv_new_weights ewgt, vwgt; /* of the coarse graph */
    neighbour_table *table;     /* by thread */
    neighbour_table large;      /* for rows of more than most_hashed arcs */
    clv_lock *turns;            /* for large */
    atomic_bool no_memory;      /* for large */
    bool alone;                 /* a single thread builds the rows */
    int32_t block;              /* coarse vertices of a block */
    int64_t nblocks;
    int64_t *begin;   /* by block, nblocks + 1: initial offset of its rows */
    int64_t *written; /* by block: number of arcs */
    int64_t *final;   /* by block, nblocks + 1: final offset of its rows */
    int64_t moved;    /* blocks at their final offset */
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

/* The row of a coarse vertex while it is built. */
typedef struct coarse_row {
    int32_t x, count; /* vertex, neighbours so far */
    neighbour_table table;
    int32_t *adj;
    clv_new_weights ewgt;
} coarse_row;

static void sum_weights(contraction *c, int32_t x)
{
    int32_t ncon = c->g->ncon;
    for (int32_t i = 0; i < ncon; i++) {
        int64_t sum = 0, at = (int64_t)x * ncon + i;
        for (int32_t m = c->first[x]; m < c->first[x + 1]; m++)
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

/* Adds the arcs of fine vertex v to the row of its coarse vertex. */
static CLV_ALWAYS_INLINE void add_arcs(const contraction *c, coarse_row *row, int32_t v,
                                       source from)
{
    const clv_graph *g = c->g;
    const clv_new_weights ewgt = row->ewgt;
    int32_t x = row->x, count = row->count, *adj = row->adj;
    const neighbour_table table = row->table;
    uint32_t last = UINT32_MAX >> table.shift;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t y = c->map[g->adj[a]];
        if (y == x)
            continue;
        int64_t w = from == unit_weights     ? 1
                    : from == narrow_weights ? g->ewgt[a]
                                             : clv_graph_ewgt(g, a);
        uint32_t h = ((uint32_t)y * table.factor) >> table.shift;
        while (table.slot[h].place >= table.base && table.slot[h].y != y)
            h = (h + 1) & last;
        int32_t place = table.slot[h].place - table.base;
        if (place >= 0) {
            put_weight(ewgt, place, weight_of(ewgt, place, from) + w, from);
        } else {
            table.slot[h] = (found){y, table.base + count};
            adj[count] = y;
            put_weight(ewgt, count++, w, from);
        }
    }
    row->count = count;
}

static int64_t count_arcs(const contraction *c, int32_t x)
{
    int64_t arcs = 0;
    for (int32_t m = c->first[x]; m < c->first[x + 1]; m++)
        arcs += c->g->xadj[c->member[m] + 1] - c->g->xadj[c->member[m]];
    return arcs;
}

static int log_of_slots(int64_t neighbours)
{
    int log = 4;
    while (log < 31 && (INT64_C(1) << log) < 2 * neighbours)
        log++;
    return log;
}

/* Chooses the hash of a row of so many arcs.  Without collisions if there are enough slots for
 * all coarse vertices. */
static void start_table(const contraction *c, neighbour_table *table, int64_t arcs)
{
    int64_t most = arcs < c->ncoarse ? arcs : c->ncoarse;
    int log = log_of_slots(most);
    int64_t slots = INT64_C(1) << log;
    bool direct = slots >= c->ncoarse;
    table->factor = direct ? 1 : 0x9e3779b1u;
    table->shift = direct ? 0 : 32 - log;
    if (table->base > INT32_MAX - most) {
        table->base = 0;
        table->clean = 0;
    }
    if (table->clean < slots) {
        memset(table->slot + table->clean, -1,
               (size_t)(slots - table->clean) * sizeof *table->slot);
        table->clean = slots;
    }
}

/* The row of coarse vertex x, at offset `at` of the arrays. */
static coarse_row gather_row(const contraction *c, int32_t x, neighbour_table *table,
                             int64_t at)
{
    coarse_row row = {
        .x = x, .table = *table, .adj = c->adj + at, .ewgt = weights_from(c->ewgt, at)};
    for (int32_t m = c->first[x]; m < c->first[x + 1]; m++)
        if (!row.ewgt.narrow || c->g->wide_ewgt)
            add_arcs(c, &row, c->member[m], any_weights);
        else if (c->g->ewgt)
            add_arcs(c, &row, c->member[m], narrow_weights);
        else
            add_arcs(c, &row, c->member[m], unit_weights);
    table->base += row.count;
    return row;
}

/* No row has more neighbours. */
static int64_t most_neighbours(const contraction *c)
{
    return c->g->narc < c->ncoarse ? c->g->narc : c->ncoarse;
}

/* A row with more arcs than the tables of the threads have slots for; without any if there is
 * no memory. */
static coarse_row gather_long_row(contraction *c, int32_t x, int64_t arcs, int64_t at)
{
    coarse_row row = {.x = x};
    clv_lock_take(c->turns);
    if (!c->large.slot)
        c->large.slot =
            clv_alloc(INT64_C(1) << log_of_slots(most_neighbours(c)), sizeof(found));
    if (c->large.slot) {
        start_table(c, &c->large, arcs);
        row = gather_row(c, x, &c->large, at);
    } else {
        atomic_store_explicit(&c->no_memory, true, memory_order_relaxed);
    }
    clv_lock_give(c->turns);
    return row;
}

static coarse_row gather_any_row(contraction *c, int32_t x, int member, int64_t at)
{
    int64_t arcs = count_arcs(c, x);
    if (arcs > most_hashed && c->ncoarse > most_hashed)
        return gather_long_row(c, x, arcs, at);
    start_table(c, &c->table[member], arcs);
    return gather_row(c, x, &c->table[member], at);
}

static void thin_out(const contraction *c, coarse_row *row)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < row->count; i++) {
        int32_t y = row->adj[i];
        int64_t w = weight_of(row->ewgt, i, any_weights);
        if (w < c->threshold && !clv_sparsify_keeps(row->x, y, w, c->threshold, c->how.salt))
            continue;
        row->adj[kept] = y;
        clv_weight_set(row->ewgt, kept++, w < c->threshold ? c->threshold : w);
    }
    row->count = kept;
}

/* Only the calling thread calls the callback. */
static bool is_ended(const contraction *c, int member)
{
    if (!c->how.may_end)
        return false;
    return member == 0 ? clv_context_stop(c->ctx) : clv_context_is_stopped(c->ctx);
}

static int32_t block_end(const contraction *c, int64_t b)
{
    int64_t end = (b + 1) * c->block;
    return end < c->ncoarse ? (int32_t)end : c->ncoarse;
}

static void build_blocks(void *context, int64_t first, int64_t last, int member)
{
    contraction *c = context;
    for (int64_t b = first; b < last && !is_ended(c, member); b++) {
        int64_t at = c->begin[b];
        for (int32_t x = (int32_t)(b * c->block); x < block_end(c, b); x++) {
            coarse_row row = gather_any_row(c, x, member, at);
            if (c->threshold > 1)
                thin_out(c, &row);
            sum_weights(c, x);
            c->xadj[x] = at - c->begin[b];
            at += row.count;
        }
        c->written[b] = at - c->begin[b];
        if (c->alone)
            c->begin[b + 1] = at;
    }
}

/* Builds a sample of the rows only for their weights, in the space of the first rows. */
static void choose_threshold(contraction *c)
{
    clv_weight_histogram histogram = {{0}};
    for (int32_t x = 0; x < c->ncoarse; x++) {
        if (clv_hash64(c->how.salt + (uint64_t)(uint32_t)x) % sample_step != 0)
            continue;
        coarse_row row = gather_any_row(c, x, 0, 0);
        for (int32_t i = 0; i < row.count; i++)
            histogram.count[clv_weight_bin(weight_of(row.ewgt, i, any_weights))]++;
    }
    c->threshold = clv_sparsify_threshold(&histogram, c->how.most_arcs / sample_step);
}

static void count_blocks(void *context, int64_t first, int64_t last, int member)
{
    contraction *c = context;
    (void)member;
    for (int64_t b = first; b < last; b++) {
        c->begin[b] = c->written[b] = 0;
        for (int32_t x = (int32_t)(b * c->block); x < block_end(c, b); x++) {
            int64_t arcs = count_arcs(c, x);
            c->begin[b] += arcs;
            c->written[b] = arcs > c->written[b] ? arcs : c->written[b];
        }
    }
}

/* Sets the initial offsets of the blocks; a single thread writes one block after the other.
 * Makes the tables: those of several threads are no larger than the longest row needs. */
static bool place_blocks(contraction *c, int threads)
{
    int64_t longest = c->ncoarse < most_hashed ? c->ncoarse : most_hashed;
    c->begin[0] = 0;
    if (!c->alone) {
        int64_t most = 0;
        clv_parallel_for(c->ctx->team, c->nblocks, 1, count_blocks, c);
        clv_prefix_sum(NULL, c->begin, c->nblocks);
        for (int64_t b = 0; b < c->nblocks; b++)
            most = c->written[b] > most ? c->written[b] : most;
        longest = most < longest ? most : longest;
    }
    for (int i = 0; i < threads; i++) {
        int64_t slots = INT64_C(1) << log_of_slots(longest);
        c->table[i].slot = clv_ws_alloc(c->ctx->ws, slots, sizeof(found));
        if (!c->table[i].slot)
            return false;
    }
    return true;
}

static void move_block(contraction *c, int64_t b)
{
    int64_t from = c->begin[b], at = c->final[b];
    size_t count = (size_t)c->written[b];
    for (int32_t x = (int32_t)(b * c->block); x < block_end(c, b); x++)
        c->xadj[x] += at;
    if (at == from)
        return;
    memmove(c->adj + at, c->adj + from, count * sizeof *c->adj);
    if (c->ewgt.narrow)
        memmove(c->ewgt.narrow + at, c->ewgt.narrow + from, count * sizeof(int32_t));
    else
        memmove(c->ewgt.wide + at, c->ewgt.wide + from, count * sizeof(int64_t));
}

static void move_blocks(void *context, int64_t first, int64_t last, int member)
{
    contraction *c = context;
    (void)member;
    for (int64_t b = first; b < last; b++)
        move_block(c, c->moved + b);
}

/* Closes the gaps between the blocks.  Returns the number of arcs.  Blocks move together if
 * their new places end before the old place of the first of them. */
static int64_t join_blocks(contraction *c)
{
    c->final[0] = 0;
    for (int64_t b = 0; b < c->nblocks; b++)
        c->final[b + 1] = c->final[b] + c->written[b];
    for (int64_t end; c->moved < c->nblocks; c->moved = end) {
        end = c->moved + 1;
        while (end < c->nblocks && (c->final[end + 1] <= c->begin[c->moved] || c->alone))
            end++;
        clv_parallel_for(c->alone ? NULL : c->ctx->team, end - c->moved, 1, move_blocks, c);
    }
    c->xadj[c->ncoarse] = c->final[c->nblocks];
    return c->final[c->nblocks];
}

/* ---- The whole -------------------------------------------------------------------------- */

static bool allocate_scratch(contraction *c, int threads, clv_ws *ws)
{
    int64_t block = c->ncoarse / ((int64_t)blocks_per_thread * threads) + 1;
    c->alone = threads == 1;
    c->block = (int32_t)(block < least_block ? least_block : block);
    c->nblocks = ((int64_t)c->ncoarse + c->block - 1) / c->block;
    c->first = clv_ws_alloc(ws, (int64_t)c->ncoarse + 1, sizeof *c->first);
    c->member = clv_ws_alloc(ws, c->g->nvtx, sizeof *c->member);
    c->table = clv_ws_zalloc(ws, threads, sizeof *c->table);
    c->begin = clv_ws_alloc(ws, c->nblocks + 1, sizeof *c->begin);
    c->written = clv_ws_zalloc(ws, c->nblocks, sizeof *c->written);
    c->final = clv_ws_alloc(ws, c->nblocks + 1, sizeof *c->final);
    c->turns = clv_lock_new();
    return c->first && c->member && c->table && c->begin && c->written && c->final && c->turns;
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
    clv_group_by_key_team(c->alone ? NULL : ctx->team, c->g->nvtx, c->map, c->ncoarse,
                          c->first, c->member);
    if (!place_blocks(c, threads) || !allocate_rows(c))
        return clv_fail_memory(err);
    if (c->how.most_arcs > 0)
        choose_threshold(c);
    clv_parallel_for(c->alone ? NULL : ctx->team, c->nblocks, 1, build_blocks, c);
    bool ended = c->how.may_end && clv_context_is_stopped(ctx);
    coarse->narc = ended ? 0 : join_blocks(c);
    if (!adopt_rows(coarse, c) || atomic_load(&c->no_memory))
        return clv_fail_memory(err);
    return CLEAVE_OK;
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
    clv_derive_transpose_rows(coarse->nvtx,
                              (clv_csr){coarse->xadj, coarse->adj, clv_graph_ewgts(coarse)},
                              (clv_csr_space){xpred, pred, pwgt, wide_pwgt});
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

cleave_status clv_contract(clv_graph **out, const clv_graph *g, clv_contraction *how,
                           clv_context *ctx, cleave_error *err)
{
    *out = NULL;
    clv_graph *coarse = clv_graph_new();
    if (!coarse)
        return clv_fail_memory(err);
    contraction c = {.g = g,
                     .map = how->map,
                     .ncoarse = how->ncoarse,
                     .how = *how,
                     .threshold = 1,
                     .ctx = ctx};
    /* A contraction that begins after the stop is completed. */
    c.how.may_end = how->may_end && !clv_context_is_stopped(ctx);
    clv_context_count(ctx, g->narc);
    if (g->kind == CLEAVE_DAG)
        c.how.most_arcs = 0;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    atomic_init(&c.no_memory, false);
    cleave_status status = fill(coarse, &c, ctx, err);
    clv_lock_free(c.turns);
    clv_sys_free(c.large.slot);
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
