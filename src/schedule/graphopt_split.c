/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_split.c - M1 with S2 [Shah et al. 2022, Algorithm 4]: a set of vertices is
 * halved recursively until each half belongs to one thread.
 *
 * S2 first divides the set into connected components, which get threads in proportion to their
 * weight (line 19 as printed compares numbers of vertices).  Rounding down gives no thread to
 * small components: a component whose share is below two threads goes to one thread as a
 * whole, the heaviest components first, each to the least loaded thread. */
#include "base/group.h"
#include "base/queue.h"
#include "base/sort.h"
#include "schedule/graphopt.h"

/* ---- Assigning a set to one thread ------------------------------------------------------ */

static void assign_to_thread(clv_graphopt *s, clv_vertex_set set, int32_t thread)
{
    for (int32_t i = 0; i < set.count; i++)
        s->part[set.v[i]] = thread;
    s->load[thread] += clv_graphopt_weigh(s, set);
}

/* The thread of the range with the most predecessors of the set; -1: none. */
static int32_t nearest_thread(clv_graphopt *s, clv_vertex_set set, clv_thread_range range)
{
    int32_t best = -1;
    for (int pass = 0; pass < 2; pass++) /* counts, then resets to 0 */
        for (int32_t i = 0; i < set.count; i++)
            for (int64_t a = s->xpred[set.v[i]]; a < s->xpred[set.v[i] + 1]; a++) {
                int32_t t = s->thread[s->pred[a]];
                if (t < range.begin || t >= range.begin + range.count)
                    continue;
                s->votes[t] = pass == 0 ? s->votes[t] + 1 : 0;
                if (pass == 0 && (best < 0 || s->votes[t] > s->votes[best]))
                    best = t;
            }
    return best;
}

static void assign_to_one(clv_graphopt *s, clv_vertex_set set, clv_thread_range range)
{
    int32_t thread = nearest_thread(s, set, range);
    assign_to_thread(s, set, thread >= 0 ? thread : range.begin);
}

/* ---- M1 --------------------------------------------------------------------------------- */

static clv_vertex_set pick_side(clv_vertex_set set, const int32_t *side, int32_t which,
                                int32_t *to)
{
    int32_t count = 0;
    for (int32_t i = 0; i < set.count; i++)
        if (side[i] == which)
            to[count++] = set.v[i];
    return (clv_vertex_set){to, count};
}

static cleave_status halve_set(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                               cleave_error *err)
{
    clv_thread_range first = {range.begin, (range.count + 1) / 2};
    clv_thread_range second = {range.begin + first.count, range.count - first.count};
    int32_t *side = clv_ws_alloc(s->ctx->ws, set.count, sizeof *side);
    int32_t *vertices = clv_ws_alloc(s->ctx->ws, set.count, sizeof *vertices);
    if (!side || !vertices)
        return clv_fail_memory(err);
    CLV_TRY(clv_graphopt_two_way(s, set, first, second, side, err));
    clv_vertex_set one = pick_side(set, side, 1, vertices);
    clv_vertex_set two = pick_side(set, side, 2, vertices + one.count);
    if (one.count == 0 || two.count == 0) { /* cannot be halved: one thread gets all */
        assign_to_one(s, set, range);
        return CLEAVE_OK;
    }
    CLV_TRY(clv_graphopt_split(s, one, first, err));
    return clv_graphopt_split(s, two, second, err);
}

/* ---- S2 --------------------------------------------------------------------------------- */

typedef struct pieces {
    int32_t count;
    int32_t *vertices; /* grouped by component */
    int32_t *begin;    /* count + 1 */
    int64_t *weight;
    int32_t *threads; /* 0: the whole component goes to one thread */
    int64_t total;
} pieces;

static clv_vertex_set piece_at(const pieces *p, int32_t i)
{
    return (clv_vertex_set){p->vertices + p->begin[i], p->begin[i + 1] - p->begin[i]};
}

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* parent[i] becomes the smallest index in the component of index i. */
static void join_components(clv_graphopt *s, clv_vertex_set set, int32_t *parent)
{
    for (int32_t i = 0; i < set.count; i++) {
        s->local[set.v[i]] = i;
        parent[i] = i;
    }
    for (int32_t i = 0; i < set.count; i++)
        for (int64_t a = s->xpred[set.v[i]]; a < s->xpred[set.v[i] + 1]; a++) {
            int32_t j = s->local[s->pred[a]];
            if (j < 0)
                continue;
            int32_t a_root = root_of(parent, i), b_root = root_of(parent, j);
            if (a_root < b_root)
                parent[b_root] = a_root;
            else
                parent[a_root] = b_root;
        }
    for (int32_t i = 0; i < set.count; i++) {
        parent[i] = root_of(parent, i);
        s->local[set.v[i]] = -1;
    }
}

