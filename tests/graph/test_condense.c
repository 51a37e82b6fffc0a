/* SPDX-License-Identifier: Apache-2.0 */
/* Directed graphs with cycles become DAGs of their strongly connected components: against
 * reachability by matrices, through every reader that accepts cycles, with failing
 * allocations. */
#include "base/rng.h"
#include "graph/derive.h"
#include "oracle/oracle_graph.h"
#include "support/test.h"

static cleave_error err;

/* ---- Against matrices ------------------------------------------------------------------ */

static void draw(oracle_graph *o, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 4, 0, 0);
    memset(o, 0, sizeof *o);
    o->n = 1 + (int)clv_rng_below(&rng, 12);
    uint32_t rare = 2 + clv_rng_below(&rng, 12);
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            if (u != v && clv_rng_below(&rng, rare) == 0) {
                o->arc[u][v] = true;
                o->wgt[u][v] = 1 + clv_rng_below(&rng, 9);
            }
}

/* A DOT file with weights and sizes: vertex v weighs v + 1 and sends v + 2. */
static const char *write_dot(const oracle_graph *o)
{
    static char text[16384];
    char *to = text + sprintf(text, "digraph {\n");
    for (int v = 0; v < o->n; v++)
        to += sprintf(to, "n%d [weight=%d, vsize=%d];\n", v, v + 1, v + 2);
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            if (o->arc[u][v])
                to += sprintf(to, "n%d -> n%d [weight=%d];\n", u, v, (int)o->wgt[u][v]);
    sprintf(to, "}\n");
    return test_file("condense.dot", text);
}

static cleave_graph *read_condensed(const char *path, const char *as, cleave_mapping **m)
{
    cleave_graph *g = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    opt.condense = 1;
    opt.components = m;
    CHECK_OK(cleave_graph_read(&g, path, &opt, &err));
    return g;
}

static void check_vertices(const oracle_graph *o, const cleave_csr *view, const int32_t *to)
{
    for (int32_t c = 0; c < view->nvtx; c++) {
        int64_t weight = 0, size = 0;
        for (int v = 0; v < o->n; v++)
            if (to[v] == c) {
                weight += v + 1;
                size += v + 2;
            }
        CHECK_EQ(view->vwgt[c], weight);
        CHECK_EQ(view->vsize[c], size);
    }
}

static void check_arcs(const oracle_graph *o, const cleave_csr *view, const int32_t *to)
{
    static oracle_graph want;
    oracle_quotient(o, view->nvtx, to, &want);
    int64_t arcs = 0;
    for (int32_t c = 0; c < view->nvtx; c++)
        for (int64_t a = view->xadj[c]; a < view->xadj[c + 1]; a++) {
            CHECK(want.arc[c][view->adj[a]]);
            CHECK_EQ(view->ewgt ? view->ewgt[a] : 1, want.wgt[c][view->adj[a]]);
        }
    for (int32_t c = 0; c < view->nvtx; c++)
        for (int32_t d = 0; d < view->nvtx; d++)
            arcs += want.arc[c][d];
    CHECK_EQ(arcs, view->xadj[view->nvtx]);
    CHECK(oracle_acyclic(&want));
}

static void check_one(const oracle_graph *o, int *merged)
{
    bool reach[ORACLE_MAX][ORACLE_MAX];
    cleave_mapping *m = NULL;
    cleave_csr view;
    cleave_graph *g = read_condensed(write_dot(o), NULL, &m);
    REQUIRE(g && m);
    const int32_t *to = cleave_mapping_parts(m);
    int32_t count = cleave_mapping_nparts(m), next = 0;
    CHECK_EQ(cleave_mapping_vertices(m), o->n);
    CHECK_EQ(cleave_graph_vertices(g), count);
    oracle_closure(o, reach);
    for (int u = 0; u < o->n; u++) {
        CHECK(to[u] <= next); /* numbered by smallest vertex */
        next += to[u] == next;
        for (int v = 0; v < o->n; v++)
            CHECK_EQ(to[u] == to[v], u == v || (reach[u][v] && reach[v][u]));
    }
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    check_vertices(o, &view, to);
    check_arcs(o, &view, to);
    *merged += count < o->n;
    cleave_graph_free(g);
    cleave_mapping_free(m);
}

static void test_random(void)
{
    int merged = 0, rounds = 300;
    for (int seed = 1; seed <= rounds; seed++) {
        static oracle_graph o;
        draw(&o, (uint64_t)seed);
        check_one(&o, &merged);
    }
    CHECK(merged > 50 && merged < rounds - 50);
}

