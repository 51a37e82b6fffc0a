/* SPDX-License-Identifier: Apache-2.0 */
/* WfCommons workflows: both layouts, weights, every error message, failing allocations, round
 * trips, and the shared files against numbers counted by another program. */
#include "formats/graph_fixture.h"
#include "formats/reader_fixture.h"

static cleave_error err;

#define WORKFLOW(tasks, rest)                                                                 \
    "{\"schemaVersion\": \"1.5\",\n \"workflow\": {\"specification\": {\"tasks\": [" tasks    \
    "]" rest "}}}\n"

static void test_layouts(void)
{
    static const reader_case cases[] = {
        {WORKFLOW(
             "{\"id\": \"a\", \"children\": [\"b\"]}, {\"id\": \"b\", \"parents\": [\"a\"]}",
             ""),
         "dag 2: 'a' 1 | 'b'"},
        /* One of the two ends may keep quiet. */
        {WORKFLOW("{\"id\": \"a\"}, {\"id\": \"b\", \"parents\": [\"a\"]}", ""),
         "dag 2: 'a' 1 | 'b'"},
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\", \"b\"], \"parents\": null}, "
                  "{\"id\": \"b\"}",
                  ""),
         "dag 2: 'a' 1 | 'b'"},
        {WORKFLOW("", ""), "dag 0:"},
        {WORKFLOW("{\"name\": \"only\"}", ""), "dag 1: 'only'"},
        /* By name if the name is unique. */
        {"{\"workflow\": {\"tasks\": [{\"name\": \"x\", \"id\": \"1\", \"children\": [\"y\"]},"
         "{\"name\": \"y\", \"id\": \"2\"}]}}",
         "dag 2: '1' 1 | '2'"},
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\"]}, {\"id\": \"b\"}", ""),
         "2: 'a' 1 | 'b' 0", .as = "undirected"},
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\"]}, {\"id\": \"b\"}", ""),
         "dag 2: 'a' | 'b' 0", .as = "upper"},
    };
    READER_CHECK_ALL("wfcommons", "json", cases);
}

/* Version 1.5: sizes of files and runtimes beside the tasks. */
static const char weighted[] =
    "{\"workflow\": {\"specification\": {\"tasks\": ["
    "{\"id\": \"a\", \"children\": [\"b\", \"c\"], \"outputFiles\": [\"f\", \"g\", \"f\"]},"
    "{\"id\": \"b\", \"inputFiles\": [\"g\", \"f\", \"h\"]},"
    "{\"id\": \"c\", \"inputFiles\": [\"g\"]}],"
    "\"files\": [{\"id\": \"f\", \"sizeInBytes\": 2048}, {\"id\": \"g\", \"sizeInBytes\": 1},"
    "{\"id\": \"h\", \"sizeInBytes\": 1e9}]},"
    "\"execution\": {\"tasks\": [{\"id\": \"b\", \"runtimeInSeconds\": 141.835},"
    "{\"id\": \"a\", \"runtimeInSeconds\": 0}, {\"id\": \"c\", \"runtimeInSeconds\": "
    "1.0001}]}}}";

/* Before: all inside the tasks. */
static const char older[] =
    "{\"workflow\": {\"tasks\": ["
    "{\"name\": \"a\", \"runtime\": 2, \"children\": [\"b\"], \"files\": ["
    "{\"link\": \"output\", \"name\": \"f\", \"size\": 1025},"
    "{\"link\": \"input\", \"name\": \"i\", \"size\": 77}]},"
    "{\"name\": \"b\", \"runtimeInSeconds\": 0.5, \"parents\": [\"a\"], \"files\": ["
    "{\"link\": \"input\", \"name\": \"f\", \"sizeInBytes\": 1025}]}]}}";

