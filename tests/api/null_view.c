/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: pictures. */
#include "api/null_call.h"

static cleave_error err;

/* A path of three vertices, a mapping of two, an order of one, a target of one PE. */
static cleave_graph *path3;
static cleave_mapping *short_one, *halves;
static cleave_order *one;
static cleave_target *alone;

static void make(void)
{
    static const int32_t part[] = {0, 1, 1}, place[] = {0};
    CHECK_OK(cleave_graph_generate(&path3, "tree:3", NULL, &err));
    CHECK_OK(cleave_mapping_create(&short_one, 2, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&halves, 3, 2, part, &err));
    CHECK_OK(cleave_order_create(&one, 1, place, NULL, &err));
    CHECK_OK(cleave_target_parse(&alone, "1", &err));
}

static void drop(void)
{
    cleave_graph_free(path3);
    cleave_mapping_free(short_one);
    cleave_mapping_free(halves);
    cleave_order_free(one);
    cleave_target_free(alone);
}

static void refuse_options(void)
{
    cleave_view_options opt;
    cleave_view_options_init(&opt, sizeof opt);
    opt.width = 10;
    REFUSED(cleave_view_graph("x.svg", path3, NULL, NULL, &opt, e),
            "10 x 720 pixels: each must be from 200 to 4000");
    opt.width = 500;
    opt.layout = 4;
    REFUSED(cleave_view_graph("x.svg", path3, NULL, NULL, &opt, e),
            "layout is 4, not 0, 2 or 3");
    opt.layout = 0;
    opt.order = one;
    REFUSED(cleave_view_graph("x.svg", path3, NULL, NULL, &opt, e),
            "the order has 1 vertices but the graph has 3");
    opt.order = NULL;
    opt.format = "png";
    REFUSED(
        cleave_view_graph("x.svg", path3, NULL, NULL, &opt, e),
        "unknown picture format \"png\"; this kind of picture has svg, html, dot, vtk, vtu");
    opt.size = 3;
    REFUSED(cleave_view_graph("x.svg", path3, NULL, NULL, &opt, e),
            "opt.size is 3; call its _init function first");
}

static void view_schedule(void)
{
    static const int32_t zero[3] = {0}, back[3] = {1, 0, 0};
    cleave_schedule *s = NULL, *wrong = NULL, *small = NULL;
    cleave_schedule_costs costs;
    cleave_graph *dag = NULL;
    CHECK_OK(cleave_graph_generate(&dag, "layered:3:1:1", NULL, &err));
    CHECK_OK(cleave_schedule_create(&s, 3, zero, zero, &err));
    CHECK_OK(cleave_schedule_create(&wrong, 3, back, zero, &err));
    CHECK_OK(cleave_schedule_create(&small, 2, zero, zero, &err));
    REFUSED(cleave_view_schedule(NULL, dag, s, NULL, NULL, e), "path is NULL");
    REFUSED(cleave_view_schedule("x.svg", NULL, s, NULL, NULL, e), "the graph is NULL");
    REFUSED(cleave_view_schedule("x.svg", dag, NULL, NULL, NULL, e), "the schedule is NULL");
    CHECK_EQ(cleave_view_schedule("x.svg", dag, wrong, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_view_schedule("x.svg", dag, small, NULL, NULL, &err), CLEAVE_EINVAL);
    REFUSED(cleave_view_schedule("x.dot", dag, s, NULL, NULL, e),
            "unknown picture format \"dot\"; this kind of picture has svg, html, json");
    REFUSED(cleave_view_schedule("x", dag, s, NULL, NULL, e),
            "x: unknown picture format; use svg, html, json, or give the format");
    cleave_schedule_costs_init(&costs, sizeof costs);
    costs.sync = -1;
    CHECK_EQ(cleave_view_schedule("x.svg", dag, s, &costs, NULL, &err), CLEAVE_EINVAL);
    cleave_schedule_free(s);
    cleave_schedule_free(wrong);
    cleave_schedule_free(small);
    cleave_graph_free(dag);
}

static void view_remap(void)
{
    REFUSED(cleave_view_remap(NULL, path3, halves, halves, NULL, e), "path is NULL");
    REFUSED(cleave_view_remap("x.svg", NULL, halves, halves, NULL, e), "the graph is NULL");
    REFUSED(cleave_view_remap("x.svg", path3, NULL, halves, NULL, e), "a mapping is NULL");
    REFUSED(cleave_view_remap("x.svg", path3, halves, NULL, NULL, e), "a mapping is NULL");
    REFUSED(cleave_view_remap("x.svg", path3, short_one, halves, NULL, e),
            "the mapping before has 2 vertices but the graph has 3");
    REFUSED(cleave_view_remap("x.svg", path3, halves, short_one, NULL, e),
            "the mapping after has 2 vertices but the graph has 3");
    REFUSED(cleave_view_remap("x.json", path3, halves, halves, NULL, e),
            "unknown picture format \"json\"; this kind of picture has svg, html");
}

static void view_graph(void)
{
    REFUSED(cleave_view_graph(NULL, path3, NULL, NULL, NULL, e), "path is NULL");
    REFUSED(cleave_view_graph("x.svg", NULL, NULL, NULL, NULL, e), "the graph is NULL");
    REFUSED(cleave_view_graph("x.svg", path3, short_one, NULL, NULL, e),
            "the mapping has 2 vertices but the graph has 3");
    REFUSED(cleave_view_graph("x.svg", path3, halves, alone, NULL, e),
            "the mapping has 2 parts but the target 1 PEs");
    REFUSED(cleave_view_graph("x", path3, NULL, NULL, NULL, e),
            "x: unknown picture format; use svg, html, dot, vtk, vtu, or give the format");
    refuse_options();
    cleave_view_options_init(NULL, sizeof(cleave_view_options));
    CHECK(cleave_view_format_of_path(NULL) == NULL);
    CHECK_STR(cleave_view_format_of_path("a.html.gz"), "html");
    CHECK(cleave_view_format_of_path("svg") == NULL);
}

static void view_target(void)
{
    REFUSED(cleave_view_target("x.svg", NULL, NULL, NULL, NULL, NULL, e),
            "the target is NULL");
    REFUSED(cleave_view_target(NULL, alone, NULL, NULL, NULL, NULL, e), "path is NULL");
    REFUSED(cleave_view_target("x.svg", alone, NULL, halves, NULL, NULL, e),
            "a mapping needs its graph, which is NULL");
    REFUSED(cleave_view_target("x.svg", alone, path3, NULL, halves, NULL, e),
            "there is a mapping before but none after");
    REFUSED(cleave_view_target("x.svg", alone, path3, short_one, NULL, NULL, e),
            "the mapping has 2 vertices but the graph has 3");
    REFUSED(cleave_view_target("x.svg", alone, path3, halves, NULL, NULL, e),
            "the mapping has 2 parts but the target 1 PEs");
    REFUSED(cleave_view_target("x.dot", alone, NULL, NULL, NULL, NULL, e),
            "unknown picture format \"dot\"; this kind of picture has svg, html");
}

static const api_test functions[] = {
    {"cleave_view_graph", view_graph},
    {"cleave_view_target", view_target},
    {"cleave_view_schedule", view_schedule},
    {"cleave_view_remap", view_remap},
    {NULL, NULL},
};

const null_group null_view = {.functions = functions, .make = make, .drop = drop};
