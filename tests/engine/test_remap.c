/* SPDX-License-Identifier: Apache-2.0 */
/* cleave_remap: reports are recounted, strategies are compared, no result is worse than the
 * old mapping; constraints, edge cases, threads, early stops. */
#include <math.h>

#include "engine/map_fixture.h"
#include "engine/remap_fixture.h"
#include "support/test.h"

static cleave_error err;

static const char *const strategies[] = {"diffuse", "interval", "scratch", "auto"};

/* The PEs of today where vertices are: PEs by number, `lost` of the old ones gone and the rest
 * closing up. */
static int32_t *find_lives(const remap_case *c, uint64_t lost)
{
    int32_t n = c->csr.nvtx, *lives = malloc(((size_t)n + 1) * sizeof *lives);
    for (int32_t v = 0; lives && v < n; v++) {
        int32_t pe = cleave_mapping_parts(c->old)[v], gone = 0;
        for (int32_t p = 0; p < pe; p++)
            gone += lost >> p & 1;
        lives[v] = lost >> pe & 1 ? -1 : pe - gone;
        if (lives[v] >= cleave_target_pes(c->t))
            lives[v] = -1;
    }
    return lives;
}

/* ---- Reports ---------------------------------------------------------------------------- */

static void check_result(remap_case *c, const cleave_mapping *m, cleave_status status,
                         const int32_t *lives)
{
    int32_t k = cleave_target_pes(c->t);
    CHECK_EQ(cleave_mapping_nparts(m), k);
    CHECK_EQ(c->report.cut, remap_cut(c, m));
    CHECK_EQ(c->report.cut, c->map.cut);
    CHECK_EQ(c->report.cut_before, remap_cut(c, c->old));
    CHECK_EQ(c->report.migration, remap_moved(c, lives, m));
    CHECK_EQ(status, c->map.balanced ? CLEAVE_OK : CLEAVE_EBALANCE);
    if (c->map.balanced)
        CHECK(c->report.migration >= c->report.migration_bound);
    CHECK_EQ(c->map.acyclic, c->csr.kind == CLEAVE_DAG ? 1 : -1);
    for (int32_t v = 0; v < c->csr.nvtx; v++) {
        int32_t p = cleave_mapping_parts(m)[v];
        CHECK(p >= 0 && p < k && cleave_target_speed(c->t, p) > 0);
    }
}

typedef struct change {
    const char *graph, *before, *after;
    uint64_t lost; /* of the PEs before */
} change;

static const change changes[] = {
    {"grid2d:12x12", "6", "6[0,2-4]", 1 << 1 | 1 << 5},
    {"grid2d:12x12 vwgt ewgt vsize", "6", "4,1,1,2,1,3", 0},
    {"grid2d:12x12 vsize", "4", "7", 0},
    {"grid2d:9x9 ewgt", "6", "1,0,2,1,0,1", 0},
    {"pieces:150 vwgt", "5", "5[1-4]", 1},
    {"star:40", "4", "4[0,1,3]", 1 << 2},
    {"empty:30 vsize", "5", "5[0-3]", 1 << 4},
    {"gnp:80:0.1 two", "4", "3,2,2", 0},
    {"grid2d:8x8", "mesh:4x2", "mesh:4x2[0-4,6,7]", 1 << 5},
    {"grid2d:10x10 vsize", "tree:4:2@1:5", "tree:4:2@1:5[1-7]", 1},
    {"grid2d:6x6", "6", "1", 0},
    {"path:7", "4", "12", 0},
    {"path:5", "9", "9[2-8]", 3},
    {"clique:20 none", "4", "4[0-2]", 8},
    {"clique:20 none", "4", "1,0,1,1", 0},
    {"polybench:gemm:5x5x5", "5", "5[0,2-4]", 2},
    {"layered:10:20:3 vwgt ewgt vsize", "5", "1,3,1,2,1", 0},
    {"polybench:lu:8", "mesh:2x2", "mesh:2x2[0-2]", 8},
};
enum { nchanges = sizeof changes / sizeof *changes };

