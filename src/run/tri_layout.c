/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_layout.c - writes the streams: a thread's steps one after the other. */
#include "run/tri_layout.h"

#include <string.h>

/* ---- Streams that grow ------------------------------------------------------------- */

static bool room_for(clv_tri_stream *st, int64_t codes, int64_t values)
{
    if (st->ncode + codes > st->code_room) {
        int64_t room = (st->ncode + codes) * 3 / 2 + 64;
        int32_t *code = clv_realloc(st->code, room, sizeof *code);
        if (!code)
            return false;
        st->code = code;
        st->code_room = room;
    }
    if (st->nvalue + values > st->value_room) {
        int64_t room = (st->nvalue + values) * 3 / 2 + 64;
        int64_t *source = clv_realloc(st->source, room, sizeof *source);
        if (!source)
            return false;
        st->source = source;
        st->value_room = room;
    }
    return true;
}

static void put(clv_tri_stream *st, int32_t code)
{
    st->code[st->ncode++] = code;
}

static void put_value(clv_tri_stream *st, int64_t source)
{
    st->source[st->nvalue++] = source;
}

/* ---- Runs --------------------------------------------------------------------------- */

typedef struct writer {
    const clv_tri_tasks *t;
    clv_tri_stream *st;
    const int32_t *place; /* by row */
    int64_t run;          /* where the open run's kind stands; -1: none */
} writer;

/* Another item of the open run, or of a new one. */
static void open_run(writer *w, int32_t kind, int32_t parameter)
{
    clv_tri_stream *st = w->st;
    if (w->run < 0 || st->code[w->run] != kind || st->code[w->run + 2] != parameter) {
        w->run = st->ncode;
        put(st, kind);
        put(st, 0);
        put(st, parameter);
    }
    st->code[w->run + 1]++;
}

static void put_diagonal(writer *w, int32_t row)
{
    put_value(w->st, w->t->rows->diagonal ? w->t->rows->diagonal[row] : -1);
}

/* Entry e of a row: its column and value. */
static void put_entry(writer *w, int64_t e)
{
    put(w->st, w->place[w->t->rows->col[e]]);
    put_value(w->st, w->t->rows->source[e]);
}

static bool is_part(const clv_tri_tasks *t, int32_t task)
{
    return !clv_tri_first(t, task) || t->carry[task] >= 0;
}

static int32_t carry_from(const clv_tri_tasks *t, int32_t task)
{
    return clv_tri_first(t, task) ? -1 : t->carry[task - 1];
}

static bool write_single(writer *w, int32_t task)
{
    const clv_tri_tasks *t = w->t;
    int64_t begin = t->begin[task], end = t->end[task];
    int32_t row = clv_tri_row(t, task);
    bool part = is_part(t, task);
    if (!room_for(w->st, end - begin + 9, end - begin + 1))
        return false;
    open_run(w, part ? clv_tri_part : clv_tri_single, 0);
    put(w->st, (int32_t)(end - begin));
    put(w->st, row);
    if (part) {
        put(w->st, w->place[row]);
        put(w->st, carry_from(t, task));
        put(w->st, t->carry[task]);
    }
    for (int64_t e = begin; e < end; e++)
        put_entry(w, e);
    if (t->carry[task] < 0)
        put_diagonal(w, row);
    return true;
}

/* The first of a task's entries, before `end`, that is one of these tasks' rows; else end. */
static int64_t first_of(const writer *w, const int32_t *task, int32_t count, int64_t begin,
                        int64_t end)
{
    const clv_tri_tasks *t = w->t;
    for (int64_t e = begin; e < end; e++) {
        int32_t source = t->last[t->rows->col[e]];
        for (int32_t j = 0; j < count; j++)
            if (task[j] == source)
                return e;
    }
    return end;
}

/* How many entries of four tasks are free of the tasks themselves, in all of them. */
static int64_t side_by_side(const writer *w, const int32_t *task)
{
    const clv_tri_tasks *t = w->t;
    int64_t shared = t->end[task[0]] - t->begin[task[0]];
    for (int32_t k = 1; k < 4; k++) {
        int64_t begin = t->begin[task[k]], end = t->end[task[k]];
        end = end < begin + shared ? end : begin + shared;
        shared = first_of(w, task, k, begin, end) - begin;
    }
    return shared;
}

