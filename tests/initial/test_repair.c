/* SPDX-License-Identifier: Apache-2.0 */
/* initial/repair.c: the result is acyclic for any partition; a partition that is acyclic, or
 * nearly, is kept; each repair is optimal by its definition. */
#include "initial/repair.h"

#include "refine/dag_fixture.h"

static void scramble(dag_fixture *f, int32_t each, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 2, 3);
    for (int32_t v = 0; v < f->g.nvtx; v++) {
        f->part[v] = f->hidden[v];
        if (clv_rng_below(&rng, (uint32_t)each) == 0 && f->fixed[v] < 0)
            f->part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)f->s.bounds.nparts);
    }
    memcpy(f->rank, f->hidden_rank, (size_t)f->s.bounds.nparts * sizeof *f->rank);
}

static void check_any_dag(bool quick)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int cyclic = 0, met = 0, all = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, seed % 10 ? 60 : 400);
        o.slack += 0.1;
        dag_make(&f, &o);
        scramble(&f, 1 + (int32_t)(seed % 10), seed);
        cyclic += !dag_is_acyclic(&f.s);
        CHECK_OK(clv_repair(&f.s, quick, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        if (o.ncon == 1 && !o.fixed && o.vertex_weight == 0) {
            all++;
            met += clv_state_overload(&f.s) == 0;
        }
        dag_free(&f);
    }
    CHECK(cyclic > 250);
    CHECK(all > 80 && met >= all * 97 / 100);
    clv_context_close(&ctx);
}

static void test_any_dag(void)
{
    check_any_dag(false);
    check_any_dag(true);
}

/* An acyclic partition whose parts come in the order of their levels stays what it is, without
 * work for other ones: two parts may be exchanged, if that is better. */
static void test_nothing_to_repair(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 30; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = DAG_LOCAL,
                         .nvtx = 300,
                         .nparts = 2 + (int32_t)(seed % 5),
                         .ncon = 1,
                         .slack = 0.03,
                         .seed = seed};
        dag_make(&f, &o);
        int64_t cut = f.s.cut;
        scramble(&f, 10000, seed);
        int32_t given[300];
        memcpy(given, f.part, sizeof given);
        CHECK_OK(clv_repair(&f.s, false, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut <= cut);
        CHECK(o.nparts == 2 || memcmp(given, f.part, sizeof given) == 0);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* Bounds that do not bind, two parts: no worse than pushing all descendants forward or
 * pulling all ancestors back, in both orders of the parts. */
static int64_t pushed_cut(dag_fixture *f, int32_t last, bool back)
{
    const clv_graph *g = &f->g;
    int32_t n = g->nvtx;
    for (int32_t i = 0; i < n; i++) {
        int32_t v = f->order[back ? n - 1 - i : i], stays = back ? 1 - last : last;
        const int64_t *row = back ? g->xadj : g->xpred;
        for (int64_t a = row[v]; a < row[v + 1]; a++)
            if (f->part[(back ? g->adj : g->pred)[a]] == stays)
                f->part[v] = stays;
    }
    return fixture_cut(&f->s);
}

static void test_pushes(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 200; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 40,
                         .nparts = 2,
                         .ncon = 1,
                         .edge_weight = 5,
                         .seed = seed};
        dag_make(&f, &o);
        f.max[0] = f.max[1] = 1000;
        int64_t least = INT64_MAX;
        for (int how = 0; how < 4; how++) {
            scramble(&f, 7, seed);
            int64_t cut = pushed_cut(&f, how / 2, how % 2);
            dag_scatter(&f, 0, 0);
            if (cut < least && clv_state_overload(&f.s) == 0)
                least = cut;
        }
        scramble(&f, 7, seed);
        CHECK_OK(clv_repair(&f.s, false, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        CHECK(f.s.cut <= least);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 3000, .nparts = 5, .ncon = 1, .slack = 0.05};
    dag_make(&f, &o);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1, 1);
        scramble(&f, 5, 1);
        TEST_OOM(&oom, clv_repair(&f.s, false, &ctx, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 3 && oom.nth < 200);
    dag_free(&f);
}

int main(void)
{
    RUN(test_any_dag);
    RUN(test_nothing_to_repair);
    RUN(test_pushes);
    RUN(test_out_of_memory);
    return test_end();
}
