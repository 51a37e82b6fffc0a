/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.c and its helpers on DAGs (closure_corridor.c, closure_schedule.c,
 * part_line.c): invariants kept, never worse, acyclic, the optimum where the bounds leave one
 * minimum cut to find, same for any number of threads. */
#include "refine/dag_fixture.h"
#include "refine/flow/flow.h"
#include "refine/flow/flow_schedule.h"
#include "refine/flow/maxflow.h"
#include "refine/flow_fixture.h"
#include "refine/state/part_line.h"

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

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_flow_refine(s, &flow_thorough, ctx, err);
}

static cleave_status refine_anyhow(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_flow_params params = any_params(ctx->seed);
    return clv_flow_refine(s, &params, ctx, err);
}

static void test_promises(void)
{
    CHECK(dag_refine_any(1500, refine_anyhow, true) > 300);
}

/* ---- Optima ---------------------------------------------------------------------------- */

typedef struct optimum {
    int64_t least;  /* cut of all acyclic bisections that respect the fixed vertices */
    bool all_legal; /* do all of those meet the bounds? */
    int64_t legal;  /* least cut of those that do */
} optimum;

static bool is_forward(const clv_partition_state *s)
{
    for (int32_t v = 0; v < s->g->nvtx; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            if (s->rank[s->part[v]] > s->rank[s->part[s->g->adj[a]]])
                return false;
    return true;
}

/* Over all sets; the two parts keep their order. */
static optimum search_all(const clv_partition_state *s)
{
    int32_t n = s->g->nvtx, part[20];
    optimum best = {INT64_MAX, true, INT64_MAX};
    for (uint32_t set = 1; set < (UINT32_C(1) << n) - 1; set++) {
        clv_partition_state other = *s;
        other.part = part;
        bool respects = true;
        for (int32_t v = 0; v < n; v++) {
            part[v] = set >> v & 1;
            respects = respects && (!s->fixed || s->fixed[v] < 0 || s->fixed[v] == part[v]);
        }
        if (!respects || !is_forward(&other))
            continue;
        int64_t cut = fixture_cut(&other);
        bool legal = fixture_overload(&other) == 0;
        if (cut < best.least)
            best.all_legal = true;
        if (cut <= best.least)
            best.all_legal = best.all_legal && legal;
        best.least = cut < best.least ? cut : best.least;
        best.legal = legal && cut < best.legal ? cut : best.legal;
    }
    return best;
}

/* The ends of the order are fixed and the bounds loose, or not so loose: when all least cuts
 * are within them, one of these is found. */
static void test_minimum(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int better = 0, least = 0, optimal = 0, count = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 4 + (int32_t)(seed % 8),
                         .nparts = 2,
                         .ncon = 1 + (int32_t)(seed % 2),
                         .vertex_weight = seed % 5 ? 0 : 3,
                         .edge_weight = seed % 3 ? 9 : 0,
                         .slack = seed % 2 ? 1000 : 0.4,
                         .fixed = 1000,
                         .seed = seed};
        dag_make(&f, &o);
        memset(f.fixed, -1, (size_t)o.nvtx * sizeof f.fixed[0]);
        for (int32_t i = 0; i < o.nvtx; i += o.nvtx - 1)
            f.fixed[f.order[i]] = f.hidden[f.order[i]];
        if (seed % 2)
            dag_scatter(&f, 2, seed);
        int64_t cut = f.s.cut, overload = clv_state_overload(&f.s);
        clv_flow_params params = {.rounds = 4, .alpha = 1000, .max_corridor = 1000};
        CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
        CHECK_FINE(dag_fault(&f));
        optimum best = search_all(&f.s);
        if (overload == 0)
            CHECK(f.s.cut >= best.legal);
        if (best.all_legal && cut > 0) {
            CHECK_EQ(f.s.cut, best.least);
            least++;
        }
        count++;
        optimal += f.s.cut == best.legal;
        better += f.s.cut < cut;
        dag_free(&f);
    }
    CHECK(better > 60 && least > 60);
    CHECK(optimal >= count * 8 / 10);
    clv_context_close(&ctx);
}

