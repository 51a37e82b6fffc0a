/* SPDX-License-Identifier: Apache-2.0 */
/* cleave_map onto machines with distances: every method and effort keeps the contract of
 * partitioning, reports the cost of an independent sum, never costs more than the identity
 * where that is valid, and does not depend on the number of threads. */
#include "engine/map_fixture.h"
#include "support/test.h"

static cleave_error err;

static int64_t cost_of(const asked *a, const int32_t *part)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < a->n; v++)
        for (int64_t e = a->csr.xadj[v]; e < a->csr.xadj[v + 1]; e++)
            sum += (int64_t)(a->csr.ewgt ? a->csr.ewgt[e] : 1) *
                   cleave_target_distance(a->t, part[v], part[a->csr.adj[e]]);
    return a->csr.kind == CLEAVE_DAG ? sum : sum / 2;
}

static void fill_identity(const asked *a, int32_t *part)
{
    for (int32_t v = 0; v < a->n; v++)
        part[v] = (int32_t)((int64_t)v * a->k / a->n);
}

/* The graph onto a machine in place of equal PEs. */
static void ask_machine(asked *a, const char *graph, const char *target, cleave_effort effort)
{
    cleave_target *t = NULL;
    REQUIRE_OK(cleave_target_parse(&t, target, &err));
    ask(a, graph, cleave_target_pes(t), effort);
    cleave_target_free(a->t);
    a->t = t;
    a->opt.objective = CLEAVE_OBJECTIVE_COST;
}

/* Maps, checks, and returns the cost; -1: not balanced. */
static int64_t map_and_judge(asked *a, int32_t *keep)
{
    facts f;
    cleave_mapping *m = NULL;
    static int32_t identity[20000];
    cleave_status status = ask_map(a, &m);
    const char *wrong = fixture_judge(a, status, m, &f);
    CHECK_STR(wrong ? wrong : "", "");
    if (!m)
        return -1;
    const int32_t *part = cleave_mapping_parts(m);
    int64_t cost = cost_of(a, part);
    CHECK_EQ(a->report.cost, cost);
    fill_identity(a, identity);
    CHECK_EQ(a->report.cost_identity, cost_of(a, identity));
    if (keep)
        memcpy(keep, part, (size_t)a->n * sizeof *keep);
    cleave_mapping_free(m);
    return status == CLEAVE_OK ? cost : -1;
}

static const char *const machines[] = {
    "mesh:4x2",          "torus:3x3",           "hypercube:3",          "tree:2:3@1:10",
    "tree:3:2:2@1:7:50", "mesh:4x2[0,4,5,1,7]", "torus:4x4[0,5,10,15]", "mesh:5"};
enum { nmachines = sizeof machines / sizeof *machines };

static bool is_hierarchy(const char *machine)
{
    return strncmp(machine, "tree", 4) == 0;
}

static void test_methods(void)
{
    static const char *const graphs[] = {"grid2d:20x20", "rgg:500:8 vwgt ewgt", "rmat:8:6",
                                         "pieces:400", "clique:40"};
    static const char *const methods[] = {"auto", "kway", "drb", "multisection"};
    static int32_t identity[20000];
    for (int i = 0; i < nmachines; i++)
        for (int j = 0; j < 5; j++)
            for (int e = 0; e < 3; e++)
                for (int m = 0; m < 4; m++) {
                    asked a;
                    facts f;
                    if (m == 3 && !is_hierarchy(machines[i]))
                        continue;
                    if ((i + 2 * j + 3 * e + m) % 3 > 0 && e > 0)
                        continue; /* a third of the slower ones */
                    if ((5 * i + 3 * j + e + m) % TEST_STRIDE)
                        continue;
                    ask_machine(&a, graphs[j], machines[i], (cleave_effort)e);
                    a.opt.method = methods[m];
                    int64_t cost = map_and_judge(&a, NULL);
                    fill_identity(&a, identity);
                    fixture_facts(&a, identity, &f);
                    if (m == 0 && f.overload == 0)
                        CHECK(cost >= 0 && cost <= cost_of(&a, identity));
                    asked_free(&a);
                }
}

static void test_policies(void)
{
    static const char *const policies[] = {"policy=depth", "policy=breadth", "policy=size"};
    for (int i = 0; i < 3; i++) {
        asked a;
        ask_machine(&a, "grid2d:30x30", "mesh:4x4", CLEAVE_EFFORT_FAST);
        a.opt.method = "drb";
        a.opt.params = policies[i];
        int64_t cost = map_and_judge(&a, NULL);
        CHECK(cost > 0 && cost < 3 * 6 * 30); /* straight borders cost 6 * 30 */
        asked_free(&a);
    }
}

