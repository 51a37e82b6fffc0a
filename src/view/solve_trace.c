/* SPDX-License-Identifier: Apache-2.0 */
/* view/solve_trace.c - see view/solve_trace.h. */
#include "view/solve_trace.h"

#include "base/sort.h"

/* A span waits for spans of earlier layers only, so they are processed layer by layer. */
cleave_status clv_trace_predict(cleave_trace *t, clv_ws *ws, cleave_error *err)
{
    clv_sort_item *item = clv_ws_alloc(ws, t->count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, t->count, sizeof *scratch);
    double *done = clv_ws_zalloc(ws, t->threads, sizeof *done);
    if (!item || !scratch || !done)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < t->count; i++)
        item[i] = (clv_sort_item){.key = t->span[i].first_layer, .with.index = i};
    item = clv_sort(item, scratch, t->count);
    for (int64_t k = 0; k < t->count; k++) {
        int64_t i = item[k].with.index;
        cleave_span *span = &t->span[i];
        double begin = done[span->thread];
        for (int64_t w = t->xwait[i]; w < t->xwait[i + 1]; w++) {
            double other = t->span[t->wait[w]].expected_end;
            begin = other > begin ? other : begin;
        }
        span->expected_begin = begin + (span->waits > 0 ? t->sync : 0);
        span->expected_end = span->expected_begin + (double)span->work;
        done[span->thread] = span->expected_end;
        t->expected = span->expected_end > t->expected ? span->expected_end : t->expected;
    }
    return CLEAVE_OK;
}