/* Two chains that are cut across: no single move improves this. */
static void test_chains(void)
{
    enum { length = 40 };
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {
        .shape = DAG_CHAINS, .nvtx = 10 * length, .nparts = 2, .ncon = 1, .slack = 0.03};
    dag_make(&f, &o);
    for (int32_t i = 0; i < o.nvtx; i++)
        f.part[f.order[i]] = f.hidden[f.order[i % 10 < 5 ? 0 : o.nvtx - 1]];
    dag_scatter(&f, 0, 0);
    CHECK_EQ(f.s.cut, length);
    clv_flow_params params = {.rounds = 1, .alpha = 100, .max_corridor = 10 * length};
    CHECK_OK(clv_flow_refine(&f.s, &params, &ctx, &err));
    CHECK_EQ(f.s.cut, 0);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK_FINE(dag_fault(&f));
    dag_free(&f);
    clv_context_close(&ctx);
}

/* Weights whose sums do not fit the capacities of the network. */
static void test_heavy(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_GRID,
                     .nvtx = 400,
                     .nparts = 2,
                     .ncon = 1,
                     .edge_weight = 1,
                     .slack = 0.1};
    dag_make(&f, &o);
    for (int64_t a = 0; a < f.g.narc; a++)
        ((int32_t *)f.g.ewgt)[a] = ((int32_t *)f.g.pwgt)[a] = INT32_MAX;
    for (int32_t i = 0; i < 400; i++) /* across, instead of along the rows */
        f.part[f.order[i]] = f.hidden[f.order[i % 20 + i / 20 < 20 ? 0 : 399]];
    dag_scatter(&f, 0, 0);
    int64_t cut = f.s.cut;
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_FINE(dag_fault(&f));
    CHECK(f.s.cut < cut);
    dag_free(&f);
    clv_context_close(&ctx);
}

/* ---- Directed networks ------------------------------------------------------------------ */

enum { nodes = 9 };

static int64_t least_cut(int32_t capacity[nodes][nodes], uint32_t source, uint32_t sink)
{
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << nodes; set++) {
        if ((set & source) != source || (set & sink) != 0)
            continue;
        int64_t cut = 0;
        for (int u = 0; u < nodes; u++)
            for (int v = 0; v < nodes; v++)
                if ((set >> u & 1) && !(set >> v & 1))
                    cut += capacity[u][v];
        best = cut < best ? cut : best;
    }
    return best;
}

static void load_network(clv_maxflow *f, int32_t capacity[nodes][nodes], clv_ws *ws)
{
    static const int64_t weight[nodes] = {1, 1, 1, 1, 1, 1, 1, 0, 0};
    cleave_error err = {0};
    REQUIRE_OK(clv_maxflow_init(f, nodes, nodes * nodes, 1, ws, &err));
    for (int32_t u = 0; u < nodes; u++)
        f->first[u] = f->last[u] = u * nodes;
    for (int32_t u = 0; u < nodes; u++)
        for (int32_t v = 0; v < u; v++)
            if (capacity[u][v] > 0 || capacity[v][u] > 0)
                clv_maxflow_arc(f, u, v, capacity[u][v], capacity[v][u]);
    clv_maxflow_start(f, nodes - 2, nodes - 1, weight);
}

