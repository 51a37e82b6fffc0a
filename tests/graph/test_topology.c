/* SPDX-License-Identifier: Apache-2.0 */
/* Orders, levels, components and cycles against tests/oracle/oracle_graph.h. */
#include "graph/topology.h"

#include "graph/build.h"
#include "graph/sample.h"
#include "support/test.h"

enum { rounds = 3000 };

static cleave_error err;

static void check_same(const int32_t *actual, const int32_t *expected, int n)
{
    CHECK(memcmp(actual, expected, (size_t)n * sizeof *actual) == 0);
}

/* ---- Against the oracle ------------------------------------------------------------ */

static void check_levels(const oracle_graph *o, const clv_graph *g)
{
    int32_t top[ORACLE_MAX], bottom[ORACLE_MAX], level[ORACLE_MAX], depth = -1, expected = 0;
    oracle_longest(o, false, top);
    oracle_longest(o, true, bottom);
    for (int v = 0; v < o->n; v++)
        if (top[v] + 1 > expected)
            expected = top[v] + 1;
    REQUIRE_OK(cleave_graph_levels(g, CLEAVE_LEVELS_TOP, level, &depth, &err));
    check_same(level, top, o->n);
    CHECK_EQ(depth, expected);
    REQUIRE_OK(cleave_graph_levels(g, CLEAVE_LEVELS_BOTTOM, level, NULL, &err));
    check_same(level, bottom, o->n);
    REQUIRE_OK(cleave_graph_levels(g, CLEAVE_LEVELS_ALAP, level, &depth, &err));
    CHECK_EQ(depth, expected);
    for (int v = 0; v < o->n; v++)
        CHECK_EQ(level[v], expected - 1 - bottom[v]);
}

static void test_random_dags(void)
{
    static oracle_graph o;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(1, 1, 0, (uint64_t)round);
        sample_matrix(&o, SAMPLE_DAG, round % 20 ? 12 : ORACLE_MAX, &rng);
        clv_graph *g = sample_graph(&o, CLEAVE_DAG, (sample_attributes){0});
        int32_t expected[ORACLE_MAX], order[ORACLE_MAX];
        oracle_order(&o, expected);
        CHECK_OK(cleave_graph_topological_order(g, order, &err));
        check_same(order, expected, o.n);
        check_levels(&o, g);
        cleave_graph_free(g);
    }
}

static void test_random_components(void)
{
    static oracle_graph o;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(1, 2, 0, (uint64_t)round);
        cleave_kind kind = round % 2 ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
        sample_matrix(&o, kind == CLEAVE_DAG ? SAMPLE_DAG : SAMPLE_UNDIRECTED, 16, &rng);
        clv_graph *g = sample_graph(&o, kind, (sample_attributes){0});
        int32_t expected[ORACLE_MAX], component[ORACLE_MAX], count = -1;
        int expected_count = oracle_components(&o, expected);
        CHECK_OK(cleave_graph_components(g, component, &count, &err));
        CHECK_EQ(count, expected_count);
        check_same(component, expected, o.n);
        cleave_graph_free(g);
    }
}

static void check_strong(const oracle_graph *o, const sample_rows *rows)
{
    bool reach[ORACLE_MAX][ORACLE_MAX], used[ORACLE_MAX] = {false};
    int32_t component[ORACLE_MAX], count = -1;
    REQUIRE_OK(cleave_strong_components(o->n, rows->xadj, rows->adj, component, &count, &err));
    oracle_closure(o, reach);
    for (int u = 0; u < o->n; u++) {
        REQUIRE(component[u] >= 0 && component[u] < count);
        used[component[u]] = true;
        for (int v = 0; v < o->n; v++) {
            bool together = u == v || (reach[u][v] && reach[v][u]);
            CHECK_EQ(component[u] == component[v], together);
            CHECK(!o->arc[u][v] || component[u] <= component[v]);
        }
    }
    for (int c = 0; c < count; c++)
        CHECK(used[c]);
}

