/* SPDX-License-Identifier: Apache-2.0 */
/* view/schedule_gantt.c - a schedule as bars: the work of each thread in each layer, by the
 * cost model of cleave_schedule_costs. */
#include <stdio.h>

#include "base/sort.h"
#include "evaluate/schedule_metrics.h"
#include "view/drawing.h"

enum { most_bars = 20000, most_joins = 4000, caption_room = 240 };

typedef struct gantt_maker {
    clv_drawing *d;
    const clv_graph *g;
    const clv_schedule *s;
    const cleave_schedule_costs *costs;
    int64_t *work, *reads; /* by block */
    int32_t each;          /* layers per bar */
    int64_t bars;
    clv_bar *bar;
    int32_t *bar_of; /* by group of layers and thread; -1: no work there */
    double *barrier, *share, *balance;
    int64_t *crossing;
    double now;
} gantt_maker;

static void *room_for(gantt_maker *m, int64_t count, size_t each)
{
    return clv_arena_zalloc(&m->d->arena, count, each);
}

static cleave_status make_room(gantt_maker *m, int64_t groups, cleave_error *err)
{
    int64_t blocks = (int64_t)m->s->layers * m->s->threads;
    m->work = clv_ws_alloc(m->d->ctx.ws, blocks, sizeof *m->work);
    m->reads = clv_ws_alloc(m->d->ctx.ws, blocks, sizeof *m->reads);
    m->bar = room_for(m, groups * m->s->threads, sizeof *m->bar);
    m->bar_of = room_for(m, groups * m->s->threads, sizeof *m->bar_of);
    m->barrier = room_for(m, 2 * groups, sizeof *m->barrier);
    m->share = room_for(m, 2 * groups, sizeof *m->share);
    m->balance = room_for(m, groups, sizeof *m->balance);
    m->crossing = room_for(m, groups, sizeof *m->crossing);
    if (!m->work || !m->reads || !m->bar || !m->bar_of || !m->barrier || !m->share ||
        !m->balance || !m->crossing)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

/* The work of a thread in layers first .. last. */
static clv_bar sum_blocks(const gantt_maker *m, int32_t first, int32_t last, int32_t thread)
{
    clv_bar bar = {.thread = thread, .first = first, .last = last};
    for (int32_t l = first; l <= last; l++) {
        int64_t block = (int64_t)l * m->s->threads + thread;
        bar.work += m->work[block];
        bar.crossing += m->reads[block];
        bar.vertices += m->s->block[block + 1] - m->s->block[block];
    }
    return bar;
}

/* Sum over the layers of the time of the slowest thread. */
static double longest(const gantt_maker *m, int32_t first, int32_t last)
{
    double sum = 0;
    for (int32_t l = first; l <= last; l++) {
        double most = 0;
        for (int32_t t = 0; t < m->s->threads; t++) {
            int64_t block = (int64_t)l * m->s->threads + t;
            double time = (double)m->work[block] + m->costs->read * (double)m->reads[block];
            most = time > most ? time : most;
        }
        sum += most;
    }
    return sum;
}

static void add_group(gantt_maker *m, int64_t group)
{
    int32_t first = (int32_t)(group * m->each), last = first + m->each - 1;
    last = last < m->s->layers ? last : m->s->layers - 1;
    double length = longest(m, first, last), end = m->now + length;
    int64_t total = 0, most = 0;
    for (int32_t t = 0; t < m->s->threads; t++) {
        clv_bar bar = sum_blocks(m, first, last, t);
        int64_t at = group * m->s->threads + t;
        m->bar_of[at] = -1;
        m->crossing[group] += bar.crossing;
        total += bar.work;
        most = bar.work > most ? bar.work : most;
        if (bar.vertices == 0)
            continue;
        bar.begin = m->now;
        bar.end = m->now + (double)bar.work + m->costs->read * (double)bar.crossing;
        bar.idle_from = bar.end;
        bar.idle_to = end;
        m->bar_of[at] = (int32_t)m->bars;
        m->bar[m->bars++] = bar;
    }
    m->balance[group] = most > 0 ? (double)total / ((double)most * (double)m->s->threads) : 1;
    m->share[2 * group] = m->now;
    m->share[2 * group + 1] = m->barrier[2 * group] = end;
    m->now = end + m->costs->sync * (last - first + 1);
    m->barrier[2 * group + 1] = m->now;
}

/* ---- Arcs that cross threads ------------------------------------------------------------ */

static int32_t bar_of_task(const gantt_maker *m, int32_t task)
{
    return m
        ->bar_of[(int64_t)(m->s->layer[task] / m->each) * m->s->threads + m->s->thread[task]];
}

/* One item per pair of a task and a task of another thread that it reads: both bars in the
 * key. */
static int64_t list_reads(const gantt_maker *m, const int32_t *holder, clv_sort_item *item)
{
    const clv_schedule *s = m->s;
    int64_t next = 0, n = 0;
    for (int32_t t = 0; t < s->ntasks; t++) {
        int32_t r = s->row ? s->row[t] : t;
        int64_t end = s->row ? next + s->share[t] : m->g->xpred[r + 1];
        bool continues = s->row && t > 0 && s->row[t - 1] == r;
        if (continues && s->thread[t - 1] != s->thread[t])
            item[n++].key = bar_of_task(m, t - 1) * m->bars + bar_of_task(m, t);
        for (; next < end; next++) {
            int32_t from = holder[m->g->pred[next]];
            if (s->thread[from] != s->thread[t])
                item[n++].key = bar_of_task(m, from) * m->bars + bar_of_task(m, t);
        }
    }
    return n;
}

static void join_up(const gantt_maker *m, const clv_sort_item *item, int64_t n, clv_join *join,
                    int64_t *count)
{
    *count = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && item[end].key == item[i].key;)
            end++;
        join[(*count)++] = (clv_join){item[i].key / m->bars, item[i].key % m->bars, end - i};
    }
}

