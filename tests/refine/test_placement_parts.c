/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_kway.c and placement_congestion.c: whole parts exchange PEs,
 * costs and loads are exact and never worse. */
#include "engine/presets.h"
#include "refine/dag_fixture.h"
#include "refine/machine_fixture.h"
#include "refine/placement_fixture.h"

static cleave_status place_parts(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_placement_params params =
        clv_preset_placement_of_parts((cleave_effort)(ctx->seed % 3));
    return clv_placement_kway(s, &params, ctx, err);
}

static void test_parts(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int better[MACHINE_KINDS] = {0};
    for (uint64_t seed = 0; seed < 500; seed += TEST_STRIDE) {
        fixture g;
        machine_fixture m;
        cleave_error err = {0};
        machine_kind kind = (machine_kind)(seed % MACHINE_KINDS);
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
        fixture_make(&g, &o);
        machine_make(&m, kind, o.nparts, seed % 4 != 0, seed);
        g.s.machine = &m.m;
        fixture_scatter(&g, seed % 3 ? o.nparts : 0, seed);
        int64_t cost = g.s.cut, overload = clv_state_overload(&g.s);
        ctx.seed = seed;
        CHECK_OK(place_parts(&g.s, &ctx, &err));
        CHECK_FINE(fixture_fault(&g));
        CHECK(clv_state_overload(&g.s) <= overload && g.s.cut <= cost);
        better[kind] += g.s.cut < cost;
        machine_free(&m);
        fixture_free(&g);
    }
    CHECK_EQ(better[MACHINE_FLAT], 0);
    for (int kind = 1; kind < MACHINE_KINDS; kind++)
        CHECK(better[kind] > 10 / TEST_STRIDE);
    clv_context_close(&ctx);
}

static void test_parts_of_dags(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int better = 0;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        dag_fixture g;
        machine_fixture m;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 60);
        dag_make(&g, &o);
        machine_make(&m, (machine_kind)(1 + seed % (MACHINE_KINDS - 1)), o.nparts,
                     seed % 4 != 0, seed);
        g.s.machine = &m.m;
        dag_scatter(&g, seed % 3 ? o.nparts : 0, seed);
        int64_t cost = g.s.cut, overload = clv_state_overload(&g.s);
        ctx.seed = seed;
        CHECK_OK(place_parts(&g.s, &ctx, &err));
        CHECK_FINE(dag_fault(&g));
        CHECK(clv_state_overload(&g.s) <= overload && g.s.cut <= cost);
        better += g.s.cut < cost;
        machine_free(&m);
        dag_free(&g);
    }
    CHECK(better > 40 / TEST_STRIDE);
    clv_context_close(&ctx);
}

static void test_parts_out_of_memory(void)
{
    for (int kind = 0; kind < 2; kind++) {
        dag_fixture g;
        machine_fixture m;
        dag_options o = {.shape = DAG_GRID, .nvtx = 9000, .nparts = 100, .ncon = 1};
        dag_make(&g, &o);
        machine_make(&m, kind ? MACHINE_LINE : MACHINE_TREE, o.nparts, true, 1);
        g.s.machine = &m.m;
        dag_scatter(&g, 0, 0);
        dag_fail_allocations(&g, place_parts);
        machine_free(&m);
        dag_free(&g);
    }
}

/* ---- Congestion ------------------------------------------------------------------------ */

static placement_fixture f;

/* The loads from the definitions: the route of every edge into zeroes. */
static clv_placement_loads slow_loads(void)
{
    const clv_machine *m = f.p.machine;
    clv_placement_loads loads = {.cost = placement_cost(&f, f.at)};
    int64_t *load = calloc((size_t)m->t->links, sizeof *load);
    if (!load)
        abort();
    for (int32_t i = 0; i < f.p.nitems; i++)
        for (int64_t a = f.xadj[i]; a < f.xadj[i + 1]; a++)
            if (m->pe[f.at[i]] < m->pe[f.at[f.adj[a]]])
                clv_target_route(m->t, m->pe[f.at[i]], m->pe[f.at[f.adj[a]]], f.weight[a],
                                 load);
    for (int64_t k = 0; k < m->t->links; k++) {
        loads.max = load[k] > loads.max ? load[k] : loads.max;
        loads.total += load[k];
    }
    free(load);
    return loads;
}

