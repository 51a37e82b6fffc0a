/* SPDX-License-Identifier: Apache-2.0 */
/* Partition files of METIS and mappings of Scotch. */
#include "formats/graph_fixture.h"

static cleave_error err;

/* "3 parts: 0 1 2", or the message. */
static const char *show_for(const clv_graph *g, const char *name, const char *text,
                            int32_t nvtx, int32_t nparts)
{
    static char shown[4096];
    clv_mapping *m;
    if (clv_partition_read(&m, test_file(name, text), g, nvtx, nparts, &err) != CLEAVE_OK) {
        CHECK(m == NULL);
        return fixture_message(&err);
    }
    char *to = shown + snprintf(shown, sizeof shown, "%d parts:", (int)m->nparts);
    for (int32_t v = 0; v < m->nvtx; v++)
        to += snprintf(to, 16, " %d", (int)m->part[v]);
    clv_mapping_free(m);
    return shown;
}

static const char *show(const char *name, const char *text, int32_t nvtx, int32_t nparts)
{
    return show_for(NULL, name, text, nvtx, nparts);
}

static void test_metis(void)
{
    CHECK_STR(show("g.part.3", "0\n2\n1\n", 3, 3), "3 parts: 0 2 1");
    CHECK_STR(show("g.part.3", "0\n2\n1", -1, -1), "3 parts: 0 2 1");
    CHECK_STR(show("g.part.3", "0\n0\n", 2, 5), "5 parts: 0 0");
    CHECK_STR(show("g.part.3", "# c\n\n 0 \r\n% d\n1\n\n\n", 2, 2), "2 parts: 0 1");
    CHECK_STR(show("g.part.3", "4\n", 1, -1), "5 parts: 4");
    CHECK_STR(show("g.part.3", "0\n", -1, -1), "1 parts: 0");
    CHECK_STR(show("g.part.3", "", 0, 4), "4 parts:");
    CHECK_STR(show("g.part.3", "\n\n", -1, -1), "0 parts:");
    CHECK_STR(show("g.part.3", "2147483646\n", 1, -1), "2147483647 parts: 2147483646");
}

static void test_scotch(void)
{
    CHECK_STR(show("g.map", "3\n0\t2\n1\t0\n2\t1\n", 3, 3), "3 parts: 2 0 1");
    CHECK_STR(show("g.map", "3\n3 2\n1 0\n2 1\n", 3, 3), "3 parts: 0 1 2");
    CHECK_STR(show("anything", "2\n1 5\n0 4\n", -1, -1), "6 parts: 4 5");
    CHECK_STR(show("g.map", "# c\n2\n\n0 0\n% d\n1 1\n\n", 2, -1), "2 parts: 0 1");
    CHECK_STR(show("g.map", "0\n", 0, 2), "2 parts:");
    CHECK_STR(show("g.map", "1\n1 0\n", -1, 1), "1 parts: 0");
}

#define FOAM "FoamFile { version 2.0; format ascii; class labelList; object x; }\n"

