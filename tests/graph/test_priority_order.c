/* SPDX-License-Identifier: Apache-2.0 */
/* graph/priority_order.c: against choosing the best ready vertex by comparing all of them. */
#include "graph/priority_order.h"

#include "graph/sample.h"
#include "support/test.h"

enum { rounds = 3000 };

static cleave_error err;

/* Returns how many vertices it could place. */
static int expected_order(const oracle_graph *o, const int64_t *priority, int32_t *order)
{
    bool placed[ORACLE_MAX] = {false};
    for (int count = 0;; count++) {
        int best = -1;
        for (int v = 0; v < o->n; v++) {
            bool ready = !placed[v];
            for (int u = 0; u < o->n; u++)
                ready = ready && !(o->arc[u][v] && !placed[u]);
            if (ready && (best < 0 || (priority && priority[v] < priority[best])))
                best = v;
        }
        if (best < 0)
            return count;
        placed[best] = true;
        order[count] = best;
    }
}

static void test_random(void)
{
    static oracle_graph o;
    static sample_rows rows;
    clv_ws ws = {0};
    int cyclic = 0;
    for (int round = 0; round < rounds; round++) {
        clv_rng rng = clv_rng_make(3, 1, 0, (uint64_t)round);
        sample_matrix(&o, round % 3 ? SAMPLE_DAG : SAMPLE_DIGRAPH, 14, &rng);
        sample_bare_rows(&rows, &o, round % 2, &rng);
        int64_t priority[ORACLE_MAX];
        for (int v = 0; v < o.n; v++)
            priority[v] = (int64_t)clv_rng_below(&rng, 1 + (uint32_t)(round % 40)) - 5;
        const int64_t *wish = round % 5 ? priority : NULL;
        int32_t expected[ORACLE_MAX], order[ORACLE_MAX];
        int count = expected_order(&o, wish, expected);
        bool complete = false;
        CHECK_OK(
            clv_priority_order(o.n, rows.xadj, rows.adj, wish, &ws, order, &complete, &err));
        CHECK_EQ(complete, count == o.n);
        CHECK(memcmp(order, expected, (size_t)count * sizeof *order) == 0);
        cyclic += !complete;
    }
    CHECK(cyclic > 100);
    clv_ws_free(&ws);
}

/* All leaves of a star are ready at once: by priority, then number. */
static void test_star(void)
{
    enum { nvtx = 70000 };
    static int64_t xadj[nvtx + 1], priority[nvtx];
    static int32_t adj[nvtx], order[nvtx];
    clv_ws ws = {0};
    bool complete = false;
    for (int32_t v = 0; v < nvtx; v++) {
        xadj[v + 1] = nvtx - 1;
        adj[v] = v + 1;
        priority[v] = (int64_t)(v * INT64_C(7919) % 5003) - 2500;
    }
    CHECK_OK(clv_priority_order(nvtx, xadj, adj, priority, &ws, order, &complete, &err));
    CHECK(complete && order[0] == 0);
    for (int32_t i = 2; i < nvtx; i++) {
        int64_t before = priority[order[i - 1]], now = priority[order[i]];
        CHECK(before < now || (before == now && order[i - 1] < order[i]));
    }
    clv_ws_free(&ws);
}

static cleave_status call(const void *context, cleave_error *error)
{
    const clv_graph *g = context;
    clv_ws ws = {0};
    bool complete;
    int32_t order[3];
    cleave_status status =
        clv_priority_order(g->nvtx, g->xadj, g->adj, NULL, &ws, order, &complete, error);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    const int32_t tail[] = {2, 2}, head[] = {0, 1};
    clv_graph *g = sample_edges(CLEAVE_DAG, 3, 2, tail, head, NULL);
    test_oom_call(call, g);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_random);
    RUN(test_star);
    RUN(test_out_of_memory);
    return test_end();
}
