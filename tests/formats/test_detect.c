/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file has, from its name and its first bytes; and the DAGs that triangles
 * of undirected graphs stand for. */
#include <math.h>

#include "formats/reader_fixture.h"

static cleave_error err;

static const char *name_of(const clv_format *format)
{
    return format ? format->name : "none";
}

/* ---- Names ------------------------------------------------------------------------------ */

static void test_by_name(void)
{
    int count = 0;
    const char *name, *description;
    int can_write;
    while ((name = cleave_format_name(count, &description, &can_write))) {
        CHECK(clv_format_by_name(name) == clv_formats[count]);
        CHECK(description && description[0]);
        CHECK_EQ(can_write, !clv_formats[count]->write ? 0 : clv_formats[count]->read ? 1 : 2);
        CHECK_EQ(cleave_format_holds(name), can_write ? clv_formats[count]->holds : 0);
        CHECK_STR(cleave_format_name(count, NULL, NULL), name);
        for (int other = 0; other < count; other++)
            CHECK(strcmp(cleave_format_name(other, NULL, NULL), name) != 0);
        count++;
    }
    CHECK(count >= 5);
    CHECK(cleave_format_name(-1, NULL, NULL) == NULL);
    CHECK_EQ(cleave_format_holds("psdd"), 0);
    CHECK_EQ(cleave_format_holds("METIS"), 0);
    CHECK_EQ(cleave_format_holds(NULL), 0);
    CHECK(clv_format_by_name("METIS") == NULL);
    CHECK(clv_format_by_name("") == NULL);
}