/* A grid on the mesh that it looks like: blocks with straight borders, all between
 * neighbours.  The best of a few seeds, because results vary. */
static void test_known(void)
{
    enum { seeds = 5, straight = 6 * 32 };
    static const int64_t tenths[] = {16, 12, 10};
    for (int e = 0; e < 3; e++) {
        int64_t sum = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            asked a;
            ask_machine(&a, "grid2d:32x32", "mesh:4x4", (cleave_effort)e);
            a.opt.seed = seed;
            int64_t cost = map_and_judge(&a, NULL);
            CHECK(cost >= straight);
            sum += cost;
            asked_free(&a);
        }
        CHECK(sum * 10 <= seeds * straight * tenths[e]);
    }
}

/* Under a sanitizer half of the cases, or a quarter, of every kind of machine and effort. */
static bool is_left_out(int i)
{
    return (TEST_STRIDE > 1 && i % 4 > 1) || (TEST_STRIDE > 3 && i % 8 > 1);
}

static void test_demands(void)
{
    static int32_t fixed[20000], groups[20000], shares[64];
    for (int i = 0; i < 4 * nmachines; i++) {
        asked a;
        if (is_left_out(i))
            continue;
        ask_machine(&a, i % 2 ? "rgg:600:8 ewgt" : "grid2d:24x24", machines[i % nmachines],
                    (cleave_effort)(i % 3));
        for (int32_t v = 0; v < a.n; v++) {
            groups[v] = fixture_draw(31, v, 3) ? -1 : v / 5;
            fixed[v] = groups[v] < 0 && v % 29 == 0 ? v / 29 % a.k : -1;
        }
        for (int32_t p = 0; p < a.k; p++)
            shares[p] = i % 3 ? 1 + p % 3 : p % 4; /* some of 0: they stay empty */
        int what = i / nmachines;
        a.thousandths = 80;
        a.c.fixed = what == 1 || what == 3 ? fixed : NULL;
        a.c.groups = what == 2 || what == 3 ? groups : NULL;
        a.shares = what == 0 ? shares : NULL;
        map_and_judge(&a, NULL);
        asked_free(&a);
    }
}

static void test_start(void)
{
    static int32_t kept[20000];
    for (int i = 0; i < nmachines; i++) {
        asked a;
        cleave_mapping *start = NULL;
        ask_machine(&a, "rgg:800:8", machines[i], CLEAVE_EFFORT_FAST);
        int64_t first = map_and_judge(&a, kept);
        REQUIRE_OK(cleave_mapping_create(&start, a.n, a.k, kept, &err));
        a.c.start = start;
        a.opt.seed = 99;
        int64_t second = map_and_judge(&a, NULL);
        CHECK(first < 0 || (second >= 0 && second <= first));
        cleave_mapping_free(start);
        asked_free(&a);
    }
}

static void test_threads(void)
{
    static int32_t one[20000], other[20000];
    static const int teams[] = {2, 3, 8};
    for (int i = 0; i < 2 * nmachines; i++) {
        asked a;
        if (is_left_out(i))
            continue;
        ask_machine(&a, i % 5 == 4 ? "mesh2d:120x120" : "rgg:700:8 vwgt ewgt",
                    machines[i % nmachines], (cleave_effort)(i % 3));
        a.opt.objective = i % 5 == 3 ? CLEAVE_OBJECTIVE_CONGESTION : CLEAVE_OBJECTIVE_COST;
        a.opt.threads = 1;
        map_and_judge(&a, one);
        a.opt.threads = teams[i % 3];
        map_and_judge(&a, other);
        CHECK(memcmp(one, other, (size_t)a.n * sizeof *one) == 0);
        asked_free(&a);
    }
}

/* The cut is not larger when the distances do not matter, and links are less loaded when they
 * alone do. */
static void test_objectives(void)
{
    for (int i = 0; i < 3; i++) {
        asked a;
        cleave_mapping *m[2] = {NULL, NULL};
        cleave_target_metrics is[2];
        ask_machine(&a, "rgg:1500:10", i == 2 ? "tree:4:4@1:10" : machines[i],
                    CLEAVE_EFFORT_DEFAULT);
        for (int j = 0; j < 2; j++) {
            a.opt.objective = j ? CLEAVE_OBJECTIVE_CONGESTION : CLEAVE_OBJECTIVE_COST;
            REQUIRE_OK(ask_map(&a, &m[j]));
            cleave_target_metrics_init(&is[j], sizeof is[j]);
            REQUIRE_OK(cleave_evaluate_target(&is[j], a.g, m[j], a.t, &err));
            cleave_mapping_free(m[j]);
        }
        CHECK(is[1].max_link_load <= is[0].max_link_load);
        asked_free(&a);
    }
}

