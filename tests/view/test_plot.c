/* SPDX-License-Identifier: Apache-2.0 */
/* Charts: a small one byte for byte, structure and positions, profiles against an independent
 * count, and invalid input. */
#include "view/plot.h"

#include <math.h>

#include "support/test.h"
#include "view/xml_check.h"

static cleave_plot_options options(void)
{
    cleave_plot_options opt;
    cleave_plot_options_init(&opt, sizeof opt);
    return opt;
}

static cleave_series series_of(const char *name, int32_t count, const double *x,
                               const double *y)
{
    cleave_series s;
    cleave_series_init(&s, sizeof s);
    s.name = name;
    s.count = count;
    s.x = x;
    s.y = y;
    return s;
}

/* The picture as text; the caller frees svg. */
static const char *draw(clv_svg *svg, int32_t count, const cleave_series *series,
                        const cleave_plot_options *opt)
{
    cleave_error err = {CLEAVE_OK, ""};
    clv_ws ws = {NULL};
    *svg = (clv_svg){0};
    const clv_plot plot = {.nseries = count, .series = series, .opt = opt};
    cleave_status status = clv_plot_draw(svg, &plot, &ws, &err);
    CHECK_EQ(status, CLEAVE_OK);
    clv_ws_free(&ws);
    return status == CLEAVE_OK ? svg->text : "";
}

static const char golden[] =
    "<rect class=\"paper\" x=\"0\" y=\"0\" width=\"300\" height=\"200\"/>\n"
    "<text class=\"title\" x=\"16\" y=\"30\">T</text>\n"
    "<g class=\"c1\">\n"
    "<line class=\"line\" x1=\"16\" y1=\"53\" x2=\"42\" y2=\"53\"/>\n"
    "<circle class=\"dot\" cx=\"29\" cy=\"53\" r=\"4.5\"/>\n"
    "</g>\n"
    "<text class=\"name\" x=\"49\" y=\"57\">one &amp; only</text>\n"
    "<g>\n"
    "<line class=\"grid\" x1=\"43.49\" y1=\"73\" x2=\"43.49\" y2=\"144\"/>\n"
    "<text class=\"tick\" x=\"43.49\" y=\"160\" text-anchor=\"middle\">1</text>\n"
    "<line class=\"grid\" x1=\"154.11\" y1=\"73\" x2=\"154.11\" y2=\"144\"/>\n"
    "<text class=\"tick\" x=\"154.11\" y=\"160\" text-anchor=\"middle\">10</text>\n"
    "<line class=\"grid\" x1=\"264.73\" y1=\"73\" x2=\"264.73\" y2=\"144\"/>\n"
    "<text class=\"tick\" x=\"264.73\" y=\"160\" text-anchor=\"middle\">100</text>\n"
    "<line class=\"grid\" x1=\"30.22\" y1=\"140.2\" x2=\"278\" y2=\"140.2\"/>\n"
    "<text class=\"tick\" x=\"23.22\" y=\"144.2\" text-anchor=\"end\">0</text>\n"
    "<line class=\"grid\" x1=\"30.22\" y1=\"76.8\" x2=\"278\" y2=\"76.8\"/>\n"
    "<text class=\"tick\" x=\"23.22\" y=\"80.8\" text-anchor=\"end\">1</text>\n"
    "<path class=\"axis\" d=\"M30.22 73L30.22 144L278 144\"/>\n"
    "</g>\n"
    "<text x=\"154.11\" y=\"186\" text-anchor=\"middle\">x</text>\n"
    "<g class=\"c1\">\n"
    "<path class=\"line\" d=\"M43.49 140.2L154.11 140.2L154.11 76.8L264.73 76.8L264.73 "
    "108.5\"/>\n"
    "</g>\n"
    "<g class=\"c1\">\n"
    "<circle class=\"dot\" cx=\"43.49\" cy=\"140.2\" r=\"4.5\"/>\n"
    "<circle class=\"dot\" cx=\"154.11\" cy=\"76.8\" r=\"4.5\"/>\n"
    "<circle class=\"dot\" cx=\"264.73\" cy=\"108.5\" r=\"4.5\"/>\n"
    "</g>\n"
    "<g>\n"
    "<text class=\"label\" x=\"34.17\" y=\"128.35\">a&lt;b</text>\n"
    "</g>\n"
    "</svg>\n";

