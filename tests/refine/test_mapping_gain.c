/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/mapping_gain.h and the refiners that use it: with a machine the cost is exact,
 * never worse, a local optimum where that is promised, PEs between those of the neighbours are
 * found, the same for any number of threads, and allocations may fail. */
#include "refine/gain/mapping_gain.h"

#include "refine/balance/rebalance.h"
#include "refine/fm/bipartition_fm.h"
#include "refine/fm/kway_fm.h"
#include "refine/kway_fixture.h"
#include "refine/machine_fixture.h"
#include "refine/moves/jet.h"
#include "refine/moves/label_moves.h"

/* ---- Refiners ------------------------------------------------------------------------ */

static cleave_status label(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_label_params params = {.rounds = 6};
    return clv_label_moves(s, &params, ctx, err);
}

static cleave_status jet(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_jet_params params = {.rounds = 10, .patience = 5, .temperature = 512};
    return clv_jet(s, &params, ctx, err);
}

static cleave_status fm(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_kway_fm_params params = clv_kway_fm_defaults();
    params.rounds = 4;
    return clv_kway_fm(s, &params, ctx, err);
}

typedef struct refiner {
    fixture_refiner run;
    fixture_judge judge;
} refiner;

enum { nrefiners = 5 };
static const refiner refiners[nrefiners] = {{label, fixture_no_worse},
                                            {jet, fixture_no_worse},
                                            {fm, fixture_no_worse},
                                            {clv_rebalance, fixture_no_worse},
                                            {clv_rebalance_swap, fixture_no_worse}};

/* ---- Machines ------------------------------------------------------------------------ */

static const char *const specs[] = {"mesh:2x2",      "mesh:3x2",
                                    "mesh:3x3",      "mesh:5",
                                    "torus:5",       "torus:3x4",
                                    "hypercube:3",   "mesh:2x2x2",
                                    "tree:3:2@1:10", "tree:2:2:2@1:10:100",
                                    "mesh:6x6",      "3"};
enum { nspecs = sizeof specs / sizeof specs[0] };

/* Either kind of machine. */
typedef struct place_set {
    clv_target *t;
    clv_ws ws;
    clv_machine m;
    machine_fixture given;
} place_set;

/* The seed chooses one of the shapes (of any number of places), or with explicit distances
 * for npes places. */
static void open_places(place_set *x, uint64_t seed, int32_t npes)
{
    *x = (place_set){0};
    if (seed % 2) {
        machine_make(&x->given, (machine_kind)(seed / 2 % MACHINE_KINDS), npes,
                     seed / 2 % 4 != 0, seed);
        x->m = x->given.m;
        return;
    }
    cleave_error err = {0};
    if (clv_target_parse(&x->t, specs[seed / 2 % nspecs], &err) != CLEAVE_OK ||
        clv_machine_make(&x->m, x->t, NULL, &x->ws, &err) != CLEAVE_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

static void close_places(place_set *x)
{
    if (x->given.distance)
        machine_free(&x->given);
    clv_target_free(x->t);
    clv_ws_free(&x->ws);
}

/* A fixture of any kind on a machine; every other one scattered. */
static void make_mapped(fixture *f, place_set *x, uint64_t seed, fixture_options o)
{
    open_places(x, seed, o.nparts);
    o.nparts = x->m.npes;
    o.nvtx = o.nvtx < 2 * o.nparts ? 2 * o.nparts : o.nvtx;
    fixture_make(f, &o);
    f->s.machine = &x->m;
    fixture_scatter(f, seed / 3 % 2 ? 1 + (int32_t)(seed / 6 % (uint64_t)o.nparts) : 0, seed);
}

/* ---- Tests --------------------------------------------------------------------------- */

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int better[nrefiners] = {0};
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE)
        for (int i = 0; i < nrefiners; i++) {
            fixture f;
            place_set x;
            cleave_error err = {0};
            fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
            o.simple = true;
            if (seed % 7 == 0) /* gains beyond 32 bits, and entries without links */
                o.edge_weight = INT32_MAX / 16;
            make_mapped(&f, &x, seed, o);
            clv_partition_state before = fixture_copy(&f);
            ctx.seed = seed;
            CHECK_OK(refiners[i].run(&f.s, &ctx, &err));
            CHECK_FINE(fixture_fault(&f));
            CHECK_FINE(refiners[i].judge(&f, &before, false));
            better[i] += f.s.cut < before.cut;
            free(before.part);
            fixture_free(&f);
            close_places(&x);
        }
    for (int i = 0; i < 3; i++)
        CHECK(better[i] > 200 / TEST_STRIDE);
    CHECK(better[3] > 16 / TEST_STRIDE);
    clv_context_close(&ctx);
}

