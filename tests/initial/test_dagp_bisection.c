/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_bisection.c: bisections are acyclic and measured; an undirected bisection ends
 * no worse than any of its four closures, which are found by reachability here; more runs of
 * growing are never worse, and the best growing is near the optimum of small DAGs. */
#include "initial/dagp_bisection.h"

#include "oracle/acyclic_oracle.h"
#include "refine/dag_fixture.h"

enum { most_vertices = 60 };

typedef struct bisecting {
    dag_fixture f;
    double share[2];
} bisecting;

static void bisecting_make(bisecting *b, dag_options o)
{
    o.nparts = 2;
    o.ncon = 1;
    o.fixed = 0;
    o.lower = false;
    dag_make(&b->f, &o);
    for (int p = 0; p < 2; p++)
        b->share[p] = (double)b->f.weight[p];
    b->f.s.bounds.share = b->share;
}

static void check_state(bisecting *b)
{
    b->f.s.bounds.share = NULL; /* dag_fault compares the bounds */
    const char *fault = dag_fault(&b->f);
    CHECK_STR(fault ? fault : "none", "none");
    b->f.s.bounds.share = b->share;
}

static void find_paths(const clv_graph *g, bool path[most_vertices][most_vertices])
{
    memset(path, 0, sizeof(bool[most_vertices][most_vertices]));
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            path[v][g->adj[a]] = true;
    for (int32_t w = 0; w < g->nvtx; w++)
        for (int32_t u = 0; u < g->nvtx; u++)
            for (int32_t v = 0; path[u][w] && v < g->nvtx; v++)
                path[u][v] |= path[w][v];
}

/* All ancestors of part `first` join it, or all descendants of the other part leave it. */
static clv_worth worth_of_closure(const bisecting *b, const int32_t *given, int32_t first,
                                  bool ancestors, bool path[most_vertices][most_vertices])
{
    const clv_graph *g = &b->f.g;
    int32_t part[most_vertices];
    int64_t weight[2] = {0, 0}, count[2] = {0, 0};
    for (int32_t v = 0; v < g->nvtx; v++) {
        part[v] = given[v];
        for (int32_t u = 0; u < g->nvtx; u++) {
            if (ancestors && path[v][u] && given[u] == first)
                part[v] = first;
            if (!ancestors && path[u][v] && given[u] != first)
                part[v] = 1 - first;
        }
        weight[part[v]] += clv_graph_vwgt(g, v, 0);
        count[part[v]]++;
    }
    clv_partition_state s = b->f.s;
    s.part = part;
    clv_worth worth = {0, fixture_cut(&s)};
    for (int p = 0; p < 2; p++) {
        int64_t over = weight[p] - s.bounds.max[p];
        worth.overload += (over > 0 ? over : 0) + (count[p] == 0);
    }
    return worth;
}

static void test_fix(void)
{
    static bool path[most_vertices][most_vertices];
    int balanced[4] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        bisecting b;
        clv_context ctx;
        cleave_error err = {0};
        int32_t given[most_vertices];
        dag_options o = dag_any(seed, seed % 3 ? 14 : most_vertices);
        o.slack = 0.8;
        bisecting_make(&b, o);
        find_paths(&b.f.g, path);
        for (int32_t v = 0; v < o.nvtx; v++)
            given[v] = b.f.part[v] =
                (int32_t)((seed + 1) * (uint64_t)(v + 3) * 2654435761u >> 33 & 1);
        fixture_context(&ctx, 1, seed);
        CHECK_OK(clv_dagp_fix(&b.f.s, &ctx, &err));
        clv_context_close(&ctx);
        check_state(&b);
        for (int way = 0; way < 4; way++) {
            clv_worth closure = worth_of_closure(&b, given, way / 2, way % 2 == 0, path);
            CHECK(!clv_worth_better(closure, clv_state_worth(&b.f.s)));
            balanced[way] += closure.overload == 0;
        }
        dag_free(&b.f);
    }
    for (int way = 0; way < 4; way++)
        CHECK(balanced[way] > 50);
}