static void check_loads(const clv_placement_loads *is, const clv_placement_loads *expected)
{
    CHECK_EQ(is->max, expected->max);
    CHECK_EQ(is->total, expected->total);
    CHECK_EQ(is->cost, expected->cost);
}

static void relieve(const char *text, int32_t empty, uint64_t seed, int *better)
{
    clv_target *t;
    clv_machine m;
    clv_context ctx;
    clv_placement_loads loads;
    cleave_error err = {0};
    fixture_context(&ctx, 1, seed);
    REQUIRE_OK(clv_target_parse(&t, text, &err));
    REQUIRE_OK(clv_machine_make(&m, t, NULL, ctx.ws, &err));
    placement_random(&f, &m, m.npes - empty, 3, seed);
    f.fixed[0] = 1;
    memset(f.fixed + 1, 0, sizeof f.fixed - 1);
    f.p.fixed = f.fixed;
    clv_placement_loads before = slow_loads();
    CHECK_OK(clv_placement_measure_loads(&f.p, ctx.ws, &loads, &err));
    check_loads(&loads, &before);
    CHECK_OK(clv_placement_relieve(&f.p, 100, NULL, &ctx, &err));
    clv_placement_loads after = slow_loads();
    CHECK_OK(clv_placement_measure_loads(&f.p, ctx.ws, &loads, &err));
    check_loads(&loads, &after);
    CHECK(after.max <= before.max);
    *better += after.max < before.max;
    CHECK_EQ(f.at[0], f.before[0]);
    uint8_t used[PLACEMENT_ITEMS] = {0};
    for (int32_t i = 0; i < f.p.nitems; i++)
        CHECK(used[f.at[i]]++ == 0);
    clv_target_free(t);
    clv_context_close(&ctx);
}

static void test_congestion(void)
{
    static const char *const text[] = {"mesh:4x4", "torus:5x3x2", "hypercube:5",
                                       "tree:3:3:3@1:10:100", "mesh:20x15"};
    int better = 0;
    for (uint64_t seed = 0; seed < 40; seed += TEST_STRIDE)
        relieve(text[seed % 5], (int32_t)(seed % 3), seed, &better);
    CHECK(better > 30 / TEST_STRIDE);
}

static void test_congestion_of_parts(void)
{
    fixture g;
    clv_context ctx;
    clv_target *t;
    clv_machine m;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 400, .nparts = 16, .ncon = 1, .slack = 0.1};
    fixture_make(&g, &o);
    fixture_context(&ctx, 1, 1);
    REQUIRE_OK(clv_target_parse(&t, "mesh:4x4", &err));
    REQUIRE_OK(clv_machine_make(&m, t, NULL, ctx.ws, &err));
    g.s.machine = &m;
    for (int32_t v = 0; v < 400; v++)
        g.part[v] = (g.part[v] * 7 + 3) % 16;
    fixture_scatter(&g, 0, 0);
    int64_t cost = g.s.cut;
    CHECK_OK(clv_placement_relieve_kway(&g.s, 1000, NULL, &ctx, &err));
    CHECK_FINE(fixture_fault(&g));
    CHECK(g.s.cut < cost);
    clv_target_free(t);
    clv_context_close(&ctx);
    fixture_free(&g);
}

/* Nothing is known about the routes of this machine. */
static void test_no_routes(void)
{
    machine_fixture m;
    clv_context ctx;
    cleave_error err = {0};
    machine_make(&m, MACHINE_LINE, 9, true, 1);
    placement_random(&f, &m.m, 9, 3, 1);
    fixture_context(&ctx, 1, 1);
    CHECK_OK(clv_placement_relieve(&f.p, 100, NULL, &ctx, &err));
    CHECK(memcmp(f.at, f.before, 9 * sizeof f.at[0]) == 0);
    clv_context_close(&ctx);
    machine_free(&m);
}

int main(void)
{
    RUN(test_parts);
    RUN(test_parts_of_dags);
    RUN(test_parts_out_of_memory);
    RUN(test_congestion);
    RUN(test_congestion_of_parts);
    RUN(test_no_routes);
    return test_end();
}
