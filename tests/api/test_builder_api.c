/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs from streams of edges: many calls, edges in any order, calls in an invalid order. */
#include "api/api_support.h"
#include "base/rng.h"
#include "oracle/oracle_rows.h"
#include "support/test.h"

static cleave_error err;

static cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

static cleave_builder *builder(cleave_kind kind)
{
    cleave_builder *b = NULL;
    CHECK_OK(cleave_builder_create(&b, kind, &err));
    return b;
}

/* ---- Random streams ----------------------------------------------------------------- */

typedef struct stream {
    int32_t n, count;
    bool weighted;
    int32_t tail[128], head[128], wgt[128];
} stream;

static void random_stream(stream *s, bool dag, clv_rng *rng)
{
    s->n = 1 + (int32_t)clv_rng_below(rng, 10);
    s->count = (int32_t)clv_rng_below(rng, 40);
    s->weighted = clv_rng_below(rng, 2);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t u = (int32_t)clv_rng_below(rng, (uint32_t)s->n);
        int32_t v = (int32_t)clv_rng_below(rng, (uint32_t)s->n);
        bool turn = dag && u > v && clv_rng_below(rng, 20) > 0;
        s->tail[i] = turn ? v : u;
        s->head[i] = turn ? u : v;
        s->wgt[i] = (int32_t)clv_rng_below(rng, 6);
    }
}

static bool stream_agrees(const stream *s, cleave_kind kind, clv_rng *rng)
{
    static oracle_rows matrix;
    static oracle_outcome want;
    oracle_rows_clear(&matrix, s->n, s->weighted);
    for (int32_t i = 0; i < s->count; i++)
        oracle_rows_add(&matrix, s->tail[i], s->head[i], s->wgt[i]);
    static const char *const names[] = {"refuse", "sum", "max"};
    static const oracle_how how[] = {ORACLE_REFUSE, ORACLE_SUM, ORACLE_LARGER};
    uint32_t rule = clv_rng_below(rng, 3);
    oracle_rows_rules rules = {kind == CLEAVE_DAG, true, true, false, how[rule], true};
    oracle_rows_build(&want, &matrix, &rules);
    cleave_builder *b = builder(kind);
    const int32_t *tail = frozen(s->tail, s->count, 4), *head = frozen(s->head, s->count, 4);
    const int32_t *wgt = s->weighted ? frozen(s->wgt, s->count, 4) : NULL;
    for (int32_t i = 0, now; i < s->count; i += now) {
        now = (int32_t)clv_rng_below(rng, (uint32_t)(s->count - i) + 1);
        CHECK_OK(cleave_builder_add(b, now, tail + i, head + i, wgt ? wgt + i : NULL, &err));
    }
    cleave_graph *g;
    CHECK_OK(cleave_builder_symmetrise(b, names[rule], &err));
    cleave_status status = cleave_builder_finish(&g, b, s->n, NULL, &err);
    cleave_builder_free(b);
    thaw();
    if (status != CLEAVE_OK)
        return !g && ((status == CLEAVE_ECYCLE && want.fault == ORACLE_CYCLE) ||
                      (status == CLEAVE_EINVAL && want.fault == ORACLE_ASYMMETRY));
    cleave_csr view = view_of(g);
    bool good = want.fault == ORACLE_FINE && (view.ewgt != NULL) == (s->weighted && s->count);
    int64_t a = 0;
    for (int32_t v = 0; v < s->n; v++)
        for (int32_t u = 0; u < s->n; u++)
            if (want.graph.arc[v][u]) {
                good = good && a < view.xadj[v + 1] && view.adj[a] == u &&
                       (view.ewgt ? view.ewgt[a] : 1) == want.graph.wgt[v][u];
                a++;
            }
    good = good && view.xadj[s->n] == a &&
           cleave_graph_edges(g) == (kind == CLEAVE_DAG ? a : a / 2);
    cleave_graph_free(g);
    return good;
}

static void test_random_streams(void)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        static stream s;
        clv_rng rng = clv_rng_make(seed, 4, 0, 0);
        cleave_kind kind = clv_rng_below(&rng, 2) ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
        random_stream(&s, kind == CLEAVE_DAG, &rng);
        if (!stream_agrees(&s, kind, &rng)) {
            fprintf(stderr, "seed %llu: \"%s\"\n", (unsigned long long)seed, err.message);
            CHECK(!"as the oracle says");
            return;
        }
    }
}

