/* SPDX-License-Identifier: Apache-2.0 */
/* The SVG writer: every shape byte for byte, escaping, numbers, well-formed for any text.
 */
#include "view/svg.h"

#include <locale.h>
#include <math.h>

#include "support/test.h"
#include "view/xml_check.h"

static void test_golden(void)
{
    cleave_error err;
    clv_svg svg = {0};
    double x[] = {0, 1.5, 3}, y[] = {2, 1, 0.126};
    clv_svg_open(&svg, 30, 20, "a < b", ".k{fill:red}\n");
    clv_svg_group(&svg, "k");
    clv_svg_line(&svg, "k", 0, 0.5, -1.25, 1e3);
    clv_svg_polyline(&svg, NULL, 3, x, y);
    clv_svg_circle(&svg, NULL, 1, 2, 3.004);
    clv_svg_rect(&svg, NULL, (clv_rect){1, 2, 3, 4}, 0);
    clv_svg_rect(&svg, NULL, (clv_rect){1, 2, 3, 4}, 0.5);
    clv_svg_group_end(&svg);
    clv_svg_text_upward(&svg, "t", 5, 6, CLV_ANCHOR_END, "x & y");
    clv_svg_text(&svg, NULL, 5, 6, CLV_ANCHOR_START, "z");
    clv_svg_path(&svg, NULL);
    clv_svg_path_move(&svg, 1, 1);
    clv_svg_path_line(&svg, 2, -0.001);
    clv_svg_path_close(&svg);
    clv_svg_path_end(&svg);
    CHECK_OK(clv_svg_close(&svg, &err));
    CHECK_STR(
        svg.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"30\" height=\"20\" "
        "viewBox=\"0 0 30 20\">\n<title>a &lt; b</title>\n<style>\n.k{fill:red}\n</style>\n"
        "<g class=\"k\">\n"
        "<line class=\"k\" x1=\"0\" y1=\"0.5\" x2=\"-1.25\" y2=\"1000\"/>\n"
        "<polyline points=\"0,2 1.5,1 3,0.13\"/>\n"
        "<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n"
        "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>\n"
        "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" rx=\"0.5\"/>\n"
        "</g>\n"
        "<text class=\"t\" x=\"5\" y=\"6\" text-anchor=\"end\" transform=\"rotate(-90 5 6)\">"
        "x &amp; y</text>\n"
        "<text x=\"5\" y=\"6\">z</text>\n"
        "<path d=\"M1 1L2 0Z\"/>\n"
        "</svg>\n");
    CHECK(xml_check(svg.text) == NULL);
    CHECK_EQ(svg.used, (long long)strlen(svg.text));
    clv_svg_free(&svg);
    CHECK(svg.text == NULL);
}

static void check_text(const char *text, const char *expected)
{
    cleave_error err;
    clv_svg svg = {0};
    char wanted[200];
    snprintf(wanted, sizeof wanted, "<text x=\"0\" y=\"0\">%s</text>", expected);
    clv_svg_open(&svg, 1, 1, text, NULL);
    clv_svg_text(&svg, NULL, 0, 0, CLV_ANCHOR_START, text);
    CHECK_OK(clv_svg_close(&svg, &err));
    CHECK(xml_check(svg.text) == NULL);
    CHECK_EQ(count_of(svg.text, wanted), 1);
    if (count_of(svg.text, wanted) != 1)
        fprintf(stderr, "%s\n", svg.text);
    clv_svg_free(&svg);
}

#define U_FFFD "\xef\xbf\xbd"

static void test_escaping(void)
{
    check_text("<&>\"'", "&lt;&amp;&gt;&quot;'");
    check_text("</text><script>", "&lt;/text&gt;&lt;script&gt;");
    check_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    check_text("a\x01z", "a" U_FFFD "z");                        /* no character of XML */
    check_text("\xff", U_FFFD);                                  /* never UTF-8 */
    check_text("\xc0\x80", U_FFFD U_FFFD);                       /* overlong */
    check_text("\xed\xa0\x80", U_FFFD U_FFFD U_FFFD);            /* surrogate */
    check_text("\xf4\x90\x80\x80", U_FFFD U_FFFD U_FFFD U_FFFD); /* beyond Unicode */
    check_text("\xef\xbf\xbe", U_FFFD U_FFFD U_FFFD);            /* U+FFFE */
    check_text("\xe2\x82", U_FFFD U_FFFD);                       /* cut short */
}

/* Any bytes at all: still well formed. */
static void test_random_text(void)
{
    uint32_t state = 1;
    for (int round = 0; round < 2000; round++) {
        char text[24];
        cleave_error err;
        clv_svg svg = {0};
        for (int i = 0; i < 23; i++) {
            state = state * 1664525u + 1013904223u;
            text[i] = (char)(state >> 24);
        }
        text[23] = '\0';
        clv_svg_open(&svg, 1, 1, text, NULL);
        clv_svg_text(&svg, text, 0, 0, CLV_ANCHOR_MIDDLE, text);
        CHECK_OK(clv_svg_close(&svg, &err));
        for (char *p = svg.text; *p; p++)
            *p = *p == '\r' ? ' ' : *p; /* allowed, but not known to the checker */
        CHECK(xml_check(svg.text) == NULL);
        CHECK(clv_svg_text_width(text, 10) >= 0);
        clv_svg_free(&svg);
    }
}

static void check_number(double value, const char *expected)
{
    cleave_error err;
    clv_svg svg = {0};
    char wanted[80];
    snprintf(wanted, sizeof wanted, "r=\"%s\"", expected);
    clv_svg_circle(&svg, NULL, 0, 0, value);
    CHECK_OK(clv_svg_close(&svg, &err));
    CHECK_EQ(count_of(svg.text, wanted), 1);
    clv_svg_free(&svg);
}

static void test_numbers(void)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* must not matter, where it exists */
    check_number(0.125, "0.13");
    check_number(-0.125, "-0.13");
    check_number(0.05, "0.05");
    check_number(12.999, "13");
    check_number(NAN, "0");
    check_number(INFINITY, "1000000000");
    check_number(-INFINITY, "-1000000000");
}

static void test_width(void)
{
    CHECK(clv_svg_text_width("", 12) == 0);
    CHECK(clv_svg_text_width("iii", 12) < clv_svg_text_width("mmm", 12));
    CHECK(clv_svg_text_width("\xc3\xa4", 12) == clv_svg_text_width("a", 12));
    CHECK(clv_svg_text_width("ab", 24) == 2 * clv_svg_text_width("ab", 12));
}

int main(void)
{
    RUN(test_golden);
    RUN(test_escaping);
    RUN(test_random_text);
    RUN(test_numbers);
    RUN(test_width);
    return test_end();
}
