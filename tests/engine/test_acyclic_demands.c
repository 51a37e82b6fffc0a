/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints on the mapping of a DAG besides balance: shares, bounds, fixed vertices, groups,
 * a start, the volume as the objective; for all efforts.  Constraints that could be infeasible
 * are derived from an existing solution: slices of a topological order with permuted part
 * numbers. */
#include "engine/acyclic_fixture.h"
#include "oracle/acyclic_oracle.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1, most = 4000 };

static const char *const zoo[] = {
    "up grid2d:24x24",     "mix rgg:900:8",  "mix rmat:9:6",       "up star:300",
    "down star:300",       "up pieces:600",  "up path:500",        "mix gnp:400:0.02 ewgt",
    "mix tree:600:random", "layers:20:30:3", "up empty:200",       "polybench:2mm:4x5x6x7",
    "polybench:lu:8",      "up clique:60",   "mix rgg:600:7 ewgt",
};
enum { nzoo = sizeof zoo / sizeof *zoo };

/* The efforts that take long only have every third DAG. */
static bool skipped(int i, int effort)
{
    return effort >= CLEAVE_EFFORT_QUALITY && (i + effort) % 3;
}

static int32_t hidden[most], fixed[most], groups[most];

static void must(asked *a, dag_demand demand, facts *f)
{
    const char *wrong = dag_map(a, demand, f, NULL);
    CHECK_STR(wrong ? wrong : "", "");
}

/* ---- Parts ------------------------------------------------------------------------------ */

static void test_shares(void)
{
    static const int32_t speeds[] = {8, 1, 4, 0, 2}, shares[] = {1, 6, 2, 3, 2};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            asked a;
            facts f;
            ask_dag(&a, zoo[i], 5, (cleave_effort)e);
            ask_speeds(&a, speeds);
            must(&a, DAG_OK, &f);
            CHECK_EQ(f.empty, 1);
            a.shares = shares; /* in place of the speeds, but one that is idle stays so */
            must(&a, DAG_OK, &f);
            CHECK_EQ(f.empty, 1);
            asked_free(&a);
        }
}

/* Bounds on both sides of the weights that a hidden solution has. */
static void test_min_max(void)
{
    static const int32_t sizes[] = {1, 5, 2, 3, 4};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            int64_t min[5] = {0}, max[5] = {0};
            asked a;
            facts f;
            ask_dag(&a, zoo[i], 5, (cleave_effort)e);
            acyclic_fixture_slices(&a, (uint64_t)i, sizes, hidden);
            for (int32_t v = 0; v < a.n; v++)
                max[hidden[v]]++;
            for (int p = 0; p < 5; p++) {
                min[p] = max[p] - max[p] / 20;
                max[p] += p % 2 ? max[p] / 20 : 0;
            }
            a.c.min = min;
            a.c.max = max;
            must(&a, DAG_OK, &f);
            asked_free(&a);
        }
}

static void test_imbalance_by_part(void)
{
    static const int32_t each[] = {20, 600, 20, 300, 20};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            asked a;
            facts f;
            ask_dag(&a, zoo[i], 5, (cleave_effort)e);
            a.thousandths = 800;
            a.each = each;
            must(&a, DAG_OK, &f);
            asked_free(&a);
        }
}

/* ---- Vertices --------------------------------------------------------------------------- */

/* Of a hidden solution one vertex in ten is fixed, or a few only, or every one. */
static void test_fixed(void)
{
    static const int32_t one_in[] = {10, 100, 1};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++)
            for (int way = 0; way < 3; way++) {
                if (skipped(i + way, e))
                    continue;
                asked a;
                facts f;
                ask_dag(&a, zoo[i], 2 + (i + way) % 5, (cleave_effort)e);
                a.thousandths = 100;
                acyclic_fixture_slices(&a, (uint64_t)i + 40, NULL, hidden);
                for (int32_t v = 0; v < a.n; v++)
                    fixed[v] = fixture_draw(31, v, one_in[way]) == 0 ? hidden[v] : -1;
                a.c.fixed = fixed;
                must(&a, DAG_OK, &f);
                asked_free(&a);
            }
}

/* Groups of vertices of one slice, at any positions. */
static void test_groups(void)
{
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            asked a;
            facts f;
            ask_dag(&a, zoo[i], 2 + i % 3, (cleave_effort)e);
            a.thousandths = 200;
            acyclic_fixture_slices(&a, (uint64_t)i + 60, NULL, hidden);
            for (int32_t v = 0; v < a.n; v++)
                groups[v] =
                    fixture_draw(32, v, 30) == 0 ? 5 * hidden[v] + fixture_draw(33, v, 3) : -1;
            a.c.groups = groups;
            must(&a, DAG_VALID, &f);
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = groups[v] >= 0 && groups[v] % 5 == 1 ? hidden[v] : -1;
            a.c.fixed = fixed;
            must(&a, DAG_VALID, &f);
            asked_free(&a);
        }
}

/* Fixed vertices that no acyclic mapping can have: an error that names the parts. */
static void refuse(const char *text, int32_t nparts, const int32_t *what, const int32_t *where)
{
    for (int e = 0; e < efforts; e++) {
        asked a;
        cleave_mapping *m = NULL;
        ask_dag(&a, text, nparts, (cleave_effort)e);
        for (int32_t v = 0; v < a.n; v++)
            fixed[v] = -1;
        for (int i = 0; what[i] >= 0; i++)
            fixed[what[i]] = where[i];
        a.c.fixed = fixed;
        CHECK_EQ(ask_map(&a, &m), CLEAVE_ECYCLE);
        CHECK(!m);
        CHECK(strlen(a.err.message) > 10 && strpbrk(a.err.message, "0123456789"));
        cleave_mapping_free(m);
        asked_free(&a);
    }
}

