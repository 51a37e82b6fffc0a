/* SPDX-License-Identifier: Apache-2.0 */
/* Names of methods for orders and partitions, and the method that is chosen for a graph. */
#include "engine/method.h"
#include "engine/order/line_method.h"
#include "support/test.h"

static cleave_error err;

static cleave_graph *generate(const char *spec)
{
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_generate(&g, spec, NULL, &err));
    return g;
}

static void test_names(void)
{
    static const char *const names[] = {NULL,   "",     "auto",       "hci", "zci",
                                        "rcbi", "rsbi", "multilevel", "topo"};
    static const clv_line_kind kinds[] = {CLV_LINE_AUTO, CLV_LINE_AUTO,       CLV_LINE_AUTO,
                                          CLV_LINE_HCI,  CLV_LINE_ZCI,        CLV_LINE_RCBI,
                                          CLV_LINE_RSBI, CLV_LINE_MULTILEVEL, CLV_LINE_TOPO};
    static const char *const none[] = {"HCI", "hc", "hcii", "auto ", "-", ","};
    clv_line_method m;
    for (int i = 0; i < 9; i++) {
        CHECK_OK(clv_line_method_parse(&m, names[i], i % 2 ? "" : NULL, &err));
        CHECK_EQ(m.kind, kinds[i]);
        CHECK_EQ(m.leaves, 0);
        CHECK_STR(m.name, i < 2 ? "auto" : names[i]);
    }
    for (int i = 0; i < 6; i++)
        CHECK_EQ(clv_line_method_parse(&m, none[i], NULL, &err), CLEAVE_EINVAL);
}

static void test_leaves(void)
{
    static const char *const bad[] = {
        "leaves=0", "leaves=-1",         "leaves=", "leaves=x", "leaves=1 ",
        "leaf=3",   "leaves=2147483648", ",",       "leaves=3,"};
    clv_line_method m;
    CHECK_OK(clv_line_method_parse(&m, "rsbi", "leaves=1024", &err));
    CHECK_EQ(m.leaves, 1024);
    CHECK_OK(clv_line_method_parse(&m, "rcbi", "leaves=7,leaves=2147483647", &err));
    CHECK_EQ(m.leaves, INT32_MAX);
    CHECK_EQ(clv_line_method_parse(&m, "multilevel", "leaves=3", &err), CLEAVE_EINVAL);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(clv_line_method_parse(&m, "rsbi", bad[i], &err), CLEAVE_EINVAL);
}

/* What is allowed on which graph; the last row is what "auto" becomes at low effort. */
static void test_settle(void)
{
    static const char *const specs[] = {"mesh2d:5x5", "gnp:30:0.2", "layered:4:4:2"};
    static const char *const names[] = {"hci", "zci", "rcbi", "rsbi", "multilevel", "topo"};
    static const bool allowed[3][6] = {{true, true, true, true, true, false},
                                       {false, false, false, true, true, false},
                                       {false, false, false, false, true, true}};
    static const char *const quick[] = {"hci", "multilevel", "multilevel"};
    for (int i = 0; i < 3; i++) {
        cleave_graph *g = generate(specs[i]);
        clv_line_method m;
        for (int j = 0; j < 6; j++) {
            CHECK_OK(clv_line_method_parse(&m, names[j], NULL, &err));
            CHECK_EQ(clv_line_method_choose(&m, g, CLEAVE_EFFORT_DEFAULT, &err),
                     allowed[i][j] ? CLEAVE_OK : CLEAVE_EINVAL);
        }
        CHECK_OK(clv_line_method_parse(&m, "auto", NULL, &err));
        CHECK_OK(clv_line_method_choose(&m, g, CLEAVE_EFFORT_FAST, &err));
        CHECK_STR(m.name, quick[i]);
        CHECK_OK(clv_line_method_parse(&m, "auto", NULL, &err));
        CHECK_OK(clv_line_method_choose(&m, g, CLEAVE_EFFORT_QUALITY, &err));
        CHECK_STR(m.name, "multilevel");
        cleave_graph_free(g);
    }
}

/* A graph created with CLEAVE_TRUST. */
static void test_cycle(void)
{
    static const int64_t xadj[] = {0, 1, 2, 3};
    static const int32_t adj[] = {1, 2, 0};
    static const char *const names[] = {"topo", "multilevel"};
    cleave_csr csr;
    cleave_graph *g = NULL;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 3;
    csr.xadj = xadj;
    csr.adj = adj;
    REQUIRE_OK(cleave_graph_create(&g, &csr, CLEAVE_TRUST, &err));
    for (int i = 0; i < 2; i++) {
        int32_t vertex[3];
        clv_line_result line = {.vertex = vertex};
        clv_line_method m;
        clv_context ctx;
        CHECK_OK(clv_line_method_parse(&m, names[i], NULL, &err));
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        CHECK_EQ(clv_line_make(&line, g, &m, CLEAVE_EFFORT_FAST, &ctx, &err), CLEAVE_ECYCLE);
        CHECK(!line.spectral.computed);
        clv_context_close(&ctx);
    }
    cleave_graph_free(g);
}

static void test_partition_methods(void)
{
    static const char *const names[] = {"rcb", "zci", "hci", "rsb"};
    clv_method m;
    for (int i = 0; i < 4; i++) {
        CHECK_OK(clv_method_parse(&m, names[i], NULL, &err));
        CHECK_EQ(m.kind, CLV_METHOD_RCB + i);
        CHECK(m.grouping == CLV_GROUPING_BINPACKING && !m.refine);
        CHECK_OK(clv_method_parse(&m, names[i], "refine=1,grouping=simple", &err));
        CHECK(m.grouping == CLV_GROUPING_SIMPLE && m.refine);
        CHECK_OK(clv_method_parse(&m, names[i], "grouping=binpacking,refine=0", &err));
        CHECK(m.grouping == CLV_GROUPING_BINPACKING && !m.refine);
        CHECK_EQ(clv_method_parse(&m, names[i], "refine", &err), CLEAVE_EINVAL);
        CHECK_EQ(clv_method_parse(&m, names[i], "grouping=Simple", &err), CLEAVE_EINVAL);
    }
    CHECK_OK(clv_method_parse(&m, "drb", NULL, &err));
    CHECK_EQ(m.kind, CLV_METHOD_DRB);
    CHECK_EQ(clv_method_parse(&m, "borders", NULL, &err), CLEAVE_EINVAL);
}

int main(void)
{
    RUN(test_names);
    RUN(test_leaves);
    RUN(test_settle);
    RUN(test_cycle);
    RUN(test_partition_methods);
    return test_end();
}
