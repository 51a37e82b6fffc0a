/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_moves.c, acyclic_fm.c, acyclic_reach.c and acyclic_balance.c with a
 * machine: costs exact, never worse, acyclic, the same for any number of threads. */
#include "refine/balance/acyclic_balance.h"
#include "refine/dag_fixture.h"
#include "refine/fm/acyclic_fm.h"
#include "refine/machine_fixture.h"
#include "refine/moves/acyclic_moves.h"

static cleave_status moves(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_acyclic_moves_params params = {.rounds = 1000};
    return clv_acyclic_moves(s, &params, ctx, err);
}

static cleave_status fm(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_acyclic_fm_params params = {.passes = 10, .patience = 100};
    return clv_acyclic_fm(s, &params, ctx, err);
}

static cleave_status reaching(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_acyclic_fm_params params = {.passes = 10, .patience = 100, .rerank_moves = true};
    return clv_acyclic_fm(s, &params, ctx, err);
}

enum { refiners = 4 };
static const fixture_refiner refiner[refiners] = {moves, fm, reaching, clv_acyclic_balance};

static void place(dag_fixture *f, machine_fixture *m, machine_kind kind, uint64_t seed)
{
    machine_make(m, kind, f->s.bounds.nparts, seed % 4 != 0, seed);
    f->s.machine = &m->m;
    dag_scatter(f, 0, 0);
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int better[refiners] = {0};
    for (uint64_t seed = 0; seed < 2000; seed += TEST_STRIDE) {
        dag_fixture f;
        machine_fixture m;
        cleave_error err = {0};
        int which = (int)(seed / MACHINE_KINDS % refiners);
        dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
        dag_make(&f, &o);
        if (seed / 7 % 3) /* whatever the stride */
            dag_scatter(&f, 1 + (int32_t)(seed / 3 % (uint64_t)o.nparts), seed);
        place(&f, &m, (machine_kind)(seed % MACHINE_KINDS), seed);
        int64_t cost = f.s.cut, overload = clv_state_overload(&f.s);
        CHECK_OK(refiner[which](&f.s, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        int64_t now = clv_state_overload(&f.s);
        CHECK(now < overload || (now == overload && f.s.cut <= cost));
        better[which] += now < overload || f.s.cut < cost;
        machine_free(&m);
        dag_free(&f);
    }
    for (int i = 0; i < refiners; i++)
        CHECK(better[i] > 100 / TEST_STRIDE);
    clv_context_close(&ctx);
}

static bool keeps_ranks(const dag_fixture *f, int32_t v)
{
    bool holds = true;
    for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++)
        holds &= f->rank[f->part[f->g.adj[a]]] >= f->rank[f->part[v]];
    for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++)
        holds &= f->rank[f->part[f->g.pred[a]]] <= f->rank[f->part[v]];
    return holds;
}

/* With room everywhere, afterwards no single move that keeps the ranks has a gain: of no
 * vertex, to no place. */
