/* SPDX-License-Identifier: Apache-2.0 */
/* METIS meshes: dual and nodal graphs, every error message, failing allocations, and
 * comparison with METIS on random meshes. */
#include "formats/reader_fixture.h"

static cleave_error err;

/* "dual 2" or "nodal": the graph of the text, or the complaint about it. */
static const char *mesh(const char *text, const char *which, int32_t common)
{
    static reader_text shown;
    cleave_read_options opt;
    cleave_graph *g;
    cleave_read_options_init(&opt, sizeof opt);
    opt.mesh = which;
    opt.common = common;
    shown.used = 0;
    const char *path = test_file("case.mesh", text);
    if (cleave_graph_read(&g, path, &opt, &err) == CLEAVE_OK)
        reader_show(&shown, g);
    else
        reader_show_error(&shown, &err, path);
    cleave_graph_free(g);
    return shown.text;
}

static void test_default(void)
{
    static const reader_case cases[] = {
        /* Two triangles with an edge in common, and one with a corner. */
        {"3\n1 2 3\n2 3 4\n4 5 6\n", "3: 1 | 0 2 | 1"},
        {"% c\n3\n1 2 3\n% c\n 2\t3 4\r\n4 5 6\n% c\n\n", "3: 1 | 0 2 | 1"},
        {"2 1\n5 1 2 3\n7 2 3 4\n", "2: (5) 1 | (7) 0"},
        {"2 2\n5 6 1 2\n7 8 2 3\n", "2: (5) (6) 1 | (7) (8) 0"},
        {"2 0\n1 2\n2 3\n", "2: 1 | 0"},
        {"3\n1 2\n\n2\n", "3: 2 | | 0"},
        {"2\n1 2 2 1\n2 3\n", "2: 1 | 0"}, /* degenerate */
        {"0\n", "0:"},
        {"1\n1\n", "1:"},
        {"2 1\n5\n0 7\n", "2: (5) | (0)"},
        {"2\n1 2\n2 3\n", "2: 1 | 0", .as = "undirected"},
        {"2\n1 2\n2 3\n", "dag 2: 1 |", .as = "lower"},
    };
    READER_CHECK_ALL("mesh", "mesh", cases);
}

static void test_graphs(void)
{
    static const char triangles[] = "3\n1 2 3\n2 3 4\n4 5 6\n";
    CHECK_STR(mesh(triangles, NULL, 1), "3: 1 | 0 2 | 1");
    CHECK_STR(mesh(triangles, "dual", 1), "3: 1 | 0 2 | 1");
    CHECK_STR(mesh(triangles, "dual", 2), "3: 1 | 0 |");
    /* Never more than all but one of the nodes of the smaller element. */
    CHECK_STR(mesh(triangles, "dual", 3), "3: 1 | 0 |");
    CHECK_STR(mesh("2\n1 2 3 4\n4 5\n", "dual", 3), "2: 1 | 0");
    CHECK_STR(mesh("2\n1 2 3 4\n4\n", "dual", 3), "2: 1 | 0");
    CHECK_STR(mesh("2\n1 2 3 4\n4 5 6 7\n", "dual", 2), "2: |");
    CHECK_STR(mesh(triangles, "nodal", 1), "6: 1 2 | 0 2 3 | 0 1 3 | 1 2 4 5 | 3 5 | 3 4");
    CHECK_STR(mesh("2 1\n9 1 3\n8 3 3\n", "nodal", 1), "3: 2 | | 0");
    CHECK_STR(mesh("0\n", "nodal", 1), "0:");
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file has no header line"},
        {"x\n", "EPARSE @:1: the number of elements is \"x\", not a whole number"},
        {"-1\n", "EPARSE @:1: the number of elements is -1, outside 0..2147483646"},
        {"1 2000\n", "EPARSE @:1: the number of weights per element is 2000, outside 0..1024"},
        {"1 1 1\n", "EPARSE @:1: unexpected text after the number of weights per element"},
        {"2\n1 2\n", "EPARSE @:3: the file ends after 1 of 2 elements"},
        {"1 1\n\n", "EPARSE @:2: the line ends before the weight of an element"},
        {"1 1\n-1 1\n", "EPARSE @:2: the weight of an element is -1, outside 0..2147483647"},
        {"1\n0\n", "EPARSE @:2: a node is 0, outside 1..2147483646"},
        {"1\n1 x\n", "EPARSE @:2: a node is \"x\", not a whole number"},
        {"1\n1 2\n3\n", "EPARSE @:3: unexpected text after the last of 1 elements"},
        {"1\n1\n", "EINVAL @: a mesh has no directions and cannot be read as a DAG",
         .as = "dag"},
    };
    READER_CHECK_ALL("mesh", "mesh", cases);
    static const reader_case absurd[] = {
        {"2147483646 1024\n", "EPARSE @:2: the file ends after 0 of 2147483646 elements"},
        {"1\n\n2000000000 1\n", "EPARSE @:3: unexpected text after the last of 1 elements"},
        {"1\n1 2000000000\n",
         "ERANGE @:2: node 2000000000 of a mesh with 2 entries is implausible"},
    };
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        reader_check_absurd("mesh", &absurd[i], false);
        reader_check_absurd("mesh", &absurd[i], true);
    }
    CHECK_STR(mesh("1\n1\n", "both", 1),
              "EINVAL mesh is \"both\"; expected one of dual, nodal");
    CHECK_STR(mesh("1\n1\n", "dual", 0), "EINVAL common is 0");
}

