/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of a DAG with fixed vertices: against reachability by matrices; and after any merges
 * inside classes that leave a DAG, the fixed vertices agree with the order of the parts. */
#include "engine/multilevel/fixed_classes.h"

#include "base/rng.h"
#include "oracle/oracle_graph.h"
#include "support/test.h"

static cleave_error err;
static clv_ws ws;

enum { most = 12 };

typedef struct question {
    int32_t n, k;
    oracle_graph dense;
    cleave_graph *g;
    int32_t fixed[most];
} question;

/* Slices of the numbers, some of whose vertices are fixed, so that they agree. */
static void draw(question *q, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 2, 0, 0);
    cleave_builder *b = NULL;
    memset(q, 0, sizeof *q);
    q->n = q->dense.n = 1 + (int32_t)clv_rng_below(&rng, most);
    q->k = 1 + (int32_t)clv_rng_below(&rng, 4);
    CHECK_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    for (int32_t u = 0; u < q->n; u++) {
        q->fixed[u] = clv_rng_below(&rng, 3) == 0 ? u * q->k / q->n : -1;
        for (int32_t v = u + 1; v < q->n; v++)
            if (clv_rng_below(&rng, 4) == 0) {
                q->dense.arc[u][v] = true;
                CHECK_OK(cleave_builder_add(b, 1, &u, &v, NULL, &err));
            }
    }
    CHECK_OK(cleave_builder_finish(&q->g, b, q->n, NULL, &err));
    cleave_builder_free(b);
}

/* Do fixed vertices that reach each other stand in order?  merged: vertices as one. */
static bool agree(const question *q, const int32_t *merged)
{
    bool reach[ORACLE_MAX][ORACLE_MAX];
    static oracle_graph o;
    memset(&o, 0, sizeof o);
    o.n = q->n;
    for (int32_t u = 0; u < q->n; u++)
        for (int32_t v = 0; v < q->n; v++)
            if (q->dense.arc[u][v] && merged[u] != merged[v])
                o.arc[merged[u]][merged[v]] = true;
    if (!oracle_acyclic(&o))
        return true; /* these are never merged */
    oracle_closure(&o, reach);
    for (int32_t u = 0; u < q->n; u++)
        for (int32_t v = 0; v < q->n; v++)
            if (q->fixed[u] >= 0 && q->fixed[v] >= 0 && q->fixed[u] > q->fixed[v] &&
                reach[merged[u]][merged[v]])
                return false;
    return true;
}

static cleave_status classes_of(const question *q, int32_t *merge_class)
{
    clv_multilevel_task task = {
        .g = q->g, .bounds = {q->k, q->g->ncon, NULL, NULL, NULL}, .fixed = q->fixed};
    return clv_fixed_classes(&task, &ws, merge_class, &err);
}

static void test_ranges(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        question q;
        int32_t merge_class[most], low[most], high[most];
        bool reach[ORACLE_MAX][ORACLE_MAX];
        draw(&q, seed);
        CHECK_OK(classes_of(&q, merge_class));
        oracle_closure(&q.dense, reach);
        for (int32_t v = 0; v < q.n; v++) {
            low[v] = q.fixed[v] >= 0 ? q.fixed[v] : 0;
            high[v] = q.fixed[v] >= 0 ? q.fixed[v] : q.k - 1;
            for (int32_t u = 0; u < q.n; u++) {
                if (reach[u][v] && q.fixed[u] > low[v])
                    low[v] = q.fixed[u];
                if (reach[v][u] && q.fixed[u] >= 0 && q.fixed[u] < high[v])
                    high[v] = q.fixed[u];
            }
        }
        for (int32_t v = 0; v < q.n; v++)
            for (int32_t u = 0; u < q.n; u++)
                CHECK_EQ(merge_class[u] == merge_class[v],
                         low[u] == low[v] && high[u] == high[v] &&
                             (q.fixed[u] >= 0) == (q.fixed[v] >= 0));
        cleave_graph_free(q.g);
        clv_ws_free(&ws);
    }
}

/* With classes no merge does harm; without them some would. */
static void test_merges(void)
{
    int harm = 0, merges = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        question q;
        int32_t merge_class[most], merged[most];
        draw(&q, seed);
        CHECK_OK(classes_of(&q, merge_class));
        for (int32_t a = 0; a < q.n; a++)
            for (int32_t b = 0; b < a; b++) {
                for (int32_t v = 0; v < q.n; v++)
                    merged[v] = v == a ? b : v;
                if (merge_class[a] == merge_class[b])
                    CHECK(agree(&q, merged));
                else if (q.fixed[a] < 0 && q.fixed[b] < 0)
                    harm += !agree(&q, merged);
            }
        clv_rng rng = clv_rng_make(seed, 3, 0, 0);
        for (int round = 0; round < 20; round++) { /* several at once */
            for (int32_t v = 0; v < q.n; v++) {
                merged[v] = v;
                for (int32_t u = 0; u < v; u++)
                    if (merge_class[u] == merge_class[v] && clv_rng_below(&rng, 2))
                        merged[v] = merged[u];
                merges += merged[v] != v;
            }
            CHECK(agree(&q, merged));
        }
        cleave_graph_free(q.g);
        clv_ws_free(&ws);
    }
    printf("%d merges across classes would do harm, %d inside were tried\n", harm, merges);
    CHECK(harm > 4 && merges > 1000);
}

static void test_contradiction(void)
{
    question q;
    int32_t merge_class[most];
    cleave_graph *g = NULL;
    CHECK_OK(
        cleave_graph_read(&g, test_file("path.dot", "digraph { 0 -> 1 -> 2 }"), NULL, &err));
    q = (question){.n = 3, .k = 2, .g = g, .fixed = {1, -1, 0}};
    CHECK_EQ(classes_of(&q, merge_class), CLEAVE_ECYCLE);
    cleave_graph_free(g);
    clv_ws_free(&ws);
}

static void test_memory(void)
{
    question q;
    int32_t merge_class[most];
    draw(&q, 7);
    int failures = 0;
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        TEST_OOM(&oom, classes_of(&q, merge_class));
        clv_ws_free(&ws);
        failures++;
    }
    CHECK(failures > 0);
    cleave_graph_free(q.g);
}

int main(void)
{
    RUN(test_ranges);
    RUN(test_merges);
    RUN(test_contradiction);
    RUN(test_memory);
    return test_end();
}