static cleave_status find_joins(gantt_maker *m, clv_gantt *out, cleave_error *err)
{
    const clv_schedule *s = m->s;
    clv_ws *ws = m->d->ctx.ws;
    int64_t most = m->g->narc + s->ntasks;
    int32_t *holder = clv_ws_alloc(ws, s->nrows, sizeof *holder);
    clv_sort_item *item = clv_ws_alloc(ws, most, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, most, sizeof *scratch);
    clv_join *join = clv_ws_alloc(ws, most, sizeof *join);
    if (!holder || !item || !scratch || !join)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < s->ntasks; t++) /* holder: the last task of each row */
        holder[s->row ? s->row[t] : t] = t;
    int64_t n = list_reads(m, holder, item), count;
    join_up(m, clv_sort(item, scratch, n), n, join, &count);
    if (count > most_joins) /* too many to draw; the row below shows their counts */
        return CLEAVE_OK;
    clv_join *kept = room_for(m, count, sizeof *kept);
    if (!kept)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++)
        kept[i] = join[i];
    out->join = kept;
    out->njoins = count;
    return CLEAVE_OK;
}

/* ---- The chart -------------------------------------------------------------------------- */

static cleave_status make_chart(gantt_maker *m, clv_gantt *out, cleave_error *err)
{
    const clv_schedule *s = m->s;
    int64_t blocks = (int64_t)s->layers * s->threads;
    m->each = (int32_t)((blocks + most_bars - 1) / most_bars);
    m->each = m->each < 1 ? 1 : m->each;
    int64_t groups = ((int64_t)s->layers + m->each - 1) / m->each;
    CLV_TRY(make_room(m, groups, err));
    CLV_TRY(clv_evaluate_schedule_work(m->g, s, m->d->ctx.ws, m->work, err));
    CLV_TRY(clv_evaluate_schedule_reads(m->g, s, m->d->ctx.ws, m->reads, err));
    for (int64_t i = 0; i < groups; i++)
        add_group(m, i);
    if (m->each == 1) /* otherwise some lead to their own bar */
        CLV_TRY(find_joins(m, out, err));
    out->length = m->now;
    out->nbars = m->bars;
    out->bar = m->bar;
    out->nbarriers = out->nshares = groups;
    out->barrier = m->barrier;
    out->share = m->share;
    out->balance = m->balance;
    out->crossing = m->crossing;
    return CLEAVE_OK;
}

static cleave_status describe(gantt_maker *m, clv_gantt *out, cleave_error *err)
{
    char *caption = room_for(m, caption_room, 1);
    if (!caption)
        return clv_fail_memory(err);
    int used =
        snprintf(caption, caption_room, "%lld vertices in %lld layers on %lld threads",
                 (long long)m->g->nvtx, (long long)m->s->layers, (long long)m->s->threads);
    if (m->each > 1)
        snprintf(caption + used, (size_t)(caption_room - used),
                 "; a bar stands for %lld layers", (long long)m->each);
    out->caption = caption;
    return CLEAVE_OK;
}

cleave_status clv_schedule_gantt(clv_gantt *out, clv_drawing *d, const clv_graph *g,
                                 const clv_schedule *s, const cleave_schedule_costs *costs,
                                 cleave_error *err)
{
    gantt_maker m = {.d = d, .g = g, .s = s, .costs = costs};
    clv_ws_mark mark = clv_ws_save(d->ctx.ws);
    *out = (clv_gantt){.title = "Schedule, as predicted",
                       .unit = "cost",
                       .process = "predicted",
                       .microseconds = 1e-3,
                       .joins = "crossing edges",
                       .threads = s->threads,
                       .layers = s->layers};
    CLV_TRY(make_chart(&m, out, err));
    clv_ws_restore(d->ctx.ws, mark);
    return describe(&m, out, err);
}
