/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.c and its helpers on DAGs with a machine: costs exact, never worse,
 * acyclic, pairs near their optimum, the same for any number of threads. */
#include "refine/dag_fixture.h"
#include "refine/flow/flow.h"
#include "refine/flow_fixture.h"
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
                              .max_corridor = seed % 7 ? 100000 : 10,
                              .whole = seed % 6 < 3 ? 0 : 100,
                              .effort = seed % 3 ? (int32_t)(seed % 40) : 0};
    return params;
}

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
    int better[MACHINE_KINDS] = {0};
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE) {
        dag_fixture f;
        machine_fixture m;
        cleave_error err = {0};
        machine_kind kind = (machine_kind)(seed % MACHINE_KINDS);
        dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
        dag_make(&f, &o);
        if (seed % 3)
            dag_scatter(&f, 1 + (int32_t)(seed / 3 % (uint64_t)o.nparts), seed);
        place(&f, &m, kind, seed);
        int64_t cost = f.s.cut, overload = clv_state_overload(&f.s);
        clv_flow_params params = any_params(seed);
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        CHECK(clv_state_overload(&f.s) <= overload && f.s.cut <= cost);
        better[kind] += f.s.cut < cost;
        machine_free(&m);
        dag_free(&f);
    }
    for (int kind = 0; kind < MACHINE_KINDS; kind++)
        CHECK(better[kind] > 16 / TEST_STRIDE);
    clv_context_close(&ctx);
}

/* The least cost over all sides of the free vertices of two parts that keep the order. */
static int64_t least_cost(const clv_partition_state *s, const int32_t pair[2])
{
    int32_t part[20], n = s->g->nvtx;
    uint32_t inside = 0;
    for (int32_t v = 0; v < n; v++)
        if (s->fixed[v] < 0 && (s->part[v] == pair[0] || s->part[v] == pair[1]))
            inside |= 1u << v;
    clv_partition_state other = *s;
    other.part = part;
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        if (set & ~inside)
            continue;
        bool forward = true;
        for (int32_t v = 0; v < n; v++)
            part[v] = inside >> v & 1 ? pair[set >> v & 1] : s->part[v];
        for (int32_t v = 0; v < n; v++)
            for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
                forward = forward && s->rank[part[v]] <= s->rank[part[s->g->adj[a]]];
        int64_t cost = forward ? fixture_cut(&other) : INT64_MAX;
        best = cost < best ? cost : best;
    }
    return best;
}

/* One pair as refine/flow/closure_schedule.c has it, without bounds. */
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
    clv_flow_pair pair = {
        .part = {part[0], part[1]}, .nseed = nseed, .seed = seed, .wide = true};
    clv_flow_params params = {.rounds = 1, .alpha = 1000, .max_corridor = 1000, .whole = 1000};
    clv_flow_worker worker = {.local = local};
    CHECK_OK(clv_flow_refine_pair(s, &pair, &params, &worker, &gain, &err));
    for (int64_t i = 0; i < worker.nmoved; i++)
        s->part[worker.moved[i]] = part[s->part[worker.moved[i]] == part[0]];
    clv_ws_free(&worker.ws);
    clv_sys_free(worker.moved);
    return gain;
}

static void fix_ends(dag_fixture *f, const int32_t part[2])
{
    int32_t first = 0, last = f->g.nvtx - 1;
    while (first < last && f->part[f->order[first]] != part[0])
        first++;
    while (last > first && f->part[f->order[last]] != part[1])
        last--;
    f->fixed[f->order[first]] = f->part[f->order[first]];
    f->fixed[f->order[last]] = f->part[f->order[last]];
}

/* The two ends of the pair are fixed, so that neither side becomes empty.  Vertices that the
 * border does not reach stay: nearly all are optimal, not all. */
static void test_optimum(void)
{
    int better = 0, optimal = 0, count = 0;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        dag_fixture f;
        machine_fixture m;
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 9 + (int32_t)(seed % 4),
                         .nparts = 3 + (int32_t)(seed % 2),
                         .ncon = 1,
                         .edge_weight = seed % 3 ? 9 : 0,
                         .slack = 1000,
                         .fixed = 1000,
                         .seed = seed};
        dag_make(&f, &o);
        memset(f.fixed, -1, (size_t)o.nvtx * sizeof f.fixed[0]);
        dag_scatter(&f, o.nparts, seed);
        int32_t part[2] = {-1, -1};
        for (int32_t p = 0; p < o.nparts; p++)
            for (int side = 0; side < 2; side++)
                if (f.rank[p] == (int32_t)(seed % 2) + side)
                    part[side] = p;
        fix_ends(&f, part);
        place(&f, &m, (machine_kind)(seed / 5 % MACHINE_KINDS), seed);
        int64_t cost = f.s.cut, least = least_cost(&f.s, part);
        int64_t gain = refine_pair(&f.s, part);
        CHECK_EQ(fixture_cut(&f.s), cost - gain);
        CHECK(cost - gain >= least);
        count++;
        optimal += cost - gain == least;
        better += gain > 0;
        machine_free(&m);
        dag_free(&f);
    }
    CHECK(better > 40 / TEST_STRIDE);
    CHECK(optimal > count * 8 / 10);
}

/* ---- Threads, memory -------------------------------------------------------------------- */

/* Slices of an order, some vertices of each as early as they may be. */
static void make_many_parts(dag_fixture *f, machine_fixture *m, dag_shape shape,
                            machine_kind kind)
{
    dag_options o = {
        .shape = shape, .nvtx = 2000, .nparts = 16, .ncon = 1, .slack = 0.05, .seed = 2};
    dag_make(f, &o);
    dag_scatter(f, 16, 1);
    place(f, m, kind, 1);
}

static void test_threads(void)
{
    for (int i = 0; i < DAG_SHAPES * MACHINE_KINDS; i += 2 * TEST_STRIDE) {
        dag_fixture f;
        machine_fixture m;
        make_many_parts(&f, &m, (dag_shape)(i % DAG_SHAPES), (machine_kind)(i / DAG_SHAPES));
        int64_t cost = f.s.cut;
        CHECK(dag_is_deterministic(&f, refine));
        CHECK(f.s.cut < cost);
        CHECK_FINE(dag_fault(&f));
        machine_free(&m);
        dag_free(&f);
    }
}

static void test_no_memory(void)
{
    dag_fixture f;
    machine_fixture m;
    make_many_parts(&f, &m, DAG_GRID, MACHINE_TREE);
    dag_fail_allocations(&f, refine);
    machine_free(&m);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_optimum);
    RUN(test_threads);
    RUN(test_no_memory);
    return test_end();
}
