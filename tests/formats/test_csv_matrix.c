/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices of weights: every error message, distinction from edge lists, failing
 * allocations, and random matrices against their entries. */
#include "base/rng.h"
#include "formats/reader_fixture.h"

static void test_kinds(void)
{
    static const reader_case cases[] = {
        {"0,2\n2,0\n", "2: 1*2 | 0*2"},
        {"7\n", "1:"},
        {"0;1;0\n1;0;3\n0;3;0\n", "3: 1*1 | 0*1 2*3 | 1*3"},
        {"# who, to whom\n 0 1\t0 \r\n\n1, 5, 2.5\n%\n0 2.5 9", "3: 1*1 | 0*1 2*3 | 1*3"},
        {"a,b\n0,4\n4,0\n", "2: 1*4 | 0*4"},
        {"\"rank 0\",\"rank 1\"\n0,4\n4,0\n", "2: 1*4 | 0*4"},
        /* Rounded, but not away. */
        {"0 1.4 0.001\n1.4 0 1.5\n0.001 1.5 0\n", "3: 1*1 2*1 | 0*1 2*2 | 0*1 1*2"},
        {"0 1.4\n1.4 0\n", "2: 1*14 | 0*14", .weights = "values", .scale = 10},
        {"0 1.4 0\n7 0 0\n0 0 0\n", "3: 1 | 0 |", .weights = "none"},
        {"0 1e3\n1E3 0\n", "2: 1*1000 | 0*1000"},
        {"0 2147483647\n2147483647.4 -0\n", "2: 1*2147483647 | 0*2147483647"},
        {"0 0\n0 0\n", "2: |"},
        /* One way, or not the same both ways. */
        {"0 1\n0 0\n", "EPARSE @: vertex 0 lists neighbour 1, which does not list it"},
        {"0 1\n2 0\n", "EPARSE @: edge 1 - 0 has weight 2 this way and 1 the other way"},
        {"0 1\n2 0\n", "2: 1*3 | 0*3", .symmetrise = "sum"},
        {"0 1\n2 0\n", "2: 1*2 | 0*2", .symmetrise = "max"},
        {"0 1\n0 0\n", "2: 1*1 | 0*1", .symmetrise = "sum"},
        /* Equal weights in both directions are doubled, independent of other entries. */
        {"0 5 0\n5 0 6\n0 0 0\n", "3: 1*10 | 0*10 2*6 | 1*6", .symmetrise = "sum"},
        {"0 5 0\n5 0 6\n0 6 0\n", "3: 1*10 | 0*10 2*12 | 1*12", .symmetrise = "sum"},
        {"0 5 0\n5 0 6\n0 6 0\n", "3: 1*5 | 0*5 2*6 | 1*6"},
        {"0 1\n0 0\n", "2: 1*1 | 0*1 one_way=1", .flags = CLEAVE_REPAIR},
        {"0 1 5\n0 0 2\n0 0 0\n", "dag 3: 1*1 2*5 | 2*2 |", .as = "dag"},
        {"0 1\n1 0\n", "dag 2: 1*1 |", .as = "lower"},
        {"0 1\n1 0\n", "ECYCLE @: the graph has a cycle: 0 -> 1 -> 0", .as = "dag"},
    };
    READER_CHECK_ALL("csv-matrix", "csv", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the matrix has no rows"},
        {"a,b\n", "EPARSE @:2: the matrix has no rows"},
        {"0 1\n", "EPARSE @:2: the file ends after 1 of 2 rows"},
        {"0 1\n1\n", "EPARSE @:2: the line has 1 numbers, the first has 2"},
        {"0 1\n1 0 0\n", "EPARSE @:2: the line has 3 numbers, the first has 2"},
        {"0 1\n1 0\n0 0\n", "EPARSE @:3: the matrix has more rows than its 2 columns"},
        {"0 x\n1 0\n", "EPARSE @:1: entry \"x\" is not a number"},
        {"0 1\nb 0\n", "EPARSE @:2: entry \"b\" is not a number"},
        {"0 inf\n1 0\n", "EPARSE @:1: entry \"inf\" is not a number"},
        {"0 1e999\n1 0\n", "EPARSE @:1: entry \"1e999\" is not a number"},
        {"0 0x10\n1 0\n", "EPARSE @:1: entry \"0x10\" is not a number"},
        {"0 -1\n1 0\n", "EPARSE @:1: entry -1 is negative"},
        {"0 2147483648\n1 0\n", "EPARSE @:1: entry 2147483648 is more than 2147483647"},
        {"0 3e8\n3e8 0\n", "EPARSE @:1: entry 3e8 is more than 2147483647",
         .weights = "values", .scale = 10},
        {"0 1\n1\0 0\n", "EPARSE @:2: entry \"1\" is not a number", .size = 9},
    };
    READER_CHECK_ALL("csv-matrix", "csv", cases);
}

