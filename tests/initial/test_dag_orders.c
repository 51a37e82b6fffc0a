/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dag_orders.c, initial/fixed_order.c: every order is topological, of its kind, and
 * different for another seed; fixed vertices are in the order of the ranks of their parts. */
#include "initial/dag_orders.h"

#include "initial/fixed_order.h"
#include "refine/dag_fixture.h"

/* NULL, or what is wrong with the order. */
static const char *order_fault(const clv_graph *g, const int32_t *order, int32_t *place)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        place[v] = -1;
    for (int32_t i = 0; i < g->nvtx; i++) {
        if (order[i] < 0 || order[i] >= g->nvtx || place[order[i]] >= 0)
            return "no permutation";
        place[order[i]] = i;
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (place[v] >= place[g->adj[a]])
                return "an arc runs backward";
    return NULL;
}

static void test_topological(void)
{
    clv_ws ws = {0};
    int32_t order[400], again[400], place[400];
    int different[CLV_ORDER_KINDS] = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 400);
        dag_make(&f, &o);
        size_t bytes = (size_t)f.g.nvtx * sizeof order[0];
        for (int kind = 0; kind < CLV_ORDER_KINDS; kind++) {
            for (uint64_t lot = 0; lot < 3; lot++) {
                CHECK_OK(
                    clv_dag_order_make((clv_dag_order_kind)kind, &f.g, lot, &ws, order, &err));
                CHECK_FINE(order_fault(&f.g, order, place));
            }
            CHECK_OK(clv_dag_order_make((clv_dag_order_kind)kind, &f.g, 2, &ws, again, &err));
            CHECK(memcmp(order, again, bytes) == 0);
            CHECK_OK(clv_dag_order_make((clv_dag_order_kind)kind, &f.g, 4, &ws, again, &err));
            different[kind] += memcmp(order, again, bytes) != 0;
        }
        dag_free(&f);
    }
    for (int kind = 0; kind < CLV_ORDER_KINDS; kind++)
        CHECK(different[kind] > 30);
    clv_ws_free(&ws);
}

static int64_t arc_length(const clv_graph *g, const int32_t *order, int32_t *place)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < g->nvtx; i++)
        place[order[i]] = i;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += (int64_t)clv_graph_ewgt(g, a) * (place[g->adj[a]] - place[v]);
    return sum;
}

/* Chains stay together, but where places are averaged. */
static void test_chains(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    dag_fixture f;
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 400, .nparts = 4, .ncon = 1, .seed = 3};
    int32_t order[400], place[400];
    dag_make(&f, &o);
    for (int kind = 0; kind < CLV_ORDER_KINDS; kind++) {
        CHECK_OK(clv_dag_order_make((clv_dag_order_kind)kind, &f.g, 5, &ws, order, &err));
        if (kind % CLV_ORDER_MIRRORED != CLV_ORDER_SMOOTH)
            CHECK_EQ(arc_length(&f.g, order, place), 360);
    }
    dag_free(&f);
    clv_ws_free(&ws);
}

/* The heaviest cut behind a prefix of the order. */
static int64_t heaviest_prefix(const clv_graph *g, const int32_t *order)
{
    int64_t cut = 0, most = 0;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            cut += clv_graph_ewgt(g, a);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            cut -= g->pwgt ? g->pwgt[a] : 1;
        most = cut > most ? cut : most;
    }
    return most;
}

/* A wave front of 20 x 20: the main diagonal has 38 arcs behind it, and tightening must not
 * make the orders by levels worse than the plain diagonals. */
static void test_wave_front(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 400, .nparts = 4, .ncon = 1, .seed = 3};
    int32_t order[400];
    dag_make(&f, &o);
    for (int kind = 0; kind < CLV_ORDER_KINDS; kind++) {
        int plain = kind % CLV_ORDER_MIRRORED;
        for (uint64_t seed = 0; seed < 5; seed++) {
            CHECK_OK(
                clv_dag_order_make((clv_dag_order_kind)kind, &f.g, seed, &ws, order, &err));
            if (plain == CLV_ORDER_BREADTH || plain == CLV_ORDER_LEVEL)
                CHECK(heaviest_prefix(&f.g, order) <= 38);
        }
    }
    dag_free(&f);
    clv_ws_free(&ws);
}