/* ---- Readers ---------------------------------------------------------------------------- */

/* "to: 0 0 0 1 | 0 (and 2 more) 4(...)": where vertices went, and names. */
static const char *condensed(const char *name, const char *text, const char *as)
{
    static char shown[400];
    cleave_mapping *m = NULL;
    cleave_graph *g = read_condensed(test_file(name, text), as, &m);
    char *to = shown;
    for (int32_t v = 0; v < cleave_mapping_vertices(m); v++)
        to += sprintf(to, "%d ", (int)cleave_mapping_parts(m)[v]);
    to += sprintf(to, "|");
    for (int32_t v = 0; v < cleave_graph_vertices(g); v++)
        to += sprintf(to, " %s;", cleave_graph_name(g, v) ? cleave_graph_name(g, v) : "-");
    cleave_graph_free(g);
    cleave_mapping_free(m);
    return shown;
}

static void test_readers(void)
{
    const char *matrix = "%%MatrixMarket matrix coordinate pattern general\n"
                         "4 4 5\n1 2\n2 3\n3 1\n4 1\n2 2\n";
    CHECK_STR(condensed("c.dot", "digraph { a -> b -> c -> a; c -> d; d -> d }", NULL),
              "0 0 0 1 | a (and 2 more); d;");
    CHECK_STR(condensed("c.mtx", matrix, "dag"), "0 0 0 1 | 0 (and 2 more); 3;");
    CHECK_STR(condensed("c.txt", "10 20\n20 30\n30 10\n30 40\n", "dag"),
              "0 0 0 1 | 10 (and 2 more); 40;");
    CHECK_STR(condensed("c.graph", "3 3\n2\n3\n2\n", "dag"), "0 1 1 | 0; 1 (and 1 more);");
    /* Nothing to merge: the graph is what it is. */
    CHECK_STR(condensed("d.dot", "digraph { b -> a }", NULL), "0 1 | b; a;");
    CHECK_STR(condensed("e.dot", "digraph { }", NULL), "|");
    /* No directions, no components. */
    CHECK_STR(condensed("u.dot", "graph { a -- b }", NULL), "| a; b;");
}

/* Without the option a cycle is an error that names it; the mapping to components is
 * optional. */
static void test_unwanted(void)
{
    cleave_graph *g = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    const char *path = test_file("w.dot", "digraph { a -> b -> a }");
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_ECYCLE);
    CHECK(!g && strstr(err.message, "the graph has a cycle: a -> b -> a"));
    opt.condense = 1;
    CHECK_OK(cleave_graph_read(&g, path, &opt, &err));
    CHECK_EQ(cleave_graph_vertices(g), 1);
    cleave_graph_free(g);
    /* On failure there is none. */
    cleave_mapping *m = (cleave_mapping *)&err;
    opt.components = &m;
    CHECK_EQ(cleave_graph_read(&g, test_file("x.dot", "digraph {"), &opt, &err),
             CLEAVE_EPARSE);
    CHECK(m == NULL);
}

static void test_range(void)
{
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.condense = 1;
    opt.components = &m;
    const char *path = test_file("r.dot", "digraph { a [weight=2147483647]; a -> b -> a; }");
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_ERANGE);
    CHECK(!g && !m);
    path = test_file("r.dot", "digraph { a [vsize=2147483647]; a -> b -> a; }");
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_ERANGE);
    CHECK(!g && !m);
    CHECK_STR(err.message,
              "the sizes of the vertices of a strongly connected component sum to "
              "2147483648, more than 2^31-1");
}

static void test_memory(void)
{
    const char *path = test_file("m.dot", "digraph { a -> b -> c -> a; c -> d }");
    int failures = 0;
    for (test_oom_rounds oom = {.lenient = true}; test_oom_next(&oom);) {
        cleave_graph *g = NULL;
        cleave_mapping *m = NULL;
        cleave_read_options opt;
        cleave_read_options_init(&opt, sizeof opt);
        opt.condense = 1;
        opt.threads = 1;
        opt.components = &m;
        cleave_status status = TEST_OOM(&oom, cleave_graph_read(&g, path, &opt, &err));
        CHECK((g != NULL) == (status == CLEAVE_OK) && (m != NULL) == (g != NULL));
        cleave_graph_free(g);
        cleave_mapping_free(m);
        failures += status == CLEAVE_ENOMEM;
    }
    CHECK(failures > 5);
}

int main(void)
{
    RUN(test_random);
    RUN(test_readers);
    RUN(test_unwanted);
    RUN(test_range);
    RUN(test_memory);
    return test_end();
}
