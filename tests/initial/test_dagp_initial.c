/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_initial.c and dagp_greedy.c: acyclic along the part numbers, no part empty,
 * within the bounds where weights allow; Kernighan's dynamic program is optimal for its order;
 * the greedy steps follow the definition. */
#include "initial/dagp_initial.h"

#include "refine/dag_fixture.h"

static const clv_dagp_start kinds[] = {CLV_DAGP_KER_GP, CLV_DAGP_KERN, CLV_DAGP_GP,
                                       CLV_DAGP_FAUZIA};

static double *shares_of(const dag_fixture *f)
{
    int64_t places = (int64_t)f->s.bounds.nparts * f->g.ncon;
    double *share = calloc((size_t)places + 1, sizeof *share);
    if (!share)
        abort();
    for (int64_t i = 0; i < places; i++)
        share[i] = (double)f->weight[i];
    return share;
}

static cleave_status start(dag_fixture *f, clv_dagp_start kind, int32_t runs, uint64_t seed,
                           cleave_error *err)
{
    clv_context ctx;
    /* The hidden solution is what the shares come from. */
    memcpy(f->part, f->hidden, (size_t)f->g.nvtx * sizeof *f->part);
    dag_scatter(f, 0, 0);
    double *share = shares_of(f);
    f->s.bounds.share = share;
    fixture_context(&ctx, 1, seed);
    memset(f->part, 99, (size_t)f->g.nvtx * sizeof *f->part);
    cleave_status status = clv_dagp_initial(&f->s, kind, runs, &ctx, err);
    clv_context_close(&ctx);
    f->s.bounds.share = NULL;
    free(share);
    return status;
}

static void test_promises(void)
{
    int over = 0, all = 0;
    for (uint64_t seed = 0; seed < 800; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, seed % 10 ? 60 : 400);
        o.fixed = 0;
        o.lower = false;
        dag_make(&f, &o);
        for (int kind = 0; kind < 4; kind++) {
            cleave_error err = {0};
            CHECK_OK(start(&f, kinds[kind], 2, seed, &err));
            const char *fault = dag_fault(&f);
            CHECK_STR(fault ? fault : "none", "none");
            for (int32_t p = 0; p < o.nparts; p++)
                CHECK(f.count[p] > 0 || o.vertex_weight > 0);
            bool plain = o.vertex_weight == 0 && o.ncon == 1;
            over += plain && clv_state_overload(&f.s) > 0;
            all += plain;
        }
        dag_free(&f);
    }
    CHECK(all > 500);
    CHECK_EQ(over, 0);
}

/* A part that may hold nothing stays empty, parts of any size are filled as they should. */
static void test_unequal(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 400, .nparts = 5, .ncon = 1, .slack = 0.03};
    static const int64_t max[] = {20, 0, 206, 62, 124};
    dag_make(&f, &o);
    for (int32_t v = 0, p = 0, left = 20; v < 400; v++, left--) {
        for (; left == 0; left = p == 2 ? 200 : p == 3 ? 60 : p == 4 ? 120 : 0)
            p++;
        f.hidden[f.order[v]] = p;
    }
    for (int32_t p = 0; p < 5; p++) {
        f.max[p] = max[p];
        f.rank[p] = f.hidden_rank[p] = p;
    }
    for (int kind = 0; kind < 4; kind++) {
        cleave_error err = {0};
        CHECK_OK(start(&f, kinds[kind], 3, 1, &err));
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK_EQ(f.count[1], 0);
    }
    dag_free(&f);
}

/* More runs are never worse, and some are better; a seed gives the same every time. */
static void test_runs(void)
{
    dag_fixture f;
    int better = 0;
    dag_options o = {.shape = DAG_RANDOM, .nvtx = 300, .nparts = 4, .ncon = 1, .slack = 0.1};
    for (int kind = 0; kind < 3; kind++) {
        dag_make(&f, &o);
        cleave_error err = {0};
        CHECK_OK(start(&f, kinds[kind], 1, 7, &err));
        int64_t one = f.s.cut;
        CHECK_OK(start(&f, kinds[kind], 8, 7, &err));
        int64_t many = f.s.cut;
        CHECK(many <= one);
        better += many < one;
        CHECK_OK(start(&f, kinds[kind], 8, 7, &err));
        CHECK_EQ(f.s.cut, many);
        dag_free(&f);
    }
    CHECK(better >= 2);
}