static void check_sort(const oracle_graph *o, const sample_rows *rows, clv_ws *ws)
{
    int32_t order[ORACLE_MAX], place[ORACLE_MAX];
    bool complete = false, acyclic = oracle_acyclic(o);
    REQUIRE_OK(clv_topology_sort(o->n, rows->xadj, rows->adj, ws, order, &complete, &err));
    CHECK_EQ(complete, acyclic);
    if (!acyclic)
        return;
    for (int v = 0; v < o->n; v++)
        place[v] = -1;
    for (int i = 0; i < o->n; i++)
        place[order[i]] = i;
    for (int u = 0; u < o->n; u++) {
        CHECK(place[u] >= 0);
        for (int v = 0; v < o->n; v++)
            CHECK(!o->arc[u][v] || place[u] < place[v]);
    }
}

static void check_cycle(const oracle_graph *o, const sample_rows *rows, clv_ws *ws)
{
    int32_t cycle[ORACLE_MAX], length = -1;
    bool met[ORACLE_MAX] = {false};
    REQUIRE_OK(clv_topology_find_cycle(o->n, rows->xadj, rows->adj, ws, cycle, &length, &err));
    CHECK_EQ(length, oracle_girth(o));
    for (int i = 0; i < length; i++) {
        REQUIRE(cycle[i] >= 0 && cycle[i] < o->n);
        CHECK(o->arc[cycle[i]][cycle[(i + 1) % length]]);
        CHECK(cycle[0] <= cycle[i]);
        CHECK(!met[cycle[i]]);
        met[cycle[i]] = true;
    }
}

static void test_random_digraphs(void)
{
    static oracle_graph o;
    static sample_rows rows;
    clv_ws ws = {NULL};
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(1, 3, 0, (uint64_t)round);
        sample_kind kind = round % 3 == 0   ? SAMPLE_DAG
                           : round % 3 == 1 ? SAMPLE_DIGRAPH
                                            : SAMPLE_LOOPS;
        sample_matrix(&o, kind, round % 20 ? 12 : ORACLE_MAX, &rng);
        sample_bare_rows(&rows, &o, round % 2, &rng);
        check_strong(&o, &rows);
        check_sort(&o, &rows, &ws);
        check_cycle(&o, &rows, &ws);
    }
    clv_ws_free(&ws);
}

/* ---- Shapes ------------------------------------------------------------------------ */

static void test_empty(void)
{
    clv_graph *dag = sample_edges(CLEAVE_DAG, 0, 0, NULL, NULL, NULL);
    clv_graph *flat = sample_edges(CLEAVE_UNDIRECTED, 0, 0, NULL, NULL, NULL);
    int32_t depth = -1, count = -1;
    int64_t zero = 0;
    CHECK_OK(cleave_graph_topological_order(dag, NULL, &err));
    CHECK_OK(cleave_graph_levels(dag, CLEAVE_LEVELS_ALAP, NULL, &depth, &err));
    CHECK_EQ(depth, 0);
    CHECK_OK(cleave_graph_components(flat, NULL, &count, &err));
    CHECK_EQ(count, 0);
    count = -1;
    CHECK_OK(cleave_strong_components(0, &zero, NULL, NULL, &count, &err));
    CHECK_EQ(count, 0);
    CHECK_OK(cleave_strong_components(0, NULL, NULL, NULL, &count, &err));
    cleave_graph_free(dag);
    cleave_graph_free(flat);
}

static void test_single(void)
{
    clv_graph *g = sample_edges(CLEAVE_DAG, 1, 0, NULL, NULL, NULL);
    int32_t value = -1, depth = -1;
    int64_t xadj[2] = {0, 0};
    CHECK_OK(cleave_graph_topological_order(g, &value, &err));
    CHECK_EQ(value, 0);
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_ALAP, &value, &depth, &err));
    CHECK_EQ(value, 0);
    CHECK_EQ(depth, 1);
    CHECK_OK(cleave_strong_components(1, xadj, NULL, &value, &depth, &err));
    CHECK_EQ(value, 0);
    CHECK_EQ(depth, 1);
    cleave_graph_free(g);
}