static void test_golden(void)
{
    const double x[] = {1, 10, 100}, y[] = {0, 1, 0.5};
    const char *const labels[] = {"a<b", NULL, NULL};
    cleave_plot_options opt = options();
    cleave_series s = series_of("one & only", 3, x, y);
    clv_svg svg;
    opt.width = 300;
    opt.height = 200;
    opt.log_x = 1;
    opt.title = "T";
    opt.x_label = "x";
    s.labels = labels;
    s.line = CLEAVE_LINE_STEPS;
    const char *text = draw(&svg, 1, &s, &opt);
    const char *body = strstr(text, "</style>\n");
    REQUIRE(body != NULL);
    CHECK_STR(body + 9, golden);
    CHECK(xml_check(text) == NULL);
    clv_svg_free(&svg);
}

static void test_shapes(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {4, 3, 2, 1};
    cleave_series s[10];
    cleave_plot_options opt = options();
    clv_svg svg;
    for (int i = 0; i < 10; i++) {
        s[i] = series_of("name", 4, x, y);
        s[i].line = (cleave_line)(i % 3);
    }
    s[8].color = -1;
    s[9].color = 3;
    s[9].markers = 0;
    const char *text = draw(&svg, 10, s, &opt);
    CHECK(xml_check(text) == NULL);
    CHECK_EQ(count_of(text, "class=\"c0\""), 3); /* legend, line, points */
    CHECK_EQ(count_of(text, "class=\"c3\""), 6);
    CHECK_EQ(count_of(text, "class=\"c8\""), 3);
    CHECK_EQ(count_of(text, "class=\"name\""), 10);
    CHECK_EQ(count_of(text, "<polyline"), 3);
    CHECK_EQ(count_of(text, "prefers-color-scheme"), 1);
    clv_svg_free(&svg);
}

/* Every point is drawn inside the picture, wherever the values lie. */
static void test_inside(void)
{
    uint64_t state = 3;
    for (int round = 0; round < 200; round++) {
        double x[20], y[20];
        cleave_plot_options opt = options();
        clv_svg svg;
        for (int i = 0; i < 20; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[i] = exp((double)(state >> 40) / (1 << 20) - 8);
            y[i] = round % 3 == 0 ? 7 : (double)(state >> 50) - 8000;
        }
        opt.log_x = round % 2;
        cleave_series s = series_of(NULL, 20, x, y);
        const char *text = draw(&svg, 1, &s, &opt);
        CHECK(xml_check(text) == NULL);
        CHECK_EQ(count_of(text, "class=\"dot\""), 20);
        for (const char *p = strstr(text, "class=\"dot\""); p;
             p = strstr(p + 1, "class=\"dot\"")) {
            double px = 0, py = 0;
            CHECK_EQ(sscanf(p, "class=\"dot\" cx=\"%lf\" cy=\"%lf\"", &px, &py), 2);
            CHECK(px > 0 && px < opt.width && py > 0 && py < opt.height);
        }
        clv_svg_free(&svg);
    }
}

static void test_nothing_to_draw(void)
{
    cleave_plot_options opt = options();
    clv_svg svg;
    CHECK(xml_check(draw(&svg, 0, NULL, &opt)) == NULL);
    clv_svg_free(&svg);
    cleave_series s = series_of("empty", 0, NULL, NULL);
    opt.log_y = 1;
    s.line = CLEAVE_LINE_STEPS;
    CHECK(xml_check(draw(&svg, 1, &s, &opt)) == NULL);
    clv_svg_free(&svg);
}

static void refuse(const cleave_series *s, const cleave_plot_options *opt, const char *why)
{
    cleave_error err = {CLEAVE_OK, ""};
    clv_ws ws = {NULL};
    clv_svg svg = {0};
    const clv_plot plot = {.nseries = 1, .series = s, .opt = opt};
    CHECK_EQ(clv_plot_draw(&svg, &plot, &ws, &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, why) != NULL);
    clv_svg_free(&svg);
    clv_ws_free(&ws);
}

static void test_refused(void)
{
    double x[] = {1, 2}, y[] = {1, NAN};
    cleave_plot_options opt = options();
    cleave_series s = series_of("s", 2, x, y);
    refuse(&s, &opt, "y[1] of series \"s\" is not finite");
    y[1] = 0;
    opt.log_y = 1;
    refuse(&s, &opt, "not positive");
    opt = options();
    opt.height = 200;
    opt.subtitle = "1\n2\n3\n4\n5\n6\n7\n8\n9";
    refuse(&s, &opt, "too few");
}

