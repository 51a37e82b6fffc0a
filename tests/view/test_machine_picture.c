/* SPDX-License-Identifier: Apache-2.0 */
/* Machines as pictures: loads and traffic against the public metrics and against independent
 * counts; PEs, links and the ends of the colour scale in the SVG; pages of charts. */
#include "view/machine_picture.h"

#include "support/test.h"
#include "view/xml_check.h"

static cleave_error err;
static clv_arena arena;
static clv_ws ws;

typedef struct scene {
    cleave_graph *g;
    cleave_target *t;
    cleave_mapping *m;
    clv_floorplan floorplan;
    clv_machine_loads loads;
    clv_figure figure;
} scene;

static const clv_layer *layer_of(const clv_figure *f, const char *name)
{
    for (int i = 0; i < f->nlayers; i++)
        if (f->layer[i].name && strcmp(f->layer[i].name, name) == 0)
            return &f->layer[i];
    return NULL;
}

/* A grid of 12 x 10, dealt out: vertex v to PE (v * step) mod npes. */
static bool make(scene *s, const char *target, int step)
{
    static int32_t part[120];
    *s = (scene){0};
    if (cleave_target_parse(&s->t, target, &err) == CLEAVE_EINVAL)
        return false; /* without hwloc */
    CHECK_OK(cleave_graph_generate(&s->g, "grid2d:12x10", NULL, &err));
    for (int32_t v = 0; v < 120; v++)
        part[v] = (int32_t)((int64_t)v * step % s->t->npes);
    CHECK_OK(cleave_mapping_create(&s->m, 120, s->t->npes, part, &err));
    CHECK_OK(clv_target_floorplan(&s->floorplan, s->t, &arena, &err));
    const clv_machine_mapping m = {s->g, s->t, part};
    CHECK_OK(clv_machine_loads_make(&s->loads, &m, &s->floorplan, &arena, &ws, &err));
    const clv_machine_picture what = {.t = s->t,
                                      .floorplan = &s->floorplan,
                                      .loads = &s->loads,
                                      .hottest = s->loads.busiest,
                                      .title = "T",
                                      .caption = "C"};
    CHECK_OK(clv_machine_figure(&s->figure, &what, &arena, &err));
    return true;
}

static void drop(scene *s)
{
    cleave_graph_free(s->g);
    cleave_target_free(s->t);
    cleave_mapping_free(s->m);
}

/* The busiest link is evaluate's, the load is the number of vertices, traffic that of edges.
 */
static void check_loads(const char *target, int step)
{
    scene s;
    cleave_target_metrics m;
    if (!make(&s, target, step))
        return;
    cleave_target_metrics_init(&m, sizeof m);
    CHECK_OK(cleave_evaluate_target(&m, s.g, s.m, s.t, &err));
    if (m.max_link_load >= 0)
        CHECK_EQ(s.loads.busiest, m.max_link_load);
    int64_t work = 0, most = 0;
    for (int32_t p = 0; p < s.t->npes; p++) {
        work += s.loads.work[p];
        most = s.loads.traffic[p] > most ? s.loads.traffic[p] : most;
    }
    CHECK_EQ(work, 120);
    CHECK_EQ(most, m.max_pe_traffic);
    const clv_layer *pes = layer_of(&s.figure, "PEs");
    REQUIRE(pes != NULL);
    CHECK_EQ(pes->count, s.floorplan.npes);
    drop(&s);
}

static void test_loads(void)
{
    static const char *const machines[] = {"torus:4x3",
                                           "torus:3x3x3",
                                           "mesh:2x3x2x2",
                                           "hypercube:4",
                                           "tree:3:2:2@1:5:9",
                                           "8",
                                           "3,1,2",
                                           "hwloc:pack:2 l3:2 core:2 pu:2",
                                           "torus:5x5[3,4,8,9,24,0]",
                                           "hwloc:pack:2 core:4[7,0,3]"};
    for (int i = 0; i < 10; i++)
        for (int step = 1; step < 6; step += 2)
            check_loads(machines[i], step);
}

static int64_t with_color(const clv_layer *l, int32_t color)
{
    int64_t count = 0;
    for (int64_t i = 0; i < l->count; i++)
        count += clv_layer_color(l, i) == color;
    return count;
}

