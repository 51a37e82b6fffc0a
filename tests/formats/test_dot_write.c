/* SPDX-License-Identifier: Apache-2.0 */
/* DOT: the written text, and that reading it gives the same graph. */
#include "formats/graph_fixture.h"

static cleave_error err;

static clv_graph *read_text(const char *text)
{
    clv_graph *g;
    clv_read_options opt = fixture_options();
    err.message[0] = '\0';
    fixture_read(&g, &clv_format_dot, test_file("x.dot", text), &opt, &err);
    return g;
}

static const char *written(const clv_graph *g, const int32_t *part)
{
    static char text[4096];
    const char *path = fixture_path("w.dot");
    if (fixture_write(g, &clv_format_dot, path, part, &err) != CLEAVE_OK)
        return fixture_message(&err);
    FILE *file = fopen(path, "r");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[count] = '\0';
    if (file)
        fclose(file);
    return text;
}

static void test_writing(void)
{
    clv_graph *g =
        read_text("digraph{\"a b\"[weight=3,vsize=2]; node2; \"Node\"; \"a b\"->node2"
                  "[weight=7]; node2->\"Node\"}");
    REQUIRE(g != NULL);
    CHECK_STR(written(g, NULL),
              "digraph G {\n\"a b\" [weight=3, vsize=2];\nnode2;\n\"Node\";\n"
              "\"a b\" -> node2 [weight=7];\nnode2 -> \"Node\";\n}\n");
    int32_t part[] = {0, 1, 0};
    CHECK_STR(written(g, part),
              "digraph G {\n\"a b\" [weight=3, vsize=2, part=0, style=filled, "
              "fillcolor=\"0.600 0.5 0.95\"];\nnode2 [part=1, style=filled, fillcolor=\"0.218 "
              "0.5 0.95\"];\n\"Node\" [part=0, style=filled, fillcolor=\"0.600 0.5 0.95\"];\n"
              "\"a b\" -> node2 [weight=7];\nnode2 -> \"Node\";\n}\n");
    clv_graph_free(g);
    g = read_text("graph{1--0; 2[pos=\"1.5,2\"] 1[pos=\"0,1\"] 0 [pos=\"-1,0\"]}");
    REQUIRE(g != NULL);
    CHECK_STR(written(g, NULL), "graph G {\n0 [pos=\"-1,0\"];\n1 [pos=\"0,1\"];\n"
                                "2 [pos=\"1.5,2\"];\n0 -- 1;\n}\n");
    clv_graph_free(g);
}

static void test_equal_names(void)
{
    static const char *const names[] = {"a", "b", "a"};
    int64_t xadj[] = {0, 0, 0, 0};
    int32_t adj[1];
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = 3;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.names = names;
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    CHECK_STR(written(g, NULL),
              "vertices 0 and 2 are both named 'a', which DOT does not allow");
    cleave_graph_free(g);
}

static void round_trip(const fixture_kind *kind, uint64_t seed)
{
    clv_graph *g = fixture_graph(kind, seed), *back = NULL;
    const char *path = fixture_path("r.dot");
    clv_read_options opt = fixture_options();
    REQUIRE_OK(fixture_write(g, &clv_format_dot, path, NULL, &err));
    CHECK_OK(fixture_read(&back, &clv_format_dot, path, &opt, &err));
    CHECK(back && fixture_same(g, back));
    clv_graph_free(back);
    clv_graph_free(g);
}

static void test_round_trips(void)
{
    static const int32_t sizes[] = {0, 1, 2, 5, 40, 3000};
    for (unsigned mask = 0; mask < 32; mask++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            fixture_kind kind = {.kind = mask & 1 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                                 .nvtx = sizes[s],
                                 .nedge = 3 * sizes[s],
                                 .ewgt = mask & 2,
                                 .vwgt = mask & 4,
                                 .vsize = mask & 8,
                                 .names = mask & 16 && sizes[s] > 0,
                                 .ncon = mask & 4 && mask & 8 && sizes[s] > 0 ? 3 : 1,
                                 .ndim = sizes[s] > 0 ? (int32_t)((mask >> 1) % 3) + 1 : 0};
            kind.ndim = kind.ndim == 1 ? 0 : kind.ndim;
            if (sizes[s] < 3000 || mask % 8 == 7)
                round_trip(&kind, mask + 1);
        }
}

static void test_no_memory_writing(void)
{
    clv_graph *g = read_text("graph{a--b;c;\"d e\"}");
    REQUIRE(g != NULL);
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        TEST_OOM(&oom, fixture_write(g, &clv_format_dot, fixture_path("o.dot"), NULL, &err));
    }
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_writing);
    RUN(test_equal_names);
    RUN(test_round_trips);
    RUN(test_no_memory_writing);
    return test_end();
}
