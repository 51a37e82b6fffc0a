/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_layout.c - writes the streams: a thread's steps one after the other. */
#include "run/tri_layout.h"

#include <string.h>

/* ---- Streams ----------------------------------------------------------------------- */

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
        uint32_t *source = clv_realloc(st->source, room, sizeof *source);
        if (!source)
            return false;
        st->source = source;
        st->value_room = room;
    }
    return true;
}

/* Appends a header of `words` numbers, for which there is room. */
static void *put(clv_tri_stream *st, int64_t words)
{
    int32_t *header = st->code + st->ncode;
    st->ncode += words;
    return header;
}

/* ---- Runs --------------------------------------------------------------------------- */

typedef struct writer {
    const clv_tri_tasks *t;
    clv_tri_stream *st;
    const int32_t *place; /* position by row */
    int64_t run;          /* where the kind of the open run is in the code; -1: no open run */
    int32_t *side;        /* positions of interleaved entries before they are written */
    int64_t side_room;
} writer;

/* Adds an item to the open run, or starts a new run. */
static void open_run(writer *w, int32_t kind, int32_t parameter)
{
    clv_tri_stream *st = w->st;
    clv_tri_run *run = (clv_tri_run *)(st->code + (w->run < 0 ? 0 : w->run));
    if (w->run < 0 || run->kind != kind || run->parameter != parameter) {
        w->run = st->ncode;
        run = put(st, CLV_TRI_WORDS(*run));
        *run = (clv_tri_run){.kind = kind, .parameter = parameter};
    }
    run->count++;
}

static void put_diagonal(writer *w, int32_t row)
{
    const int64_t *diagonal = w->t->rows->diagonal;
    w->st->source[w->st->nvalue++] = diagonal ? (uint32_t)diagonal[row] : CLV_TRI_ONE;
}

/* Entries of a row in order: columns and values. */
static void put_entries(writer *w, int64_t begin, int64_t end)
{
    const int32_t *col = w->t->rows->col, *place = w->place;
    const uint32_t *from = w->t->rows->source;
    int32_t *code = w->st->code + w->st->ncode;
    uint32_t *source = w->st->source + w->st->nvalue;
    for (int64_t e = begin; e < end; e++)
        *code++ = place[col[e]];
    for (int64_t e = begin; e < end; e++)
        *source++ = from[e];
    w->st->ncode += end - begin;
    w->st->nvalue += end - begin;
}

static bool is_part(const clv_tri_tasks *t, int32_t task)
{
    return !clv_tri_first(t, task) || clv_tri_carry(t, task) >= 0;
}

static int32_t carry_from(const clv_tri_tasks *t, int32_t task)
{
    return clv_tri_first(t, task) ? -1 : clv_tri_carry(t, task - 1);
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
    int32_t length = (int32_t)(end - begin);
    if (part) {
        clv_tri_task_code *head = put(w->st, CLV_TRI_WORDS(*head));
        *head = (clv_tri_task_code){length, row, w->place[row], carry_from(t, task),
                                    clv_tri_carry(t, task)};
    } else {
        clv_tri_row_code *head = put(w->st, CLV_TRI_WORDS(*head));
        *head = (clv_tri_row_code){length, row};
    }
    put_entries(w, begin, end);
    if (clv_tri_carry(t, task) < 0)
        put_diagonal(w, row);
    return true;
}

/* Four tasks that are written together. */
typedef struct four {
    const int32_t *task;
    int64_t begin[4], size[4];
    int64_t shared;      /* interleaved entries per task */
    bool even;           /* all entries are interleaved, with zeros where a row is shorter */
    bool part, near;     /* part: one is part of a row; near: positions fit 16 bits relative to
                            base */
    int32_t base;        /* positions are relative to it */
    int64_t most, total; /* entries of a task, of all */
} four;

/* Number of leading entries in all four tasks of a chain that do not depend on the four. */
static int64_t side_by_side(const clv_tri_tasks *t, const four *f)
{
    int64_t shared = f->size[0];
    for (int32_t k = 1; k < 4; k++) {
        int64_t begin = f->begin[k], some = f->size[k] < shared ? f->size[k] : shared;
        shared = clv_tri_first_of(t, f->task, k, begin, begin + some) - begin;
    }
    return shared;
}

static bool free_of_each_other(const clv_tri_tasks *t, const four *f)
{
    for (int32_t k = 1; k < 4; k++) {
        int64_t end = f->begin[k] + f->size[k];
        if (clv_tri_first_of(t, f->task, k, f->begin[k], end) < end)
            return false;
    }
    return true;
}

