/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of schedules: bars, barriers and lengths against the metrics; the trace in JSON; the
 * figure as SVG; every allocation fails once. */
#include "view/gantt.h"

#include <math.h>

#include "support/test.h"
#include "view/drawing.h"
#include "view/xml_check.h"

static cleave_error err;

static const clv_layer *layer_of(const clv_figure *f, const char *name)
{
    for (int i = 0; i < f->nlayers; i++)
        if (f->layer[i].name && strcmp(f->layer[i].name, name) == 0)
            return &f->layer[i];
    return NULL;
}

typedef struct scheduled {
    cleave_graph *g;
    cleave_schedule *s;
    cleave_schedule_costs costs;
    cleave_schedule_metrics m;
    clv_drawing c;
    clv_gantt gantt;
} scheduled;

static scheduled make(const char *spec, const char *method, int threads, bool split)
{
    scheduled t = {0};
    cleave_view_options view;
    cleave_schedule_options opt;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = threads;
    opt.split_rows = split;
    CHECK_OK(cleave_graph_generate(&t.g, spec, NULL, &err));
    CHECK_OK(cleave_schedule_build(&t.s, t.g, &opt, &err));
    cleave_schedule_costs_init(&t.costs, sizeof t.costs);
    t.costs.sync = 30;
    t.costs.read = 0.5;
    cleave_schedule_metrics_init(&t.m, sizeof t.m);
    CHECK_OK(cleave_evaluate_schedule(&t.m, t.g, t.s, &t.costs, &err));
    cleave_view_options_init(&view, sizeof view);
    CHECK_OK(clv_drawing_open(&t.c, &view, "svg", &err));
    CHECK_OK(clv_schedule_gantt(&t.gantt, &t.c, t.g, t.s, &t.costs, &err));
    return t;
}

static void drop(scheduled *t)
{
    clv_drawing_close(&t->c);
    cleave_schedule_free(t->s);
    cleave_graph_free(t->g);
}

/* What happens in the chart is what the metrics count. */
static void check_sums(const scheduled *t)
{
    const clv_gantt *g = &t->gantt;
    int64_t work = 0, tasks = 0, crossing = 0, below = 0, joined = 0;
    for (int64_t i = 0; i < g->nbars; i++) {
        const clv_bar *bar = &g->bar[i];
        work += bar->work;
        tasks += bar->vertices;
        crossing += bar->crossing;
        CHECK(bar->begin >= 0 && bar->begin <= bar->end && bar->end <= g->length);
        CHECK(bar->idle_from == bar->end && bar->idle_to >= bar->end);
        CHECK(fabs(bar->end - bar->begin - (double)bar->work - 0.5 * (double)bar->crossing) <
              1e-9 * g->length);
    }
    for (int64_t i = 0; i < g->nshares; i++) {
        below += g->crossing[i];
        CHECK(g->balance[i] > 0 && g->balance[i] <= 1);
        CHECK(i == 0 ? g->share[0] == 0 : g->share[2 * i] == g->barrier[2 * i - 1]);
    }
    for (int64_t i = 0; i < g->njoins; i++) {
        joined += g->join[i].count;
        CHECK(g->bar[g->join[i].from].thread != g->bar[g->join[i].to].thread);
        CHECK(g->bar[g->join[i].from].end <= g->bar[g->join[i].to].begin + 1e-9 * g->length);
    }
    CHECK_EQ(work, t->m.work_total);
    CHECK_EQ(tasks, cleave_schedule_tasks(t->s));
    CHECK_EQ(crossing, t->m.crossing_edges);
    CHECK_EQ(below, t->m.crossing_edges);
    if (g->njoins > 0)
        CHECK_EQ(joined, t->m.crossing_edges);
    CHECK(fabs(g->length - t->m.cost) < 1e-6 * t->m.cost);
}

