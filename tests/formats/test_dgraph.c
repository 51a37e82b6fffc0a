/* SPDX-License-Identifier: Apache-2.0 */
/* dagP's DAGs: features, every error message, failing allocations, round trips. */
#include "formats/reader_fixture.h"

static cleave_error err;

static void test_features(void)
{
    static const reader_case cases[] = {
        /* Offsets of the predecessors of 1, 2, 3, then those. */
        {"3 3\n0 0 1 3\n1 1 2\n", "dag 3: 1 2 | 2 |"},
        {"3\n3\n0\n0\n1\n3\n1\n1\n2\n", "dag 3: 1 2 | 2 |"},
        {"3 3 0 0 1 3 1 2 1", "dag 3: 1 2 | 2 |"},
        {"3 3 0 2 3 3 2 3 3", "dag 3: | 0 | 0 1"},
        {"0 0 0", "dag 0:"},
        {"1 0\n0\n0\n", "dag 1:"},
        {"3 0 0 0 0 0", "dag 3: | |"},
        {"3 3\n0 0 1 3\n1 1 2\n", "3: 1 2 | 0 2 | 0 1", .as = "undirected"},
        {"3 3\n0 0 1 3\n1 1 2\n", "dag 3: 1 2 | 2 |", .as = "dag"},
        {"3 3\n0 2 3 3\n2 3 3\n", "dag 3: 1 2 | 2 |", .as = "lower"},
    };
    READER_CHECK_ALL("dgraph", "dgraph", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file ends before the number of vertices"},
        {"-1 0\n", "EPARSE @:1: the number of vertices is -1, outside 0..2147483646"},
        {"3\n", "EPARSE @:2: the file ends before the number of arcs"},
        {"0 1\n", "EPARSE @:1: the number of arcs is 1, outside 0..0"},
        {"2 1\n", "EPARSE @:2: the file ends before the first offset"},
        {"2 1\n1 1 1\n", "EPARSE @:2: the first offset is 1, outside 0..0"},
        {"2 1\n0\n", "EPARSE @:3: the file ends before an offset"},
        {"2 1\n0 2 1\n", "EPARSE @:2: an offset is 2, outside 0..1"},
        {"3 2\n0 2 1 2\n", "EPARSE @:2: an offset is 1, outside 2..2"},
        {"2 1\n0 0\n", "EPARSE @:3: the file ends before the last offset"},
        {"2 1\n0 0 0\n", "EPARSE @:2: the last offset is 0, outside 1..1"},
        {"2 1\n0 0 1\n", "EPARSE @:3: the file ends before a predecessor"},
        {"2 1\n0 0 1\n0\n", "EPARSE @:3: a predecessor is 0, outside 1..2"},
        {"2 1\n0 0 1\n3\n", "EPARSE @:3: a predecessor is 3, outside 1..2"},
        {"2 1\n0 0 1\n1.5\n", "EPARSE @:3: a predecessor is \"1.5\", not a whole number"},
        {"2 1\n0 0 1\n1\n7\n", "EPARSE @:4: unexpected text after the last of 1 arcs"},
        {"2 1\n0 0 1\n2\n", "EPARSE @: vertex 2 is its own neighbour"},
        {"2 1\n0 0 1\n2\n", "dag 2: | loops=1", .flags = CLEAVE_REPAIR},
        {"2 2\n0 0 2\n1 1\n", "EPARSE @: vertex 1 lists neighbour 2 twice"},
        {"2 2\n0 0 2\n1 1\n", "dag 2: 1 | duplicates=1", .flags = CLEAVE_REPAIR},
        {"2 2\n0 1 2\n2 1\n", "ECYCLE @: the graph has a cycle: 1 -> 2 -> 1"},
        {"2 2\n0 1 2\n2 1\n", "2: 1 | 0", .as = "undirected"},
    };
    READER_CHECK_ALL("dgraph", "dgraph", cases);
    static const reader_case absurd = {"2147483646 4000000000\n0 0\n",
                                       "EPARSE @:3: the file ends before an offset"};
    reader_check_absurd("dgraph", &absurd, false);
    reader_check_absurd("dgraph", &absurd, true);
}

static void test_round_trips(void)
{
    clv_read_options opt = fixture_options();
    for (int32_t nvtx = 0; nvtx < 300; nvtx = 3 * nvtx + 1) {
        fixture_kind kind = {.kind = CLEAVE_DAG, .nvtx = nvtx, .nedge = 3 * nvtx, .ncon = 1};
        clv_graph *g = fixture_graph(&kind, 7), *back;
        const char *path = fixture_path("r.dgraph.gz");
        CHECK_OK(fixture_write(g, &clv_format_dgraph, path, NULL, &err));
        CHECK_OK(fixture_read(&back, &clv_format_dgraph, path, &opt, &err));
        CHECK(back && fixture_same(g, back));
        clv_graph_free(back);
        clv_graph_free(g);
    }
    fixture_kind kind = {.nvtx = 3, .nedge = 3, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 1);
    CHECK_EQ(fixture_write(g, &clv_format_dgraph, fixture_path("u.dg"), NULL, &err),
             CLEAVE_EINVAL);
    CHECK_STR(err.message, "format \"dgraph\" holds DAGs, and this graph is undirected");
    clv_graph_free(g);
    CHECK(clv_format_by_path("a.dgraph") == &clv_format_dgraph);
    CHECK(clv_format_by_path("a.dg.gz") == &clv_format_dgraph);
}

static void test_memory(void)
{
    static const reader_case dag = {"3 3\n0 0 1 3\n1 1 2\n", "dag 3: 1 2 | 2 |"};
    static const reader_case graph = {"3 3\n0 0 1 3\n1 1 2\n", "3: 1 2 | 0 2 | 0 1",
                                      .as = "undirected"};
    reader_check_memory("dgraph", test_file("m.dgraph", dag.text), &dag);
    reader_check_memory("dgraph", test_file("m.dgraph", graph.text), &graph);
    fixture_kind kind = {.kind = CLEAVE_DAG, .nvtx = 5, .nedge = 8, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 3);
    reader_check_write_memory(g, fixture_path("m.dgraph"));
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_features);
    RUN(test_complaints);
    RUN(test_round_trips);
    RUN(test_memory);
    return test_end();
}
