/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/multilevel.c: the report is correct, bounds and fixed vertices are
 * respected, a given solution is never made worse, also on dense graphs and with heavy
 * weights. */
#include "engine/engine_fixture.h"
#include "engine/multilevel/multilevel_cycle.h"

static cleave_status solve(engine_fixture *e, clv_context *ctx, cleave_error *err)
{
    clv_preset effort = engine_small_effort(CLEAVE_EFFORT_DEFAULT);
    clv_multilevel_result r;
    return clv_multilevel(&e->task, &effort, ctx, e->part, &r, err);
}

static void check_result(engine_fixture *e, const clv_multilevel_result *r)
{
    const char *fault = engine_fault(e);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK_EQ(r->worth.cut, engine_cut(e));
    CHECK_EQ(r->worth.overload, engine_overload(e));
    CHECK(r->levels >= 1 && r->coarsen >= 0 && r->initial >= 0 && r->refine >= 0);
}

static void test_any_graph(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int32_t met = 0, all = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        engine_fixture e;
        cleave_error err = {0};
        clv_multilevel_result r;
        fixture_options o = fixture_any(seed, seed % 10 ? 80 : 800);
        o.slack += 0.05;
        engine_fixture_make(&e, &o);
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 3));
        CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
        check_result(&e, &r);
        met += r.worth.overload == 0;
        all++;
        engine_fixture_free(&e);
    }
    CHECK(met > all * 3 / 4);
    clv_context_close(&ctx);
}

/* Any start within its classes; coarse levels may be only about right. */
static void check_start(const fixture_options *o, const clv_preset *effort, int32_t spread)
{
    clv_context ctx;
    engine_fixture e;
    cleave_error err = {0};
    clv_multilevel_result r;
    fixture_context(&ctx, 2, o->seed);
    engine_fixture_make(&e, o);
    if (spread > 0)
        fixture_scatter(&e.f, spread, o->seed);
    int32_t *start = malloc((size_t)o->nvtx * sizeof *start);
    int32_t *merge_class = malloc((size_t)o->nvtx * sizeof *merge_class);
    if (!start || !merge_class)
        abort();
    memcpy(start, e.f.part, (size_t)o->nvtx * sizeof *start);
    for (int32_t v = 0; v < o->nvtx; v++)
        merge_class[v] = 2 * start[v] + (e.f.fixed[v] >= 0);
    int64_t overload = fixture_overload(&e.f.s), cut = fixture_cut(&e.f.s);
    e.task.start = start;
    e.task.merge_class = merge_class;
    CHECK_OK(clv_multilevel(&e.task, effort, &ctx, e.part, &r, &err));
    check_result(&e, &r);
    CHECK(r.worth.overload < overload || (r.worth.overload == overload && r.worth.cut <= cut));
    free(start);
    free(merge_class);
    engine_fixture_free(&e);
    clv_context_close(&ctx);
}

static void test_start(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture_options o = fixture_any(seed, seed % 10 ? 80 : 800);
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 3));
        check_start(&o, &effort, seed % 2 ? o.nparts : 0);
    }
}

/* Weights are divided on the coarse levels: a better solution there may be worse here. */
static void test_start_heavy(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture_options o = fixture_any(seed, 300);
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 3));
        o.edge_weight = INT32_MAX / 16;
        o.vertex_weight = seed % 2 ? INT32_MAX / 16 : 0;
        check_start(&o, &effort, seed % 4 ? 0 : o.nparts);
    }
}

/* Weights 1 and 31 look alike next to so many of 2^31 - 1: a V-cycle from a good solution must
 * not use the cuts of coarse levels. */