/* Cut and volume are those of a partition for equal PEs: its parts change places, and no
 * vertex its part. */
static void test_distances_aside(void)
{
    static const char *const graphs[] = {"rgg:900:9 ewgt", "layered:12:20:3"};
    for (int i = 0; i < 8; i++) {
        asked a, flat;
        cleave_mapping *m = NULL, *f = NULL;
        ask_machine(&a, graphs[i % 2], i < 4 ? "mesh:4x2" : "tree:2:3@1:10",
                    CLEAVE_EFFORT_DEFAULT);
        ask(&flat, graphs[i % 2], a.k, CLEAVE_EFFORT_DEFAULT);
        a.opt.objective = flat.opt.objective =
            i / 2 % 2 ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
        CHECK_EQ(ask_map(&a, &m), ask_map(&flat, &f));
        CHECK_EQ(a.report.cut, flat.report.cut);
        CHECK_EQ(a.report.volume, flat.report.volume);
        CHECK(m && f && a.report.cost <= cost_of(&a, cleave_mapping_parts(f)));
        cleave_mapping_free(m);
        cleave_mapping_free(f);
        asked_free(&a);
        asked_free(&flat);
    }
}

/* The identity, whose parts may be in pieces, does not take the place of connected parts. */
static void test_connected(void)
{
    for (int i = 0; i < nmachines; i++) {
        asked a;
        ask_machine(&a, "pieces:300", machines[i], CLEAVE_EFFORT_FAST);
        a.c.connected = 1;
        a.thousandths = 300;
        map_and_judge(&a, NULL);
        asked_free(&a);
    }
}

/* ---- One vertex per PE ------------------------------------------------------------------ */

static void check_spread(asked *a, const int32_t *part)
{
    static uint8_t taken[4096];
    memset(taken, 0, sizeof taken);
    for (int32_t v = 0; v < a->n; v++) {
        CHECK(!taken[part[v]]);
        taken[part[v]] = 1;
    }
}

static void test_one_to_one(void)
{
    static const struct {
        const char *graph, *machine;
    } cases[] = {{"grid3d:4x4x4 vwgt ewgt", "mesh:4x4x4"},
                 {"rgg:64:6 ewgt heavy", "tree:4:4:4@1:10:100"},
                 {"rmat:6:4", "torus:8x8"},
                 {"rgg:40:5", "hypercube:6"},
                 {"path:7", "mesh:4x2"},
                 {"empty:5", "mesh:3x3"},
                 {"clique:1", "mesh:2x2"}};
    static int32_t part[64], identity[64], fixed[64];
    for (int i = 0; i < 7; i++)
        for (int pinned = 0; pinned < 2; pinned++) {
            asked a;
            cleave_mapping *m = NULL;
            ask_machine(&a, cases[i].graph, cases[i].machine, (cleave_effort)(i % 3));
            a.opt.one_to_one = 1;
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = v % 5 == 0 ? a.k - 1 - v : -1;
            a.c.fixed = pinned ? fixed : NULL;
            cleave_status status = ask_map(&a, &m);
            CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
            REQUIRE(m != NULL);
            memcpy(part, cleave_mapping_parts(m), (size_t)a.n * sizeof *part);
            check_spread(&a, part);
            CHECK_EQ(a.report.cost, cost_of(&a, part));
            fill_identity(&a, identity);
            CHECK(pinned || a.report.cost <= cost_of(&a, identity));
            for (int32_t v = 0; pinned && v < a.n; v++)
                CHECK(fixed[v] < 0 || part[v] == fixed[v]);
            cleave_mapping_free(m);
            asked_free(&a);
        }
}

/* Few vertices of different weight on PEs of different size: the heavy ones go where they
 * fit, at any cost. */
