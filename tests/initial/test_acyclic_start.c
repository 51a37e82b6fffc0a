/* SPDX-License-Identifier: Apache-2.0 */
/* initial/acyclic_start.c: valid for any DAG, bounds, parts and fixed vertices; within the
 * bounds; as good as exhaustive search on small DAGs. */
#include "initial/acyclic_start.h"

#include "refine/dag_fixture.h"

static const clv_acyclic_start_params usual = {
    .tries = 12, .most = 24, .fm_passes = 3, .patience = 50};

static cleave_status start(dag_fixture *f, const clv_acyclic_start_params *params,
                           uint64_t seed)
{
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, seed);
    /* Earlier contents must have no effect. */
    for (int32_t v = 0; v < f->g.nvtx; v++)
        f->part[v] = 77;
    memcpy(f->rank, f->hidden_rank, (size_t)f->s.bounds.nparts * sizeof *f->rank);
    cleave_status status = clv_acyclic_start(&f->s, params, &ctx, &err);
    clv_context_close(&ctx);
    return status;
}

static void test_any_dag(void)
{
    int32_t met = 0, all = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, seed % 10 ? 60 : 400);
        o.slack += 0.05;
        dag_make(&f, &o);
        CHECK_EQ(start(&f, &usual, seed), CLEAVE_OK);
        CHECK_FINE(dag_fault(&f));
        if (o.ncon == 1 && !o.fixed && (o.vertex_weight == 0 || o.nvtx > 8 * o.nparts)) {
            met += clv_state_overload(&f.s) == 0;
            all++;
        }
        dag_free(&f);
    }
    CHECK(all > 150 && met >= all * 97 / 100);
}

/* Along the diagonal: the best cut of a square wave front in two halves. */
static void test_grid(void)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        dag_fixture f;
        dag_options o = {
            .shape = DAG_GRID, .nvtx = 400, .nparts = 2, .ncon = 1, .slack = 0.03};
        dag_make(&f, &o);
        CHECK_EQ(start(&f, &usual, seed), CLEAVE_OK);
        CHECK_FINE(dag_fault(&f));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut >= 19 && f.s.cut <= 24);
        dag_free(&f);
    }
}

/* ---- Against brute force ---------------------------------------------------------------- */

typedef struct worth {
    int64_t overload, cut;
} worth;

static bool is_worse(worth a, worth b)
{
    return a.overload > b.overload || (a.overload == b.overload && a.cut > b.cut);
}

static worth best_of_all(dag_fixture *f)
{
    worth best = {INT64_MAX, INT64_MAX};
    int64_t count = 1;
    for (int32_t v = 0; v < f->g.nvtx; v++)
        count *= f->s.bounds.nparts;
    for (int64_t code = 0; code < count; code++) {
        bool allowed = true;
        int64_t rest = code;
        for (int32_t v = 0; v < f->g.nvtx; v++, rest /= f->s.bounds.nparts) {
            f->part[v] = (int32_t)(rest % f->s.bounds.nparts);
            allowed = allowed && (!f->s.fixed || f->fixed[v] < 0 || f->fixed[v] == f->part[v]);
        }
        if (!allowed)
            continue;
        worth now = {fixture_overload(&f->s), fixture_cut(&f->s)};
        if (is_worse(best, now) && dag_is_acyclic(&f->s))
            best = now;
    }
    return best;
}

static void test_optimum(void)
{
    int32_t reached = 0, all = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, seed % 2 ? 10 : 8);
        o.nparts = seed % 2 ? 2 : 3;
        o.nvtx = o.nvtx < o.nparts ? o.nparts : o.nvtx;
        o.slack = 0.2;
        o.lower = false;
        o.fixed = 0;
        o.vertex_weight = 0; /* equal parts: their order does not matter */
        o.nvtx -= o.nvtx % o.nparts;
        dag_make(&f, &o);
        worth best = best_of_all(&f);
        clv_acyclic_start_params many = {
            .tries = 30, .most = 60, .fm_passes = 8, .patience = 50};
        CHECK_EQ(start(&f, &many, seed), CLEAVE_OK);
        worth found = {clv_state_overload(&f.s), f.s.cut};
        CHECK(!is_worse(best, found));
        reached += !is_worse(found, best);
        all++;
        dag_free(&f);
    }
    if (reached < all * 95 / 100)
        fprintf(stderr, "%d of %d reached\n", reached, all);
    CHECK(reached >= all * 95 / 100);
}

/* ---- Parameters, edge cases, memory ----------------------------------------------------- */

static void test_tries(void)
{
    int32_t better = 0, different = 0, again = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dag_fixture f;
        dag_options o = {.shape = DAG_RANDOM,
                         .nvtx = 150,
                         .nparts = 4,
                         .ncon = 1,
                         .edge_weight = 9,
                         .slack = 0.05,
                         .seed = seed};
        dag_make(&f, &o);
        clv_acyclic_start_params one = usual;
        one.tries = one.most = 1;
        CHECK_EQ(start(&f, &one, seed), CLEAVE_OK);
        int64_t overload = clv_state_overload(&f.s), cut = f.s.cut;
        CHECK_EQ(start(&f, &usual, seed), CLEAVE_OK);
        int64_t now = clv_state_overload(&f.s), found = f.s.cut;
        CHECK(now < overload || (now == overload && found <= cut));
        better += found < cut;
        CHECK_EQ(start(&f, &usual, seed), CLEAVE_OK);
        CHECK_EQ(f.s.cut, found);
        one.index = 1;
        CHECK_EQ(start(&f, &one, seed), CLEAVE_OK);
        different += f.s.cut != cut;
        cut = f.s.cut;
        one.index = 2;
        CHECK_EQ(start(&f, &one, seed), CLEAVE_OK);
        again += f.s.cut != cut;
        dag_free(&f);
    }
    CHECK(better > 10 && different > 20 && again > 20);
}

static void test_few_vertices(void)
{
    for (int32_t nvtx = 1; nvtx < 6; nvtx++)
        for (int32_t nparts = 1; nparts < 9; nparts++) {
            dag_fixture f;
            dag_options o = {.shape = DAG_LOCAL, .nvtx = nvtx, .nparts = nparts, .ncon = 1};
            dag_make(&f, &o);
            CHECK_EQ(start(&f, &usual, 1), CLEAVE_OK);
            CHECK_FINE(dag_fault(&f));
            CHECK_EQ(clv_state_overload(&f.s), 0);
            dag_free(&f);
        }
}

static void test_contradiction(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 100, .nparts = 2, .ncon = 1, .fixed = 3};
    dag_make(&f, &o);
    f.hidden_rank[0] = 1 - f.hidden_rank[0];
    f.hidden_rank[1] = 1 - f.hidden_rank[1];
    CHECK_EQ(start(&f, &usual, 1), CLEAVE_ECYCLE);
    dag_free(&f);
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 3000, .nparts = 5, .ncon = 1, .slack = 0.05};
    dag_make(&f, &o);
    test_oom_rounds oom = {0};
    clv_acyclic_start_params few = {.tries = 3, .most = 3, .fm_passes = 1, .patience = 10};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1, 1);
        memcpy(f.rank, f.hidden_rank, 5 * sizeof *f.rank);
        TEST_OOM(&oom, clv_acyclic_start(&f.s, &few, &ctx, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 3 && oom.nth < 200);
    dag_free(&f);
}

int main(void)
{
    RUN(test_any_dag);
    RUN(test_grid);
    RUN(test_optimum);
    RUN(test_tries);
    RUN(test_few_vertices);
    RUN(test_contradiction);
    RUN(test_out_of_memory);
    return test_end();
}