/* All strategies at one price; auto is the best of them. */
static void check_strategies(remap_case *c, const int32_t *lives)
{
    double price[4];
    bool balanced[4];
    for (int i = 0; i < 4; i++) {
        cleave_mapping *m = NULL;
        c->opt.strategy = strategies[i];
        cleave_status status = remap_case_run(c, &m, &err);
        if (status != CLEAVE_OK && status != CLEAVE_EBALANCE)
            fprintf(stderr, "%s\n", err.message);
        REQUIRE(m != NULL);
        check_result(c, m, status, lives);
        if (i < 3)
            CHECK_STR(c->report.strategy, strategies[i]);
        price[i] = remap_price(c);
        balanced[i] = c->map.balanced;
        cleave_mapping_free(m);
    }
    for (int i = 0; i < 3; i++)
        CHECK(balanced[3] > balanced[i] || (balanced[3] && price[3] <= price[i]) ||
              !balanced[i]);
}

static void test_reports(void)
{
    static const double prices[] = {0, 0.3, 1, 1000, 1e300};
    for (int i = 0; i < nchanges; i++)
        for (int p = 0; p < 5; p += TEST_STRIDE) {
            remap_case c;
            remap_case_make(&c, changes[i].graph, changes[i].before, changes[i].after, true);
            int32_t *lives = find_lives(&c, changes[i].lost);
            c.opt.migration_price = prices[p];
            check_strategies(&c, lives);
            free(lives);
            remap_case_free(&c);
        }
}

/* Bounds of 0, and vertices that weigh nothing: all may stay where every PE has such a bound;
 * where some have, only who is fixed there. */
static void test_bounds_of_nothing(void)
{
    for (int some = 0; some < 2; some++) {
        int64_t max[4] = {some ? -1 : 0};
        remap_case c;
        cleave_mapping *m = NULL;
        remap_case_make(&c, "grid2d:4x4 none", "4", "4", false);
        c.constraints.max = max;
        c.constraints.fixed = some ? cleave_mapping_parts(c.old) : NULL;
        CHECK_OK(remap_case_run(&c, &m, &err));
        CHECK_EQ(c.report.migration, remap_moved(&c, cleave_mapping_parts(c.old), m));
        CHECK(c.report.migration_bound <= c.report.migration);
        CHECK_EQ(c.report.migration_bound, 0);
        cleave_mapping_free(m);
        remap_case_free(&c);
    }
}

/* ---- Never worse than before ------------------------------------------------------------ */

static void test_nothing_changed(void)
{
    static const double prices[] = {0, 0.5, 2, 1e6};
    static const char *const graphs[] = {"grid2d:15x15 ewgt", "layered:10:15:3", "star:30"};
    for (int i = 0; i < 12; i++) {
        remap_case c;
        cleave_mapping *m = NULL;
        remap_case_make(&c, graphs[i % 3], "5", "5", i % 2);
        c.opt.migration_price = prices[i / 3];
        c.opt.strategy = i % 2 ? "diffuse" : "auto";
        REQUIRE_OK(remap_case_run(&c, &m, &err));
        CHECK(remap_price(&c) <= (double)c.report.cut_before);
        CHECK_EQ(c.report.migration_bound, 0);
        if (prices[i / 3] == 1e6)
            CHECK_EQ(c.report.migration, 0);
        cleave_mapping_free(m);
        remap_case_free(&c);
    }
}

/* A high price: what must move does, and nothing else. */
static void test_high_price(void)
{
    remap_case c;
    cleave_mapping *m = NULL;
    remap_case_make(&c, "grid2d:40x40", "10", "10[0-3,5-9]", true);
    c.opt.migration_price = 1e4;
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    CHECK(c.report.migration_bound >= 150);
    CHECK(c.report.migration * 100 <= c.report.migration_bound * 105);
    cleave_mapping_free(m);
    remap_case_free(&c);
}

