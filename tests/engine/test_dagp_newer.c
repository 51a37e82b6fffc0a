/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp.c, the version of 2019: which words select it and what its defaults are;
 * every variant gives acyclic parts within the bounds, other parts than every other variant,
 * the same on any number of threads, and no variant leaks when memory is short. */
#include "engine/dagp_fixture.h"

/* A value that only the version of 2019 has selects its other defaults. */
static void test_parse_versions(void)
{
    static const clv_dagp_params newer = {.version = CLV_DAGP_2019,
                                          .coarsen = CLV_DAGP_COHYB,
                                          .constrain = CLV_DAGP_CLUSTERS_AND_START,
                                          .order = CLV_DAG_ORDER_BREADTH,
                                          .match = CLV_DAG_MATCH_HEM,
                                          .initial = CLV_DAGP_UNDIRECTED,
                                          .refine = CLV_DAGP_FM};
    static const char *const same[] = {"version=2019",
                                       "coarsen=cohyb",
                                       "initial=undirected",
                                       "order=breadth",
                                       "refine=fm",
                                       "constrain=start",
                                       "coarsen=cohyb,initial=undirected"};
    clv_dagp_params p, expected;
    cleave_error err = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        CHECK_OK(clv_dagp_parse(&p, same[i], &err));
        CHECK(memcmp(&p, &newer, sizeof p) == 0);
    }
    CHECK_OK(clv_dagp_parse(&p, "coarsen=cotop,runs=3,match=nwhem", &err));
    expected = newer;
    expected.coarsen = CLV_DAGP_COTOP;
    expected.match = CLV_DAG_MATCH_NWHEM;
    expected.runs = 3;
    CHECK(memcmp(&p, &expected, sizeof p) == 0);
    CHECK_OK(clv_dagp_parse(&p, "coarsen=cocyc,initial=greedy,order=rand", &err));
    expected = newer;
    expected.coarsen = CLV_DAGP_COCYC;
    expected.constrain = CLV_DAGP_UNCONSTRAINED;
    expected.initial = CLV_DAGP_GREEDY;
    expected.order = CLV_DAG_ORDER_RAND;
    CHECK(memcmp(&p, &expected, sizeof p) == 0);
    CHECK_OK(clv_dagp_parse(&p, "coarsen=none", &err));
    expected = newer;
    expected.coarsen = CLV_DAGP_NO_COARSENING;
    expected.constrain = CLV_DAGP_UNCONSTRAINED;
    expected.order = CLV_DAG_ORDER_TOP;
    CHECK(memcmp(&p, &expected, sizeof p) == 0);
    CHECK_OK(clv_dagp_parse(&p, "version=2017,coarsen=matching,constrain=no", &err));
    CHECK(memcmp(&p, &(clv_dagp_params){0}, sizeof p) == 0);
    CHECK_OK(
        clv_dagp_parse(&p, "version=2019,initial=kern,coarsen=matching,refine=topref", &err));
    expected = (clv_dagp_params){
        .version = CLV_DAGP_2019, .match = CLV_DAG_MATCH_HEM, .initial = CLV_DAGP_KERN};
    CHECK(memcmp(&p, &expected, sizeof p) == 0);
}

/* Every coarsening, initial partition and use of the constraint. */
static const char *const newer_lists[] = {
    "version=2019",
    "coarsen=cotop,constrain=no",
    "coarsen=cocyc,constrain=no",
    "coarsen=cohyb,constrain=no",
    "coarsen=cohyb,constrain=clusters",
    "coarsen=cohyb,initial=greedy",
    "coarsen=cohyb,initial=greedy,constrain=clusters",
    "coarsen=cotop,initial=kern",
    "coarsen=cocyc,initial=gp,refine=topref,order=rand",
    "coarsen=none",
    "version=2019,coarsen=matching,initial=ker+gp",
    "coarsen=cohyb,constrain=no,runs=3",
    "version=2019,refine=topref",
};
enum { nnewer = sizeof newer_lists / sizeof *newer_lists };

static clv_dagp_params newer(int i)
{
    clv_dagp_params params;
    cleave_error err = {0};
    CHECK_OK(clv_dagp_parse(&params, newer_lists[i], &err));
    return params;
}