static void test_start_rounded(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 100; seed++) {
        engine_fixture e;
        cleave_error err = {0};
        clv_multilevel_result r;
        fixture_options o = {.shape = FIXTURE_GRID,
                             .nvtx = 400,
                             .nparts = 2 + (int32_t)(seed % 3),
                             .ncon = 1,
                             .edge_weight = 1,
                             .slack = 0.05};
        engine_fixture_make(&e, &o);
        int32_t *ewgt = (int32_t *)e.f.g.ewgt;
        for (int32_t v = 0; v < o.nvtx; v++)
            for (int64_t a = e.f.g.xadj[v]; a < e.f.g.xadj[v + 1]; a++) {
                uint64_t lot = clv_hash64(seed + (uint64_t)v * (uint64_t)e.f.g.adj[a]) % 10;
                ewgt[a] = lot == 0 ? INT32_MAX : lot < 6 ? 1 : 31;
            }
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 3));
        CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
        check_result(&e, &r);
        for (int i = 0; i < 3; i++) {
            int64_t overload = engine_overload(&e), cut = engine_cut(&e);
            int32_t start[400];
            memcpy(start, e.part, sizeof start);
            e.task.start = e.task.merge_class = start;
            ctx.seed++;
            CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
            check_result(&e, &r);
            CHECK(r.worth.overload < overload ||
                  (r.worth.overload == overload && r.worth.cut <= cut));
        }
        engine_fixture_free(&e);
    }
    clv_context_close(&ctx);
}

/* ---- Dense graphs -------------------------------------------------------------------- */

/* A random graph in which every vertex has about half of the others as neighbours; light
 * edges are dropped on the coarse levels. */
static void make_dense(fixture *f, uint64_t seed)
{
    int32_t n = f->g.nvtx;
    int64_t *xadj = calloc((size_t)n + 1, sizeof *xadj);
    int32_t *adj = calloc((size_t)n * (size_t)n, sizeof *adj);
    if (!xadj || !adj)
        abort();
    int64_t a = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t u = 0; u < n; u++) {
            uint64_t low = (uint64_t)(u < v ? u : v), high = (uint64_t)(u < v ? v : u);
            if (u != v && clv_hash64(seed + (high << 32 | low)) % 2)
                adj[a++] = u;
        }
        xadj[v + 1] = a;
    }
    f->g.xadj = xadj;
    f->g.adj = adj;
    f->g.narc = a;
    f->blocks[f->nblocks++] = xadj;
    f->blocks[f->nblocks++] = adj;
}

static void test_dense(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 8; seed++) {
        engine_fixture e;
        cleave_error err = {0};
        clv_multilevel_result r;
        fixture_options o = {.shape = FIXTURE_CLIQUES,
                             .nvtx = 400,
                             .nparts = 2 + (int32_t)(seed % 4),
                             .ncon = 1,
                             .slack = 0.05};
        engine_fixture_make(&e, &o);
        make_dense(&e.f, seed);
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 2));
        effort.coarsening.limit_least =
            200; /* so that more than the 64 edges a vertex that stay are left */
        effort.coarsening.sparsify_from = 0;
        effort.coarsening.density = 0.01;
        CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
        check_result(&e, &r);
        CHECK_EQ(r.worth.overload, 0);
        CHECK(r.levels > 1);
        /* And again from what was found, from another seed. */
        int32_t *start = malloc((size_t)o.nvtx * sizeof *start);
        if (!start)
            abort();
        memcpy(start, e.part, (size_t)o.nvtx * sizeof *start);
        int64_t cut = engine_cut(&e);
        e.task.start = e.task.merge_class = start;
        CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
        check_result(&e, &r);
        CHECK(r.worth.overload == 0 && engine_cut(&e) <= cut);
        free(start);
        engine_fixture_free(&e);
    }
    clv_context_close(&ctx);
}

/* ---- Quality, extremes, threads, memory ---------------------------------------------- */

static void test_grid(void)
{
    static const int32_t parts[] = {1, 2, 4, 9};
    static const int64_t best[] = {0, 60, 120, 240};
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (int i = 0; i < 4; i++) {
        engine_fixture e;
        cleave_error err = {0};
        clv_multilevel_result r;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 3600, .nparts = parts[i], .ncon = 1, .slack = 0.03};
        engine_fixture_make(&e, &o);
        clv_preset effort = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_UNDIRECTED);
        effort.coarsening.limit_least = 500;
        CHECK_OK(clv_multilevel(&e.task, &effort, &ctx, e.part, &r, &err));
        check_result(&e, &r);
        CHECK_EQ(r.worth.overload, 0);
        CHECK(r.worth.cut <= best[i] * 12 / 10);
        engine_fixture_free(&e);
    }
    clv_context_close(&ctx);
}