static void test_weights(void)
{
    static const reader_case cases[] = {
        {weighted, "dag 3: 'a' (1) 1*3 2*1 | 'b' (141835) | 'c' (1001)"},
        {weighted, "3: 'a' (1) 1*3 2*1 | 'b' (141835) 0*3 | 'c' (1001) 0*1",
         .as = "undirected"},
        {older, "dag 2: 'a' (2000) 1*2 | 'b' (500)"},
        /* No runtimes, no files: no weights. */
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\"]}, {\"id\": \"b\"}",
                  ", \"files\": [{\"id\": \"f\", \"sizeInBytes\": 5}]"),
         "dag 2: 'a' 1*1 | 'b'"},
        {WORKFLOW("{\"id\": \"a\", \"runtimeInSeconds\": 2147483.647}", ""),
         "dag 1: 'a' (2147483647)"},
        {WORKFLOW("{\"id\": \"a\", \"runtimeInSeconds\": 2147483.648}", ""),
         "ERANGE @: task \"a\" runs for more than 2147483647 milliseconds"},
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\"], \"outputFiles\": [\"f\"]}, "
                  "{\"id\": \"b\", \"inputFiles\": [\"f\"]}",
                  ", \"files\": [{\"id\": \"f\", \"sizeInBytes\": 1e18}]"),
         "ERANGE @: more than 2147483647 KiB go from task \"a\" to \"b\""},
    };
    READER_CHECK_ALL("wfcommons", "json", cases);
    static const struct {
        const char *text, *unit;
    } units[] = {{weighted, "ms per vertex, KiB per arc"},
                 {WORKFLOW("{\"id\": \"a\", \"runtime\": 1}", ""), "ms per vertex"},
                 {WORKFLOW("{\"id\": \"a\", \"inputFiles\": [\"f\"]}", ""), "KiB per arc"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        cleave_graph *g;
        cleave_source source = {.size = sizeof source};
        REQUIRE_OK(cleave_graph_read(&g, test_file("u.json", units[i].text), NULL, &err));
        cleave_graph_source(g, &source);
        CHECK_STR(source.unit, units[i].unit);
        cleave_graph_free(g);
    }
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"{\n\"a\": }\n", "EPARSE @:2: unexpected token near '}'"},
        {"{\"a\": 1,\n\"a\": 2}\n", "EPARSE @:2: duplicate object key near '\"a\"'"},
        {"[]", "EPARSE @: there is no object \"workflow\": this is not WfFormat"},
        {"{}", "EPARSE @: there is no object \"workflow\": this is not WfFormat"},
        {"{\"workflow\": 3}", "EPARSE @: a member \"workflow\" is not an object"},
        {"{\"workflow\": {}}", "EPARSE @: the workflow has no array \"tasks\""},
        {"{\"workflow\": {\"tasks\": {}}}", "EPARSE @: a member \"tasks\" is not an array"},
        {WORKFLOW("3", ""), "EPARSE @: task 0 is not an object"},
        {WORKFLOW("{\"id\": \"a\"}, {}", ""), "EPARSE @: task 1 has neither an id nor a name"},
        {WORKFLOW("{\"id\": 3}", ""), "EPARSE @: a member \"id\" is not a string"},
        {WORKFLOW("{\"id\": \"a\"}, {\"id\": \"a\"}", ""),
         "EPARSE @: task \"a\" occurs twice"},
        {WORKFLOW("{\"id\": \"a\", \"children\": [\"b\"]}", ""),
         "EPARSE @: task \"a\" has a child \"b\", which is not a task"},
        {WORKFLOW("{\"id\": \"a\", \"parents\": [\"b\"]}", ""),
         "EPARSE @: task \"a\" has a parent \"b\", which is not a task"},
        {WORKFLOW("{\"id\": \"a\", \"name\": \"x\", \"parents\": [\"x\"]}, "
                  "{\"id\": \"b\", \"name\": \"x\"}",
                  ""),
         "EPARSE @: task \"a\" has a parent \"x\", which is not a task"},
        {WORKFLOW("{\"id\": \"a\", \"parents\": [5]}", ""),
         "EPARSE @: a parent of task \"a\" is not a string"},
        {WORKFLOW("{\"id\": \"a\", \"parents\": \"b\"}", ""),
         "EPARSE @: a member \"parents\" is not an array"},
        {WORKFLOW("{\"id\": \"a\", \"parents\": [\"a\"]}", ""),
         "ECYCLE @: the graph has a cycle: a -> a"},
        {WORKFLOW(
             "{\"id\": \"a\", \"parents\": [\"b\"]}, {\"id\": \"b\", \"parents\": [\"a\"]}",
             ""),
         "ECYCLE @: the graph has a cycle: a -> b -> a"},
        {WORKFLOW("{\"id\": \"a\", \"runtime\": \"1\"}", ""),
         "EPARSE @: a member \"runtime\" is not a number"},
        {WORKFLOW("{\"id\": \"a\", \"runtimeInSeconds\": -1}", ""),
         "EPARSE @: a member \"runtimeInSeconds\" is negative"},
        {WORKFLOW("{\"id\": \"a\", \"inputFiles\": [3]}", ""),
         "EPARSE @: the name of a file is not a string"},
        {WORKFLOW("{\"id\": \"a\", \"files\": [3]}", ""), "EPARSE @: a file is not an object"},
        {WORKFLOW("{\"id\": \"a\", \"files\": [{}]}", ""),
         "EPARSE @: a file has neither an id nor a name"},
        {WORKFLOW("{\"id\": \"a\", \"files\": [{\"name\": \"f\", \"link\": \"both\"}]}", ""),
         "EPARSE @: the link of a file is \"both\", not input or output"},
        {WORKFLOW("{\"id\": \"a\"}", ", \"files\": [{\"id\": \"f\", \"sizeInBytes\": -1}]"),
         "EPARSE @: a member \"sizeInBytes\" is negative"},
        {"{\"workflow\": {\"tasks\": [], \"execution\": {\"tasks\": [{}]}}}",
         "EPARSE @: executed task 0 has neither an id nor a name"},
        {"{\"workflow\": {\"tasks\": [], \"execution\": {\"tasks\": [1]}}}",
         "EPARSE @: executed task 0 is not an object"},
        {"{\"workflow\": {\"tasks\": [], \"execution\": {\"tasks\": [{\"id\": \"a\"}]}}}",
         "EPARSE @: the executed task \"a\" is not among the tasks"},
    };
    READER_CHECK_ALL("wfcommons", "json", cases);
}

