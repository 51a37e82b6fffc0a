/* SPDX-License-Identifier: Apache-2.0 */
/* Scotch graphs: every flag, every error message, labels in any order, failing allocations,
 * round trips, and whether Scotch's own programs read our files. */
#include "formats/reader_fixture.h"

static cleave_error err;

static void test_flags(void)
{
    static const reader_case cases[] = {
        {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n", "3: 1 | 0 2 | 1"},
        {"0\n3 4\n1 000\n1 2\n2 1 3\n1 2\n", "3: 1 | 0 2 | 1"},
        {"0\n3 4\n0 0\n1 1\n2 2 0\n1 1\n", "3: 1 | 0 2 | 1"},
        /* Line breaks mean nothing. */
        {"0 3 4 0 000 1 1 2 0 2 1 1", "3: 1 | 0 2 | 1"},
        {"0\r\n\r\n3\t4\r\n0\t000\r\n1\t\n\n1\r\n2\t0\t2\r\n1\t1\r\n\n", "3: 1 | 0 2 | 1"},
        {"0\n3 4\n0 001\n5 1 1\n6 2 0 2\n0 1 1\n", "3: (5) 1 | (6) 0 2 | (0) 1"},
        {"0\n3 4\n0 1\n5 1 1\n6 2 0 2\n0 1 1\n", "3: (5) 1 | (6) 0 2 | (0) 1"},
        {"0\n3 4\n0 010\n1 7 1\n2 7 0 0 2\n1 0 1\n", "3: 1*7 | 0*7 2*0 | 1*0"},
        {"0\n3 4\n0 10\n1 7 1\n2 7 0 0 2\n1 0 1\n", "3: 1*7 | 0*7 2*0 | 1*0"},
        {"0\n3 4\n0 011\n5 1 7 1\n6 2 7 0 0 2\n9 1 0 1\n",
         "3: (5) 1*7 | (6) 0*7 2*0 | (9) 1*0"},
        {"0\n2 2\n0 011\n2147483647 1 2147483647 1\n0 1 2147483647 0\n",
         "2: (2147483647) 1*2147483647 | (0) 0*2147483647"},
        {"0\n0 0\n0 000\n", "0:"},
        {"0\n1 0\n1 111\n7 5 0\n", "1: '7' (5)"},
        {"0\n2 0\n0 000\n0\n0\n", "2: |"},
        {"0\n2 1\n0 000\n1 1\n0\n", "dag 2: 1 |", .as = "dag"},
        {"0\n2 2\n0 000\n1 1\n1 0\n", "dag 2: 1 |", .as = "lower"},
    };
    READER_CHECK_ALL("scotch", "grf", cases);
}

static void test_labels(void)
{
    static const reader_case cases[] = {
        /* Any numbers, in any order: numbered by ascending label. */
        {"0\n3 4\n0 100\n30 1 20\n10 1 20\n20 2 10 30\n", "3: '10' 1 | '20' 0 2 | '30' 1"},
        {"0\n3 4\n0 111\n30 3 1 9 20\n10 1 1 8 20\n20 2 2 8 10 9 30\n",
         "3: '10' (1) 1*8 | '20' (2) 0*8 2*9 | '30' (3) 1*9"},
        {"0\n2 2\n0 100\n9000000000000000000 1 0\n0 1 9000000000000000000\n",
         "2: '0' 1 | '9000000000000000000' 0"},
        /* The numbers from the base on are no names. */
        {"0\n3 4\n1 100\n3 1 2\n1 1 2\n2 2 1 3\n", "3: 1 | 0 2 | 1"},
        {"0\n3 4\n0 101\n2 7 1 1\n0 5 1 1\n1 6 2 0 2\n", "3: (5) 1 | (6) 0 2 | (7) 1"},
        {"0\n2 2\n0 100\n1 1 2\n2 1 1\n", "2: '1' 1 | '2' 0"},
        {"0\n0 0\n0 100\n", "0:"},
        {"0\n2 0\n0 100\n\n1 0\n1 0\n", "EPARSE @:6: label 1 occurs twice"},
        {"0\n2 1\n0 100\n1 1 3\n2 0\n", "EPARSE @:4: neighbour 3 is the label of no vertex"},
        {"0\n2 1\n0 100\n1 1 2\n2 0\n",
         "EPARSE @:4: vertex 1 lists neighbour 2, which does not list it"},
        {"0\n1 0\n0 100\n-1 0\n",
         "EPARSE @:4: the label of a vertex is -1, outside 0..9223372036854775807"},
        {"0\n1 1\n0 100\n1 1 x\n",
         "EPARSE @:4: the label of a neighbour is \"x\", not a whole number"},
    };
    READER_CHECK_ALL("scotch", "grf", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"", "EPARSE @:1: the file ends before the version of the format"},
        {"1\n", "EPARSE @:1: the version of the format is 1, outside 0..0"},
        {"x\n", "EPARSE @:1: the version of the format is \"x\", not a whole number"},
        {"0\n", "EPARSE @:2: the file ends before the number of vertices"},
        {"0\n-1 0\n", "EPARSE @:2: the number of vertices is -1, outside 0..2147483646"},
        {"0\n2147483647 0\n",
         "EPARSE @:2: the number of vertices is 2147483647, outside 0..2147483646"},
        {"0\n3\n", "EPARSE @:3: the file ends before the number of arcs"},
        {"0\n3 4\n", "EPARSE @:3: the file ends before the number of the first vertex"},
        {"0\n3 4\n2 000\n", "EPARSE @:3: the number of the first vertex is 2, outside 0..1"},
        {"0\n3 4\n0", "EPARSE @:3: the file ends before its three flags"},
        {"0\n3 4\n0 002\n", "EPARSE @:3: the flags \"002\" are not up to three digits 0 or 1"},
        {"0\n3 4\n0 0000\n",
         "EPARSE @:3: the flags \"0000\" are not up to three digits 0 or 1"},
        {"0\n3 4\n0 000\n1 1\n", "EPARSE @:5: the file ends after 1 of 3 vertices"},
        {"0\n3 4\n0 000\n1 1\n2 0", "EPARSE @:5: the file ends before a neighbour"},
        {"0\n3 4\n0 000\n1 3\n", "EPARSE @:4: a neighbour is 3, outside 0..2"},
        {"0\n3 4\n1 000\n1 0\n", "EPARSE @:4: a neighbour is 0, outside 1..3"},
        {"0\n3 4\n0 000\n-1\n",
         "EPARSE @:4: the degree of a vertex is -1, outside 0..2305843009213693951"},
        {"0\n3 4\n0 001\n-1\n",
         "EPARSE @:4: the weight of a vertex is -1, outside 0..2147483647"},
        {"0\n3 4\n0 010\n1 -1 2\n",
         "EPARSE @:4: the weight of an edge is -1, outside 0..2147483647"},
        {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n9\n",
         "EPARSE @:7: unexpected text after the last of 3 vertices"},
        {"0\n3 6\n0 000\n1 1\n2 0 2\n1 1\n",
         "EPARSE @: the header has 6 arcs, but the lists have 4"},
        {"0\n3 6\n0 000\n1 1\n2 0 2\n1 1\n", "3: 1 | 0 2 | 1 counts=1",
         .flags = CLEAVE_REPAIR},
        {"0\n2 1\n1 000\n1 2\n0\n",
         "EPARSE @:4: vertex 1 lists neighbour 2, which does not list it"},
        {"0\n2 1\n1 000\n1 2\n0\n", "2: 1 | 0 one_way=1", .flags = CLEAVE_REPAIR},
        {"0\n2 1\n1 000\n1 2\n0\n", "2: 1 | 0", .symmetrise = "sum"},
        {"0\n2 2\n0 010\n1 3 1\n1 4 0\n",
         "EPARSE @:5: edge 1 - 0 has weight 4 this way and 3 the other way"},
        {"0\n1 1\n0 000\n1 0\n", "EPARSE @:4: vertex 0 is its own neighbour"},
        {"0\n2 4\n0 000\n2 1 1\n2 0 0\n", "EPARSE @:4: vertex 0 lists neighbour 1 twice"},
        {"0\n2 2\n0 000\n1 1\n1 0\n", "ECYCLE @:4: the graph has a cycle: 0 -> 1 -> 0",
         .as = "dag"},
    };
    READER_CHECK_ALL("scotch", "grf", cases);
}

