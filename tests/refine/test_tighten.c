/* SPDX-License-Identifier: Apache-2.0 */
/* order/tighten.c: orders stay topological; inputs come just before their first reader,
 * results just behind their last input; slices have smaller cuts. */
#include "order/tighten.h"

#include "order/slices.h"
#include "refine/dag_fixture.h"

static void find_places(const clv_graph *g, const int32_t *order, int32_t *place)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        place[v] = -1;
    for (int32_t i = 0; i < g->nvtx; i++)
        place[order[i]] = i;
    for (int32_t v = 0; v < g->nvtx; v++) {
        CHECK(place[v] >= 0);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            CHECK(place[v] < place[g->adj[a]]);
    }
}

static int64_t sliced_cut(const dag_fixture *f, const int32_t *order, clv_ws *ws)
{
    clv_slices_task task = {.g = &f->g,
                            .order = order,
                            .bounds = {f->s.bounds.nparts, f->g.ncon, NULL, f->max, NULL}};
    int64_t cut = -1;
    bool met = false;
    cleave_error err = {0};
    CHECK_OK(clv_slices(&task, ws, f->part, &cut, &met, &err));
    return cut;
}

static void test_any_dag(void)
{
    clv_ws ws = {0};
    int32_t order[300], place[300];
    int lighter = 0, heavier = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 300);
        o.ncon = 1;
        o.vertex_weight = 0;
        o.slack = 0.1;
        dag_make(&f, &o);
        memcpy(order, f.order, (size_t)o.nvtx * sizeof order[0]);
        int64_t before = sliced_cut(&f, order, &ws);
        CHECK_OK(clv_order_tighten(&f.g, seed % 2 == 0, &ws, order, &err));
        find_places(&f.g, order, place);
        int64_t after = sliced_cut(&f, order, &ws);
        lighter += after < before;
        heavier += after > before;
        dag_free(&f);
    }
    CHECK(lighter > 6 * heavier && lighter > 100);
    clv_ws_free(&ws);
}

/* 0..9 are read by 10..19, which nothing reads: v -> v + 10. */
static void test_inputs_and_results(void)
{
    int64_t xadj[21], xpred[21];
    int32_t adj[10], pred[10], order[20];
    for (int32_t v = 0; v <= 20; v++) {
        xadj[v] = v < 10 ? v : 10;
        xpred[v] = v < 10 ? 0 : v - 10;
        order[v < 20 ? v : 0] = v < 20 ? v : order[0];
    }
    for (int32_t i = 0; i < 10; i++) {
        adj[i] = i + 10;
        pred[i] = i;
    }
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 20,
                   .narc = 10,
                   .ncon = 1,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred};
    clv_ws ws = {0};
    cleave_error err = {0};
    CHECK_OK(clv_order_tighten(&g, false, &ws, order, &err));
    for (int32_t i = 0; i < 10; i++)
        CHECK(order[2 * i] == i && order[2 * i + 1] == i + 10);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 30000, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_ws ws = {0};
        cleave_error err = {0};
        TEST_OOM(&oom, clv_order_tighten(&f.g, true, &ws, f.order, &err));
        clv_ws_free(&ws);
    }
    CHECK(oom.nth > 2 && oom.nth < 20);
    dag_free(&f);
}

int main(void)
{
    RUN(test_any_dag);
    RUN(test_inputs_and_results);
    RUN(test_out_of_memory);
    return test_end();
}