static void test_few_uneven(void)
{
    static const int32_t shares[] = {4, 1, 1, 1, 4, 1, 1, 1};
    static const int32_t weight[] = {1, 40, 1, 1, 40, 1}, tail[] = {0, 1, 2, 3, 4},
                         head[] = {1, 2, 3, 4, 5};
    asked a;
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    cleave_csr attributes;
    cleave_csr_init(&attributes, sizeof attributes);
    attributes.vwgt = weight;
    REQUIRE_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
    REQUIRE_OK(cleave_builder_add(b, 5, tail, head, NULL, &err));
    REQUIRE_OK(cleave_builder_finish(&g, b, 6, &attributes, &err));
    cleave_builder_free(b);
    ask_graph(&a, "uneven path", g, 8, CLEAVE_EFFORT_DEFAULT);
    cleave_target_free(a.t);
    REQUIRE_OK(cleave_target_parse(&a.t, "mesh:8", &err));
    a.opt.objective = CLEAVE_OBJECTIVE_COST;
    a.shares = shares;
    a.thousandths = 1000;
    CHECK(map_and_judge(&a, NULL) >= 0);
    asked_free(&a);
}

/* Few vertices on a large machine stay together: an edge is little longer than where there are
 * just as many PEs as vertices. */
static void test_sparse(void)
{
    static const char *const large[] = {"mesh:150x150", "torus:30x30x30", "hypercube:15",
                                        "tree:30:30:30@1:10:100", "mesh:150x150[0-19999]"};
    static const int64_t most[] = {2, 2, 2, 11, 2};
    for (int i = 0; i < 5; i++)
        for (int one = 0; one < 2; one++) {
            asked a;
            ask_machine(&a, "grid2d:12x12", large[i], CLEAVE_EFFORT_DEFAULT);
            a.opt.one_to_one = one;
            int64_t cost = map_and_judge(&a, NULL);
            CHECK(cost >= 264 && cost <= most[i] * 264);
            CHECK(cost <= a.report.cost_identity);
            CHECK_EQ(a.report.empty_parts, a.k - a.n);
            asked_free(&a);
        }
}

/* No array has a place for every PE or link: those of a hypercube of 30 dimensions would take
 * 128 GB. */
static void test_sparse_memory(void)
{
    asked a;
    cleave_mapping *m = NULL;
    cleave_target_metrics is;
    ask_machine(&a, "grid2d:12x12", "hypercube:30", CLEAVE_EFFORT_DEFAULT);
    REQUIRE_OK(ask_map(&a, &m));
    check_spread(&a, cleave_mapping_parts(m));
    cleave_target_metrics_init(&is, sizeof is);
    REQUIRE_OK(cleave_evaluate_target(&is, a.g, m, a.t, &err));
    CHECK_EQ(is.cost, a.report.cost);
    CHECK(is.max_link_load >= 1 && is.max_link_load <= is.cost);
    double sum = is.average_link_load * 30 * (1 << 29); /* every hop loads one link */
    CHECK(sum > (double)is.cost - 0.5 && sum < (double)is.cost + 0.5);
    cleave_mapping_free(m);
    asked_free(&a);
}

static void test_one_to_one_congestion(void)
{
    asked a;
    cleave_target_metrics is[2];
    ask_machine(&a, "rgg:36:6 ewgt", "mesh:6x6", CLEAVE_EFFORT_DEFAULT);
    a.opt.one_to_one = 1;
    for (int j = 0; j < 2; j++) {
        cleave_mapping *m = NULL;
        a.opt.objective = j ? CLEAVE_OBJECTIVE_CONGESTION : CLEAVE_OBJECTIVE_COST;
        REQUIRE_OK(ask_map(&a, &m));
        check_spread(&a, cleave_mapping_parts(m));
        cleave_target_metrics_init(&is[j], sizeof is[j]);
        REQUIRE_OK(cleave_evaluate_target(&is[j], a.g, m, a.t, &err));
        cleave_mapping_free(m);
    }
    CHECK(is[1].max_link_load < is[0].max_link_load);
    asked_free(&a);
}

/* Vertices that are fixed to one PE, or fewer PEs than vertices that may hold one: no mapping
 * is returned, even if other constraints are not met, too. */
static void test_one_to_one_idle(void)
{
    static const int32_t some[] = {1, 0, 1, 1}, one[] = {1, 0, 0, 0}, fixed[] = {1, 2, 2};
    for (int i = 0; i < 2; i++) {
        asked a;
        cleave_mapping *m = NULL;
        ask(&a, "path:3", 4, CLEAVE_EFFORT_FAST);
        ask_speeds(&a, i ? one : some);
        a.c.fixed = i ? NULL : fixed;
        a.opt.one_to_one = 1;
        CHECK_EQ(ask_map(&a, &m), CLEAVE_EINVAL);
        CHECK(m == NULL);
        CHECK_STR(
            a.err.message,
            i ? "one vertex per PE was requested, but only 1 PEs are left for 3 vertices"
              : "one vertex per PE was requested, but several are fixed to the same one");
        cleave_mapping_free(m);
        asked_free(&a);
    }
}

