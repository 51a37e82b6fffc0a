/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_moves.c: never worse, acyclic, same for any number of threads. */
#include "refine/dag_fixture.h"
#include "refine/moves/acyclic_moves.h"

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_acyclic_moves_params params = {.rounds = 10};
    return clv_acyclic_moves(s, &params, ctx, err);
}

static void test_promises(void)
{
    CHECK(dag_refine_any(1500, refine, true) > 500);
}

/* With room everywhere, afterwards no single move that keeps the ranks has a gain. */
static void test_local_optimum(void)
{
    for (int32_t shape = 0; shape < DAG_SHAPES; shape++) {
        dag_fixture f;
        dag_options o = {.shape = (dag_shape)shape,
                         .nvtx = 400,
                         .nparts = 4,
                         .ncon = 1,
                         .edge_weight = 3,
                         .slack = 4};
        dag_make(&f, &o);
        dag_scatter(&f, 4, 1);
        int64_t start = f.s.cut;
        clv_context ctx;
        fixture_context(&ctx, 1, 1);
        clv_acyclic_moves_params params = {.rounds = 1000};
        cleave_error err = {0};
        CHECK_OK(clv_acyclic_moves(&f.s, &params, &ctx, &err));
        CHECK(f.s.cut < start);
        for (int32_t v = 0; v < o.nvtx; v++) {
            int32_t own = f.part[v];
            for (int32_t p = 0; p < o.nparts; p++) {
                if (p == own || !clv_state_may_leave(&f.s, v) || !clv_state_fits(&f.s, v, p))
                    continue;
                f.part[v] = p;
                bool holds = true;
                for (int64_t a = f.g.xadj[v]; a < f.g.xadj[v + 1]; a++)
                    holds &= f.rank[f.part[f.g.adj[a]]] >= f.rank[p];
                for (int64_t a = f.g.xpred[v]; a < f.g.xpred[v + 1]; a++)
                    holds &= f.rank[f.part[f.g.pred[a]]] <= f.rank[p];
                CHECK(!holds || fixture_cut(&f.s) >= f.s.cut);
                f.part[v] = own;
            }
        }
        clv_context_close(&ctx);
        dag_free(&f);
    }
}

static void test_threads(void)
{
    for (int32_t shape = 0; shape < DAG_SHAPES; shape++) {
        dag_fixture f;
        dag_options o = {.shape = (dag_shape)shape,
                         .nvtx = 36000,
                         .nparts = 7,
                         .ncon = 1,
                         .edge_weight = shape % 2 ? 5 : 0,
                         .slack = 7};
        dag_make(&f, &o);
        dag_scatter(&f, 7, 1);
        int64_t start = f.s.cut;
        CHECK(dag_is_deterministic(&f, refine));
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(f.s.cut < start);
        dag_free(&f);
    }
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 20000, .nparts = 9, .ncon = 1, .slack = 0.5};
    dag_make(&f, &o);
    dag_scatter(&f, 9, 1);
    dag_fail_allocations(&f, refine);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_local_optimum);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
