/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_order.c - the order of rows within a step, and the groups of four that are
 * interleaved.
 *
 * Rows of a step are divided into waves: no row depends on another of its wave, waves are
 * executed one after the other, and a wave has at most `wave_room` rows, the earliest of the
 * step first, so that neighbours in the matrix stay close in time.  Rows of a wave are sorted
 * by length and interleaved in groups of four.  Where rows form a chain, as in the dense
 * blocks of exact factors, four consecutive rows whose mutual dependences are at the end are
 * interleaved as well: all but those last entries are independent.
 *
 * The better kind of waves depends on the matrix: small waves over the whole step find
 * independent rows even where neighbours form chains (grids), large waves inside windows of
 * neighbouring rows find more rows of equal length.  Both are tried; their estimated cycles
 * are compared. */
#include <string.h>

#include "base/group.h"
#include "base/sort.h"
#include "run/tri_layout.h"

enum {
    wave_room = 128,
    window = 8192,     /* rows */
    chain_prefix = 16, /* minimum of interleaved entries for interleaving a chain */
    four_cost = 12,    /* estimated cycles per group of four, and per interleaved entry */
    entry_cost = 3
};
/* In a rank: the task is part of a row.  The other bits are its length. */
static const uint32_t part_bit = (uint32_t)1 << 31;

/* An order of the tasks of a step, with its groups of four. */
typedef struct arrangement {
    int32_t *task;
    uint8_t *head;
} arrangement;

typedef struct ordering {
    const clv_tri_tasks *t;
    /* By task: its wave, -1: none yet.  Waves are numbered consecutively over steps: those of
     * earlier steps are below `base`. */
    int32_t *wave, base;
    int32_t count;        /* number of tasks in the current step; by index there: */
    int32_t *input;       /* the tasks in their original order */
    uint32_t *rank;       /* whole rows before parts of rows, then by length */
    uint8_t *chained;     /* a head: clv_tri_chained at the first of an interleaved chain, 0 at
                             its others, 1: single */
    int32_t *by_rank;     /* indices of single tasks by rank, stable */
    int32_t singles;      /* number of single tasks */
    int32_t *wave_at;     /* wave, relative to the first of the step */
    arrangement first;    /* the first result, for comparison */
    uint32_t *rank_at;    /* by position in an arrangement */
    int32_t *next, *room; /* by wave: the next wave that is not full (union-find); number of
                             its rows */
    int32_t *bucket;      /* twice the number of tasks, and a few */
    clv_sort_item *item;  /* scratch for sorting: twice the number of tasks */
} ordering;

static uint32_t rank_of(const clv_tri_tasks *t, int32_t task)
{
    bool part = !clv_tri_first(t, task) || clv_tri_carry(t, task) >= 0;
    return (uint32_t)(t->end[task] - t->begin[task]) | (part ? part_bit : 0);
}

static int64_t length_of(uint32_t rank)
{
    return rank & ~part_bit;
}

/* ---- Chains ------------------------------------------------------------------------ */

/* The number of leading entries: without trailing ones that are rows of the group. */
static int64_t leading_entries(const ordering *o, const int32_t *group, int32_t before,
                               int32_t task)
{
    const clv_tri_tasks *t = o->t;
    int64_t e = t->end[task];
    while (e > t->begin[task]) {
        int32_t source = clv_tri_last(t, t->rows->col[e - 1]), k = 0;
        while (k < before && group[k] != source)
            k++;
        if (k == before)
            break;
        e--;
    }
    return e - t->begin[task];
}