static void test_openfoam(void)
{
    CHECK_STR(show("cellDecomposition", FOAM "3\n(\n2\n0\n1\n)\n", 3, 3), "3 parts: 2 0 1");
    CHECK_STR(show("any", FOAM "3(2 0 1)", -1, -1), "3 parts: 2 0 1");
    CHECK_STR(show("any",
                   "/*- C++ -*\\\n| = |\n\\*---*/\n" FOAM "// * * //\n\n2 ( 0\n1 )\n\n// *", 2,
                   2),
              "2 parts: 0 1");
    CHECK_STR(show("any", FOAM "4{1}", 4, -1), "2 parts: 1 1 1 1");
    CHECK_STR(show("any", FOAM "0()", 0, 2), "2 parts:");
    CHECK_STR(show("any", FOAM "0{3}", 0, -1), "0 parts:");
    static const struct {
        const char *text, *message;
        int32_t nvtx;
    } bad[] = {
        {"FoamFiles { }", "p:1: \"FoamFiles\" where 'FoamFile' is expected", 1},
        {"FoamFile 3", "p:1: \"3\" where '{' is expected", 1},
        {"FoamFile {\nformat", "p:2: the file ends inside its header FoamFile", 1},
        {"FoamFile { format binary; }", "p:1: the format of the list is \"binary\", not ascii",
         1},
        {"FoamFile { class volScalarField; }",
         "p:1: the class of the file is \"volScalarField\", not labelList", 1},
        {"/* FoamFile", "p:1: the file ends inside a comment", 1},
        {FOAM "1 / (0)", "p:2: a slash that begins no comment", 1},
        {FOAM "x", "p:2: \"x\" in a list of labels is not a whole number", 1},
        {FOAM "", "p:2: \"\" in a list of labels is not a whole number", 1},
        {FOAM "1 0", "p:2: \"0\" where '(' is expected", 1},
        {FOAM "2 (0\n1.5)", "p:3: \"1.5\" in a list of labels is not a whole number", 2},
        {FOAM "2 (0 -1)", "p:2: part -1 is negative", 2},
        {FOAM "2 (0 7)", "p:2: part 7, but parts run from 0 to 4", 2},
        {FOAM "2 (0 1)", "p:2: a list of 2 cells, but the graph has 3", 3},
        {FOAM "-2 (0 1)", "p:2: the number of vertices is -2, outside 0..2147483647", -1},
        {FOAM "2 (0 ", "p:2: the file ends inside the list of labels", 2},
        {FOAM "2 (0)", "p:2: the list has fewer than the 2 labels of its header", 2},
        {FOAM "2 (0 1 0)", "p:2: the list has more than the 2 labels of its header", 2},
        {FOAM "2 {}", "p:2: braces without a label", 2},
        {FOAM "2 {0 1}", "p:2: braces with more than one label", 2},
        {FOAM "2 {0}", "p:2: one label for 2 cells, whose number is not known", -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_STR(show("p", bad[i].text, bad[i].nvtx, 5), bad[i].message);
    /* Memory, and words longer than any. */
    char *text = calloc(20000, 1);
    strcpy(text, FOAM "9000(");
    for (int v = 0; v < 9000; v++)
        strcat(text + strlen(FOAM), v % 2 ? "1 " : "0 ");
    strcat(text, ")");
    const char *path = test_file("memory", text);
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_mapping *m;
        TEST_OOM(&oom, clv_partition_read(&m, path, NULL, -1, -1, &err));
        clv_mapping_free(m);
    }
    free(text);
}

static void test_complaints(void)
{
    static const struct {
        const char *name, *text;
        int32_t nvtx, nparts;
        const char *message;
    } bad[] = {
        {"p", "0\n1\n", 3, 2, "p:3: the file ends after 2 vertices, but the graph has 3"},
        {"p", "", 3, 2, "p:1: the file ends after 0 vertices, but the graph has 3"},
        {"p", "0\n1\n\n0\n1\n1\n", 2, 2, "p:4: 5 vertices have a part, but the graph has 2"},
        {"p", "0\n", 0, 2, "p:1: a part, but the graph has 0 vertices"},
        {"p", "0\n\n-1\n", 2, 2, "p:3: part -1 is negative"},
        {"p", "-3\n0\n", 2, 2, "p:1: part -3 is negative"},
        {"p", "0\n2\n", 2, 2, "p:2: part 2, but parts run from 0 to 1"},
        {"p", "# c\n9\n0\n", 2, 2, "p:2: part 9, but parts run from 0 to 1"},
        {"p", "0\n2147483647\n", 2, -1, "p:2: part 2147483647 is too large"},
        {"p", "99999999999\n", 1, -1, "p:1: part 99999999999 is too large"},
        {"p", "0\nx\n", 2, 2, "p:2: a part is \"x\", not a whole number"},
        {"p", "0\n1.5\n", 2, 2, "p:2: a part is \"1.5\", not a whole number"},
        {"p", "0 1\n", 2, 2, "p:1: the first line holds more than one number"},
        {"p", "0\n1\n1 1\n", 3, 2, "p:3: unexpected text after the part"},
        {"p", "0\n99999999999999999999\n", 2, 2,
         "p:2: a part is 99999999999999999999, outside "
         "-9223372036854775808..9223372036854775807"},
        {"g.map", "", 1, 1, "g.map:1: the file ends before the number of vertices"},
        {"g.map", "2\n0 0\n1 1\n", 3, 2,
         "g.map:1: a mapping of 2 vertices, but the graph has 3"},
        {"g.map", "-2\n0 0\n", -1, 2,
         "g.map:1: the number of vertices is -2, outside 0..2147483647"},
        {"g.map", "2000000000\n0 0\n", -1, 2,
         "g.map:3: the file ends after 1 vertices, but the first line says 2000000000"},
        {"g.map", "1\n0 0\n1 0\n2 0\n", -1, 2,
         "g.map:3: 3 vertices have a part, but the first line says 1"},
        {"g.map", "2\n0 0\n0 1\n", 2, 2, "g.map:3: vertex label 0 occurs twice"},
        {"g.map", "2\n0 0\n\n2 1\n", 2, 2,
         "g.map:4: vertex label 2 is too large: labels must be consecutive"},
        {"g.map", "2\n2 0\n3 1\n", 2, 2,
         "g.map:3: vertex label 3 is too large: labels must be consecutive"},
        {"g.map", "2\n-1 0\n0 1\n", 2, 2, "g.map:2: vertex label -1 is negative"},
        {"g.map", "2\n0 -1\n1 0\n", 2, 2, "g.map:2: part -1 is negative"},
        {"g.map", "2\n0 0\n1 7\n", 2, 2, "g.map:3: part 7, but parts run from 0 to 1"},
        {"g.map", "2\n0 0 0\n1 7\n", 2, 2, "g.map:2: unexpected text after the part"},
        {"g.map", "2\n0 0\n1\n", 2, 2, "g.map:3: the line ends before a part"},
        {"g.map", "2\n0 0\n1 x\n", 2, 2, "g.map:3: a part is \"x\", not a whole number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(show(bad[i].name, bad[i].text, bad[i].nvtx, bad[i].nparts), bad[i].message);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
    clv_mapping *m;
    CHECK_EQ(clv_partition_read(&m, fixture_path("none"), NULL, 1, 1, &err), CLEAVE_EIO);
    CHECK(m == NULL);
}

static void test_round_trips(void)
{
    static const char *const names[] = {"w.part.7", "w.map", "w.part.gz", "w.map.gz"};
    static int32_t part[5000];
    for (int32_t v = 0; v < 5000; v++)
        part[v] = (v * 31) % 7;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int32_t nvtx = 0; nvtx <= 5000; nvtx = nvtx < 3 ? nvtx + 1 : nvtx * 10) {
            clv_mapping *m, *back = NULL;
            const char *path = fixture_path(names[i]);
            REQUIRE_OK(clv_mapping_new(&m, nvtx, 7, part, &err));
            CHECK_OK(clv_partition_write(m, path, &err));
            CHECK_OK(clv_partition_read(&back, path, NULL, nvtx, 7, &err));
            CHECK(back && back->nvtx == nvtx && back->nparts == 7 &&
                  memcmp(back->part, part, (size_t)nvtx * sizeof *part) == 0);
            clv_mapping_free(back);
            clv_mapping_free(m);
        }
    clv_mapping *m;
    char text[64];
    REQUIRE_OK(clv_mapping_new(&m, 2, 3, (const int32_t[]){2, 0}, &err));
    CHECK_OK(clv_partition_write(m, fixture_path("x.map"), &err));
    FILE *file = fopen(fixture_path("x.map"), "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_STR(text, "2\n0\t2\n1\t0\n");
    clv_mapping_free(m);
}

/* Without edges; names as one string, each behind a blank, or NULL. */
static clv_graph *named(int32_t nvtx, const char *list)
{
    static char text[1024];
    static const int64_t xadj[64];
    const char *names[64];
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    snprintf(text, sizeof text, "%s", list ? list : "");
    char *at = text;
    for (int32_t v = 0; list && v < nvtx; v++) {
        names[v] = at;
        at += strcspn(at, " ");
        *at++ = '\0';
    }
    csr.names = list ? names : NULL;
    clv_graph *g;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        abort();
    return g;
}

static void test_labels(void)
{
    static const struct {
        const char *names, *text, *shown;
    } cases[] = {
        /* By name, in any order of the file and of the graph. */
        {"10 20 30 40", "4\n10 1\n20 1\n30 0\n40 2\n", "3 parts: 1 1 0 2"},
        {"10 20 30 40", "4\n40 2\n10 1\n30 0\n20 1\n", "3 parts: 1 1 0 2"},
        {"30 40 10 20", "4\n40 2\n10 1\n30 0\n20 1\n", "3 parts: 0 2 1 1"},
        {"0 1 2 4", "4\n4 3\n2 2\n1 1\n0 0\n", "4 parts: 0 1 2 3"},
        {"2 3 4 5", "4\n2 3\n3 2\n4 1\n5 0\n", "4 parts: 3 2 1 0"},
        {"1 2 3 9223372036854775807", "4\n9223372036854775807 3\n1 2\n2 1\n3 0\n",
         "4 parts: 2 1 0 3"},
        /* Labels that count the vertices are vertex numbers, for any names. */
        {"10 20 30 40", "4\n0 3\n1 2\n2 1\n3 0\n", "4 parts: 3 2 1 0"},
        {"10 20 30 40", "4\n1 3\n2 2\n3 1\n4 0\n", "4 parts: 3 2 1 0"},
        {"1 2 3 4", "4\n0 3\n1 2\n2 1\n3 0\n", "4 parts: 3 2 1 0"},
        {"1 2 3 4", "4\n1 3\n2 2\n3 1\n4 0\n", "4 parts: 3 2 1 0"},
        {"3 2 1 0", "4\n0 3\n1 2\n2 1\n3 0\n", "4 parts: 3 2 1 0"},
        {"a b c d", "4\n1 3\n2 2\n3 1\n4 0\n", "4 parts: 3 2 1 0"},
        {NULL, "4\n1 3\n2 2\n3 1\n4 0\n", "4 parts: 3 2 1 0"},
        /* METIS's form has no labels. */
        {"10 20 30 40", "10\n20\n30\n40\n", "41 parts: 10 20 30 40"},
        {"10 20 30 40", "4\n10 0\n20 0\n\n35 0\n40 0\n",
         "x:5: vertex label 35 is not in the graph"},
        {"10 20 30 40", "4\n10 0\n20 0\n20 1\n40 0\n", "x:4: vertex label 20 occurs twice"},
        {"10 20 30 40", "4\n10 0\n20 0\n40 0\n",
         "x:5: the file ends after 3 vertices, but the first line says 4"},
        {"10 20 30 40", "3\n10 0\n20 0\n40 0\n",
         "x:1: a mapping of 3 vertices, but the graph has 4"},
        {"10 20 30 40", "4\n10 0\n20 0\n30 0\n40 0\n50 0\n",
         "x:6: 5 vertices have a part, but the first line says 4"},
        {"10 20 30 40", "4\n-10 0\n20 0\n30 0\n40 0\n", "x:2: vertex label -10 is negative"},
        /* Names that are no different labels are none. */
        {"10 20 30 x", "4\n10 0\n20 0\n30 0\n40 0\n",
         "x:2: vertex label 10 is too large: labels must be consecutive"},
        {"10 20 30 040", "4\n10 0\n20 0\n30 0\n40 0\n",
         "x:2: vertex label 10 is too large: labels must be consecutive"},
        {"10 20 30 30", "4\n10 0\n20 0\n30 0\n40 0\n",
         "x:2: vertex label 10 is too large: labels must be consecutive"},
        {"10 20 30 9223372036854775808", "4\n10 0\n20 0\n30 0\n40 0\n",
         "x:2: vertex label 10 is too large: labels must be consecutive"},
        {NULL, "4\n10 0\n20 0\n30 0\n40 0\n",
         "x:2: vertex label 10 is too large: labels must be consecutive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clv_graph *g = named(4, cases[i].names);
        CHECK_STR(show_for(g, "x", cases[i].text, 4, -1), cases[i].shown);
        clv_graph_free(g);
    }
    clv_graph *g = named(1, "5");
    CHECK_STR(show_for(g, "x.map", "1\n5 2\n", 1, 3), "3 parts: 2");
    CHECK_STR(show_for(g, "x.map", "1\n7 2\n", 1, 3),
              "x.map:2: vertex label 7 is not in the graph");
    clv_graph_free(g);
    g = named(0, NULL);
    CHECK_STR(show_for(g, "x.map", "0\n", 0, 3), "3 parts:");
    clv_graph_free(g);
}

static void test_no_memory(void)
{
    const char *paths[] = {test_file("m.part", "0\n1\n"), test_file("m.map", "2\n1 0\n0 1\n"),
                           test_file("l.map", "2\n20 0\n10 1\n")};
    clv_graph *g = named(2, "10 20");
    for (size_t i = 0; i < 3; i++)
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_mapping *m;
            TEST_OOM(&oom, clv_partition_read(&m, paths[i], g, 2, 2, &err));
            clv_mapping_free(m);
        }
    clv_graph_free(g);
}

/* ---- Some at a time --------------------------------------------------------------------- */

typedef struct taken {
    int64_t count, calls, wrong, enough;
} taken;

static cleave_status take(void *context, const int32_t *part, int64_t count,
                          cleave_error *error)
{
    taken *t = context;
    for (int64_t i = 0; i < count; i++, t->count++)
        t->wrong += part[i] != t->count % 3;
    t->calls += count > 0;
    return t->count < t->enough ? CLEAVE_OK : clv_fail(error, CLEAVE_ECANCEL, "enough");
}

static void test_stream(void)
{
    enum { n = 200001 };
    char *text = malloc(2 * n + 1);
    for (int i = 0; i < n; i++)
        memcpy(text + (ptrdiff_t)2 * i, &"0\n1\n2\n"[2 * (i % 3)], 2);
    const char *path = test_file_bytes("long.part", text, 2 * n);
    taken t = {.enough = INT64_MAX};
    CHECK_OK(clv_partition_stream(path, n, 3, take, &t, &err));
    CHECK_EQ(t.count, n);
    CHECK_EQ(t.wrong, 0);
    CHECK(t.calls > 1);
    t = (taken){.enough = INT64_MAX};
    CHECK_EQ(clv_partition_stream(path, n - 1, 3, take, &t, &err), CLEAVE_EPARSE);
    CHECK_STR(fixture_message(&err),
              "long.part:200001: 200001 vertices have a part, but the graph has 200000");
    t = (taken){.enough = 1000};
    CHECK_EQ(clv_partition_stream(path, n, 3, take, &t, &err), CLEAVE_ECANCEL);
    CHECK(t.count < n);
    path = test_file("s.map", "4\n3 0\n1 1\n0 0\n2 2\n");
    t = (taken){.enough = INT64_MAX};
    CHECK_OK(clv_partition_stream(path, 4, -1, take, &t, &err));
    CHECK(t.count == 4 && t.wrong == 0);
    free(text);
}

int main(void)
{
    RUN(test_stream);
    RUN(test_metis);
    RUN(test_scotch);
    RUN(test_openfoam);
    RUN(test_complaints);
    RUN(test_labels);
    RUN(test_round_trips);
    RUN(test_no_memory);
    return test_end();
}
