/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_tasks.c - the entries of the tasks of a schedule, and the threads that a block reads
 * from. */
#include <string.h>

#include "run/tri_layout.h"

static cleave_status check_fit(const clv_tri_rows *rows, const clv_schedule *s,
                               cleave_error *err)
{
    if (s->nrows != rows->n)
        return clv_fail(err, CLEAVE_EINVAL, "the schedule has %d rows and the matrix %d",
                        s->nrows, rows->n);
    return CLEAVE_OK;
}

/* The entries of every task; tasks of a row have consecutive numbers. */
static cleave_status share_out(const clv_tri_tasks *t, int64_t *begin, int64_t *end,
                               cleave_error *err)
{
    const clv_schedule *s = t->s;
    for (int32_t v = 0; v < s->ntasks; v++) {
        int32_t r = clv_tri_row(t, v);
        begin[v] = clv_tri_first(t, v) ? t->rows->xadj[r] : end[v - 1];
        end[v] = s->share ? begin[v] + s->share[v] : t->rows->xadj[r + 1];
        bool last = v + 1 == s->ntasks || clv_tri_row(t, v + 1) != r;
        if (end[v] > t->rows->xadj[r + 1] || (last && end[v] != t->rows->xadj[r + 1]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "row %d has %lld entries, not as many as its tasks share out", r,
                            (long long)(t->rows->xadj[r + 1] - t->rows->xadj[r]));
    }
    return CLEAVE_OK;
}

cleave_status clv_tri_tasks_find(clv_tri_tasks *t, const clv_tri_rows *rows,
                                 const clv_schedule *s, clv_ws *ws, cleave_error *err)
{
    *t = (clv_tri_tasks){
        .rows = rows, .s = s, .begin = rows->xadj, .end = rows->xadj + (rows->n > 0)};
    CLV_TRY(check_fit(rows, s, err));
    if (!s->row)
        return CLEAVE_OK;
    int64_t *begin = clv_ws_alloc(ws, s->ntasks, sizeof *begin);
    int64_t *end = clv_ws_alloc(ws, s->ntasks, sizeof *end);
    int32_t *last = clv_ws_alloc(ws, rows->n, sizeof *last);
    int32_t *carry = clv_ws_alloc(ws, s->ntasks, sizeof *carry);
    if (!begin || !end || !last || !carry)
        return clv_fail_memory(err);
    CLV_TRY(share_out(t, begin, end, err));
    for (int32_t v = 0; v < s->ntasks; v++)
        last[s->row[v]] = v;
    for (int32_t v = 0; v < s->ntasks; v++)
        carry[v] = last[s->row[v]] == v ? -1 : t->ncarry++;
    t->begin = begin;
    t->end = end;
    t->last = last;
    t->carry = carry;
    return CLEAVE_OK;
}

int64_t clv_tri_first_of(const clv_tri_tasks *t, const int32_t *task, int32_t count,
                         int64_t begin, int64_t end)
{
    const int32_t *col = t->rows->col;
    for (int32_t j = 0; j < count; j++) {
        int32_t row = clv_tri_row(t, task[j]);
        if (clv_tri_last(t, row) != task[j])
            continue;
        int64_t low = begin, high = end; /* col[low - 1] < row <= col[high] */
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (col[middle] < row)
                low = middle + 1;
            else
                high = middle;
        }
        end = low < end && col[low] == row ? low : end;
    }
    return end;
}

/* Reads of one task from other threads: raises most[thread] to the last layer + 1. */
static void note_reads(const clv_tri_tasks *t, int32_t task, int32_t *most)
{
    const clv_schedule *s = t->s;
    int32_t here = s->thread[task];
    for (int64_t e = t->begin[task]; e < t->end[task]; e++) {
        int32_t source = clv_tri_last(t, t->rows->col[e]), other = s->thread[source];
        if (other != here && most[other] <= s->layer[source])
            most[other] = s->layer[source] + 1;
    }
    if (!clv_tri_first(t, task)) {
        int32_t other = s->thread[task - 1];
        if (other != here && most[other] <= s->layer[task - 1])
            most[other] = s->layer[task - 1] + 1;
    }
}

/* Upper bound on the number of threads that a block reads from. */
static int64_t most_reads(const clv_tri_tasks *t, int64_t block)
{
    int64_t reads = 0, others = t->s->threads - 1;
    for (int64_t i = t->s->block[block]; i < t->s->block[block + 1] && reads < others; i++) {
        int32_t task = t->s->order[i];
        reads += t->end[task] - t->begin[task] + 1;
    }
    return reads < others ? reads : others;
}

cleave_status clv_tri_reads_find(clv_sync_reads *reads, const clv_tri_tasks *t, clv_ws *ws,
                                 cleave_error *err)
{
    const clv_schedule *s = t->s;
    int64_t blocks = (int64_t)s->layers * s->threads, room = 0;
    for (int64_t k = 0; k < blocks; k++)
        room += most_reads(t, k);
    int64_t *xread = clv_ws_alloc(ws, blocks + 1, sizeof *xread);
    clv_sync_wait *read = clv_ws_alloc(ws, room, sizeof *read);
    int32_t *most = clv_ws_alloc(ws, s->threads, sizeof *most);
    if (!xread || !read || !most)
        return clv_fail_memory(err);
    int64_t count = 0;
    for (int64_t k = 0; k < blocks; k++) {
        xread[k] = count;
        if (s->block[k] == s->block[k + 1] || s->threads == 1)
            continue;
        memset(most, 0, sizeof *most * (size_t)s->threads);
        for (int64_t i = s->block[k]; i < s->block[k + 1]; i++)
            note_reads(t, s->order[i], most);
        for (int32_t other = 0; other < s->threads; other++)
            if (most[other] > 0)
                read[count++] = (clv_sync_wait){other, most[other]};
    }
    xread[blocks] = count;
    *reads = (clv_sync_reads){s, xread, read};
    return CLEAVE_OK;
}
