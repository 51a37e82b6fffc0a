/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/rank_shifts.c - minimum total shift along a path, by dynamic programming over
 * convex piecewise linear functions ("slope trick"); see refine/state/rank_shifts.h.
 *
 * Let P(r) be the current weight of the ranks 0..r and N(r) the new one: the shift at r is
 * P(r) - N(r), and N(r) - N(r - 1) must be within the bounds of the part of rank r.  The least
 * sum of |P(r) - N(r)| over the first ranks is a convex function of the last N.  It is updated
 * from rank to rank by widening and by adding |N - P(r)|, and is stored as the points where
 * its slope changes: those left of the minimum in one heap, those right of it in another. */
#include "refine/state/rank_shifts.h"

#include "base/compare.h"
#include "base/queue.h"
#include "refine/state/neighbour_parts.h"

/* ---- Ranks for empty parts -------------------------------------------------------------- */

static double fill_ratio(const clv_partition_state *s, int32_t p)
{
    double most = 0;
    for (int64_t i = (int64_t)p * s->g->ncon; i < (int64_t)(p + 1) * s->g->ncon; i++) {
        double here =
            s->bounds.max[i] > 0 ? (double)s->weight[i] / (double)s->bounds.max[i] : 0;
        most = here > most ? here : most;
    }
    return most;
}

/* empty_after[p]: the number of empty parts whose ranks follow that of part p. */
static void assign_empty_parts(const clv_partition_state *s, int32_t empty, clv_heap *heap,
                               int32_t *empty_after)
{
    const double scale = 1e9;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        empty_after[p] = 0;
        if (s->count[p] > 1)
            clv_heap_set(heap, p, (int64_t)(scale * fill_ratio(s, p)));
    }
    for (; empty > 0 && heap->count > 0; empty--) {
        int32_t p = clv_heap_pop(heap);
        empty_after[p]++;
        if (s->count[p] > empty_after[p] + 1)
            clv_heap_set(heap, p, (int64_t)(scale * fill_ratio(s, p) / (empty_after[p] + 1)));
    }
}

cleave_status clv_rank_shifts_seat(clv_partition_state *s, clv_ws *ws, cleave_error *err)
{
    int32_t k = s->bounds.nparts, empty = 0, rank = 0, next = 0;
    for (int32_t p = 0; p < k; p++)
        empty += clv_state_is_wanting(s, p);
    if (empty == 0)
        return CLEAVE_OK;
    clv_heap heap;
    CLV_TRY(clv_heap_init(&heap, k, ws, err));
    int32_t *empty_after = clv_ws_alloc(ws, k, sizeof *empty_after);
    int32_t *label = clv_ws_alloc(ws, k, sizeof *label);
    if (!empty_after || !label)
        return clv_fail_memory(err);
    assign_empty_parts(s, empty, &heap, empty_after);
    for (int32_t p = 0; p < k; p++)
        label[s->rank[p]] = p;
    for (int32_t r = 0; r < k; r++) {
        int32_t p = label[r];
        if (clv_state_is_wanting(s, p))
            continue;
        s->rank[p] = rank++;
        for (; empty_after[p] > 0; empty_after[p]--) {
            while (!clv_state_is_wanting(s, next))
                next++;
            s->rank[next++] = rank++;
        }
    }
    for (; rank < k; next++)
        if (clv_state_is_wanting(s, next))
            s->rank[next] = rank++;
    return CLEAVE_OK;
}

/* ---- The plan --------------------------------------------------------------------------- */

/* A heap of points with a common offset, first out at the top. */
typedef struct points {
    clv_heap heap; /* items are just numbers */
    int32_t used;
    int64_t sign; /* 1: largest first, -1: smallest first */
    int64_t added;
} points;

static void push(points *q, int64_t at)
{
    clv_heap_set(&q->heap, q->used++, q->sign * (at - q->added));
}

static int64_t top(const points *q)
{
    return q->sign * q->heap.key[clv_heap_top(&q->heap)] + q->added;
}

static int64_t pop(points *q)
{
    int64_t at = top(q);
    clv_heap_pop(&q->heap);
    return at;
}

typedef struct bounds {
    int64_t *min, *max, *prefix; /* by rank */
    int64_t *low, *high;         /* by rank: first and last minimum of the function */
} bounds;

/* The bounds by rank, widened until a plan exists. */
static void collect_bounds(const clv_partition_state *s, const int32_t *label, int32_t con,
                           bounds *b)
{
    int32_t k = s->bounds.nparts, ncon = s->g->ncon;
    int64_t total = 0, least = 0, most = 0;
    for (int32_t r = 0; r < k; r++) {
        int64_t i = (int64_t)label[r] * ncon + con;
        total += s->weight[i];
        b->prefix[r] = total;
        b->max[r] =
            s->bounds.max[i] < INT64_MAX / k / 4 ? s->bounds.max[i] : INT64_MAX / k / 4;
        b->min[r] = s->bounds.min && s->bounds.min[i] < b->max[r] ? s->bounds.min[i] : 0;
        if (b->min[r] == 0 && b->max[r] > 0)
            b->min[r] = 1;
        least += b->min[r];
        most += b->max[r];
    }
    for (int32_t r = 0; r < k; r++) {
        b->min[r] = least > total ? 0 : b->min[r];
        b->max[r] += most < total ? (total - most + k - 1) / k : 0;
    }
}

static void sweep(int32_t k, const bounds *b, points *left, points *right)
{
    /* The prefix before rank 0 is exactly 0: any other value costs more than all shifts. */
    for (int32_t i = 0; i < k + 2; i++) {
        push(left, 0);
        push(right, 0);
    }
    for (int32_t r = 0; r < k; r++) {
        left->added += b->min[r];
        right->added += b->max[r];
        push(left, b->prefix[r]);
        push(right, pop(left));
        push(right, b->prefix[r]);
        push(left, pop(right));
        b->low[r] = top(left);
        b->high[r] = top(right);
    }
}

cleave_status clv_rank_shifts_plan(const clv_partition_state *s, const int32_t *label,
                                   int32_t con, int64_t *shift, clv_ws *ws, cleave_error *err)
{
    int32_t k = s->bounds.nparts;
    bounds b;
    int64_t *rows = clv_ws_alloc(ws, 5 * (int64_t)k, sizeof *rows);
    points left = {.sign = 1}, right = {.sign = -1};
    if (!rows)
        return clv_fail_memory(err);
    b = (bounds){rows, rows + k, rows + 2 * (int64_t)k, rows + 3 * (int64_t)k,
                 rows + 4 * (int64_t)k};
    CLV_TRY(clv_heap_init(&left.heap, 3 * k + 2, ws, err));
    CLV_TRY(clv_heap_init(&right.heap, 3 * k + 2, ws, err));
    collect_bounds(s, label, con, &b);
    sweep(k, &b, &left, &right);
    /* From the last rank to the first: the optimal value that is nearest to the current
     * one. */
    int64_t want = b.prefix[k - 1];
    for (int32_t r = k - 1; r-- > 0;) {
        int64_t low = want - b.max[r + 1], high = want - b.min[r + 1];
        want = clv_clamp(clv_clamp(b.prefix[r], b.low[r], b.high[r]), low, high);
        shift[r] = b.prefix[r] - want;
    }
    return CLEAVE_OK;
}
