/* SPDX-License-Identifier: Apache-2.0 */
/* Circuits against the recursive oracle, and bit for bit against the simple program: random
 * ones and the shared files, all methods, synchronisations, numbers of threads and sizes of
 * batches. */
#include <math.h>

#include "base/rng.h"
#include "formats/psdd.h"
#include "oracle/circuit_oracle.h"
#include "support/test.h"

enum { most_instances = 70, team_sizes = 4 };

static cleave_error err;
static const int sizes[team_sizes] = {1, 2, 3, 8};
static cleave_team *teams[team_sizes];
/* So that even small circuits have layers. */
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 0.5};

static cleave_circuit_plan *make_plan(const cleave_circuit *c, const char *method,
                                      const char *sync, int which, bool low_cost)
{
    cleave_circuit_plan *plan = NULL;
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.sync = sync;
    opt.team = teams[which];
    opt.costs = low_cost ? &cheap : NULL;
    CHECK_OK(cleave_circuit_plan_create(&plan, c, &opt, &err));
    return plan;
}

/* Complete, nothing known, partial. */
static void draw(int8_t *evidence, int32_t variables, int count, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 5, 0, 0);
    for (int i = 0; i < count; i++)
        for (int32_t v = 0; v < variables; v++)
            evidence[i * variables + v] =
                i == 1 ? -1 : (int8_t)((int)clv_rng_below(&rng, i % 2 ? 3 : 2) - i % 2);
}

static void evaluate(cleave_circuit_plan *plan, int mode, int64_t count,
                     const int8_t *evidence, double *result)
{
    cleave_circuit_options opt;
    cleave_circuit_options_init(&opt, sizeof opt);
    opt.space = mode & 1 ? "linear" : mode & 4 ? "log" : NULL;
    opt.query = mode & 2 ? "max" : NULL;
    for (int64_t i = 0; i < count; i++)
        result[i] = 7;
    CHECK_OK(cleave_circuit_evaluate(plan, &opt, count, evidence, result, &err));
}

static bool near(double got, long double want, double tolerance)
{
    if (want == -INFINITY)
        return got == -INFINITY;
    return fabsl(got - want) <= tolerance * (1 + fabsl(want));
}

/* The simple program against the oracle. */
static void check_values(const cleave_circuit *c, cleave_circuit_plan *plan, int32_t variables,
                         const int8_t *evidence, int count, double tolerance)
{
    double result[most_instances];
    for (int mode = 0; mode < 4; mode++) {
        evaluate(plan, mode, count, evidence, result);
        for (int i = 0; i < count; i++) {
            long double want = oracle_circuit(c, evidence + i * variables, mode & 2);
            CHECK(near(result[i], want, tolerance));
        }
    }
}

/* Another plan against the simple one. */
static void check_bits(cleave_circuit_plan *simple, cleave_circuit_plan *plan,
                       int32_t variables, const int8_t *evidence)
{
    static const int counts[] = {1, 3, 8, 9, 17, 64, most_instances};
    double want[most_instances], got[most_instances];
    for (int mode = 0; mode < 4; mode++) {
        evaluate(simple, mode, most_instances, evidence, want);
        for (int i = mode; i < 7; i += 2) {
            int skip = most_instances - counts[i];
            evaluate(plan, mode, counts[i], evidence + skip * variables, got);
            CHECK(memcmp(got, want + skip, (size_t)counts[i] * sizeof *got) == 0);
        }
    }
}

static void check_methods(const cleave_circuit *c, cleave_circuit_plan *simple,
                          int32_t variables, const int8_t *evidence, uint64_t seed)
{
    static const char *const methods[] = {"auto", "grow", "levels", "graphopt", "serial"};
    static const char *const syncs[] = {"auto", "barrier", "p2p", "stale"};
    for (int m = 0; m < 5; m++) {
        int which = (int)(seed + (uint64_t)m) % team_sizes;
        cleave_circuit_plan *plan = make_plan(
            c, methods[m], syncs[(seed / 4 + (uint64_t)m) % 4], which, seed % 8 != 0);
        check_bits(simple, plan, variables, evidence);
        cleave_circuit_plan_free(plan);
    }
}

static void test_random(void)
{
    static int8_t evidence[most_instances * 16];
    int impossible = 0, possible = 0;
    for (uint64_t seed = 0; seed < 64; seed += TEST_STRIDE) {
        char *text = oracle_circuit_text(seed);
        cleave_circuit *c = NULL;
        REQUIRE_OK(cleave_circuit_read(&c, test_file("random.psdd", text), &err));
        int32_t variables = cleave_circuit_variables(c);
        REQUIRE(variables <= 16);
        draw(evidence, variables, most_instances, seed);
        cleave_circuit_plan *simple = make_plan(c, "serial", NULL, 0, false);
        check_values(c, simple, variables, evidence, 12, 1e-12);
        check_methods(c, simple, variables, evidence, seed);
        double root;
        evaluate(simple, 0, 1, evidence, &root);
        impossible += root == -INFINITY;
        possible += root > -INFINITY;
        cleave_circuit_plan_free(simple);
        cleave_circuit_free(c);
        free(text);
    }
    CHECK(impossible > 0 && possible > 3);
}