static void test_local_optimum(void)
{
    int between = 0;
    for (int i = 0; i < DAG_SHAPES * MACHINE_KINDS; i++) {
        dag_fixture f;
        machine_fixture m;
        cleave_error err = {0};
        dag_options o = {.shape = (dag_shape)(i % DAG_SHAPES),
                         .nvtx = 300,
                         .nparts = 8,
                         .ncon = 1,
                         .edge_weight = 3,
                         .slack = 8};
        dag_make(&f, &o);
        dag_scatter(&f, 8, 1);
        place(&f, &m, (machine_kind)(i / DAG_SHAPES), (uint64_t)i);
        int64_t start = f.s.cut;
        clv_context ctx;
        fixture_context(&ctx, 1, 1);
        CHECK_OK(moves(&f.s, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(f.s.cut < start);
        for (int32_t v = 0; v < o.nvtx; v++) {
            int32_t own = f.part[v];
            bool alone = f.g.xadj[v] < f.g.xadj[v + 1] && f.g.xpred[v] < f.g.xpred[v + 1];
            for (int64_t a = f.g.xadj[v]; a < f.g.xadj[v + 1]; a++)
                alone = alone && f.part[f.g.adj[a]] != own;
            for (int64_t a = f.g.xpred[v]; a < f.g.xpred[v + 1]; a++)
                alone = alone && f.part[f.g.pred[a]] != own;
            between += alone;
            for (int32_t p = 0; p < o.nparts; p++) {
                if (p == own || !clv_state_may_leave(&f.s, v) || !clv_state_fits(&f.s, v, p))
                    continue;
                f.part[v] = p;
                CHECK(!keeps_ranks(&f, v) || fixture_cut(&f.s) >= f.s.cut);
                f.part[v] = own;
            }
        }
        machine_free(&m);
        dag_free(&f);
    }
    CHECK(between > 10); /* vertices at places where they have no neighbour */
}

/* A producer and a consumer far from each other, and one vertex between them whose arcs weigh
 * the same: its place is the middle one, which is neither of theirs. */
static void test_between(void)
{
    static const int64_t xadj[] = {0, 1, 2, 2, 2}, xpred[] = {0, 0, 1, 2, 2};
    static const int32_t adj[] = {1, 2}, pred[] = {0, 1};
    static const int64_t max[] = {1, 2, 2};
    for (int i = 0; i < 2; i++) {
        int32_t part[] = {0, 2, 2, 1}, count[3], rank[] = {0, 1, 2};
        int64_t weight[3];
        uint8_t maybe_boundary[4];
        machine_fixture m;
        clv_context ctx;
        cleave_error err = {0};
        clv_graph g = {.kind = CLEAVE_DAG,
                       .nvtx = 4,
                       .narc = 2,
                       .xadj = xadj,
                       .adj = adj,
                       .xpred = xpred,
                       .pred = pred,
                       .ncon = 1};
        machine_make(&m, MACHINE_LINE, 3, true, 1);
        m.distance[2] = m.distance[6] = 5; /* from end to end */
        clv_partition_state s = {.g = &g,
                                 .bounds = {3, g.ncon, NULL, max, NULL},
                                 .part = part,
                                 .weight = weight,
                                 .count = count,
                                 .maybe_boundary = maybe_boundary,
                                 .rank = rank,
                                 .machine = &m.m};
        fixture_context(&ctx, 1, 1);
        clv_state_measure(&s, &ctx);
        CHECK_EQ(s.cut, 5);
        CHECK_OK(refiner[i](&s, &ctx, &err));
        CHECK_EQ(s.cut, 2);
        CHECK_EQ(part[1], 1);
        clv_context_close(&ctx);
        machine_free(&m);
    }
}

/* Vertices that thousands read: not all of them may be looked at for each move. */
static void test_hubs(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_fixture f;
    machine_fixture m;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_HUBS, .nvtx = 60000, .nparts = 20, .ncon = 1, .slack = 0.5};
    dag_make(&f, &o);
    dag_scatter(&f, 20, 1);
    for (int32_t p = 0; p < 20; p++)
        f.max[p] = o.nvtx;
    place(&f, &m, MACHINE_TREE, 1);
    clv_acyclic_fm_params params = {.passes = 3, .patience = o.nvtx, .rerank_moves = true};
    int64_t start = f.s.cut;
    CHECK_OK(clv_acyclic_fm(&f.s, &params, &ctx, &err));
    CHECK_FINE(dag_fault(&f));
    CHECK(3 * f.s.cut < 2 * start);
    machine_free(&m);
    dag_free(&f);
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    for (int i = 0; i < refiners; i++) {
        dag_fixture f;
        machine_fixture m;
        dag_options o = {.shape = DAG_LOCAL,
                         .nvtx = i == 0 ? 36000 : 5000,
                         .nparts = 12,
                         .ncon = 1,
                         .slack = i < 3 ? 12 : 0.05};
        dag_make(&f, &o);
        dag_scatter(&f, i < 3 ? 12 : 5, 1);
        place(&f, &m, MACHINE_TREE, 1);
        int64_t cost = f.s.cut;
        CHECK(dag_is_deterministic(&f, refiner[i]));
        CHECK_FINE(dag_fault(&f));
        CHECK(i < 3 ? f.s.cut < cost : clv_state_overload(&f.s) == 0);
        machine_free(&m);
        dag_free(&f);
    }
}

static void test_out_of_memory(void)
{
    for (int i = 0; i < refiners; i++) {
        dag_fixture f;
        machine_fixture m;
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 4000, .nparts = 9, .ncon = 1, .slack = 0.2};
        dag_make(&f, &o);
        dag_scatter(&f, 9, 1);
        place(&f, &m, MACHINE_LINE, 1);
        dag_fail_allocations(&f, refiner[i]);
        machine_free(&m);
        dag_free(&f);
    }
}

int main(void)
{
    RUN(test_promises);
    RUN(test_local_optimum);
    RUN(test_between);
    RUN(test_hubs);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
