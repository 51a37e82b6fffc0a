/* SPDX-License-Identifier: Apache-2.0 */
/* view/gantt_trace.c - the Trace Event Format, which chrome://tracing and Perfetto open:
 * complete events ("X") for work, waits and barriers, flows ("s", "f") between them. */
#include "view/gantt.h"

typedef struct writing {
    clv_buffer *out;
    const clv_gantt *what;
    int process;
    bool any; /* an event has been written */
} writing;

static void text(writing *w, const char *piece)
{
    clv_buffer_text(w->out, piece);
}

/* Starts an event: {"ph":"X","pid":1,"tid":0; the caller adds the rest and the brace. */
static void begin_event(writing *w, const char *phase, int32_t thread)
{
    text(w, w->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    text(w, phase);
    text(w, "\",\"pid\":");
    clv_buffer_int(w->out, w->process);
    text(w, ",\"tid\":");
    clv_buffer_int(w->out, thread);
    w->any = true;
}

static void member(writing *w, const char *name, int64_t value)
{
    text(w, ",\"");
    text(w, name);
    text(w, "\":");
    clv_buffer_int(w->out, value);
}

static void time_of(writing *w, const char *name, double units)
{
    text(w, ",\"");
    text(w, name);
    text(w, "\":");
    clv_buffer_real(w->out, units * w->what->microseconds);
}

static void name_it(writing *w, const char *event, int32_t thread, const char *name,
                    int32_t number)
{
    begin_event(w, "M", thread);
    text(w, ",\"name\":\"");
    text(w, event);
    text(w, "\",\"args\":{\"name\":");
    if (number < 0) {
        clv_buffer_json(w->out, name);
    } else {
        text(w, "\"thread ");
        clv_buffer_int(w->out, number);
        text(w, "\"");
    }
    text(w, "}}");
}

static void span(writing *w, int32_t thread, const char *category, const char *name,
                 double from, double to)
{
    begin_event(w, "X", thread);
    text(w, ",\"cat\":\"");
    text(w, category);
    text(w, "\",\"name\":\"");
    text(w, name);
    text(w, "\"");
    time_of(w, "ts", from);
    time_of(w, "dur", to > from ? to - from : 0);
}

static void put_work_event(writing *w, const clv_bar *bar)
{
    begin_event(w, "X", bar->thread);
    text(w, ",\"cat\":\"work\",\"name\":\"layer ");
    clv_buffer_int(w->out, bar->first);
    if (bar->last != bar->first) {
        text(w, "-");
        clv_buffer_int(w->out, bar->last);
    }
    text(w, "\"");
    time_of(w, "ts", bar->begin);
    time_of(w, "dur", bar->end - bar->begin);
    text(w, ",\"args\":{\"work\":");
    clv_buffer_int(w->out, bar->work);
    if (bar->vertices >= 0) {
        member(w, "vertices", bar->vertices);
        member(w, "crossing_edges", bar->crossing);
    }
    text(w, "}}");
    if (bar->idle_to > bar->idle_from) {
        span(w, bar->thread, "wait", "waiting", bar->idle_from, bar->idle_to);
        text(w, "}");
    }
}

static void flow(writing *w, const char *phase, const clv_bar *bar, double at, int64_t id)
{
    begin_event(w, phase, bar->thread);
    text(w, ",\"cat\":\"flow\",\"name\":\"read\"");
    if (phase[0] == 'f')
        text(w, ",\"bp\":\"e\"");
    member(w, "id", id);
    time_of(w, "ts", at);
    text(w, "}");
}

static void process(writing *w, int64_t *flows)
{
    const clv_gantt *g = w->what;
    name_it(w, "process_name", 0, g->process, -1);
    for (int32_t t = 0; t < g->threads; t++)
        name_it(w, "thread_name", t, NULL, t);
    for (int64_t i = 0; i < g->nbars; i++)
        put_work_event(w, &g->bar[i]);
    for (int64_t i = 0; i < g->nbarriers; i++)
        for (int32_t t = 0; t < g->threads; t++) {
            span(w, t, "barrier", "barrier", g->barrier[2 * i], g->barrier[2 * i + 1]);
            text(w, "}");
        }
    for (int64_t i = 0; i < g->njoins; i++, ++*flows) {
        const clv_bar *from = &g->bar[g->join[i].from], *to = &g->bar[g->join[i].to];
        flow(w, "s", from, (from->begin + from->end) / 2, *flows);
        flow(w, "f", to, (to->begin + to->end) / 2, *flows);
    }
}

void clv_gantt_trace(clv_buffer *out, const char *title, int count, const clv_gantt *what)
{
    writing w = {.out = out};
    int64_t flows = 0;
    text(&w, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":");
    clv_buffer_json(out, title);
    text(&w, ",\"program\":\"cleave " CLEAVE_VERSION "\"},\n\"traceEvents\":[");
    for (int i = 0; i < count; i++) {
        w.what = &what[i];
        w.process = i + 1;
        process(&w, &flows);
    }
    text(&w, "\n]}\n");
}
