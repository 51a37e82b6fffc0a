/* SPDX-License-Identifier: Apache-2.0 */
/* HyperDAGs: weights, comments, every error message, failing allocations, round trips. */
#include "formats/reader_fixture.h"

static cleave_error err;

static void test_features(void)
{
    static const reader_case cases[] = {
        {"2 3 5\n0 1 1\n1 1 1\n0 1 0\n1 1 0\n2 1 0\n0 0\n0 1\n0 2\n1 1\n1 2\n",
         "dag 3: 1 2 | 2 |"},
        /* Only indices; comments before, between and behind. */
        {"%% HyperdagDB\n% c\n2 3 5 ignored\n0\n1\n% V\n0\n1\n2\n0 0\n0 1\n\n0 2\n1 1\n1 2\n%",
         "dag 3: 1 2 | 2 |"},
        {"2 3 5 % c\n0 % c\n1 1% c\n0 1 0 % c\n1\n2\n0 0 % c\n0 1\n0 2\n1 1\n1 2\n",
         "EPARSE @:3: a weight is \"1%\", not a whole number"},
        {"2 3 5 % c\n0 % c\n1 1 % c\n0 1 0 % c\n1\n2\n0 0 % c\n0 1\n0 2\n1 1\n1 2\n",
         "dag 3: 1 2 | 2 |"},
        /* Communication is the size of the source, work the weight. */
        {"2 3 5\n0 7 3\n1 0\n0 4 1\n1 0 0\n2 6\n0 0\n0 1\n0 2\n1 1\n1 2\n",
         "dag 3: {7} (4) 1 2 | {0} (0) 2 | {1} (6)"},
        /* Tables in any order, pins of hyperedges mixed. */
        {"2 3 5\n1 5\n0 6\n2 3\n0 1\n1 2\n1 1\n0 0\n1 2\n0 2\n0 1\n",
         "dag 3: {6} (1) 1 2 | {5} (2) 2 | {1} (3)"},
        {"0 0 0\n", "dag 0:"},
        {"0 2 0\n0\n1\n", "dag 2: |"},
        {"1 2 0\n0\n0\n1\n", "dag 2: |"},
        {"1 2 1\n0\n0\n1\n0 1\n", "dag 2: |"},
        {"1 2 2\n0\n0\n1\n0 1\n0 0\n", "dag 2: | 0"},
        {"1 2 2\n0\n0\n1\n0 1\n0 0\n", "2: 1 | 0", .as = "undirected"},
        {"1 2 2\n0\n0\n1\n0 1\n0 0\n", "dag 2: 1 |", .as = "lower"},
    };
    READER_CHECK_ALL("hdag", "hdag", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file has no header line"},
        {"% c\n", "EPARSE @:2: the file has no header line"},
        {"1\n", "EPARSE @:1: the line ends before the number of vertices"},
        {"1 2\n", "EPARSE @:1: the line ends before the number of pins"},
        {"-1 2 2\n", "EPARSE @:1: the number of hyperedges is -1, outside 0..2147483646"},
        {"1 x 2\n", "EPARSE @:1: the number of vertices is \"x\", not a whole number"},
        {"1 2 2\n", "EPARSE @:2: the file ends after 0 of 1 hyperedges"},
        {"1 2 2\n1\n", "EPARSE @:2: the number of a hyperedge is 1, outside 0..0"},
        {"2 2 2\n0\n0\n", "EPARSE @:3: hyperedge 0 occurs twice"},
        {"1 2 2\n0 -1\n", "EPARSE @:2: a weight is -1, outside 0..2147483647"},
        {"1 2 2\n0\n0\n", "EPARSE @:4: the file ends after 1 of 2 vertices"},
        {"1 2 2\n0\n0\n2\n", "EPARSE @:4: the number of a vertex is 2, outside 0..1"},
        {"1 2 2\n0\n1\n\n1\n", "EPARSE @:5: vertex 1 occurs twice"},
        {"1 2 2\n0\n0 x\n1\n", "EPARSE @:3: a weight is \"x\", not a whole number"},
        {"1 2 2\n0\n0\n1\n0 0\n", "EPARSE @:6: the file ends after 1 of 2 pins"},
        {"1 2 2\n0\n0\n1\n1 0\n", "EPARSE @:5: the hyperedge of a pin is 1, outside 0..0"},
        {"1 2 2\n0\n0\n1\n0 2\n", "EPARSE @:5: the vertex of a pin is 2, outside 0..1"},
        {"1 2 2\n0\n0\n1\n0\n", "EPARSE @:5: the line ends before the vertex of a pin"},
        {"1 2 2\n0\n0\n1\n0 1\n0 1\n",
         "EPARSE @:6: hyperedge 0 has its source 1 as another pin"},
        {"2 2 2\n0\n1\n0\n1\n0 1\n1 1\n",
         "EPARSE @:7: vertex 1 is the source of a second hyperedge"},
        {"1 2 1\n0\n0\n1\n0 1\n0 0\n", "EPARSE @:6: unexpected text after the last of 1 pins"},
        {"1 2 3\n0\n0\n1\n0 0\n0 1\n0 1\n", "EPARSE @: vertex 0 lists neighbour 1 twice"},
        {"1 2 3\n0\n0\n1\n0 0\n0 1\n0 1\n", "dag 2: 1 | duplicates=1", .flags = CLEAVE_REPAIR},
        {"2 2 4\n0\n1\n0\n1\n0 0\n0 1\n1 1\n1 0\n",
         "ECYCLE @: the graph has a cycle: 0 -> 1 -> 0"},
    };
    READER_CHECK_ALL("hdag", "hdag", cases);
    static const reader_case absurd = {"2147483646 2147483646 4000000000\n0\n",
                                       "EPARSE @:3: the file ends after 1 of 2147483646 "
                                       "hyperedges"};
    reader_check_absurd("hdag", &absurd, false);
    reader_check_absurd("hdag", &absurd, true);
}