static void test_newer(void)
{
    int unmet = 0, plain = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        dagp_fixture d = {.params = newer((int)(seed % nnewer))};
        cleave_error err = {0};
        clv_multilevel_result result;
        dag_options o = dag_any(seed, seed % 8 ? 80 : 900);
        o.fixed = 0;
        dagp_make(&d, &o);
        CHECK_OK(solve(&d, 1, seed, &result, &err));
        check_result(&d, &result);
        if (o.vertex_weight == 0) {
            plain++;
            unmet += result.worth.overload > 0;
        }
        dagp_free(&d);
    }
    CHECK(plain > 150);
    CHECK_EQ(unmet, 0);
}

/* Every list gives other parts than every other one, for some DAG of a few. */
static void test_newer_differ(void)
{
    enum { seeds = 4, n = 1600 };
    int32_t *part[nnewer][seeds];
    size_t bytes = n * sizeof **part[0];
    dagp_fixture d = {.method = CLV_DAGP};
    dag_options o = {.shape = DAG_RANDOM, .nvtx = n, .nparts = 3, .ncon = 1, .slack = 0.1};
    dagp_make(&d, &o);
    for (int i = 0; i < nnewer; i++)
        for (int seed = 0; seed < seeds; seed++) {
            clv_multilevel_result result;
            cleave_error err = {0};
            d.params = newer(i);
            CHECK_OK(solve(&d, 1, (uint64_t)seed, &result, &err));
            CHECK(d.params.coarsen == CLV_DAGP_NO_COARSENING ? result.levels == 1
                                                             : result.levels > 1);
            part[i][seed] = malloc(bytes);
            memcpy(part[i][seed], d.part, bytes);
        }
    for (int i = 0; i < nnewer; i++)
        for (int j = 0; j < i; j++) {
            int same = 0;
            for (int seed = 0; seed < seeds; seed++)
                same += memcmp(part[i][seed], part[j][seed], bytes) == 0;
            if (same == seeds)
                printf("%s is %s\n", newer_lists[i], newer_lists[j]);
            CHECK(same < seeds);
        }
    for (int i = 0; i < nnewer; i++)
        for (int seed = 0; seed < seeds; seed++)
            free(part[i][seed]);
    dagp_free(&d);
}

static void test_threads(void)
{
    dagp_fixture d = {.method = CLV_DAGP};
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 3000, .nparts = 5, .ncon = 1, .slack = 0.03};
    dagp_make(&d, &o);
    size_t bytes = (size_t)o.nvtx * sizeof *d.part;
    int32_t *first = malloc(bytes);
    for (int i = 0; i < nnewer; i++) {
        cleave_error err = {0};
        clv_multilevel_result result;
        d.params = newer(i);
        CHECK_OK(solve(&d, 1, 3, &result, &err));
        CHECK_EQ(result.worth.overload, 0);
        memcpy(first, d.part, bytes);
        CHECK_OK(solve(&d, 4, 3, &result, &err));
        CHECK(memcmp(first, d.part, bytes) == 0);
        CHECK_OK(solve(&d, 1, 4, &result, &err));
        CHECK(memcmp(first, d.part, bytes) != 0);
    }
    free(first);
    dagp_free(&d);
}

static void test_memory(void)
{
    static const int lists[] = {0, 3, 5};
    for (int i = 0; i < 3; i++) {
        dagp_fixture d = {.params = newer(lists[i])};
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 400, .nparts = 3, .ncon = 1, .slack = 0.03};
        dagp_make(&d, &o);
        int64_t failures = 0;
        test_oom_rounds oom = {.lenient = true};
        while (test_oom_next(&oom)) {
            clv_context ctx;
            cleave_error err = {0};
            clv_multilevel_result result;
            fixture_context(&ctx, 1, 3);
            cleave_status status = TEST_OOM(
                &oom, clv_dagp(&d.task, d.method, &d.params, &ctx, d.part, &result, &err));
            failures += status == CLEAVE_ENOMEM;
            clv_context_close(&ctx);
        }
        CHECK(failures > 0 && oom.nth < 20000);
        dagp_free(&d);
    }
}

int main(void)
{
    RUN(test_parse_versions);
    RUN(test_newer);
    RUN(test_newer_differ);
    RUN(test_threads);
    RUN(test_memory);
    return test_end();
}