/* Are these four tasks a chain with enough leading entries to be interleaved? */
static bool is_chain(const ordering *o, int32_t first)
{
    const clv_tri_tasks *t = o->t;
    const int32_t *group = o->input + first;
    const uint32_t *rank = o->rank + first;
    int64_t shared = length_of(rank[0]), total = shared, free_of[4];
    for (int32_t k = 0; k < 4; k++)
        if (length_of(rank[k]) < chain_prefix)
            return false;
    for (int32_t k = 1; k < 4; k++) {
        free_of[k] = leading_entries(o, group, k, group[k]);
        if (free_of[k] == length_of(rank[k]) || free_of[k] < chain_prefix)
            return false;
        total += length_of(rank[k]);
        shared = shared > free_of[k] ? free_of[k] : shared;
    }
    if (4 * shared * 2 < total)
        return false;
    for (int32_t k = 1; k < 4; k++) {
        if (!clv_tri_first(t, group[k]))
            for (int32_t j = 0; j < k; j++)
                if (group[j] == group[k] - 1) /* continues a sum of the group */
                    return false;
        int64_t begin = t->begin[group[k]], end = begin + free_of[k];
        if (clv_tri_first_of(t, group, k, begin, end) < end)
            return false;
    }
    return true;
}

static void find_chains(ordering *o)
{
    for (int32_t i = 0; i < o->count;) {
        bool chain = i + 4 <= o->count && is_chain(o, i);
        o->chained[i] = chain ? clv_tri_chained : 1;
        for (int32_t k = 1; chain && k < 4; k++)
            o->chained[i + k] = 0;
        i += chain ? 4 : 1;
    }
}

/* ---- By length ---------------------------------------------------------------------- */

/* Counting sort, for ranks in a small range. */
static void count_ranks(ordering *o, int64_t least, int64_t span)
{
    memset(o->bucket, 0, sizeof *o->bucket * (size_t)(span + 1));
    for (int32_t i = 0; i < o->count; i++)
        if (o->chained[i] == 1 && o->rank[i] - least < span)
            o->bucket[o->rank[i] - least + 1]++;
    clv_running_sums32(o->bucket, span);
    for (int32_t i = 0; i < o->count; i++)
        if (o->chained[i] == 1)
            o->by_rank[o->bucket[o->rank[i] - least]++] = i;
}

static void sort_ranks(ordering *o)
{
    int32_t count = 0;
    for (int32_t i = 0; i < o->count; i++)
        if (o->chained[i] == 1)
            o->item[count++] = (clv_sort_item){.key = o->rank[i], .with.index = i};
    const clv_sort_item *sorted = clv_sort(o->item, o->item + count, count);
    for (int32_t i = 0; i < count; i++)
        o->by_rank[i] = (int32_t)sorted[i].with.index;
}

/* Sorts single tasks by rank; distributing them in this order sorts every wave. */
static void find_ranks(ordering *o)
{
    int64_t least = INT64_MAX, most = -1;
    bool sorted = true; /* as in grids, where most rows have one length */
    o->singles = 0;
    for (int32_t i = 0; i < o->count; i++)
        if (o->chained[i] == 1) {
            sorted = sorted && o->rank[i] >= most;
            least = o->rank[i] < least ? o->rank[i] : least;
            most = o->rank[i] > most ? o->rank[i] : most;
            o->by_rank[o->singles++] = i;
        }
    if (sorted)
        return;
    if (most - least < 2 * (int64_t)o->count)
        count_ranks(o, least, most - least + 1);
    else
        sort_ranks(o);
}

/* ---- Waves ------------------------------------------------------------------------- */

static int32_t find_room(ordering *o, int32_t w)
{
    while (o->next[w] != w) {
        o->next[w] = o->next[o->next[w]];
        w = o->next[w];
    }
    return w;
}

/* The first wave, at least w, after all that a task reads in this step.  Tasks without a wave,
 * those of its own group, are ignored. */
static CLV_ALWAYS_INLINE int32_t earliest_wave(const ordering *o, int32_t task, int32_t w,
                                               bool split)
{
    const clv_tri_tasks *t = o->t;
    const int32_t *col = t->rows->col;
    for (int64_t e = t->begin[task]; e < t->end[task]; e++) {
        int32_t before = o->wave[split ? t->last[col[e]] : col[e]];
        w = before >= w ? before + 1 : w;
    }
    if (split && !clv_tri_first(t, task) && o->wave[task - 1] >= w)
        w = o->wave[task - 1] + 1;
    return w;
}

/* Assigns waves, of at most `most` rows, that do not cross windows of `across` rows; returns
 * their number. */