static bool free_of_each_other(const writer *w, const int32_t *task)
{
    const clv_tri_tasks *t = w->t;
    for (int32_t k = 1; k < 4; k++)
        if (first_of(w, task, k, t->begin[task[k]], t->end[task[k]]) < t->end[task[k]])
            return false;
    return true;
}

/* Do the first `shared` columns span few enough places for short numbers?  *base: the first.
 */
static bool span(const writer *w, const int32_t *task, int64_t shared, int32_t *base)
{
    const clv_tri_tasks *t = w->t;
    int32_t low = INT32_MAX, high = 0;
    for (int32_t k = 0; k < 4; k++)
        for (int64_t i = 0; i < shared; i++) {
            int64_t e = t->begin[task[k]] + i;
            int32_t place = e < t->end[task[k]] ? w->place[t->rows->col[e]] : t->rows->n;
            low = place < low ? place : low;
            high = place > high ? place : high;
        }
    bool near = shared > 0 && high - low <= UINT16_MAX;
    *base = near ? low : 0;
    return near;
}

/* Where a row ends earlier: zeros. */
static void write_side_by_side(writer *w, const int32_t *task, int64_t shared, bool near,
                               int32_t base)
{
    const clv_tri_tasks *t = w->t;
    for (int64_t i = 0; i < shared; i++) {
        int32_t at[4];
        for (int32_t k = 0; k < 4; k++) {
            int64_t e = t->begin[task[k]] + i;
            bool has = e < t->end[task[k]];
            at[k] = (has ? w->place[t->rows->col[e]] : t->rows->n) - base;
            put_value(w->st, has ? t->rows->source[e] : -2);
        }
        if (near) {
            clv_tri_short *to = (clv_tri_short *)(w->st->code + w->st->ncode);
            for (int32_t k = 0; k < 4; k++)
                to[k] = (uint16_t)at[k];
            w->st->ncode += 2;
        } else {
            for (int32_t k = 0; k < 4; k++)
                put(w->st, at[k]);
        }
    }
}

static void write_rest(writer *w, const int32_t *task, int64_t shared)
{
    const clv_tri_tasks *t = w->t;
    for (int32_t k = 0; k < 4; k++) {
        for (int64_t e = t->begin[task[k]] + shared; e < t->end[task[k]]; e++)
            put_entry(w, e);
        if (t->carry[task[k]] < 0)
            put_diagonal(w, clv_tri_row(t, task[k]));
    }
}

static void write_carries(writer *w, const int32_t *task)
{
    const clv_tri_tasks *t = w->t;
    for (int32_t k = 0; k < 4; k++)
        put(w->st, w->place[clv_tri_row(t, task[k])]);
    for (int32_t k = 0; k < 4; k++)
        put(w->st, carry_from(t, task[k]));
    for (int32_t k = 0; k < 4; k++)
        put(w->st, t->carry[task[k]]);
}

static bool write_four(writer *w, const int32_t *task)
{
    enum { padding = 4 }; /* zeros are worth it up to a fourth of all */
    const clv_tri_tasks *t = w->t;
    int64_t shared = side_by_side(w, task), total = 0, most = 0;
    bool part = false;
    for (int32_t k = 0; k < 4; k++) {
        int64_t own = t->end[task[k]] - t->begin[task[k]];
        total += own;
        most = own > most ? own : most;
        part = part || is_part(t, task[k]);
    }
    bool even = !part && (4 * most - total) * padding <= 4 * most &&
                (shared == most || free_of_each_other(w, task));
    if (!room_for(w->st, 4 * most + 32, 4 * most + 4))
        return false;
    shared = even ? most : shared;
    int32_t base, kind = even ? clv_tri_four : part ? clv_tri_chain_part : clv_tri_chain;
    bool near = span(w, task, shared, &base);
    open_run(w, kind + near, even ? (int32_t)shared : 0);
    if (!even) {
        put(w->st, (int32_t)shared);
        for (int32_t k = 0; k < 4; k++)
            put(w->st, (int32_t)(t->end[task[k]] - t->begin[task[k]] - shared));
    }
    for (int32_t k = 0; k < 4; k++)
        put(w->st, clv_tri_row(t, task[k]));
    put(w->st, base);
    if (part)
        write_carries(w, task);
    write_side_by_side(w, task, shared, near, base);
    write_rest(w, task, shared);
    return true;
}

