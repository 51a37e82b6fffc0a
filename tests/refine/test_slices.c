/* SPDX-License-Identifier: Apache-2.0 */
/* order/slices.c: the same cut as trying all boundaries, for any bounds, parts in any order
 * and fixed vertices; infeasible bounds are exceeded by little; large graphs. */
#include "order/slices.h"

#include "order/slice_tree.h"
#include "refine/dag_fixture.h"

typedef struct worth {
    int64_t overload, cut;
} worth;

static clv_slices_task task_of(const dag_fixture *f, int32_t *by_rank)
{
    for (int32_t p = 0; p < f->s.bounds.nparts; p++)
        by_rank[f->hidden_rank[p]] = p;
    return (clv_slices_task){
        .g = &f->g,
        .order = f->order,
        .bounds = {f->s.bounds.nparts, f->g.ncon, NULL, f->max, f->s.bounds.min},
        .by_rank = by_rank,
        .fixed = f->s.fixed};
}

static bool keeps_fixed(const dag_fixture *f)
{
    for (int32_t v = 0; v < f->g.nvtx && f->s.fixed; v++)
        if (f->fixed[v] >= 0 && f->part[v] != f->fixed[v])
            return false;
    return true;
}

/* Tries all boundaries of the slices from `slice` on, which begin at `begin`. */
static void try_slices(dag_fixture *f, const int32_t *by_rank, int32_t slice, int32_t begin,
                       worth *best)
{
    int32_t n = f->g.nvtx;
    if (slice == f->s.bounds.nparts) {
        if (begin < n || !keeps_fixed(f))
            return;
        dag_scatter(f, 0, 0);
        worth now = {fixture_overload(&f->s), fixture_cut(&f->s)};
        if (now.overload < best->overload ||
            (now.overload == best->overload && now.cut < best->cut))
            *best = now;
        return;
    }
    for (int32_t end = begin; end <= n; end++) {
        try_slices(f, by_rank, slice + 1, end, best);
        if (end < n)
            f->part[f->order[end]] = by_rank[slice];
    }
}

static void check_slices(const dag_fixture *f, int64_t cut)
{
    /* Consecutive slices, and the reported cut. */
    for (int32_t i = 1; i < f->g.nvtx; i++)
        CHECK(f->hidden_rank[f->part[f->order[i - 1]]] <=
              f->hidden_rank[f->part[f->order[i]]]);
    CHECK_EQ(cut, fixture_cut(&f->s));
    CHECK(keeps_fixed(f));
    CHECK(dag_is_acyclic(&f->s));
}

static void test_all_boundaries(void)
{
    clv_ws ws = {0};
    int met_often = 0, missed = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 10);
        int32_t by_rank[5];
        o.nparts = 1 + (int32_t)(seed % 4) + (o.nvtx < 7);
        o.slack = 0.1 * (double)(seed % 7);
        dag_make(&f, &o);
        /* Some that cannot be met. */
        for (int32_t i = 0; i < o.nparts * o.ncon && seed % 5 == 0; i++)
            f.max[i] -= f.max[i] / 4 * (int32_t)(seed / 5 % 3);
        clv_slices_task task = task_of(&f, by_rank);
        worth best = {INT64_MAX, INT64_MAX};
        try_slices(&f, by_rank, 0, 0, &best);
        int64_t cut = -7;
        bool met = false;
        CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
        dag_scatter(&f, 0, 0);
        check_slices(&f, cut);
        CHECK_EQ(met, best.overload == 0);
        if (met)
            CHECK_EQ(cut, best.cut);
        CHECK_EQ(met, fixture_overload(&f.s) == 0);
        met_often += met;
        missed += !met;
        dag_free(&f);
    }
    CHECK(met_often > 900 && missed > 50);
    clv_ws_free(&ws);
}

/* ---- The program as published ----------------------------------------------------------- */

/* The lightest cut of the first `end` vertices: by its definition, without a tree. */
static int64_t lightest(const dag_fixture *f, int32_t end, int64_t max, int64_t min,
                        const int32_t *place, int64_t *memo)
{
    if (end == 0)
        return 0;
    if (memo[end] >= 0)
        return memo[end];
    int64_t weight = 0, into = 0, best = INT64_MAX / 2;
    for (int32_t i = end; i-- > 0;) {
        int32_t v = f->order[i];
        weight += clv_graph_vwgt(&f->g, v, 0);
        if (weight > max)
            break;
        /* Arcs into i..end-1 from before i. */
        for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++)
            into += f->g.pwgt ? f->g.pwgt[a] : 1;
        for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++)
            into -= place[f->g.adj[a]] < end ? clv_graph_ewgt(&f->g, a) : 0;
        int64_t before = weight >= min ? lightest(f, i, max, min, place, memo) : INT64_MAX / 2;
        best = before + into < best ? before + into : best;
    }
    return memo[end] = best;
}

