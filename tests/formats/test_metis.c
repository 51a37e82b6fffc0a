/* SPDX-License-Identifier: Apache-2.0 */
/* METIS graphs: every feature, every error message, failing allocations, absurd headers.
 * Large files: test_metis_large.c. */
#include "formats/metis_rows.h"
#include "formats/reader_fixture.h"

static cleave_error err;

/* ---- Features ------------------------------------------------------------------------- */

static void test_features(void)
{
    static const reader_case cases[] = {
        {"3 2\n2\n1 3\n2\n", "3: 1 | 0 2 | 1"},
        {"0 0\n", "0:"},
        {"0 0", "0:"},
        {"1 0\n\n", "1:"},
        {"1 0\n \n", "1:"},
        {"4 1\n\n3\n2\n\n", "4: | 2 | 1 |"},
        /* Each digit alone and together, short forms of the format. */
        {"2 1 0\n2\n1\n", "2: 1 | 0"},
        {"2 1 000\n2\n1\n", "2: 1 | 0"},
        {"2 1 1\n2 7\n1 7\n", "2: 1*7 | 0*7"},
        {"2 1 001\n2 7\n1 7\n", "2: 1*7 | 0*7"},
        {"2 1 10\n5 2\n6 1\n", "2: (5) 1 | (6) 0"},
        {"2 1 11\n5 2 7\n6 1 7\n", "2: (5) 1*7 | (6) 0*7"},
        {"2 1 100\n8 2\n9 1\n", "2: {8} 1 | {9} 0"},
        {"2 1 101\n8 2 7\n9 1 7\n", "2: {8} 1*7 | {9} 0*7"},
        {"2 1 110\n8 5 2\n9 6 1\n", "2: {8} (5) 1 | {9} (6) 0"},
        {"2 1 111\n8 5 2 7\n9 6 1 7\n", "2: {8} (5) 1*7 | {9} (6) 0*7"},
        {"2 1 111 3\n8 1 2 3 2 7\n9 4 5 6 1 7\n",
         "2: {8} (1) (2) (3) 1*7 | {9} (4) (5) (6) 0*7"},
        {"2 0 010 2\n1 2\n3 4\n", "2: (1) (2) | (3) (4)"},
        {"2 0 011\n1\n2\n", "2: (1) | (2)"},
        {"1 0 100\n3", "1: {3}"},
        /* ncon has no effect without vertex weights; the fifth number is always 0. */
        {"2 1 0 0\n2\n1\n", "2: 1 | 0"},
        {"2 1 001 4\n2 7\n1 7\n", "2: 1*7 | 0*7"},
        {"2 1 0 1 0\n2\n1\n", "2: 1 | 0"},
        {"2 1 10 2 0\n1 2 2\n3 4 1\n", "2: (1) (2) 1 | (3) (4) 0"},
        /* Weights at both ends of their range. */
        {"2 1 111\n0 0 2 0\n2147483647 2147483647 1 0\n",
         "2: {0} (0) 1*0 | {2147483647} (2147483647) 0*0"},
        {"2 1 1\n2 2147483647\n1 2147483647\n", "2: 1*2147483647 | 0*2147483647"},
        /* Order within a row is free, zeros may lead, and signs too where numbers are read
         * by the careful way. */
        {"4 4\n4 2\n3 1\n4 2\n3 1\n", "4: 1 3 | 0 2 | 1 3 | 0 2"},
        {"3 3 1\n3 5 2 4\n3 6 1 4\n1 5 2 6\n", "3: 1*4 2*5 | 0*4 2*6 | 0*5 1*6"},
        {"0003 02\n002\n00000000000000000001 3\n000000002\n", "3: 1 | 0 2 | 1"},
        {"+2 +1 1\n+2 +7\n1 7\n", "2: 1*7 | 0*7"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

static void test_layout(void)
{
    static const reader_case cases[] = {
        /* Comments before, between and behind; blanks before the sign. */
        {"% a\n%\n3 2\n% b\n2\n  % c\n%%\n1 3\n\t%d\n2\n% e\n", "3: 1 | 0 2 | 1"},
        {"% only\n\n \n3 2\n2\n1 3\n2", "3: 1 | 0 2 | 1"},
        {"2 0\n% none\n\n% none\n\n% end", "2: |"},
        {"%\n2 1 11\n%\n5 2 7\n%\n6 1 7\n%", "2: (5) 1*7 | (6) 0*7"},
        /* Last newline missing, blanks around, tabs, carriage returns, blank lines at the
         * end. */
        {"3 2\n2\n1 3\n2", "3: 1 | 0 2 | 1"},
        {"3 2\n2\n1 3\n2 ", "3: 1 | 0 2 | 1"},
        {"  3  2  \n  2  \n   1   3   \n 2  ", "3: 1 | 0 2 | 1"},
        {"3\t2\n\t2\n1\t3\t\n2\t", "3: 1 | 0 2 | 1"},
        {"3 2\r\n2\r\n1 3\r\n2\r\n", "3: 1 | 0 2 | 1"},
        {"4 1\r\n\r\n3\r\n2\r\n\r\n", "4: | 2 | 1 |"},
        {"3 2\n2\v\n1 \f3\n2\n\n \n\t\r\n%\n", "3: 1 | 0 2 | 1"},
        {"2 1 111\r\n\t8\t5 2\v7\r\n 9 6 1 7", "2: {8} (5) 1*7 | {9} (6) 0*7"},
        {"2 1 1\n \t2  7 \n1\t7\t", "2: 1*7 | 0*7"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

static void test_directed(void)
{
    static const reader_case cases[] = {
        {"3 2\n2\n3\n\n", "dag 3: 1 | 2 |", .as = "dag"},
        {"3 2\n\n1\n2\n", "dag 3: | 0 | 1", .as = "dag"},
        {"3 3 11\n4 3 2 2 1\n5 3 6\n7\n", "dag 3: (4) 1*1 2*2 | (5) 2*6 | (7)", .as = "dag"},
        {"0 0\n", "dag 0:", .as = "dag"},
        {"3 2\n2\n1 3\n2\n", "dag 3: 1 | 2 |", .as = "lower"},
        {"3 2\n2\n1 3\n2\n", "dag 3: | 0 | 1", .as = "upper"},
        {"3 2 111 2\n1 2 3 2 4\n5 6 7 1 4 3 8\n9 1 2 2 8\n",
         "dag 3: {1} (2) (3) 1*4 | {5} (6) (7) 2*8 | {9} (1) (2)", .as = "lower"},
        {"3 2 111 2\n1 2 3 2 4\n5 6 7 1 4 3 8\n9 1 2 2 8\n",
         "dag 3: {1} (2) (3) | {5} (6) (7) 0*4 | {9} (1) (2) 1*8", .as = "upper"},
        {"0 0\n", "dag 0:", .as = "lower"},
        {"2 0\n\n\n", "dag 2: |", .as = "upper"},
        {"3 2\n2\n1 3\n2\n", "3: 1 | 0 2 | 1", .as = "undirected"},
        {"3 2\n2\n1 3\n2\n", "ECYCLE @:2: the graph has a cycle: 1 -> 2 -> 1", .as = "dag"},
        {"%\n3 3\n%\n2\n%\n3\n1\n", "ECYCLE @:4: the graph has a cycle: 1 -> 2 -> 3 -> 1",
         .as = "dag"},
        {"2 2\n1 2\n\n", "EPARSE @:2: vertex 1 is its own neighbour", .as = "dag"},
        {"3 3\n2 3 2\n\n\n", "EPARSE @:2: vertex 1 lists neighbour 2 twice", .as = "dag"},
        {"3 1\n2\n3\n\n", "EPARSE @:1: the header has 1 edges, but the lists have 2",
         .as = "dag"},
        {"3 5\n1 2 3 2\n3\n\n", "dag 3: 1 2 | 2 | loops=1 duplicates=1 counts=1", .as = "dag",
         .flags = CLEAVE_REPAIR},
        {"2 1\n2\n\n", "EPARSE @:2: vertex 1 lists neighbour 2, which does not list it",
         .as = "lower"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

static void test_mending(void)
{
    static const reader_case cases[] = {
        {"2 1 1\n2 5\n1 7\n", "2: 1*12 | 0*12", .symmetrise = "sum"},
        {"2 1 1\n2 5\n1 7\n", "2: 1*7 | 0*7", .symmetrise = "max"},
        {"2 1 1\n2 5\n\n", "2: 1*5 | 0*5", .symmetrise = "sum"},
        {"2 1 1\n\n1 5\n", "2: 1*5 | 0*5", .symmetrise = "max"},
        {"2 1 1\n2 5\n1 5\n", "2: 1*10 | 0*10", .symmetrise = "sum"},
        {"2 1 1\n2 5\n1 5\n", "2: 1*5 | 0*5", .symmetrise = "max"},
        /* What becomes of an edge does not depend on the others. */
        {"3 2 1\n2 5\n1 5 3 7\n2 7\n", "3: 1*10 | 0*10 2*14 | 1*14", .symmetrise = "sum"},
        {"3 2 1\n2 5\n1 5 3 7\n\n", "3: 1*10 | 0*10 2*7 | 1*7", .symmetrise = "sum"},
        {"3 2 1\n2 5\n1 5 3 7\n\n", "3: 1*5 | 0*5 2*7 | 1*7", .symmetrise = "max"},
        {"3 2\n2 3\n\n\n", "3: 1 2 | 0 | 0", .symmetrise = "sum"},
        {"3 2\n2 3\n\n\n", "3: 1 2 | 0 | 0", .symmetrise = "max"},
        {"3 1\n2 3\n\n\n", "3: 1 2 | 0 | 0", .symmetrise = "sum"}, /* counted as halves */
        {"3 3\n2 3\n\n1\n", "3: 1 2 | 0 | 0", .symmetrise = "sum"},
        {"3 2\n3\n3\n\n", "dag 3: 2 | 2 |", .as = "lower", .symmetrise = "max"},
        {"3 9\n2 3\n\n\n", "EPARSE @:1: the header has 9 edges, but the lists have 2",
         .symmetrise = "sum"},
        {"2 1\n1 2\n1\n", "2: 1 | 0 loops=1", .flags = CLEAVE_REPAIR},
        {"2 1\n2 2 2\n1\n", "2: 1 | 0 duplicates=2", .flags = CLEAVE_REPAIR},
        {"2 1\n2\n\n", "2: 1 | 0 one_way=1", .flags = CLEAVE_REPAIR},
        {"2 1 1\n2 5\n1 7\n", "2: 1*7 | 0*7 unequal=1", .flags = CLEAVE_REPAIR},
        {"2 5\n2\n1\n", "2: 1 | 0 counts=1", .flags = CLEAVE_REPAIR},
        {"2 1 1\n2 5 2 6\n1 11\n", "2: 1*11 | 0*11 duplicates=1", .flags = CLEAVE_REPAIR},
        {"4 9 1\n2 1 1 8 2 2\n1 9\n4 5\n\n",
         "4: 1*9 | 0*9 | 3*5 | 2*5 loops=1 duplicates=1 one_way=1 unequal=1 counts=1",
         .flags = CLEAVE_REPAIR},
        {"2 1 1\n2 5\n1 7\n", "2: 1*12 | 0*12 unequal=1", .symmetrise = "sum",
         .flags = CLEAVE_REPAIR},
        {"3 2\n2\n1 3\n2\n", "3: 1 | 0 2 | 1", .flags = CLEAVE_REPAIR},
        /* Faults that cannot be repaired. */
        {"2 1\n3\n1\n", "EPARSE @:2: neighbour 3 is outside 1..2", .flags = CLEAVE_REPAIR},
        {"2 1 1\n2 2147483647 2 1\n1 1\n",
         "ERANGE @:2: the weights of the duplicates of edge 1 - 2 sum to more than 2147483647",
         .flags = CLEAVE_REPAIR},
        {"%\n2 1 1\n2 2147483647\n1 1\n",
         "ERANGE @:3: the weights of edge 1 - 2 sum to more than 2147483647",
         .symmetrise = "sum"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

/* ---- Complaints ----------------------------------------------------------------------- */

static void test_header_complaints(void)
{
    static const reader_case cases[] = {
        {"% nothing\n\n", "EPARSE @:3: the file has no header line"},
        {"%", "EPARSE @:1: the file has no header line"},
        {" ", "EPARSE @:1: the file has no header line"},
        {"x", "EPARSE @:1: the number of vertices is \"x\", not a whole number"},
        {"3x 2\n", "EPARSE @:1: the number of vertices is \"3x\", not a whole number"},
        {"3.0 2\n", "EPARSE @:1: the number of vertices is \"3.0\", not a whole number"},
        {"-1 2\n", "EPARSE @:1: the number of vertices is -1, outside 0..2147483646"},
        {"2147483647 0\n",
         "EPARSE @:1: the number of vertices is 2147483647, outside 0..2147483646"},
        {"99999999999999999999 0\n", "EPARSE @:1: the number of vertices is "
                                     "99999999999999999999, outside 0..2147483646"},
        {"%\n3\n", "EPARSE @:2: the line ends before the number of edges"},
        {"3", "EPARSE @:1: the file ends before the number of edges"},
        {"3 x\n", "EPARSE @:1: the number of edges is \"x\", not a whole number"},
        {"3 -2\n", "EPARSE @:1: the number of edges is -2, outside 0..2305843009213693951"},
        {"3 2305843009213693952\n", "EPARSE @:1: the number of edges is 2305843009213693952, "
                                    "outside 0..2305843009213693951"},
        {"3 2 2\n", "EPARSE @:1: the format \"2\" is not up to three digits 0 or 1"},
        {"3 2 0001\n", "EPARSE @:1: the format \"0001\" is not up to three digits 0 or 1"},
        {"3 2 a1\n", "EPARSE @:1: the format \"a1\" is not up to three digits 0 or 1"},
        {"3 2 0123456789012345678901234\n",
         "EPARSE @:1: the format \"01234567890123456789\" is not up to three digits 0 or 1"},
        {"3 2 10 x\n",
         "EPARSE @:1: the number of weights per vertex is \"x\", not a whole number"},
        {"3 2 10 -1\n", "EPARSE @:1: the number of weights per vertex is -1, outside 0..1024"},
        {"3 2 10 1025\n",
         "EPARSE @:1: the number of weights per vertex is 1025, outside 0..1024"},
        {"3 2 10 0\n", "EPARSE @:1: the format has vertex weights, but 0 per vertex"},
        {"3 2 0 1 7\n", "EPARSE @:1: the fifth header number is 7, outside 0..0"},
        {"3 2 0 1 0 0\n", "EPARSE @:1: the header has more than five numbers"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

static void test_row_complaints(void)
{
    static const reader_case cases[] = {
        {"3 2\n2\n1 3\n", "EPARSE @:4: the file ends after 2 of 3 vertices"},
        {"3 2\n2\n1 3", "EPARSE @:3: the file ends after 2 of 3 vertices"},
        {"3 2", "EPARSE @:1: the file ends after 0 of 3 vertices"},
        {"3 2 1\n", "EPARSE @:2: the file ends after 0 of 3 vertices"},
        {"2 0 10\n5\n", "EPARSE @:3: the file ends after 1 of 2 vertices"},
        {"2 0\n\n%\n", "EPARSE @:4: the file ends after 1 of 2 vertices"},
        {"2 1\n2\n1\n1\n", "EPARSE @:4: unexpected text after the last of 2 vertices"},
        {"0 0\n\n%\n1\n", "EPARSE @:4: unexpected text after the last of 0 vertices"},
        {"2 1\n2\n3\n", "EPARSE @:3: neighbour 3 is outside 1..2"},
        {"2 1\n2\n1 0\n", "EPARSE @:3: neighbour 0 is outside 1..2"},
        {"2 1\n2\n123456789\n", "EPARSE @:3: neighbour 123456789 is outside 1..2"},
        {"2 1\n4294967298\n1\n", "EPARSE @:2: neighbour 4294967298 is outside 1..2"},
        {"2 1\n18446744073709551618\n1\n",
         "EPARSE @:2: neighbour 100000000000000000 is outside 1..2"},
        {"2 1\n2\n-1\n", "EPARSE @:3: \"-1\" is not a vertex number"},
        {"2 1\n2\n1.0\n", "EPARSE @:3: \".0\" is not a vertex number"},
        {"2 1\n2x\n1\n", "EPARSE @:2: \"x\" is not a vertex number"},
        {"2 1\n2 % c\n1\n", "EPARSE @:2: \"%\" is not a vertex number"},
        {"2 1\n2\nabcdefghijklmnopqrstuvwxyz\n",
         "EPARSE @:3: \"abcdefghijklmnopqrst\" is not a vertex number"},
        {"2 1\n2\x01\n1\n", "EPARSE @:2: \"?\" is not a vertex number"},
        {"2 1\n2 \0\n1\n", "EPARSE @:2: \"\" is not a vertex number", .size = 10},
        {"2 1\n2 \xff\n1\n", "EPARSE @:2: \"?\" is not a vertex number"},
        {"2 1 1\n2\n1 7\n", "EPARSE @:2: the line ends before the weight of an edge"},
        {"2 1 1\n2 7\n1", "EPARSE @:3: the file ends before the weight of an edge"},
        {"2 1 1\n2 x\n", "EPARSE @:2: the weight of an edge is \"x\", not a whole number"},
        {"2 1 1\n2 -1\n", "EPARSE @:2: the weight of an edge is -1, outside 0..2147483647"},
        {"2 1 1\n2 2147483648\n",
         "EPARSE @:2: the weight of an edge is 2147483648, outside 0..2147483647"},
        {"2 1 1\n3 1\n", "EPARSE @:2: a neighbour is 3, outside 1..2"},
        {"2 1 1\n0 1\n", "EPARSE @:2: a neighbour is 0, outside 1..2"},
        {"2 1 1\nx 1\n", "EPARSE @:2: a neighbour is \"x\", not a whole number"},
        {"2 1 10\n\n1 1\n", "EPARSE @:2: the line ends before the weight of a vertex"},
        {"2 1 10 2\n1\n1 1\n", "EPARSE @:2: the line ends before the weight of a vertex"},
        {"2 1 10\nx\n", "EPARSE @:2: the weight of a vertex is \"x\", not a whole number"},
        {"2 1 10\n-1 2\n", "EPARSE @:2: the weight of a vertex is -1, outside 0..2147483647"},
        {"2 1 10\n2147483648 2\n",
         "EPARSE @:2: the weight of a vertex is 2147483648, outside 0..2147483647"},
        {"2 1 110\n1\n", "EPARSE @:2: the line ends before the weight of a vertex"},
        {"2 1 100\n\n", "EPARSE @:2: the line ends before the size of a vertex"},
        {"2 1 100\n1.5 2\n",
         "EPARSE @:2: the size of a vertex is \"1.5\", not a whole number"},
        {"2 1 100\n-3 2\n", "EPARSE @:2: the size of a vertex is -3, outside 0..2147483647"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

static void test_graph_complaints(void)
{
    static const reader_case cases[] = {
        {"2 1\n1 2\n1\n", "EPARSE @:2: vertex 1 is its own neighbour"},
        {"%\n3 2\n2\n% c\n1 3\n%\n3 2\n", "EPARSE @:7: vertex 3 is its own neighbour"},
        {"2 1\n2 2\n1\n", "EPARSE @:2: vertex 1 lists neighbour 2 twice"},
        {"3 2\n2\n3 1 3\n2\n", "EPARSE @:3: vertex 2 lists neighbour 3 twice"},
        {"2 1\n2\n\n", "EPARSE @:2: vertex 1 lists neighbour 2, which does not list it"},
        {"2 1\n\n1\n", "EPARSE @:3: vertex 2 lists neighbour 1, which does not list it"},
        {"3 2\n3\n3\n2\n", "EPARSE @:2: vertex 1 lists neighbour 3, which does not list it"},
        {"3 2\n%\n2\n1\n% x\n%\n1\n",
         "EPARSE @:7: vertex 3 lists neighbour 1, which does not list it"},
        {"3 2\n3 2\n1\n\n", "EPARSE @:2: vertex 1 lists neighbour 3, which does not list it"},
        {"2 1 1\n2 5\n1 7\n",
         "EPARSE @:3: edge 2 - 1 has weight 7 this way and 5 the other way"},
        {"2 2\n2\n1\n", "EPARSE @:1: the header has 2 edges, but the lists have 1"},
        {"2 0\n2\n1\n", "EPARSE @:1: the header has 0 edges, but the lists have 1"},
        {"2 1\n\n\n", "EPARSE @:1: the header has 1 edges, but the lists have 0"},
    };
    READER_CHECK_ALL("metis", "graph", cases);
}

/* ---- Writing, memory, absurd headers --------------------------------------------------- */

static void check_written(const char *text, const char *expected)
{
    cleave_graph *g = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    CHECK_OK(cleave_graph_read(&g, test_file("in.graph", text), &opt, &err));
    const char *path = fixture_path("out.graph");
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
    cleave_graph_free(g);
    char buffer[256] = "";
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(buffer, 1, sizeof buffer - 1, file) : 0;
    buffer[n] = '\0';
    if (file)
        fclose(file);
    CHECK_STR(buffer, expected);
}

static void test_writing(void)
{
    check_written("0 0\n", "0 0\n");
    check_written("2 0\n\n\n", "2 0\n\n\n");
    check_written("%\n3 2 0 1 0\n2\r\n3 1\n 2", "3 2\n2\n1 3\n2\n");
    check_written("2 1 1\n2 7\n1 7\n", "2 1 001\n2 7\n1 7\n");
    check_written("2 1 10\n5 2\n6 1\n", "2 1 010\n5 2\n6 1\n");
    check_written("2 1 111 2\n8 1 2 2 7\n9 3 4 1 7\n", "2 1 111 2\n8 1 2 2 7\n9 3 4 1 7\n");
    check_written("1 0 100\n4\n", "1 0 100\n4\n");
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {"%\n4 3 111 2\n1 2 3 2 4 3 1\n5 6 7 1 4 4 9\n9 1 2 1 1\n%\n0 0 0 2 9\n",
         "4: {1} (2) (3) 1*4 2*1 | {5} (6) (7) 0*4 3*9 | {9} (1) (2) 0*1 | {0} (0) (0) 1*9"},
        {"3 2\n2\n3 1\n2\n", "3: 1 | 0 2 | 1"},
        {"3 2\n2\n3 1\n2\n", "dag 3: 1 | 2 |", .as = "lower"},
        {"3 2 1\n2 5\n3 6\n\n", "dag 3: 1*5 | 2*6 |", .as = "dag"},
        {"3 2 1\n2 5\n3 6\n\n", "3: 1*5 | 0*5 2*6 | 1*6", .symmetrise = "sum"},
        {"3 7 1\n1 2 2 5\n1 5 3 6 3 7\n\n", "3: 1*5 | 0*5 2*13 | 1*13",
         .flags = CLEAVE_REPAIR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reader_check_memory("metis", test_file("memory.graph", cases[i].text), &cases[i]);
        const char *packed =
            reader_gzip_file("memory.graph.gz", cases[i].text, strlen(cases[i].text));
        if (packed && i < 2)
            reader_check_memory(NULL, packed, &cases[i]);
    }
    const fixture_kind kind = {
        .nvtx = 50, .nedge = 80, .ncon = 2, .ewgt = true, .vwgt = true, .vsize = true};
    clv_graph *g = fixture_graph(&kind, 9);
    reader_check_write_memory(g, fixture_path("memory-out.graph"));
    reader_check_write_memory(g, fixture_path("memory-out.graph.gz"));
    clv_graph_free(g);
}

static void test_absurd_headers(void)
{
    static const reader_case cases[] = {
        {"2147483646 0\n\n", "EPARSE @:3: the file ends after 1 of 2147483646 vertices"},
        {"2147483646 1000000000000000000\n2\n1\n",
         "EPARSE @:4: the file ends after 2 of 2147483646 vertices"},
        {"2147483646 2305843009213693951 111 1024\n",
         "EPARSE @:2: the file ends after 0 of 2147483646 vertices"},
        {"2147483646 0 10 1024\n1\n",
         "EPARSE @:2: the line ends before the weight of a vertex"},
        {"3 1000000000000000000\n2\n1\n\n",
         "EPARSE @:1: the header has 1000000000000000000 edges, but the lists have 1"},
        {"3 2305843009213693951 1\n2 1\n1 1\n\n",
         "EPARSE @:1: the header has 2305843009213693951 edges, but the lists have 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reader_check_absurd("metis", &cases[i], false);
        reader_check_absurd("metis", &cases[i], true);
    }
    /* A file of plausible size, so that only the header's product is absurd. */
    size_t size = 4 << 20;
    char *text = malloc(size + 1);
    memset(text, '%', size);
    memcpy(text, "2147483646 0 10 1024\n", 21);
    text[size] = '\0';
    const reader_case large = {text,
                               "EPARSE @:2: the file ends after 0 of 2147483646 vertices"};
    reader_check_absurd("metis", &large, false);
    reader_check_absurd("metis", &large, true);
    free(text);
}

/* ---- Shares ----------------------------------------------------------------------------- */

/* Rows first .. first + count - 1 of a file of five vertices, from line 7 on. */
static const char *read_rows_of(const char *text, int64_t first, int64_t count)
{
    static char shown[512];
    clv_metis_header head = {.nvtx = 5, .nedge = 4, .has_vwgt = true, .ncon = 1};
    clv_metis_share share = {.first = first, .count = count};
    clv_input *in;
    clv_text rows;
    if (clv_input_open(&in, test_file("share.graph", text), NULL, NULL, &err) != CLEAVE_OK ||
        clv_text_resume(&rows, in, 7, &err) != CLEAVE_OK)
        return "no input";
    cleave_status status = clv_metis_read_share(&share, &head, &rows);
    snprintf(shown, sizeof shown, "%s", status == CLEAVE_OK ? "" : fixture_message(&err));
    for (int64_t v = 0; status == CLEAVE_OK && v < count; v++) {
        sprintf(shown + strlen(shown), "%s(%d)", v ? " | " : "", (int)share.vwgt[v]);
        for (int64_t a = share.rows.xadj[v]; a < share.rows.xadj[v + 1]; a++)
            sprintf(shown + strlen(shown), " %d", (int)share.rows.adj[a]);
    }
    clv_rows_free(&share.rows);
    clv_sys_free(share.vwgt);
    clv_sys_free(share.vsize);
    clv_text_free(&rows);
    clv_input_close(in);
    return shown;
}

static void test_shares(void)
{
    CHECK_STR(read_rows_of("9 1 5\n%\n8\n", 2, 2), "(9) 0 4 | (8)");
    CHECK_STR(read_rows_of("", 2, 0), "");
    CHECK_STR(read_rows_of("\n% c\n", 5, 0), "");
    CHECK_STR(read_rows_of("9\n8 6\n", 0, 2), "share.graph:8: neighbour 6 is outside 1..5");
    CHECK_STR(read_rows_of("9\n8\n", 2, 3),
              "share.graph:9: the file ends after 4 of 5 vertices");
    CHECK_STR(read_rows_of("9\n8\n", 4, 1),
              "share.graph:8: unexpected text after the last of 5 vertices");
}

int main(void)
{
    RUN(test_shares);
    RUN(test_features);
    RUN(test_layout);
    RUN(test_directed);
    RUN(test_mending);
    RUN(test_header_complaints);
    RUN(test_row_complaints);
    RUN(test_graph_complaints);
    RUN(test_writing);
    RUN(test_memory);
    RUN(test_absurd_headers);
    return test_end();
}