/* ker+gp is the better of the two, and each of them is it for some graphs. */
static void test_both_kinds(void)
{
    int by_kern = 0, by_greedy = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int64_t cut[3];
        dag_fixture f;
        dag_options o = {.shape = (dag_shape)(seed % DAG_CHAINS),
                         .nvtx = 120,
                         .nparts = 4,
                         .ncon = 1,
                         .slack = 0.3,
                         .seed = seed};
        dag_make(&f, &o);
        for (int kind = 0; kind < 3; kind++) {
            cleave_error err = {0};
            CHECK_OK(start(&f, kinds[kind], 1, seed, &err));
            CHECK_EQ(clv_state_overload(&f.s), 0);
            cut[kind] = f.s.cut;
        }
        int64_t kern = cut[CLV_DAGP_KERN], greedy = cut[CLV_DAGP_GP];
        CHECK_EQ(cut[CLV_DAGP_KER_GP], kern < greedy ? kern : greedy);
        by_kern += kern < greedy;
        by_greedy += greedy < kern;
        dag_free(&f);
    }
    CHECK(by_kern > 0 && by_greedy > 0);
}

/* A path has one order: Kernighan must find its lightest arcs. */
static void test_kernighan(void)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 10, .nparts = 3, .ncon = 1, .slack = 0.5};
    o.edge_weight = 9;
    dag_make(&f, &o);
    for (int32_t p = 0; p < 3; p++)
        f.max[p] = 5;
    int64_t best = INT64_MAX, wgt[10] = {0};
    for (int32_t i = 0; i < 9; i++)
        wgt[i] = f.g.ewgt[f.g.xadj[f.order[i]]];
    for (int32_t a = 1; a <= 5; a++)
        for (int32_t b = a + 1; b <= a + 5 && b < 10; b++)
            if (10 - b <= 5 && wgt[a - 1] + wgt[b - 1] < best)
                best = wgt[a - 1] + wgt[b - 1];
    CHECK_OK(start(&f, CLV_DAGP_KERN, 1, 1, &err));
    CHECK_EQ(f.s.cut, best);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    dag_free(&f);
}

/* ---- Greedy, step by step --------------------------------------------------------------- */

static int64_t step_gain(const dag_fixture *f, const int32_t *part, int32_t v, int32_t p)
{
    int64_t gain = 0;
    for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++)
        gain += part[f->g.pred[a]] == p ? f->g.pwgt[a] : 0;
    for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++)
        gain -= f->g.ewgt[a];
    return gain;
}

static bool is_ready(const dag_fixture *f, const int32_t *part, int32_t v)
{
    for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++)
        if (part[f->g.pred[a]] < 0)
            return false;
    return part[v] < 0;
}

/* Unit weights, gains that never tie: the paper's algorithm has one result. */
static void test_greedy(void)
{
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        int32_t part[40], n = 10 + (int32_t)(seed % 30), held = 0, p = 0;
        dag_options o = {.shape = seed % 2 ? DAG_RANDOM : DAG_LOCAL,
                         .nvtx = n,
                         .nparts = 3,
                         .ncon = 1,
                         .edge_weight = 1000000,
                         .seed = seed};
        dag_make(&f, &o);
        for (int32_t q = 0; q < 3; q++)
            f.max[q] = n / 3 + 3;
        CHECK_OK(start(&f, CLV_DAGP_GP, 1, seed, &err));
        for (int32_t v = 0; v < n; v++)
            part[v] = -1;
        bool tie = false;
        for (int32_t left = n; left > 0; left--) {
            int64_t rest = p < 2 ? (2 - p) * f.max[0] : n;
            int32_t hidden = 0;
            for (int32_t v = 0; v < n; v++)
                hidden += f.hidden[v] == p;
            if (p < 2 && held >= 0.9 * hidden && left <= rest) {
                p++;
                held = 0;
            }
            int32_t best = -1;
            for (int32_t v = 0; v < n; v++) {
                if (!is_ready(&f, part, v))
                    continue;
                int64_t gain = step_gain(&f, part, v, p);
                int64_t so_far = best < 0 ? INT64_MIN : step_gain(&f, part, best, p);
                tie |= gain == so_far;
                best = gain > so_far ? v : best;
            }
            part[best] = p;
            held++;
        }
        /* Vertices without arcs tie; then anything goes. */
        CHECK(tie || memcmp(part, f.part, (size_t)n * sizeof *part) == 0);
        compared += !tie;
        dag_free(&f);
    }
    CHECK(compared > 50);
}

