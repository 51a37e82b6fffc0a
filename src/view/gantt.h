/* SPDX-License-Identifier: Apache-2.0 */
/* view/gantt.h - Gantt charts: a row per thread, a bar per unit of work, time from left to
 * right; as a figure, and as a trace for browsers. */
#ifndef CLV_VIEW_GANTT_H
#define CLV_VIEW_GANTT_H

#include "view/figure.h"

typedef struct clv_bar {
    int32_t thread;
    int32_t first, last;        /* layers */
    double begin, end;          /* working */
    double idle_from, idle_to;  /* waiting for others; equal: not waiting */
    int64_t work;               /* weight */
    int64_t vertices, crossing; /* crossing: arcs from other threads; -1: unknown */
} clv_bar;

/* A dependency: bar `to` starts after bar `from` has ended. */
typedef struct clv_join {
    int64_t from, to; /* bars */
    int64_t count;    /* arcs */
} clv_join;

typedef struct clv_gantt {
    const char *title, *caption;
    const char *unit;    /* of the times: "multiply-adds" */
    const char *process; /* "predicted": name of the process in a browser */
    double microseconds; /* per unit, in a trace */
    double length;       /* of the whole chart */
    int32_t threads, layers;
    int64_t nbars;
    const clv_bar *bar;
    int64_t nbarriers;
    const double *barrier; /* from, to */
    int64_t njoins;
    const clv_join *join;
    const char *joins;     /* name of their layer: "crossing edges", "waits" */
    int64_t nshares;       /* by layer (or several), for the rows of balance and crossing: */
    const double *share;   /* from, to */
    const double *balance; /* mean over largest work, 0 .. 1 */
    const int64_t *crossing;
} clv_gantt;

/* Layers: "threads", "waiting", "work", "barriers", "balance", "crossing edges per layer", the
 * joins, and texts.  Arrays from arena. */
cleave_status clv_gantt_figure(clv_figure *f, const clv_gantt *what, clv_arena *arena,
                               clv_ws *ws, cleave_error *err);

/* The working time of each thread: busy has `threads` entries. */
void clv_gantt_busy(const clv_gantt *what, double *busy);

/* view/gantt_trace.c: the Trace Event Format of Chrome and Perfetto, one process per chart.
 * out keeps failures. */
void clv_gantt_trace(clv_buffer *out, const char *title, int count, const clv_gantt *what);

#endif