/* Two PEs of a 4 x 2 torus share everything: their link is the hottest, most are idle. */
static void test_heat(void)
{
    scene s;
    clv_svg svg = {0};
    REQUIRE(make(&s, "torus:4x2", 8)); /* all on PE 0 */
    CHECK_EQ(s.loads.busiest, 0);
    const clv_layer *pes = layer_of(&s.figure, "PEs"), *links = layer_of(&s.figure, "links");
    REQUIRE(pes && links);
    CHECK_EQ(with_color(pes, CLV_MACHINE_STEPS), 7);         /* idle */
    CHECK_EQ(with_color(pes, 2 * CLV_MACHINE_STEPS - 1), 1); /* twice its share or more */
    CHECK_EQ(with_color(links, 0), links->count);
    /* 2 rings of 4 have 8 links, of which 2 wrap around and are drawn twice; 4 columns. */
    CHECK_EQ(links->count, 8 + 2 + 4);
    drop(&s);
    REQUIRE(make(&s, "torus:4x2", 4)); /* PEs 0 and 4, one above the other */
    pes = layer_of(&s.figure, "PEs");
    links = layer_of(&s.figure, "links");
    CHECK_EQ(with_color(links, CLV_MACHINE_STEPS - 1), 1);
    CHECK_EQ(with_color(links, 0), links->count - 1);
    CHECK_EQ(with_color(pes, 2 * CLV_MACHINE_STEPS - 1), 2);
    REQUIRE_OK(clv_figure_svg(&svg, &s.figure, (clv_picture_size){800, 600}, &ws, &err));
    CHECK(xml_check(svg.text) == NULL);
    CHECK_EQ(count_of(svg.text, "aria-label=\"links\"") +
                 count_of(svg.text, "aria-label=\"PEs\""),
             2);
    CHECK_EQ(count_of(svg.text, "class=\"part line\""), links->count);
    CHECK_EQ(count_of(svg.text, "class=\"inside\""), 8);
    char hottest[32];
    snprintf(hottest, sizeof hottest, "stroke:#%06x;",
             (unsigned)s.figure.palette[CLV_MACHINE_STEPS - 1]);
    CHECK_EQ(count_of(svg.text, hottest), 1);
    clv_svg_free(&svg);
    drop(&s);
}

/* What passes the walls of a box: edges with one end inside. */
static void test_walls(void)
{
    scene s;
    if (!make(&s, "hwloc:pack:2 l3:2 core:4 pu:2", 3))
        return;
    const int32_t *part = cleave_mapping_parts(s.m);
    for (int32_t b = 0; b < s.floorplan.nboxes; b++) {
        const clv_floorplan_box *box = &s.floorplan.box[b];
        int64_t sum = 0;
        for (int32_t v = 0; v < 120; v++)
            for (int64_t a = s.g->xadj[v]; a < s.g->xadj[v + 1]; a++) {
                int32_t p = part[v], q = part[s.g->adj[a]];
                bool in = p >= box->first && p < box->first + box->pes;
                bool there = q >= box->first && q < box->first + box->pes;
                sum += in && !there;
            }
        if (box->kind == CLV_BOX_GROUP || box->kind == CLV_BOX_PE)
            CHECK_EQ(s.loads.across[b], sum);
    }
    CHECK_EQ(layer_of(&s.figure, "hardware threads")->count, 32);
    CHECK_EQ(layer_of(&s.figure, "boxes")->count, 1 + 2 + 4);
    drop(&s);
}

/* A chart on a page: an image in it, nothing to load. */
static void test_chart_page(void)
{
    static const double x[] = {1, 2}, y[] = {3, 4};
    char path[4200], text[200000];
    cleave_series series;
    cleave_plot_options opt;
    cleave_series_init(&series, sizeof series);
    cleave_plot_options_init(&opt, sizeof opt);
    series.count = 2;
    series.x = x;
    series.y = y;
    opt.title = "cuts < volumes";
    snprintf(path, sizeof path, "%s/chart.html", test_scratch());
    REQUIRE_OK(cleave_plot_write(path, 1, &series, &opt, &err));
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t count = fread(text, 1, sizeof text - 1, file);
    text[count] = '\0';
    fclose(file);
    CHECK_EQ(count_of(text, "<title>cuts &lt; volumes</title>"), 1);
    CHECK_EQ(count_of(text, "src=\"data:image/svg+xml;base64,"), 1);
    CHECK_EQ(count_of(text, "http://") + count_of(text, "https://"), 0);
    CHECK_EQ(remove(path), 0);
}

int main(void)
{
    RUN(test_loads);
    RUN(test_heat);
    RUN(test_walls);
    RUN(test_chart_page);
    clv_arena_free(&arena);
    clv_ws_free(&ws);
    return test_end();
}