/* Smoothing makes arcs shorter than what it began with. */
static void test_smooth(void)
{
    clv_ws ws = {0};
    int32_t order[900], place[900];
    int shorter = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = seed % 2 ? DAG_LOCAL : DAG_GRID,
                         .nvtx = 900,
                         .nparts = 2,
                         .ncon = 1,
                         .edge_weight = 5,
                         .seed = seed};
        dag_make(&f, &o);
        CHECK_OK(clv_dag_order_make(CLV_ORDER_STACK, &f.g, seed, &ws, order, &err));
        int64_t before = arc_length(&f.g, order, place);
        CHECK_OK(clv_dag_order_smooth(&f.g, 4, &ws, order, &err));
        CHECK_FINE(order_fault(&f.g, order, place));
        shorter += arc_length(&f.g, order, place) < before;
        dag_free(&f);
    }
    CHECK(shorter >= 38);
    clv_ws_free(&ws);
}

/* ---- Fixed vertices --------------------------------------------------------------------- */

static void test_fixed(void)
{
    clv_ws ws = {0};
    int moved = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 200);
        o.fixed = 1 + (int)(seed % 12);
        int32_t order[200] = {0}, place[200], by_rank[200];
        dag_make(&f, &o);
        for (int32_t p = 0; p < o.nparts; p++)
            by_rank[f.rank[p]] = p;
        CHECK_OK(clv_dag_order_make((clv_dag_order_kind)(seed % CLV_ORDER_KINDS), &f.g, seed,
                                    &ws, order, &err));
        int32_t before[200];
        memcpy(before, order, sizeof order);
        CHECK_OK(clv_fixed_order(&f.s, by_rank, &ws, order, &err));
        CHECK_FINE(order_fault(&f.g, order, place));
        int32_t last = 0;
        for (int32_t i = 0; i < o.nvtx; i++) {
            int32_t p = f.fixed[order[i]];
            if (p < 0)
                continue;
            CHECK(f.rank[p] >= last);
            last = f.rank[p];
        }
        moved += memcmp(before, order, (size_t)o.nvtx * sizeof order[0]) != 0;
        dag_free(&f);
    }
    CHECK(moved > 200);
    clv_ws_free(&ws);
}

static void test_contradiction(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 100, .nparts = 2, .ncon = 1, .fixed = 1};
    dag_make(&f, &o);
    int32_t by_rank[2] = {1, 0}, order[100];
    f.rank[0] = 1 - f.rank[0];
    f.rank[1] = 1 - f.rank[1];
    memcpy(order, f.order, sizeof order);
    CHECK_EQ(clv_fixed_order(&f.s, by_rank, &ws, order, &err), CLEAVE_ECYCLE);
    dag_free(&f);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 3000, .nparts = 5, .ncon = 1, .fixed = 9};
    dag_make(&f, &o);
    int32_t by_rank[5];
    for (int32_t p = 0; p < 5; p++)
        by_rank[f.rank[p]] = p;
    for (int kind = 0; kind < CLV_ORDER_KINDS; kind++) {
        test_oom_rounds oom = {0};
        while (test_oom_next(&oom)) {
            clv_ws ws = {0};
            cleave_error err = {0};
            test_oom_begin(&oom);
            cleave_status status =
                clv_dag_order_make((clv_dag_order_kind)kind, &f.g, 1, &ws, f.part, &err);
            if (status == CLEAVE_OK)
                status = clv_fixed_order(&f.s, by_rank, &ws, f.part, &err);
            test_oom_end(&oom, status);
            clv_ws_free(&ws);
        }
        CHECK(oom.nth > 2 && oom.nth < 100);
    }
    dag_free(&f);
}

int main(void)
{
    RUN(test_topological);
    RUN(test_chains);
    RUN(test_wave_front);
    RUN(test_smooth);
    RUN(test_fixed);
    RUN(test_contradiction);
    RUN(test_out_of_memory);
    return test_end();
}
