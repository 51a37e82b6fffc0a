/* SPDX-License-Identifier: Apache-2.0 */
/* From rows to a finished graph, by hand: the exact text of every error message, sums at the
 * limit, trusted rows, and every allocation failing once. */
#include "graph/build.h"

#include "graph/sample.h"
#include "support/test.h"

static cleave_error err;

/* ---- Exact words -------------------------------------------------------------------- */

/* "0 1, 2:7" are the rows 0: 1 and 1: 2 of weight 7. */
static clv_rows rows_from(const char *text)
{
    static int64_t xadj[32];
    static int32_t adj[64], ewgt[64];
    int32_t n = 0;
    int64_t count = 0;
    bool weighted = strchr(text, ':') != NULL;
    for (const char *p = text;; p++) {
        int used = 0, u, w = 1;
        while (*p == ' ')
            p++;
        if (*p == ',' || !*p) {
            xadj[++n] = count;
            if (!*p)
                break;
            continue;
        }
        if (sscanf(p, "%d%n:%d%n", &u, &used, &w, &used) < 1)
            abort();
        adj[count] = u;
        ewgt[count++] = w;
        p += used - 1;
    }
    clv_rows rows = {.nvtx = n,
                     .xadj = clv_alloc(n + 1, sizeof *xadj),
                     .adj = clv_alloc(count, sizeof *adj),
                     .ewgt = weighted ? clv_alloc(count, sizeof *ewgt) : NULL};
    memcpy(rows.xadj, xadj, (size_t)(n + 1) * sizeof *xadj);
    memcpy(rows.adj, adj, (size_t)count * sizeof *adj);
    if (weighted)
        memcpy(rows.ewgt, ewgt, (size_t)count * sizeof *ewgt);
    return rows;
}

static void refused_at(cleave_kind kind, const char *text, const clv_build_rules *rules,
                       const clv_where *where, cleave_status status, const char *message)
{
    clv_rows rows = rows_from(text);
    clv_graph *g = (clv_graph *)&err;
    memset(&err, 0, sizeof err);
    CHECK_EQ(clv_build_graph(&g, kind, &rows, rules, where, &err), status);
    CHECK(g == NULL);
    CHECK_EQ(err.status, status);
    CHECK_STR(err.message, message);
    rows = rows_from(text);
    CHECK_EQ(clv_build_graph(&g, kind, &rows, rules, where, NULL), status);
}

static void test_words(void)
{
    static const clv_build_rules strict = {.symmetrise = CLV_SYMMETRISE_REFUSE},
                                 sum = {.symmetrise = CLV_SYMMETRISE_SUM,
                                        .merge_duplicates = true};
    cleave_kind u = CLEAVE_UNDIRECTED, d = CLEAVE_DAG;
    cleave_status no = CLEAVE_EINVAL, big = CLEAVE_ERANGE;
    refused_at(u, " 1, 0 2 1", &strict, NULL, no, "vertex 1 is its own neighbour");
    refused_at(u, " 1, 2 0 2, 1", &strict, NULL, no, "vertex 1 lists neighbour 2 twice");
    refused_at(u, " 1 2, 0, ", &strict, NULL, no,
               "vertex 0 lists neighbour 2, which does not list it");
    refused_at(u, " 1, 0, 0", &strict, NULL, no,
               "vertex 2 lists neighbour 0, which does not list it");
    refused_at(u, " 1:5, 0:6", &strict, NULL, no,
               "edge 1 - 0 has weight 6 this way and 5 the other way");
    refused_at(u, " 1:2147483647 1:1, 0:1", &sum, NULL, big,
               "the weights of the duplicates of edge 0 - 1 sum to more than 2147483647");
    refused_at(u, " 1:2147483647, 0:1", &sum, NULL, big,
               "the weights of edge 0 - 1 sum to more than 2147483647");
    refused_at(d, " 1, 2, 0", &strict, NULL, CLEAVE_ECYCLE,
               "the graph has a cycle: 0 -> 1 -> 2 -> 0");
    refused_at(d, " 1, 2, 1", &strict, NULL, CLEAVE_ECYCLE,
               "the graph has a cycle: 1 -> 2 -> 1");
    refused_at(d, " 0", &strict, NULL, no, "vertex 0 is its own neighbour");
    refused_at(d, " 1 1, ", &strict, NULL, no, "vertex 0 lists neighbour 1 twice");
}