static void check_any(dag_fixture *f, int64_t max, int64_t min, clv_ws *ws, int *found)
{
    int32_t place[80], nparts;
    int64_t memo[81], cut, held[80] = {0};
    cleave_error err = {0};
    for (int32_t i = 0; i < f->g.nvtx; i++)
        place[f->order[i]] = i;
    memset(memo, -1, sizeof memo);
    const clv_slices_task task = {
        .g = &f->g, .order = f->order, .bounds = {1, 1, NULL, &max, min >= 0 ? &min : NULL}};
    CHECK_OK(clv_slices_any(&task, ws, f->part, &nparts, &cut, &err));
    int64_t best = lightest(f, f->g.nvtx, max, min, place, memo);
    CHECK_EQ(nparts == 0, best >= INT64_MAX / 2);
    if (nparts == 0)
        return;
    CHECK_EQ(cut, best);
    f->s.bounds.nparts = nparts;
    CHECK_EQ(cut, fixture_cut(&f->s));
    for (int32_t i = 0; i < f->g.nvtx; i++) {
        int32_t p = f->part[f->order[i]], q = i ? f->part[f->order[i - 1]] : -1;
        CHECK(p == q || p == q + 1);
        held[p] += clv_graph_vwgt(&f->g, f->order[i], 0);
    }
    CHECK_EQ(f->part[f->order[f->g.nvtx - 1]], nparts - 1);
    for (int32_t p = 0; p < nparts; p++)
        CHECK(held[p] <= max && held[p] >= min);
    (*found)++;
}

static void test_any_number(void)
{
    clv_ws ws = {0};
    int found = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, 80);
        o.ncon = 1;
        dag_make(&f, &o);
        int64_t max = 1 + (int64_t)(seed % 40);
        check_any(&f, max, seed % 3 ? (int64_t)(seed / 3 % 30) : -1, &ws, &found);
        dag_free(&f);
    }
    CHECK(found > 500);
    clv_ws_free(&ws);
}

/* ---- Edge cases ------------------------------------------------------------------------- */

static void check_loose(int32_t nvtx, int32_t nparts, double slack, bool met_expected)
{
    clv_ws ws = {0};
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_GRID, .nvtx = nvtx, .nparts = nparts, .ncon = 1};
    dag_make(&f, &o);
    for (int32_t p = 0; p < nparts; p++)
        f.max[p] = (int64_t)(((double)nvtx / nparts + 1) * (1 + slack));
    clv_slices_task task = {
        .g = &f.g,
        .order = f.order,
        .bounds = {nparts, f.g.ncon, NULL, f.max, NULL}}; /* label = slice */
    int64_t cut;
    bool met;
    CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
    dag_scatter(&f, 0, 0);
    CHECK_EQ(met, met_expected);
    CHECK_EQ(fixture_overload(&f.s), 0);
    CHECK_EQ(cut, fixture_cut(&f.s));
    for (int32_t i = 1; i < nvtx; i++)
        CHECK(f.part[f.order[i - 1]] <= f.part[f.order[i]]);
    dag_free(&f);
    clv_ws_free(&ws);
}

/* Bounds so loose that ranges are thinned out; many parts; more parts than vertices. */
static void test_sizes(void)
{
    check_loose(60000, 64, 5, true);
    check_loose(60000, 7000, 0.03, true);
    check_loose(20000, 20000, 0, true);
    check_loose(5, 9, 0.5, true);
    check_loose(5, 5, 0.5, true);
    check_loose(1, 1, 0, true);
    check_loose(1, 3, 0, true);
}

static void test_nothing(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    int64_t xadj[1] = {0}, max[2] = {5, 5}, cut;
    clv_graph g = {.kind = CLEAVE_DAG, .ncon = 1, .xadj = xadj, .xpred = xadj};
    clv_slices_task task = {.g = &g, .bounds = {2, 1, NULL, max, NULL}};
    int32_t part, order, nparts;
    bool met = false;
    task.order = &order;
    CHECK_OK(clv_slices(&task, &ws, &part, &cut, &met, &err));
    CHECK(met && cut == 0);
    CHECK_OK(clv_slices_any(&task, &ws, &part, &nparts, &cut, &err));
    CHECK(nparts == 0 && cut == 0);
    clv_ws_free(&ws);
}