/* Two places: the cut times their distance, and the parts of the plain cut. */
static void test_two_places(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        machine_fixture m;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 200);
        o.nparts = 2;
        o.simple = true;
        clv_bipartition_fm_params params = {.passes = 3, .patience = 50};
        fixture_make(&f, &o);
        fixture_scatter(&f, 2, seed);
        clv_partition_state before = fixture_copy(&f);
        CHECK_OK(clv_bipartition_fm(&f.s, &params, &ctx, &err));
        int64_t cut = f.s.cut;
        clv_partition_state plain = fixture_copy(&f);
        machine_make(&m, MACHINE_FAR, 2, seed % 2, seed);
        f.s.machine = &m.m;
        memcpy(f.part, before.part, (size_t)f.g.nvtx * sizeof f.part[0]);
        fixture_scatter(&f, 0, 0);
        CHECK_OK(clv_bipartition_fm(&f.s, &params, &ctx, &err));
        CHECK_FINE(fixture_fault(&f));
        CHECK_EQ(f.s.cut, cut * m.distance[1]);
        CHECK(memcmp(plain.part, f.part, (size_t)f.g.nvtx * sizeof f.part[0]) == 0);
        free(before.part);
        free(plain.part);
        machine_free(&m);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* All distances 1: the parts are those without a machine. */
static void test_flat(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        fixture f;
        machine_fixture m;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 300);
        fixture_refiner run = seed % 2 ? label : fm;
        o.simple = true;
        o.nparts = o.nparts > 16 ? 16 : o.nparts; /* all links are candidates */
        fixture_make(&f, &o);
        fixture_scatter(&f, o.nparts, seed);
        clv_partition_state before = fixture_copy(&f);
        CHECK_OK(run(&f.s, &ctx, &err));
        clv_partition_state plain = fixture_copy(&f);
        machine_make(&m, MACHINE_FLAT, o.nparts, seed % 3, seed);
        f.s.machine = &m.m;
        memcpy(f.part, before.part, (size_t)f.g.nvtx * sizeof f.part[0]);
        fixture_scatter(&f, 0, 0);
        CHECK_OK(run(&f.s, &ctx, &err));
        CHECK(memcmp(plain.part, f.part, (size_t)f.g.nvtx * sizeof f.part[0]) == 0);
        CHECK_EQ(plain.cut, f.s.cut);
        free(before.part);
        free(plain.part);
        machine_free(&m);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* May v go from its place to p by what the refiners consider? */
static bool is_choice(const fixture *f, int32_t v, int32_t p)
{
    const clv_machine *m = f->s.machine;
    bool linked = false, beyond = false, near = false;
    int32_t own = f->part[v];
    for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++) {
        if (clv_graph_ewgt(&f->g, a) == 0)
            continue;
        int32_t q = f->part[f->g.adj[a]];
        linked = linked || q == p;
        beyond =
            beyond || (m->between && clv_machine_distance(m, own, q) >
                                         clv_machine_distance(m, own, m->nearest[8 * own]));
    }
    for (int32_t i = 0; m->between && i < clv_most_nearest; i++)
        near = near || m->nearest[8 * own + i] == p;
    return linked || (beyond && near);
}

