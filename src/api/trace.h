/* SPDX-License-Identifier: Apache-2.0 */
/* api/trace.h - what a traced solve has left: steps with their times. */
#ifndef CLV_API_TRACE_H
#define CLV_API_TRACE_H

#include "base/mem.h"

struct cleave_trace {
    int32_t threads, layers;
    int64_t count;
    cleave_span *span;
    const int64_t *xwait; /* by span, count + 1: the spans that it waits for the end of */
    const int64_t *wait;
    double seconds;
    double expected;  /* the end of the last span by the cost model */
    double sync;      /* what a wait costs there */
    bool barrier;     /* all wait for all */
    const char *kind; /* "p2p", ... */
    char method[16];
    clv_arena arena; /* owns the arrays */
};

#endif