static void test_by_path(void)
{
    static const struct {
        const char *path, *format;
    } cases[] = {
        {"a.graph", "metis"}, {"a.metis", "metis"},    {"a.chaco", "metis"},
        {"a.mtx", "mtx"},     {"a.mm", "mtx"},         {"a.edges", "edges"},
        {"a.el", "edges"},    {"a.txt", "edges"},      {"a.csv", "edges"},
        {"a.tsv", "edges"},   {"a.edgelist", "edges"}, {"a.dot", "dot"},
        {"a.gv", "dot"},      {"a.clv", "binary"},     {"/x/y.z/a.graph.gz", "metis"},
        {"A.GRAPH", "metis"}, {"A.Mtx.GZ", "mtx"},     {"a.b.graph", "metis"},
        {".graph", "metis"},  {"a", "none"},           {"graph", "none"},
        {"a.gz", "none"},     {".gz", "none"},         {"a.", "none"},
        {"a.graphs", "none"}, {"a.grap", "none"},      {"a.graph/b", "none"},
        {"a.graph/", "none"}, {"-", "none"},           {"", "none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(name_of(clv_format_by_path(cases[i].path)), cases[i].format);
    CHECK(clv_path_has_extension("x/a.XYZ.gz", "xyz"));
    CHECK(!clv_path_has_extension("x/axyz", "xyz"));
    CHECK(!clv_path_has_extension("x/a.xy", "xyz"));
    /* No extension is claimed twice. */
    for (int i = 0; clv_formats[i]; i++) {
        char words[256], path[300], *rest;
        snprintf(words, sizeof words, "%s", clv_formats[i]->extensions);
        for (char *word = strtok_r(words, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest)) {
            snprintf(path, sizeof path, "a.%s", word);
            CHECK_STR(name_of(clv_format_by_path(path)), clv_formats[i]->name);
        }
    }
}

/* ---- Contents --------------------------------------------------------------------------- */

#define MATRIX "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n"

static void test_contents(void)
{
    static const struct {
        const char *path, *bytes, *format;
    } cases[] = {
        /* Contents that identify a format have precedence over the name. */
        {"-", MATRIX, "mtx"},
        {"a.graph", MATRIX, "mtx"},
        {"a.txt", "%%matrixMARKET", "mtx"},
        {"a.mtx", "1 2\n", "mtx"}, /* by its name; the reader will complain */
        {"-", "digraph { a -> b }\n", "dot"},
        {"-", "graph { a -- b }\n", "dot"},
        /* Numbers: the format follows from the name ... */
        {"a.graph", "2 1\n2 1\n", "metis"},
        {"a.csv", "3 2\n2\n1 3\n2\n", "edges"},
        {"a.graph", "", "metis"},
        {"a.graph", "garbage", "metis"},
        /* ... or their shape. */
        {"-", "0 1\n1 2\n", "edges"},
        {"-", "0,1\n1,2\n", "edges"},
        {"a", "0;1;5\r\n1;2;7\r\n", "edges"},
        {"a", "# c\n% d\n-1 2.5 1e5\n+1 2 3\n", "edges"},
        {"-", "3 2\n2\n1 3\n2\n", "metis"},
        {"-", "% c\n3 2\n2\n1 3\n2\n", "metis"},
        {"-", "3 0\n\n\n\n", "metis"},
        /* a cycle: all lines have two numbers, and the header counts them */
        {"-", "% c\n 4 4\n2 4\n1 3\n2 4\n1 3\n", "metis"},
        {"-", "4 4\n2 4\n1 3\n2 4\n1 3", "metis"},
        {"-", "4 5\n2 4\n1 3\n2 4\n1 3\n", "edges"},
        {"-", "5 4\n2 4\n1 3\n2 4\n1 3\n", "edges"},
        {"-", "0 1", "edges"},
        {"-", "4 3 0\n2\n1 3\n2 4\n3\n", "metis"},
        {"-", "2 1 11 1\n5 2 7\n6 1 7\n", "metis"},
        {"-", "2 1 10 1 0\n5 2\n6 1\n", "metis"},
        {"-", "1 2 3 4 5 6\n", "none"},
        {"-", "5\n1 2\n", "none"},
        {"-", "", "none"},
        {"-", "\n", "none"},
        {"-", "hello world\n", "none"},
        {"-", "1 2\nx y\n", "none"},
        {"-", "\x01\x02\x03\n", "none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(
            name_of(clv_format_detect(cases[i].path, cases[i].bytes, strlen(cases[i].bytes))),
            cases[i].format);
}

static const char *detected(const char *name, const char *text)
{
    static reader_text shown;
    shown.used = 0;
    const char *path = test_file(name, text);
    cleave_graph *g = NULL;
    if (cleave_graph_read(&g, path, NULL, &err) != CLEAVE_OK) {
        CHECK(g == NULL);
        reader_show_error(&shown, &err, path);
        return shown.text;
    }
    cleave_source source = {.size = sizeof source};
    cleave_graph_source(g, &source);
    reader_put(&shown, "%s %lld ", source.format, (long long)source.entries);
    reader_show(&shown, g);
    cleave_graph_free(g);
    return shown.text;
}

static void test_reading(void)
{
    CHECK_STR(detected("a", "3 2\n2\n1 3\n2\n"), "metis 2 3: 1 | 0 2 | 1");
    CHECK_STR(detected("a", "0 1\n0 1\n1 2\n"), "edges 3 3: 1 | 0 2 | 1");
    CHECK_STR(detected("a", "%%MatrixMarket matrix coordinate pattern general\n"
                            "3 3 3\n2 1\n3 2\n3 3\n"),
              "mtx 3 3: 1 | 0 2 | 1");
    CHECK_STR(detected("a.graph", "3 2\n2\n1 3\n2\n"), "metis 2 3: 1 | 0 2 | 1");
    CHECK_STR(detected("a", ""), "EPARSE @: the file is empty");
    CHECK_STR(detected("a", "what is this?\n"),
              "EPARSE @:1: unknown graph format (see 'cleave help formats')");
    CHECK_STR(detected("a.txt", ""), "edges 0 0:");
    CHECK_STR(detected("a.graph", ""), "EPARSE @:1: the file has no header line");
}

static void test_options(void)
{
    const char *path = test_file("a.graph", "2 1\n2\n1\n");
    cleave_read_options opt;
    cleave_graph *g = NULL;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = "mets";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "unknown format \"mets\"");
    opt.format = "edges";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EPARSE);
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = "tree";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message,
              "as is \"tree\"; expected one of auto, undirected, dag, lower, upper");
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "min";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "symmetrise is \"min\"; expected one of refuse, sum, max");
    cleave_read_options_init(&opt, sizeof opt);
    opt.weights = "value";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "weights is \"value\"; expected one of file, values, none");
    const double scales[] = {0, -1, 1e300, (double)INFINITY, (double)NAN};
    for (int i = 0; i < 5; i++) {
        cleave_read_options_init(&opt, sizeof opt);
        opt.scale = scales[i];
        CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
        CHECK_STR(err.message, "scale is not a positive number");
    }
    CHECK(g == NULL);
    CHECK_OK(cleave_graph_read(&g, path, NULL, &err));
    CHECK_EQ(cleave_graph_write(g, fixture_path("a.unknown"), NULL, &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, "a.unknown\" does not determine the output format") != NULL);
    cleave_write_options wopt;
    cleave_write_options_init(&wopt, sizeof wopt);
    wopt.format = "nothing";
    CHECK_EQ(cleave_graph_write(g, fixture_path("a.graph"), &wopt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "unknown format \"nothing\"");
    cleave_graph_free(g);
}

