/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_spans.c - see run/run_spans.h. */
#include "run/run_spans.h"

/* The step of a thread that ends with a layer. */
static int64_t step_ending(const clv_run_sync *sync, int32_t thread, int32_t layer)
{
    int64_t low = sync->xstep[thread], high = sync->xstep[thread + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sync->step[middle].last < layer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void clv_run_spans(const clv_run_sync *sync, const int64_t *work, cleave_span *span,
                   int64_t *xwait, int64_t *wait)
{
    int64_t used = 0;
    for (int32_t p = 0; p < sync->threads; p++)
        for (int64_t i = sync->xstep[p]; i < sync->xstep[p + 1]; i++) {
            const clv_sync_step *step = &sync->step[i];
            span[i] = (cleave_span){.size = sizeof(cleave_span),
                                    .thread = p,
                                    .first_layer = step->first,
                                    .last_layer = step->last,
                                    .work = work[i],
                                    .waits = step->wait_end - step->wait_begin};
            xwait[i] = used;
            for (int32_t w = step->wait_begin; w < step->wait_end; w++)
                wait[used++] =
                    step_ending(sync, sync->wait[w].thread, sync->wait[w].layers - 1);
        }
    xwait[sync->xstep[sync->threads]] = used;
}
