/* SPDX-License-Identifier: Apache-2.0 */
/* view/trace_view.c - clv_draw_traces: measured solves next to their cost model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/drawing.h"
#include "view/solve_trace.h"

enum { most_bars = 20000, most_joins = 4000, room = 200 };

typedef struct trace_view {
    clv_drawing *d;
    int count;
    const cleave_trace *const *trace;
    clv_gantt gantt[2 * clv_most_traces]; /* expected, measured, expected, ... */
    clv_figure figure[2 * clv_most_traces];
} trace_view;

/* ---- Charts ----------------------------------------------------------------------------- */

static clv_bar bar_of(const cleave_span *span, bool measured, double before)
{
    clv_bar bar = {.thread = span->thread,
                   .first = span->first_layer,
                   .last = span->last_layer,
                   .begin = span->expected_begin,
                   .end = span->expected_end,
                   .idle_from = before,
                   .work = span->work,
                   .vertices = -1,
                   .crossing = -1};
    if (measured) {
        bar.begin = span->begin * 1e6;
        bar.end = span->end * 1e6;
        bar.idle_from = span->wait * 1e6;
    }
    bar.idle_to = bar.begin;
    return bar;
}

/* Extends a bar by the next span: its work is added at the end, its wait at the start. */
static void extend_bar(clv_bar *bar, const clv_bar *next)
{
    double work = bar->end - bar->begin + next->end - next->begin;
    bar->last = next->last;
    bar->work += next->work;
    bar->end = next->end;
    bar->begin = bar->idle_to = next->end - work;
}

/* Bars of at least one span each, up to the number that is visible; of_span: their numbers. */
static cleave_status make_bars(clv_gantt *out, trace_view *v, const cleave_trace *t,
                               bool measured, int32_t *of_span, cleave_error *err)
{
    int64_t each = (t->count + most_bars - 1) / most_bars, in_bar = 0;
    clv_bar *bar = clv_arena_alloc(&v->d->arena, t->count, sizeof *bar);
    if (!bar)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < t->count; i++) {
        const cleave_span *span = &t->span[i];
        bool same = i > 0 && t->span[i - 1].thread == span->thread;
        double before = same ? t->span[i - 1].expected_end : 0;
        clv_bar now = bar_of(span, measured, before);
        if (same && in_bar < each) {
            extend_bar(&bar[out->nbars - 1], &now);
        } else {
            bar[out->nbars++] = now;
            in_bar = 0;
        }
        in_bar++;
        of_span[i] = (int32_t)out->nbars - 1;
    }
    out->bar = bar;
    return CLEAVE_OK;
}

static cleave_status make_joins(clv_gantt *out, trace_view *v, const cleave_trace *t,
                                const int32_t *of_span, cleave_error *err)
{
    int64_t waits = t->xwait[t->count];
    if (waits > most_joins)
        return CLEAVE_OK;
    clv_join *join = clv_arena_alloc(&v->d->arena, waits, sizeof *join);
    if (!join)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < t->count; i++)
        for (int64_t w = t->xwait[i]; w < t->xwait[i + 1]; w++)
            join[out->njoins++] = (clv_join){of_span[t->wait[w]], of_span[i], 1};
    out->join = join;
    return CLEAVE_OK;
}

/* Titles, needed if there are several solves. */
static cleave_status describe(clv_gantt *out, trace_view *v, int k, bool measured,
                              cleave_error *err)
{
    const cleave_trace *t = v->trace[k];
    char *text = clv_arena_alloc(&v->d->arena, 3, room), number[24] = "";
    if (!text)
        return clv_fail_memory(err);
    if (v->count > 1)
        snprintf(number, sizeof number, "Sweep %d: ", k + 1);
    snprintf(text, room, "%s%s", number,
             measured ? (v->count > 1 ? "measured" : "Measured")
                      : (v->count > 1 ? "predicted" : "Predicted"));
    long long nanoseconds = (long long)(t->seconds * 1e9 + 0.5);
    if (measured)
        snprintf(
            text + room, room,
            "%lld.%lld µs on %lld thread%s; method %s, %lld layer%s, sync %s, %lld wait%s",
            nanoseconds / 1000, nanoseconds % 1000 / 100, (long long)t->threads,
            t->threads == 1 ? "" : "s", t->method, (long long)t->layers,
            t->layers == 1 ? "" : "s", t->kind, (long long)t->xwait[t->count],
            t->xwait[t->count] == 1 ? "" : "s");
    else
        snprintf(text + room, room,
                 "%lld multiply-adds until the last thread ends, a wait counting as %lld",
                 (long long)(t->expected + 0.5), (long long)(t->sync + 0.5));
    snprintf(text + 2 * room, room, "%s%s", number, measured ? "measured" : "predicted");
    out->title = text;
    out->caption = text + room;
    out->process = text + 2 * room;
    return CLEAVE_OK;
}