/* ---- Triangles -------------------------------------------------------------------------- */

/* The arcs of the oriented graph are the edges of the other, each once; all else is kept. */
static bool oriented(const clv_graph *dag, const clv_graph *g, bool lower)
{
    if (dag->kind != CLEAVE_DAG || dag->nvtx != g->nvtx || 2 * dag->narc != g->narc ||
        dag->ncon != g->ncon || dag->ndim != g->ndim || !dag->names.offset != !g->names.offset)
        return false;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t a = dag->xadj[v];
        for (int64_t b = g->xadj[v]; b < g->xadj[v + 1]; b++) {
            if ((g->adj[b] > v) != lower)
                continue;
            if (a == dag->xadj[v + 1] || dag->adj[a] != g->adj[b] ||
                clv_graph_ewgt(dag, a) != clv_graph_ewgt(g, b))
                return false;
            a++;
        }
        if (a != dag->xadj[v + 1])
            return false;
        if (g->names.offset && strcmp(clv_graph_name(dag, v), clv_graph_name(g, v)) != 0)
            return false;
    }
    return fixture_same_weights(dag->vwgt, g->vwgt, (int64_t)g->nvtx * g->ncon) &&
           fixture_same_weights(dag->vsize, g->vsize, g->nvtx) &&
           (!g->ndim || memcmp(dag->coords, g->coords,
                               (size_t)g->nvtx * (size_t)g->ndim * sizeof *g->coords) == 0);
}

static void check_orient(const clv_graph *g, const char *path)
{
    for (int lower = 0; lower < 2; lower++) {
        cleave_read_options opt;
        cleave_read_options_init(&opt, sizeof opt);
        opt.as = lower ? "lower" : "upper";
        cleave_graph *dag = NULL;
        CHECK_OK(cleave_graph_read(&dag, path, &opt, &err));
        CHECK(dag && oriented(dag, g, lower));
        cleave_graph_free(dag);
        for (test_oom_rounds oom = {.lenient = true}; test_oom_next(&oom);) {
            TEST_OOM(&oom, cleave_graph_read(&dag, path, &opt, &err));
            CHECK(oom.status != CLEAVE_OK || oriented(dag, g, lower));
            cleave_graph_free(dag);
        }
    }
}

static void test_orient(void)
{
    const fixture_kind kinds[] = {
        {.nvtx = 0, .ncon = 1},
        {.nvtx = 1, .ncon = 1},
        {.nvtx = 30, .nedge = 60, .ncon = 1},
        {.nvtx = 30, .nedge = 60, .ncon = 3, .ewgt = true, .vwgt = true, .vsize = true},
        {.nvtx = 30,
         .nedge = 60,
         .ncon = 1,
         .ewgt = true,
         .vwgt = true,
         .vsize = true,
         .names = true,
         .ndim = 3},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        clv_graph *g = fixture_graph(&kinds[i], i);
        const char *path = fixture_path("orient.clv"); /* mapped: nothing to release */
        CHECK_OK(fixture_write(g, &clv_format_binary, path, NULL, &err));
        check_orient(g, path);
        if (!kinds[i].names) {
            path = fixture_path("orient.graph");
            CHECK_OK(fixture_write(g, &clv_format_metis, path, NULL, &err));
            check_orient(g, path);
        }
        clv_graph_free(g);
    }
}

int main(void)
{
    RUN(test_by_name);
    RUN(test_by_path);
    RUN(test_contents);
    RUN(test_reading);
    RUN(test_options);
    RUN(test_orient);
    return test_end();
}
