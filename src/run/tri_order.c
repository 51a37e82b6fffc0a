/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_order.c - the order of rows inside a step, and which four run side by side.
 *
 * Rows of a step go into waves: no row depends on another of its wave, waves run one after
 * the other, and a wave takes no more than `wave_room` rows, the earliest of the step first,
 * so that neighbours in the matrix stay neighbours in time.  Inside a wave rows of similar
 * length stand together and run four at a time.  Where rows form a chain, as in the dense
 * blocks of exact factors, four consecutive ones whose dependences on each other come last in
 * their rows also go side by side: all but those last entries is independent.
 *
 * Which waves are better depends on the matrix: small ones over the whole step find rows that
 * are independent even where all neighbours form chains (grids), large ones inside windows of
 * neighbouring rows find more of equal length.  Both are tried, and a rough count of cycles
 * decides. */
#include <string.h>

#include "base/sort.h"
#include "run/tri_layout.h"

enum {
    wave_room = 128,
    window = 8192,    /* rows */
    chain_prefix = 16 /* entries side by side that make four rows of a chain worth it */
};

typedef struct ordering {
    const clv_tri_tasks *t;
    const int32_t *step_of; /* by task */
    int32_t *wave;          /* by task: of its step */
    int32_t count, step;
    int32_t *input;   /* tasks of the step at hand as they came */
    uint8_t *chained; /* by position there: 4 begins a chain that goes together, else 1 or 0 */
    int32_t *task;    /* the order that is made, and its fours */
    uint8_t *head;
    int32_t *next, *room; /* by wave: one that is not full, at or after; rows it holds */
    int32_t *sorted;
    uint8_t *sorted_head;
    clv_sort_item *item; /* scratch of sorting: twice the tasks */
} ordering;

static int64_t length(const ordering *o, int32_t task)
{
    return o->t->end[task] - o->t->begin[task];
}

/* ---- Chains ------------------------------------------------------------------------ */

/* Entries before the first that is one of these rows; -1: others follow it. */
static int64_t outside(const ordering *o, const int32_t *group, int32_t before, int32_t task)
{
    const clv_tri_tasks *t = o->t;
    int64_t e = t->end[task];
    while (e > t->begin[task]) {
        int32_t source = t->last[t->rows->col[e - 1]], k = 0;
        while (k < before && group[k] != source)
            k++;
        if (k == before)
            break;
        e--;
    }
    return e - t->begin[task];
}

static bool contains(const ordering *o, int32_t task, int64_t entries, const int32_t *group,
                     int32_t before)
{
    const clv_tri_tasks *t = o->t;
    for (int64_t e = t->begin[task]; e < t->begin[task] + entries; e++)
        for (int32_t k = 0; k < before; k++)
            if (t->last[t->rows->col[e]] == group[k])
                return true;
    return false;
}

/* Are these four a chain that gains by going side by side? */
static bool is_chain(const ordering *o, const int32_t *group)
{
    int64_t shared = length(o, group[0]), total = shared;
    for (int32_t k = 1; k < 4; k++) {
        int64_t own = length(o, group[k]), free_of = outside(o, group, k, group[k]);
        if (free_of == own || free_of < chain_prefix)
            return false;
        total += own;
        if (shared > free_of)
            shared = free_of;
    }
    if (shared < chain_prefix || 4 * shared * 2 < total)
        return false;
    for (int32_t k = 1; k < 4; k++) {
        if (!clv_tri_first(o->t, group[k]))
            for (int32_t j = 0; j < k; j++)
                if (group[j] == group[k] - 1) /* continues a sum of the group */
                    return false;
        if (contains(o, group[k], outside(o, group, k, group[k]), group, k))
            return false;
    }
    return true;
}