static cleave_status make_gantt(trace_view *v, int k, bool measured, cleave_error *err)
{
    const cleave_trace *t = v->trace[k];
    clv_gantt *out = &v->gantt[2 * k + measured];
    clv_ws *ws = v->d->ctx.ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *of_span = clv_ws_alloc(ws, t->count, sizeof *of_span);
    if (!of_span)
        return clv_fail_memory(err);
    *out = (clv_gantt){.unit = measured ? "µs" : "m-adds",
                       .microseconds = measured ? 1 : 1e-3,
                       .length = measured ? t->seconds * 1e6 : t->expected,
                       .threads = t->threads,
                       .layers = t->layers,
                       .joins = "waits"};
    CLV_TRY(describe(out, v, k, measured, err));
    CLV_TRY(make_bars(out, v, t, measured, of_span, err));
    CLV_TRY(make_joins(out, v, t, of_span, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Pages ------------------------------------------------------------------------------ */

static void put_metrics(clv_page *page, const cleave_trace *t, const char *title)
{
    int64_t work = 0;
    double busy = 0;
    for (int64_t i = 0; i < t->count; i++) {
        work += t->span[i].work;
        busy += t->span[i].end - t->span[i].begin;
    }
    double all = t->seconds * t->threads;
    const clv_metric row[] = {
        clv_metric_text("Method", "method", t->method),
        clv_metric_text("Synchronisation", "sync", t->kind),
        clv_metric_int("Threads", "threads", t->threads),
        clv_metric_int("Layers", "layers", t->layers),
        clv_metric_int("Waits", "waits", t->xwait[t->count]),
        clv_metric_int("Multiply-adds", "nonzeros", work),
        clv_metric_real("Seconds of this solve", "seconds", t->seconds),
        clv_metric_real("Threads at work, %", NULL,
                        all > 0 ? floor(1000 * busy / all + 0.5) / 10 : 0)};
    clv_page_metrics(page, title, sizeof row / sizeof *row, row);
}

static cleave_status put_threads(clv_page *page, trace_view *v, int k, cleave_error *err)
{
    enum { columns = 6 };
    static const char *const header[columns] = {"Thread",      "Steps",       "Multiply-adds",
                                                "At work, µs", "Waiting, µs", "At work, %"};
    const cleave_trace *t = v->trace[k];
    const char *const *cell;
    double *value =
        clv_arena_zalloc(&v->d->arena, (int64_t)t->threads * columns, sizeof *value);
    if (!value)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < t->count; i++) {
        const cleave_span *span = &t->span[i];
        double *row = value + (int64_t)span->thread * columns;
        row[1]++;
        row[2] += (double)span->work;
        row[3] += 1e6 * (span->end - span->begin);
    }
    for (int32_t p = 0; p < t->threads; p++) {
        double *row = value + (int64_t)p * columns, busy = row[3];
        row[0] = p;
        row[3] = floor(100 * busy + 0.5) / 100;
        row[4] = floor(100 * (t->seconds * 1e6 - busy) + 0.5) / 100;
        row[5] = t->seconds > 0 ? floor(1e-3 * busy / t->seconds + 0.5) / 10 : 0;
    }
    CLV_TRY(clv_drawing_cells(v->d, columns, t->threads, value, &cell, err));
    clv_page_table(page, "Threads", columns, header, t->threads, cell);
    return CLEAVE_OK;
}

static cleave_status fill_page(clv_page *page, trace_view *v, const char *title,
                               cleave_error *err)
{
    clv_page_open(page, title, "What the threads of a triangular solve did, and when");
    for (int k = 0; k < v->count; k++) {
        clv_page_figure(page, &v->figure[2 * k + 1], false);
        clv_page_figure(page, &v->figure[2 * k], false);
    }
    clv_drawing_results(page, &v->d->opt);
    for (int k = 0; k < v->count; k++) {
        put_metrics(page, v->trace[k], v->count > 1 ? v->gantt[2 * k + 1].title : "Metrics");
        CLV_TRY(put_threads(page, v, k, err));
    }
    return clv_page_close(page, err);
}

/* ---- The call --------------------------------------------------------------------------- */

static cleave_status write_svg(trace_view *v, const char *title, cleave_error *err)
{
    clv_figure figure[2 * clv_most_traces];
    double share[2 * clv_most_traces];
    for (int i = 0; i < 2 * v->count; i++) {
        figure[i] = v->figure[i ^ 1]; /* measured times come first */
        share[i] = 1;
    }
    return clv_drawing_svg(v->d, title, 2 * v->count, figure, share, err);
}

cleave_status clv_draw_traces(clv_drawing *d, int count, const cleave_trace *const *trace,
                              cleave_error *err)
{
    trace_view v = {.d = d, .count = count, .trace = trace};
    const char *title = d->opt.title ? d->opt.title : "A triangular solve";
    for (int i = 0; i < 2 * count; i++)
        CLV_TRY(make_gantt(&v, i / 2, i % 2, err));
    if (strcmp(d->format, "json") == 0)
        return clv_drawing_trace(d, title, 2 * count, v.gantt, err);
    for (int i = 0; i < 2 * count; i++)
        CLV_TRY(clv_gantt_figure(&v.figure[i], &v.gantt[i], &d->arena, d->ctx.ws, err));
    if (strcmp(d->format, "svg") == 0)
        return write_svg(&v, title, err);
    clv_page page = {0};
    return clv_drawing_page(d, &page, fill_page(&page, &v, title, err));
}
