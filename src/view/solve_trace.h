/* SPDX-License-Identifier: Apache-2.0 */
/* view/solve_trace.h - the record of a traced solve: steps of each thread with their times,
 * measured and as predicted by the cost model. */
#ifndef CLV_VIEW_SOLVE_TRACE_H
#define CLV_VIEW_SOLVE_TRACE_H

#include "base/mem.h"

struct cleave_trace {
    int32_t threads, layers;
    int64_t count;
    cleave_span *span;
    const int64_t *xwait; /* by span, count + 1: the spans whose end it waits for */
    const int64_t *wait;
    double seconds;
    double expected;  /* the end of the last span according to the cost model */
    double sync;      /* cost of a wait in the model */
    bool barrier;     /* all threads wait for each other */
    const char *kind; /* "p2p", ... */
    char method[16];
    clv_arena arena; /* owns the arrays */
};

/* Expected times: a step starts when its thread has finished the step before and every awaited
 * thread has finished the step it waits for, plus the cost of a wait.  Sets expected_begin and
 * expected_end of the spans, and t->expected.  Scratch from ws is not released.  O(count log
 * count + waits). */
cleave_status clv_trace_predict(cleave_trace *t, clv_ws *ws, cleave_error *err);

#endif
