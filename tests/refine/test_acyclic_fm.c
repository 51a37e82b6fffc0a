/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/acyclic_fm.c: never worse, acyclic, invariants kept; comparison with exhaustive
 * search on small DAGs. */
#include "refine/fm/acyclic_fm.h"

#include "refine/balance/acyclic_balance.h"
#include "refine/dag_fixture.h"

static clv_acyclic_fm_params plain = {.passes = 10, .patience = 100};
static clv_acyclic_fm_params reaching = {.passes = 10, .patience = 100, .rerank_moves = true};

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_acyclic_fm(s, &plain, ctx, err);
}

static cleave_status refine_reaching(clv_partition_state *s, clv_context *ctx,
                                     cleave_error *err)
{
    return clv_acyclic_fm(s, &reaching, ctx, err);
}

static cleave_status refine_either(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return ctx->seed % 2 ? refine(s, ctx, err) : refine_reaching(s, ctx, err);
}

static void test_promises(void)
{
    CHECK(dag_refine_any(2000, refine_either, false) > 1000);
}

/* ---- Against exhaustive search ---------------------------------------------------------- */

/* The smallest cut of all acyclic partitions within the bounds. */
static int64_t best_cut(dag_fixture *f)
{
    int64_t best = INT64_MAX, all = 1;
    for (int32_t v = 0; v < f->g.nvtx; v++)
        all *= f->s.bounds.nparts;
    for (int64_t code = 0; code < all; code++) {
        int64_t rest = code, weight[3] = {0};
        bool fits = true;
        for (int32_t v = 0; v < f->g.nvtx; v++, rest /= f->s.bounds.nparts) {
            f->part[v] = (int32_t)(rest % f->s.bounds.nparts);
            weight[f->part[v]]++;
        }
        for (int32_t p = 0; p < f->s.bounds.nparts; p++)
            fits = fits && weight[p] > 0 && weight[p] <= f->max[p];
        int64_t cut = fits ? fixture_cut(&f->s) : best;
        if (cut < best && dag_is_acyclic(&f->s))
            best = cut;
    }
    return best;
}

/* A few random starts each: mostly the optimum is found. */
static void test_optimum(void)
{
    enum { cases = 150, starts = 8 };
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int optimal = 0;
    for (uint64_t seed = 0; seed < cases; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        int32_t nparts = 2 + (int32_t)(seed % 2);
        dag_options o = {.shape = seed % 4 < 2 ? DAG_RANDOM : DAG_LOCAL,
                         .nvtx = nparts == 2 ? 12 : 9, /* equal bounds: labels do not matter */
                         .nparts = nparts,
                         .ncon = 1,
                         .edge_weight = seed % 3 ? 0 : 4,
                         .slack = 0.4,
                         .seed = seed};
        dag_make(&f, &o);
        int64_t best = best_cut(&f), found = INT64_MAX;
        for (uint64_t start = 0; start < starts; start++) {
            dag_scatter(&f, nparts, 1000 * seed + start);
            CHECK_OK(clv_acyclic_balance(&f.s, &ctx, &err));
            CHECK_OK(refine_reaching(&f.s, &ctx, &err));
            if (fixture_overload(&f.s) == 0 && f.s.cut < found)
                found = f.s.cut;
        }
        CHECK(found >= best);
        optimal += found == best;
        dag_free(&f);
    }
    printf("%d of %d optimal\n", optimal, cases);
    CHECK(10 * optimal > 8 * cases);
    clv_context_close(&ctx);
}

/* ---- Moves that change the ranks -------------------------------------------------------- */

/* Vertices 0 and 1 in part 0, arcs from 1 to 2 in part 1 (full) and, heavier, to 3 in part 2:
 * only behind part 2 is there room for 1, and then part 2 must come before part 1. */
static void test_reach(void)
{
    static const int64_t xadj[] = {0, 0, 2, 2, 2}, xpred[] = {0, 0, 0, 1, 2};
    static const int32_t adj[] = {2, 3}, ewgt[] = {1, 5}, pred[] = {1, 1}, pwgt[] = {1, 5};
    static const int64_t max[] = {2, 1, 2};
    for (int reach = 0; reach < 2; reach++) {
        int32_t part[] = {0, 0, 1, 2}, count[3], rank[] = {0, 1, 2};
        int64_t weight[3];
        uint8_t maybe_boundary[4];
        clv_context ctx;
        cleave_error err = {0};
        clv_graph g = {.kind = CLEAVE_DAG,
                       .nvtx = 4,
                       .narc = 2,
                       .xadj = xadj,
                       .adj = adj,
                       .ewgt = ewgt,
                       .xpred = xpred,
                       .pred = pred,
                       .pwgt = pwgt,
                       .ncon = 1};
        clv_partition_state s = {.g = &g,
                                 .bounds = {3, g.ncon, NULL, max, NULL},
                                 .part = part,
                                 .weight = weight,
                                 .count = count,
                                 .maybe_boundary = maybe_boundary,
                                 .rank = rank};
        fixture_context(&ctx, 1, 1);
        clv_state_measure(&s, &ctx);
        CHECK_EQ(s.cut, 6);
        CHECK_OK(reach ? refine_reaching(&s, &ctx, &err) : refine(&s, &ctx, &err));
        CHECK_EQ(s.cut, reach ? 1 : 6);
        CHECK_EQ(s.cut, fixture_cut(&s));
        CHECK(!reach || (part[1] == 2 && rank[2] < rank[1]));
        clv_context_close(&ctx);
    }
}

/* 64 parts fill a word, 65 are too many for it. */
static void test_many_parts(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t nparts = 63; nparts <= 65; nparts++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {
            .shape = DAG_RANDOM, .nvtx = 2000, .nparts = nparts, .ncon = 1, .slack = 0.5};
        dag_make(&f, &o);
        int64_t start = f.s.cut;
        CHECK_OK(refine_reaching(&f.s, &ctx, &err));
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(f.s.cut < start);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* ---- The rest --------------------------------------------------------------------------- */

/* Vertices that thousands read: nearly every move changes what they see. */
static void test_hubs(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t nparts = 2; nparts <= 20; nparts += 18) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {
            .shape = DAG_HUBS, .nvtx = 60000, .nparts = nparts, .ncon = 1, .slack = 0.5};
        dag_make(&f, &o);
        dag_scatter(&f, nparts, 1);
        for (int32_t p = 0; p < nparts; p++)
            f.max[p] = o.nvtx;
        clv_acyclic_fm_params params = {.passes = 3, .patience = o.nvtx, .rerank_moves = true};
        int64_t start = f.s.cut;
        CHECK_OK(clv_acyclic_fm(&f.s, &params, &ctx, &err));
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(3 * f.s.cut < 2 * start);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 5000, .nparts = 7, .ncon = 1, .slack = 0.05};
    dag_make(&f, &o);
    CHECK(dag_is_deterministic(&f, refine));
    CHECK(dag_is_deterministic(&f, refine_reaching));
    dag_free(&f);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 4000, .nparts = 9, .ncon = 1, .slack = 0.1};
    dag_make(&f, &o);
    dag_fail_allocations(&f, refine);
    dag_fail_allocations(&f, refine_reaching);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_optimum);
    RUN(test_reach);
    RUN(test_many_parts);
    RUN(test_hubs);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
