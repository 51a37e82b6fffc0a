/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/jet_bulk.c - see refine/moves/jet_bulk.h.
 *
 * The first pass reads the parts and sums the changes of the cut; an arc between two moving
 * vertices is seen from both.  The second pass changes the parts.  Sums and bits do not depend
 * on the order in which threads add them. */
#include "refine/moves/jet_bulk.h"

#include <string.h>

#include "base/blocks.h"
#include "base/group.h"

enum {
    grain = 512,
    few_places = 256, /* sums that a range keeps separately */
    block_of_states = 1 << 15
};

/* ---- Passes over the moved vertices ------------------------------------------------- */

static void count_leaving(void *context, int64_t begin, int64_t end, int member)
{
    clv_bulk_move *m = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        __atomic_fetch_add(&m->leaving[m->s->part[m->moved[i]]], 1, __ATOMIC_RELAXED);
}

bool clv_bulk_move_fits(clv_bulk_move *m)
{
    int32_t nparts = m->s->bounds.nparts;
    memset(m->leaving, 0, (size_t)nparts * sizeof *m->leaving);
    clv_parallel_for(m->team, m->count, grain, count_leaving, m);
    for (int32_t p = 0; p < nparts; p++)
        if (m->leaving[p] > 0 && m->leaving[p] >= m->s->count[p])
            return false;
    return true;
}

/* Twice the gain of the moves, as far as v has a part in it.  Unsigned: sums may wrap before
 * they fit again. */
static uint64_t gain_twice(const clv_bulk_move *m, int32_t v)
{
    const clv_partition_state *s = m->s;
    const clv_graph *g = s->g;
    int32_t from = s->part[v], to = m->to[v];
    uint64_t sum = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a], p = s->part[u];
        bool moves = m->state[u] & m->moving;
        int32_t q = moves ? m->to[u] : p;
        int64_t w = clv_graph_ewgt(g, a);
        int64_t change = clv_state_cost(s, w, from, p) - clv_state_cost(s, w, to, q);
        sum += (uint64_t)change * (moves ? 1 : 2);
    }
    return sum;
}

static void sum_gains(void *context, int64_t begin, int64_t end, int member)
{
    clv_bulk_move *m = context;
    uint64_t sum = 0;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        sum += gain_twice(m, m->moved[i]);
    atomic_fetch_add_explicit(&m->gain, (int64_t)sum, memory_order_relaxed);
}

static void add_bits(uint8_t *state, uint8_t bits)
{
    if ((__atomic_load_n(state, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(state, bits, __ATOMIC_RELAXED);
}

static void mark_vertex(const clv_bulk_move *m, int32_t u)
{
    add_bits(&m->state[u], m->marked);
    if (!__atomic_load_n(&m->s->maybe_boundary[u], __ATOMIC_RELAXED))
        __atomic_store_n(&m->s->maybe_boundary[u], 1, __ATOMIC_RELAXED);
}

static void move_weight(const clv_partition_state *s, int32_t v, int32_t part, int sign,
                        int64_t *weight, int32_t *count, bool shared)
{
    int32_t ncon = s->g->ncon;
    if (shared)
        __atomic_fetch_add(&count[part], sign, __ATOMIC_RELAXED);
    else
        count[part] += sign;
    for (int32_t c = 0; c < ncon; c++) {
        int64_t w = sign * clv_graph_vwgt(s->g, v, c),
                *sum = &weight[(int64_t)part * ncon + c];
        if (shared)
            __atomic_fetch_add(sum, w, __ATOMIC_RELAXED);
        else
            *sum += w;
    }
}

static void move_one(const clv_bulk_move *m, int32_t v, int64_t *weight, int32_t *count)
{
    clv_partition_state *s = m->s;
    const clv_graph *g = s->g;
    int32_t to = m->to[v];
    bool shared = weight == s->weight;
    move_weight(s, v, s->part[v], -1, weight, count, shared);
    move_weight(s, v, to, 1, weight, count, shared);
    s->part[v] = to;
    add_bits(&m->state[v], m->then);
    __atomic_fetch_and(&m->state[v], (uint8_t)~m->moving, __ATOMIC_RELAXED);
    mark_vertex(m, v);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        mark_vertex(m, g->adj[a]);
}

static void move_range(void *context, int64_t begin, int64_t end, int member)
{
    const clv_bulk_move *m = context;
    clv_partition_state *s = m->s;
    int64_t weight[few_places], places = clv_bounds_places(&s->bounds);
    int32_t count[few_places], nparts = s->bounds.nparts;
    (void)member;
    if (places > few_places) {
        for (int64_t i = begin; i < end; i++)
            move_one(m, m->moved[i], s->weight, s->count);
        return;
    }
    memset(weight, 0, (size_t)places * sizeof *weight);
    memset(count, 0, (size_t)nparts * sizeof *count);
    for (int64_t i = begin; i < end; i++)
        move_one(m, m->moved[i], weight, count);
    for (int64_t i = 0; i < places; i++)
        if (weight[i])
            __atomic_fetch_add(&s->weight[i], weight[i], __ATOMIC_RELAXED);
    for (int32_t p = 0; p < nparts; p++)
        if (count[p])
            __atomic_fetch_add(&s->count[p], count[p], __ATOMIC_RELAXED);
}

void clv_bulk_move_apply(clv_bulk_move *m)
{
    atomic_init(&m->gain, 0);
    clv_parallel_for(m->team, m->count, grain, sum_gains, m);
    clv_parallel_for(m->team, m->count, grain, move_range, m);
    m->s->cut -= atomic_load(&m->gain) / 2;
}

/* ---- Lists -------------------------------------------------------------------------- */

typedef struct listing {
    const uint8_t *state;
    clv_even_blocks blocks;
    int32_t first[clv_blocks_most + 1];
    int32_t *list;  /* NULL: only count */
    uint64_t eight; /* the bit, in eight bytes */
    uint8_t bit;
} listing;

static int32_t list_block(const listing *l, int64_t b, int32_t *list)
{
    int32_t count = 0, end = clv_block_begin(&l->blocks, b + 1);
    for (int32_t v = clv_block_begin(&l->blocks, b); v < end; v++) {
        uint64_t eight = 0; /* nearly all bits are 0 on large levels */
        while (v + 8 <= end && (memcpy(&eight, l->state + v, 8), (eight & l->eight) == 0))
            v += 8;
        if (v >= end || !(l->state[v] & l->bit))
            continue;
        if (list)
            list[count] = v;
        count++;
    }
    return count;
}

static void list_range(void *context, int64_t begin, int64_t end, int member)
{
    listing *l = context;
    (void)member;
    for (int64_t b = begin; b < end; b++)
        if (l->list)
            list_block(l, b, l->list + l->first[b]);
        else
            l->first[b + 1] = list_block(l, b, NULL);
}

int32_t clv_bulk_list(const uint8_t *state, int32_t n, uint8_t bit, int32_t *list,
                      clv_team *team)
{
    listing l = {.state = state, .blocks = clv_blocks_of(n, block_of_states), .bit = bit};
    l.eight = UINT64_C(0x0101010101010101) * bit;
    clv_parallel_for(team, l.blocks.count, 1, list_range, &l);
    clv_running_sums32(l.first, l.blocks.count);
    l.list = list;
    clv_parallel_for(team, l.blocks.count, 1, list_range, &l);
    return l.first[l.blocks.count];
}