/* Price 0 is as good as from scratch, and moves less than strange names would. */
static void test_price_zero(void)
{
    remap_case c;
    cleave_mapping *m = NULL, *scratch = NULL;
    cleave_map_report report;
    remap_case_make(&c, "grid2d:30x30", "8", "8[0-4,6,7]", true);
    c.opt.migration_price = 0;
    cleave_map_report_init(&report, sizeof report);
    c.options.report = &report;
    REQUIRE_OK(cleave_map(&scratch, c.g, c.t, &c.options, &err));
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    CHECK(c.report.cut <= report.cut);
    c.opt.strategy = "scratch";
    cleave_mapping_free(m);
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    int32_t *lives = find_lives(&c, 1 << 5);
    CHECK_EQ(c.report.cut, report.cut);
    CHECK(c.report.migration < remap_moved(&c, lives, scratch));
    free(lives);
    cleave_mapping_free(m);
    cleave_mapping_free(scratch);
    remap_case_free(&c);
}

/* Edges and sizes in another unit, whose sums need more than 31 bits. */
static cleave_graph *in_unit(const cleave_csr *csr, int32_t factor)
{
    cleave_graph *g = NULL;
    cleave_csr other = *csr;
    int64_t arcs = csr->xadj[csr->nvtx];
    int32_t *ewgt = malloc((size_t)(arcs + csr->nvtx) * sizeof *ewgt), *vsize = ewgt + arcs;
    for (int64_t a = 0; a < arcs; a++)
        ewgt[a] = factor * (csr->ewgt ? csr->ewgt[a] : 1);
    for (int32_t v = 0; v < csr->nvtx; v++)
        vsize[v] = factor * (csr->vsize ? csr->vsize[v] : 1);
    other.ewgt = ewgt;
    other.vsize = vsize;
    CHECK_OK(cleave_graph_create(&g, &other, 0, &err));
    free(ewgt);
    return g;
}

/* Where no new order or partition is made, whose searches round differently, the mapping is
 * the same; elsewhere it is about as good. */
static void test_unit(void)
{
    static const char *const graphs[] = {"grid2d:14x14 vsize", "rgg:300:8 ewgt vsize",
                                         "pieces:200 vsize"};
    static const double prices[] = {0.25, 1, 3, 40, 5000};
    enum { factor = 1 << 26 };
    for (int i = 0; i < 3 * 5 * 2; i += TEST_STRIDE) {
        remap_case c;
        cleave_mapping *m = NULL, *large = NULL;
        bool diffuse = i < 15;
        remap_case_make(&c, graphs[i % 3], "6", "3,1,2,2,0,4", false);
        c.opt.strategy = diffuse ? "diffuse" : "auto";
        c.opt.migration_price = prices[i / 3 % 5];
        CHECK_OK(remap_case_run(&c, &m, &err));
        double price = remap_price(&c);
        cleave_graph *small = c.g;
        c.g = in_unit(&c.csr, factor);
        CHECK_OK(remap_case_run(&c, &large, &err));
        REQUIRE(m && large);
        CHECK(remap_price(&c) < 1.3 * factor * price);
        if (diffuse)
            CHECK(memcmp(cleave_mapping_parts(m), cleave_mapping_parts(large),
                         (size_t)c.csr.nvtx * sizeof(int32_t)) == 0);
        cleave_mapping_free(m);
        cleave_mapping_free(large);
        cleave_graph_free(small);
        remap_case_free(&c);
    }
}

/* ---- Demands ---------------------------------------------------------------------------- */

