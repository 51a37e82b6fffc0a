/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.c and flow_schedule.c with a machine: costs exact, never worse, the optimum
 * of a pair where nothing bounds it, the same as without a machine where all distances are the
 * same, and for any number of threads. */
#include "refine/flow/flow.h"
#include "refine/flow_fixture.h"
#include "refine/kway_fixture.h"
#include "refine/machine_fixture.h"

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_flow_refine(s, &flow_thorough, ctx, err);
}

static clv_flow_params any_params(uint64_t seed)
{
    clv_flow_params params = {.rounds = 1 + (int32_t)(seed % 4),
                              .alpha = 1 + (int32_t)(seed % 16),
                              .depth = (int32_t)(seed % 5),
                              .max_corridor = seed % 7 ? 100000 : 10};
    return params;
}

/* Puts the parts of f on a machine. */
static void place(fixture *f, machine_fixture *m, machine_kind kind, uint64_t seed)
{
    machine_make(m, kind, f->s.bounds.nparts, seed % 4 != 0, seed);
    f->s.machine = &m->m;
    fixture_scatter(f, 0, 0);
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int better[MACHINE_KINDS] = {0};
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE) {
        fixture f;
        machine_fixture m;
        cleave_error err = {0};
        machine_kind kind = (machine_kind)(seed % MACHINE_KINDS);
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
        fixture_make(&f, &o);
        if (seed % 2)
            fixture_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
        place(&f, &m, kind, seed);
        clv_partition_state before = fixture_copy(&f);
        clv_flow_params params = any_params(seed);
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        CHECK_FINE(fixture_fault(&f));
        CHECK_FINE(fixture_none_worse(&f, &before, false));
        better[kind] += f.s.cut < before.cut;
        free(before.part);
        machine_free(&m);
        fixture_free(&f);
    }
    for (int kind = 0; kind < MACHINE_KINDS; kind++)
        CHECK(better[kind] > 16 / TEST_STRIDE);
    clv_context_close(&ctx);
}

/* All distances the same: the parts are those without a machine. */
static void test_equal(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        machine_fixture m;
        cleave_error err = {0};
        int32_t distance = seed % 2 ? 1 : 7;
        fixture_options o = fixture_any(seed, 200);
        fixture_make(&f, &o);
        fixture_scatter(&f, o.nparts, seed);
        clv_partition_state start = fixture_copy(&f), plain = fixture_copy(&f);
        clv_flow_params params = any_params(seed);
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        memcpy(plain.part, f.part, (size_t)o.nvtx * sizeof f.part[0]);
        memcpy(f.part, start.part, (size_t)o.nvtx * sizeof f.part[0]);
        int64_t cut = f.s.cut;
        machine_make(&m, MACHINE_FLAT, o.nparts, true, seed);
        for (int32_t i = 0; i < o.nparts * o.nparts; i++)
            m.distance[i] *= distance;
        f.s.machine = &m.m;
        fixture_scatter(&f, 0, 0);
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        CHECK_EQ(f.s.cut, distance * cut);
        CHECK(memcmp(plain.part, f.part, (size_t)o.nvtx * sizeof f.part[0]) == 0);
        free(start.part);
        free(plain.part);
        machine_free(&m);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* ---- Optima ---------------------------------------------------------------------------- */

/* The vertices of the pair that reach the border inside their part, not through fixed ones. */
static uint32_t reach_border(const clv_partition_state *s, const int32_t pair[2])
{
    uint32_t inside = 0, before = 1;
    while (inside != before) {
        before = inside;
        for (int32_t v = 0; v < s->g->nvtx; v++)
            for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++) {
                int32_t u = s->g->adj[a], p = s->part[v], q = s->part[u];
                bool border = (p == pair[0] && q == pair[1]) || (p == pair[1] && q == pair[0]);
                if (s->fixed[v] < 0 && (border || (p == q && (inside >> u & 1))))
                    if (p == pair[0] || p == pair[1])
                        inside |= 1u << v;
            }
    }
    return inside;
}