static void test_absurd(void)
{
    static const reader_case cases[] = {
        {"0\n2147483646 4000000000\n0 000\n1 1\n",
         "EPARSE @:5: the file ends after 1 of 2147483646 vertices"},
        {"0\n2 4\n0 000\n2000000000000 1\n", "EPARSE @:5: the file ends before a neighbour"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int piped = 0; piped < 2; piped++)
            reader_check_absurd("scotch", &cases[i], piped);
}

static void test_detection(void)
{
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n", "scotch"},
        {"0\r\n3\t4\r\n1\t111\r\n", "scotch"},
        {"0\n3 4\n0 00\n1 1\n", NULL},
        {"0\n3\n0 000\n", NULL},
        {"0 1\n3 4\n0 000\n", NULL},
        {"1\n3 4\n0 000\n", NULL},
        {"0\n3 4\n0 002\n", NULL},
        {"0\n3 4\n2 000\n", NULL},
        {"0\nx y\n0 000\n", NULL},
        {"0", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const clv_format *f = clv_format_detect("-", cases[i].text, strlen(cases[i].text));
        bool found = f && strcmp(f->name, "scotch") == 0;
        CHECK_EQ(found, cases[i].format != NULL);
    }
    CHECK(clv_format_by_path("a/b.grf.gz") == &clv_format_scotch);
    CHECK(clv_format_by_path("b.src") == &clv_format_scotch);
}

static void test_round_trips(void)
{
    for (int bits = 0; bits < 16; bits++)
        for (int32_t nvtx = 0; nvtx < 200; nvtx = 3 * nvtx + 1) {
            fixture_kind kind = {.kind = bits & 8 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                                 .nvtx = nvtx,
                                 .nedge = 3 * nvtx,
                                 .ewgt = bits & 1,
                                 .vwgt = bits & 2,
                                 .ncon = 1};
            clv_graph *g = fixture_graph(&kind, (uint64_t)bits + 1), *back;
            const char *path = fixture_path(bits & 4 ? "r.grf.gz" : "r.grf");
            clv_read_options opt = fixture_options();
            opt.as = kind.kind == CLEAVE_DAG ? CLV_AS_DAG : CLV_AS_AUTO;
            CHECK_OK(fixture_write(g, &clv_format_scotch, path, NULL, &err));
            CHECK_OK(fixture_read(&back, &clv_format_scotch, path, &opt, &err));
            CHECK(back && fixture_same(g, back));
            clv_graph_free(back);
            clv_graph_free(g);
        }
}

/* What is written for this text, read as this format. */
static const char *written(const char *text, const char *format)
{
    static char bytes[4096];
    cleave_graph *g;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = format;
    const char *path = fixture_path("w.grf");
    bytes[0] = '\0';
    CHECK_OK(cleave_graph_read(&g, test_file("w.in", text), &opt, &err));
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
    cleave_graph_free(g);
    FILE *file = fopen(path, "r");
    size_t count = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    bytes[count] = '\0';
    if (file)
        fclose(file);
    return bytes;
}

static void test_written(void)
{
    CHECK_STR(written("1 2\n", "edges"), "0\n2\t2\n0\t100\n1\t1\t2\n2\t1\t1\n");
    CHECK_STR(written("0 1 5\n", "edges"), "0\n2\t2\n0\t010\n1\t5\t1\n1\t5\t0\n");
    CHECK_STR(written("-1 2\n", "edges"), "0\n2\t2\n0\t000\n1\t1\n1\t0\n");
    CHECK_STR(written("graph { a -- b }\n", "dot"), "0\n2\t2\n0\t000\n1\t1\n1\t0\n");
    CHECK_STR(written("2 1 010 2\n3 4 2\n5 6 1\n", "metis"),
              "0\n2\t2\n0\t001\n3\t1\t1\n5\t1\t0\n");
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {"0\n3 4\n0 011\n5 1 7 1\n6 2 7 0 0 2\n9 1 0 1\n",
         "3: (5) 1*7 | (6) 0*7 2*0 | (9) 1*0"},
        {"0\n3 4\n0 111\n30 3 1 9 20\n10 1 1 8 20\n20 2 2 8 10 9 30\n",
         "3: '10' (1) 1*8 | '20' (2) 0*8 2*9 | '30' (3) 1*9"},
        {"0\n3 4\n1 100\n3 1 2\n1 1 2\n2 2 1 3\n", "3: 1 | 0 2 | 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_memory("scotch", test_file("m.grf", cases[i].text), &cases[i]);
    fixture_kind kind = {.nvtx = 5, .nedge = 8, .ncon = 1, .ewgt = true};
    clv_graph *g = fixture_graph(&kind, 3);
    reader_check_write_memory(g, fixture_path("m.grf"));
    clv_graph_free(g);
}

/* Scotch's graph tester reads our files, and its converter writes the same in METIS's words as
 * we do. */
static void test_scotch_programs(void)
{
    if (system("command -v gtst >/dev/null 2>&1") != 0 ||
        system("command -v gcv >/dev/null 2>&1") != 0) {
        printf("no Scotch: its programs are not asked\n");
        return;
    }
    for (int bits = 0; bits < 8; bits++) {
        char command[3 * 4096 + 64], grf[4096], chaco[4096];
        fixture_kind kind = {.nvtx = 40, .nedge = 90, .ncon = 1, .vwgt = bits & 2};
        clv_graph *g = fixture_graph(&kind, (uint64_t)bits + 1), *back;
        int32_t *ewgt = malloc((size_t)g->narc * sizeof *ewgt); /* Scotch requires them > 0 */
        for (int32_t v = 0; v < g->nvtx; v++)
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                ewgt[a] = 1 + v * g->adj[a] % 97;
        for (int32_t v = 0; g->vwgt && v < g->nvtx; v++)
            ((int32_t *)g->vwgt)[v] = v % 5 + 1;
        const int32_t *none = g->ewgt;
        g->ewgt = g->pwgt = bits & 1 ? ewgt : none;
        snprintf(grf, sizeof grf, "%s", fixture_path("theirs.grf"));
        snprintf(chaco, sizeof chaco, "%s", fixture_path("theirs.graph"));
        CHECK_OK(fixture_write(g, &clv_format_scotch, grf, NULL, &err));
        snprintf(command, sizeof command, "gtst %s >/dev/null && gcv -is -oc %s %s", grf, grf,
                 chaco);
        CHECK_EQ(system(command), 0);
        clv_read_options opt = fixture_options();
        CHECK_OK(fixture_read(&back, &clv_format_metis, chaco, &opt, &err));
        CHECK(back && fixture_same(g, back));
        clv_graph_free(back);
        /* And the other way round. */
        snprintf(command, sizeof command, "gcv -ic -os %s %s", chaco, grf);
        CHECK_EQ(system(command), 0);
        CHECK_OK(fixture_read(&back, &clv_format_scotch, grf, &opt, &err));
        CHECK(back && fixture_same(g, back));
        clv_graph_free(back);
        g->ewgt = g->pwgt = none;
        clv_graph_free(g);
        free(ewgt);
    }
}

int main(void)
{
    RUN(test_flags);
    RUN(test_labels);
    RUN(test_complaints);
    RUN(test_absurd);
    RUN(test_detection);
    RUN(test_round_trips);
    RUN(test_written);
    RUN(test_memory);
    RUN(test_scotch_programs);
    return test_end();
}