static int64_t line_of(const void *context, int32_t v)
{
    return *(const int64_t *)context + v;
}

/* Of a file: path and line in front, vertices as its reader counts them. */
static void test_words_of_files(void)
{
    static const clv_build_rules strict = {.symmetrise = CLV_SYMMETRISE_REFUSE},
                                 sum = {.symmetrise = CLV_SYMMETRISE_SUM,
                                        .merge_duplicates = true};
    static const int64_t first = 12;
    static const clv_where at = {
        .path = "a.graph", .line_of = line_of, .context = &first, .base = 1};
    static const clv_where file_only = {.path = "a.graph", .base = 1};
    cleave_kind u = CLEAVE_UNDIRECTED, d = CLEAVE_DAG;
    cleave_status bad = CLEAVE_EPARSE, big = CLEAVE_ERANGE;
    refused_at(u, " 1, 0 1", &strict, &at, bad, "a.graph:13: vertex 2 is its own neighbour");
    refused_at(u, " 1, 2 0 2, 1", &strict, &at, bad,
               "a.graph:13: vertex 2 lists neighbour 3 twice");
    refused_at(u, " 1, 0, 0", &strict, &at, bad,
               "a.graph:14: vertex 3 lists neighbour 1, which does not list it");
    refused_at(u, " 1, 0, 0", &strict, &file_only, bad,
               "a.graph: vertex 3 lists neighbour 1, which does not list it");
    refused_at(u, " 1:5, 0:6", &strict, &at, bad,
               "a.graph:13: edge 2 - 1 has weight 6 this way and 5 the other way");
    refused_at(u, ", 2:2147483647 2:1, 1:1", &sum, &at, big,
               "a.graph:13: the weights of the duplicates of edge 2 - 3 sum to more than "
               "2147483647");
    refused_at(u, ", 2:2147483647, 1:1", &sum, &at, big,
               "a.graph:13: the weights of edge 2 - 3 sum to more than 2147483647");
    refused_at(d, " 1, 2, 1", &strict, &at, CLEAVE_ECYCLE,
               "a.graph:13: the graph has a cycle: 2 -> 3 -> 2");
    refused_at(d, " 1, 2, 1", &strict, &file_only, CLEAVE_ECYCLE,
               "a.graph: the graph has a cycle: 2 -> 3 -> 2");
}

static void test_words_with_names(void)
{
    static const clv_build_rules strict = {.symmetrise = CLV_SYMMETRISE_REFUSE},
                                 sum = {.symmetrise = CLV_SYMMETRISE_SUM};
    static const char text[] = "ape\0b\0a name that is far longer than forty bytes are";
    static const int64_t offset[] = {0, 4, 6, sizeof text};
    static const clv_names names = {offset, text};
    static const clv_where at = {.path = "x.dot", .names = &names}, bare = {.names = &names};
    cleave_kind u = CLEAVE_UNDIRECTED;
    refused_at(u, " 1, 0 1, ", &strict, &at, CLEAVE_EPARSE,
               "x.dot: vertex b is its own neighbour");
    refused_at(u, " 1, 0, 0", &strict, &bare, CLEAVE_EINVAL,
               "vertex a name that is far longer than forty byt lists neighbour ape, which "
               "does not list it");
    refused_at(u, " 1:2147483647, 0:1, ", &sum, &at, CLEAVE_ERANGE,
               "x.dot: the weights of edge ape - b sum to more than 2147483647");
    refused_at(CLEAVE_DAG, " 1, 0, ", &strict, &at, CLEAVE_ECYCLE,
               "x.dot: the graph has a cycle: ape -> b -> ape");
}

