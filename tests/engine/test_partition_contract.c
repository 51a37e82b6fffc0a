/* SPDX-License-Identifier: Apache-2.0 */
/* The result contract of cleave_map in edge cases, for all efforts: no part is empty that
 * could be filled, feasible bounds are met, and otherwise the status reports it and the result
 * is the best possible. */
#include "engine/map_fixture.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1 };

static const char *const graphs[] = {
    "grid2d:12x10",   "rgg:150:6",       "rmat:7:4", "star:100", "pieces:160",
    "clique:40",      "path:90",         "cycle:64", "empty:70", "empty:1",
    "rgg:200:7 ewgt", "tree:130:random", "empty:2",  "path:3",   "gnp:120:0.01",
};
enum { ngraphs = sizeof graphs / sizeof *graphs };

/* Maps and checks; least: the unavoidable overload. */
static cleave_status check(asked *a, int64_t least, facts *f)
{
    cleave_mapping *m = NULL;
    cleave_status status = ask_map_in_time(a, least, &m);
    const char *wrong = fixture_judge(a, status, m, f);
    CHECK(!wrong);
    CHECK((a->err.message[0] == '\0') == (status == CLEAVE_OK));
    if (wrong)
        fprintf(stderr, "  %s\n", wrong);
    cleave_mapping_free(m);
    return status;
}

static void must(asked *a, facts *f)
{
    cleave_status status = check(a, 0, f);
    CHECK_EQ(status, CLEAVE_OK);
    if (status != CLEAVE_OK)
        fprintf(stderr, "  %s into %d, effort %d: %s\n", a->name, a->k, (int)a->opt.effort,
                a->err.message);
}

/* Vertices that weigh 1 fit into any number of parts, without any slack. */
static void test_numbers_of_parts(void)
{
    for (int i = 0; i < ngraphs; i++)
        for (int e = 0; e < efforts; e++) {
            cleave_graph *g = fixture_graph(graphs[i]);
            int32_t n = cleave_graph_vertices(g);
            cleave_graph_free(g);
            int32_t ks[] = {1, 2, 3, n / 3, n / 2, n - 1, n, n + 1, 3 * n + 2};
            for (int j = 0; j < (int)(sizeof ks / sizeof *ks); j++) {
                asked a;
                facts f;
                if (ks[j] < 1)
                    continue;
                ask(&a, graphs[i], ks[j], (cleave_effort)e);
                a.opt.time_limit /= 4;
                a.thousandths = j % 2 ? 0 : 30;
                must(&a, &f);
                CHECK_EQ(f.empty, ks[j] > n ? ks[j] - n : 0);
                if (ks[j] == 1)
                    CHECK_EQ(f.cut, 0);
                asked_free(&a);
            }
        }
}

static void test_no_vertices(void)
{
    for (int e = 0; e < efforts; e++)
        for (int32_t k = 1; k < 5; k += 3) {
            asked a;
            facts f;
            ask(&a, "empty:0", k, (cleave_effort)e);
            must(&a, &f);
            CHECK_EQ(f.empty, k);
            asked_free(&a);
        }
}

static void test_zero_weights(void)
{
    static const char *const weightless[] = {
        "grid2d:12x10 none", "grid2d:12x10 zero", "star:100 none",      "star:100 zero",
        "clique:30 none",    "pieces:160 zero",   "rgg:200:7 two zero", "path:90 two none",
    };
    for (int i = 0; i < (int)(sizeof weightless / sizeof *weightless); i++)
        for (int e = 0; e < efforts; e++)
            for (int32_t k = 2; k < 60; k = 3 * k + 1) {
                asked a;
                facts f;
                ask(&a, weightless[i], k, (cleave_effort)e);
                a.thousandths = 200;
                /* Two weights leave too little room among many parts. */
                if (a.ncon == 1 || k == 2)
                    must(&a, &f);
                else
                    check(&a, INT64_MAX, &f);
                CHECK_EQ(f.empty, a.n < k ? k - a.n : 0);
                asked_free(&a);
            }
}

/* One vertex as heavy as all others: it is alone, and the rest is balanced. */
static void test_heavy(void)
{
    static const char *const heavy[] = {"grid2d:12x10 heavy", "star:100 heavy",
                                        "clique:40 heavy",    "path:90 heavy",
                                        "empty:70 heavy",     "rgg:200:7 heavy ewgt"};
    for (int i = 0; i < (int)(sizeof heavy / sizeof *heavy); i++)
        for (int e = 0; e < efforts; e++)
            for (int32_t k = 2; k < 12; k += 3) {
                asked a;
                facts f;
                ask(&a, heavy[i], k, (cleave_effort)e);
                int64_t above = a.n - fixture_bound(&a, 0, 0);
                cleave_status status = check(&a, above > 0 ? above : 0, &f);
                CHECK_EQ(status, above > 0 ? CLEAVE_EBALANCE : CLEAVE_OK);
                CHECK_EQ(f.overload, above > 0 ? above : 0);
                CHECK_EQ(f.empty, 0);
                if (status == CLEAVE_EBALANCE)
                    CHECK(strncmp(a.err.message, "vertex 0 alone weighs", 21) == 0);
                asked_free(&a);
            }
}

/* Groups larger than a part, and a lower bound beyond all weight. */
static void test_impossible(void)
{
    static int32_t groups[200];
    static const int64_t min[] = {100, 100, 100};
    for (int e = 0; e < efforts; e++) {
        asked a;
        facts f;
        ask(&a, "grid2d:12x10", 3, (cleave_effort)e);
        for (int32_t v = 0; v < a.n; v++)
            groups[v] = v < 80 ? 5 : -1;
        a.c.groups = groups;
        CHECK_EQ(check(&a, 39, &f), CLEAVE_EBALANCE);
        CHECK_EQ(f.overload, 80 - 41);
        CHECK_EQ(f.empty, 0);
        a.c.groups = NULL;
        a.c.min = min;
        a.c.max = (const int64_t[]){120, 120, 120};
        CHECK_EQ(check(&a, 180, &f), CLEAVE_EBALANCE);
        CHECK_EQ(f.overload, 180);
        CHECK_EQ(f.empty, 0);
        asked_free(&a);
    }
}

/* Weights near the limit of what a number holds. */
static void test_large_weights(void)
{
    static int32_t vwgt[400], ewgt[2000];
    for (int e = 0; e < efforts; e++) {
        asked a;
        facts f;
        ask(&a, "grid2d:20x20", 4, (cleave_effort)e);
        for (int32_t v = 0; v < 400; v++)
            vwgt[v] = INT32_MAX - fixture_draw(21, v, 1000);
        for (int i = 0; i < 2000; i++)
            ewgt[i] = INT32_MAX;
        cleave_csr csr = a.csr;
        csr.vwgt = vwgt;
        csr.ewgt = ewgt;
        cleave_graph *g = NULL;
        cleave_error err;
        CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
        cleave_graph_free(a.g);
        a.g = g;
        cleave_graph_view(g, &a.csr);
        must(&a, &f);
        CHECK(f.cut < 80 * (int64_t)INT32_MAX);
        asked_free(&a);
    }
}

int main(void)
{
    RUN(test_numbers_of_parts);
    RUN(test_no_vertices);
    RUN(test_zero_weights);
    RUN(test_heavy);
    RUN(test_impossible);
    RUN(test_large_weights);
    return test_end();
}