static CLV_ALWAYS_INLINE int32_t find_waves(ordering *o, int32_t most, int32_t across,
                                            bool split)
{
    int32_t waves = 0, floor = 0, left = across;
    for (int32_t i = 0; i < o->count; i++) {
        o->next[i] = i;
        o->room[i] = 0;
        o->wave[o->input[i]] = -1;
    }
    o->next[o->count] = o->count;
    for (int32_t i = 0, size; i < o->count; i += size) {
        size = clv_tri_size(o->chained[i]);
        if ((left -= size) < 0) {
            floor = waves;
            left = across;
        }
        int32_t w = o->base + floor;
        for (int32_t k = 0; k < size; k++)
            w = earliest_wave(o, o->input[i + k], w, split);
        w = find_room(o, w - o->base);
        o->room[w] += size;
        if (o->room[w] >= most)
            o->next[w] = w + 1;
        for (int32_t k = 0; k < size; k++) {
            o->wave[o->input[i + k]] = o->base + w;
            o->wave_at[i + k] = w;
        }
        waves = w >= waves ? w + 1 : waves;
    }
    return waves;
}

/* Lists wave after wave: in each first single tasks by length, then chains. */
static void deal_out(ordering *o, int32_t waves, const arrangement *to)
{
    int32_t sum = 0;
    for (int32_t w = 0; w < waves; w++) {
        int32_t size = o->room[w];
        o->room[w] = sum;
        sum += size;
    }
    for (int32_t k = 0; k < o->singles; k++) {
        int32_t i = o->by_rank[k], at = o->room[o->wave_at[i]]++;
        to->task[at] = o->input[i];
        to->head[at] = 1;
        o->rank_at[at] = o->rank[i];
    }
    for (int32_t i = 0; o->singles < o->count && i < o->count; i++)
        if (o->chained[i] != 1) {
            int32_t at = o->room[o->wave_at[i]]++;
            to->task[at] = o->input[i];
            to->head[at] = o->chained[i];
            o->rank_at[at] = o->rank[i];
        }
}

/* ---- Groups of four ---------------------------------------------------------------- */

/* Groups of four among the single tasks of a wave. */
static void group_wave(const ordering *o, const arrangement *of, int32_t begin, int32_t end)
{
    for (int32_t at = begin; at + 4 <= end && of->head[at + 3] == 1;) {
        const uint32_t *rank = o->rank_at + at;
        bool together = length_of(rank[0]) > 0 &&
                        (int64_t)rank[3] - (int64_t)rank[0] <= length_of(rank[0]);
        if (together) {
            of->head[at] = clv_tri_together;
            of->head[at + 1] = of->head[at + 2] = of->head[at + 3] = 0;
        }
        at += together ? 4 : 1;
    }
}

/* Estimated cycles of the order, calibrated on several processors. */
static int64_t cost_of(const ordering *o, const uint8_t *head, int32_t waves)
{
    enum {
        entry = entry_cost,
        four = four_cost,
        uneven = 40,
        single = 16,
        change = 20,
        wave = 30
    };
    int64_t cost = (int64_t)wave * waves, before = -1;
    for (int32_t i = 0; i < o->count;) {
        int32_t size = clv_tri_size(head[i]);
        int64_t most = length_of(o->rank_at[i]), least = most, total = 0, kind = -1;
        for (int32_t k = 0; k < size; k++) {
            int64_t own = length_of(o->rank_at[i + k]);
            most = own > most ? own : most;
            least = own < least ? own : least;
            total += own;
        }
        if (size == 1) {
            cost += single + entry * most;
        } else if ((4 * most - total) * 4 <= 4 * most) {
            cost += four + entry * most;
            kind = most;
        } else {
            cost += uneven + entry * least + entry * (total - 4 * least) / 2;
            kind = -2;
        }
        cost += kind != before ? change : 0;
        before = kind;
        i += size;
    }
    return cost;
}

/* Returns the estimated cost. */
static int64_t try_waves(ordering *o, int32_t most, int32_t across, const arrangement *to,
                         int32_t *waves)
{
    *waves =
        o->t->last ? find_waves(o, most, across, true) : find_waves(o, most, across, false);
    deal_out(o, *waves, to);
    for (int32_t w = 0; w < *waves; w++)
        group_wave(o, to, w ? o->room[w - 1] : 0, o->room[w]);
    return cost_of(o, to->head, *waves);
}