static void test_fixed_cycle(void)
{
    /* Along a path a part is left and entered again, with free vertices between. */
    refuse("up path:30", 2, (const int32_t[]){0, 10, 20, -1}, (const int32_t[]){0, 1, 0});
    refuse("up path:3", 3, (const int32_t[]){0, 1, 2, -1}, (const int32_t[]){2, 0, 2});
    /* Three parts that follow each other in a ring, on three paths of a pair of stars. */
    refuse("up pieces:600", 3, (const int32_t[]){0, 1, 145, 146, 290, 291, -1},
           (const int32_t[]){0, 1, 1, 2, 2, 0});
}

/* The same ring without its last step can be met. */
static void test_fixed_chain(void)
{
    for (int e = 0; e < efforts; e++) {
        asked a;
        facts f;
        ask_dag(&a, "up path:30", 3, (cleave_effort)e);
        for (int32_t v = 0; v < a.n; v++)
            fixed[v] = -1;
        fixed[3] = 2;
        fixed[14] = 0;
        fixed[25] = 1;
        a.c.fixed = fixed;
        must(&a, DAG_OK, &f);
        CHECK_EQ(f.cut, 2);
        asked_free(&a);
    }
}

/* ---- A start ---------------------------------------------------------------------------- */

static void start_from(asked *a, facts *before, facts *after)
{
    cleave_mapping *start = NULL;
    fixture_facts(a, hidden, before);
    if (cleave_mapping_create(&start, a->n, a->k, hidden, NULL) != CLEAVE_OK)
        abort();
    a->c.start = start;
    must(a, DAG_OK, after);
    a->c.start = NULL;
    cleave_mapping_free(start);
}

/* Never worse than an acyclic start within the bounds, for any time limit. */
static void test_start(void)
{
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            asked a;
            facts before, after;
            ask_dag(&a, zoo[i], 2 + i % 6, (cleave_effort)e);
            acyclic_fixture_slices(&a, (uint64_t)i + 80, NULL, hidden);
            start_from(&a, &before, &after);
            CHECK(before.overload > 0 || after.cut <= before.cut);
            a.opt.time_limit = 1e-6;
            start_from(&a, &before, &after);
            CHECK(before.overload > 0 || after.cut <= before.cut);
            asked_free(&a);
        }
}

/* A start that is cyclic, out of balance or both. */
static void test_bad_start(void)
{
    int cyclic = 0;
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++)
            for (int way = 0; way < 3; way++) {
                if (skipped(i + way, e))
                    continue;
                asked a;
                facts before, after;
                ask_dag(&a, zoo[i], 4, (cleave_effort)e);
                for (int32_t v = 0; v < a.n; v++)
                    hidden[v] = way == 0   ? v % 4
                                : way == 1 ? fixture_draw(34, v, 4)
                                           : (v < 5) + 2 * (v % 17 == 3);
                cyclic += !oracle_parts_acyclic(&a.csr, 4, hidden);
                start_from(&a, &before, &after);
                asked_free(&a);
            }
    CHECK(cyclic > nzoo);
}

/* The start and the fixed vertices agree or not: fixed vertices have precedence. */
static void test_start_and_fixed(void)
{
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            if (skipped(i, e))
                continue;
            asked a;
            facts before, after;
            ask_dag(&a, zoo[i], 3, (cleave_effort)e);
            a.thousandths = 100;
            acyclic_fixture_slices(&a, (uint64_t)i + 90, NULL, hidden);
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = fixture_draw(35, v, 12) == 0 ? hidden[v] : -1;
            a.c.fixed = fixed;
            start_from(&a, &before, &after);
            acyclic_fixture_slices(&a, (uint64_t)i + 91, NULL, hidden);
            start_from(&a, &before, &after);
            asked_free(&a);
        }
}

/* ---- Volume ----------------------------------------------------------------------------- */

/* Over all DAGs there is less of it when it is the objective.  Effort best is left out,
 * because its time limit makes the result depend on the speed of the machine. */
static void test_volume(void)
{
    static const char *const graphs[] = {
        "mix rgg:900:8 vsize ewgt", "mix rmat:9:6 vsize",        "layers:20:30:3",
        "polybench:2mm:6x8x10x12",  "polybench:covariance:8x10", "mix gnp:400:0.02 vsize ewgt",
        "polybench:doitgen:4x5x6",  "polybench:syr2k:6x8"};
    for (int e = 0; e < CLEAVE_EFFORT_BEST; e++) {
        int64_t sum[2] = {0, 0};
        for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
            for (int o = CLEAVE_OBJECTIVE_CUT; o <= CLEAVE_OBJECTIVE_VOLUME; o++) {
                asked a;
                facts f;
                ask_dag(&a, graphs[i], 4 + 4 * (i % 2), (cleave_effort)e);
                a.opt.objective = (cleave_objective)o;
                must(&a, DAG_OK, &f);
                sum[o] += f.volume;
                asked_free(&a);
            }
        CHECK(sum[CLEAVE_OBJECTIVE_VOLUME] < sum[CLEAVE_OBJECTIVE_CUT]);
        printf("effort %d: volume %lld as the objective, %lld with the cut\n", e,
               (long long)sum[CLEAVE_OBJECTIVE_VOLUME], (long long)sum[CLEAVE_OBJECTIVE_CUT]);
    }
}

int main(void)
{
    RUN(test_shares);
    RUN(test_min_max);
    RUN(test_imbalance_by_part);
    RUN(test_fixed);
    RUN(test_groups);
    RUN(test_fixed_cycle);
    RUN(test_fixed_chain);
    RUN(test_start);
    RUN(test_bad_start);
    RUN(test_start_and_fixed);
    RUN(test_volume);
    return test_end();
}