static int64_t least_cost(const clv_partition_state *s, const int32_t pair[2])
{
    int32_t part[20], n = s->g->nvtx;
    uint32_t inside = reach_border(s, pair);
    clv_partition_state other = *s;
    other.part = part;
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        if (set & ~inside)
            continue;
        for (int32_t v = 0; v < n; v++)
            part[v] = inside >> v & 1 ? pair[set >> v & 1] : s->part[v];
        int64_t cost = fixture_cut(&other);
        best = cost < best ? cost : best;
    }
    return best;
}

/* One pair as refine/flow/flow_schedule.c has it, without bounds. */
static int64_t refine_pair(clv_partition_state *s, const int32_t part[2])
{
    cleave_error err = {0};
    int32_t local[20], seed[20], nseed = 0;
    int64_t gain = 0;
    memset(local, -1, sizeof local);
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        bool border = false;
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            border = border || s->part[s->g->adj[a]] == part[1];
        if (s->part[v] == part[0] && border)
            seed[nseed++] = v;
    }
    clv_flow_pair pair = {.part = {part[0], part[1]}, .nseed = nseed, .seed = seed};
    clv_flow_params params = {.rounds = 1, .alpha = 1000, .max_corridor = 1000};
    clv_flow_worker worker = {.local = local};
    CHECK_OK(clv_flow_refine_pair(s, &pair, &params, &worker, &gain, &err));
    for (int64_t i = 0; i < worker.nmoved; i++)
        s->part[worker.moved[i]] = part[s->part[worker.moved[i]] == part[0]];
    clv_ws_free(&worker.ws);
    clv_sys_free(worker.moved);
    return gain;
}

static void test_optimum(void)
{
    int better = 0;
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        fixture f;
        machine_fixture m;
        fixture_options o = {.shape = (fixture_shape)(seed % FIXTURE_SHAPES),
                             .nvtx = 8 + (int32_t)(seed % 5),
                             .nparts = 3 + (int32_t)(seed % 2),
                             .ncon = 1 + (int32_t)(seed % 3 == 0),
                             .edge_weight = seed % 3 ? 9 : 0,
                             .slack = 1000,
                             .fixed = 1000,
                             .seed = seed};
        fixture_make(&f, &o);
        int32_t part[2] = {(int32_t)(seed % 3), (int32_t)((seed + 1) % 3)};
        fixture_scatter(&f, o.nparts, seed);
        memset(f.fixed, -1, (size_t)o.nvtx * sizeof f.fixed[0]);
        f.part[0] = f.fixed[0] = part[0];
        f.part[1] = f.fixed[1] = part[1]; /* neither side becomes empty */
        place(&f, &m, (machine_kind)(seed / 4 % MACHINE_KINDS), seed);
        int64_t cost = f.s.cut, least = least_cost(&f.s, part);
        int64_t gain = refine_pair(&f.s, part);
        CHECK_EQ(fixture_cut(&f.s), cost - gain);
        if (seed / 4 % MACHINE_KINDS != MACHINE_FAR || o.edge_weight == 0)
            CHECK_EQ(cost - gain, least);
        else /* rounded */
            CHECK((double)(cost - gain) <= (double)least * 1.000001);
        better += gain > 0;
        machine_free(&m);
        fixture_free(&f);
    }
    CHECK(better > 80 / TEST_STRIDE);
}

/* A string between places 0 and 1, every vertex of which reads from place 2, which is near 1:
 * the border leaves the string, far from where it was; without that, it stays. */