/* Vertex 4 feeds 0..3 and 5..7: smallest first means 4 0 1 2 3 5 6 7. */
static void test_star(void)
{
    static const int32_t tail[] = {4, 4, 4, 4, 4, 4, 4}, head[] = {0, 1, 2, 3, 5, 6, 7};
    static const int32_t expected[] = {4, 0, 1, 2, 3, 5, 6, 7};
    clv_graph *g = sample_edges(CLEAVE_DAG, 8, 7, tail, head, NULL);
    int32_t order[8], count;
    CHECK_OK(cleave_graph_topological_order(g, order, &err));
    check_same(order, expected, 8);
    CHECK_OK(cleave_graph_components(g, order, &count, &err));
    CHECK_EQ(count, 1);
    cleave_graph_free(g);
}

/* A slack vertex: 0 -> 1 -> 2 and 3 -> 2; 3 can wait until level 1. */
static void test_slack(void)
{
    static const int32_t tail[] = {0, 1, 3}, head[] = {1, 2, 2};
    static const int32_t top[] = {0, 1, 2, 0}, bottom[] = {2, 1, 0, 1}, alap[] = {0, 1, 2, 1};
    clv_graph *g = sample_edges(CLEAVE_DAG, 4, 3, tail, head, NULL);
    int32_t level[4];
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_TOP, level, NULL, &err));
    check_same(level, top, 4);
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_BOTTOM, level, NULL, &err));
    check_same(level, bottom, 4);
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_ALAP, level, NULL, &err));
    check_same(level, alap, 4);
    cleave_graph_free(g);
}

/* ---- Large graphs: nothing may recurse or be quadratic ------------------------------ */

enum { large = 1000000 };

typedef struct big_rows {
    int64_t *xadj;
    int32_t *adj, *result;
} big_rows;

static big_rows big_new(int64_t arcs)
{
    return (big_rows){malloc(sizeof(int64_t) * (large + 1)),
                      malloc(sizeof(int32_t) * (size_t)arcs), malloc(sizeof(int32_t) * large)};
}

static void big_free(big_rows *big)
{
    free(big->xadj);
    free(big->adj);
    free(big->result);
}

/* 0 <- 1 <- ... <- n-1: against the numbers, so that nothing is ready early. */
static void test_long_path(void)
{
    int32_t *tail = malloc(sizeof *tail * large), *head = malloc(sizeof *head * large);
    int32_t *order = malloc(sizeof *order * large), depth, count;
    for (int32_t v = 1; v < large; v++) {
        tail[v - 1] = v;
        head[v - 1] = v - 1;
    }
    clv_graph *g = sample_edges(CLEAVE_DAG, large, large - 1, tail, head, NULL);
    CHECK_OK(cleave_graph_topological_order(g, order, &err));
    CHECK(order[0] == large - 1 && order[large - 1] == 0);
    CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_BOTTOM, order, &depth, &err));
    CHECK_EQ(depth, large);
    CHECK_EQ(order[large - 1], large - 1);
    CHECK_OK(cleave_graph_components(g, order, &count, &err));
    CHECK_EQ(count, 1);
    CHECK_OK(cleave_strong_components(large, g->xadj, g->adj, order, &count, &err));
    CHECK_EQ(count, large);
    CHECK(order[large - 1] == 0 && order[0] == large - 1);
    cleave_graph_free(g);
    free(tail);
    free(head);
    free(order);
}

static void test_long_cycle(void)
{
    big_rows big = big_new(large);
    clv_ws ws = {NULL};
    int32_t length = 0, count = 0;
    for (int32_t v = 0; v < large; v++) {
        big.xadj[v] = v;
        big.adj[v] = (v + 1) % large;
    }
    big.xadj[large] = large;
    CHECK_OK(
        clv_topology_find_cycle(large, big.xadj, big.adj, &ws, big.result, &length, &err));
    CHECK_EQ(length, large);
    for (int32_t v = 0; v < length; v++)
        REQUIRE(big.result[v] == v);
    CHECK_OK(cleave_strong_components(large, big.xadj, big.adj, big.result, &count, &err));
    CHECK_EQ(count, 1);
    clv_ws_free(&ws);
    big_free(&big);
}

/* A ring in which every vertex also has an arc back to the one before: the search must
 * come to a cycle of two, not go around. */