/* Capacities that differ by direction, some infinite, while nodes become terminals. */
static void test_directed(void)
{
    clv_ws ws = {0};
    int finite = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        clv_rng rng = clv_rng_make(seed, 1, 2, 3);
        int32_t capacity[nodes][nodes] = {{0}};
        for (int u = 0; u < nodes; u++)
            for (int v = 0; v < nodes; v++)
                if (u != v && clv_rng_below(&rng, 3) == 0)
                    capacity[u][v] = clv_rng_below(&rng, 6) ? (int32_t)clv_rng_below(&rng, 10)
                                                            : clv_maxflow_capacity;
        clv_maxflow f;
        load_network(&f, capacity, &ws);
        uint32_t side[2] = {1u << (nodes - 2), 1u << (nodes - 1)};
        for (int step = 0; step < 4; step++) {
            int64_t least = least_cut(capacity, side[0], side[1]);
            bool within = clv_maxflow_run(&f, clv_maxflow_capacity - 1);
            CHECK_EQ(within, least < clv_maxflow_capacity);
            if (!within)
                break;
            finite++;
            CHECK_EQ(f.flow, least);
            int into = step % 2;
            clv_maxflow_settle(&f, into);
            for (int32_t u = 0; u < nodes; u++)
                if (clv_maxflow_in(&f, u, into))
                    side[into] |= 1u << u;
            int32_t v = (int32_t)clv_rng_below(&rng, nodes - 2);
            if (clv_maxflow_in(&f, v, into) || (side[1 - into] >> v & 1))
                continue;
            clv_maxflow_pierce(&f, v, into);
            side[into] |= 1u << v;
        }
        clv_ws_restore(&ws, (clv_ws_mark){0});
    }
    CHECK(finite > 500);
    clv_ws_free(&ws);
}

/* ---- Orders of the parts ---------------------------------------------------------------- */

enum { parts = 9 };

/* Does the quotient stay acyclic when p and q become one, and all mates, too? */
static bool may_join(bool arc[parts][parts], const int32_t *mate, int32_t p, int32_t q)
{
    bool reach[parts][parts] = {{false}};
    int32_t group[parts];
    for (int32_t x = 0; x < parts; x++)
        group[x] = mate[x] >= 0 && mate[x] < x ? mate[x] : x;
    group[q] = p;
    for (int u = 0; u < parts; u++)
        for (int v = 0; v < parts; v++)
            if (arc[u][v] && group[u] != group[v])
                reach[group[u]][group[v]] = true;
    for (int w = 0; w < parts; w++)
        for (int u = 0; u < parts; u++)
            for (int v = 0; v < parts; v++)
                reach[u][v] = reach[u][v] || (reach[u][w] && reach[w][v]);
    for (int u = 0; u < parts; u++)
        if (reach[u][u])
            return false;
    return true;
}

static void join_all(bool arc[parts][parts], const int32_t *first, const int32_t *head,
                     int32_t *rank)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    clv_partition_state s = {.bounds = {parts, 1, NULL, NULL, NULL}, .rank = rank};
    clv_part_line line;
    REQUIRE_OK(
        clv_part_line_open(&line, &s, (clv_quotient_arcs){first, head}, 1000000, &ws, &err));
    for (int32_t p = 0; p < parts; p++)
        for (int32_t a = first[p]; a < first[p + 1]; a++) {
            int32_t q = head[a];
            bool free = line.mate[p] < 0 && line.mate[q] < 0;
            bool may = free && may_join(arc, line.mate, p, q);
            CHECK_EQ(clv_part_line_join(&line, p, q), may);
        }
    for (int32_t p = 0; p < parts; p++) {
        CHECK_EQ(line.at[rank[p]], p);
        for (int32_t a = first[p]; a < first[p + 1]; a++)
            CHECK(rank[p] < rank[head[a]]);
        if (line.mate[p] >= 0)
            CHECK(abs(rank[p] - rank[line.mate[p]]) == 1);
    }
    clv_ws_free(&ws);
}

static void test_line(void)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        clv_rng rng = clv_rng_make(seed, 4, 5, 6);
        int32_t rank[parts], at[parts], first[parts + 1] = {0}, head[parts * parts];
        bool arc[parts][parts] = {{false}};
        clv_rng_permutation(&rng, parts, at);
        for (int i = 0; i < parts; i++)
            rank[at[i]] = i;
        for (int32_t p = 0; p < parts; p++) {
            first[p + 1] = first[p];
            for (int32_t q = 0; q < parts; q++)
                if (rank[p] < rank[q] && clv_rng_below(&rng, 4) == 0) {
                    arc[p][q] = true;
                    head[first[p + 1]++] = q;
                }
        }
        join_all(arc, first, head, rank);
    }
}

/* ---- Threads, time, memory -------------------------------------------------------------- */