/* ---- By hand -------------------------------------------------------------------------- */

/* P(1) = 0.25; given 1: P(2) = 0.5; else 2 is false. */
static const char by_hand[] = "psdd 5\n"
                              "L 0 0 1\n"
                              "L 1 0 -1\n"
                              "T 2 2 2 -0.6931471805599453\n"
                              "L 3 2 -2\n"
                              "D 4 1 2 0 2 -1.3862943611198906 1 3 -0.2876820724517809\n";

static void test_by_hand(void)
{
    static const int8_t evidence[] = {1, 1, 0, 1, -1, -1, -1, 0, 0, -1};
    static const double sum[] = {0.125, 0, 1, 0.875, 0.75},
                        max[] = {0.125, 0, 0.75, 0.75, 0.75};
    double result[5];
    cleave_circuit *c = NULL;
    REQUIRE_OK(cleave_circuit_read(&c, test_file("hand.psdd", by_hand), &err));
    CHECK_EQ(cleave_circuit_variables(c), 2);
    CHECK_EQ(cleave_circuit_nodes(c), 5);
    CHECK_EQ(cleave_circuit_elements(c), 2);
    cleave_circuit_plan *plan = make_plan(c, NULL, NULL, 1, false);
    for (int mode = 0; mode < 8; mode++) {
        const double *want = mode & 2 ? max : sum;
        evaluate(plan, mode, 5, evidence, result);
        for (int i = 0; i < 5; i++)
            CHECK(near(result[i], logl(want[i]), 1e-15));
    }
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_circuit_plan_info(plan, &info);
    CHECK_STR(info.method, "serial");
    CHECK_EQ(info.threads, 1);
    CHECK_EQ(info.layers, 1);
    CHECK_EQ(info.nonzeros, 2);
    cleave_circuit_plan_free(plan);
    cleave_circuit_free(c);
}

static void test_conditional(void)
{
    static const int8_t given[] = {-1, -1, 1, -1, -1, 0, 0, 1, 1, -1};
    static const int8_t asked[] = {1, -1, -1, 1, 0, -1, -1, -1, 0, -1};
    static const double want[] = {0.25, 0.5, 0.75 / 0.875, -1, 0};
    double result[5];
    cleave_circuit *c = NULL;
    REQUIRE_OK(cleave_circuit_read(&c, test_file("hand.psdd", by_hand), &err));
    cleave_circuit_plan *plan = make_plan(c, NULL, NULL, 0, false);
    CHECK_OK(cleave_circuit_conditional(plan, NULL, 5, asked, given, result, &err));
    for (int i = 0; i < 5; i++)
        CHECK(want[i] < 0 ? isnan(result[i]) : near(result[i], logl(want[i]), 1e-15));
    CHECK_OK(cleave_circuit_conditional(plan, NULL, 0, NULL, NULL, NULL, &err));
    cleave_circuit_plan_free(plan);
    cleave_circuit_free(c);
}

/* ---- The most probable assignment ----------------------------------------------------- */

/* Of a deterministic and decomposable circuit: a chain x1 -> x2 -> ... where each variable
 * equals the one before it with some probability; the last one is a leaf of both values. */
static char *chain_text(int variables, clv_rng *rng)
{
    char *text = malloc((size_t)variables * 600 + 100), *at = text;
    int id = 0, below[2] = {-1, -1};
    at += sprintf(at, "psdd 0\n");
    for (int v = variables; v >= 1; v--) {
        int yes = id++, no = id++, node[2];
        at += sprintf(at, "L %d 0 %d\nL %d 0 %d\n", yes, v, no, -v);
        for (int before = 0; before < 2; before++) {
            double p = (1 + clv_rng_below(rng, 998)) / 1000.0;
            node[before] = id++;
            if (v == variables)
                at += sprintf(at, "T %d 0 %d %.17g\n", node[before], v, log(p));
            else
                at += sprintf(at, "D %d 0 2 %d %d %.17g %d %d %.17g\n", node[before], yes,
                              below[1], log(p), no, below[0], log(1 - p));
        }
        below[0] = node[0];
        below[1] = node[1];
    }
    return text;
}