static void test_two_way_ring(void)
{
    big_rows big = big_new(2 * (int64_t)large);
    clv_ws ws = {NULL};
    int32_t length = 0;
    for (int32_t v = 0; v < large; v++) {
        big.xadj[v] = 2 * (int64_t)v;
        big.adj[2 * v] = (v + 1) % large;
        big.adj[2 * v + 1] = (v + large - 1) % large;
    }
    big.xadj[large] = 2 * (int64_t)large;
    CHECK_OK(
        clv_topology_find_cycle(large, big.xadj, big.adj, &ws, big.result, &length, &err));
    CHECK_EQ(length, 2);
    clv_ws_free(&ws);
    big_free(&big);
}

/* A ring whose every vertex has a second arc far ahead: no short cycle, many searches. */
static void test_no_short_cycle(void)
{
    big_rows big = big_new(2 * (int64_t)large);
    clv_ws ws = {NULL};
    int32_t length = 0;
    for (int32_t v = 0; v < large; v++) {
        big.xadj[v] = 2 * (int64_t)v;
        big.adj[2 * v] = (v + 1) % large;
        big.adj[2 * v + 1] = (v + 1000) % large;
    }
    big.xadj[large] = 2 * (int64_t)large;
    CHECK_OK(
        clv_topology_find_cycle(large, big.xadj, big.adj, &ws, big.result, &length, &err));
    CHECK_EQ(length, 1000);
    clv_ws_free(&ws);
    big_free(&big);
}

/* ---- Text -------------------------------------------------------------------------- */

static const char *cycle_text(int32_t length, const clv_names *names, int base, size_t size)
{
    static const int32_t cycle[] = {2, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, INT32_MAX};
    static char text[256];
    memset(text, 'x', sizeof text);
    clv_topology_cycle_text(cycle, length, names, base, text, size);
    CHECK(text[size] == 'x');
    return text;
}

static void test_cycle_text(void)
{
    CHECK_STR(cycle_text(0, NULL, 0, 200), "");
    CHECK_STR(cycle_text(1, NULL, 0, 200), "2 -> 2");
    CHECK_STR(cycle_text(2, NULL, 1, 200), "3 -> 7 -> 3");
    CHECK_STR(cycle_text(8, NULL, 0, 200), "2 -> 6 -> 10 -> 11 -> 12 -> 13 -> 14 -> 15 -> 2");
    CHECK_STR(cycle_text(9, NULL, 0, 200),
              "2 -> 6 -> 10 -> 11 -> 12 -> 13 -> 14 -> ... -> 16 -> 2");
    CHECK_STR(cycle_text(12, NULL, 1, 200),
              "3 -> 7 -> 11 -> 12 -> 13 -> 14 -> 15 -> ... -> 2147483648 -> 3");
}

static void test_cycle_text_narrow(void)
{
    CHECK_STR(cycle_text(2, NULL, 0, 12), "2 -> 6 -> 2");
    CHECK_STR(cycle_text(2, NULL, 0, 11), "... -> 2");
    CHECK_STR(cycle_text(8, NULL, 0, 25), "2 -> 6 -> ... -> 15 -> 2");
    CHECK_STR(cycle_text(8, NULL, 0, 24), "2 -> ... -> 15 -> 2");
    CHECK_STR(cycle_text(8, NULL, 0, 9), "... -> 2");
    CHECK_STR(cycle_text(8, NULL, 0, 8), "");
    CHECK_STR(cycle_text(8, NULL, 0, 1), "");
    cycle_text(8, NULL, 0, 0);
}

static void test_cycle_text_names(void)
{
    static const char names_text[] = "a\0bee\0a name of more than forty characters, shortened";
    static const int64_t offset[] = {0, 2, 6, sizeof names_text};
    static const int32_t cycle[] = {0, 2, 1};
    clv_names names = {offset, names_text}, none = {NULL, NULL};
    char text[100];
    clv_topology_cycle_text(cycle, 3, &names, 1, text, sizeof text);
    CHECK_STR(text, "a -> a name of more than forty characters,... -> bee -> a");
    clv_topology_cycle_text(cycle, 3, &none, 1, text, sizeof text);
    CHECK_STR(text, "1 -> 3 -> 2 -> 1");
}

