/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_balance.c - M2 [Shah et al. 2022, Algorithm 6]: the work of the threads
 * with the most and with the least work is joined and halved again, until the smallest load no
 * longer grows.
 *
 * The printed algorithm compares numbers of vertices instead of weights, and removes the
 * vertices of the largest thread from the pool of threads instead of the thread. */
#include "base/group.h"
#include "schedule/graphopt.h"

typedef struct balance {
    clv_graphopt *s;
    clv_thread_range range;
    clv_vertex_set *of; /* by thread of the range */
    bool *out;          /* by thread: removed from the pool */
    int32_t most, least;
} balance;

static int64_t load_of(const balance *b, int32_t t)
{
    return b->s->load[b->range.begin + t];
}

static cleave_status collect_sets(balance *b, clv_vertex_set set, cleave_error *err)
{
    clv_ws *ws = b->s->ctx->ws;
    int32_t n = b->range.count;
    b->of = clv_ws_zalloc(ws, n, sizeof *b->of);
    b->out = clv_ws_zalloc(ws, n, sizeof *b->out);
    int32_t *vertices = clv_ws_alloc(ws, set.count, sizeof *vertices);
    int32_t *first = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *first);
    if (!b->of || !b->out || !vertices || !first)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < set.count; i++)
        if (b->s->part[set.v[i]] >= 0)
            first[b->s->part[set.v[i]] - b->range.begin]++;
    clv_running_sums32(first, n);
    for (int32_t i = set.count; i-- > 0;)
        if (b->s->part[set.v[i]] >= 0)
            vertices[--first[b->s->part[set.v[i]] - b->range.begin]] = set.v[i];
    for (int32_t t = 0; t < n; t++)
        b->of[t] = (clv_vertex_set){vertices + first[t], first[t + 1] - first[t]};
    return CLEAVE_OK;
}

/* False: fewer than two threads are in the pool. */
static bool choose_two(balance *b)
{
    b->most = b->least = -1;
    for (int32_t t = 0; t < b->range.count; t++) {
        if (b->out[t])
            continue;
        if (b->most < 0 || load_of(b, t) > load_of(b, b->most))
            b->most = t;
        if (b->least < 0 || load_of(b, t) <= load_of(b, b->least))
            b->least = t;
    }
    return b->most != b->least;
}

static void merge_sets(clv_vertex_set one, clv_vertex_set two, int32_t *to)
{
    int32_t i = 0, j = 0;
    while (i < one.count || j < two.count)
        if (j == two.count || (i < one.count && one.v[i] < two.v[j]))
            *to++ = one.v[i++];
        else
            *to++ = two.v[j++];
}

/* Accepts the new halves; their memory is released after balancing. */
static cleave_status accept_halves(balance *b, clv_vertex_set both, const int32_t *side,
                                   cleave_error *err)
{
    int32_t *vertices = clv_ws_alloc(b->s->ctx->ws, both.count, sizeof *vertices);
    if (!vertices)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < both.count; i++)
        b->s->part[both.v[i]] = -1;
    int32_t thread[2] = {b->most, b->least};
    for (int32_t k = 0; k < 2; k++) {
        clv_vertex_set half = {vertices, 0};
        for (int32_t i = 0; i < both.count; i++)
            if (side[i] == k + 1) {
                vertices[half.count++] = both.v[i];
                b->s->part[both.v[i]] = b->range.begin + thread[k];
            }
        vertices += half.count;
        b->of[thread[k]] = half;
        b->s->load[b->range.begin + thread[k]] = clv_graphopt_weigh(b->s, half);
    }
    return CLEAVE_OK;
}

static cleave_status halve_again(balance *b, bool *better, cleave_error *err)
{
    clv_graphopt *s = b->s;
    clv_vertex_set one = b->of[b->most], two = b->of[b->least];
    int32_t count = one.count + two.count;
    int32_t *vertices = clv_ws_alloc(s->ctx->ws, count, sizeof *vertices);
    int32_t *side = clv_ws_alloc(s->ctx->ws, count, sizeof *side);
    if (!vertices || !side)
        return clv_fail_memory(err);
    merge_sets(one, two, vertices);
    clv_vertex_set both = {vertices, count};
    CLV_TRY(clv_graphopt_two_way(s, both, (clv_thread_range){b->range.begin + b->most, 1},
                                 (clv_thread_range){b->range.begin + b->least, 1}, side, err));
    int64_t size[3] = {0};
    for (int32_t i = 0; i < count; i++)
        size[side[i]] += s->weight[both.v[i]];
    *better = (size[1] < size[2] ? size[1] : size[2]) > load_of(b, b->least);
    return *better ? accept_halves(b, both, side, err) : CLEAVE_OK;
}

static cleave_status balance_threads(balance *b, clv_vertex_set set, cleave_error *err)
{
    CLV_TRY(collect_sets(b, set, err));
    /* Each round removes a thread or increases the smallest load; the bound limits very small
     * increases. */
    for (int32_t round = 0; round < 4 * b->range.count && choose_two(b); round++) {
        int64_t most = load_of(b, b->most), least = load_of(b, b->least);
        if (most - least <= least / 100 * b->s->params->margin)
            return CLEAVE_OK;
        bool better = false;
        CLV_TRY(halve_again(b, &better, err));
        if (!better)
            b->out[b->most] = true;
        if (clv_context_stop(b->s->ctx))
            return CLEAVE_OK;
    }
    return CLEAVE_OK;
}

cleave_status clv_graphopt_balance(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                                   cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(s->ctx->ws);
    balance b = {.s = s, .range = range};
    cleave_status status = balance_threads(&b, set, err);
    clv_ws_restore(s->ctx->ws, mark);
    return status;
}