static bool write_end(writer *w)
{
    if (!room_for(w->st, 3, 0))
        return false;
    w->run = -1;
    put(w->st, clv_tri_end);
    put(w->st, 0);
    put(w->st, 0);
    return true;
}

/* ---- Order of the rows, places ------------------------------------------------------ */

/* The tasks of every member in the order in which it runs them; xtask by step. */
typedef struct sequence {
    int32_t *task;
    int64_t *xtask;
    uint8_t *head;
} sequence;

static bool collect(sequence *q, const clv_tri_plan *plan, const clv_schedule *s, clv_ws *ws)
{
    const clv_run_sync *sync = &plan->sync;
    int64_t steps = sync->xstep[sync->threads], k = 0;
    q->task = clv_ws_alloc(ws, s->ntasks, sizeof *q->task);
    q->xtask = clv_ws_alloc(ws, steps + 1, sizeof *q->xtask);
    q->head = clv_ws_alloc(ws, s->ntasks, sizeof *q->head);
    if (!q->task || !q->xtask || !q->head)
        return false;
    for (int32_t thread = 0; thread < s->threads; thread++) {
        int32_t p = sync->member[thread];
        for (int64_t i = p < 0 ? 0 : sync->xstep[p]; p >= 0 && i < sync->xstep[p + 1]; i++) {
            q->xtask[i] = k;
            for (int32_t l = sync->step[i].first; l <= sync->step[i].last; l++) {
                int64_t block = (int64_t)l * s->threads + thread;
                for (int64_t j = s->block[block]; j < s->block[block + 1]; j++)
                    q->task[k++] = s->order[j];
            }
        }
    }
    q->xtask[steps] = k;
    return true;
}

static void give_places(clv_tri_plan *plan, const clv_tri_tasks *t, const sequence *q,
                        int32_t *place)
{
    const clv_run_sync *sync = &plan->sync;
    int32_t next = 0;
    for (int32_t p = 0; p < sync->threads; p++) {
        plan->stream[p].first_place = next;
        for (int64_t i = q->xtask[sync->xstep[p]]; i < q->xtask[sync->xstep[p + 1]]; i++)
            if (t->carry[q->task[i]] < 0) {
                int32_t row = clv_tri_row(t, q->task[i]);
                place[row] = next;
                plan->order[next++] = row;
            }
    }
}

cleave_status clv_tri_layout(clv_tri_plan *plan, const clv_tri_tasks *t, clv_ws *ws,
                             cleave_error *err)
{
    const clv_run_sync *sync = &plan->sync;
    sequence q;
    int32_t *place = clv_ws_alloc(ws, plan->n, sizeof *place);
    if (!place || !collect(&q, plan, t->s, ws))
        return clv_fail_memory(err);
    CLV_TRY(clv_tri_order(t, sync->xstep[sync->threads], q.xtask, q.task, q.head, ws, err));
    give_places(plan, t, &q, place);
    for (int32_t p = 0; p < sync->threads; p++) {
        writer w = {.t = t, .st = &plan->stream[p], .place = place, .run = -1};
        for (int64_t i = sync->xstep[p]; i < sync->xstep[p + 1]; i++) {
            for (int64_t j = q.xtask[i]; j < q.xtask[i + 1]; j += q.head[j])
                if (!(q.head[j] == 1 ? write_single(&w, q.task[j])
                                     : write_four(&w, q.task + j)))
                    return clv_fail_memory(err);
            if (!write_end(&w))
                return clv_fail_memory(err);
        }
    }
    return CLEAVE_OK;
}
