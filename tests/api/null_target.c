/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: targets. */
#include "api/null_call.h"

static cleave_error err;

static void target_parse(void)
{
    cleave_target *t;
    REFUSED(cleave_target_parse(NULL, "8", e), "out is NULL");
    REFUSED_OUT(cleave_target, t, cleave_target_parse(&t, NULL, e), "spec is NULL");
    REFUSED_OUT(cleave_target, t, cleave_target_parse(&t, "1,x", e),
                "speed 2 is \"x\", not a number >= 0");
}

static void target_create(void)
{
    static const double zeros[] = {0, 0}, negative[] = {1, -1};
    cleave_target *t;
    REFUSED(cleave_target_create(NULL, 2, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_target, t, cleave_target_create(&t, 0, NULL, e),
                "a target cannot have 0 PEs");
    REFUSED_OUT(cleave_target, t, cleave_target_create(&t, INT32_MIN, NULL, e),
                "a target cannot have -2147483648 PEs");
    REFUSED_OUT(cleave_target, t, cleave_target_create(&t, 2, zeros, e),
                "the speeds of all PEs are 0");
    REFUSED_OUT(cleave_target, t, cleave_target_create(&t, 2, negative, e),
                "the speed of PE 1 is not a number >= 0");
}

static void evaluate_target(void)
{
    static const int32_t part[] = {0, 1, 0, 1};
    cleave_target_metrics metrics;
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL, *shorter = NULL, *wider = NULL;
    cleave_target *t = NULL;
    CHECK_OK(cleave_graph_generate(&g, "grid2d:2x2", NULL, &err));
    CHECK_OK(cleave_mapping_create(&m, 4, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&shorter, 3, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&wider, 4, 3, part, &err));
    CHECK_OK(cleave_target_create(&t, 2, NULL, &err));
    cleave_target_metrics_init(&metrics, sizeof metrics);
    REFUSED(cleave_evaluate_target(NULL, g, m, t, e),
            "metrics needs cleave_target_metrics_init first");
    REFUSED(cleave_evaluate_target(&metrics, NULL, m, t, e), "the graph is NULL");
    REFUSED(cleave_evaluate_target(&metrics, g, NULL, t, e), "the mapping is NULL");
    REFUSED(cleave_evaluate_target(&metrics, g, m, NULL, e), "the target is NULL");
    REFUSED(cleave_evaluate_target(&metrics, g, shorter, t, e),
            "the mapping has 3 vertices but the graph has 4");
    REFUSED(cleave_evaluate_target(&metrics, g, wider, t, e),
            "the mapping has 3 parts but the target 2 PEs");
    metrics.size = 0;
    REFUSED(cleave_evaluate_target(&metrics, g, m, t, e),
            "metrics needs cleave_target_metrics_init first");
    cleave_graph_free(g);
    cleave_mapping_free(m);
    cleave_mapping_free(shorter);
    cleave_mapping_free(wider);
    cleave_target_free(t);
}

static void target_write(void)
{
    cleave_target *t = NULL;
    CHECK_OK(cleave_target_create(&t, 2, NULL, &err));
    REFUSED_WRITE(cleave_target_write, t, "the target");
    cleave_target_free(t);
}

static void launch_write(void)
{
    static const int32_t part[] = {0, 1, 0};
    cleave_target *t = NULL, *one = NULL;
    cleave_mapping *m = NULL;
    char path[4200];
    snprintf(path, sizeof path, "%s/never.launch", test_scratch());
    CHECK_OK(cleave_target_create(&t, 2, NULL, &err));
    CHECK_OK(cleave_target_create(&one, 1, NULL, &err));
    CHECK_OK(cleave_mapping_create(&m, 3, 2, part, &err));
    REFUSED(cleave_launch_write(NULL, "permutation", m, t, NULL, e), "path is NULL");
    REFUSED(cleave_launch_write(path, NULL, m, t, NULL, e), "form is NULL");
    REFUSED(cleave_launch_write(path, "permutation", NULL, t, NULL, e), "the mapping is NULL");
    REFUSED(cleave_launch_write(path, "permutation", m, NULL, NULL, e), "the target is NULL");
    REFUSED(cleave_launch_write(path, "permutation", m, one, NULL, e),
            "the mapping has 2 parts but the target 1 PEs");
    CHECK_EQ(cleave_launch_write(path, "telegram", m, t, NULL, &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, "telegram") != NULL);
    CHECK_EQ(remove(path), -1);
    cleave_target_free(t);
    cleave_target_free(one);
    cleave_mapping_free(m);
}

static const api_test functions[] = {
    {"cleave_target_parse", target_parse},       {"cleave_target_create", target_create},
    {"cleave_target_write", target_write},       {"cleave_launch_write", launch_write},
    {"cleave_evaluate_target", evaluate_target}, {NULL, NULL},
};

static void silent(void)
{
    cleave_target *t = NULL;
    char text[16] = "x";
    cleave_target_free(NULL);
    CHECK_EQ(cleave_target_pes(NULL), 0);
    CHECK(cleave_target_speed(NULL, 0) == 0);
    CHECK_EQ(cleave_target_distance(NULL, 0, 0), -1);
    CHECK(cleave_target_name(NULL, 0) == NULL);
    CHECK_EQ(cleave_target_levels(NULL), 0);
    CHECK_EQ(cleave_target_level(NULL, 0, 0), 0);
    CHECK_EQ(cleave_target_links(NULL), 0);
    CHECK_STR(cleave_target_shape(NULL), "");
    cleave_target_describe(NULL, text, sizeof text);
    CHECK_STR(text, "");
    cleave_target_metrics_init(NULL, sizeof(cleave_target_metrics));
    CHECK_OK(cleave_target_parse(&t, "tree:2:3@1:10", &err));
    static const int32_t wrong[] = {-1, 6, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        CHECK(cleave_target_speed(t, wrong[i]) == 0);
        CHECK(cleave_target_name(t, wrong[i]) == NULL);
        CHECK_EQ(cleave_target_distance(t, 0, wrong[i]), -1);
        CHECK_EQ(cleave_target_distance(t, wrong[i], 0), -1);
        CHECK_EQ(cleave_target_level(t, 0, wrong[i]), 0);
        CHECK_EQ(cleave_target_level(t, wrong[i], 0), 0);
    }
    CHECK_EQ(cleave_target_distance(t, 0, 1), 1);
    CHECK_EQ(cleave_target_distance(t, 1, 2), 10);
    CHECK_EQ(cleave_target_level(t, 1, 2), 2);
    CHECK_EQ(cleave_target_level(t, 5, 5), 0);
    CHECK_EQ(cleave_target_links(t), 9);
    cleave_target_describe(t, NULL, 5);
    cleave_target_describe(t, text, 0);
    CHECK_STR(text, "");
    cleave_target_describe(t, text, 5);
    CHECK_STR(text, "tree");
    cleave_target_free(t);
}

const null_group null_target = {.functions = functions, .silent = silent};