static void test_most_probable(void)
{
    enum { variables = 9, all = 1 << variables };
    static int8_t evidence[20 * variables], found[20 * variables], complete[all * variables];
    static double each[all];
    clv_rng rng = clv_rng_make(3, 3, 3, 3);
    for (int round = 0; round < 10; round++) {
        char *text = chain_text(variables, &rng);
        cleave_circuit *c = NULL;
        double value[20], again[20], largest[20];
        REQUIRE_OK(cleave_circuit_read(&c, test_file("chain.psdd", text), &err));
        cleave_circuit_plan *plan = make_plan(c, NULL, NULL, 1, false);
        draw(evidence, variables, 20, (uint64_t)round);
        for (int k = 0; k < all * variables; k++)
            complete[k] = (int8_t)(k / variables >> k % variables & 1);
        evaluate(plan, 0, all, complete, each);
        CHECK_OK(cleave_circuit_most_probable(plan, 20, evidence, found, value, &err));
        evaluate(plan, 0, 20, found, again);
        evaluate(plan, 2, 20, evidence, largest);
        for (int i = 0; i < 20; i++) {
            double best = -INFINITY;
            for (int k = 0; k < all; k++) {
                bool agrees = true;
                for (int v = 0; v < variables; v++)
                    agrees =
                        agrees && (evidence[i * variables + v] < 0 ||
                                   evidence[i * variables + v] == complete[k * variables + v]);
                best = agrees && each[k] > best ? each[k] : best;
            }
            CHECK(value[i] == largest[i] && near(value[i], best, 1e-14));
            CHECK(near(again[i], best, 1e-14));
            for (int v = 0; v < variables; v++)
                CHECK(found[i * variables + v] >= 0 &&
                      (evidence[i * variables + v] < 0 ||
                       found[i * variables + v] == evidence[i * variables + v]));
        }
        cleave_circuit_plan_free(plan);
        cleave_circuit_free(c);
        free(text);
    }
}

/* ---- Files ---------------------------------------------------------------------------- */

static const char *const files[] = {
    "little_4var.psdd",   "wilt.psdd",      "nltcs.psdd",        "elevators.psdd",
    "mnist-antonio.psdd", "dna.psdd",       "msnbc.psdd",        "insurance.psdd",
    "ad.psdd.gz",         "plants.psdd.gz", "accidents.psdd.gz", "pumsb_star.psdd.gz"};

static void check_file(const char *path, int which)
{
    cleave_circuit *c = NULL;
    REQUIRE_OK(cleave_circuit_read(&c, path, &err));
    int32_t variables = cleave_circuit_variables(c);
    int8_t *evidence = malloc((size_t)variables * most_instances);
    double nothing_known[2];
    draw(evidence, variables, most_instances, 9);
    cleave_circuit_plan *simple = make_plan(c, "serial", NULL, 0, false);
    check_values(c, simple, variables, evidence, 6, 1e-13);
    evaluate(simple, 0, 2, evidence, nothing_known);
    CHECK(fabs(nothing_known[1]) < 1e-9);
    cleave_circuit_plan *plan =
        make_plan(c, which % 2 ? "grow" : NULL, NULL, 1 + which % 3, false);
    check_bits(simple, plan, variables, evidence);
    cleave_circuit_plan_free(plan);
    cleave_circuit_plan_free(simple);
    cleave_circuit_free(c);
    free(evidence);
}

static void test_files(void)
{
    char path[5000];
    const char *folder = test_shared("psdd", 12);
    for (int i = 0; folder && i < 12; i += TEST_STRIDE) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (!strstr(cleave_features(), "zlib") && strstr(path, ".gz"))
            continue;
        check_file(path, i);
    }
}

static void test_graph(void)
{
    cleave_circuit *c = NULL;
    cleave_graph *g = NULL, *same = NULL;
    const char *path = test_file("hand.psdd", by_hand);
    cleave_csr a = {.size = sizeof a}, b = {.size = sizeof b};
    REQUIRE_OK(cleave_circuit_read(&c, path, &err));
    REQUIRE_OK(cleave_circuit_graph(&g, c, &err));
    REQUIRE_OK(cleave_graph_read(&same, path, NULL, &err));
    cleave_graph_view(g, &a);
    cleave_graph_view(same, &b);
    CHECK_EQ(a.nvtx, b.nvtx);
    CHECK_EQ(a.kind, b.kind);
    CHECK(memcmp(a.xadj, b.xadj, 6 * sizeof *a.xadj) == 0);
    CHECK(memcmp(a.adj, b.adj, (size_t)a.xadj[5] * sizeof *a.adj) == 0);
    CHECK(memcmp(a.vwgt, b.vwgt, 5 * sizeof *a.vwgt) == 0);
    cleave_graph_free(g);
    cleave_graph_free(same);
    cleave_circuit_free(c);
}

int main(void)
{
    for (int i = 0; i < team_sizes; i++)
        CHECK_OK(cleave_team_create(&teams[i], sizes[i], &err));
    RUN(test_by_hand);
    RUN(test_conditional);
    RUN(test_most_probable);
    RUN(test_graph);
    RUN(test_random);
    RUN(test_files);
    for (int i = 0; i < team_sizes; i++)
        cleave_team_free(teams[i]);
    return test_end();
}
