/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/ranks.c: orders of the parts against a dense matrix of the quotient. */
#include "refine/dag_fixture.h"
#include "refine/state/ranks.h"

static void check_fault(const dag_fixture *f)
{
    const char *fault = dag_fault(f);
    CHECK_STR(fault ? fault : "none", "none");
}

/* Any parts, most of them with cycles: an order is found exactly when there is one. */
static void test_random_parts(void)
{
    clv_ws ws = {0};
    int cyclic = 0;
    enum { rounds = 3000 };
    for (uint64_t seed = 0; seed < rounds; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 30);
        o.fixed = 0;
        dag_make(&f, &o);
        clv_rng rng = clv_rng_make(seed, 22, 1, 1);
        for (int32_t v = 0; v < o.nvtx; v++)
            if (clv_rng_below(&rng, 10) == 0)
                f.part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)o.nparts);
        dag_scatter(&f, 0, 0);
        bool acyclic = false;
        CHECK_OK(clv_ranks_make(&f.s, seed % 3, &ws, &acyclic, &err));
        CHECK_EQ(acyclic, dag_is_acyclic(&f.s));
        CHECK_EQ(acyclic, clv_ranks_hold(&f.s));
        if (acyclic)
            check_fault(&f);
        cyclic += !acyclic;
        dag_free(&f);
    }
    CHECK(cyclic > rounds / 10 && cyclic < 9 * rounds / 10);
    clv_ws_free(&ws);
}

/* Without a seed: the smallest part that may come next. */
static void test_smallest_first(void)
{
    clv_ws ws = {0};
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 40, .nparts = 4, .ncon = 1};
    dag_make(&f, &o); /* four chains: any order will do */
    bool acyclic = false, same = true;
    CHECK_OK(clv_ranks_make(&f.s, 0, &ws, &acyclic, &err));
    CHECK(acyclic);
    for (int32_t p = 0; p < 4; p++)
        CHECK_EQ(f.rank[p], p);
    for (uint64_t seed = 1; seed < 20; seed++) {
        CHECK_OK(clv_ranks_make(&f.s, seed, &ws, &acyclic, &err));
        check_fault(&f);
        for (int32_t p = 0; p < 4; p++)
            same = same && f.rank[p] == p;
    }
    CHECK(!same);
    dag_free(&f);
    clv_ws_free(&ws);
}

static void test_quotient(void)
{
    clv_ws ws = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 80);
        dag_make(&f, &o);
        dag_scatter(&f, o.nparts, seed);
        int32_t k = o.nparts;
        uint8_t *arc = calloc((size_t)k * (size_t)k, 1);
        REQUIRE(arc);
        for (int32_t v = 0; v < o.nvtx; v++)
            for (int64_t a = f.g.xadj[v]; a < f.g.xadj[v + 1]; a++)
                if (f.part[v] != f.part[f.g.adj[a]])
                    arc[f.part[v] * k + f.part[f.g.adj[a]]] = 1;
        clv_part_arcs q;
        clv_ws_mark mark = clv_ws_save(&ws);
        CHECK_OK(clv_ranks_quotient(&f.s, &q, &ws, &err));
        for (int32_t p = 0; p < k; p++)
            for (int64_t a = q.xadj[p]; a < q.xadj[p + 1]; a++)
                CHECK_EQ(arc[p * k + q.adj[a]]--, 1); /* there, and only once */
        for (int32_t i = 0; i < k * k; i++)
            CHECK_EQ(arc[i], 0);
        clv_ws_restore(&ws, mark);
        free(arc);
        dag_free(&f);
    }
    clv_ws_free(&ws);
}

/* The range of a vertex holds exactly the moves after which the ranks still hold. */
static void test_range(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, 25);
        dag_make(&f, &o);
        dag_scatter(&f, o.nparts, seed);
        for (int32_t v = 0; v < o.nvtx; v++) {
            int32_t own = f.part[v];
            clv_rank_range range = clv_ranks_range(&f.s, v);
            for (int32_t p = 0; p < o.nparts; p++) {
                f.part[v] = p;
                CHECK_EQ(clv_ranks_hold(&f.s),
                         f.rank[p] >= range.low && f.rank[p] <= range.high);
            }
            f.part[v] = own;
        }
        dag_free(&f);
    }
}

static cleave_status make_ranks(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    bool acyclic;
    return clv_ranks_make(s, 7, ctx->ws, &acyclic, err);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 40000, .nparts = 20, .ncon = 1};
    dag_make(&f, &o);
    dag_fail_allocations(&f, make_ranks);
    dag_free(&f);
}

int main(void)
{
    RUN(test_random_parts);
    RUN(test_smallest_first);
    RUN(test_quotient);
    RUN(test_range);
    RUN(test_out_of_memory);
    return test_end();
}
