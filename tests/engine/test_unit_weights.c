/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs whose vertex weights are all 0, through the public interface: vertices are counted,
 * and PEs of speed 0 stay empty for all options. */
#include "engine/task_normalise.h"

#include "support/test.h"

static cleave_error err;

/* A mesh with coordinates or a DAG, all weights 0. */
static cleave_graph *weightless(const char *spec, int32_t ncon)
{
    cleave_graph *made = NULL, *g = NULL;
    cleave_csr csr;
    CHECK_OK(cleave_graph_generate(&made, spec, NULL, &err));
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(made, &csr);
    int32_t *zeros = calloc((size_t)csr.nvtx * (size_t)ncon, sizeof *zeros);
    csr.vwgt = zeros;
    csr.ncon = ncon;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    cleave_graph_free(made);
    free(zeros);
    return g;
}

static void count(const cleave_mapping *m, int32_t *in)
{
    memset(in, 0, 8 * sizeof *in);
    for (int32_t v = 0; v < cleave_mapping_vertices(m); v++)
        in[cleave_mapping_parts(m)[v]]++;
}

/* PEs of speed 0 are empty, others are not. */
static void check_counts(const cleave_target *t, const cleave_mapping *m)
{
    int32_t in[8];
    REQUIRE(m != NULL);
    count(m, in);
    for (int32_t pe = 0; pe < cleave_target_pes(t); pe++)
        CHECK_EQ(in[pe] > 0, cleave_target_speed(t, pe) > 0);
}

/* ---- Methods that divide in proportion -------------------------------------------------- */

static void test_methods(void)
{
    static const char *const methods[] = {"rcb", "rsb", "hci", "zci"};
    static const char *const targets[] = {"3", "3,2,1", "0,1,2,0"};
    static const int32_t expected[3][4] = {{24, 24, 24}, {36, 24, 12}, {0, 24, 48, 0}};
    cleave_graph *g = weightless("mesh2d:9x8", 1);
    for (int i = 0; i < 12; i++) {
        cleave_target *t = NULL;
        cleave_mapping *m = NULL;
        cleave_options opt;
        int32_t in[8];
        cleave_options_init(&opt, sizeof opt);
        opt.method = methods[i % 4];
        opt.threads = 1;
        CHECK_OK(cleave_target_parse(&t, targets[i / 4], &err));
        CHECK_OK(cleave_map(&m, g, t, &opt, &err));
        REQUIRE(m != NULL);
        count(m, in);
        for (int32_t pe = 0; pe < cleave_target_pes(t); pe++)
            CHECK_EQ(in[pe], expected[i / 4][pe]);
        cleave_mapping_free(m);
        cleave_target_free(t);
    }
    cleave_graph_free(g);
}

/* ---- Idle PEs --------------------------------------------------------------------------- */

static const char *const idle_targets[] = {"0,3,0.1,0.1,0", "0,1,1,0", "1,0,1", "0,1"};

static void test_idle(void)
{
    static const char *const graphs[] = {"mesh2d:9x8", "stencil:8x8:5", "mesh2d:5x5"};
    for (int i = 0; i < 3 * 4 * 3; i++) {
        cleave_graph *g = weightless(graphs[i % 3], i % 3 == 2 ? 2 : 1);
        cleave_target *t = NULL;
        cleave_mapping *m = NULL;
        cleave_options opt;
        cleave_options_init(&opt, sizeof opt);
        opt.effort = (cleave_effort)(i / 12);
        opt.threads = 1;
        CHECK_OK(cleave_target_parse(&t, idle_targets[i / 3 % 4], &err));
        CHECK_OK(cleave_map(&m, g, t, &opt, &err));
        check_counts(t, m);
        cleave_mapping_free(m);
        cleave_target_free(t);
        cleave_graph_free(g);
    }
}

static void test_remap(void)
{
    static const char *const strategies[] = {"auto", "interval", "diffuse", "scratch"};
    for (int i = 0; i < 4 * 4 * 2; i++) {
        cleave_graph *g = weightless(i < 16 ? "mesh2d:9x8" : "stencil:8x8:5", 1);
        cleave_target *t = NULL;
        cleave_mapping *old = NULL, *m = NULL;
        cleave_remap_options opt;
        int32_t part[512] = {0};
        for (int32_t v = 0; i < 16 && v < cleave_graph_vertices(g); v++)
            part[v] = v % 5;
        cleave_remap_options_init(&opt, sizeof opt);
        opt.strategy = strategies[i % 4];
        CHECK_OK(cleave_mapping_create(&old, cleave_graph_vertices(g), 5, part, &err));
        CHECK_OK(cleave_target_parse(&t, idle_targets[i / 4 % 4], &err));
        CHECK_OK(cleave_remap(&m, g, old, t, &opt, &err));
        check_counts(t, m);
        cleave_mapping_free(m);
        cleave_mapping_free(old);
        cleave_target_free(t);
        cleave_graph_free(g);
    }
}

/* ---- The task --------------------------------------------------------------------------- */

static void test_task(void)
{
    static const int32_t zeros[6] = {0}, some[6] = {0, 0, 0, 0, 0, 1};
    static const int64_t xadj[7] = {0}, max[] = {1, 0, 1}, closed[3] = {0};
    static const double share[] = {2, 0, 4}, nothing[3] = {0};
    clv_graph g = {.nvtx = 6, .ncon = 1, .xadj = xadj, .vwgt = some};
    clv_partition_task task = {.g = &g, .bounds = {3, g.ncon, share, max, max}};
    clv_normal_task to = {0};
    clv_ws ws = {0};
    to.task = task;
    CHECK_OK(clv_unit_weights(&to, &ws, &err));
    CHECK(to.task.g == &g && to.task.bounds.share == share && to.task.bounds.max == max);
    g.vwgt = NULL;
    to.task = task;
    CHECK_OK(clv_unit_weights(&to, &ws, &err));
    CHECK(to.task.g == &g && to.task.bounds.min == max);
    g.vwgt = zeros;
    for (int i = 0; i < 3; i++) {
        static const double aim[3][3] = {{2, 0, 4}, {3, 0, 3}, {2, 2, 2}};
        task.bounds.share = i > 0 ? nothing : share;
        task.bounds.max = i > 1 ? closed : max;
        to.task = task;
        CHECK_OK(clv_unit_weights(&to, &ws, &err));
        CHECK(to.task.g == &to.unit_weights && !to.unit_weights.vwgt &&
              to.unit_weights.ncon == 1 && !to.task.bounds.min);
        for (int32_t p = 0; p < 3; p++) {
            CHECK(to.task.bounds.share[p] == aim[i][p]);
            CHECK_EQ(to.task.bounds.max[p], i < 2 && p == 1 ? 0 : 6);
        }
    }
    clv_ws_free(&ws);
}

int main(void)
{
    RUN(test_methods);
    RUN(test_idle);
    RUN(test_remap);
    RUN(test_task);
    return test_end();
}
