/* SPDX-License-Identifier: Apache-2.0 */
/* Probabilistic circuits: as DAGs and as circuits, every error message, sparse ids, failing
 * allocations, and the shared files against numbers counted by hand. */
#include <math.h>

#include "formats/psdd.h"
#include "formats/reader_fixture.h"

static cleave_error err;

/* Two variables: a xor-like sum over both. */
static const char small[] = "c a comment\n"
                            "psdd 99\n"
                            "L 0 0 1\n"
                            "L 1 0 -1\n"
                            "c another\n"
                            "T 2 2 2 -0.5\n"
                            "L 3 2 -2\n"
                            "D 4 1 2 0 2 -0.25 1 3 -1.5\n";

static void test_features(void)
{
    static const reader_case cases[] = {
        {small, "dag 5: (1) 4 | (1) 4 | (1) 4 | (1) 4 | (4)"},
        {small, "5: (1) 4 | (1) 4 | (1) 4 | (1) 4 | (4) 0 1 2 3", .as = "undirected"},
        {small, "dag 5: (1) 4 | (1) 4 | (1) 4 | (1) 4 | (4)", .as = "dag"},
        /* Sparse ids are names; the order is that of the lines. */
        {"psdd 3\nL 70 0 1\nL 9 1 2\nD 8 2 1 70 9 0.0\n",
         "dag 3: '70' (1) 2 | '9' (1) 2 | '8' (2)"},
        {"psdd 0\r\nL 9000000000000000000 0 1\r\nL 5 1 2\r\nD 7 2 1 9000000000000000000 5 "
         "0\r\n",
         "dag 3: '9000000000000000000' (1) 2 | '5' (1) 2 | '7' (2)"},
        /* Arcs between the same nodes are one. */
        {"psdd 3\nL 0 0 1\nL 1 1 2\nD 2 2 3 0 1 -1 1 0 -1 0 0 -1\n",
         "dag 3: (1) 2 | (1) 2 | (6)"},
        {"psdd 1\nT 0 0 1 -inf\n", "dag 1: (1)"},
        {"psdd 0\n", "dag 0:"},
        {"psdd 7", "dag 0:"},
        {"c\n\npsdd 1\nL 0 5 2147483647 \n", "dag 1: (1)"},
    };
    READER_CHECK_ALL("psdd", "psdd", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file has no line 'psdd N'"},
        {"c psdd\n", "EPARSE @:2: the file has no line 'psdd N'"},
        {"sdd 3\n", "EPARSE @:1: expected 'psdd N', not \"sdd\""},
        {"L 0 0 1\n", "EPARSE @:1: expected 'psdd N', not \"L\""},
        {"psdd\n", "EPARSE @:1: the line ends before the number of nodes"},
        {"psdd x\n", "EPARSE @:1: the number of nodes is \"x\", not a whole number"},
        {"psdd 1 2\n", "EPARSE @:1: unexpected text after the number of nodes"},
        {"psdd 1\nX 0\n", "EPARSE @:2: \"X\" is not a node L, T or D"},
        {"psdd 1\nLL 0\n", "EPARSE @:2: \"LL\" is not a node L, T or D"},
        {"psdd 1\nL\n", "EPARSE @:2: the line ends before the id of a node"},
        {"psdd 1\nL -1\n",
         "EPARSE @:2: the id of a node is -1, outside 0..9223372036854775807"},
        {"psdd 1\nL 0\n", "EPARSE @:2: the line ends before the vtree of a node"},
        {"psdd 1\nL 0 0\n", "EPARSE @:2: the line ends before the literal"},
        {"psdd 1\nL 0 0 0\n", "EPARSE @:2: the literal is 0: variables count from 1"},
        {"psdd 1\nL 0 0 -2147483648\n",
         "EPARSE @:2: the literal is -2147483648, outside -2147483647..2147483647"},
        {"psdd 1\nL 0 0 1 7\n", "EPARSE @:2: unexpected text after the node"},
        {"psdd 1\nT 0 0 -1 0\n", "EPARSE @:2: the variable is -1, outside 0..2147483647"},
        {"psdd 1\nT 0 0 0 0\n", "EPARSE @:2: the variable is 0: variables count from 1"},
        {"psdd 1\nT 0 0 1\n", "EPARSE @:2: the line ends before a log-weight"},
        {"psdd 1\nT 0 0 1 x\n", "EPARSE @:2: a log-weight is \"x\", not a number"},
        {"psdd 1\nT 0 0 1 nan\n", "EPARSE @:2: a log-weight is not the logarithm of a number"},
        {"psdd 1\nT 0 0 1 inf\n", "EPARSE @:2: a log-weight is not the logarithm of a number"},
        {"psdd 1\nD 0 0\n", "EPARSE @:2: the line ends before the number of elements"},
        {"psdd 1\nD 0 0 0\n",
         "EPARSE @:2: the number of elements is 0, outside 1..1073741823"},
        {"psdd 1\nD 0 0 1\n", "EPARSE @:2: the line ends before a prime"},
        {"psdd 1\nD 0 0 1 1\n", "EPARSE @:2: the line ends before a sub"},
        {"psdd 1\nL 1 0 1\nD 0 0 1 1 1\n", "EPARSE @:3: the line ends before a log-weight"},
        {"psdd 1\nL 1 0 1\nD 0 0 1 1 1 0 5\n", "EPARSE @:3: unexpected text after the node"},
        {"psdd 1\nL 1 0 1\nD 0 0 1 1 5 0\n", "EPARSE @:3: node 5 is not in the file"},
        {"psdd 1\nL 1 0 1\nD 0 0 1 1 0 0\n", "EPARSE @:3: node 0 is used before its own line"},
        {"psdd 1\nD 0 0 1 1 1 0\nL 1 0 1\n", "EPARSE @:2: node 1 is used before its own line"},
        {"psdd 1\nL 1 0 1\n\nL 1 0 1\n", "EPARSE @:4: node 1 occurs twice"},
        /* The same with ids that are too sparse for a table. */
        {"psdd 1\nL 1 0 1\nL 8000000000 0 1\n\nL 1 0 1\n", "EPARSE @:5: node 1 occurs twice"},
        {"psdd 1\nL 8000000000 0 1\nD 0 0 1 8000000000 5 0\n",
         "EPARSE @:3: node 5 is not in the file"},
        {"psdd 1\nL 8000000000 0 1\nD 9 0 1 8000000000 5 0\n",
         "EPARSE @:3: node 5 is not in the file"},
        {"psdd 1\nL 8000000000 0 1\nD 0 0 1 8000000000 0 0\n",
         "EPARSE @:3: node 0 is used before its own line"},
    };
    READER_CHECK_ALL("psdd", "psdd", cases);
    static const reader_case absurd = {"psdd 1\nL 0 0 1\nD 1 1 1000000000 0 0 0\n",
                                       "EPARSE @:3: the line ends before a prime"};
    reader_check_absurd("psdd", &absurd, false);
    reader_check_absurd("psdd", &absurd, true);
}