/* A path of 179 stars of 100 vertices into 16 parts of at most 1132: all but three parts hold
 * eleven stars, each of the three has a twelfth, of which 1132 - 1100 vertices find room.  No
 * partition cuts less than these leaves and the path between the parts. */
static void test_caterpillar(void)
{
    enum { stars = 179, each = 100, n = stars * each, k = 16, most = 1132 };
    const int64_t best = 3 * (12 * each - most) + k - 1;
    int64_t *xadj = calloc(n + 1, sizeof *xadj);
    int32_t *adj = calloc(2 * n, sizeof *adj), *part = calloc(n, sizeof *part);
    double share[k];
    int64_t max[k];
    if (!xadj || !adj || !part)
        abort();
    for (int32_t v = 0, a = 0; v < n; v++) {
        if (v >= stars)
            adj[a++] = v % stars;
        if (v > 0 && v < stars)
            adj[a++] = v - 1;
        if (v + 1 < stars)
            adj[a++] = v + 1;
        for (int32_t u = v + stars; v < stars && u < n; u += stars)
            adj[a++] = u;
        xadj[v + 1] = a;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = xadj[n],
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    for (int p = 0; p < k; p++) {
        share[p] = (double)n / k;
        max[p] = most;
    }
    clv_multilevel_task task = {.g = &g, .bounds = {k, g.ncon, share, max, NULL}};
    int64_t sum = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        clv_context ctx;
        clv_multilevel_result r;
        cleave_error err = {0};
        fixture_context(&ctx, 1, seed);
        CHECK_OK(clv_multilevel(&task, clv_preset_of(CLEAVE_EFFORT_FAST, g.kind), &ctx, part,
                                &r, &err));
        CHECK_EQ(r.worth.overload, 0);
        sum += r.worth.cut;
        clv_context_close(&ctx);
    }
    CHECK(sum >= 6 * best);
    CHECK(sum <= 6 * best * 5 / 4);
    free(xadj);
    free(adj);
    free(part);
}

/* A stopped context still gets a valid result. */
static void test_stopped(void)
{
    clv_context ctx;
    engine_fixture e;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 2000, .nparts = 5, .ncon = 1, .slack = 0.1, .fixed = 7};
    engine_fixture_make(&e, &o);
    fixture_context(&ctx, 2, 1);
    atomic_store(ctx.stopped, 1);
    memset(e.part, 99, (size_t)o.nvtx * sizeof *e.part);
    CHECK_OK(solve(&e, &ctx, &err));
    const char *fault = engine_fault(&e);
    CHECK_STR(fault ? fault : "none", "none");
    engine_fixture_free(&e);
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    for (int32_t shape = 0; shape < FIXTURE_SHAPES; shape++) {
        engine_fixture e;
        fixture_options o = {.shape = (fixture_shape)shape,
                             .nvtx = shape == FIXTURE_GRID ? 21000 : 3000,
                             .nparts = shape % 2 ? 2 : 7,
                             .ncon = 1,
                             .slack = 0.05};
        engine_fixture_make(&e, &o);
        CHECK(engine_is_deterministic(&e, solve));
        CHECK_EQ(engine_overload(&e), 0);
        engine_fixture_free(&e);
    }
}

static void test_out_of_memory(void)
{
    for (int i = 0; i < 2; i++) {
        engine_fixture e;
        fixture_options o = {.shape = FIXTURE_GRID,
                             .nvtx = 400,
                             .nparts = 2 + 3 * i,
                             .ncon = 1 + i,
                             .slack = 0.1,
                             .fixed = 9};
        engine_fixture_make(&e, &o);
        engine_fail_allocations(&e, 1 + i, 17, solve);
        engine_fixture_free(&e);
    }
}

/* ---- The loop --------------------------------------------------------------------------- */

