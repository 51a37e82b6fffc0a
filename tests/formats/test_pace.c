/* SPDX-License-Identifier: Apache-2.0 */
/* PACE and DIMACS graphs: the three kinds, every error message, failing allocations, round
 * trips. */
#include "formats/reader_fixture.h"

static cleave_error err;

static void test_kinds(void)
{
    static const reader_case cases[] = {
        {"c a comment\np tw 3 2\n1 2\nc another\n2 3\n", "3: 1 | 0 2 | 1"},
        {"p tw 3 2\r\n1 2\r\n\r\n 2\t3", "3: 1 | 0 2 | 1"},
        {"c\nc\np td 3 1\n3 1\n", "3: 2 | | 0"},
        {"p cep 2 1\n2 1\n", "2: 1 | 0"},
        {"p ds 2 0\n", "2: |"},
        {"p tww 0 0\n", "0:"},
        {"p tdp 1 0\n", "1:"},
        /* Edges named twice, either way, are one; loops none. */
        {"p tw 2 3\n1 2\n2 1\n1 1\n", "2: 1 | 0"},
        {"p edge 3 2\ne 1 2\ne 3 2\n", "3: 1 | 0 2 | 1"},
        {"p col 3 2\ne 1 2\ne 3 2\n", "3: 1 | 0 2 | 1"},
        {"p edges 3 2\ne 1 2\ne 3 2\n", "3: 1 | 0 2 | 1"},
        /* Colouring files count edges once or twice. */
        {"p edge 3 4\ne 1 2\ne 3 2\n", "3: 1 | 0 2 | 1"},
        {"p edge 3 1\ne 1 2\ne 2 1\n", "3: 1 | 0 |"},
        {"p edge 3 1\nn 2 5\ne 1 2\n", "3: (1) 1 | (5) 0 | (1)"},
        {"p edge 3 1\ne 1 2\nn 3 0\nn 1 2147483647\n", "3: (2147483647) 1 | (1) 0 | (0)"},
        {"p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 0\na 3 2 0\n", "3: 1*5 | 0*5 2*0 | 1*0"},
        {"p sp 2 2\na 1 2 5\na 2 1 7\n",
         "EPARSE @: edge 2 - 1 has weight 7 this way and 5 the other way"},
        {"p sp 2 1\na 1 2 5\n",
         "EPARSE @: vertex 1 lists neighbour 2, which does not list it"},
        {"p sp 2 1\na 1 2 5\n", "2: 1*5 | 0*5", .symmetrise = "sum"},
        {"p sp 2 2\na 1 2 5\na 2 1 7\n", "2: 1*7 | 0*7", .symmetrise = "max"},
        {"p sp 2 1\na 1 2 5\n", "2: 1*5 | 0*5 one_way=1", .flags = CLEAVE_REPAIR},
        {"p sp 2 4\na 1 2 5\na 2 1 5\na 1 2 1\na 2 1 1\n", "2: 1*6 | 0*6"},
        {"p tw 3 2\n1 2\n3 2\n", "dag 3: 1 | | 1", .as = "dag"},
        {"p sp 3 2\na 1 2 5\na 3 2 6\n", "dag 3: 1*5 | | 1*6", .as = "dag"},
        {"p tw 3 2\n1 2\n3 2\n", "dag 3: 1 | 2 |", .as = "lower"},
    };
    READER_CHECK_ALL("pace", "gr", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file has no p line"},
        {"c only\n", "EPARSE @:2: the file has no p line"},
        {"1 2\n", "EPARSE @:1: a line precedes the p line"},
        {"px tw 1 0\n", "EPARSE @:1: a line precedes the p line"},
        {"p\n", "EPARSE @:1: the p line does not name a problem"},
        {"p cnf 3 2\n", "EPARSE @:1: \"cnf\" is not a problem on graphs: tw, edge, col or sp"},
        {"p tw\n", "EPARSE @:1: the line ends before the number of vertices"},
        {"p tw 3\n", "EPARSE @:1: the line ends before the number of edges"},
        {"p tw x 3\n", "EPARSE @:1: the number of vertices is \"x\", not a whole number"},
        {"p tw 2147483647 3\n",
         "EPARSE @:1: the number of vertices is 2147483647, outside 0..2147483646"},
        {"p tw 3 2 1\n", "EPARSE @:1: unexpected text after the number of edges"},
        {"p tw 3 2\np tw 3 2\n", "EPARSE @:2: the file has a second p line"},
        {"p tw 3 2\n1\n", "EPARSE @:2: the line ends before a vertex"},
        {"p tw 3 2\n1 4\n", "EPARSE @:2: a vertex is 4, outside 1..3"},
        {"p tw 3 2\n0 1\n", "EPARSE @:2: a vertex is 0, outside 1..3"},
        {"p tw 3 2\n-1 1\n", "EPARSE @:2: \"-1\" does not start a line 'u v'"},
        {"p tw 3 2\n1 2 3\n", "EPARSE @:2: unexpected text after the edge"},
        {"p tw 3 2\ne 1 2\n", "EPARSE @:2: \"e\" does not start a line 'u v'"},
        {"p edge 3 2\n1 2\n", "EPARSE @:2: \"1\" does not start a line 'e u v'"},
        {"p edge 3 2\ne1 2\n", "EPARSE @:2: \"e1\" does not start a line 'e u v'"},
        {"p edge 3 2\nn 4 1\n", "EPARSE @:2: a vertex is 4, outside 1..3"},
        {"p edge 3 2\nn 1\n", "EPARSE @:2: the line ends before the weight of a vertex"},
        {"p edge 3 2\nn 1 1 1\n",
         "EPARSE @:2: unexpected text after the weight of the vertex"},
        {"p sp 3 2\ne 1 2\n", "EPARSE @:2: \"e\" does not start a line 'a u v weight'"},
        {"p sp 3 2\nn 1 2\n", "EPARSE @:2: \"n\" does not start a line 'a u v weight'"},
        {"p sp 3 2\na 1 2\n", "EPARSE @:2: the line ends before the weight of an arc"},
        {"p sp 3 2\na 1 2 -1\n",
         "EPARSE @:2: the weight of an arc is -1, outside 0..2147483647"},
        {"p sp 3 2\na 1 2 3 4\n", "EPARSE @:2: unexpected text after the arc"},
        {"p tw 3 2\n1 2\n", "EPARSE @:1: the p line has 2 edges, but the file has 1"},
        {"p edge 3 3\ne 1 2\n", "EPARSE @:1: the p line has 3 edges, but the file has 1"},
        {"p tw 3 2\n1 2\n", "3: 1 | 0 | counts=1", .flags = CLEAVE_REPAIR},
        {"p tw 2 2\n1 2\n2 1\n", "ECYCLE @: the graph has a cycle: 1 -> 2 -> 1", .as = "dag"},
    };
    READER_CHECK_ALL("pace", "gr", cases);
    static const reader_case absurd[] = {
        {"p tw 2147483646 0\n",
         "ERANGE @: 2147483646 vertices with 0 edges in all are implausible"},
        {"p edge 2147483646 0\nn 2000000000 1\n",
         "ERANGE @: 2147483646 vertices with 0 edges in all are implausible"},
    };
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        reader_check_absurd("pace", &absurd[i], false);
        reader_check_absurd("pace", &absurd[i], true);
    }
}

