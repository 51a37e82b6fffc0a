/* SPDX-License-Identifier: Apache-2.0 */
/* Transpose, subgraph and quotient against dense matrices. */
#include "graph/derive.h"

#include "graph/sample.h"
#include "support/test.h"

enum { rounds = 3000 };

static cleave_error err;

/* ---- Comparing --------------------------------------------------------------------- */

/* Is vertex i of g vertex vertices[i] of the matrix, arcs turned around if asked? */
static void check_arcs(const clv_graph *g, const oracle_graph *o, const int32_t *vertices,
                       bool turned, bool weighted)
{
    static oracle_graph found;
    memset(&found, 0, sizeof found);
    CHECK_EQ(g->ewgt != NULL, weighted);
    for (int32_t i = 0; i < g->nvtx; i++) {
        for (int64_t a = g->xadj[i]; a < g->xadj[i + 1]; a++) {
            found.arc[i][g->adj[a]] = true;
            found.wgt[i][g->adj[a]] = clv_graph_ewgt(g, a);
        }
    }
    for (int32_t i = 0; i < g->nvtx; i++) {
        for (int32_t j = 0; j < g->nvtx; j++) {
            int32_t u = vertices[turned ? j : i], v = vertices[turned ? i : j];
            CHECK_EQ(found.arc[i][j], o->arc[u][v]);
            if (o->arc[u][v])
                CHECK_EQ(found.wgt[i][j], weighted ? o->wgt[u][v] : 1);
        }
    }
}

static void check_attributes(const clv_graph *g, const int32_t *vertices,
                             sample_attributes with)
{
    CHECK_EQ(g->ncon, with.ncon ? with.ncon : 1);
    CHECK_EQ(g->vwgt != NULL, with.ncon > 0);
    CHECK_EQ(g->vsize != NULL, with.vsize);
    CHECK_EQ(g->ndim, with.ndim);
    CHECK_EQ(g->coords != NULL, with.ndim > 0);
    CHECK_EQ(g->names.offset != NULL, with.names);
    for (int32_t i = 0; i < g->nvtx; i++) {
        char name[32];
        for (int32_t con = 0; con < with.ncon; con++)
            CHECK_EQ(clv_graph_vwgt(g, i, con), sample_vwgt(vertices[i], con));
        for (int32_t axis = 0; axis < with.ndim; axis++)
            CHECK(g->coords[i * with.ndim + axis] == sample_coord(vertices[i], axis));
        if (with.vsize)
            CHECK_EQ(g->vsize[i], sample_vsize(vertices[i]));
        sample_name(vertices[i], name);
        if (with.names)
            CHECK_STR(clv_graph_name(g, i), name);
    }
}

static void check_new(const clv_graph *g, cleave_kind kind, int32_t nvtx)
{
    const char *fault = sample_fault(g);
    CHECK_STR(fault ? fault : "", "");
    CHECK_EQ(g->kind, kind);
    CHECK_EQ(g->nvtx, nvtx);
    CHECK(g->format == NULL);
}

/* A random graph with random attributes of either kind. */
static clv_graph *draw(oracle_graph *o, sample_attributes *with, clv_rng *rng)
{
    bool dag = clv_rng_below(rng, 2);
    sample_matrix(o, dag ? SAMPLE_DAG : SAMPLE_UNDIRECTED, 14, rng);
    *with = sample_any_attributes(rng);
    return sample_graph(o, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, *with);
}

/* ---- Transpose --------------------------------------------------------------------- */

static void test_random_transposes(void)
{
    static oracle_graph o;
    int32_t all[ORACLE_MAX];
    for (int32_t v = 0; v < ORACLE_MAX; v++)
        all[v] = v;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(2, 1, 0, (uint64_t)round);
        sample_attributes with;
        clv_graph *g = draw(&o, &with, &rng), *t;
        REQUIRE_OK(cleave_graph_transpose(&t, g, &err));
        check_new(t, g->kind, g->nvtx);
        check_arcs(t, &o, all, true, with.edge_weights);
        cleave_graph_free(g); /* the new graph must not refer to the old one */
        check_attributes(t, all, with);
        cleave_graph_free(t);
    }
}

