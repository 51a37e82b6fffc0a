/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/reslice.c: invariants kept and never worse on any DAG; finds the best slices of
 * an order that follows from the partition; threads, failing allocations. */
#include "refine/moves/reslice.h"

#include "refine/dag_fixture.h"

static void test_promises(void)
{
    CHECK(dag_refine_any(600, clv_reslice, false) > 200);
}

/* Chains of ten vertices in slices of twelve: parts of whole chains cut nothing. */
static void test_chains(void)
{
    clv_context ctx;
    cleave_error err = {0};
    dag_fixture f;
    dag_options o = {
        .shape = DAG_CHAINS, .nvtx = 480, .nparts = 40, .ncon = 1, .slack = 0.9, .seed = 1};
    fixture_context(&ctx, 1, 1);
    dag_make(&f, &o);
    CHECK(f.s.cut >= 30);
    CHECK_OK(clv_reslice(&f.s, &ctx, &err));
    CHECK_FINE(dag_fault(&f));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK_EQ(f.s.cut, 0);
    dag_free(&f);
    clv_context_close(&ctx);
}

static void test_memory(void)
{
    dag_fixture f;
    dag_options o = {
        .shape = DAG_GRID, .nvtx = 3000, .nparts = 7, .ncon = 1, .slack = 0.1, .fixed = 99};
    dag_make(&f, &o);
    dag_fail_allocations(&f, clv_reslice);
    CHECK(dag_is_deterministic(&f, clv_reslice));
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_chains);
    RUN(test_memory);
    return test_end();
}