static void test_detection(void)
{
    static const char *const good[] = {"p tw 3 2\n1 2\n", "c x\nc y\n\np edge 3 2\n",
                                       "p sp 3 2\r\n", "p col 1 1"};
    static const char *const bad[] = {"p cnf 3 2\n", "ptw 3 2\n", "p",
                                      "c x",         "c tw\nx",   "p  "};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(clv_format_detect("x.txt", good[i], strlen(good[i])) == &clv_format_pace);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(clv_format_detect("-", bad[i], strlen(bad[i])) != &clv_format_pace);
    CHECK(clv_format_by_path("a.gr.gz") == &clv_format_pace);
}

static void test_round_trips(void)
{
    for (int bits = 0; bits < 4; bits++)
        for (int32_t nvtx = 0; nvtx < 200; nvtx = 3 * nvtx + 1) {
            fixture_kind kind = {.kind = bits & 2 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                                 .nvtx = nvtx,
                                 .nedge = 3 * nvtx,
                                 .ewgt = bits & 1,
                                 .ncon = 1};
            clv_graph *g = fixture_graph(&kind, (uint64_t)bits + 1), *back;
            const char *path = fixture_path("r.gr.gz");
            clv_read_options opt = fixture_options();
            opt.as = kind.kind == CLEAVE_DAG ? CLV_AS_DAG : CLV_AS_AUTO;
            CHECK_OK(fixture_write(g, &clv_format_pace, path, NULL, &err));
            CHECK_OK(fixture_read(&back, &clv_format_pace, path, &opt, &err));
            CHECK(back && fixture_same(g, back));
            clv_graph_free(back);
            clv_graph_free(g);
        }
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {"p tw 3 2\n1 2\n2 3\n", "3: 1 | 0 2 | 1"},
        {"p edge 3 1\nn 2 5\ne 1 2\n", "3: (1) 1 | (5) 0 | (1)"},
        {"p sp 2 2\na 1 2 5\na 2 1 5\n", "2: 1*5 | 0*5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_memory("pace", test_file("m.gr", cases[i].text), &cases[i]);
    fixture_kind kind = {.nvtx = 5, .nedge = 8, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 3);
    reader_check_write_memory(g, fixture_path("m.gr"));
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_kinds);
    RUN(test_complaints);
    RUN(test_detection);
    RUN(test_round_trips);
    RUN(test_memory);
    return test_end();
}