/* With enough rounds and no bounds that matter, no single move makes the cost smaller. */
static void test_label_optimum(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int moves = 0;
    for (uint64_t seed = 0; seed < 2 * nspecs * 8; seed += 2 * TEST_STRIDE) {
        fixture f;
        place_set x;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 80);
        o.ncon = 1;
        o.slack = 100;
        o.lower = false;
        o.simple = true;
        make_mapped(&f, &x, seed, o);
        fixture_scatter(&f, x.m.npes, seed);
        for (int32_t p = 0; p < x.m.npes; p++)
            f.max[p] = INT64_C(1) << 40;
        clv_label_params params = {.rounds = 100};
        for (bool moved = true; moved;) {
            clv_partition_state before = fixture_copy(&f);
            CHECK_OK(clv_label_moves(&f.s, &params, &ctx, &err));
            moved = memcmp(before.part, f.part, (size_t)f.g.nvtx * sizeof f.part[0]) != 0;
            free(before.part);
        }
        CHECK_FINE(fixture_fault(&f));
        for (int32_t v = 0; v < f.g.nvtx; v++)
            for (int32_t p = 0, own = f.part[v]; p < x.m.npes; p++) {
                if (p == own || f.count[p] == 0 || !clv_state_may_leave(&f.s, v) ||
                    !is_choice(&f, v, p))
                    continue;
                f.part[v] = p;
                CHECK(fixture_cut(&f.s) >= f.s.cut);
                f.part[v] = own;
                moves++;
            }
        fixture_free(&f);
        close_places(&x);
    }
    CHECK(moves > 100);
    clv_context_close(&ctx);
}

/* A vertex with four fixed neighbours around the middle of a mesh, in one of their places: all
 * refiners find the middle. */
static void test_between(void)
{
    int64_t xadj[] = {0, 4, 5, 6, 7, 8, 8, 8}, max[9];
    int32_t adj[] = {1, 2, 3, 4, 0, 0, 0, 0}, part[7];
    clv_graph g = {.kind = CLEAVE_UNDIRECTED, .nvtx = 7, .ncon = 1, .xadj = xadj, .adj = adj};
    g.narc = 8;
    static const int32_t around[] = {1, 3, 5, 7};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int i = 0; i < 3; i++) {
        place_set x;
        fixture f;
        cleave_error err = {0};
        open_places(&x, 4, 9); /* mesh:3x3 */
        REQUIRE(x.m.npes == 9 && x.m.between);
        memset(max, 0, sizeof max);
        for (int32_t v = 1; v < 5; v++)
            part[v] = x.m.place[around[v - 1]];
        part[0] = part[6] = part[1];
        part[5] = x.m.place[4];         /* the middle is in use */
        for (int32_t v = 0; v < 7; v++) /* the others may stay empty */
            max[part[v]] = 3;
        fixture_around(&f, &g, 9, part, max);
        for (int32_t v = 1; v < 7; v++)
            f.fixed[v] = part[v];
        f.s.fixed = f.fixed;
        f.s.machine = &x.m;
        fixture_scatter(&f, 0, 0);
        CHECK_EQ(f.s.cut, 6);
        CHECK_OK(refiners[i].run(&f.s, &ctx, &err));
        CHECK_EQ(f.s.cut, 4);
        CHECK_EQ(f.part[0], x.m.place[4]);
        fixture_free(&f);
        close_places(&x);
    }
    clv_context_close(&ctx);
}

/* The excess moves to the nearest place, not to the emptiest one. */
static void test_nearest_takes(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture f;
    place_set x;
    cleave_error err = {0};
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 64, .nparts = 8, .ncon = 1};
    open_places(&x, 18, 8); /* tree:2:2:2@1:10:100 */
    REQUIRE(x.m.npes == 8 && !x.m.between);
    fixture_make(&f, &o);
    f.s.machine = &x.m;
    for (int32_t v = 0; v < 64; v++)
        f.part[v] = v < 9 ? 0 : v < 16 ? 1 : v < 56 ? 2 + v % 5 : 7;
    for (int32_t p = 2; p < 8; p++)
        f.max[p] = 20;
    fixture_scatter(&f, 0, 0);
    CHECK_EQ(clv_state_overload(&f.s), 1);
    CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK_EQ(f.count[1], 8);
    CHECK_FINE(fixture_fault(&f));
    fixture_free(&f);
    close_places(&x);
    clv_context_close(&ctx);
}

