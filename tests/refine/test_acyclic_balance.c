/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/acyclic_balance.c: within the bounds if that is possible, and never worse
 * otherwise. */
#include "refine/balance/acyclic_balance.h"
#include "refine/dag_fixture.h"

static void check_fault(const dag_fixture *f)
{
    const char *fault = dag_fault(f);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int met = 0, tried = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
        dag_make(&f, &o);
        if (seed % 4)
            dag_scatter(&f, 1 + (int32_t)(seed / 4 % (uint64_t)o.nparts), seed);
        int64_t cut = f.s.cut, overload = clv_state_overload(&f.s);
        CHECK_OK(clv_acyclic_balance(&f.s, &ctx, &err));
        check_fault(&f);
        int64_t now = clv_state_overload(&f.s);
        CHECK_EQ(now, fixture_overload(&f.s));
        CHECK(now < overload || (now == overload && f.s.cut <= cut));
        if (overload > 0) {
            tried++;
            met += now == 0;
            /* Unit weights are met exactly. */
            CHECK(now == 0 || o.vertex_weight || o.fixed);
        }
        dag_free(&f);
    }
    printf("%d of %d met\n", met, tried);
    CHECK(tried > 1000 && 10 * met > 6 * tried);
    clv_context_close(&ctx);
}

/* Everything in one part, the others empty; also more parts than can be filled. */
static void test_empty_parts(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t nparts = 2; nparts <= 50; nparts += 12)
        for (int32_t shape = 0; shape < DAG_SHAPES; shape++) {
            dag_fixture f;
            cleave_error err = {0};
            dag_options o = {
                .shape = (dag_shape)shape, .nvtx = 40, .nparts = nparts, .ncon = 1};
            dag_make(&f, &o);
            for (int32_t v = 0; v < o.nvtx; v++)
                f.part[v] = nparts / 2;
            for (int32_t p = 0; p < nparts; p++)
                f.max[p] = 40 / nparts + 1;
            dag_scatter(&f, 0, 0);
            CHECK_OK(clv_acyclic_balance(&f.s, &ctx, &err));
            check_fault(&f);
            CHECK_EQ(clv_state_overload(&f.s), 0);
            dag_free(&f);
        }
    clv_context_close(&ctx);
}

/* A part that may hold nothing is handed nothing but what it passes on. */
static void test_closed_part(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_GRID, .nvtx = 100, .nparts = 4, .ncon = 1, .slack = 1.0};
    dag_make(&f, &o);
    for (int32_t p = 0; p < 4; p++)
        f.max[p] = f.rank[p] == 1 ? 0 : 34;
    for (int32_t v = 0; v < 100; v++)
        f.part[v] = f.part[f.order[0]];
    dag_scatter(&f, 0, 0);
    CHECK_OK(clv_acyclic_balance(&f.s, &ctx, &err));
    check_fault(&f);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    for (int32_t p = 0; p < 4; p++)
        CHECK(f.max[p] > 0 || f.count[p] == 0);
    dag_free(&f);
    clv_context_close(&ctx);
}

/* A grid in slices of rows, one of them too high: the cut stays about that of a slice. */
static void test_small_loss(void)
{
    enum { side = 100, parts = 5 };
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {
        .shape = DAG_GRID, .nvtx = side * side, .nparts = parts, .ncon = 1, .slack = 0.03};
    dag_make(&f, &o);
    int64_t good = f.s.cut;
    int32_t label[parts];
    for (int32_t p = 0; p < parts; p++)
        label[f.rank[p]] = p;
    for (int32_t i = 0; i < o.nvtx; i++)
        if (i / side >= 15 && i / side < 45)
            f.part[f.order[i]] = label[1];
    dag_scatter(&f, 0, 0);
    CHECK(clv_state_overload(&f.s) > 900);
    CHECK_OK(clv_acyclic_balance(&f.s, &ctx, &err));
    check_fault(&f);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.cut < 2 * good);
    dag_free(&f);
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 36000, .nparts = 7, .ncon = 1, .slack = 0.02};
    dag_make(&f, &o);
    dag_scatter(&f, 5, 1);
    CHECK(dag_is_deterministic(&f, clv_acyclic_balance));
    check_fault(&f);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    dag_free(&f);
}

static void test_out_of_memory(void)
{
    for (int32_t weight = 0; weight <= 40; weight += 40) {
        dag_fixture f;
        dag_options o = {.shape = DAG_LOCAL,
                         .nvtx = 3000,
                         .nparts = 9,
                         .ncon = 1 + (weight > 0),
                         .vertex_weight = weight};
        dag_make(&f, &o);
        dag_scatter(&f, 4, 1);
        dag_fail_allocations(&f, clv_acyclic_balance);
        dag_free(&f);
    }
}

int main(void)
{
    RUN(test_promises);
    RUN(test_empty_parts);
    RUN(test_closed_part);
    RUN(test_small_loss);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