/* Plain rows: any order, parallel arcs are kept. */
static void test_transpose_rows(void)
{
    static const int64_t xadj[] = {0, 3, 3, 5}, expected_xt[] = {0, 1, 3, 5};
    static const int32_t adj[] = {2, 1, 1, 0, 2}, w[] = {5, 6, 7, 8, 9};
    static const int32_t expected_t[] = {2, 0, 0, 0, 2}, expected_tw[] = {8, 6, 7, 5, 9};
    int64_t xt[4];
    int32_t t[5], tw[5];
    clv_derive_transpose_rows(3, (clv_csr){xadj, adj, {.narrow = w}},
                              (clv_csr_space){xt, t, tw, NULL});
    CHECK(memcmp(xt, expected_xt, sizeof xt) == 0);
    CHECK(memcmp(t, expected_t, sizeof t) == 0);
    CHECK(memcmp(tw, expected_tw, sizeof tw) == 0);
    memset(t, 0, sizeof t);
    clv_derive_transpose_rows(3, (clv_csr){.xadj = xadj, .adj = adj},
                              (clv_csr_space){.xadj = xt, .adj = t});
    CHECK(memcmp(t, expected_t, sizeof t) == 0);
    clv_derive_transpose_rows(0, (clv_csr){.xadj = xadj, .adj = adj},
                              (clv_csr_space){.xadj = xt, .adj = t});
    CHECK_EQ(xt[0], 0);
}

/* ---- Subgraph ---------------------------------------------------------------------- */

static void test_random_subgraphs(void)
{
    static oracle_graph o;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(2, 2, 0, (uint64_t)round);
        sample_attributes with;
        clv_graph *g = draw(&o, &with, &rng), *sub;
        int32_t vertices[ORACLE_MAX];
        clv_rng_permutation(&rng, o.n, vertices);
        int32_t count = (int32_t)clv_rng_below(&rng, (uint32_t)o.n + 1);
        REQUIRE_OK(cleave_graph_subgraph(&sub, g, count, vertices, &err));
        check_new(sub, g->kind, count);
        check_arcs(sub, &o, vertices, false, with.edge_weights);
        cleave_graph_free(g);
        check_attributes(sub, vertices, with);
        cleave_graph_free(sub);
    }
}

/* The meaning of the weights goes along, in memory of its own; the file does not. */
static void test_source(void)
{
    static const int32_t tail[] = {0}, head[] = {1}, vertices[] = {1, 0};
    char unit[] = "ms";
    clv_graph *g = sample_edges(CLEAVE_DAG, 2, 1, tail, head, NULL), *t, *sub;
    g->unit = unit;
    g->format = "dot";
    g->entries = 99;
    REQUIRE_OK(cleave_graph_transpose(&t, g, &err));
    REQUIRE_OK(cleave_graph_subgraph(&sub, g, 2, vertices, &err));
    unit[0] = 'x';
    CHECK_STR(t->unit, "ms");
    CHECK_STR(sub->unit, "ms");
    CHECK(t->format == NULL && sub->format == NULL);
    CHECK(t->entries == 1 && sub->entries == 1);
    cleave_graph_free(t);
    cleave_graph_free(sub);
    cleave_graph_free(g);
}

static void test_nothing_selected(void)
{
    static const int32_t tail[] = {0}, head[] = {1};
    clv_graph *g = sample_edges(CLEAVE_DAG, 2, 1, tail, head, NULL), *sub, *t;
    REQUIRE_OK(cleave_graph_subgraph(&sub, g, 0, NULL, &err));
    check_new(sub, CLEAVE_DAG, 0);
    CHECK_EQ(sub->narc, 0);
    REQUIRE_OK(cleave_graph_transpose(&t, sub, &err));
    check_new(t, CLEAVE_DAG, 0);
    cleave_graph_free(t);
    cleave_graph_free(sub);
    cleave_graph_free(g);
}

static void refused_subgraph(const clv_graph *g, int32_t count, const int32_t *vertices,
                             const char *text)
{
    cleave_graph *sub = (cleave_graph *)&err;
    memset(&err, 0, sizeof err);
    CHECK_EQ(cleave_graph_subgraph(&sub, g, count, vertices, &err), CLEAVE_EINVAL);
    CHECK(sub == NULL);
    CHECK_EQ(err.status, CLEAVE_EINVAL);
    CHECK_STR(err.message, text);
}

