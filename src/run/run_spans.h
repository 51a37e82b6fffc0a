/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_spans.h - the steps of a plan as spans without times, and the spans that each of
 * them waits for. */
#ifndef CLV_RUN_RUN_SPANS_H
#define CLV_RUN_RUN_SPANS_H

#include "run/run_sync.h"

/* One span per step, by thread and then by time: n = sync->xstep[sync->threads] of them. work:
 * by step. xwait: n + 1 entries; wait: sync->waits entries, numbers of spans.  O(n + waits *
 * log n). */
void clv_run_spans(const clv_run_sync *sync, const int64_t *work, cleave_span *span,
                   int64_t *xwait, int64_t *wait);

#endif