/* A shuffled grid finds its way back. */
static void test_one_to_one_known(void)
{
    asked a;
    ask_machine(&a, "grid2d:8x8", "mesh:8x8", CLEAVE_EFFORT_QUALITY);
    a.opt.one_to_one = 1;
    CHECK_EQ(map_and_judge(&a, NULL), 2 * 7 * 8);
    asked_free(&a);
    ask_machine(&a, "grid2d:9x9", "mesh:8x8", CLEAVE_EFFORT_FAST);
    a.opt.one_to_one = 1;
    cleave_mapping *m = NULL;
    CHECK_EQ(ask_map(&a, &m), CLEAVE_EINVAL);
    CHECK_STR(a.err.message,
              "one vertex per PE was requested, but there are 81 vertices and 64 PEs");
    asked_free(&a);
}

/* Demands that contradict one vertex per PE are refused; a start that does is not followed. */
static void test_one_to_one_refused(void)
{
    static const int32_t same[] = {3, 3, -1, -1}, groups[] = {0, 0, -1, -1};
    static const int32_t zero[] = {0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        asked a;
        cleave_mapping *m = NULL, *start = NULL;
        ask_machine(&a, "cycle:4", "mesh:2x4", CLEAVE_EFFORT_FAST);
        a.opt.one_to_one = 1;
        a.c.fixed = i == 0 ? same : NULL;
        a.c.groups = i == 1 ? groups : NULL;
        REQUIRE_OK(cleave_mapping_create(&start, 4, 8, zero, &err));
        a.c.start = i == 2 ? start : NULL;
        CHECK_EQ(ask_map(&a, &m), i == 2 ? CLEAVE_OK : CLEAVE_EINVAL);
        CHECK((m != NULL) == (i == 2));
        if (m)
            check_spread(&a, cleave_mapping_parts(m));
        cleave_mapping_free(m);
        cleave_mapping_free(start);
        asked_free(&a);
    }
}

/* ---- DAGs ------------------------------------------------------------------------------- */

static bool is_identity_allowed(const asked *a)
{
    static int32_t identity[20000];
    facts f;
    cleave_metrics is;
    cleave_mapping *m = NULL;
    fill_identity(a, identity);
    fixture_facts(a, identity, &f);
    CHECK_OK(cleave_mapping_create(&m, a->n, a->k, identity, &err));
    cleave_metrics_init(&is, sizeof is);
    CHECK_OK(cleave_evaluate(&is, a->g, m, NULL, &err));
    cleave_mapping_free(m);
    return f.overload == 0 && is.acyclic == 1;
}

static void test_dags(void)
{
    static const char *const graphs[] = {"layered:12:20:3", "stencil:10x10:6",
                                         "polybench:trisolv:40"};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            asked a;
            cleave_mapping *m = NULL;
            cleave_metrics is;
            ask_machine(&a, graphs[i], machines[2 * j], (cleave_effort)(j % 3));
            CHECK_EQ(cleave_graph_kind(a.g), CLEAVE_DAG);
            a.opt.method = j % 2 ? "drb" : "auto";
            cleave_status status = ask_map(&a, &m);
            CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
            REQUIRE(m != NULL);
            cleave_metrics_init(&is, sizeof is);
            REQUIRE_OK(cleave_evaluate(&is, a.g, m, NULL, &err));
            CHECK_EQ(is.acyclic, 1);
            CHECK_EQ(a.report.cost, cost_of(&a, cleave_mapping_parts(m)));
            if (is_identity_allowed(&a))
                CHECK(a.report.cost <= a.report.cost_identity);
            cleave_mapping_free(m);
            asked_free(&a);
        }
}

int main(void)
{
    RUN(test_methods);
    RUN(test_policies);
    RUN(test_known);
    RUN(test_demands);
    RUN(test_start);
    RUN(test_threads);
    RUN(test_objectives);
    RUN(test_distances_aside);
    RUN(test_connected);
    RUN(test_few_uneven);
    RUN(test_one_to_one);
    RUN(test_sparse);
    RUN(test_sparse_memory);
    RUN(test_one_to_one_congestion);
    RUN(test_one_to_one_known);
    RUN(test_one_to_one_idle);
    RUN(test_one_to_one_refused);
    RUN(test_dags);
    return test_end();
}
