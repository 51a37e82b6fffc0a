/* SPDX-License-Identifier: Apache-2.0 */
/* How far from optimal are acyclic partitions of small DAGs?  The optimum of 500 random DAGs
 * of up to 16 vertices is known (tests/oracle/acyclic_oracle.h); the distribution of the ratio
 * is printed for each effort.  Effort best must find the optimum in 95 % of the cases. */
#include "engine/acyclic_fixture.h"
#include "oracle/acyclic_oracle.h"
#include "support/test.h"

enum { instances = 500, most_sets = 1500, efforts = CLEAVE_EFFORT_BEST + 1 };

/* Bounds of the parts as the options give them. */
static acyclic_bounds bounds_of(const asked *a)
{
    acyclic_bounds b = {.nparts = a->k};
    for (int32_t p = 0; p < a->k; p++)
        b.max[p] = fixture_bound(a, p, 0);
    return b;
}

typedef struct shape {
    int32_t n, k, density, vwgt, ewgt, thousandths;
    const int32_t *speeds;
} shape;

static shape draw_shape(uint64_t i)
{
    static const int32_t slack[] = {30, 30, 100, 200, 500}, chances[] = {120, 200, 300, 450};
    static const int32_t uneven[3][ACYCLIC_MAX_PARTS] = {{1, 2}, {3, 1, 2}, {2, 1, 1, 3}};
    shape s = {.n = 5 + fixture_draw(101, (int64_t)i, 12),
               .k = 2 + fixture_draw(102, (int64_t)i, 3),
               .density = chances[fixture_draw(103, (int64_t)i, 4)],
               .vwgt = fixture_draw(104, (int64_t)i, 2) ? 4 : 0,
               .ewgt = fixture_draw(105, (int64_t)i, 2) ? 9 : 0,
               .thousandths = slack[fixture_draw(106, (int64_t)i, 5)]};
    if (fixture_draw(107, (int64_t)i, 5) == 0)
        s.speeds = uneven[s.k - 2];
    return s;
}

/* The optimum of instance i; -1 when it has no solution or too many sets. */
static int64_t make(asked *a, uint64_t i)
{
    shape s = draw_shape(i);
    ask_graph(a, "random", acyclic_fixture_random(i, s.n, s.density, s.vwgt, s.ewgt), s.k,
              CLEAVE_EFFORT_FAST);
    a->thousandths = s.thousandths;
    if (s.speeds)
        ask_speeds(a, s.speeds);
    if (oracle_closed_sets(&a->csr) > most_sets)
        return -2;
    acyclic_bounds b = bounds_of(a);
    return oracle_optimum(&a->csr, &b, CLEAVE_OBJECTIVE_CUT);
}

/* ---- The oracle itself ------------------------------------------------------------------ */

static void test_oracle(void)
{
    int feasible = 0;
    for (uint64_t i = 0; i < 120; i++) {
        asked a;
        shape s = draw_shape(i + 9000);
        int32_t n = 3 + (int32_t)(i % 5);
        ask_graph(&a, "random", acyclic_fixture_random(i, n, s.density, s.vwgt, s.ewgt), s.k,
                  CLEAVE_EFFORT_FAST);
        a.thousandths = s.thousandths;
        if (s.speeds)
            ask_speeds(&a, s.speeds);
        acyclic_bounds b = bounds_of(&a);
        b.min[0] = i % 3 == 0 ? 2 : 0;
        for (int o = CLEAVE_OBJECTIVE_CUT; o <= CLEAVE_OBJECTIVE_VOLUME; o++) {
            int64_t slow = oracle_optimum_slow(&a.csr, &b, (cleave_objective)o);
            CHECK_EQ(oracle_optimum(&a.csr, &b, (cleave_objective)o), slow);
            feasible += slow >= 0;
        }
        asked_free(&a);
    }
    CHECK(feasible > 60 && feasible < 240);
}