/* Lower bound: all rows in groups of four of equal length. */
static int64_t least_cost(const ordering *o)
{
    int64_t entries = 0;
    for (int32_t i = 0; i < o->count; i++)
        entries += length_of(o->rank[i]);
    return (four_cost * (int64_t)o->count + entry_cost * entries) / 4;
}

static void order_step(ordering *o, int32_t *task, uint8_t *head)
{
    enum { slack = 8 }; /* windows may cost an eighth more */
    arrangement out = {task, head};
    int32_t waves = 0, more = 0;
    memcpy(o->input, task, sizeof *task * (size_t)o->count);
    for (int32_t i = 0; i < o->count; i++)
        o->rank[i] = rank_of(o->t, task[i]);
    find_chains(o);
    find_ranks(o);
    if (o->count <= window / 4) {
        try_waves(o, wave_room, INT32_MAX, &out, &waves);
    } else {
        int64_t least = least_cost(o), cost = try_waves(o, INT32_MAX, window, &out, &waves);
        int64_t wide = least;
        if (cost >= least + least / slack)
            wide = try_waves(o, wave_room, INT32_MAX, &o->first, &more);
        if (cost >= wide + wide / slack) {
            memcpy(task, o->first.task, sizeof *task * (size_t)o->count);
            memcpy(head, o->first.head, sizeof *head * (size_t)o->count);
        }
    }
    o->base += waves > more ? waves : more;
}

/* ntasks: of the schedule; most: upper bound on the tasks of a step. */
static bool open_ordering(ordering *o, int32_t ntasks, int32_t most, clv_ws *ws)
{
    o->wave = clv_ws_alloc(ws, ntasks, sizeof *o->wave);
    o->next = clv_ws_alloc(ws, (int64_t)most + 1, sizeof *o->next);
    o->room = clv_ws_alloc(ws, most, sizeof *o->room);
    o->input = clv_ws_alloc(ws, most, sizeof *o->input);
    o->rank = clv_ws_alloc(ws, most, sizeof *o->rank);
    o->chained = clv_ws_alloc(ws, most, sizeof *o->chained);
    o->by_rank = clv_ws_alloc(ws, most, sizeof *o->by_rank);
    o->wave_at = clv_ws_alloc(ws, most, sizeof *o->wave_at);
    o->first.task = clv_ws_alloc(ws, most, sizeof *o->first.task);
    o->first.head = clv_ws_alloc(ws, most, sizeof *o->first.head);
    o->rank_at = clv_ws_alloc(ws, most, sizeof *o->rank_at);
    o->bucket = clv_ws_alloc(ws, 2 * (int64_t)most + 2, sizeof *o->bucket);
    o->item = clv_ws_alloc(ws, 2 * (int64_t)most, sizeof *o->item);
    return o->wave && o->next && o->room && o->input && o->rank && o->chained && o->by_rank &&
           o->wave_at && o->first.task && o->first.head && o->rank_at && o->bucket && o->item;
}

cleave_status clv_tri_order(const clv_tri_tasks *t, clv_tri_sequence *q, clv_ws *ws,
                            cleave_error *err)
{
    const int64_t *xtask = q->xtask;
    clv_ws_mark mark = clv_ws_save(ws);
    ordering o = {.t = t};
    int64_t most = 0;
    for (int64_t i = 0; i < q->steps; i++)
        most = xtask[i + 1] - xtask[i] > most ? xtask[i + 1] - xtask[i] : most;
    if (!open_ordering(&o, t->s->ntasks, (int32_t)most, ws))
        return clv_fail_memory(err);
    for (int32_t v = 0; v < t->s->ntasks; v++)
        o.wave[v] = -1;
    for (int64_t i = 0; i < q->steps; i++) {
        o.count = (int32_t)(xtask[i + 1] - xtask[i]);
        order_step(&o, q->task + xtask[i], q->head + xtask[i]);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
