/* SPDX-License-Identifier: Apache-2.0 */
/* The figure of a graph: areas and borders of its parts against geometry, layers, legend; the
 * SVG and the page of it; and every allocation fails once. */
#include "view/graph_picture.h"

#include <math.h>

#include "support/test.h"
#include "view/page.h"
#include "view/palette.h"
#include "view/xml_check.h"

static cleave_error err;
static clv_arena arena;
static clv_ws ws;

static const clv_layer *layer_of(const clv_figure *f, const char *name)
{
    for (int i = 0; i < f->nlayers; i++)
        if (f->layer[i].name && strcmp(f->layer[i].name, name) == 0)
            return &f->layer[i];
    return NULL;
}

static clv_figure figure_of(const char *spec, int32_t nparts, const int32_t *part,
                            cleave_graph **g)
{
    clv_figure f = {0};
    CHECK_OK(cleave_graph_generate(g, spec, NULL, &err));
    clv_graph_picture what = {.g = *g,
                              .nparts = nparts,
                              .part = part,
                              .ndim = (*g)->ndim,
                              .position = (*g)->coords,
                              .title = "T",
                              .caption = "C"};
    CHECK_OK(clv_graph_figure(&f, &what, &arena, &ws, &err));
    return f;
}

static double area_of(const clv_figure *f, const clv_layer *l, int32_t color)
{
    double sum = 0;
    for (int64_t i = 0; i < l->count; i++)
        for (int64_t k = l->offset[i]; clv_layer_color(l, i) == color && k < l->offset[i + 1];
             k++) {
            int64_t next = k + 1 < l->offset[i + 1] ? k + 1 : l->offset[i];
            const double *a = f->position + 2 * l->at[k], *b = f->position + 2 * l->at[next];
            sum += (a[0] * b[1] - a[1] * b[0]) / 2;
        }
    return sum;
}

/* Two columns each of a grid of 6 x 4: borders run halfway between columns. */
static void test_flat(void)
{
    int32_t part[24];
    cleave_graph *g = NULL;
    for (int v = 0; v < 24; v++)
        part[v] = v % 6 / 2;
    clv_figure f = figure_of("grid2d:6x4", 3, part, &g);
    const clv_layer *areas = layer_of(&f, "parts"), *cut = layer_of(&f, "cut edges");
    const clv_layer *borders = layer_of(&f, "part boundaries"), *inner = layer_of(&f, "edges");
    REQUIRE(areas && cut && borders && inner && layer_of(&f, "vertices"));
    CHECK(fabs(area_of(&f, areas, 0) - 1.5 * 3) < 1e-9);
    CHECK(fabs(area_of(&f, areas, 1) - 2 * 3) < 1e-9);
    CHECK(fabs(area_of(&f, areas, 2) - 1.5 * 3) < 1e-9);
    double length = 0;
    for (int64_t i = 0; i < borders->count; i++) {
        const double *a = f.position + 2 * borders->at[2 * i];
        const double *b = f.position + 2 * borders->at[2 * i + 1];
        length += hypot(a[0] - b[0], a[1] - b[1]);
        CHECK(a[0] == b[0] && (a[0] == 1.5 || a[0] == 3.5));
    }
    CHECK(fabs(length - 6) < 1e-9);
    CHECK_EQ(cut->count, 8);
    CHECK_EQ(inner->count, 38 - 8);
    CHECK_EQ(f.nlegend, 3);
    CHECK_STR(f.legend[1].name, "part 1");
    CHECK_STR(f.legend[1].value, "8");
    cleave_graph_free(g);
}

/* As many colours in the picture as parts, and all of them different. */
static void test_svg(void)
{
    enum { n = 400, k = 25 };
    int32_t part[n];
    cleave_graph *g = NULL;
    clv_svg svg = {0};
    for (int v = 0; v < n; v++)
        part[v] = v % 20 / 4 + 5 * (v / 80);
    clv_figure f = figure_of("mesh2d:20x20", k, part, &g);
    REQUIRE_OK(clv_figure_svg(&svg, &f, (clv_picture_size){900, 700}, &ws, &err));
    CHECK(xml_check(svg.text) == NULL);
    CHECK_EQ(count_of(svg.text, "class=\"part area\""), k);
    CHECK_EQ(count_of(svg.text, "class=\"swatch\""), k);
    for (int p = 0; p < k; p++) {
        char text[32];
        snprintf(text, sizeof text, "fill:#%06x;stroke", (unsigned)f.palette[p]);
        CHECK_EQ(count_of(svg.text, text), 1);
        for (int q = 0; q < p; q++)
            CHECK(f.palette[p] != f.palette[q]);
    }
    clv_svg_free(&svg);
    cleave_graph_free(g);
}

/* What is solid, or has too many vertices, is an image. */
static void test_pixels(void)
{
    static const char *const specs[] = {"mesh3d:8x8x8", "grid2d:360x350"};
    for (int i = 0; i < 2; i++) {
        cleave_graph *g = NULL;
        clv_svg svg = {0};
        clv_figure f = figure_of(specs[i], 0, NULL, &g);
        REQUIRE_OK(clv_figure_svg(&svg, &f, (clv_picture_size){600, 500}, &ws, &err));
        CHECK(xml_check(svg.text) == NULL);
        CHECK(count_of(svg.text, "data:image/png;base64,iVBORw0KGgo") >= 1);
        CHECK(svg.used < 3000000);
        clv_svg_free(&svg);
        cleave_graph_free(g);
    }
}

static void test_page(void)
{
    int32_t part[24] = {0};
    cleave_graph *g = NULL;
    clv_page page;
    clv_figure f = figure_of("grid2d:6x4", 1, part, &g);
    clv_metric rows[] = {clv_metric_int("Cut", "cut", 12), clv_metric_real("R", NULL, 0.25),
                         clv_metric_text("T", "t", "<&>")};
    static const char *const header[] = {"a", "b"}, *const cell[] = {"1", "x", "2.5", "<"};
    clv_page_open(&page, "a < b", NULL);
    clv_page_figure(&page, &f, true);
    clv_page_metrics(&page, "M", 3, rows);
    clv_page_table(&page, "P", 2, header, 2, cell);
    clv_page_paragraph(&page, "words & words");
    REQUIRE_OK(clv_page_close(&page, &err));
    clv_buffer_bytes(&page.out, "", 1);
    const char *text = page.out.text;
    CHECK_EQ(count_of(text, "<title>a &lt; b</title>"), 1);
    CHECK_EQ(count_of(text, "<figure class=\"view beside\""), 1);
    CHECK_EQ(count_of(text, "<td data-key=\"cut\">12</td>"), 1);
    CHECK_EQ(count_of(text, "<td data-key=\"t\">&lt;&amp;&gt;</td>"), 1);
    CHECK_EQ(count_of(text, "<td class=\"number\">2.5</td><td>&lt;</td>"), 1);
    CHECK_EQ(count_of(text, "words &amp; words"), 1);
    CHECK_EQ(count_of(text, "</script>"), 2);
    clv_page_free(&page);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_flat);
    RUN(test_svg);
    RUN(test_pixels);
    RUN(test_page);
    clv_arena_free(&arena);
    clv_ws_free(&ws);
    return test_end();
}