static void test_fixed_and_groups(void)
{
    static const char *const graphs[] = {"grid2d:10x10 vsize", "layered:10:10:2"};
    for (int i = 0; i < 8; i++) {
        int32_t fixed[100], groups[100];
        remap_case c;
        cleave_mapping *m = NULL;
        remap_case_make(&c, graphs[i % 2], "5", "5[0,1,3,4]", true);
        for (int32_t v = 0; v < 100; v++) {
            fixed[v] = i % 2 == 0 && v % 20 == 3 ? v / 20 % 4 : -1;
            groups[v] = i % 2 == 0 && v % 10 < 2 ? v / 10 : -1;
        }
        c.constraints.fixed = fixed;
        c.constraints.groups = i < 4 ? NULL : groups;
        c.opt.strategy = strategies[i / 2];
        c.opt.migration_price = i / 2;
        REQUIRE_OK(remap_case_run(&c, &m, &err));
        const int32_t *part = cleave_mapping_parts(m);
        int32_t *lives = find_lives(&c, 1 << 2);
        check_result(&c, m, CLEAVE_OK, lives);
        for (int32_t v = 0; v < 100; v++) {
            CHECK(fixed[v] < 0 || part[v] == fixed[v]);
            if (c.constraints.groups && groups[v] >= 0)
                CHECK_EQ(part[v], part[v / 10 * 10]);
        }
        free(lives);
        cleave_mapping_free(m);
        remap_case_free(&c);
    }
}

static void test_connected(void)
{
    remap_case c;
    cleave_mapping *m = NULL;
    remap_case_make(&c, "grid2d:20x20", "6", "6[0-3,5]", true);
    c.constraints.connected = 1;
    c.opt.migration_price = 100;
    CHECK_OK(remap_case_run(&c, &m, &err)); /* the verdict looks at the pieces */
    cleave_mapping_free(m);
    remap_case_free(&c);
}

enum { idle_pes = 5, most_idle = 400 };

/* Fixed vertices, where idle parts have none, and groups of about three with one such vertex
 * at most. */
static void draw_demands(uint64_t seed, int32_t n, const bool *idle, int32_t *fixed,
                         int32_t *groups)
{
    int32_t tied[most_idle] = {0};
    for (int32_t v = 0; v < n; v++) {
        int32_t p = fixture_draw(seed, v, idle_pes), id = fixture_draw(seed + 1, v, n / 3);
        fixed[v] = fixture_draw(seed + 2, v, 12) == 0 && !idle[p] ? p : -1;
        groups[v] = fixture_draw(seed + 3, v, 2) && !(fixed[v] >= 0 && tied[id]) ? id : -1;
        tied[id] += groups[v] >= 0 && fixed[v] >= 0;
    }
}

static void check_demands(const remap_case *c, const cleave_mapping *m, const bool *idle)
{
    const int32_t *part = cleave_mapping_parts(m), *fixed = c->constraints.fixed;
    const int32_t *groups = c->constraints.groups;
    int32_t of[most_idle];
    memset(of, 0xff, sizeof of);
    for (int32_t v = 0; v < c->csr.nvtx; v++) {
        CHECK(!idle[part[v]]);
        CHECK(!fixed || fixed[v] < 0 || part[v] == fixed[v]);
        if (!groups || groups[v] < 0)
            continue;
        CHECK(of[groups[v]] < 0 || of[groups[v]] == part[v]);
        of[groups[v]] = part[v];
    }
}

/* A PE of speed 0 and a part with a share of 0 are emptied, with any other constraints;
 * connected parts may not be found. */
static void test_idle(void)
{
    static const char *const graphs[] = {"grid2d:18x18 vsize", "pieces:300 vwgt",
                                         "layered:12:20:2", "path:200"};
    static const double shares[idle_pes] = {2, 3, 0, 2, 3};
    for (int i = 0; i < 4 * 4 * 16; i += TEST_STRIDE) {
        int kind = i / 16;
        bool idle[idle_pes] = {0, 1, (kind & 1) != 0, 0, 0}, dag = i % 4 == 2;
        int32_t fixed[most_idle], groups[most_idle];
        remap_case c;
        cleave_mapping *m = NULL;
        remap_case_make(&c, graphs[i % 4], "5", "3,0,1,2,2", i % 3 == 0);
        c.options.imbalance = 0.3;
        c.opt.strategy = strategies[i / 4 % 4];
        c.opt.migration_price = kind % 5;
        draw_demands(1000 + (uint64_t)i, c.csr.nvtx, idle, fixed, groups);
        c.constraints.shares = kind & 1 ? shares : NULL;
        c.constraints.fixed = kind & 2 && !dag ? fixed : NULL;
        c.constraints.groups = kind & 4 && !dag ? groups : NULL;
        c.constraints.connected = kind & 8 && !dag;
        cleave_status status = remap_case_run(&c, &m, &err);
        CHECK(m != NULL);
        CHECK(status == CLEAVE_OK || (status == CLEAVE_EBALANCE && c.constraints.connected));
        if (status != CLEAVE_OK && !c.constraints.connected)
            fprintf(stderr, "  %s by %s, kind %d: %s\n", graphs[i % 4], c.opt.strategy, kind,
                    err.message);
        if (m)
            check_demands(&c, m, idle);
        cleave_mapping_free(m);
        remap_case_free(&c);
    }
}

