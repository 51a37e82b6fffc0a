/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: targets, and remapping to changed targets. */
#include "api/oom_call.h"

static cleave_error err;

static cleave_status call_target(const char *detail, uint64_t *result, cleave_error *e)
{
    static const double speeds[] = {3, 2, 1};
    cleave_target *t = (cleave_target *)ints;
    cleave_status status =
        UNDER_TEST(strstr(detail, "speeds")  ? cleave_target_create(&t, 3, speeds, e)
                   : strstr(detail, "equal") ? cleave_target_create(&t, 3, NULL, e)
                                             : cleave_target_parse(&t, detail, e));
    CHECK((t != NULL) == (status == CLEAVE_OK));
    *result = (uint64_t)(cleave_target_pes(t) + 10 * cleave_target_speed(t, 0)) +
              1000 * (uint64_t)cleave_target_distance(t, 0, 1);
    cleave_target_free(t);
    return status;
}

/* detail is the target, and ends in "dag" when it is one that is mapped. */
static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    char spec[64];
    snprintf(spec, sizeof spec, "%.*s", (int)strcspn(detail, " "), detail);
    cleave_target *t = NULL;
    CHECK_OK(cleave_target_parse(&t, spec, &err));
    cleave_target_metrics metrics;
    cleave_target_metrics_init(&metrics, sizeof metrics);
    cleave_status status =
        UNDER_TEST(cleave_evaluate_target(&metrics, strstr(detail, "dag") ? dag : undirected,
                                          strstr(detail, "many") ? many : slices, t, e));
    CHECK_EQ(metrics.cost != 0, status == CLEAVE_OK);
    *result = (uint64_t)metrics.cost * 31 + (uint64_t)metrics.cost_identity * 7 +
              (uint64_t)metrics.max_link_load;
    cleave_target_free(t);
    return status;
}

/* detail: the target and, of a launch file, its form. */
static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    char spec[64];
    const char *form = strchr(detail, ' '), *path = oom_scratch("out.target");
    snprintf(spec, sizeof spec, "%.*s", (int)strcspn(detail, " "), detail);
    cleave_target *t = NULL;
    CHECK_OK(cleave_target_parse(&t, spec, &err));
    cleave_status status =
        UNDER_TEST(form ? cleave_launch_write(path, form + 1, many, t, "n[1-70]", e)
                        : cleave_target_write(t, path, e));
    cleave_target_free(t);
    return oom_file_result(status, path, result);
}

/* From slices onto other PEs. */
static cleave_status call_remap(const char *detail, uint64_t *result, cleave_error *e)
{
    oom_demands d;
    cleave_mapping *m = (cleave_mapping *)ints;
    cleave_mapping *old = NULL;
    cleave_target *from = NULL;
    cleave_remap_options opt;
    cleave_status status;
    cleave_remap_options_init(&opt, sizeof opt);
    oom_demands_make(&d, detail);
    int32_t nvtx = cleave_graph_vertices(d.g);
    for (int32_t v = 0; v < nvtx; v++)
        more_ints[v] = v * k / nvtx;
    CHECK_OK(cleave_mapping_create(&old, nvtx, k, more_ints, &err));
    CHECK_OK(cleave_target_parse(&from, strstr(detail, "named") ? "9[8,1-4]" : "5", &err));
    opt.from = from;
    opt.options = &d.opt;
    opt.migration_price = strstr(detail, "free") ? 0 : 3;
    opt.strategy = strstr(detail, "diffuse")    ? "diffuse"
                   : strstr(detail, "interval") ? "interval"
                   : strstr(detail, "scratch")  ? "scratch"
                                                : NULL;
    status = UNDER_TEST(cleave_remap(&m, d.g, old, d.t, &opt, e));
    oom_demands_free(&d);
    cleave_target_free(from);
    cleave_mapping_free(old);
    return mapping_result(status, m, result);
}

static const oom_entry entries[] = {
    {"cleave_remap", call_remap,
     "fast diffuse|fast interval|fast scratch|fast diffuse fixed groups named|"
     "fast diffuse free|fast many parts|dag fast diffuse|dag fast interval|"
     "wide fast diffuse|wide fast interval|wide fast scratch fixed groups|dag wide fast"},
    {"cleave_target_parse", call_target,
     "8|3,2,2,1|mesh:4x2|torus:3x3x3|hypercube:4|tree:4:8:2@1:10:100|mesh:4x2[0,4-6]"},
    {"cleave_target_create", call_target, "equal|speeds"},
    {"cleave_target_write", call_write, "3,2,1|mesh:4x2|tree:4:8:2@1:10:100"},
    {"cleave_launch_write", call_write,
     "tree:60:70@1:10 permutation|tree:60:70@1:10 rankfile"},
    {"cleave_evaluate_target", call_evaluate,
     "5|mesh:3x2|mesh:3x2 dag|tree:3:4@1:10|torus:70x70 many|5000 dag many"},
    {NULL, NULL, NULL},
};

const oom_group oom_target = {.entries = entries};