/* Successors of what is in the part come before other vertices that are ready. */
static void test_fauzia(void)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 40, .nparts = 4, .ncon = 1};
    dag_make(&f, &o);
    CHECK_OK(start(&f, CLV_DAGP_FAUZIA, 1, 1, &err));
    CHECK_EQ(f.s.cut, 0); /* chain after chain */
    dag_free(&f);
}

/* a, b and c share the reader r; s and then u follow a.  Neighbours and successors take turns,
 * so that the vertices come in the order a b s c u r, and a part of k takes the first k. */
static void test_fauzia_alternates(void)
{
    enum { a, b, c, r, s, u, n };
    static const int32_t turn[n] = {[a] = 0, [b] = 1, [s] = 2, [c] = 3, [u] = 4, [r] = 5};
    static const int64_t xadj[] = {0, 2, 3, 4, 4, 5, 5}, xpred[] = {0, 0, 0, 0, 3, 4, 5};
    static const int32_t adj[] = {r, s, r, r, u}, pred[] = {a, b, c, a, s};
    static const clv_graph g = {.kind = CLEAVE_DAG,
                                .nvtx = n,
                                .narc = 5,
                                .xadj = xadj,
                                .adj = adj,
                                .xpred = xpred,
                                .pred = pred,
                                .ncon = 1};
    for (int32_t k = 1; k < n; k++) {
        int64_t max[] = {k, n - k};
        int32_t part[n];
        clv_context ctx;
        bool done = false;
        cleave_error err = {0};
        clv_partition_state state = {.g = &g, .bounds = {2, 1, NULL, max, NULL}, .part = part};
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        CHECK_OK(clv_dagp_fauzia(&state, &ctx, &done, &err));
        CHECK(done);
        for (int32_t v = 0; v < n; v++)
            CHECK_EQ(part[v], turn[v] >= k);
        clv_context_close(&ctx);
    }
}

/* The heuristic looks at the clock; slices take over, and all bounds are met. */
static void test_fauzia_stopped(void)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 5000, .nparts = 4, .ncon = 1, .slack = 0.1};
    dag_make(&f, &o);
    for (int64_t look = 1; look <= 4; look++) {
        clv_context ctx;
        int64_t left = look;
        bool done = true;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        ctx.looks = &left;
        CHECK_OK(clv_dagp_fauzia(&f.s, &ctx, &done, &err));
        CHECK(!done);
        CHECK_OK(clv_dagp_initial(&f.s, CLV_DAGP_FAUZIA, 1, &ctx, &err));
        for (int32_t v = 0; v < f.s.g->nvtx; v++)
            CHECK(f.s.part[v] >= 0 && f.s.part[v] < 4);
        clv_context_close(&ctx);
    }
    dag_free(&f);
}

static void test_memory(void)
{
    for (int kind = 0; kind < 4; kind++) {
        dag_fixture f;
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 200, .nparts = 3, .ncon = 2, .slack = 0.1};
        dag_make(&f, &o);
        double *share = shares_of(&f);
        f.s.bounds.share = share;
        test_oom_rounds oom = {0};
        while (test_oom_next(&oom)) {
            clv_context ctx;
            cleave_error err = {0};
            fixture_context(&ctx, 1, 3);
            TEST_OOM(&oom, clv_dagp_initial(&f.s, kinds[kind], 2, &ctx, &err));
            clv_context_close(&ctx);
        }
        CHECK(oom.nth > 2 && oom.nth < 1000);
        free(share);
        dag_free(&f);
    }
}

int main(void)
{
    RUN(test_promises);
    RUN(test_unequal);
    RUN(test_runs);
    RUN(test_both_kinds);
    RUN(test_kernighan);
    RUN(test_greedy);
    RUN(test_fauzia);
    RUN(test_fauzia_alternates);
    RUN(test_fauzia_stopped);
    RUN(test_memory);
    return test_end();
}