static void test_detection(void)
{
    static const char *const good[] = {
        "%% HyperdagDB format written by OneStopParallel\n1 2 3\n",
        ("%%MatrixMarket weighted-matrix coordinate pattern general\n"
         "% HyperDAG file format v1\n"),
        "%HyperDAG model of SpMV operation.\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(clv_format_detect("x.hdag", good[i], strlen(good[i])) == &clv_format_hdag);
    CHECK(clv_format_detect("x.txt", good[0], strlen(good[0])) == &clv_format_hdag);
    CHECK(clv_format_detect("-", "% nothing\n1 2\n", 14) != &clv_format_hdag);
    CHECK(clv_format_by_path("a.hdag.gz") == &clv_format_hdag);
}

/* Vertices that send nothing lose their size, so they must have 1 here. */
static void set_sinks(clv_graph *g)
{
    for (int32_t v = 0; g->vsize && v < g->nvtx; v++)
        if (g->xadj[v] == g->xadj[v + 1])
            ((int32_t *)g->vsize)[v] = 1;
}

static void test_round_trips(void)
{
    clv_read_options opt = fixture_options();
    for (int bits = 0; bits < 4; bits++)
        for (int32_t nvtx = 0; nvtx < 200; nvtx = 3 * nvtx + 1) {
            fixture_kind kind = {.kind = CLEAVE_DAG,
                                 .nvtx = nvtx,
                                 .nedge = 2 * nvtx,
                                 .vwgt = bits & 1,
                                 .vsize = bits & 2,
                                 .ncon = 1};
            clv_graph *g = fixture_graph(&kind, (uint64_t)bits + 1), *back;
            const char *path = fixture_path("r.hdag.gz");
            set_sinks(g);
            CHECK_OK(fixture_write(g, &clv_format_hdag, path, NULL, &err));
            CHECK_OK(fixture_read(&back, &clv_format_hdag, path, &opt, &err));
            CHECK(back && fixture_same(g, back));
            clv_graph_free(back);
            clv_graph_free(g);
        }
    fixture_kind kind = {.nvtx = 3, .nedge = 3, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 1);
    CHECK_EQ(fixture_write(g, &clv_format_hdag, fixture_path("u.hdag"), NULL, &err),
             CLEAVE_EINVAL);
    CHECK_STR(err.message, "format \"hdag\" holds DAGs, and this graph is undirected");
    clv_graph_free(g);
}

static void test_memory(void)
{
    static const reader_case c = {
        "2 3 5\n0 7 3\n1 0\n0 4 1\n1 0 0\n2 6\n0 0\n0 1\n0 2\n1 1\n1 2\n",
        "dag 3: {7} (4) 1 2 | {0} (0) 2 | {1} (6)"};
    reader_check_memory("hdag", test_file("m.hdag", c.text), &c);
    fixture_kind kind = {.kind = CLEAVE_DAG, .nvtx = 5, .nedge = 8, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 3);
    reader_check_write_memory(g, fixture_path("m.hdag"));
    clv_graph_free(g);
}

static void test_shared_files(void)
{
    const char *path = test_shared("dag/instance_spmv_N10_nzP0d25.hdag", 1);
    if (!path)
        return;
    cleave_graph *g;
    cleave_csr view;
    REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    CHECK_EQ(view.nvtx, 78);
    CHECK_EQ(cleave_graph_edges(g), 87);
    CHECK_EQ(view.kind, CLEAVE_DAG);
    int64_t work = 0;
    for (int32_t v = 0; v < view.nvtx; v++)
        work += view.vwgt[v];
    CHECK_EQ(work, 126);
    CHECK(view.vsize == NULL); /* all 1 */
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_features);
    RUN(test_complaints);
    RUN(test_detection);
    RUN(test_round_trips);
    RUN(test_memory);
    RUN(test_shared_files);
    return test_end();
}