static cleave_status read_circuit(clv_circuit **out, const char *path)
{
    clv_input *in;
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, &err));
    cleave_status status = clv_psdd_read_circuit(out, in, &err);
    clv_input_close(in);
    return status;
}

static void test_circuit(void)
{
    clv_circuit *c;
    REQUIRE_OK(read_circuit(&c, test_file("c.psdd", small)));
    CHECK_EQ(c->nnode, 5);
    CHECK_EQ(c->nelement, 2);
    CHECK_EQ(c->kind[0], CLV_NODE_LITERAL);
    CHECK_EQ(c->kind[2], CLV_NODE_TRUE);
    CHECK_EQ(c->kind[4], CLV_NODE_DECISION);
    CHECK_EQ(c->literal[1], -1);
    CHECK_EQ(c->literal[2], 2);
    CHECK_EQ(c->literal[4], 0);
    CHECK_EQ(c->vtree[2], 2);
    CHECK_EQ(c->id[4], 4);
    CHECK(c->node_weight[2] == -0.5 && c->node_weight[0] == 0);
    CHECK_EQ(c->first[4], 0);
    CHECK_EQ(c->first[5], 2);
    CHECK_EQ(c->prime[1], 1);
    CHECK_EQ(c->sub[1], 3);
    CHECK(c->weight[0] == -0.25 && c->weight[1] == -1.5);
    CHECK_EQ(clv_circuit_work(c, 4), 4);
    CHECK_EQ(clv_circuit_work(c, 2), 1);
    clv_circuit_free(c);
    clv_circuit_free(NULL);
    CHECK_EQ(read_circuit(&c, test_file("c.psdd", "psdd 1\nX\n")), CLEAVE_EPARSE);
    CHECK(c == NULL);
}

/* In a circuit that a learner wrote, the elements of a node add up to probability one. */
static void check_sums(const clv_circuit *c)
{
    int32_t wrong = 0;
    for (int32_t v = 0; v < c->nnode; v++) {
        double sum = 0;
        for (int64_t e = c->first[v]; e < c->first[v + 1]; e++)
            sum += exp(c->weight[e]);
        wrong += c->kind[v] == CLV_NODE_DECISION && fabs(sum - 1) > 1e-6;
    }
    CHECK_EQ(wrong, 0);
}