/* A method that writes down its calls, one letter and the level each. */
typedef struct diary {
    char text[64];
    int length;
    int fails;     /* at this call, counted from 1; 0: never */
    int32_t first; /* the level that is solved; -1: the coarsest */
} diary;

static cleave_status note(diary *d, char letter, int32_t level)
{
    d->text[d->length++] = letter;
    d->text[d->length++] = (char)('0' + level);
    return 2 * d->fails == d->length ? CLEAVE_ENOMEM : CLEAVE_OK;
}

static cleave_status note_coarsen(void *method, int32_t *nlevels, cleave_error *err)
{
    (void)err;
    *nlevels = 4;
    return note(method, 'c', 4);
}

static cleave_status note_solve(void *method, int32_t *level, cleave_error *err)
{
    (void)err;
    diary *d = method;
    cleave_status status = note(d, 's', *level);
    if (d->first >= 0)
        *level = d->first;
    return status;
}

static cleave_status note_project(void *method, int32_t level, cleave_error *err)
{
    (void)err;
    return note(method, 'p', level);
}

static cleave_status note_refine(void *method, int32_t level, cleave_error *err)
{
    (void)err;
    return note(method, 'r', level);
}

static void check_calls(const char *expected, bool refine_coarsest, int32_t first)
{
    clv_multilevel_steps steps = {note_coarsen, note_solve, note_project, note_refine,
                                  refine_coarsest};
    for (int fails = 0; fails <= (int)strlen(expected) / 2; fails++) {
        diary d = {.fails = fails, .first = first};
        clv_multilevel_summary summary = {0};
        cleave_error err = {0};
        cleave_status status = clv_multilevel_run(&steps, &d, NULL, &summary, &err);
        CHECK_EQ(status, fails ? CLEAVE_ENOMEM : CLEAVE_OK);
        CHECK_EQ(d.length, fails ? 2 * fails : (int)strlen(expected));
        CHECK(strncmp(d.text, expected, (size_t)d.length) == 0);
        CHECK_EQ(summary.levels, fails ? 0 : 4);
    }
}

/* Every step once per level, from the level that is solved to the finest; none after a
 * failure. */
static void test_steps(void)
{
    check_calls("c4s3r3p2r2p1r1p0r0", true, -1);
    check_calls("c4s3p2r2p1r1p0r0", false, -1);
    check_calls("c4s3r1p0r0", true, 1);
    check_calls("c4s3", false, 0);
}

/* The first of two recursive bisections is that of a preset with one, and the better of the
 * two is kept: on one level, never worse, and better for some seeds. */
static void test_first_solutions(void)
{
    clv_preset two = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_UNDIRECTED), one = two;
    two.initial.rivals = (clv_rivals_preset){.apart = 2, .first = 1, .others = 1};
    one.initial.bisections = 1;
    one.initial.rivals = (clv_rivals_preset){0};
    int32_t better = 0, worse = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        clv_context ctx;
        fixture_context(&ctx, 1, seed);
        engine_fixture e;
        cleave_error err = {0};
        clv_multilevel_result with, without;
        fixture_options o = fixture_any(seed, 400);
        engine_fixture_make(&e, &o);
        CHECK_OK(clv_multilevel(&e.task, &one, &ctx, e.part, &without, &err));
        CHECK_OK(clv_multilevel(&e.task, &two, &ctx, e.part, &with, &err));
        check_result(&e, &with);
        better += clv_worth_better(with.worth, without.worth);
        worse += clv_worth_better(without.worth, with.worth);
        engine_fixture_free(&e);
        clv_context_close(&ctx);
    }
    CHECK_EQ(worse, 0);
    CHECK(better > 14); /* 26 of 60; refining the first once more betters 8 */
}

int main(void)
{
    RUN(test_first_solutions);
    RUN(test_steps);
    RUN(test_any_graph);
    RUN(test_start);
    RUN(test_start_heavy);
    RUN(test_start_rounded);
    RUN(test_dense);
    RUN(test_grid);
    RUN(test_caterpillar);
    RUN(test_stopped);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
