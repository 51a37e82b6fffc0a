/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/partition_state.c - computes the state of a partition from scratch.
 *
 * Integer sums do not depend on the order in which threads add to them, so each block of
 * vertices is summed separately and added with atomic operations. */
#include "refine/state/partition_state.h"

#include <string.h>

#include "base/blocks.h"
#include "base/group.h"

enum {
    grain = 4096,          /* vertices per block */
    worth_waking = 100000, /* vertices and arcs; below this one thread is faster */
    few_places = 256       /* weights that a block sums separately */
};

typedef struct measuring {
    clv_partition_state *s;
    bool by_piece;    /* blocks sum weight and count, too */
    bool once;        /* each edge is added once, because its distance is computed and not
                         looked up */
    atomic_llong cut; /* otherwise twice, unless the graph is a DAG */
} measuring;

static void add_to(int64_t *sum, int64_t value)
{
    if (value)
        __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
}

static void weigh(const clv_partition_state *s, int64_t begin, int64_t end, int64_t *weight,
                  int32_t *count)
{
    const clv_graph *g = s->g;
    for (int64_t v = begin; v < end; v++) {
        int32_t p = s->part[v];
        count[p]++;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[(int64_t)p * g->ncon + c] += clv_graph_vwgt(g, (int32_t)v, c);
    }
}

static void weigh_apart(clv_partition_state *s, int64_t begin, int64_t end)
{
    int64_t weight[few_places], places = clv_bounds_places(&s->bounds);
    int32_t count[few_places];
    memset(weight, 0, (size_t)places * sizeof weight[0]);
    memset(count, 0, (size_t)s->bounds.nparts * sizeof count[0]);
    weigh(s, begin, end, weight, count);
    for (int64_t i = 0; i < places; i++)
        add_to(&s->weight[i], weight[i]);
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        if (count[p])
            __atomic_fetch_add(&s->count[p], count[p], __ATOMIC_RELAXED);
}

static bool has_outside_pred(const clv_partition_state *s, int64_t v)
{
    const clv_graph *g = s->g;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (s->part[g->pred[a]] != s->part[v])
            return true;
    return false;
}

static void measure_range(void *context, int64_t begin, int64_t end, int member)
{
    (void)member;
    measuring *m = context;
    const clv_partition_state *s = m->s;
    const clv_graph *g = s->g;
    int64_t cut = 0;
    for (int64_t v = begin; v < end; v++) {
        int32_t own = s->part[v];
        bool near = false;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (s->part[g->adj[a]] != own) {
                near = true;
                if (!m->once || g->adj[a] > v)
                    cut += clv_state_cost(s, clv_graph_ewgt(g, a), own, s->part[g->adj[a]]);
            }
        s->maybe_boundary[v] = near || (g->kind == CLEAVE_DAG && has_outside_pred(s, v));
    }
    if (m->by_piece)
        weigh_apart(m->s, begin, end);
    atomic_fetch_add_explicit(&m->cut, cut, memory_order_relaxed);
}

void clv_state_measure(clv_partition_state *s, clv_context *ctx)
{
    const clv_graph *g = s->g;
    int64_t places = (int64_t)s->bounds.nparts * g->ncon;
    clv_context_count(ctx, g->narc);
    memset(s->weight, 0, (size_t)places * sizeof *s->weight);
    memset(s->count, 0, (size_t)s->bounds.nparts * sizeof *s->count);
    bool alone = g->nvtx + g->narc < worth_waking || clv_context_threads(ctx) == 1;
    measuring m = {.s = s, .by_piece = !alone && places <= few_places};
    m.once = g->kind == CLEAVE_UNDIRECTED && s->machine && !s->machine->table;
    if (!m.by_piece)
        weigh(s, 0, g->nvtx, s->weight, s->count);
    atomic_init(&m.cut, 0);
    if (alone)
        measure_range(&m, 0, g->nvtx, 0);
    else
        clv_parallel_for(ctx->team, g->nvtx, grain, measure_range, &m);
    s->cut = atomic_load(&m.cut) / (g->kind == CLEAVE_DAG || m.once ? 1 : 2);
}

int64_t clv_state_overload(const clv_partition_state *s)
{
    int32_t empty = 0, spare = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        empty += s->count[p] == 0 && clv_bounds_wants_vertex(&s->bounds, p);
        spare += s->count[p] > 1 ? s->count[p] - 1 : 0;
    }
    return clv_bounds_overload(&s->bounds, s->weight) + (empty < spare ? empty : spare);
}

static bool has_outside(const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (s->part[g->adj[a]] != s->part[v])
            return true;
    return g->kind == CLEAVE_DAG && has_outside_pred(s, v);
}

typedef struct boundary_listing {
    clv_partition_state *s;
    clv_even_blocks blocks;
    int32_t first[clv_blocks_most + 1]; /* by block: index of its first vertex in list */
    int32_t *list;
} boundary_listing;

/* The first marked vertex from v on, or `end`.  On large levels nearly all marks are 0: eight
 * at a time. */
static int32_t next_marked(const uint8_t *marks, int32_t v, int32_t end)
{
    uint64_t eight = 0;
    while (v + 8 <= end && (memcpy(&eight, marks + v, 8), eight == 0))
        v += 8;
    while (v < end && !marks[v])
        v++;
    return v;
}

static void mark_blocks(void *context, int64_t begin, int64_t end, int member)
{
    boundary_listing *l = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        uint8_t *marks = l->s->maybe_boundary;
        int32_t count = 0, last = clv_block_begin(&l->blocks, b + 1);
        for (int32_t v = clv_block_begin(&l->blocks, b);
             (v = next_marked(marks, v, last)) < last; v++)
            count += marks[v] = has_outside(l->s, v);
        l->first[b + 1] = count;
    }
}

static void list_blocks(void *context, int64_t begin, int64_t end, int member)
{
    boundary_listing *l = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        const uint8_t *marks = l->s->maybe_boundary;
        int32_t at = l->first[b], last = clv_block_begin(&l->blocks, b + 1);
        for (int32_t v = clv_block_begin(&l->blocks, b);
             (v = next_marked(marks, v, last)) < last; v++)
            l->list[at++] = v;
    }
}

int32_t clv_state_boundary_team(clv_partition_state *s, int32_t *list, clv_team *team)
{
    boundary_listing l = {.s = s, .blocks = clv_blocks_of(s->g->nvtx, clv_block_least)};
    l.list = list;
    clv_parallel_for(team, l.blocks.count, 1, mark_blocks, &l);
    clv_running_sums32(l.first, l.blocks.count);
    clv_parallel_for(team, l.blocks.count, 1, list_blocks, &l);
    return l.first[l.blocks.count];
}

int32_t clv_state_boundary(clv_partition_state *s, int32_t *list)
{
    return clv_state_boundary_team(s, list, NULL);
}
