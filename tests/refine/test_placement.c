/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement.c and its helpers: never dearer, the optimum of small problems,
 * known optima of meshes, the same with any number of threads. */
#include "engine/presets.h"
#include "refine/kway_fixture.h"
#include "refine/machine_fixture.h"
#include "refine/placement_fixture.h"

static placement_fixture f;

static clv_placement_params short_effort(cleave_effort effort)
{
    clv_placement_params params = clv_preset_placement_of_vertices(effort);
    params.annealed = params.annealed < 200 ? params.annealed : 200;
    return params;
}

static const char *improve(const clv_placement_params *params, int threads, uint64_t seed)
{
    clv_context ctx;
    static cleave_error err = {0};
    fixture_context(&ctx, threads, seed);
    cleave_status status = clv_placement_improve(&f.p, params, &ctx, &err);
    clv_context_close(&ctx);
    return status == CLEAVE_OK ? placement_fault(&f) : err.message;
}

/* Any number of items, fixed ones and bounds: every third problem has them. */
static void make_any(const machine_fixture *m, uint64_t seed)
{
    int32_t n = m->m.npes, nitems = seed % 2 ? n : n - (int32_t)(seed / 2 % 3) % n;
    placement_random(&f, &m->m, nitems, 1 + (int32_t)(seed % 5), seed);
    if (seed % 3 == 1)
        placement_bound(&f, seed);
    if (seed % 3 == 2) {
        for (int32_t i = 0; i < nitems; i++)
            f.fixed[i] = clv_hash64(seed + (uint64_t)i) % 3 == 0;
        f.p.fixed = f.fixed;
    }
}

static void test_any_problem(void)
{
    int better = 0;
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        machine_fixture m;
        machine_make(&m, (machine_kind)(seed % MACHINE_KINDS), 1 + (int32_t)(seed % 37),
                     seed % 4 != 0, seed);
        make_any(&m, seed);
        clv_placement_params params = short_effort((cleave_effort)(seed / 5 % 4));
        if (seed % 7 == 0)
            params = clv_preset_placement_of_parts((cleave_effort)(seed / 7 % 3));
        CHECK_FINE(improve(&params, 1, seed));
        better += clv_placement_cost(&f.p) < placement_cost(&f, f.before);
        machine_free(&m);
    }
    CHECK(better > 150 / TEST_STRIDE);
}

/* With fixed items and bounds, too, where swaps may not lead everywhere. */
static void test_optimum(void)
{
    int found = 0, bounded = 0, tried = 0, tried_bounded = 0;
    clv_placement_params params = short_effort(CLEAVE_EFFORT_BEST);
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        machine_fixture m;
        machine_make(&m, (machine_kind)(1 + seed % (MACHINE_KINDS - 1)),
                     4 + (int32_t)(seed % 4), seed % 5 != 0, seed);
        make_any(&m, seed);
        CHECK_FINE(improve(&params, 1, seed));
        bool is_optimum = clv_placement_cost(&f.p) == placement_optimum(&f);
        CHECK(clv_placement_cost(&f.p) >= placement_optimum(&f));
        if (f.p.need) {
            bounded += is_optimum;
            tried_bounded++;
        } else {
            found += is_optimum;
            tried++;
        }
        machine_free(&m);
    }
    CHECK(found * 100 >= tried * 95);
    CHECK(bounded * 100 >= tried_bounded * 70);
}

typedef struct real_machine {
    clv_target *t;
    clv_machine m;
    clv_ws ws;
} real_machine;

static void open_machine(real_machine *r, const char *text)
{
    cleave_error err = {0};
    *r = (real_machine){0};
    CHECK_OK(clv_target_parse(&r->t, text, &err));
    CHECK_OK(clv_machine_make(&r->m, r->t, NULL, &r->ws, &err));
}

static void close_machine(real_machine *r)
{
    clv_ws_free(&r->ws);
    clv_target_free(r->t);
}

/* Neighbours in a mesh communicate: at distance 1 each, when they are placed well. */
static void test_mesh_on_itself(void)
{
    static const char *const text[] = {"mesh:4x4x4", "torus:6x6", "hypercube:6"};
    for (int i = 0; i < 3; i++) {
        real_machine r;
        open_machine(&r, text[i]);
        placement_self(&f, &r.m);
        int64_t edges = f.xadj[r.m.npes] / 2;
        CHECK_EQ(clv_placement_cost(&f.p), edges);
        placement_scatter(&f, 3);
        CHECK(clv_placement_cost(&f.p) > 2 * edges);
        clv_placement_params params = clv_preset_placement_of_vertices(CLEAVE_EFFORT_QUALITY);
        CHECK_FINE(improve(&params, 2, 1));
        CHECK_EQ(clv_placement_cost(&f.p), edges);
        close_machine(&r);
    }
}