static void test_lean(void)
{
    enum { length = 40, n = 2 * length };
    int64_t xadj[n + 1] = {0}, max[3] = {n, n, length};
    int32_t adj[4 * length], part[n];
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = xadj[v];
        if (v < length && v > 0)
            adj[xadj[v + 1]++] = v - 1;
        if (v < length - 1)
            adj[xadj[v + 1]++] = v + 1;
        adj[xadj[v + 1]++] = v < length ? v + length : v - length;
        part[v] = v >= length ? 2 : v >= 10;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .ncon = 1,
                   .narc = xadj[n],
                   .xadj = xadj,
                   .adj = adj};
    for (int near = 0; near < 2; near++) {
        fixture f;
        machine_fixture m;
        fixture_around(&f, &g, 3, part, max);
        f.fixed[0] = 0;
        f.s.fixed = f.fixed;
        for (int32_t v = length; v < n; v++)
            f.fixed[v] = 2;
        place(&f, &m, MACHINE_FLAT, 1);
        m.distance[2] = m.distance[6] = near ? 5 : 1; /* of 0 and 2 */
        fixture_scatter(&f, 0, 0);
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1, 1);
        clv_flow_params params = {.rounds = 4, .alpha = 1000, .max_corridor = 1000};
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        clv_context_close(&ctx);
        CHECK_FINE(fixture_fault(&f));
        if (near)
            CHECK_EQ(f.s.cut, 1 + 5 + length - 1);
        machine_free(&m);
        fixture_free(&f);
    }
}

/* Costs whose sums do not fit the capacities of the network. */
static void test_heavy(void)
{
    enum { side = 16 };
    for (int32_t distance = 1; distance <= 1000000; distance *= 1000) {
        fixture f;
        machine_fixture m;
        cleave_error err = {0};
        fixture_options o = {.shape = FIXTURE_GRID,
                             .nvtx = side * side,
                             .nparts = 2,
                             .ncon = 1,
                             .edge_weight = 1,
                             .slack = 0.1};
        clv_context ctx;
        fixture_context(&ctx, 1, 1);
        fixture_make(&f, &o);
        for (int64_t a = 0; a < f.g.narc; a++)
            ((int32_t *)f.g.ewgt)[a] = INT32_MAX;
        for (int32_t v = 0; v < side * side; v++)
            f.part[v] = v / side < side / 2 + (v % side / 2 % 2 ? 2 : -2);
        place(&f, &m, MACHINE_FLAT, 1);
        m.distance[1] = m.distance[2] = distance;
        fixture_scatter(&f, 0, 0);
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(f.s.cut, (int64_t)side * INT32_MAX * distance);
        CHECK_FINE(fixture_fault(&f));
        machine_free(&m);
        fixture_free(&f);
        clv_context_close(&ctx);
    }
}

/* ---- Threads, memory -------------------------------------------------------------------- */

static void make_many_parts(fixture *f, machine_fixture *m, fixture_shape shape,
                            machine_kind kind)
{
    fixture_options o = {.shape = shape,
                         .nvtx = 3000,
                         .nparts = 24,
                         .ncon = 1,
                         .edge_weight = kind == MACHINE_FAR ? 9 : 0,
                         .slack = 0.05,
                         .seed = 2};
    fixture_make(f, &o);
    clv_rng rng = clv_rng_make(1, 1, 1, 1);
    for (int32_t i = 0; i < 1500; i++) { /* swaps keep the balance */
        int32_t u = (int32_t)clv_rng_below(&rng, 3000), v = (u + 1 + i % 70) % 3000;
        int32_t p = f->part[u];
        f->part[u] = f->part[v];
        f->part[v] = p;
    }
    place(f, m, kind, 1);
}

static void test_threads(void)
{
    for (int i = 0; i < FIXTURE_SHAPES * MACHINE_KINDS; i += 3 * TEST_STRIDE) {
        fixture f;
        machine_fixture m;
        make_many_parts(&f, &m, (fixture_shape)(i % FIXTURE_SHAPES),
                        (machine_kind)(i / FIXTURE_SHAPES));
        int64_t cost = f.s.cut;
        CHECK_FINE(fixture_fault_threads(&f, refine));
        CHECK(f.s.cut < cost);
        machine_free(&m);
        fixture_free(&f);
    }
}

static void test_no_memory(void)
{
    fixture f;
    machine_fixture m;
    make_many_parts(&f, &m, FIXTURE_GRID, MACHINE_TREE);
    CHECK_FINE(fixture_fault_memory(&f, refine, fixture_none_worse));
    machine_free(&m);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_equal);
    RUN(test_optimum);
    RUN(test_lean);
    RUN(test_heavy);
    RUN(test_threads);
    RUN(test_no_memory);
    return test_end();
}