/* ---- Wrong arguments --------------------------------------------------------------- */

#define CHECK_REFUSED(call, text)                                                             \
    do {                                                                                      \
        memset(&err, 0, sizeof err);                                                          \
        CHECK_EQ((call), CLEAVE_EINVAL);                                                      \
        CHECK_EQ(err.status, CLEAVE_EINVAL);                                                  \
        CHECK_STR(err.message, text);                                                         \
    } while (0)

static void test_refused_graphs(void)
{
    static const int32_t tail[] = {0}, head[] = {1};
    clv_graph *dag = sample_edges(CLEAVE_DAG, 2, 1, tail, head, NULL);
    clv_graph *flat = sample_edges(CLEAVE_UNDIRECTED, 2, 1, tail, head, NULL);
    int32_t out[2], count;
    CHECK_REFUSED(cleave_graph_topological_order(NULL, out, &err), "the graph is NULL");
    CHECK_REFUSED(cleave_graph_topological_order(dag, NULL, &err), "order is NULL");
    CHECK_REFUSED(cleave_graph_topological_order(flat, out, &err),
                  "an undirected graph has no topological order");
    CHECK_REFUSED(cleave_graph_levels(NULL, CLEAVE_LEVELS_TOP, out, &count, &err),
                  "the graph is NULL");
    CHECK_REFUSED(cleave_graph_levels(dag, CLEAVE_LEVELS_TOP, NULL, &count, &err),
                  "level is NULL");
    CHECK_REFUSED(cleave_graph_levels(flat, CLEAVE_LEVELS_TOP, out, &count, &err),
                  "an undirected graph has no levels");
    CHECK_REFUSED(cleave_graph_levels(dag, (cleave_levels)3, out, &count, &err),
                  "unknown kind of levels 3");
    CHECK_REFUSED(cleave_graph_components(NULL, out, &count, &err), "the graph is NULL");
    CHECK_REFUSED(cleave_graph_components(dag, NULL, &count, &err), "component is NULL");
    CHECK_REFUSED(cleave_graph_components(dag, out, NULL, &err), "ncomponents is NULL");
    CHECK_EQ(cleave_graph_components(NULL, out, &count, NULL), CLEAVE_EINVAL);
    cleave_graph_free(dag);
    cleave_graph_free(flat);
}

static void test_refused_rows(void)
{
    static const int64_t xadj[] = {0, 1, 2}, back[] = {0, 2, 1}, late[] = {1, 1, 2};
    static const int32_t adj[] = {1, 0}, wild[] = {1, 2}, negative[] = {-1, 0};
    int32_t out[2], count;
    CHECK_OK(cleave_strong_components(2, xadj, adj, out, &count, &err));
    CHECK_REFUSED(cleave_strong_components(-1, xadj, adj, out, &count, &err),
                  "a graph cannot have -1 vertices");
    CHECK_REFUSED(cleave_strong_components(2, NULL, adj, out, &count, &err), "xadj is NULL");
    CHECK_REFUSED(cleave_strong_components(2, xadj, NULL, out, &count, &err), "adj is NULL");
    CHECK_REFUSED(cleave_strong_components(2, xadj, adj, NULL, &count, &err),
                  "component is NULL");
    CHECK_REFUSED(cleave_strong_components(2, xadj, adj, out, NULL, &err),
                  "ncomponents is NULL");
    CHECK_REFUSED(cleave_strong_components(2, back, adj, out, &count, &err),
                  "xadj[2] is 1, less than xadj[1]");
    CHECK_REFUSED(cleave_strong_components(2, late, adj, out, &count, &err),
                  "xadj[0] is 1, not 0");
    CHECK_REFUSED(cleave_strong_components(2, xadj, wild, out, &count, &err),
                  "vertex 1 has an arc to 2, but there are 2 vertices");
    CHECK_REFUSED(cleave_strong_components(2, xadj, negative, out, &count, &err),
                  "vertex 0 has an arc to -1, but there are 2 vertices");
}