static void test_cliques_on_a_tree(void)
{
    real_machine r;
    open_machine(&r, "tree:4:4:4@1:10:100");
    placement_self(&f, &r.m);
    CHECK_EQ(clv_placement_cost(&f.p), 16 * 6);
    placement_scatter(&f, 5);
    clv_placement_params params = clv_preset_placement_of_vertices(CLEAVE_EFFORT_DEFAULT);
    CHECK_FINE(improve(&params, 2, 1));
    CHECK_EQ(clv_placement_cost(&f.p), 16 * 6);
    close_machine(&r);
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 4};
    int32_t first[PLACEMENT_ITEMS];
    machine_fixture m;
    machine_make(&m, MACHINE_LINE, 60, true, 1);
    for (int i = 0; i < 3; i++) {
        placement_random(&f, &m.m, 60, 4, 9);
        clv_placement_params params = short_effort(CLEAVE_EFFORT_QUALITY);
        CHECK_FINE(improve(&params, threads[i], 7));
        if (i == 0)
            memcpy(first, f.at, sizeof first);
        CHECK(memcmp(first, f.at, 60 * sizeof first[0]) == 0);
    }
    machine_free(&m);
}

/* Large enough for lists of candidates instead of all pairs. */
static void test_many_places(void)
{
    enum { n = 40 * 40 };
    static int64_t xadj[n + 1];
    static int32_t adj[4 * n], at[n];
    for (int table = 0; table < 2; table++) {
        real_machine r;
        open_machine(&r, "mesh:40x40");
        if (!table)
            r.m.table = NULL;
        int64_t count = 0;
        for (int32_t i = 0; i < n; i++) {
            xadj[i] = count;
            for (int32_t j = 0; j < n; j++)
                if (clv_machine_distance(&r.m, i, j) == 1)
                    adj[count++] = j;
            at[i] = i;
        }
        xadj[n] = count;
        clv_rng rng = clv_rng_make(1, 1, 1, 1);
        for (int k = 0; k < 300; k++) {
            uint32_t i = clv_rng_below(&rng, n), j = clv_rng_below(&rng, n);
            int32_t place = at[i];
            at[i] = at[j];
            at[j] = place;
        }
        clv_placement p = {.nitems = n, .xadj = xadj, .adj = adj, .machine = &r.m, .at = at};
        clv_context ctx;
        cleave_error err = {0};
        clv_placement_params params = clv_preset_placement_of_parts(CLEAVE_EFFORT_FAST);
        params.chains = 8;
        int64_t before = clv_placement_cost(&p);
        fixture_context(&ctx, 1, 1);
        CHECK_OK(clv_placement_improve(&p, &params, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(clv_placement_cost(&p) - count / 2 < (before - count / 2) / 10);
        close_machine(&r);
    }
}

static void test_time_limit(void)
{
    machine_fixture m;
    clv_context ctx;
    cleave_error err = {0};
    machine_make(&m, MACHINE_RANDOM, 500, true, 1);
    placement_random(&f, &m.m, 500, 20, 1);
    clv_placement_params params = clv_preset_placement_of_vertices(CLEAVE_EFFORT_BEST);
    CHECK(params.until_limit);
    CHECK_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 0.2, NULL, NULL);
    double began = clv_clock();
    CHECK_OK(clv_placement_improve(&f.p, &params, &ctx, &err));
    double took = clv_clock() - began;
    CHECK(took > 0.15 && took < 3);
    clv_context_close(&ctx);
    CHECK_FINE(placement_fault(&f));
    CHECK(clv_placement_cost(&f.p) < placement_cost(&f, f.before));
    machine_free(&m);
}

/* Costs that might not fit are left alone. */
static void test_far_too_heavy(void)
{
    machine_fixture m;
    machine_make(&m, MACHINE_FAR, 6, true, 1);
    placement_random(&f, &m.m, 6, 6, 1);
    f.weight[1] = INT64_MAX / 100000000;
    f.weight[2] = INT64_MAX / 100000000;
    clv_context ctx;
    cleave_error err = {0};
    clv_placement_params params = short_effort(CLEAVE_EFFORT_DEFAULT);
    fixture_context(&ctx, 1, 1);
    CHECK_OK(clv_placement_improve(&f.p, &params, &ctx, &err));
    clv_context_close(&ctx);
    CHECK(memcmp(f.at, f.before, 6 * sizeof f.at[0]) == 0);
    machine_free(&m);
}

static void test_out_of_memory(void)
{
    machine_fixture m;
    machine_make(&m, MACHINE_LINE, 400, true, 1);
    test_oom_rounds oom = {0};
    clv_placement_params params = {
        .starts = 3, .annealed = 10, .chains = 2, .kicks = 1, .rounds = 1};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        placement_random(&f, &m.m, 390, 3, 1);
        fixture_context(&ctx, 2, 1);
        TEST_OOM(&oom, clv_placement_improve(&f.p, &params, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(!oom.reached || memcmp(f.at, f.before, 390 * sizeof f.at[0]) == 0);
    }
    CHECK(oom.nth > 2 && oom.nth < 100);
    machine_free(&m);
}

static int64_t asked_for; /* distances */
static const clv_shape *asked;

static int32_t count_between(const clv_target *t, int32_t p, int32_t q)
{
    asked_for++;
    return asked->between(t, p, q);
}

/* Without a table, parts are placed by a number of distances that grows with the places. */
static void test_work_without_table(void)
{
    enum { n = 50 * 50 };
    static int64_t xadj[n + 1];
    static int32_t adj[2 * n], at[n];
    for (int effort = CLEAVE_EFFORT_FAST; effort <= CLEAVE_EFFORT_BEST; effort++) {
        real_machine r;
        open_machine(&r, "mesh:50x50");
        REQUIRE(!r.m.table);
        clv_shape counting = *(asked = r.t->shape);
        counting.between = count_between;
        r.t->shape = &counting;
        int64_t count = 0;
        for (int32_t i = 0; i < n; i++) { /* a path */
            xadj[i] = count;
            if (i > 0)
                adj[count++] = i - 1;
            if (i + 1 < n)
                adj[count++] = i + 1;
            at[i] = i;
        }
        xadj[n] = count;
        clv_placement p = {.nitems = n, .xadj = xadj, .adj = adj, .machine = &r.m, .at = at};
        clv_placement_params params = clv_preset_placement_of_parts((cleave_effort)effort);
        params = clv_preset_placement_on(&params, &r.m);
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1, 1);
        asked_for = 0;
        CHECK_OK(clv_placement_improve(&p, &params, &ctx, &err));
        printf("  %.0f distances per place\n", (double)asked_for / n);
        CHECK(asked_for < INT64_C(2000) * n);
        clv_context_close(&ctx);
        r.t->shape = asked;
        close_machine(&r);
    }
}

/* Time that is over is not spent on what the searches would need. */
static void test_no_time_left(void)
{
    real_machine r;
    clv_context ctx;
    cleave_error err = {0};
    open_machine(&r, "mesh:50x50");
    static int64_t xadj[50 * 50 + 1];
    static int32_t adj[2] = {1, 0}, at[50 * 50];
    for (int32_t i = 0; i < r.m.npes; i++) {
        at[i] = i;
        xadj[i + 1] = i == 0 ? 1 : 2;
    }
    clv_shape counting = *(asked = r.t->shape);
    counting.between = count_between;
    r.t->shape = &counting;
    clv_placement p = {
        .nitems = r.m.npes, .xadj = xadj, .adj = adj, .machine = &r.m, .at = at};
    clv_placement_params params = {.starts = 1, .rounds = 1};
    CHECK_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 1e-9, NULL, NULL);
    asked_for = 0;
    CHECK_OK(clv_placement_improve(&p, &params, &ctx, &err));
    CHECK_EQ(asked_for, 0);
    clv_context_close(&ctx);
    r.t->shape = asked;
    close_machine(&r);
}

int main(void)
{
    RUN(test_any_problem);
    RUN(test_optimum);
    RUN(test_mesh_on_itself);
    RUN(test_cliques_on_a_tree);
    RUN(test_threads);
    RUN(test_many_places);
    RUN(test_time_limit);
    RUN(test_far_too_heavy);
    RUN(test_work_without_table);
    RUN(test_no_time_left);
    RUN(test_out_of_memory);
    return test_end();
}