/* A star of n elements around a node, or one element of n nodes. */
static const char *star(int32_t n, bool one)
{
    static char text[1 << 20];
    char *to = text + sprintf(text, "%d\n", one ? 1 : (int)n);
    for (int32_t i = 0; i < n; i++)
        to += sprintf(to, one ? "%d " : "1 %d\n", (int)i + 2);
    return text;
}

static void test_density(void)
{
    CHECK_STR(mesh(star(30000, false), "dual", 1),
              "ERANGE @: the graph would be too dense: node 1 alone joins 30000 vertices");
    CHECK_STR(mesh(star(30000, false), "dual", 2),
              "ERANGE @: the graph would be too dense: node 1 alone joins 30000 vertices");
    CHECK_STR(mesh(star(30000, true), "nodal", 1),
              "ERANGE @: the graph would be too dense: element 1 alone joins 30000 vertices");
    CHECK_STR(mesh(star(30000, true), "dual", 1), "1:");
    cleave_graph *g;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.mesh = "nodal";
    REQUIRE_OK(cleave_graph_read(&g, test_file("s.mesh", star(30000, false)), &opt, &err));
    CHECK_EQ(cleave_graph_edges(g), 30000);
    cleave_graph_free(g);
    opt.mesh = "dual";
    REQUIRE_OK(cleave_graph_read(&g, test_file("s.mesh", star(3000, false)), &opt, &err));
    CHECK_EQ(cleave_graph_edges(g), 3000 * 2999 / 2);
    cleave_graph_free(g);
}

static void test_other_formats(void)
{
    cleave_graph *g;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.mesh = "nodal";
    const char *path = test_file("no.graph", "2 1\n2\n1\n");
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err),
              "no.graph: has no nodal graph: its format is metis, not mesh");
    CHECK(clv_format_by_path("a.mesh.gz") == &clv_format_metis_mesh);
    opt.mesh = NULL;
    REQUIRE_OK(cleave_graph_read(&g, test_file("w.mesh", "1\n1\n"), &opt, &err));
    CHECK_EQ(cleave_graph_write(g, fixture_path("o.mesh"), NULL, &err), CLEAVE_EINVAL);
    cleave_graph_free(g);
}

/* A mesh of up to 40 elements with 2 to 6 different nodes each.  (METIS makes an element of
 * a single node its own neighbour.) */
static void write_random_mesh(const char *path, clv_rng *rng, bool weights)
{
    FILE *file = fopen(path, "w");
    if (!file)
        abort();
    int32_t elements = 1 + (int32_t)clv_rng_below(rng, 40);
    fprintf(file, weights ? "%d 1\n" : "%d\n", (int)elements);
    for (int32_t e = 0; e < elements; e++) {
        int32_t order[25];
        clv_rng_permutation(rng, 25, order);
        if (weights)
            fprintf(file, "%d", (int)clv_rng_below(rng, 9) + 2);
        for (uint32_t n = 2 + clv_rng_below(rng, 5); n-- > 0;)
            fprintf(file, " %d", (int)order[n] + 1);
        fprintf(file, "\n");
    }
    fclose(file);
}

static void test_metis_program(void)
{
    if (system("command -v m2gmetis >/dev/null 2>&1") != 0) {
        printf("no METIS: m2gmetis is not asked\n");
        return;
    }
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    for (int round = 0; round < 40; round++) {
        char command[4 * 4096], ours[4096], theirs[4096];
        snprintf(ours, sizeof ours, "%s", fixture_path("random.mesh"));
        snprintf(theirs, sizeof theirs, "%s", fixture_path("random.graph"));
        write_random_mesh(ours, &rng, round % 2);
        int common = 1 + round / 4 % 4;
        bool nodal = round % 4 >= 2;
        snprintf(command, sizeof command,
                 "m2gmetis -gtype=%s -ncommon=%d %s %s >/dev/null && echo >>%s",
                 nodal ? "nodal" : "dual", common, ours, theirs, theirs);
        CHECK_EQ(system(command), 0);
        cleave_read_options opt;
        cleave_graph *a, *b;
        cleave_read_options_init(&opt, sizeof opt);
        REQUIRE_OK(cleave_graph_read(&b, theirs, &opt, &err));
        opt.mesh = nodal ? "nodal" : "dual";
        opt.common = common;
        REQUIRE_OK(cleave_graph_read(&a, ours, &opt, &err));
        /* METIS does not pass the weights of elements on. */
        a->vwgt = b->vwgt = NULL;
        CHECK(fixture_same(a, b));
        cleave_graph_free(a);
        cleave_graph_free(b);
    }
}

static void test_memory(void)
{
    static const reader_case c = {"2 2\n5 6 1 2\n7 8 2 3\n", "2: (5) (6) 1 | (7) (8) 0"};
    reader_check_memory("mesh", test_file("m.mesh", c.text), &c);
}

int main(void)
{
    RUN(test_default);
    RUN(test_graphs);
    RUN(test_complaints);
    RUN(test_density);
    RUN(test_other_formats);
    RUN(test_metis_program);
    RUN(test_memory);
    return test_end();
}
