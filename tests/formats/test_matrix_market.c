/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files as graphs: every feature, every error message, borders of the window,
 * failing allocations, absurd headers.  As matrices: test_matrix_values.c. */
#include "formats/reader_fixture.h"

static cleave_error err;

#define BANNER(field, symmetry) "%%MatrixMarket matrix coordinate " field " " symmetry "\n"
#define REAL BANNER("real", "general")
#define PATTERN BANNER("pattern", "general")
#define SYMMETRIC BANNER("pattern", "symmetric")
#define SYMMETRIC_REAL BANNER("real", "symmetric")

/* ---- Features ------------------------------------------------------------------------- */

static void test_banners(void)
{
    static const reader_case cases[] = {
        {PATTERN "3 3 2\n2 1\n3 2\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2 1 0.5\n3 2 -1e5\n", "3: 1 | 0 2 | 1"},
        {BANNER("integer", "general") "3 3 2\n2 1 5\n3 2 -7\n", "3: 1 | 0 2 | 1"},
        {BANNER("double", "general") "3 3 2\n2 1 .5\n3 2 5.\n", "3: 1 | 0 2 | 1"},
        {SYMMETRIC "3 3 2\n2 1\n3 2\n", "3: 1 | 0 2 | 1"},
        {SYMMETRIC_REAL "3 3 2\n2 1 1\n3 2 2\n", "3: 1 | 0 2 | 1"},
        {BANNER("integer", "skew-symmetric") "3 3 2\n2 1 1\n3 2 2\n", "3: 1 | 0 2 | 1"},
        {"%%matrixmarket MATRIX Coordinate PatterN GENERAL\n2 2 1\n2 1\n", "2: 1 | 0"},
        {"%%MATRIXMARKET\tmatrix  coordinate\tinteger SKEW-Symmetric  \r\n2 2 1\n2 1 3\n",
         "2: 1 | 0"},
        {"  %%MatrixMarket matrix coordinate pattern general and more\n2 2 1\n2 1\n",
         "2: 1 | 0"},
        {PATTERN "0 0 0\n", "0:"},
        {PATTERN "0 0 0", "0:"},
        {SYMMETRIC "0 0 0\n", "0:"},
        {REAL "2 2 0\n", "2: |"},
        {SYMMETRIC "2 2 0\n", "2: |"},
        {SYMMETRIC_REAL "1 1 1\n1 1 4\n", "1:"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

static void test_layout(void)
{
    static const reader_case cases[] = {
        {PATTERN "% c\n%%\n\n \n3 3 2\n% d\n\n2 1\n  % e\n3 2\n% f\n", "3: 1 | 0 2 | 1"},
        {REAL "%\r\n3 3 2\r\n2 1 0.5\r\n3 2 1\r\n", "3: 1 | 0 2 | 1"},
        {REAL " 3\t3  2 \n\t2  1\t0.5 \n 3 \t 2 1\t\n\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2 1 0.5\n3 2 1", "3: 1 | 0 2 | 1"},
        {PATTERN "3 3 2\n2 1\n3 2", "3: 1 | 0 2 | 1"},
        {PATTERN "3 3 2\n2 1 \n3 2\t\r\n", "3: 1 | 0 2 | 1"},
        {PATTERN "003 +3 02\n0002 01\n00000003 000000000000000000002\n", "3: 1 | 0 2 | 1"},
        {PATTERN "3 3 2\n+2 +1\n3 +2\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2\v1\f0.5\n3 2 1\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2 1 +0.5\n3 2 -.25E-10\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2 1 1.0D+5\n3 2 1d-5\n", "3: 1 | 0 2 | 1"},
        {REAL "3 3 2\n2 1 1e999\n3 2 inf\n", "3: 1 | 0 2 | 1"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

static void test_patterns(void)
{
    static const reader_case cases[] = {
        /* A + A^T without the diagonal, duplicates collapsed, explicit zeros included. */
        {PATTERN "3 3 4\n2 1\n1 2\n2 2\n1 3\n", "3: 1 2 | 0 | 0"},
        {REAL "3 3 3\n2 1 4\n2 1 5\n3 3 1\n", "3: 1 | 0 |"},
        {REAL "2 2 1\n2 1 0\n", "2: 1 | 0"},
        {PATTERN "4 4 3\n1 2\n1 3\n1 4\n", "4: 1 2 3 | 0 | 0 | 0"}, /* by rows */
        {PATTERN "4 4 3\n2 1\n3 1\n4 1\n", "4: 1 2 3 | 0 | 0 | 0"},
        {PATTERN "4 4 3\n4 1\n1 3\n2 1\n", "4: 1 2 3 | 0 | 0 | 0"},
        /* Symmetric files: in order, out of order, upper entries, both of them. */
        {SYMMETRIC "4 4 4\n1 1\n2 1\n4 1\n4 3\n", "4: 1 3 | 0 | 3 | 0 2"},
        {SYMMETRIC "4 4 3\n4 3\n4 1\n2 1\n", "4: 1 3 | 0 | 3 | 0 2"},
        {SYMMETRIC "4 4 3\n1 2\n1 4\n3 4\n", "4: 1 3 | 0 | 3 | 0 2"},
        {SYMMETRIC "4 4 4\n2 1\n4 1\n1 4\n4 3\n", "4: 1 3 | 0 | 3 | 0 2"},
        {SYMMETRIC "4 4 5\n2 1\n2 1\n4 1\n4 3\n3 3\n", "4: 1 3 | 0 | 3 | 0 2"},
        {SYMMETRIC "4 4 5\n2 1\n4 1\n2 2\n4 3\n2 1\n", "4: 1 3 | 0 | 3 | 0 2"},
        {BANNER("pattern", "skew-symmetric") "2 2 1\n1 2\n", "2: 1 | 0"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

static void test_weights(void)
{
    static const reader_case cases[] = {
        {SYMMETRIC_REAL "3 3 2\n2 1 3.4\n3 2 -2.5\n", "3: 1*3 | 0*3 2*3 | 1*3",
         .weights = "values"},
        {SYMMETRIC_REAL "3 3 2\n2 1 3.4\n3 2 -2.5\n", "3: 1*34 | 0*34 2*25 | 1*25",
         .weights = "values", .scale = 10},
        {SYMMETRIC_REAL "2 2 1\n2 1 5\n", "2: 1*1 | 0*1", .weights = "values", .scale = 0.125},
        {SYMMETRIC_REAL "2 2 1\n2 1 0.1\n", "2: 1*0 | 0*0", .weights = "values"},
        {SYMMETRIC_REAL "2 2 1\n2 1 -2147483647\n", "2: 1*2147483647 | 0*2147483647",
         .weights = "values"},
        {SYMMETRIC "2 2 1\n2 1\n", "2: 1*1 | 0*1", .weights = "values"},
        {SYMMETRIC "2 2 1\n2 1\n", "2: 1*7 | 0*7", .weights = "values", .scale = 7},
        /* Explicit weights of duplicates are summed, at any positions. */
        {SYMMETRIC_REAL "2 2 4\n2 1 3\n1 2 4\n2 1 5\n2 2 9\n", "2: 1*12 | 0*12",
         .weights = "values"},
        {BANNER("integer", "skew-symmetric") "2 2 2\n2 1 3\n1 2 -4\n", "2: 1*7 | 0*7",
         .weights = "values"},
        /* General files must be symmetric, or the options must say how to symmetrise them. */
        {REAL "2 2 2\n2 1 3\n1 2 3\n", "2: 1*3 | 0*3", .weights = "values"},
        {REAL "2 2 2\n2 1 3\n1 2 -3.2\n", "2: 1*3 | 0*3", .weights = "values"},
        {REAL "2 2 2\n2 1 3\n1 2 4\n", "2: 1*7 | 0*7", .symmetrise = "sum",
         .weights = "values"},
        {REAL "2 2 2\n2 1 3\n1 2 4\n", "2: 1*4 | 0*4", .symmetrise = "max",
         .weights = "values"},
        /* By rows: the first entry must not be turned around. */
        {REAL "3 3 4\n1 2 4\n1 3 5\n2 1 4\n3 1 5\n", "3: 1*4 2*5 | 0*4 | 0*5",
         .weights = "values"},
        {REAL "2 2 1\n1 2 4\n", "2: 1*4 | 0*4", .symmetrise = "sum", .weights = "values"},
        {REAL "2 2 2\n1 2 4\n1 2 5\n", "2: 1*9 | 0*9", .symmetrise = "max",
         .weights = "values"},
        {REAL "2 2 2\n2 1 3\n1 2 4\n",
         "EPARSE @: edge 2 - 1 has weight 4 this way and 3 the other way",
         .weights = "values"},
        {REAL "2 2 1\n2 1 3\n", "EPARSE @: vertex 1 lists neighbour 2, which does not list it",
         .weights = "values"},
        /* Without the wish, values are no weights, and nothing is to be symmetrised. */
        {REAL "2 2 2\n2 1 3\n1 2 4\n", "2: 1 | 0", .symmetrise = "sum"},
        {REAL "2 2 1\n2 1 3\n", "2: 1 | 0", .flags = CLEAVE_REPAIR},
        {SYMMETRIC_REAL "2 2 2\n2 1 2147483647\n2 1 1\n",
         "ERANGE @: the weights of the duplicates of edge 1 - 2 sum to more than 2147483647",
         .weights = "values"},
        {REAL "2 2 2\n2 1 2147483647\n1 2 1\n",
         "ERANGE @: the weights of edge 1 - 2 sum to more than 2147483647",
         .symmetrise = "sum", .weights = "values"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

static void test_directed(void)
{
    static const reader_case cases[] = {
        /* Arcs run from column to row. */
        {PATTERN "3 3 3\n2 1\n3 2\n3 3\n", "dag 3: 1 | 2 |", .as = "dag"},
        {PATTERN "3 3 2\n1 2\n2 3\n", "dag 3: | 0 | 1", .as = "dag"},
        {PATTERN "3 3 3\n1 2\n3 2\n3 1\n", "dag 3: 2 | 0 2 |", .as = "dag"},
        {PATTERN "3 3 3\n1 2\n1 3\n1 1\n", "dag 3: | 0 | 0", .as = "dag"},
        {REAL "3 3 3\n2 1 1.5\n2 1 2\n3 2 7\n", "dag 3: 1*4 | 2*7 |", .as = "dag",
         .weights = "values"},
        {PATTERN "3 3 2\n2 1\n1 2\n", "ECYCLE @: the graph has a cycle: 1 -> 2 -> 1",
         .as = "dag"},
        {SYMMETRIC "3 3 1\n2 1\n",
         "EPARSE @:2: a symmetric matrix is not a DAG; read one of its triangles with "
         "\"lower\" "
         "or \"upper\"",
         .as = "dag"},
        {BANNER("real", "skew-symmetric") "%\n3 3 1\n2 1 1\n",
         "EPARSE @:3: a symmetric matrix is not a DAG; read one of its triangles with "
         "\"lower\" "
         "or \"upper\"",
         .as = "dag"},
        {PATTERN "3 3 5\n2 1\n1 2\n3 2\n2 2\n1 3\n", "dag 3: 1 | 2 |", .as = "lower"},
        {PATTERN "3 3 5\n2 1\n1 2\n3 2\n2 2\n1 3\n", "dag 3: | 0 | 0", .as = "upper"},
        {PATTERN "3 3 3\n1 2\n1 3\n2 3\n", "dag 3: | |", .as = "lower"},
        {SYMMETRIC "3 3 2\n2 1\n3 2\n", "dag 3: 1 | 2 |", .as = "lower"},
        {SYMMETRIC "3 3 2\n2 1\n3 2\n", "dag 3: | 0 | 1", .as = "upper"},
        {SYMMETRIC "3 3 3\n1 2\n2 1\n2 3\n", "dag 3: 1 | 2 |", .as = "lower"},
        {REAL "3 3 5\n2 1 4\n1 2 5\n3 2 6\n2 2 7\n2 1 8\n", "dag 3: 1*12 | 2*6 |",
         .as = "lower", .weights = "values"},
        {SYMMETRIC_REAL "2 2 2\n2 1 4\n1 2 5\n", "dag 2: | 0*9", .as = "upper",
         .weights = "values"},
        {PATTERN "3 3 1\n1 3\n", "3: 2 | | 0", .as = "undirected"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

/* ---- Complaints ----------------------------------------------------------------------- */

static void test_header_complaints(void)
{
    static const reader_case cases[] = {
        {" ", "EPARSE @:1: the first line is not a %%MatrixMarket banner"},
        {"\n" PATTERN "1 1 0\n", "EPARSE @:1: the first line is not a %%MatrixMarket banner"},
        {"%MatrixMarket matrix coordinate pattern general\n1 1 0\n",
         "EPARSE @:1: the first line is not a %%MatrixMarket banner"},
        {"%%MatrixMarketmatrix coordinate pattern general\n1 1 0\n",
         "EPARSE @:1: the first line is not a %%MatrixMarket banner"},
        {"%%MatrixMarket vector coordinate pattern general\n",
         "EPARSE @:1: the banner does not describe a matrix"},
        {"%%MatrixMarket\n", "EPARSE @:1: the banner does not describe a matrix"},
        {"%%MatrixMarket matrix array real general\n1 1\n1\n",
         "EPARSE @:1: only coordinate files hold a sparse matrix"},
        {"%%MatrixMarket matrix", "EPARSE @:1: only coordinate files hold a sparse matrix"},
        {"%%MatrixMarket matrix coordinate quaternion general\n",
         "EPARSE @:1: the field is not real, integer or pattern"},
        {"%%MatrixMarket matrix coordinate\n",
         "EPARSE @:1: the field is not real, integer or pattern"},
        {BANNER("complex", "general"), "EPARSE @:1: complex values are not supported"},
        {BANNER("Complex", "hermitian"), "EPARSE @:1: complex values are not supported"},
        {BANNER("real", "Hermitian"),
         "EPARSE @:1: hermitian matrices are complex and not supported"},
        {BANNER("real", "symetric"),
         "EPARSE @:1: the symmetry is not general, symmetric or skew-symmetric"},
        {"%%MatrixMarket matrix coordinate real\n",
         "EPARSE @:1: the symmetry is not general, symmetric or skew-symmetric"},
        {PATTERN, "EPARSE @:2: the file ends before its size line"},
        {PATTERN "%\n% c\n\n", "EPARSE @:5: the file ends before its size line"},
        {PATTERN "x 2 3\n", "EPARSE @:2: the number of rows is \"x\", not a whole number"},
        {PATTERN "-1 2 3\n", "EPARSE @:2: the number of rows is -1, outside 0..2147483646"},
        {PATTERN "2147483647 2 3\n",
         "EPARSE @:2: the number of rows is 2147483647, outside 0..2147483646"},
        {PATTERN "2\n", "EPARSE @:2: the line ends before the number of columns"},
        {PATTERN "2 2.5 1\n",
         "EPARSE @:2: the number of columns is \"2.5\", not a whole number"},
        {PATTERN "2 2147483647 1\n",
         "EPARSE @:2: the number of columns is 2147483647, outside 0..2147483646"},
        {PATTERN "%\n2 2", "EPARSE @:3: the file ends before the number of entries"},
        {PATTERN "2 2 -1\n",
         "EPARSE @:2: the number of entries is -1, outside 0..288230376151711743"},
        {PATTERN "2 2 1 0\n", "EPARSE @:2: the size line has more than three numbers"},
        {SYMMETRIC "2 3 1\n2 1\n", "EPARSE @:2: a symmetric matrix of 2 x 3 is not square"},
        {PATTERN "%\n2 3 1\n2 1\n",
         "EPARSE @:3: a matrix of 2 x 3 is not a graph: it is not square"},
        {PATTERN "3 2 1\n2 1\n",
         "EPARSE @:2: a matrix of 3 x 2 is not a graph: it is not square", .as = "dag"},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

static void test_entry_complaints(void)
{
    static const reader_case cases[] = {
        {PATTERN "3 3 2\n2 1\n", "EPARSE @:4: the file ends after 1 of 2 entries"},
        {PATTERN "3 3 2\n2 1", "EPARSE @:3: the file ends after 1 of 2 entries"},
        {SYMMETRIC "3 3 2\n2 1\n%\n", "EPARSE @:5: the file ends after 1 of 2 entries"},
        {PATTERN "3 3 1\n2 1\n3 1\n",
         "EPARSE @:4: unexpected text after the last of 1 entries"},
        {SYMMETRIC "3 3 1\n2 1\n\n%\n3 1\n",
         "EPARSE @:6: unexpected text after the last of 1 entries"},
        {PATTERN "3 3 0\n3", "EPARSE @:3: unexpected text after the last of 0 entries"},
        {PATTERN "3 3 1\n4 1\n", "EPARSE @:3: the row of an entry is 4, outside 1..3"},
        {SYMMETRIC "3 3 1\n0 1\n", "EPARSE @:3: the row of an entry is 0, outside 1..3"},
        {PATTERN "3 3 1\n-1 1\n", "EPARSE @:3: the row of an entry is -1, outside 1..3"},
        {PATTERN "3 3 1\n99999999999999999999 1\n",
         "EPARSE @:3: the row of an entry is 99999999999999999999, outside 1..3"},
        {PATTERN "3 3 1\n1 4\n", "EPARSE @:3: the column of an entry is 4, outside 1..3"},
        {SYMMETRIC "3 3 1\n1 0\n", "EPARSE @:3: the column of an entry is 0, outside 1..3"},
        {PATTERN "3 3 1\nx 1\n",
         "EPARSE @:3: the row of an entry is \"x\", not a whole number"},
        {PATTERN "3 3 1\n1x 1\n",
         "EPARSE @:3: the row of an entry is \"1x\", not a whole number"},
        {PATTERN "3 3 1\n1,2\n",
         "EPARSE @:3: the row of an entry is \"1,2\", not a whole number"},
        {PATTERN "3 3 1\n1 2.0\n",
         "EPARSE @:3: the column of an entry is \"2.0\", not a whole number"},
        {PATTERN "3 3 1\n1 %\n",
         "EPARSE @:3: the column of an entry is \"%\", not a whole number"},
        {PATTERN "3 3 1\n1\n", "EPARSE @:3: the line ends before the column of an entry"},
        {PATTERN "3 3 1\n1", "EPARSE @:3: the file ends before the column of an entry"},
        {REAL "3 3 1\n1 2\n", "EPARSE @:3: the line ends before the value of an entry"},
        {REAL "3 3 1\n1 2 x\n", "EPARSE @:3: the value of an entry is \"x\", not a number"},
        {REAL "3 3 1\n1 2 .\n", "EPARSE @:3: the value of an entry is \".\", not a number"},
        {REAL "3 3 1\n1 2 1e\n", "EPARSE @:3: the value of an entry is \"1e\", not a number"},
        {REAL "3 3 1\n1 2 1.5.2\n",
         "EPARSE @:3: the value of an entry is \"1.5.2\", not a number"},
        {REAL "3 3 1\n1 2 3 4\n", "EPARSE @:3: the entry has more than 3 numbers"},
        {REAL "3 3 1\n1 2 3 % c\n", "EPARSE @:3: the entry has more than 3 numbers"},
        {PATTERN "3 3 1\n1 2 3\n", "EPARSE @:3: the entry has more than 2 numbers"},
        {SYMMETRIC "3 3 1\n2 1 3\n", "EPARSE @:3: the entry has more than 2 numbers"},
        {REAL "%\n3 3 2\n1 2 2147483648\n2 1 1\n",
         "EPARSE @:4: the value of the entry, scaled, is not in 0..2147483647",
         .weights = "values"},
        {REAL "3 3 1\n1 2 nan",
         "EPARSE @:3: the value of the entry, scaled, is not in "
         "0..2147483647",
         .weights = "values"},
        {SYMMETRIC_REAL "3 3 1\n\n2 1 -inf\n",
         "EPARSE @:4: the value of the entry, scaled, is not in 0..2147483647",
         .weights = "values"},
        {SYMMETRIC "3 3 1\n2 1\n",
         "EPARSE @:3: the value of the entry, scaled, is not in "
         "0..2147483647",
         .weights = "values", .scale = 3e9},
    };
    READER_CHECK_ALL("mtx", "mtx", cases);
}

/* ---- Windows -------------------------------------------------------------------------- */

static void test_borders(void)
{
    const size_t borders[] = {65536, 65536 + CLV_TEXT_WINDOW};
    const reader_case general = {NULL, "11: 9*12 10*7 | | | | | | | | | 0*12 | 0*7",
                                 .symmetrise = "max", .weights = "values"};
    const reader_case ordered = {NULL, "11: 1 9 10 | 0 | | | | | | | | 0 10 | 0 9"};
    const reader_case bad = {NULL, "EPARSE @:5: the row of an entry is 12, outside 1..11"};
    for (int i = 0; i < 2; i++) {
        reader_check_border("mtx", "mtx", REAL,
                            "11 11 4\n10 1 1.2e1\n% c\n1 10 -12\r\n \t11 1  007.25 \n3 3 9",
                            borders[i], &general);
        reader_check_border("mtx", "mtx", SYMMETRIC, "11 11 4\n2 1\n10 1\n11 1\n\n11 10\n",
                            borders[i], &ordered);
        reader_check_border("mtx", "mtx", SYMMETRIC, "11 11 3\n2 1\n12 1\n11 10\n", borders[i],
                            &bad);
    }
}

/* Lines too long for the fast parser, and longer than the window. */
static void test_long_lines(void)
{
    const reader_case good = {NULL, "2: 1*5 | 0*5", .weights = "values"};
    const size_t lengths[] = {240, 250, 255, 256, 257, 300, 70000, 400000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        char *text = malloc(n + 200);
        int head = sprintf(text, "%s2 2 1\n2 1", SYMMETRIC_REAL);
        memset(text + head, ' ', n);
        strcpy(text + head + n, "5\n");
        CHECK_STR(reader_result("mtx", test_file("long.mtx", text), &good), good.expected);
        memset(text + head + 1, '0', n - 1);
        const reader_case word = {NULL, "EPARSE @:3: a word is longer than 262144 bytes",
                                  .weights = "values"};
        const reader_case *c = n > CLV_TEXT_WINDOW ? &word : &good;
        CHECK_STR(reader_result("mtx", test_file("long.mtx", text), c), c->expected);
        free(text);
    }
}

/* ---- Writing, memory, absurd headers --------------------------------------------------- */

static void check_written(const char *text, const char *as, const char *weights,
                          const char *expected)
{
    cleave_graph *g = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    opt.weights = weights;
    CHECK_OK(cleave_graph_read(&g, test_file("in.mtx", text), &opt, &err));
    const char *path = fixture_path("out.mtx");
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
    check_written(PATTERN "0 0 0\n", NULL, NULL, SYMMETRIC "0 0 0\n");
    check_written(PATTERN "3 3 2\n3 2\n1 2\n", NULL, NULL, SYMMETRIC "3 3 2\n2 1\n3 2\n");
    check_written(PATTERN "3 3 2\n3 2\n1 2\n", "dag", NULL, PATTERN "3 3 2\n1 2\n3 2\n");
    check_written(SYMMETRIC_REAL "2 2 1\n2 1 7\n", NULL, "values",
                  BANNER("integer", "symmetric") "2 2 1\n2 1 7\n");
    check_written(SYMMETRIC_REAL "2 2 1\n2 1 7\n", "upper", "values",
                  BANNER("integer", "general") "2 2 1\n1 2 7\n");
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {PATTERN "3 3 2\n2 1\n3 2\n", "3: 1 | 0 2 | 1"},
        {SYMMETRIC "3 3 2\n2 1\n3 2\n", "3: 1 | 0 2 | 1"},
        {SYMMETRIC "3 3 3\n2 1\n3 2\n2 1\n", "3: 1 | 0 2 | 1"},
        {SYMMETRIC "3 3 2\n2 1\n3 2\n", "dag 3: 1 | 2 |", .as = "lower"},
        {REAL "3 3 3\n2 1 1\n2 1 1\n3 2 5\n", "3: 1*2 | 0*2 2*5 | 1*5", .symmetrise = "sum",
         .weights = "values"},
        {REAL "3 3 3\n2 1 1\n2 1 1\n3 2 5\n", "dag 3: 1*2 | 2*5 |", .as = "dag",
         .weights = "values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reader_check_memory("mtx", test_file("memory.mtx", cases[i].text), &cases[i]);
        const char *packed =
            reader_gzip_file("memory.mtx.gz", cases[i].text, strlen(cases[i].text));
        if (packed && i < 2)
            reader_check_memory(NULL, packed, &cases[i]);
    }
    const fixture_kind kind = {.nvtx = 50, .nedge = 80, .ncon = 1, .ewgt = true};
    clv_graph *g = fixture_graph(&kind, 9);
    reader_check_write_memory(g, fixture_path("memory-out.mtx"));
    reader_check_write_memory(g, fixture_path("memory-out.mtx.gz"));
    clv_graph_free(g);
}

/* More entries than are handed on at a time. */
static void test_memory_many(void)
{
    enum { n = 3000 };
    char *text = malloc(n * 12 + 200);
    size_t used = (size_t)sprintf(text, "%s%d %d %d\n", PATTERN, n + 1, n + 1, n);
    for (int i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%d 1\n", n + 1 - i);
    const char *path = test_file_bytes("many.mtx", text, used);
    free(text);
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom)) {
        cleave_graph *g = NULL;
        TEST_OOM(&oom, cleave_graph_read(&g, path, NULL, &err));
        CHECK(!g || cleave_graph_edges(g) == n);
        cleave_graph_free(g);
    }
    CHECK(oom.nth < 1000);
}

static void test_absurd_headers(void)
{
    static const reader_case cases[] = {
        {PATTERN "2147483646 2147483646 0\n",
         "ERANGE @: 2147483646 rows with 0 entries in all are implausible"},
        {SYMMETRIC "2147483646 2147483646 33554430\n2147483646 1\n",
         "ERANGE @: 2147483646 rows with 33554430 entries in all are implausible"},
        {SYMMETRIC "2147483646 2147483646 0\n",
         "ERANGE @: 2147483646 rows with 0 entries in all are implausible", .as = "lower"},
        {PATTERN "2147483646 2147483646 200000000000000000\n2 1\n",
         "EPARSE @:4: the file ends after 1 of 200000000000000000 entries"},
        {SYMMETRIC "2147483646 2147483646 200000000000000000\n2 1\n",
         "EPARSE @:4: the file ends after 1 of 200000000000000000 entries"},
        {REAL "3 3 1000000000000000000\n2 1 4\n",
         "EPARSE @:2: the number of entries is 1000000000000000000, outside "
         "0..288230376151711743"},
        {SYMMETRIC_REAL "3 3 288230376151711743\n2 1 4\n",
         "EPARSE @:4: the file ends after 1 of 288230376151711743 entries",
         .weights = "values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reader_check_absurd("mtx", &cases[i], false);
        reader_check_absurd("mtx", &cases[i], true);
    }
}

/* The maximum number of empty rows. */
static void test_many_rows(void)
{
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        struct rlimit limit = {1u << 30, 1u << 30};
        if (reader_may_limit() && setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        const char *path = test_file("many.mtx", SYMMETRIC "4194304 4194304 1\n4194304 1\n");
        cleave_graph *g = NULL;
        cleave_status status = cleave_graph_read(&g, path, NULL, &err);
        bool good = status == CLEAVE_OK && g->nvtx == 4194304 && g->narc == 2;
        cleave_graph_free(g);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    RUN(test_banners);
    RUN(test_layout);
    RUN(test_patterns);
    RUN(test_weights);
    RUN(test_directed);
    RUN(test_header_complaints);
    RUN(test_entry_complaints);
    RUN(test_borders);
    RUN(test_long_lines);
    RUN(test_writing);
    RUN(test_memory);
    RUN(test_memory_many);
    RUN(test_absurd_headers);
    RUN(test_many_rows);
    return test_end();
}