/* ---- Limits ------------------------------------------------------------------------- */

static clv_graph *built(const char *text, clv_symmetrise how)
{
    clv_rows rows = rows_from(text);
    clv_build_rules rules = {.symmetrise = how, .drop_loops = true, .merge_duplicates = true};
    clv_graph *g;
    CHECK_OK(clv_build_graph(&g, CLEAVE_UNDIRECTED, &rows, &rules, NULL, &err));
    return g;
}

static void test_largest_sums(void)
{
    clv_graph *g = built(" 1:2147483646 1:1, 0:2147483647", CLV_SYMMETRISE_REFUSE);
    CHECK(g->narc == 2 && g->ewgt[0] == INT32_MAX && g->ewgt[1] == INT32_MAX);
    clv_graph_free(g);
    g = built(" 1:2147483646, 0:1", CLV_SYMMETRISE_SUM);
    CHECK(g->narc == 2 && g->ewgt[0] == INT32_MAX && g->ewgt[1] == INT32_MAX);
    clv_graph_free(g);
    /* A dropped self-loop weighs nothing. */
    g = built(" 0:2147483647 0:2147483647 1:1, 0:1", CLV_SYMMETRISE_REFUSE);
    CHECK(g->narc == 2 && g->ewgt[0] == 1);
    clv_graph_free(g);
    g = built(" 1:0, 0:0", CLV_SYMMETRISE_SUM);
    CHECK(g->narc == 2 && g->ewgt[0] == 0);
    clv_graph_free(g);
}

/* Rows that a reader vouches for are taken as they are. */
static void test_known_good(void)
{
    clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_REFUSE};
    clv_rows rows = rows_from(" 1 2, 0, 0");
    rows.paired = rows.known_good = true;
    const int32_t *adj = rows.adj;
    clv_graph *g;
    REQUIRE_OK(clv_build_graph(&g, CLEAVE_UNDIRECTED, &rows, &rules, NULL, &err));
    CHECK(g->adj == adj && !sample_fault(g));
    clv_graph_free(g);
}

/* ---- Out of memory ------------------------------------------------------------------ */

/* Memory that cannot be given back is no failure: a build may succeed all the same. */
static void build_survives(cleave_kind kind, const char *text, clv_symmetrise how)
{
    for (int64_t nth = 1; nth < 100; nth++) {
        clv_rows rows = rows_from(text);
        clv_build_rules rules = {.symmetrise = how, .merge_duplicates = true};
        clv_graph *g;
        memset(&err, 0, sizeof err);
        test_alloc_fail_at(nth);
        cleave_status status = clv_build_graph(&g, kind, &rows, &rules, NULL, &err);
        int64_t calls = test_alloc_calls();
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK ? g && !sample_fault(g) && g->narc > 0
                                  : status == CLEAVE_ENOMEM && !g);
        clv_graph_free(g);
        CHECK_EQ(test_alloc_live(), 0);
        if (calls < nth) {
            CHECK(status == CLEAVE_OK && nth > 5);
            return;
        }
    }
    CHECK(!"an end");
}

static void test_out_of_memory(void)
{
    build_survives(CLEAVE_UNDIRECTED, " 2:1 1:2 1:3, 0:5, 0:1", CLV_SYMMETRISE_REFUSE);
    build_survives(CLEAVE_UNDIRECTED, " 2:1 1:2 1:3, 0:5, ", CLV_SYMMETRISE_SUM);
    build_survives(CLEAVE_DAG, " 2:1 1:2 1:3, 2:4, ", CLV_SYMMETRISE_REFUSE);
}

int main(void)
{
    RUN(test_words);
    RUN(test_words_of_files);
    RUN(test_words_with_names);
    RUN(test_largest_sums);
    RUN(test_known_good);
    RUN(test_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