static void find_chains(ordering *o)
{
    for (int32_t i = 0; i < o->count;) {
        bool chain = i + 4 <= o->count && is_chain(o, o->input + i);
        int32_t size = chain ? 4 : 1;
        for (int32_t k = 0; k < size; k++)
            o->chained[i + k] = k == 0 ? (uint8_t)size : 0;
        i += size;
    }
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

/* The first wave after all that a task reads in this step; those of its own group, which have
 * no wave yet, count for nothing. */
static int32_t earliest(const ordering *o, int32_t task)
{
    const clv_tri_tasks *t = o->t;
    int32_t w = 0;
    for (int64_t e = t->begin[task]; e < t->end[task]; e++) {
        int32_t source = t->last[t->rows->col[e]];
        if (o->step_of[source] == o->step && o->wave[source] >= w)
            w = o->wave[source] + 1;
    }
    if (!clv_tri_first(t, task) && o->step_of[task - 1] == o->step && o->wave[task - 1] >= w)
        w = o->wave[task - 1] + 1;
    return w;
}

/* Returns how many waves there are: of at most `most` rows, or not across windows. */
static int32_t find_waves(ordering *o, int32_t most, int32_t across)
{
    int32_t waves = 0, floor = 0, left = across;
    for (int32_t i = 0; i < o->count; i++) {
        o->next[i] = i;
        o->room[i] = 0;
        o->wave[o->input[i]] = -1;
    }
    o->next[o->count] = o->count;
    for (int32_t i = 0; i < o->count; i += o->chained[i]) {
        if ((left -= o->chained[i]) < 0) {
            floor = waves;
            left = across;
        }
        int32_t w = floor;
        for (int32_t k = 0; k < o->chained[i]; k++) {
            int32_t own = earliest(o, o->input[i + k]);
            w = own > w ? own : w;
        }
        w = find_room(o, w);
        o->room[w] += o->chained[i];
        if (o->room[w] >= most)
            o->next[w] = w + 1;
        for (int32_t k = 0; k < o->chained[i]; k++)
            o->wave[o->input[i + k]] = w;
        waves = w >= waves ? w + 1 : waves;
    }
    return waves;
}

/* Position by position into `sorted`, by wave; o->room becomes where each wave ends. */
static void sort_by_wave(ordering *o, int32_t waves)
{
    int32_t sum = 0;
    for (int32_t w = 0; w < waves; w++) {
        int32_t size = o->room[w];
        o->room[w] = sum;
        sum += size;
    }
    for (int32_t i = 0; i < o->count; i++) {
        int32_t *at = &o->room[o->wave[o->input[i]]];
        o->sorted[*at] = o->input[i];
        o->sorted_head[(*at)++] = o->chained[i];
    }
}

/* ---- Fours of a wave --------------------------------------------------------------- */

/* Whole rows before parts of rows, then by length; equals keep their order. */
static int64_t rank(const ordering *o, int32_t task)
{
    bool part = !clv_tri_first(o->t, task) || o->t->carry[task] >= 0;
    return length(o, task) + (part ? (int64_t)1 << 40 : 0);
}

static void sort_by_length(const ordering *o, int32_t *task, int32_t count)
{
    bool sorted = true; /* as in grids, where most rows have one length */
    for (int32_t i = 0; i < count; i++) {
        o->item[i] = (clv_sort_item){.key = rank(o, task[i]), .with.index = task[i]};
        sorted = sorted && (i == 0 || o->item[i - 1].key <= o->item[i].key);
    }
    if (sorted)
        return;
    clv_sort_item *by_length = clv_sort(o->item, o->item + count, count);
    for (int32_t i = 0; i < count; i++)
        task[i] = (int32_t)by_length[i].with.index;
}

/* Fours among the singles of a wave, chains after them.  begin..end in `sorted`; writes to
 * task and head from `begin` on. */
static void group_wave(ordering *o, int32_t begin, int32_t end)
{
    int32_t at = begin, singles = 0;
    for (int32_t i = begin; i < end; i++)
        if (o->sorted_head[i] == 1)
            o->task[begin + singles++] = o->sorted[i];
    sort_by_length(o, o->task + begin, singles);
    while (at < begin + singles) {
        const int32_t *four = o->task + at;
        bool together = at + 4 <= begin + singles && length(o, four[0]) > 0 &&
                        rank(o, four[3]) - rank(o, four[0]) <= length(o, four[0]);
        o->head[at] = together ? 4 : 1;
        for (int32_t k = 1; together && k < 4; k++)
            o->head[at + k] = 0;
        at += together ? 4 : 1;
    }
    for (int32_t i = begin; i < end; i++)
        if (o->sorted_head[i] != 1) {
            o->task[at] = o->sorted[i];
            o->head[at++] = o->sorted_head[i];
        }
}

/* About how many cycles the order takes, from a few kinds of processors. */
static int64_t cost_of(const ordering *o, int32_t waves)
{
    enum { entry = 3, four = 12, uneven = 40, single = 16, change = 20, wave = 30 };
    int64_t cost = (int64_t)wave * waves, before = -1;
    for (int32_t i = 0; i < o->count; i += o->head[i]) {
        int64_t most = length(o, o->task[i]), least = most, total = 0;
        for (int32_t k = 0; k < o->head[i]; k++) {
            int64_t own = length(o, o->task[i + k]);
            most = own > most ? own : most;
            least = own < least ? own : least;
            total += own;
        }
        bool even = o->head[i] == 4 && (4 * most - total) * 4 <= 4 * most;
        int64_t kind = even ? most : o->head[i] == 1 ? -1 : -2;
        cost += even              ? four + entry * most
                : o->head[i] == 1 ? single + entry * most
                                  : uneven + entry * least + entry * (total - 4 * least) / 2;
        cost += kind != before ? change : 0;
        before = kind;
    }
    return cost;
}

static int64_t try_waves(ordering *o, int32_t most, int32_t across)
{
    int32_t waves = find_waves(o, most, across);
    sort_by_wave(o, waves);
    for (int32_t w = 0; w < waves; w++)
        group_wave(o, w ? o->room[w - 1] : 0, o->room[w]);
    return cost_of(o, waves);
}

static void order_step(ordering *o, int32_t *task, uint8_t *head)
{
    int32_t *first_task = o->task;
    uint8_t *first_head = o->head;
    memcpy(o->input, task, sizeof *task * (size_t)o->count);
    find_chains(o);
    int64_t wide = try_waves(o, wave_room, INT32_MAX);
    o->task = task;
    o->head = head;
    if (o->count > window / 4 && try_waves(o, INT32_MAX, window) < wide + wide / 8) {
        o->task = first_task;
        o->head = first_head;
        return;
    }
    o->task = first_task;
    o->head = first_head;
    memcpy(task, first_task, sizeof *task * (size_t)o->count);
    memcpy(head, first_head, sizeof *head * (size_t)o->count);
}

cleave_status clv_tri_order(const clv_tri_tasks *t, int64_t steps, const int64_t *xtask,
                            int32_t *task, uint8_t *head, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t ntasks = t->s->ntasks, *step_of = clv_ws_alloc(ws, ntasks, sizeof *step_of);
    ordering o = {.t = t, .step_of = step_of};
    o.wave = clv_ws_alloc(ws, ntasks, sizeof *o.wave);
    o.next = clv_ws_alloc(ws, (int64_t)ntasks + 1, sizeof *o.next);
    o.room = clv_ws_alloc(ws, ntasks, sizeof *o.room);
    o.input = clv_ws_alloc(ws, ntasks, sizeof *o.input);
    o.chained = clv_ws_alloc(ws, ntasks, sizeof *o.chained);
    o.task = clv_ws_alloc(ws, ntasks, sizeof *o.task);
    o.head = clv_ws_alloc(ws, ntasks, sizeof *o.head);
    o.sorted = clv_ws_alloc(ws, ntasks, sizeof *o.sorted);
    o.sorted_head = clv_ws_alloc(ws, ntasks, sizeof *o.sorted_head);
    o.item = clv_ws_alloc(ws, 2 * (int64_t)ntasks, sizeof *o.item);
    if (!o.item || !step_of || !o.wave || !o.next || !o.room || !o.sorted || !o.sorted_head ||
        !o.input || !o.chained || !o.task || !o.head)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < steps; i++)
        for (int64_t k = xtask[i]; k < xtask[i + 1]; k++)
            step_of[task[k]] = (int32_t)i;
    for (int64_t i = 0; i < steps; i++) {
        o.count = (int32_t)(xtask[i + 1] - xtask[i]);
        o.step = (int32_t)i;
        order_step(&o, task + xtask[i], head + xtask[i]);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