/* ---- Edge cases ------------------------------------------------------------------------- */

static void test_all_lost(void)
{
    remap_case c;
    cleave_mapping *m = NULL;
    remap_case_make(&c, "grid2d:10x10", "9[0-3]", "9[4-8]", true);
    for (int i = 0; i < 4; i++) {
        c.opt.strategy = strategies[i];
        REQUIRE_OK(remap_case_run(&c, &m, &err));
        CHECK_EQ(c.report.migration, 100);
        CHECK_EQ(c.report.migration_bound, 100);
        cleave_mapping_free(m);
    }
    remap_case_free(&c);
}

/* Parts without vertices, parts beyond the old machine. */
static void test_odd_mappings(void)
{
    int32_t part[16];
    remap_case c;
    cleave_mapping *m = NULL, *own;
    remap_case_make(&c, "grid2d:4x4", "4", "4", true);
    own = c.old;
    for (int32_t v = 0; v < 16; v++)
        part[v] = v < 8 ? 1 : 3;
    REQUIRE_OK(cleave_mapping_create(&c.old, 16, 9, part, &err));
    CHECK_OK(remap_case_run(&c, &m, &err));
    CHECK_EQ(c.map.empty_parts, 0);
    CHECK_EQ(c.report.migration_bound, 8);
    CHECK_EQ(c.report.migration, 8);
    cleave_mapping_free(m);
    cleave_mapping_free(c.old);
    part[5] = 4;
    REQUIRE_OK(cleave_mapping_create(&c.old, 16, -1, part, &err));
    CHECK_EQ(remap_case_run(&c, &m, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message,
              "vertex 5 is on PE 4 of the old mapping, but the old machine has 4 PEs");
    CHECK(m == NULL);
    cleave_mapping_free(c.old);
    c.old = own;
    remap_case_free(&c);
}

/* An order of the caller's, and one of another graph. */
static void test_orders(void)
{
    int32_t places[144];
    remap_case c;
    cleave_mapping *m = NULL;
    cleave_order *order = NULL, *shorter = NULL;
    remap_case_make(&c, "grid2d:12x12", "6", "6[0-4]", true);
    for (int32_t v = 0; v < 144; v++)
        places[v] = v;
    REQUIRE_OK(cleave_order_create(&order, 144, places, NULL, &err));
    REQUIRE_OK(cleave_order_create(&shorter, 143, places, NULL, &err));
    c.opt.strategy = "interval";
    c.opt.order = order;
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    int32_t *lives = find_lives(&c, 1 << 5);
    check_result(&c, m, CLEAVE_OK, lives);
    free(lives);
    cleave_mapping_free(m);
    c.opt.order = shorter;
    CHECK_EQ(remap_case_run(&c, &m, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the order has 143 vertices, but the graph has 144");
    cleave_order_free(order);
    cleave_order_free(shorter);
    remap_case_free(&c);
}

/* ---- Threads, time ---------------------------------------------------------------------- */

static void test_threads(void)
{
    static const char *const graphs[] = {"grid2d:50x50 vsize", "layered:30:50:3"};
    static const int threads[] = {1, 2, 8};
    for (int i = 0; i < 2; i++) {
        remap_case c;
        cleave_mapping *first = NULL, *m = NULL;
        remap_case_make(&c, graphs[i], "7", "3,1,1,2,1,1", false);
        for (int j = 0; j < 3; j++) {
            c.options.threads = threads[j];
            CHECK_OK(remap_case_run(&c, &m, &err));
            REQUIRE(m != NULL);
            if (!first) {
                first = m;
                continue;
            }
            CHECK(memcmp(cleave_mapping_parts(m), cleave_mapping_parts(first),
                         (size_t)c.csr.nvtx * sizeof(int32_t)) == 0);
            cleave_mapping_free(m);
        }
        cleave_mapping_free(first);
        remap_case_free(&c);
    }
}

/* Counts how often it is called, which is a few times a second. */
static int stop_at_once(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

/* Callers with older and newer reports than the library's: each gets what its struct has room
 * for, of both reports alike, and nothing behind it is touched. */
static void test_reports_grow(void)
{
    remap_case c;
    cleave_mapping *m = NULL;
    struct {
        cleave_remap_report report;
        char newer[64];
    } remap;
    struct {
        cleave_map_report report;
        char newer[64];
    } map;
    static const char zero[64];
    remap_case_make(&c, "grid2d:12x8", "4", "4", false);
    c.opt.options = &c.options;
    cleave_remap_report_init(&remap.report, sizeof remap);
    cleave_map_report_init(&map.report, sizeof map);
    c.opt.report = &remap.report;
    c.options.report = &map.report;
    CHECK_OK(cleave_remap(&m, c.g, c.old, c.t, &c.opt, &err));
    CHECK(remap.report.size == sizeof remap && map.report.size == sizeof map);
    CHECK(remap.report.cut > 0 && map.report.cut == remap.report.cut);
    CHECK(memcmp(remap.newer, zero, 64) == 0 && memcmp(map.newer, zero, 64) == 0);
    cleave_mapping_free(m);
    cleave_remap_report_init(&remap.report, offsetof(cleave_remap_report, migration));
    cleave_map_report_init(&map.report, offsetof(cleave_map_report, volume));
    remap.report.migration = map.report.volume = -7;
    CHECK_OK(cleave_remap(&m, c.g, c.old, c.t, &c.opt, &err));
    CHECK(remap.report.cut > 0 && map.report.cut == remap.report.cut);
    CHECK(remap.report.migration == -7 && map.report.volume == -7);
    cleave_mapping_free(m);
    remap_case_free(&c);
}

static void test_stopped(void)
{
    for (int i = 0; i < 4; i++) {
        remap_case c;
        int calls = 0;
        cleave_mapping *m = NULL;
        remap_case_make(&c, "grid2d:60x60", "12", "12[0-6,8-11]", true);
        int32_t *lives = find_lives(&c, 1 << 7);
        c.opt.strategy = strategies[i];
        c.options.time_limit = 1e-6;
        cleave_status status = remap_case_run(&c, &m, &err);
        REQUIRE(m != NULL);
        CHECK_EQ(c.map.timed_out, 1);
        check_result(&c, m, status, lives);
        cleave_mapping_free(m);
        c.options.time_limit = 0;
        c.options.effort = i == 3 ? CLEAVE_EFFORT_BEST : CLEAVE_EFFORT_FAST;
        c.options.progress = stop_at_once;
        c.options.payload = &calls;
        status = remap_case_run(&c, &m, &err);
        CHECK_EQ(status, calls > 0 ? CLEAVE_ECANCEL : CLEAVE_OK);
        CHECK(i < 3 || calls == 1);
        REQUIRE(m != NULL);
        CHECK_EQ(c.report.migration, remap_moved(&c, lives, m));
        cleave_mapping_free(m);
        free(lives);
        remap_case_free(&c);
    }
}

int main(void)
{
    RUN(test_reports);
    RUN(test_bounds_of_nothing);
    RUN(test_nothing_changed);
    RUN(test_high_price);
    RUN(test_price_zero);
    RUN(test_unit);
    RUN(test_fixed_and_groups);
    RUN(test_connected);
    RUN(test_idle);
    RUN(test_all_lost);
    RUN(test_odd_mappings);
    RUN(test_orders);
    RUN(test_threads);
    RUN(test_reports_grow);
    RUN(test_stopped);
    return test_end();
}