static void measure_four(four *f, const clv_tri_tasks *t, const int32_t *task, bool chained)
{
    enum { padding = 4 }; /* rows are padded with zeros up to a fourth of all entries */
    *f = (four){.task = task};
    int64_t least = INT64_MAX;
    for (int32_t k = 0; k < 4; k++) {
        f->begin[k] = t->begin[task[k]];
        f->size[k] = t->end[task[k]] - f->begin[k];
        f->total += f->size[k];
        f->most = f->size[k] > f->most ? f->size[k] : f->most;
        least = f->size[k] < least ? f->size[k] : least;
        f->part = f->part || is_part(t, task[k]);
    }
    f->shared = chained ? side_by_side(t, f) : least;
    f->even = !f->part && (4 * f->most - f->total) * padding <= 4 * f->most &&
              (!chained || f->shared == f->most || free_of_each_other(t, f));
    f->shared = f->even ? f->most : f->shared;
}

/* Positions of interleaved entries; near: their range fits 16 bits. */
static bool find_places(writer *w, four *f)
{
    const int32_t *place = w->place;
    int32_t n = w->t->rows->n, low = INT32_MAX, high = 0;
    if (4 * f->shared > w->side_room) {
        int64_t room = 8 * f->shared + 64;
        int32_t *side = clv_realloc(w->side, room, sizeof *side);
        if (!side)
            return false;
        w->side = side;
        w->side_room = room;
    }
    for (int32_t k = 0; k < 4; k++) {
        const int32_t *col = w->t->rows->col + f->begin[k];
        int64_t own = f->size[k] < f->shared ? f->size[k] : f->shared;
        for (int64_t i = 0; i < own; i++) {
            int32_t at = place[col[i]];
            w->side[4 * i + k] = at;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        for (int64_t i = own; i < f->shared; i++)
            w->side[4 * i + k] = n;
        high = own < f->shared ? n : high;
    }
    f->near = f->shared > 0 && high - low <= UINT16_MAX;
    f->base = f->near ? low : 0;
    return true;
}

/* Rows that are shorter are padded with zeros. */
static void put_side_by_side(writer *w, const four *f)
{
    int32_t *code = w->st->code + w->st->ncode;
    uint32_t *source = w->st->source + w->st->nvalue;
    int64_t count = 4 * f->shared;
    if (f->near) {
        clv_tri_short *to = (clv_tri_short *)code;
        for (int64_t i = 0; i < count; i++)
            to[i] = (uint16_t)(w->side[i] - f->base);
    } else {
        memcpy(code, w->side, (size_t)count * sizeof *code);
    }
    for (int32_t k = 0; k < 4; k++) {
        const uint32_t *from = w->t->rows->source + f->begin[k];
        int64_t own = f->size[k] < f->shared ? f->size[k] : f->shared;
        for (int64_t i = 0; i < own; i++)
            source[4 * i + k] = from[i];
        for (int64_t i = own; i < f->shared; i++)
            source[4 * i + k] = CLV_TRI_ZERO;
    }
    w->st->ncode += f->near ? count / 2 : count;
    w->st->nvalue += count;
}

static void put_rest(writer *w, const four *f)
{
    for (int32_t k = 0; k < 4; k++) {
        if (f->size[k] > f->shared)
            put_entries(w, f->begin[k] + f->shared, f->begin[k] + f->size[k]);
        if (clv_tri_carry(w->t, f->task[k]) < 0)
            put_diagonal(w, clv_tri_row(w->t, f->task[k]));
    }
}

static void put_carries(writer *w, const int32_t *task)
{
    clv_tri_carry_code *carries = put(w->st, CLV_TRI_WORDS(*carries));
    for (int32_t k = 0; k < 4; k++) {
        carries->place[k] = w->place[clv_tri_row(w->t, task[k])];
        carries->from[k] = carry_from(w->t, task[k]);
        carries->to[k] = clv_tri_carry(w->t, task[k]);
    }
}

static void put_four(writer *w, const four *f)
{
    open_run(w, clv_tri_four + f->near, (int32_t)f->shared);
    clv_tri_four_code *head = put(w->st, CLV_TRI_WORDS(*head));
    head->base = f->base;
    for (int32_t k = 0; k < 4; k++)
        head->row[k] = clv_tri_row(w->t, f->task[k]);
}

static void put_chain(writer *w, const four *f)
{
    open_run(w, (f->part ? clv_tri_chain_part : clv_tri_chain) + f->near, 0);
    clv_tri_chain_code *head = put(w->st, CLV_TRI_WORDS(*head));
    head->shared = (int32_t)f->shared;
    head->base = f->base;
    for (int32_t k = 0; k < 4; k++) {
        head->rest[k] = (int32_t)(f->size[k] - f->shared);
        head->row[k] = clv_tri_row(w->t, f->task[k]);
    }
    if (f->part)
        put_carries(w, f->task);
}

static bool write_four(writer *w, const int32_t *task, bool chained)
{
    four f;
    measure_four(&f, w->t, task, chained);
    if (!room_for(w->st, 4 * f.most + 32, 4 * f.most + 4) || !find_places(w, &f))
        return false;
    if (f.even)
        put_four(w, &f);
    else
        put_chain(w, &f);
    put_side_by_side(w, &f);
    put_rest(w, &f);
    return true;
}

static bool write_end(writer *w)
{
    if (!room_for(w->st, CLV_TRI_WORDS(clv_tri_run), 0))
        return false;
    clv_tri_run *run = put(w->st, CLV_TRI_WORDS(*run));
    *run = (clv_tri_run){.kind = clv_tri_end};
    w->run = -1;
    return true;
}

/* ---- Order of the rows, places ------------------------------------------------------ */

/* The tasks of every member, by step. */
static bool collect_tasks(clv_tri_sequence *q, const clv_tri_plan *plan, const clv_schedule *s,
                          clv_ws *ws)
{
    const clv_run_sync *sync = &plan->sync;
    int64_t k = 0;
    q->steps = sync->xstep[sync->threads];
    q->task = clv_ws_alloc(ws, s->ntasks, sizeof *q->task);
    q->xtask = clv_ws_alloc(ws, q->steps + 1, sizeof *q->xtask);
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
    q->xtask[q->steps] = k;
    return true;
}

static void give_places(clv_tri_plan *plan, const clv_tri_tasks *t, const clv_tri_sequence *q,
                        int32_t *place)
{
    const clv_run_sync *sync = &plan->sync;
    int32_t next = 0;
    for (int32_t p = 0; p < sync->threads; p++) {
        plan->stream[p].first_place = next;
        for (int64_t i = q->xtask[sync->xstep[p]]; i < q->xtask[sync->xstep[p + 1]]; i++)
            if (clv_tri_carry(t, q->task[i]) < 0) {
                int32_t row = clv_tri_row(t, q->task[i]);
                place[row] = next;
                plan->order[next++] = row;
            }
    }
}

/* Reserves estimated space for all tasks of a member, to avoid copying later. */
static bool reserve_stream(writer *w, const clv_tri_sequence *q, int64_t begin, int64_t end)
{
    int64_t entries = 0, tasks = end - begin;
    for (int64_t i = begin; i < end; i++)
        entries += w->t->end[q->task[i]] - w->t->begin[q->task[i]];
    return room_for(w->st, entries / 4 * 3 + 4 * tasks, entries + tasks);
}

static bool write_member(writer *w, const clv_run_sync *sync, const clv_tri_sequence *q,
                         int32_t p)
{
    if (!reserve_stream(w, q, q->xtask[sync->xstep[p]], q->xtask[sync->xstep[p + 1]]))
        return false;
    for (int64_t i = sync->xstep[p]; i < sync->xstep[p + 1]; i++) {
        for (int64_t j = q->xtask[i]; j < q->xtask[i + 1]; j += clv_tri_size(q->head[j]))
            if (!(q->head[j] == 1 ? write_single(w, q->task[j])
                                  : write_four(w, q->task + j, q->head[j] == clv_tri_chained)))
                return false;
        if (!write_end(w))
            return false;
    }
    return true;
}

cleave_status clv_tri_layout(clv_tri_plan *plan, const clv_tri_tasks *t, clv_ws *ws,
                             cleave_error *err)
{
    const clv_run_sync *sync = &plan->sync;
    clv_tri_sequence q;
    int32_t *place = clv_ws_alloc(ws, plan->n, sizeof *place);
    if (!place || !collect_tasks(&q, plan, t->s, ws))
        return clv_fail_memory(err);
    CLV_TRY(clv_tri_order(t, &q, ws, err));
    give_places(plan, t, &q, place);
    writer w = {.t = t, .place = place};
    bool done = true;
    for (int32_t p = 0; p < sync->threads && done; p++) {
        w.st = &plan->stream[p];
        w.run = -1;
        done = write_member(&w, sync, &q, p);
    }
    clv_sys_free(w.side);
    return done ? CLEAVE_OK : clv_fail_memory(err);
}