static cleave_status find_pieces(clv_graphopt *s, clv_vertex_set set, pieces *p,
                                 cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    int32_t *parent = clv_ws_alloc(ws, set.count, sizeof *parent);
    if (!parent)
        return clv_fail_memory(err);
    join_components(s, set, parent);
    for (int32_t i = 0; i < set.count; i++) /* parent[i] becomes the number of the component */
        parent[i] = parent[i] == i ? p->count++ : parent[parent[i]];
    if (p->count == 1)
        return CLEAVE_OK;
    p->vertices = clv_ws_alloc(ws, set.count, sizeof *p->vertices);
    p->begin = clv_ws_alloc(ws, (int64_t)p->count + 1, sizeof *p->begin);
    p->weight = clv_ws_zalloc(ws, p->count, sizeof *p->weight);
    p->threads = clv_ws_zalloc(ws, p->count, sizeof *p->threads);
    if (!p->vertices || !p->begin || !p->weight || !p->threads)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < set.count; i++) {
        p->weight[parent[i]] += s->weight[set.v[i]];
        p->total += s->weight[set.v[i]];
    }
    clv_group_by_key(set.count, parent, p->count, p->begin, p->vertices);
    for (int32_t i = 0; i < set.count; i++) /* from places in the set */
        p->vertices[i] = set.v[p->vertices[i]];
    return CLEAVE_OK;
}

/* Sorts components by descending weight, ties by number; in ws. */
static clv_sort_item *by_weight(const pieces *p, clv_ws *ws)
{
    clv_sort_item *items = clv_ws_alloc(ws, p->count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, p->count, sizeof *scratch);
    if (!items || !scratch)
        return NULL;
    for (int32_t i = 0; i < p->count; i++) {
        items[i].key = -p->weight[i];
        items[i].with.index = i;
    }
    return clv_sort(items, scratch, p->count);
}

/* Numbers of threads of the heavy components.  Threads that are left by rounding down, and
 * that small components do not need, go to the heavy ones, one each, the heaviest first. */
static void share_threads(pieces *p, const clv_sort_item *order, int32_t threads)
{
    int32_t left = threads;
    int64_t small = p->total;
    int32_t heavy = 0;
    for (; heavy < p->count && p->total > 0; heavy++) {
        int64_t i = order[heavy].with.index;
        int32_t share = (int32_t)((double)threads * (double)p->weight[i] / (double)p->total);
        if (share < 2 || share > left)
            break;
        p->threads[i] = share;
        left -= share;
        small -= p->weight[i];
    }
    double needed = p->total > 0 ? (double)threads * (double)small / (double)p->total : 0;
    for (int32_t k = 0; k < heavy && (double)left - 1 >= needed; k++, left--)
        p->threads[order[k].with.index]++;
}

/* Assigns small components: to the thread with most of their predecessors while its load is
 * below its share, otherwise to the least loaded thread. */
static cleave_status deal_small(clv_graphopt *s, const pieces *p, const clv_sort_item *order,
                                clv_thread_range range, cleave_error *err)
{
    clv_heap idle; /* least loaded first, by index in the range */
    CLV_TRY(clv_heap_init(&idle, range.count, s->ctx->ws, err));
    for (int32_t t = 0; t < range.count; t++)
        clv_heap_set(&idle, t, -s->load[range.begin + t]);
    for (int32_t k = 0; k < p->count; k++) {
        int64_t i = order[k].with.index;
        if (p->threads[i] > 0)
            continue;
        clv_vertex_set piece = piece_at(p, (int32_t)i);
        int32_t near = s->params->wc > 0 ? nearest_thread(s, piece, range) : -1;
        int32_t t = clv_heap_top(&idle) + range.begin;
        if (near >= 0 && s->load[near] + p->weight[i] <= p->total / range.count)
            t = near;
        assign_to_thread(s, piece, t);
        clv_heap_set(&idle, t - range.begin, -s->load[t]);
    }
    return CLEAVE_OK;
}

static cleave_status split_pieces(clv_graphopt *s, pieces *p, clv_thread_range range,
                                  cleave_error *err)
{
    clv_sort_item *order = by_weight(p, s->ctx->ws);
    if (!order)
        return clv_fail_memory(err);
    share_threads(p, order, range.count);
    int32_t begin = range.begin;
    for (int32_t i = 0; i < p->count; i++) {
        if (p->threads[i] == 0)
            continue;
        clv_thread_range part = {begin, p->threads[i]};
        begin += part.count;
        clv_ws_mark mark = clv_ws_save(s->ctx->ws);
        cleave_status status = halve_set(s, piece_at(p, i), part, err);
        clv_ws_restore(s->ctx->ws, mark);
        CLV_TRY(status);
    }
    return deal_small(s, p, order, range, err);
}

static cleave_status split_set(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                               cleave_error *err)
{
    pieces p = {0};
    if (s->params->components)
        CLV_TRY(find_pieces(s, set, &p, err));
    return p.count > 1 ? split_pieces(s, &p, range, err) : halve_set(s, set, range, err);
}

cleave_status clv_graphopt_split(clv_graphopt *s, clv_vertex_set set, clv_thread_range range,
                                 cleave_error *err)
{
    if (range.count == 1 || set.count <= 1 || clv_context_stop(s->ctx)) {
        assign_to_one(s, set, range);
        return CLEAVE_OK;
    }
    clv_ws_mark mark = clv_ws_save(s->ctx->ws);
    cleave_status status = split_set(s, set, range, err);
    clv_ws_restore(s->ctx->ws, mark);
    return status;
}