/* Four columns and as many rows; an edge list has two or three. */
static void test_detection(void)
{
    static const char *const good[] = {
        "0,1,2,3\n1,0,0,0\n2,0,0,0\n3,0,0,0\n",
        "# comment\na,b,c,d\n0;1;2;3\n1;0;0;0\n2;0;0;0\n3;0;0;0",
        "0 1 2 3 4 5\n1 0 0 0 0 0\n2 0 0 0 0 0\n3 0 0 0 0 0\n4 0 0 0 0 0\n5 0 0 0 0 0\n",
    };
    static const char *const edges[] = {"0,1,5\n1,2,6\n2,0,7\n", "0,1\n1,0\n",
                                        "from,to,weight\n0,1,5\n1,2,6\n2,0,7\n"};
    static const char *const other[] = {
        "0,1,2,3\n1,0,0,0\n2,0,0,0\n",
        "0,1,2,3\n1,0,0,0\n2,0,0,0\n3,0,0,0\n4,0,0,0\n",
        "0,1,2,3\n1,0,0\n2,0,0,0\n3,0,0,0\n",
        "0,1,2,x\n1,0,0,0\n2,0,0,0\n3,0,0,0\n",
        "3 2 0 1\n2 1 1 1\n1 3 1 1\n2 1 1 1\n", /* METIS headers have up to five numbers */
        "",
    };
    static const char *const names[] = {"x.csv", "x.txt", "-"};
    for (size_t n = 0; n < 3; n++) {
        for (size_t i = 0; i < sizeof good / sizeof *good; i++)
            CHECK(clv_format_detect(names[n], good[i], strlen(good[i])) ==
                  &clv_format_csv_matrix);
        for (size_t i = 0; i < sizeof other / sizeof *other; i++)
            CHECK(clv_format_detect(names[n], other[i], strlen(other[i])) !=
                  &clv_format_csv_matrix);
    }
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        CHECK(clv_format_detect("x.csv", edges[i], strlen(edges[i])) == &clv_format_edges);
}

/* More than can be seen at first. */
static void test_large(void)
{
    enum { n = 150 };
    static int value[n][n];
    static char text[n * n * 12];
    size_t used = 0;
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            value[i][j] = value[j][i] =
                clv_rng_below(&rng, 3) ? 0 : (int)clv_rng_below(&rng, 100000000);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            used += (size_t)sprintf(text + used, "%d%c", value[i][j], j == n - 1 ? '\n' : ',');
    CHECK(used > CLV_INPUT_PEEK);
    cleave_graph *g;
    cleave_csr view;
    cleave_error err;
    REQUIRE_OK(cleave_graph_read(&g, test_file_bytes("large.csv", text, used), NULL, &err));
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    CHECK_EQ(view.nvtx, n);
    int64_t seen = 0;
    for (int i = 0; i < n; i++) {
        for (int64_t a = view.xadj[i]; a < view.xadj[i + 1]; a++)
            CHECK_EQ(view.ewgt[a], value[i][view.adj[a]]);
        for (int j = 0; j < n; j++)
            seen += i != j && value[i][j] > 0;
    }
    CHECK_EQ(view.xadj[n], seen);
    cleave_graph_free(g);
}

static void test_memory(void)
{
    static const reader_case c = {"0,1,2\n1,0,0\n2,0,0\n", "3: 1*1 2*2 | 0*1 | 0*2"};
    reader_check_memory("csv-matrix", test_file("m.csv", c.text), &c);
}

int main(void)
{
    RUN(test_kinds);
    RUN(test_complaints);
    RUN(test_detection);
    RUN(test_large);
    RUN(test_memory);
    return test_end();
}