static clv_worth grow(bisecting *b, int32_t runs, uint64_t seed)
{
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, seed);
    memset(b->f.part, 99, (size_t)b->f.g.nvtx * sizeof *b->f.part);
    CHECK_OK(clv_dagp_grow(&b->f.s, runs, &ctx, &err));
    clv_context_close(&ctx);
    check_state(b);
    return clv_state_worth(&b->f.s);
}

static void test_grow(void)
{
    int better[clv_dagp_grow_kinds] = {0}, unmet = 0, plain = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        bisecting b;
        dag_options o = dag_any(seed, seed % 4 ? 40 : 300);
        bool unique = seed % 2; /* gains: then random ties explain no difference */
        o.edge_weight = unique ? 1000000 : o.edge_weight;
        bisecting_make(&b, o);
        clv_worth before = grow(&b, 1, seed);
        for (int32_t runs = 2; runs <= clv_dagp_grow_kinds; runs++) {
            clv_worth now = grow(&b, runs, seed);
            CHECK(!clv_worth_better(before, now));
            better[runs - 1] += unique && clv_worth_better(now, before);
            before = now;
        }
        plain += o.vertex_weight == 0 && o.nvtx > 1;
        unmet += o.vertex_weight == 0 && o.nvtx > 1 && before.overload > 0;
        dag_free(&b.f);
    }
    for (int run = 1; run < clv_dagp_grow_kinds; run++)
        CHECK(better[run] > 10);
    CHECK(plain > 300);
    CHECK_EQ(unmet, 0);
}

static void test_grow_optimum(void)
{
    int64_t found = 0, optimum = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        bisecting b;
        dag_options o = {.shape = DAG_LOCAL, .nvtx = 12, .slack = 0.2, .seed = seed};
        bisecting_make(&b, o);
        cleave_csr csr = {.size = sizeof csr,
                          .kind = CLEAVE_DAG,
                          .nvtx = 12,
                          .ncon = 1,
                          .xadj = b.f.g.xadj,
                          .adj = b.f.g.adj};
        acyclic_bounds bounds = {.nparts = 2};
        for (int p = 0; p < 2; p++) {
            bounds.min[p] = 1;
            bounds.max[p] = b.f.max[p];
        }
        int64_t least = oracle_optimum(&csr, &bounds, CLEAVE_OBJECTIVE_CUT);
        clv_worth now = grow(&b, clv_dagp_grow_kinds, seed);
        CHECK(now.overload == 0 && now.cut >= least);
        found += now.cut;
        optimum += least;
        dag_free(&b.f);
    }
    CHECK(found * 10 < optimum * 11);
}

static void test_memory(void)
{
    for (int which = 0; which < 2; which++) {
        bisecting b;
        dag_options o = {.shape = DAG_LOCAL, .nvtx = 200, .slack = 0.1};
        bisecting_make(&b, o);
        test_oom_rounds oom = {.lenient = true};
        int64_t failures = 0;
        while (test_oom_next(&oom)) {
            clv_context ctx;
            cleave_error err = {0};
            fixture_context(&ctx, 1, 1);
            for (int32_t v = 0; v < o.nvtx; v++)
                b.f.part[v] = v % 3 == 0;
            cleave_status status = which
                                       ? TEST_OOM(&oom, clv_dagp_fix(&b.f.s, &ctx, &err))
                                       : TEST_OOM(&oom, clv_dagp_grow(&b.f.s, 2, &ctx, &err));
            failures += status == CLEAVE_ENOMEM;
            clv_context_close(&ctx);
        }
        CHECK(failures > 0 && oom.nth < 2000);
        dag_free(&b.f);
    }
}

int main(void)
{
    RUN(test_fix);
    RUN(test_grow);
    RUN(test_grow_optimum);
    RUN(test_memory);
    return test_end();
}
