/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/reuse_schedule.c - one analysis for several triangles.
 *
 * A schedule fits every pattern that has no dependency against its order.  Run backward (last
 * layer first, every block from its end) it fits the transpose of such a pattern: the backward
 * sweep of a factor therefore needs no analysis of its own. */
#include <string.h>

#include "engine/solve/solve_analysis.h"

/* Does every row come after those it depends on: in an earlier layer, or earlier on the same
 * thread?  sign -1: the schedule runs backward.  place: position of each task in the order. */
static bool fits(const clv_schedule *s, const clv_tri_rows *rows, const int32_t *place,
                 int sign)
{
    for (int32_t i = 0; i < rows->n; i++)
        for (int64_t k = rows->xadj[i]; k < rows->xadj[i + 1]; k++) {
            int32_t j = rows->col[k];
            int64_t later = (int64_t)sign * (s->layer[i] - s->layer[j]);
            if (later < 0 || (later == 0 && (s->thread[i] != s->thread[j] ||
                                             (int64_t)sign * (place[i] - place[j]) <= 0)))
                return false;
        }
    return true;
}

/* The same for split rows, forward only. */
static bool fits_split(const clv_schedule *s, const clv_tri_rows *rows, const int32_t *place,
                       int32_t *last)
{
    for (int32_t t = 0; t < s->ntasks; t++)
        last[s->row[t]] = t;
    int64_t k = 0;
    for (int32_t t = 0; t < s->ntasks; t++) {
        int32_t i = s->row[t];
        if (t == 0 || s->row[t - 1] != i)
            k = rows->xadj[i];
        int64_t end = k + s->share[t];
        if (end > rows->xadj[i + 1] || (last[i] == t && end != rows->xadj[i + 1]))
            return false;
        for (; k < end; k++) {
            int32_t j = last[rows->col[k]];
            if (s->layer[j] > s->layer[t] ||
                (s->layer[j] == s->layer[t] &&
                 (s->thread[j] != s->thread[t] || place[j] >= place[t])))
                return false;
        }
    }
    return true;
}

static cleave_status copy_forward(clv_schedule **out, const clv_schedule *s, clv_ws *ws,
                                  cleave_error *err)
{
    clv_schedule *copy;
    clv_schedule_spec spec = clv_schedule_spec_of(s);
    CLV_TRY(clv_schedule_given(&copy, s->ntasks, &spec, ws, err));
    if (s->row) {
        size_t bytes = (size_t)s->ntasks * sizeof(int32_t);
        int32_t *row = clv_arena_alloc(&copy->arena, s->ntasks, sizeof *row);
        int32_t *share = clv_arena_alloc(&copy->arena, s->ntasks, sizeof *share);
        if (!row || !share) {
            clv_schedule_free(copy);
            return clv_fail_memory(err);
        }
        memcpy(row, s->row, bytes);
        memcpy(share, s->share, bytes);
        copy->row = row;
        copy->share = share;
        copy->nrows = s->nrows;
    }
    *out = copy;
    return CLEAVE_OK;
}

static cleave_status copy_backward(clv_schedule **out, const clv_schedule *s, clv_ws *ws,
                                   cleave_error *err)
{
    int32_t n = s->ntasks, at = 0;
    int32_t *layer = clv_ws_alloc(ws, n, sizeof *layer);
    int32_t *order = clv_ws_alloc(ws, n, sizeof *order);
    if (!layer || !order)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < n; i++)
        layer[i] = s->layers - 1 - s->layer[i];
    for (int32_t l = s->layers - 1; l >= 0; l--)
        for (int32_t p = 0; p < s->threads; p++) {
            int64_t b = (int64_t)l * s->threads + p;
            for (int64_t k = s->block[b + 1]; k > s->block[b]; k--)
                order[at++] = s->order[k - 1];
        }
    clv_schedule_spec spec = {s->method, s->threads, layer, s->thread, order};
    return clv_schedule_given(out, n, &spec, ws, err);
}

cleave_status clv_solve_reuse_schedule(clv_schedule **out, const clv_schedule *s,
                                       const clv_tri_rows *rows, clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    if (s->nrows != rows->n)
        return CLEAVE_OK;
    int32_t *place = clv_ws_alloc(ws, s->ntasks, sizeof *place);
    int32_t *last = clv_ws_alloc(ws, rows->n, sizeof *last);
    if (!place || !last)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < s->ntasks; k++)
        place[s->order[k]] = k;
    if (s->row)
        return fits_split(s, rows, place, last) ? copy_forward(out, s, ws, err) : CLEAVE_OK;
    if (fits(s, rows, place, 1))
        return copy_forward(out, s, ws, err);
    return fits(s, rows, place, -1) ? copy_backward(out, s, ws, err) : CLEAVE_OK;
}