/* Slices of an order, with some vertices of each as early as they may be. */
static void make_many_parts(dag_fixture *f, dag_shape shape)
{
    dag_options o = {
        .shape = shape, .nvtx = 2000, .nparts = 16, .ncon = 1, .slack = 0.05, .seed = 2};
    dag_make(f, &o);
    for (int32_t i = 0; i < o.nvtx; i++) {
        int32_t v = f->order[i], earliest = -1;
        for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++) {
            int32_t p = f->part[f->g.pred[a]];
            if (earliest < 0 || f->rank[p] > f->rank[earliest])
                earliest = p;
        }
        if (earliest >= 0 && i % 40 == 0)
            f->part[v] = earliest;
    }
    dag_scatter(f, 0, 0);
}

static void test_threads(void)
{
    for (int shape = 0; shape < DAG_SHAPES; shape++) {
        dag_fixture f;
        make_many_parts(&f, (dag_shape)shape);
        int64_t cut = f.s.cut;
        CHECK(dag_is_deterministic(&f, refine));
        CHECK(f.s.cut < cut);
        CHECK_FINE(dag_fault(&f));
        dag_free(&f);
    }
}

static void test_time(void)
{
    dag_fixture f;
    cleave_error err = {0};
    make_many_parts(&f, DAG_GRID);
    int64_t cut = f.s.cut;
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    atomic_store(ctx.stopped, 1);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_EQ(f.s.cut, cut);
    CHECK_FINE(dag_fault(&f));
    clv_context_close(&ctx);
    dag_free(&f);
}

/* What corridors cost in vain, all rounds together. */
static int64_t lost_in_vain(dag_shape shape, int32_t lost, int64_t *narc)
{
    dag_fixture f;
    clv_context ctx;
    cleave_error err = {0};
    make_many_parts(&f, shape);
    fixture_context(&ctx, 1, 1);
    int32_t k = f.s.bounds.nparts, n = f.g.nvtx;
    clv_flow_params params = clv_flow_defaults();
    params.lost = lost;
    clv_flow_worker worker = {.local = clv_ws_alloc(ctx.ws, n, sizeof *worker.local)};
    clv_flow_rounds r = {.s = &f.s,
                         .params = &params,
                         .ctx = &ctx,
                         .worker = &worker,
                         .slack = clv_ws_zalloc(ctx.ws, k, sizeof *r.slack),
                         .active = clv_ws_zalloc(ctx.ws, k, sizeof *r.active),
                         .changed = clv_ws_zalloc(ctx.ws, k, sizeof *r.changed)};
    clv_failure_init(&r.failure);
    memset(worker.local, -1, (size_t)n * sizeof *worker.local);
    CHECK_OK(clv_closure_rounds(&r, &err));
    CHECK_FINE(dag_fault(&f));
    *narc = f.g.narc;
    clv_sys_free(r.pair);
    clv_sys_free(worker.moved);
    clv_ws_free(&worker.ws);
    clv_context_close(&ctx);
    dag_free(&f);
    return worker.lost;
}

/* A try stops within a few looks at its network, and those of a wave have no vertex in common:
 * the last wave may lose what is left of the credit by each of two tries, which each are built
 * as well. */
static void test_lost(void)
{
    enum { few = 2, stopping = 2 * (few + 4 + 4) };
    int beyond = 0;
    for (int shape = 0; shape < DAG_SHAPES; shape++) {
        int64_t narc, all = lost_in_vain((dag_shape)shape, 0, &narc);
        CHECK(lost_in_vain((dag_shape)shape, few, &narc) <= (few + stopping) * 2 * narc);
        beyond += all > (few + stopping) * 2 * narc;
    }
    CHECK(beyond >= 2);
}

static void test_no_memory(void)
{
    dag_fixture f;
    make_many_parts(&f, DAG_GRID);
    dag_fail_allocations(&f, refine);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_minimum);
    RUN(test_chains);
    RUN(test_heavy);
    RUN(test_directed);
    RUN(test_line);
    RUN(test_threads);
    RUN(test_time);
    RUN(test_lost);
    RUN(test_no_memory);
    return test_end();
}
