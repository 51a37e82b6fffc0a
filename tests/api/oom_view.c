/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: pictures. */
#include "api/oom_call.h"

static cleave_error err;

/* detail: the name of the file after the kind of picture: "flat", "solid", "bare" (without
 * coordinates), "dag", or "line" (colours along an order). */
static cleave_status call_view(const char *detail, uint64_t *result, cleave_error *e)
{
    static int32_t part[400];
    const char *spec = strstr(detail, "solid")  ? "mesh3d:4x4x4"
                       : strstr(detail, "bare") ? "gnp:60:0.05"
                       : strstr(detail, "dag")  ? "stencil:5x5:4"
                                                : "mesh2d:12x10";
    const char *path = oom_scratch(strrchr(detail, ' ') + 1);
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    cleave_target *t = NULL;
    cleave_order *o = NULL;
    cleave_view_options opt;
    cleave_view_options_init(&opt, sizeof opt);
    CHECK_OK(cleave_graph_generate(&g, spec, NULL, &err));
    for (int32_t v = 0; v < cleave_graph_vertices(g); v++)
        part[v] = v * 12 / cleave_graph_vertices(g);
    CHECK_OK(cleave_mapping_create(&m, cleave_graph_vertices(g), 12, part, &err));
    CHECK_OK(cleave_target_parse(&t, "mesh:4x3", &err));
    if (strstr(detail, "line"))
        CHECK_OK(cleave_order_build(&o, g, NULL, &err));
    opt.order = o;
    cleave_status status = UNDER_TEST(cleave_view_graph(path, g, o ? NULL : m, t, &opt, e));
    cleave_graph_free(g);
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_order_free(o);
    return oom_file_result(status, path, result);
}

/* detail: a target and a file. */
static cleave_status call_view_target(const char *detail, uint64_t *result, cleave_error *e)
{
    static int32_t part[400];
    char spec[64];
    const char *blank = strrchr(detail, ' '), *path = oom_scratch(blank + 1);
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL, *before = NULL;
    cleave_target *t = NULL;
    snprintf(spec, sizeof spec, "%.*s", (int)(blank - detail), detail);
    CHECK_OK(cleave_graph_generate(&g, "grid2d:8x6", NULL, &err));
    CHECK_OK(cleave_target_parse(&t, spec, &err));
    for (int32_t v = 0; v < 48; v++)
        part[v] = v * 8 / 48;
    CHECK_OK(cleave_mapping_create(&m, 48, 8, part, &err));
    for (int32_t v = 0; v < 48; v++)
        part[v] = v % 8;
    CHECK_OK(cleave_mapping_create(&before, 48, 8, part, &err));
    cleave_status status = UNDER_TEST(cleave_view_target(path, t, g, m, before, NULL, e));
    cleave_graph_free(g);
    cleave_mapping_free(m);
    cleave_mapping_free(before);
    cleave_target_free(t);
    return oom_file_result(status, path, result);
}

static cleave_status call_schedule(const char *detail, uint64_t *result, cleave_error *e)
{
    const char *path = oom_scratch(strrchr(detail, ' ') + 1);
    cleave_graph *g = NULL;
    cleave_schedule *s = NULL;
    cleave_schedule_options opt;
    cleave_status status;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.split_rows = strstr(detail, "split") != NULL;
    opt.method = "levels";
    CHECK_OK(cleave_graph_generate(&g, "stencil:5x5:3", NULL, &err));
    CHECK_OK(cleave_schedule_build(&s, g, &opt, &err));
    status = UNDER_TEST(cleave_view_schedule(path, g, s, NULL, NULL, e));
    cleave_schedule_free(s);
    cleave_graph_free(g);
    return oom_file_result(status, path, result);
}

static cleave_status call_remap(const char *detail, uint64_t *result, cleave_error *e)
{
    static int32_t part[2][200];
    const char *path = oom_scratch(strrchr(detail, ' ') + 1);
    cleave_graph *g = NULL;
    cleave_mapping *m[2] = {NULL, NULL};
    cleave_status status;
    CHECK_OK(cleave_graph_generate(&g, strstr(detail, "bare") ? "gnp:60:0.05" : "mesh2d:12x10",
                                   NULL, &err));
    int32_t n = cleave_graph_vertices(g);
    for (int i = 0; i < 2; i++) {
        for (int32_t v = 0; v < n; v++)
            part[i][v] = (v + 9 * i) * 12 / (n + 9);
        CHECK_OK(cleave_mapping_create(&m[i], n, 12, part[i], &err));
    }
    status = UNDER_TEST(cleave_view_remap(path, g, m[0], m[1], NULL, e));
    cleave_mapping_free(m[0]);
    cleave_mapping_free(m[1]);
    cleave_graph_free(g);
    return oom_file_result(status, path, result);
}

static const oom_entry entries[] = {
    {"cleave_view_target", call_view_target,
     "torus:4x2 v.svg|mesh:2x2x2 v.html|tree:2:4@1:5 v.svg|8 v.html"},
    {"cleave_view_schedule", call_schedule, "s v.svg|s v.html|split v.json"},
    {"cleave_view_remap", call_remap, "flat v.svg|bare v.html"},
    {"cleave_view_graph", call_view,
     "flat v.svg|flat v.html|flat v.dot|solid v.svg|bare v.html|dag v.svg|line v.html.gz"},
    {NULL, NULL, NULL},
};

const oom_group oom_view = {.entries = entries};