static void test_refused_subgraphs(void)
{
    static const int32_t tail[] = {0}, head[] = {1};
    static const int32_t twice[] = {1, 0, 1}, beyond[] = {0, 2}, negative[] = {-1};
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 2, 1, tail, head, NULL);
    refused_subgraph(g, 3, twice, "vertices[0] and vertices[2] are both 1");
    refused_subgraph(g, 2, beyond, "vertices[1] is 2, but the graph has 2 vertices");
    refused_subgraph(g, 1, negative, "vertices[0] is -1, but the graph has 2 vertices");
    refused_subgraph(g, -1, negative, "a subgraph cannot have -1 vertices");
    refused_subgraph(g, 1, NULL, "vertices is NULL");
    refused_subgraph(NULL, 1, twice, "the graph is NULL");
    CHECK_EQ(cleave_graph_subgraph(NULL, g, 1, twice, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "out is NULL");
    cleave_graph *t = (cleave_graph *)&err;
    CHECK_EQ(cleave_graph_subgraph(&t, g, 3, twice, NULL), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_transpose(&t, NULL, &err), CLEAVE_EINVAL);
    CHECK(t == NULL);
    CHECK_EQ(cleave_graph_transpose(NULL, g, &err), CLEAVE_EINVAL);
    cleave_graph_free(g);
}

/* ---- Quotient ---------------------------------------------------------------------- */

static void check_part_weights(const clv_graph *q, const clv_graph *g, const int32_t *part)
{
    CHECK_EQ(q->ncon, g->ncon);
    REQUIRE(q->vwgt != NULL);
    for (int32_t p = 0; p < q->nvtx; p++) {
        for (int32_t con = 0; con < g->ncon; con++) {
            int64_t sum = 0;
            for (int32_t v = 0; v < g->nvtx; v++)
                sum += part[v] == p ? clv_graph_vwgt(g, v, con) : 0;
            CHECK_EQ(clv_graph_vwgt(q, p, con), sum);
        }
    }
}

/* The message ends in "a -> b -> a": every step must be an arc of the quotient. */
static void check_named_cycle(const oracle_graph *quotient)
{
    const char *text = strrchr(err.message, ':');
    REQUIRE(text != NULL);
    int first = -1, before = -1, length = 0;
    for (char *end; *text && strchr(": ->", *text); text = end) {
        while (*text && strchr(": ->", *text))
            text++;
        if (strncmp(text, "...", 3) == 0)
            return; /* a long cycle: the rest cannot be checked */
        int p = (int)strtol(text, &end, 10);
        REQUIRE(end != text && p >= 0 && p < quotient->n);
        if (before >= 0)
            CHECK(quotient->arc[before][p]);
        before = p;
        first = first < 0 ? p : first;
        length++;
    }
    CHECK_EQ(first, before);
    CHECK_EQ(length - 1, oracle_girth(quotient));
}

static void check_quotient(const oracle_graph *o, const clv_graph *g, sample_attributes with,
                           int32_t nparts, const int32_t *part)
{
    static oracle_graph quotient, unit;
    int32_t all[ORACLE_MAX];
    for (int32_t p = 0; p < ORACLE_MAX; p++)
        all[p] = p;
    unit = *o;
    for (int u = 0; u < o->n && !with.edge_weights; u++)
        for (int v = 0; v < o->n; v++)
            unit.wgt[u][v] = 1;
    oracle_quotient(&unit, nparts, part, &quotient);
    cleave_mapping *m;
    cleave_graph *q = NULL;
    REQUIRE_OK(cleave_mapping_create(&m, g->nvtx, nparts, part, &err));
    bool bad = g->kind == CLEAVE_DAG && !oracle_acyclic(&quotient);
    cleave_status status = cleave_graph_quotient(&q, g, m, &err);
    CHECK_EQ(status, bad ? CLEAVE_ECYCLE : CLEAVE_OK);
    CHECK_EQ(q != NULL, !bad);
    if (status == CLEAVE_ECYCLE)
        check_named_cycle(&quotient);
    if (q) {
        check_new(q, g->kind, nparts);
        check_arcs(q, &quotient, all, false, true);
        check_part_weights(q, g, part);
    }
    cleave_graph_free(q);
    cleave_mapping_free(m);
}