static void test_strongest_first(void)
{
    int64_t conn[100];
    int32_t touched[100], before[100];
    for (uint64_t seed = 0; seed < 200; seed++) {
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        clv_neighbour_parts f = {.conn = conn, .touched = touched};
        f.count = (int32_t)clv_rng_below(&rng, 101);
        clv_rng_permutation(&rng, f.count, touched);
        memcpy(before, touched, sizeof before);
        for (int32_t p = 0; p < f.count; p++)
            conn[p] = 1 + clv_rng_below(&rng, 30);
        int32_t n = clv_strongest_first(&f), seen[100] = {0};
        CHECK_EQ(n, f.count < clv_most_candidates ? f.count : clv_most_candidates);
        for (int32_t i = 0; i < f.count; i++) {
            seen[touched[i]]++;
            int32_t p = touched[i], rank = 0;
            for (int32_t q = 0; q < f.count; q++)
                rank += conn[q] > conn[p] || (conn[q] == conn[p] && q < p);
            if (f.count > clv_most_candidates)
                CHECK(i < n ? rank == i : rank >= n);
            else
                CHECK_EQ(p, before[i]);
        }
        for (int32_t p = 0; p < f.count; p++)
            CHECK_EQ(seen[p], 1);
    }
}

/* The lists of the machine against the definition. */
static void test_nearest(void)
{
    for (uint64_t i = 0; i < nspecs; i++) {
        place_set x;
        open_places(&x, 2 * i, 0);
        const clv_machine *m = &x.m;
        bool between = false;
        for (int32_t p = 0; p < m->npes; p++) {
            int64_t least = INT64_MAX;
            for (int32_t q = 0; q < m->npes; q++)
                if (q != p && clv_machine_distance(m, p, q) < least)
                    least = clv_machine_distance(m, p, q);
            int32_t place = 0;
            for (int32_t q = 0; q < m->npes && place < clv_most_nearest; q++)
                if (q != p && clv_machine_distance(m, p, q) == least)
                    CHECK_EQ(m->nearest[p * clv_most_nearest + place++], q);
            for (; place < clv_most_nearest; place++)
                CHECK_EQ(m->nearest[p * clv_most_nearest + place], -1);
            int32_t r = m->nearest[p * clv_most_nearest];
            for (int32_t q = 0; q < m->npes; q++)
                between = between || (q != p && q != r &&
                                      clv_machine_distance(m, p, q) ==
                                          least + clv_machine_distance(m, r, q));
        }
        CHECK_EQ(m->between, between);
        close_places(&x);
    }
}

static void test_threads(void)
{
    for (int i = 0; i < nrefiners; i++)
        for (int shape = 0; shape < FIXTURE_SHAPES; shape++) {
            fixture f;
            place_set x;
            fixture_options o = {.shape = (fixture_shape)shape,
                                 .nvtx = i == 0 && shape == FIXTURE_GRID ? 40000 : 20000,
                                 .nparts = 36,
                                 .ncon = 1,
                                 .edge_weight = shape % 2 ? 5 : 0,
                                 .slack = 0.05};
            open_places(&x, shape % 2 ? 20 : 5, 36); /* mesh:6x6, or a tree */
            fixture_make(&f, &o);
            f.s.machine = &x.m;
            fixture_scatter(&f, i < 3 ? 36 : 20, 1);
            CHECK_FINE(fixture_fault_threads(&f, refiners[i].run));
            fixture_free(&f);
            close_places(&x);
        }
}

static void test_out_of_memory(void)
{
    for (int i = 0; i < nrefiners; i++) {
        fixture f;
        place_set x;
        fixture_options o = {
            .shape = FIXTURE_RANDOM, .nvtx = 3000, .nparts = 9, .ncon = 1, .slack = 0.02};
        open_places(&x, 4, 9);
        fixture_make(&f, &o);
        f.s.machine = &x.m;
        fixture_scatter(&f, 9, 1);
        CHECK_FINE(fixture_fault_memory(&f, refiners[i].run, refiners[i].judge));
        fixture_free(&f);
        close_places(&x);
    }
}

int main(void)
{
    RUN(test_promises);
    RUN(test_two_places);
    RUN(test_flat);
    RUN(test_label_optimum);
    RUN(test_between);
    RUN(test_nearest_takes);
    RUN(test_strongest_first);
    RUN(test_nearest);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