/* Figure 1 of the acyclic partitioning paper: s u v x y t, halves of three. */
static void test_figure(void)
{
    static const int64_t xadj[] = {0, 2, 5, 6, 6, 6, 6};
    static const int32_t adj[] = {1, 2, 3, 4, 5, 5};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 6;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *g = NULL;
    cleave_error err;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    acyclic_bounds b = {.nparts = 2, .max = {3, 3}};
    CHECK_EQ(oracle_optimum(&csr, &b, CLEAVE_OBJECTIVE_CUT), 3);
    asked a;
    ask_graph(&a, "figure 1", g, 2, CLEAVE_EFFORT_FAST);
    for (int e = 0; e < efforts; e++) {
        facts f;
        ask_effort(&a, (cleave_effort)e);
        const char *wrong = dag_map(&a, DAG_OK, &f, NULL);
        CHECK_STR(wrong ? wrong : "", "");
        CHECK_EQ(f.cut, 3);
    }
    asked_free(&a);
}

/* ---- The efforts ------------------------------------------------------------------------ */

static const double steps[] = {1, 1.05, 1.1, 1.25, 1.5, 2};
enum { nsteps = sizeof steps / sizeof *steps };

/* Of one effort: how many are within each step of the optimum, beyond all, or not valid. */
typedef struct distribution {
    int within[nsteps + 1], failed, count;
    double sum; /* of the factors */
} distribution;

static void enter(distribution *d, int64_t cut, int64_t optimum)
{
    double factor = optimum > 0 ? (double)cut / (double)optimum : cut > 0 ? 9 : 1;
    int at = 0;
    while (at < nsteps && factor > steps[at])
        at++;
    d->within[at]++;
    d->sum += factor;
}

/* There is a partition within the bounds: an effort that reports none did not find it. */
static void measure(asked *a, int effort, int64_t optimum, uint64_t i, distribution *d)
{
    facts f;
    cleave_mapping *m = NULL;
    ask_effort(a, (cleave_effort)effort);
    a->opt.time_limit = 0;
    cleave_status status = ask_map(a, &m);
    const char *wrong = dag_judge(a, status, m, &f);
    CHECK(!wrong);
    if (wrong)
        fprintf(stderr, "  instance %d: %s\n", (int)i, wrong);
    CHECK(wrong || status != CLEAVE_OK || f.cut >= optimum);
    d->count++;
    if (status == CLEAVE_OK && !wrong)
        enter(d, f.cut, optimum);
    else
        d->failed++;
    cleave_mapping_free(m);
}

static void print(const distribution *d)
{
    static const char *const names[] = {"fast", "default", "quality", "best"};
    printf("%-8s %8s", "", "optimal");
    for (int i = 1; i < nsteps; i++)
        printf(" <= %4.2f", steps[i]);
    printf("   beyond  none   mean\n");
    for (int e = 0; e < efforts; e++) {
        printf("%-8s", names[e]);
        for (int i = 0; i <= nsteps; i++)
            printf(" %5.1f %%", 100.0 * d[e].within[i] / d[e].count);
        printf(" %5d  %5.3f\n", d[e].failed, d[e].sum / (d[e].count - d[e].failed));
    }
}

static void test_optimum(void)
{
    static distribution d[efforts];
    int count = 0, infeasible = 0, skipped = 0;
    for (uint64_t i = 0; count < instances && i < 6 * instances; i++) {
        asked a;
        int64_t optimum = make(&a, i);
        if (optimum >= 0) {
            for (int e = 0; e < efforts; e++)
                measure(&a, e, optimum, i, &d[e]);
            count++;
        } else if (optimum == -1 && infeasible < 50) {
            /* What cannot be balanced is not said to be. */
            facts f;
            cleave_mapping *m = NULL;
            cleave_status status = ask_map(&a, &m);
            const char *wrong = dag_judge(&a, status, m, &f);
            CHECK_STR(wrong ? wrong : "", "");
            CHECK_EQ(status, CLEAVE_EBALANCE);
            cleave_mapping_free(m);
            infeasible++;
        }
        skipped += optimum == -2;
        asked_free(&a);
    }
    CHECK_EQ(count, instances);
    print(d);
    printf("left out: %d DAGs with more than %d closed sets, too many for the oracle\n",
           skipped, (int)most_sets);
    CHECK(100 * d[CLEAVE_EFFORT_BEST].within[0] >= 95 * d[CLEAVE_EFFORT_BEST].count);
}

int main(void)
{
    RUN(test_oracle);
    RUN(test_figure);
    RUN(test_optimum);
    return test_end();
}