/* ---- By hand ------------------------------------------------------------------------ */

static void test_both_directions(void)
{
    static const int32_t tail[] = {0, 1, 1, 2}, head[] = {1, 0, 2, 1}, wgt[] = {5, 5, 6, 6};
    cleave_builder *b = builder(CLEAVE_UNDIRECTED);
    CHECK_OK(cleave_builder_add(b, 4, tail, head, wgt, &err));
    cleave_graph *g;
    REQUIRE_OK(cleave_builder_finish(&g, b, -1, NULL, &err));
    cleave_csr view = view_of(g);
    CHECK(cleave_graph_edges(g) == 2 && view.ewgt[0] == 5 && view.ewgt[2] == 6);
    cleave_graph_free(g);
    cleave_builder_free(b);
}

static void test_sizes(void)
{
    static const int32_t tail[] = {3}, head[] = {3}, next[] = {4};
    cleave_graph *g;
    cleave_builder *b = builder(CLEAVE_DAG);
    REQUIRE_OK(cleave_builder_finish(&g, b, -1, NULL, &err));
    CHECK_EQ(cleave_graph_vertices(g), 0);
    cleave_graph_free(g);
    cleave_builder_free(b);
    /* A self-loop is dropped, but it names its vertex. */
    b = builder(CLEAVE_UNDIRECTED);
    CHECK_OK(cleave_builder_add(b, 1, tail, head, NULL, &err));
    REQUIRE_OK(cleave_builder_finish(&g, b, -1, NULL, &err));
    CHECK(cleave_graph_vertices(g) == 4 && cleave_graph_edges(g) == 0);
    cleave_graph_free(g);
    cleave_builder_free(b);
    b = builder(CLEAVE_DAG);
    CHECK_OK(cleave_builder_add(b, 1, tail, next, NULL, &err));
    CHECK_EQ(cleave_builder_finish(&g, b, 4, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "nvtx is 4, but an edge names vertex 4");
    CHECK(g == NULL);
    /* The builder is not used up by a wrong argument. */
    REQUIRE_OK(cleave_builder_finish(&g, b, 9, NULL, &err));
    CHECK(cleave_graph_vertices(g) == 9 && cleave_graph_edges(g) == 1);
    cleave_graph_free(g);
    cleave_builder_free(b);
}

static void test_wrong_use(void)
{
    static const int32_t tail[] = {0, 1}, head[] = {1, 2}, wgt[] = {4, -1};
    static const int32_t minus[] = {0, -1}, far[] = {0, INT32_MAX - 1};
    cleave_graph *g;
    cleave_builder *b = builder(CLEAVE_DAG);
    CHECK_OK(cleave_builder_add(b, 1, tail, head, wgt, &err));
    CHECK_EQ(cleave_builder_add(b, 1, tail, head, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "weights must be given in every call or in none");
    CHECK_EQ(cleave_builder_add(b, 2, tail, head, wgt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "edge 1 has the negative weight -1");
    CHECK_EQ(cleave_builder_add(b, 2, tail, minus, tail, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "edge 1 is 1 - -1; vertices are 0..2147483645");
    CHECK_EQ(cleave_builder_add(b, 2, far, tail, tail, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "edge 1 is 2147483646 - 1; vertices are 0..2147483645");
    /* A call that was refused added nothing, not even its good edges. */
    REQUIRE_OK(cleave_builder_finish(&g, b, -1, NULL, &err));
    CHECK(cleave_graph_vertices(g) == 2 && cleave_graph_edges(g) == 1);
    cleave_csr view = view_of(g);
    CHECK_EQ(view.ewgt[0], 4);
    cleave_graph_free(g);
    CHECK_EQ(cleave_builder_finish(&g, b, -1, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the builder has been finished already");
    CHECK(g == NULL);
    CHECK_EQ(cleave_builder_add(b, 1, tail, head, wgt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the builder has been finished already");
    cleave_builder_free(b);
}

static void test_cycle(void)
{
    static const int32_t tail[] = {7, 2, 5, 0}, head[] = {2, 5, 7, 2};
    cleave_builder *b = builder(CLEAVE_DAG);
    CHECK_OK(cleave_builder_add(b, 4, tail, head, NULL, &err));
    cleave_graph *g = (cleave_graph *)&err;
    CHECK_EQ(cleave_builder_finish(&g, b, -1, NULL, &err), CLEAVE_ECYCLE);
    CHECK_STR(err.message, "the graph has a cycle: 2 -> 5 -> 7 -> 2");
    CHECK(g == NULL);
    cleave_builder_free(b);
}

static void test_too_heavy(void)
{
    static const int32_t tail[] = {0, 0, 1}, head[] = {1, 1, 0}, wgt[] = {INT32_MAX, 1, 2};
    cleave_graph *g;
    cleave_builder *b = builder(CLEAVE_UNDIRECTED);
    CHECK_OK(cleave_builder_add(b, 2, tail, head, wgt, &err));
    CHECK_EQ(cleave_builder_finish(&g, b, -1, NULL, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message,
              "the weights of the duplicates of edge 0 - 1 sum to more than 2147483647");
    CHECK(g == NULL);
    cleave_builder_free(b);
    b = builder(CLEAVE_UNDIRECTED);
    CHECK_OK(cleave_builder_add(b, 1, tail, head, wgt, &err));
    CHECK_OK(cleave_builder_add(b, 1, tail + 2, head + 2, wgt + 2, &err));
    CHECK_OK(cleave_builder_symmetrise(b, "sum", &err));
    CHECK_EQ(cleave_builder_finish(&g, b, -1, NULL, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message, "the weights of edge 0 - 1 sum to more than 2147483647");
    cleave_builder_free(b);
}

static void add_grid(cleave_builder *b, const cleave_csr *csr)
{
    for (int32_t v = 0; v < csr->nvtx; v++)
        for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++)
            if (csr->kind == CLEAVE_DAG || csr->adj[a] > v)
                CHECK_OK(cleave_builder_add(b, 1, &v, csr->adj + a, csr->ewgt + a, &err));
}

static void test_attributes(void)
{
    for (int kind = 0; kind < 2; kind++) {
        cleave_csr csr = make_grid((cleave_kind)kind, 4), cold = frozen_csr(&csr);
        cleave_graph *g, *same;
        cleave_builder *b = builder((cleave_kind)kind);
        add_grid(b, &csr);
        /* Of these only the attributes count. */
        cleave_csr attributes = cold;
        attributes.nvtx = -5;
        attributes.xadj = NULL;
        attributes.kind = (cleave_kind)9;
        REQUIRE_OK(cleave_builder_finish(&g, b, -1, &attributes, &err));
        REQUIRE_OK(cleave_graph_create(&same, &cold, 0, &err));
        CHECK(same_graphs(g, same));
        CHECK(view_of(g).vwgt != cold.vwgt); /* copied */
        cleave_graph_free(g);
        cleave_graph_free(same);
        cleave_builder_free(b);
        thaw();
        csr_free(&csr);
    }
}

static void test_bad_attributes(void)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.ndim = 2;
    cleave_graph *g = (cleave_graph *)&err;
    cleave_builder *b = builder(CLEAVE_UNDIRECTED);
    CHECK_EQ(cleave_builder_finish(&g, b, 3, &csr, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "coords and ndim must be given together");
    CHECK(g == NULL);
    cleave_builder_free(b);
    b = builder(CLEAVE_UNDIRECTED);
    csr.size = 0;
    CHECK_EQ(cleave_builder_finish(&g, b, 3, &csr, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "attributes.size is 0; call its _init function first");
    CHECK_OK(cleave_builder_finish(&g, b, 3, NULL, &err));
    cleave_graph_free(g);
    cleave_builder_free(b);
}

static void test_abandoned(void)
{
    static const int32_t tail[] = {0}, head[] = {1};
    cleave_builder *b = builder(CLEAVE_UNDIRECTED);
    CHECK_OK(cleave_builder_add(b, 1, tail, head, NULL, &err));
    cleave_builder_free(b); /* a leak checker looks on */
}

int main(void)
{
    RUN(test_random_streams);
    RUN(test_both_directions);
    RUN(test_sizes);
    RUN(test_wrong_use);
    RUN(test_cycle);
    RUN(test_too_heavy);
    RUN(test_attributes);
    RUN(test_bad_attributes);
    RUN(test_abandoned);
    return test_end();
}