static void test_shared_files(void)
{
    static const struct {
        const char *name;
        int32_t nodes, edges;
        int64_t entries;
    } files[] = {{"little_4var.psdd", 11, 10, 18},
                 {"wilt.psdd", 209, 486, 510},
                 {"nltcs.psdd", 4675, 10592, 11364},
                 {"mnist-antonio.psdd", 4903, 5916, 5916}};
    enum { count = sizeof files / sizeof *files };
    const char *folder = test_shared("psdd", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        clv_circuit *c;
        cleave_graph *g;
        cleave_source source = {.size = sizeof source};
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        REQUIRE_OK(read_circuit(&c, path));
        CHECK_EQ(c->nnode, files[i].nodes);
        CHECK_EQ(2 * c->nelement, files[i].entries);
        if (strcmp(files[i].name, "little_4var.psdd") != 0)
            check_sums(c);
        clv_circuit_free(c);
        REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
        CHECK_EQ(cleave_graph_vertices(g), files[i].nodes);
        CHECK_EQ(cleave_graph_edges(g), files[i].edges);
        cleave_graph_source(g, &source);
        CHECK_EQ(source.entries, files[i].entries);
        CHECK_STR(source.unit, "operations");
        cleave_graph_free(g);
    }
}

/* The two-input form of a text, or the complaint. */
static const char *binarised(const char *text, const char *as)
{
    static reader_text shown;
    cleave_read_options opt;
    cleave_graph *g;
    cleave_read_options_init(&opt, sizeof opt);
    opt.binarise = 1;
    opt.as = as;
    shown.used = 0;
    const char *path = test_file("b.psdd", text);
    if (cleave_graph_read(&g, path, &opt, &err) == CLEAVE_OK)
        reader_show(&shown, g);
    else
        reader_show_error(&shown, &err, path);
    cleave_graph_free(g);
    return shown.text;
}

static void test_binarised(void)
{
    CHECK_STR(binarised(small, NULL),
              "dag 7: (1) 4 | (1) 5 | (1) 4 | (1) 5 | (2) 6 | (2) 6 | (1)");
    CHECK_STR(binarised(small, "undirected"),
              "7: (1) 4 | (1) 5 | (1) 4 | (1) 5 | (2) 0 2 6 | (2) 1 3 6 | (1) 4 5");
    /* One element: the product is the node.  Five: a tree of depth three. */
    CHECK_STR(binarised("psdd 3\nL 70 0 1\nL 9 1 2\nD 8 2 1 70 9 0.0\nD 7 3 1 8 8 0\n", NULL),
              "dag 4: (1) 2 | (1) 2 | (2) 3 | (2)");
    CHECK_STR(binarised("psdd 1\nL 0 0 1\nD 1 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", NULL),
              "dag 10: (1) 1 2 3 4 5 | (2) 6 | (2) 6 | (2) 7 | (2) 7 | (2) 9 | (1) 8 | (1) 8 "
              "| (1) 9 | (1)");
    CHECK_STR(binarised("psdd 0\n", NULL), "dag 0:");
    CHECK_STR(binarised("digraph { a }\n", NULL),
              "EINVAL @: has no two-input form: its format is dot, not psdd");
    const char *path = test_file("m.psdd", small);
    for (test_oom_rounds oom = {.lenient = true}; test_oom_next(&oom);) {
        cleave_read_options opt;
        cleave_graph *g;
        cleave_read_options_init(&opt, sizeof opt);
        opt.binarise = 1;
        TEST_OOM(&oom, cleave_graph_read(&g, path, &opt, &err));
        cleave_graph_free(g);
    }
}

static void test_detection(void)
{
    CHECK(clv_format_detect("x", small, strlen(small)) == &clv_format_psdd);
    CHECK(clv_format_detect("x", "psdd 4\n", 7) == &clv_format_psdd);
    CHECK(clv_format_detect("x", "psdd", 4) != &clv_format_psdd);
    CHECK(clv_format_detect("x", "c psdd 4", 8) != &clv_format_psdd);
    CHECK(clv_format_by_path("a.psdd.gz") == &clv_format_psdd);
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_read(&g, test_file("d.psdd", small), NULL, &err));
    CHECK_EQ(cleave_graph_write(g, fixture_path("o.psdd"), NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "format \"psdd\" can be read but not written");
    cleave_graph_free(g);
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {small, "dag 5: (1) 4 | (1) 4 | (1) 4 | (1) 4 | (4)"},
        {small, "5: (1) 4 | (1) 4 | (1) 4 | (1) 4 | (4) 0 1 2 3", .as = "undirected"},
        {"psdd 3\nL 8000000000 0 1\nL 9 1 2\nD 8 2 1 8000000000 9 0.0\n",
         "dag 3: '8000000000' (1) 2 | '9' (1) 2 | '8' (2)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_memory("psdd", test_file("m.psdd", cases[i].text), &cases[i]);
}

int main(void)
{
    RUN(test_features);
    RUN(test_complaints);
    RUN(test_circuit);
    RUN(test_shared_files);
    RUN(test_binarised);
    RUN(test_detection);
    RUN(test_memory);
    return test_end();
}