/* Fixed vertices that stand in the wrong order; a part that may hold nothing. */
static void test_contradiction(void)
{
    clv_ws ws = {0};
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 40, .nparts = 3, .ncon = 1, .fixed = 50};
    dag_make(&f, &o);
    for (int32_t p = 0; p < 3; p++)
        f.max[p] = p == 1 ? 0 : 20;
    for (int32_t v = 0; v < 40; v++)
        f.fixed[v] = -1;
    clv_slices_task task = {.g = &f.g,
                            .order = f.order,
                            .bounds = {3, f.g.ncon, NULL, f.max, NULL},
                            .fixed = f.fixed};
    int64_t cut;
    bool met;
    CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
    dag_scatter(&f, 0, 0);
    CHECK(met && f.count[0] == 20 && f.count[1] == 0 && f.count[2] == 20);
    f.fixed[f.order[5]] = 2;
    f.fixed[f.order[15]] = 0;
    f.part[0] = 77;
    CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
    CHECK(!met && cut == -1 && f.part[0] == 77);
    /* Only in conflict with the bounds. */
    f.fixed[f.order[15]] = 2;
    CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
    dag_scatter(&f, 0, 0);
    CHECK(!met && keeps_fixed(&f) && fixture_cut(&f.s) == cut);
    dag_free(&f);
    clv_ws_free(&ws);
}

/* One vertex heavier than the bound: the others stay near it. */
static void test_heavy_vertex(void)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    for (int32_t heavy = 0; heavy < 100; heavy += 7) {
        dag_fixture f;
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 100, .nparts = 4, .ncon = 1, .vertex_weight = 1};
        dag_make(&f, &o);
        int32_t *vwgt = (int32_t *)f.g.vwgt;
        for (int32_t i = 0; i < 100; i++)
            vwgt[f.order[i]] = i == heavy ? 300 : 1;
        for (int32_t p = 0; p < 4; p++)
            f.max[p] = 103;
        clv_slices_task task = {
            .g = &f.g, .order = f.order, .bounds = {4, f.g.ncon, NULL, f.max, NULL}};
        int64_t cut;
        bool met;
        CHECK_OK(clv_slices(&task, &ws, f.part, &cut, &met, &err));
        dag_scatter(&f, 0, 0);
        CHECK(!met);
        CHECK(fixture_overload(&f.s) >= 197 && fixture_overload(&f.s) <= 197 + 20);
        dag_free(&f);
    }
    clv_ws_free(&ws);
}

/* ---- The tree, memory ------------------------------------------------------------------- */

static void test_tree(void)
{
    clv_slice_node node[128];
    clv_slice_tree tree = {.node = node};
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    for (int32_t places = 1; places <= 64; places++) {
        int64_t value[64] = {0};
        clv_slice_clear(&tree, places);
        for (int round = 0; round < 200; round++) {
            int32_t from = (int32_t)clv_rng_below(&rng, (uint32_t)places);
            int32_t to = (int32_t)clv_rng_below(&rng, (uint32_t)places);
            int64_t more = (int64_t)clv_rng_below(&rng, 9) - 4, low;
            clv_slice_add(&tree, from, more);
            for (int32_t i = from; i < places; i++)
                value[i] += more;
            CHECK_EQ(clv_slice_last(&tree), value[places - 1]);
            if (to < from)
                continue;
            int32_t at = from;
            for (int32_t i = from; i <= to; i++)
                at = value[i] < value[at] ? i : at;
            CHECK_EQ(clv_slice_least(&tree, from, to, &low), at);
            CHECK_EQ(low, value[at]);
        }
    }
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {
        .shape = DAG_GRID, .nvtx = 3000, .nparts = 5, .ncon = 2, .slack = 0.1, .fixed = 9};
    dag_make(&f, &o);
    int32_t by_rank[5], nparts;
    clv_slices_task task = task_of(&f, by_rank);
    int64_t cut, max[2] = {50, 50};
    test_oom_rounds oom = {0};
    clv_slices_task any = {.g = &f.g, .order = f.order, .bounds = {1, 2, NULL, max, NULL}};
    while (test_oom_next(&oom)) {
        clv_ws ws = {0};
        cleave_error err = {0};
        bool met;
        test_oom_begin(&oom);
        cleave_status status = clv_slices(&task, &ws, f.part, &cut, &met, &err);
        if (status == CLEAVE_OK)
            status = clv_slices_any(&any, &ws, f.part, &nparts, &cut, &err);
        test_oom_end(&oom, status);
        clv_ws_free(&ws);
    }
    CHECK(oom.nth > 3 && oom.nth < 100);
    dag_free(&f);
}

int main(void)
{
    RUN(test_tree);
    RUN(test_all_boundaries);
    RUN(test_any_number);
    RUN(test_sizes);
    RUN(test_nothing);
    RUN(test_contradiction);
    RUN(test_heavy_vertex);
    RUN(test_out_of_memory);
    return test_end();
}
