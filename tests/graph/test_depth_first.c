/* SPDX-License-Identifier: Apache-2.0 */
/* graph/depth_first.c: depth-first topological orders, in random variants. */
#include "graph/depth_first.h"
#include "refine/dag_fixture.h"

/* Is order a permutation in which every arc runs forward, and does each vertex follow one
 * that has just made it ready whenever there is such a one? */
static const char *order_fault(const clv_graph *g, const int32_t *order)
{
    static int32_t place[1000], ready[1000];
    for (int32_t v = 0; v < g->nvtx; v++)
        place[v] = -1;
    for (int32_t i = 0; i < g->nvtx; i++) {
        if (order[i] < 0 || order[i] >= g->nvtx || place[order[i]] >= 0)
            return "no permutation";
        place[order[i]] = i;
    }
    /* ready[v]: the place of the predecessor that made v ready; -1: a source. */
    for (int32_t v = 0; v < g->nvtx; v++) {
        ready[v] = -1;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            if (place[g->pred[a]] > place[v])
                return "an arc runs backward";
            if (place[g->pred[a]] > ready[v])
                ready[v] = place[g->pred[a]];
        }
    }
    /* Last ready, first served. */
    for (int32_t i = 0; i < g->nvtx; i++)
        for (int32_t j = i + 1; j < g->nvtx; j++)
            if (ready[order[j]] < i && ready[order[j]] > ready[order[i]])
                return "not depth first";
    return NULL;
}

static void test_orders(void)
{
    clv_ws ws = {0};
    int32_t order[1000], other[1000], different = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 200);
        dag_make(&f, &o);
        clv_rng rng = clv_rng_make(seed, 0, 0, 0);
        CHECK_OK(clv_depth_first_order(&f.g, NULL, &ws, order, &err));
        const char *fault = order_fault(&f.g, order);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK_OK(clv_depth_first_order(&f.g, &rng, &ws, other, &err));
        fault = order_fault(&f.g, other);
        CHECK_STR(fault ? fault : "none", "none");
        different += memcmp(order, other, (size_t)o.nvtx * sizeof *order) != 0;
        dag_free(&f);
    }
    CHECK(different > 500);
    clv_ws_free(&ws);
}

/* Without random numbers the first source and the first successor come first. */
static void test_plain(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    const int64_t xadj[] = {0, 2, 3, 3, 3, 3}, xpred[] = {0, 0, 0, 1, 2, 3};
    const int32_t adj[] = {3, 2, 4}, pred[] = {0, 0, 1};
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 5,
                   .narc = 3,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred,
                   .ncon = 1};
    int32_t order[5];
    static const int32_t expected[] = {0, 3, 2, 1, 4};
    CHECK_OK(clv_depth_first_order(&g, NULL, &ws, order, &err));
    CHECK(memcmp(order, expected, sizeof expected) == 0);
    clv_ws_free(&ws);
}

static void test_memory(void)
{
    dag_fixture f;
    int32_t order[300];
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 300, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    bool failed = true;
    int64_t nth = 1;
    for (; failed && nth < 100; nth++) {
        clv_ws ws = {0};
        cleave_error err = {0};
        test_alloc_fail_at(nth);
        cleave_status status = clv_depth_first_order(&f.g, NULL, &ws, order, &err);
        failed = test_alloc_calls() >= nth;
        test_alloc_fail_at(0);
        CHECK_EQ(status, failed ? CLEAVE_ENOMEM : CLEAVE_OK);
        clv_ws_free(&ws);
        CHECK_EQ(test_alloc_live(), 0);
    }
    CHECK(nth > 1 && nth < 100);
    dag_free(&f);
}

int main(void)
{
    RUN(test_orders);
    RUN(test_plain);
    RUN(test_memory);
    return test_end();
}