/* 0 -> 1 -> 2 -> 1, created with CLEAVE_TRUST: no crash and no endless loop, but a status. */
static void test_trusted_cycle(void)
{
    clv_rows rows = {.nvtx = 3,
                     .xadj = clv_alloc(4, sizeof *rows.xadj),
                     .adj = clv_alloc(3, sizeof *rows.adj)};
    memcpy(rows.xadj, (int64_t[]){0, 1, 2, 3}, 4 * sizeof *rows.xadj);
    memcpy(rows.adj, (int32_t[]){1, 2, 1}, 3 * sizeof *rows.adj);
    clv_build_rules rules = {.trust = true};
    clv_graph *g;
    REQUIRE_OK(clv_build_graph(&g, CLEAVE_DAG, &rows, &rules, NULL, &err));
    int32_t out[3];
    CHECK_EQ(cleave_graph_topological_order(g, out, &err), CLEAVE_ECYCLE);
    CHECK_EQ(cleave_graph_levels(g, CLEAVE_LEVELS_TOP, out, NULL, &err), CLEAVE_ECYCLE);
    CHECK_EQ(cleave_graph_levels(g, CLEAVE_LEVELS_BOTTOM, out, NULL, &err), CLEAVE_ECYCLE);
    cleave_graph_free(g);
}

/* ---- Out of memory ----------------------------------------------------------------- */

enum { oom_vertices = 20000 }; /* too many for the first chunk of a workspace */
static int32_t oom_out[oom_vertices];

static cleave_status call_order(const void *g, cleave_error *e)
{
    return cleave_graph_topological_order(g, oom_out, e);
}
static cleave_status call_top(const void *g, cleave_error *e)
{
    return cleave_graph_levels(g, CLEAVE_LEVELS_TOP, oom_out, NULL, e);
}
static cleave_status call_alap(const void *g, cleave_error *e)
{
    return cleave_graph_levels(g, CLEAVE_LEVELS_ALAP, oom_out, NULL, e);
}
static cleave_status call_components(const void *g, cleave_error *e)
{
    int32_t count;
    return cleave_graph_components(g, oom_out, &count, e);
}
static cleave_status call_strong(const void *g, cleave_error *e)
{
    const clv_graph *graph = g;
    int32_t count;
    return cleave_strong_components(graph->nvtx, graph->xadj, graph->adj, oom_out, &count, e);
}
static cleave_status call_cycle(const void *g, cleave_error *e)
{
    const clv_graph *flat = g; /* as a digraph: full of cycles of two */
    int32_t length;
    clv_ws ws = {NULL};
    cleave_status status =
        clv_topology_find_cycle(flat->nvtx, flat->xadj, flat->adj, &ws, oom_out, &length, e);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    static int32_t tail[oom_vertices - 1], head[oom_vertices - 1];
    for (int32_t v = 1; v < oom_vertices; v++) {
        tail[v - 1] = v;
        head[v - 1] = v - 1;
    }
    clv_graph *dag =
        sample_edges(CLEAVE_DAG, oom_vertices, oom_vertices - 1, tail, head, NULL);
    clv_graph *flat =
        sample_edges(CLEAVE_UNDIRECTED, oom_vertices, oom_vertices - 1, tail, head, NULL);
    test_oom_call(call_order, dag);
    test_oom_call(call_top, dag);
    test_oom_call(call_alap, dag);
    test_oom_call(call_components, dag);
    test_oom_call(call_components, flat);
    test_oom_call(call_strong, dag);
    test_oom_call(call_strong, flat);
    test_oom_call(call_cycle, flat);
    cleave_graph_free(dag);
    cleave_graph_free(flat);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_random_dags);
    RUN(test_random_components);
    RUN(test_random_digraphs);
    RUN(test_empty);
    RUN(test_single);
    RUN(test_star);
    RUN(test_slack);
    RUN(test_long_path);
    RUN(test_long_cycle);
    RUN(test_two_way_ring);
    RUN(test_no_short_cycle);
    RUN(test_cycle_text);
    RUN(test_cycle_text_narrow);
    RUN(test_cycle_text_names);
    RUN(test_refused_graphs);
    RUN(test_refused_rows);
    RUN(test_trusted_cycle);
    RUN(test_out_of_memory);
    return test_end();
}