/* What jansson makes of broken text is its own business; that the line is there is ours. */
static void test_broken_json(void)
{
    static const char *const texts[] = {"",
                                        "{",
                                        "{\"workflow\": {\n\n",
                                        "nonsense",
                                        "{} {}",
                                        "{\"a\": \"\\u0000\"}",
                                        "{\"a\": 1e999}",
                                        "\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cleave_graph *g;
        cleave_read_options opt;
        cleave_read_options_init(&opt, sizeof opt);
        opt.format = "wfcommons";
        cleave_status status =
            cleave_graph_read(&g, test_file("b.json", texts[i]), &opt, &err);
        CHECK_EQ(status, CLEAVE_EPARSE);
        CHECK_EQ(strncmp(fixture_message(&err), "b.json:", 7), 0);
        CHECK(g == NULL && fixture_message(&err)[7] >= '1' && fixture_message(&err)[7] <= '9');
    }
    /* Nested too deeply to be true. */
    enum { deep = 100000 };
    char *text = malloc(deep + 1);
    memset(text, '[', deep);
    text[deep] = '\0';
    cleave_graph *g;
    CHECK_EQ(cleave_graph_read(&g, test_file("deep.json", text), NULL, &err), CLEAVE_EPARSE);
    free(text);
}

/* A parent of many files and many children must not cost their product. */
static void test_many_files(void)
{
    enum { count = 30000, each = 64 };
    char *text = malloc(3 * (size_t)count * each + 1000), *to = text;
    to += sprintf(to, "{\"workflow\": {\"tasks\": [{\"id\": \"p\", \"outputFiles\": [\"f\"");
    for (int i = 0; i < count; i++)
        to += sprintf(to, ", \"f%d\"", i);
    to += sprintf(to, "]}");
    for (int i = 0; i < count; i++)
        to += sprintf(to, ",{\"id\":\"c%d\",\"parents\":[\"p\"],\"inputFiles\":[\"f%d\"]}", i,
                      i);
    sprintf(to, "]}}");
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_read(&g, test_file("many.json", text), NULL, &err));
    CHECK_EQ(cleave_graph_edges(g), count);
    cleave_graph_free(g);
    free(text);
}

static void test_shared_files(void)
{
    static const struct {
        const char *name;
        int32_t vertices;
        int64_t arcs, passed;
    } files[] = {{"1000genome-chameleon-22ch-100k-001.json", 572, 836, 285659},
                 {"epigenomics-chameleon-hep-2seq-100k-001.json", 119, 144, 1090710},
                 {"fetchngs-dirt02-001.json", 43, 28, 38836}};
    enum { count = sizeof files / sizeof *files };
    const char *folder = test_shared("dag", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        cleave_graph *g;
        cleave_csr view;
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
        cleave_csr_init(&view, sizeof view);
        cleave_graph_view(g, &view);
        CHECK_EQ(view.nvtx, files[i].vertices);
        CHECK_EQ(cleave_graph_edges(g), files[i].arcs);
        int64_t passed = 0;
        for (int64_t a = 0; a < view.xadj[view.nvtx]; a++)
            passed += view.ewgt[a];
        CHECK_EQ(passed, files[i].passed);
        cleave_graph_free(g);
    }
}