static void test_random_quotients(void)
{
    static oracle_graph o;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(2, 3, 0, (uint64_t)round);
        sample_attributes with;
        clv_graph *g = draw(&o, &with, &rng);
        int32_t part[ORACLE_MAX], level[ORACLE_MAX];
        int32_t nparts = 1 + (int32_t)clv_rng_below(&rng, 20); /* also more than vertices */
        for (int32_t v = 0; v < g->nvtx; v++)
            part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)nparts);
        check_quotient(&o, g, with, nparts, part);
        /* Parts that follow the levels are acyclic: the other branch. */
        oracle_longest(&o, false, level);
        for (int32_t v = 0; v < g->nvtx && g->kind == CLEAVE_DAG; v++)
            part[v] = level[v] / 2 < nparts ? level[v] / 2 : nparts - 1;
        check_quotient(&o, g, with, nparts, part);
        cleave_graph_free(g);
    }
}

/* As a quotient of 64 bits it exists and is written, where the format has room. */
static void check_wide(const clv_graph *g, const cleave_mapping *m, const char *dot)
{
    static const char *const names[] = {"q.dot", "q.graph", "q.edges", "q.mtx"};
    cleave_quotient *q;
    cleave_quotient_csr view;
    char path[4][300], text[400] = "";
    REQUIRE_OK(cleave_quotient_create(&q, g, m, &err));
    cleave_quotient_csr_init(&view, sizeof view);
    cleave_quotient_view(q, &view);
    CHECK(view.nparts == 2 && view.kind == g->kind && view.ncon == 1);
    CHECK(view.weight[0] == 2147483648 || view.cut[0] == 2147483648);
    for (int i = 0; i < 4; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", test_scratch(), names[i]);
        CHECK_OK(cleave_quotient_write(q, path[i], NULL, &err));
    }
    FILE *file = fopen(path[0], "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_STR(text, dot);
    snprintf(path[0], sizeof path[0], "%s/q.clv", test_scratch());
    CHECK_EQ(cleave_quotient_write(q, path[0], NULL, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message,
              "a weight is more than 2147483647, for which format \"binary\" has no room");
    cleave_quotient_free(q);
}

/* Two vertices of weight INT32_MAX / 2 + 1 in one part, cut by two such edges. */
static void test_quotient_limits(void)
{
    enum { half = INT32_MAX / 2 + 1 };
    static const int32_t tail[] = {0, 1}, head[] = {2, 2}, just[] = {half, half - 1},
                         over[] = {half, half}, part[] = {0, 0, 1};
    cleave_mapping *m;
    cleave_graph *q;
    REQUIRE_OK(cleave_mapping_create(&m, 3, 2, part, &err));
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 3, 2, tail, head, just);
    REQUIRE_OK(cleave_graph_quotient(&q, g, m, &err));
    CHECK_EQ(q->ewgt[0], INT32_MAX);
    cleave_graph_free(q);
    static const int32_t heavy[] = {half, half, 1};
    g->vwgt = heavy;
    CHECK_EQ(cleave_graph_quotient(&q, g, m, &err), CLEAVE_ERANGE);
    CHECK(q == NULL);
    CHECK_STR(err.message, "the vertices of part 0 weigh 2147483648, more than 2^31-1");
    check_wide(g, m,
               "graph G {\n0 [weight=2147483648];\n1;\n0 -- 1 [weight=2147483647];\n}\n");
    cleave_graph_free(g);
    g = sample_edges(CLEAVE_DAG, 3, 2, tail, head, over);
    CHECK_EQ(cleave_graph_quotient(&q, g, m, &err), CLEAVE_ERANGE);
    CHECK(q == NULL);
    CHECK_STR(err.message, "the cut between parts 0 and 1 is 2147483648, more than 2^31-1");
    check_wide(g, m, "digraph G {\n0 [weight=2];\n1;\n0 -> 1 [weight=2147483648];\n}\n");
    clv_ws ws = {NULL};
    clv_quotient rows;
    REQUIRE_OK(clv_derive_quotient_rows(&rows, g, 2, part, &ws, &err));
    CHECK_EQ(rows.xadj[2], 1);
    CHECK_EQ(rows.cut[0], 2147483648);
    clv_ws_free(&ws);
    cleave_graph_free(g);
    cleave_mapping_free(m);
}

static void test_quotient_edges(void)
{
    static const int32_t tail[] = {0, 1, 2}, head[] = {1, 2, 3}, part[] = {0, 1, 0, 1};
    clv_graph *g = sample_edges(CLEAVE_DAG, 4, 3, tail, head, NULL);
    clv_graph *none = sample_edges(CLEAVE_DAG, 0, 0, NULL, NULL, NULL);
    cleave_mapping *m, *empty;
    cleave_graph *q = (cleave_graph *)&err;
    REQUIRE_OK(cleave_mapping_create(&m, 4, 2, part, &err));
    REQUIRE_OK(cleave_mapping_create(&empty, 0, 3, NULL, &err));
    CHECK_EQ(cleave_graph_quotient(&q, g, m, &err), CLEAVE_ECYCLE);
    CHECK(q == NULL);
    CHECK_STR(err.message, "the parts of the mapping form a cycle: 0 -> 1 -> 0");
    CHECK_EQ(cleave_graph_quotient(&q, g, empty, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the mapping is of 0 vertices, but the graph has 4");
    CHECK_EQ(cleave_graph_quotient(&q, NULL, m, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the graph is NULL");
    CHECK_EQ(cleave_graph_quotient(&q, g, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the mapping is NULL");
    CHECK_EQ(cleave_graph_quotient(NULL, g, m, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "out is NULL");
    REQUIRE_OK(cleave_graph_quotient(&q, none, empty, &err));
    check_new(q, CLEAVE_DAG, 3);
    CHECK_EQ(q->narc, 0);
    CHECK(q->vwgt[0] == 0 && q->vwgt[2] == 0);
    cleave_graph_free(q);
    cleave_mapping_free(m);
    cleave_mapping_free(empty);
    cleave_graph_free(g);
    cleave_graph_free(none);
}

/* ---- Out of memory ----------------------------------------------------------------- */

typedef struct oom_case {
    const clv_graph *g;
    const cleave_mapping *m;
} oom_case;

static cleave_status end_call(cleave_graph *made, cleave_status status)
{
    CHECK((made == NULL) == (status != CLEAVE_OK));
    cleave_graph_free(made);
    return status;
}
static cleave_status call_transpose(const void *context, cleave_error *e)
{
    const oom_case *c = context;
    cleave_graph *made = (cleave_graph *)e;
    cleave_status status = cleave_graph_transpose(&made, c->g, e);
    return end_call(made, status);
}
static cleave_status call_subgraph(const void *context, cleave_error *e)
{
    static const int32_t vertices[] = {5, 2, 3, 0};
    const oom_case *c = context;
    cleave_graph *made = (cleave_graph *)e;
    cleave_status status = cleave_graph_subgraph(&made, c->g, 4, vertices, e);
    return end_call(made, status);
}
static cleave_status call_quotient(const void *context, cleave_error *e)
{
    const oom_case *c = context;
    cleave_graph *made = (cleave_graph *)e;
    cleave_status status = cleave_graph_quotient(&made, c->g, c->m, e);
    return end_call(made, status);
}

/* Many parts, so that the workspace needs more than its first chunk. */
static void test_out_of_memory(void)
{
    static oracle_graph o;
    static const int32_t part[] = {0, 9000, 9000, 20000, 20000, 20001};
    o.n = 6;
    for (int v = 0; v + 1 < o.n; v++)
        o.arc[v][v + 1] = o.arc[v + 1][v] = true;
    cleave_mapping *m;
    REQUIRE_OK(cleave_mapping_create(&m, 6, -1, part, &err));
    for (int dag = 0; dag < 2; dag++) {
        for (int v = 0; v + 1 < o.n; v++)
            o.arc[v + 1][v] = !dag;
        clv_graph *g =
            sample_graph(&o, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, sample_all_attributes());
        g->unit = "kilobyte";
        oom_case c = {g, m};
        test_oom_call(call_transpose, &c);
        test_oom_call(call_subgraph, &c);
        test_oom_call(call_quotient, &c);
        cleave_graph_free(g);
    }
    cleave_mapping_free(m);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_random_transposes);
    RUN(test_transpose_rows);
    RUN(test_random_subgraphs);
    RUN(test_source);
    RUN(test_nothing_selected);
    RUN(test_refused_subgraphs);
    RUN(test_random_quotients);
    RUN(test_quotient_limits);
    RUN(test_quotient_edges);
    RUN(test_out_of_memory);
    return test_end();
}