static void test_schedules(void)
{
    static const char *const methods[] = {"levels", "grow", "serial"};
    for (int i = 0; i < 12; i++) {
        scheduled t = make(i % 2 ? "stencil:9x9:6" : "polybench:2mm:4x5x6x7", methods[i % 3],
                           i < 6 ? 3 : 8, i % 4 == 3);
        check_sums(&t);
        CHECK_EQ(t.gantt.nbarriers, t.m.layers);
        clv_figure f;
        clv_svg svg = {0};
        CHECK_OK(clv_gantt_figure(&f, &t.gantt, &t.c.arena, t.c.ctx.ws, &err));
        CHECK_EQ(layer_of(&f, "threads")->count, cleave_schedule_threads(t.s));
        CHECK_EQ(layer_of(&f, "work")->count, t.gantt.nbars);
        CHECK_EQ(layer_of(&f, "barriers")->count, t.m.layers);
        CHECK_EQ(layer_of(&f, "balance")->count, t.m.layers);
        CHECK_OK(clv_figure_svg(&svg, &f, (clv_picture_size){800, 500}, t.c.ctx.ws, &err));
        CHECK(xml_check(svg.text) == NULL);
        CHECK_EQ(count_of(svg.text, "aria-label=\"barriers\""), 1);
        clv_svg_free(&svg);
        drop(&t);
    }
}

/* More layers than bars can be seen: several share one. */
static void test_many_layers(void)
{
    scheduled t = make("layered:9000:2:1", "levels", 4, false);
    CHECK(t.gantt.nbars <= 20000 && t.gantt.nbarriers < t.m.layers);
    CHECK(strstr(t.gantt.caption, "a bar stands for 2 layers"));
    check_sums(&t);
    drop(&t);
}

/* ---- The trace -------------------------------------------------------------------------- */

/* The number behind the first `name` from p on. */
static double number_after(const char *p, const char *name)
{
    const char *at = strstr(p, name);
    return at ? strtod(at + strlen(name), NULL) : NAN;
}

static void test_trace(void)
{
    scheduled t = make("stencil:9x9:6", "grow", 3, false);
    clv_buffer out = {0};
    double work = 0;
    clv_gantt_trace(&out, "a \"title\"", 1, &t.gantt);
    clv_buffer_bytes(&out, "", 1);
    REQUIRE(!out.failed);
    CHECK_EQ(count_of(out.text, "\"cat\":\"work\""), (int)t.gantt.nbars);
    CHECK_EQ(count_of(out.text, "\"cat\":\"barrier\""), 3 * (int)t.gantt.nbarriers);
    CHECK_EQ(count_of(out.text, "\"ph\":\"s\""), (int)t.gantt.njoins);
    CHECK_EQ(count_of(out.text, "\"ph\":\"f\""), (int)t.gantt.njoins);
    CHECK_EQ(count_of(out.text, "\"thread_name\""), 3);
    CHECK_EQ(count_of(out.text, "{"), count_of(out.text, "}"));
    CHECK(strstr(out.text, "\"title\":\"a "));
    for (const char *p = out.text; (p = strstr(p, "\"cat\":\"work\"")) != NULL; p++)
        work += number_after(p, "\"dur\":");
    double expected = 1e-3 * ((double)t.m.work_total + 0.5 * (double)t.m.crossing_edges);
    CHECK(fabs(work - expected) < 1e-9 * expected);
    clv_buffer_free(&out);
    drop(&t);
}

static void test_memory(void)
{
    scheduled t = make("stencil:6x6:4", "grow", 3, false);
    cleave_status status = CLEAVE_ENOMEM;
    for (int64_t nth = 1; status == CLEAVE_ENOMEM; nth += TEST_STRIDE) {
        clv_arena own = {NULL};
        clv_ws scratch = {0};
        clv_figure f;
        test_alloc_fail_at(nth);
        status = clv_gantt_figure(&f, &t.gantt, &own, &scratch, &err);
        test_alloc_fail_at(0);
        clv_ws_free(&scratch);
        clv_arena_free(&own);
    }
    CHECK_OK(status);
    drop(&t);
}

int main(void)
{
    RUN(test_schedules);
    RUN(test_many_layers);
    RUN(test_trace);
    RUN(test_memory);
    return test_end();
}