static void test_detection(void)
{
    CHECK(clv_format_detect("-", weighted, strlen(weighted)) == &clv_format_wfcommons);
    CHECK(clv_format_detect("-", " \n{\"workflow\":", 14) == &clv_format_wfcommons);
    CHECK(clv_format_detect("-", "{\"flow\": 1}", 11) != &clv_format_wfcommons);
    CHECK(clv_format_detect("-", "x{\"workflow\":", 13) != &clv_format_wfcommons);
    CHECK(clv_format_by_path("a.json.gz") == &clv_format_wfcommons);
}

static void test_memory(void)
{
    static const reader_case cases[] = {
        {weighted, "dag 3: 'a' (1) 1*3 2*1 | 'b' (141835) | 'c' (1001)"},
        {older, "dag 2: 'a' (2000) 1*2 | 'b' (500)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_memory("wfcommons", test_file("m.json", cases[i].text), &cases[i]);
}

/* ---- Writing -------------------------------------------------------------------------- */

/* Values that the format cannot represent become those of the reader: weights are at least
 * 1. */
static void raise_zeros(const int32_t *weight, int64_t count)
{
    int32_t *own = (int32_t *)(uintptr_t)weight; /* of a graph that we made */
    for (int64_t i = 0; weight && i < count; i++)
        own[i] = own[i] == 0 ? 1 : own[i];
}

static void test_round_trips(void)
{
    static const fixture_kind kinds[] = {
        {CLEAVE_DAG, 0, 0, .ncon = 1},
        {CLEAVE_DAG, 1, 0, .ncon = 1, .vwgt = true, .names = true},
        {CLEAVE_DAG, 40, 0, .ncon = 1, .ewgt = true, .names = true},
        {CLEAVE_DAG, 40, 100, .ncon = 1, .names = true},
        {CLEAVE_DAG, 40, 100, .ncon = 1, .vwgt = true, .names = true},
        {CLEAVE_DAG, 40, 100, .ncon = 1, .ewgt = true, .names = true},
        {CLEAVE_DAG, 500, 3000, .ncon = 1, .vwgt = true, .ewgt = true, .names = true},
    };
    clv_read_options opt = fixture_options();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int packed = 0; packed < 2; packed++) {
            const char *path = fixture_path(packed ? "r.json.gz" : "r.json");
            clv_graph *g = fixture_graph(&kinds[i], i + 1), *again;
            raise_zeros(g->vwgt, g->nvtx);
            raise_zeros(g->ewgt, g->narc);
            raise_zeros(g->pwgt, g->narc);
            CHECK_OK(fixture_write(g, &clv_format_wfcommons, path, NULL, &err));
            REQUIRE_OK(fixture_read(&again, &clv_format_wfcommons, path, &opt, &err));
            CHECK(fixture_same(g, again));
            CHECK_EQ(g->nvtx > 0 && g->vwgt, again->vwgt != NULL);
            CHECK_EQ(g->narc > 0 && g->ewgt, again->ewgt != NULL);
            clv_graph_free(again);
            clv_graph_free(g);
        }
}

/* Weights at the ends of their range, and names from numbers. */
static void test_written(void)
{
    static const int64_t xadj[] = {0, 2, 3, 3, 3};
    static const int32_t adj[] = {1, 2, 2}, ewgt[] = {INT32_MAX, 0, 1};
    static const int32_t vwgt[] = {INT32_MAX, 9, 1001, 9, 0, 9, 50, 9};
    cleave_csr csr;
    cleave_graph *g, *again;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 4;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.ewgt = ewgt;
    csr.ncon = 2;
    csr.vwgt = vwgt;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    CHECK_OK(fixture_write(g, &clv_format_wfcommons, fixture_path("n.json"), NULL, &err));
    clv_graph_free(g);
    REQUIRE_OK(cleave_graph_read(&again, fixture_path("n.json"), NULL, &err));
    CHECK_STR(fixture_show(again), "dag 0(2147483647) 1(1001) 2(1) 3(50) | "
                                   "0>1*2147483647 0>2*1 1>2*1");
    clv_graph_free(again);
}

static cleave_graph *named_pair(cleave_kind kind, const char *a, const char *b)
{
    static const int64_t xadj[] = {0, 0, 0};
    const char *names[] = {a, b};
    cleave_csr csr;
    cleave_graph *g;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = kind;
    csr.nvtx = 2;
    csr.xadj = xadj;
    csr.names = names;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        abort();
    return g;
}

static void test_refused(void)
{
    static const struct {
        cleave_kind kind;
        const char *a, *b, *message;
    } cases[] = {
        {CLEAVE_UNDIRECTED, "a", "b",
         "format \"wfcommons\" holds DAGs, and this graph is undirected"},
        {CLEAVE_DAG, "a", "a",
         "vertices 0 and 1 are both named 'a', which WfFormat does not allow"},
        {CLEAVE_DAG, "a", "\xff", "1"},
        {CLEAVE_DAG, "a\x80", "b", "0"},
        {CLEAVE_DAG, "a", "\xc3", "1"},
        {CLEAVE_DAG, "\xc0\x80", "b", "0"},         /* too long for what it is */
        {CLEAVE_DAG, "\xe0\x9f\xbf", "b", "0"},     /* also */
        {CLEAVE_DAG, "\xed\xa0\x80", "b", "0"},     /* half of a pair */
        {CLEAVE_DAG, "\xe2\x82", "b", "0"},         /* cut short */
        {CLEAVE_DAG, "\xf4\x90\x80\x80", "b", "0"}, /* beyond Unicode */
        {CLEAVE_DAG, "\xf0\x8f\xbf\xbf", "b", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cleave_graph *g = named_pair(cases[i].kind, cases[i].a, cases[i].b);
        const char *message = cases[i].message;
        char text[100];
        if (strlen(message) == 1) {
            snprintf(text, sizeof text,
                     "the name of vertex %s is not UTF-8, which JSON does not allow", message);
            message = text;
        }
        cleave_status status =
            fixture_write(g, &clv_format_wfcommons, fixture_path("no.json"), NULL, &err);
        CHECK_EQ(status, CLEAVE_EINVAL);
        CHECK_STR(err.message, message);
        clv_graph_free(g);
    }
}

/* The first and the last characters of each length, and what must be escaped. */
static void test_characters(void)
{
    static const char *const names[] = {
        "\x01\x1f\x20\x7f", "\xc2\x80\xdf\xbf",       "\xe0\xa0\x80\xed\x9f\xbf",
        "\xee\x80\x80",     "\xf0\x90\x80\x80",       "\xf4\x8f\xbf\xbf",
        "\"\\/\n\r\t\b",    "\xef\xbf\xbf \\u0041 %d"};
    for (size_t i = 0; i + 1 < sizeof names / sizeof *names; i++) {
        cleave_graph *g = named_pair(CLEAVE_DAG, names[i], names[i + 1]), *again;
        const char *path = fixture_path("c.json");
        CHECK_OK(fixture_write(g, &clv_format_wfcommons, path, NULL, &err));
        REQUIRE_OK(cleave_graph_read(&again, path, NULL, &err));
        CHECK(fixture_same(g, again));
        clv_graph_free(again);
        clv_graph_free(g);
    }
}

static void test_writing_memory(void)
{
    cleave_graph *g = named_pair(CLEAVE_DAG, "a", "b");
    const char *path = fixture_path("o.json");
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        TEST_OOM(&oom, fixture_write(g, &clv_format_wfcommons, path, NULL, &err));
    }
    clv_graph_free(g);
}

/* Without jansson the file is recognised, and refused. */
static void test_without(void)
{
    cleave_graph *g;
    CHECK_EQ(cleave_graph_read(&g, test_file("w.json", weighted), NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err),
              "w.json: is a JSON file, and this library was built without jansson");
}

int main(void)
{
    RUN(test_detection);
    RUN(test_refused);
    RUN(test_writing_memory);
    if (!strstr(cleave_features(), "jansson")) {
        RUN(test_without);
        return test_end();
    }
    RUN(test_layouts);
    RUN(test_weights);
    RUN(test_complaints);
    RUN(test_broken_json);
    RUN(test_many_files);
    RUN(test_shared_files);
    RUN(test_memory);
    RUN(test_round_trips);
    RUN(test_written);
    RUN(test_characters);
    return test_end();
}