/* Steps of the profile of two tools, against a count by hand. */
static void test_profile(void)
{
    const double value[] = {1, 2, 3, 4, /* best on three of four */
                            2, 1, 6, INFINITY};
    const char *const names[] = {"A", "B"};
    cleave_error err = {CLEAVE_OK, ""};
    clv_ws ws = {NULL};
    clv_svg svg = {0};
    cleave_plot_options opt = options();
    clv_tool_results results = {2, 4, names, value};
    CHECK_OK(clv_plot_profile(&svg, &results, &opt, &ws, &err));
    CHECK(xml_check(svg.text) == NULL);
    /* A: 3/4 at 1, all at 2.  B: 1/4 at 1, 3/4 at 2, never more.  One path per tool, each
     * with a move, then level and up at factor 2, then level to the right edge. */
    double ax[4], ay[4], bx[4], by[4];
    const char *a = strstr(svg.text, "<path class=\"line\"");
    const char *b = a ? strstr(a + 1, "<path class=\"line\"") : NULL;
    REQUIRE(a && b);
    const char *form = "<path class=\"line\" d=\"M%lf %lfL%lf %lfL%lf %lfL%lf %lf\"";
    CHECK_EQ(sscanf(a, form, &ax[0], &ay[0], &ax[1], &ay[1], &ax[2], &ay[2], &ax[3], &ay[3]),
             8);
    CHECK_EQ(sscanf(b, form, &bx[0], &by[0], &bx[1], &by[1], &bx[2], &by[2], &bx[3], &by[3]),
             8);
    double quarter = (by[0] - by[3]) / 2; /* 1/4 to 3/4 */
    CHECK(fabs(ay[0] - by[3]) < 0.02);    /* both 3/4 */
    CHECK(fabs(ay[0] - ay[3] - quarter) < 0.02);
    CHECK(ax[0] == bx[0] && ax[2] == bx[2] && ax[3] == bx[3] && ay[0] == ay[1]);
    clv_svg_free(&svg);
    double bad[] = {1, 0};
    svg = (clv_svg){0};
    results = (clv_tool_results){2, 1, names, bad};
    CHECK_EQ(clv_plot_profile(&svg, &results, &opt, &ws, &err), CLEAVE_EINVAL);
    clv_svg_free(&svg);
    clv_ws_free(&ws);
}

/* The public functions: a file that holds a picture, and refusals. */
static void test_files(void)
{
    const double x[] = {1, 2}, y[] = {3, 4};
    cleave_error err = {CLEAVE_OK, ""};
    cleave_series s = series_of("s", 2, x, y);
    char path[600], text[20000];
    snprintf(path, sizeof path, "%s/plot.svg", test_scratch());
    CHECK_OK(cleave_plot_write(path, 1, &s, NULL, &err));
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(xml_check(text) == NULL);
    CHECK_EQ(cleave_plot_write(NULL, 1, &s, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_plot_write(path, -1, &s, NULL, &err), CLEAVE_EINVAL);
    s.color = 9;
    CHECK_EQ(cleave_plot_write(path, 1, &s, NULL, &err), CLEAVE_EINVAL);
    s.color = 0;
    s.x = NULL;
    CHECK_EQ(cleave_plot_write(path, 1, &s, NULL, &err), CLEAVE_EINVAL);
    cleave_plot_options opt = options();
    opt.width = 10;
    CHECK_EQ(cleave_plot_write(path, 0, NULL, &opt, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_plot_write_profile(path, 0, NULL, 1, x, NULL, &err), CLEAVE_EINVAL);
    CHECK_OK(cleave_plot_write_profile(path, 2, NULL, 1, x, NULL, &err));
    CHECK_EQ(cleave_plot_write("/nowhere/x.svg", 0, NULL, NULL, &err), CLEAVE_EIO);
}

int main(void)
{
    RUN(test_golden);
    RUN(test_shapes);
    RUN(test_inside);
    RUN(test_nothing_to_draw);
    RUN(test_refused);
    RUN(test_profile);
    RUN(test_files);
    return test_end();
}
