/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting rows of every length by every code path, and the single steps of build.c: faults,
 * cleaning, symmetry. */
#include "graph/rows.h"

#include "base/rng.h"
#include "graph/symmetry.h"
#include "support/test.h"

static cleave_error err;

/* ---- Sorting ------------------------------------------------------------------------ */

typedef struct pair {
    int32_t key, wgt;
} pair;

static int by_key_and_weight(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->wgt > y->wgt) - (x->wgt < y->wgt);
}

typedef enum shape { RANDOM, FEW_KEYS, FALLING, RISING, SAW, HIGH, nshapes } shape;

static int32_t key_of(shape kind, int64_t i, int64_t n, clv_rng *rng)
{
    switch (kind) {
    case FEW_KEYS:
        return (int32_t)clv_rng_below(rng, 5);
    case FALLING:
        return (int32_t)(3 * (n - i));
    case RISING:
        return (int32_t)(2 * i);
    case SAW:
        return (int32_t)(i % 7 * 70000 + i / 7); /* both halves of the bits matter */
    case HIGH:
        return INT32_MAX - 1 - (int32_t)clv_rng_below(rng, 1u << 20);
    default:
        return (int32_t)clv_rng_below(rng, INT32_MAX);
    }
}

/* Weights of all 32 bits that a weight may have, moved together with their keys. */
static bool sorts(shape kind, int64_t n, bool weighted, clv_rng *rng)
{
    int64_t xadj[] = {0, n};
    clv_rows rows = {.nvtx = 1, .xadj = xadj, .adj = malloc((size_t)n * 4 + 4)};
    rows.ewgt = weighted ? malloc((size_t)n * 4 + 4) : NULL;
    pair *want = malloc((size_t)n * sizeof *want + 1),
         *got = malloc((size_t)n * sizeof *got + 1);
    for (int64_t i = 0; i < n; i++) {
        rows.adj[i] = key_of(kind, i, n, rng);
        want[i] = (pair){rows.adj[i], weighted ? (int32_t)clv_rng_below(rng, INT32_MAX) : 0};
        if (weighted)
            rows.ewgt[i] = want[i].wgt;
    }
    qsort(want, (size_t)n, sizeof *want, by_key_and_weight);
    clv_ws ws = {NULL};
    bool good = clv_rows_sort(&rows, &ws, &err) == CLEAVE_OK;
    clv_ws_free(&ws);
    for (int64_t i = 0; i < n; i++) {
        good = good && (i == 0 || rows.adj[i - 1] <= rows.adj[i]);
        got[i] = (pair){rows.adj[i], weighted ? rows.ewgt[i] : 0};
    }
    qsort(got, (size_t)n, sizeof *got, by_key_and_weight);
    good = good && memcmp(got, want, (size_t)n * sizeof *got) == 0;
    free(rows.adj);
    free(rows.ewgt);
    free(want);
    free(got);
    return good;
}

static void test_sort(void)
{
    /* Insertion up to 24, merging below 8192, radix from there on; all around the borders. */
    static const int64_t lengths[] = {0,  1,  2,  3,   7,    23,   24,   25,   26,
                                      31, 64, 65, 100, 1000, 8191, 8192, 8193, 30000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < nshapes; kind++)
            for (int weighted = 0; weighted < 2; weighted++) {
                clv_rng rng = clv_rng_make(i, (uint64_t)kind, (uint64_t)weighted, 0);
                bool good = sorts((shape)kind, lengths[i], weighted, &rng);
                if (!good)
                    fprintf(stderr, "length %lld, shape %d\n", (long long)lengths[i], kind);
                CHECK(good);
            }
}

/* Long and short rows in turn share one workspace; a row that ascends is not touched. */
static void test_sort_many_rows(void)
{
    enum { nrows = 60, most = 9000 };
    clv_rng rng = clv_rng_make(5, 0, 0, 0);
    static int64_t xadj[nrows + 1];
    static int32_t adj[nrows * most];
    for (int r = 0; r < nrows; r++) {
        int64_t n = r % 3 == 0 ? 10 : r % 3 == 1 ? 300 : r % 9 == 2 ? most : 2000;
        for (int64_t i = 0; i < n; i++)
            adj[xadj[r] + i] = r % 5 == 0 ? (int32_t)i : (int32_t)clv_rng_below(&rng, 1 << 30);
        xadj[r + 1] = xadj[r] + n;
    }
    clv_rows rows = {.nvtx = nrows, .xadj = xadj, .adj = adj};
    clv_ws ws = {NULL};
    REQUIRE_OK(clv_rows_sort(&rows, &ws, &err));
    clv_ws_free(&ws);
    bool good = true;
    for (int r = 0; r < nrows; r++)
        for (int64_t a = xadj[r] + 1; a < xadj[r + 1]; a++)
            good = good && adj[a - 1] <= adj[a] && (r % 5 || adj[a] == a - xadj[r]);
    CHECK(good);
}

static void test_sort_without_memory(void)
{
    static const int64_t lengths[] = {30, 9000};
    for (int i = 0; i < 2; i++)
        for (int64_t nth = 1;; nth++) {
            static int32_t adj[9000];
            int64_t xadj[] = {0, lengths[i]};
            for (int64_t k = 0; k < lengths[i]; k++)
                adj[k] = (int32_t)(lengths[i] - k);
            clv_rows rows = {.nvtx = 1, .xadj = xadj, .adj = adj};
            clv_ws ws = {NULL};
            test_alloc_fail_at(nth);
            cleave_status status = clv_rows_sort(&rows, &ws, &err);
            int64_t calls = test_alloc_calls();
            test_alloc_fail_at(0);
            clv_ws_free(&ws);
            CHECK_EQ(status, calls < nth ? CLEAVE_OK : CLEAVE_ENOMEM);
            CHECK_EQ(test_alloc_live(), 0);
            if (calls < nth)
                break;
        }
}

/* ---- Steps -------------------------------------------------------------------------- */

static bool strict_row(int32_t nvtx, int64_t count, const int32_t *row)
{
    int64_t xadj[] = {0, 0, count};
    clv_rows rows = {.nvtx = nvtx, .xadj = xadj, .adj = (int32_t *)row};
    return clv_rows_strict(&rows);
}

/* The row is that of vertex 1. */
static void test_strict(void)
{
    CHECK(strict_row(2, 0, NULL));
    CHECK(strict_row(2, 3, (int32_t[]){0, 2, 3}));
    CHECK(!strict_row(2, 3, (int32_t[]){0, 3, 2}));
    CHECK(!strict_row(2, 3, (int32_t[]){0, 2, 2}));
    CHECK(!strict_row(2, 3, (int32_t[]){0, 1, 2}));
    CHECK(!strict_row(2, 1, (int32_t[]){1}));
}

static void test_faults(void)
{
    int64_t xadj[] = {0, 3, 7, 9};
    int32_t adj[] = {1, 2, 2, 0, 1, 1, 1, 2, 2};
    int32_t ewgt[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    clv_rows rows = {.nvtx = 3, .xadj = xadj, .adj = adj, .ewgt = ewgt};
    clv_row_faults faults = clv_rows_faults(&rows);
    CHECK_EQ(faults.loops, 5);
    CHECK_EQ(faults.loop_vertex, 1);
    CHECK_EQ(faults.duplicates, 1);
    CHECK_EQ(faults.duplicate_vertex, 0);
    CHECK_EQ(faults.duplicate_neighbour, 2);
}

static void test_no_faults(void)
{
    int64_t xadj[] = {0, 1, 2};
    int32_t adj[] = {1, 0};
    clv_rows rows = {.nvtx = 2, .xadj = xadj, .adj = adj};
    clv_row_faults faults = clv_rows_faults(&rows);
    CHECK(faults.loops == 0 && faults.loop_vertex == -1 && faults.duplicates == 0);
    CHECK(faults.duplicate_vertex == -1 && faults.duplicate_neighbour == -1);
}

/* Step by step, as readers do it: the first row that contradicts an earlier one. */
static void test_symmetry_by_row(void)
{
    int64_t xadj[] = {0, 2, 3, 4}, cursor[3];
    int32_t adj[] = {1, 2, 0, 1};
    clv_rows rows = {.nvtx = 3, .xadj = xadj, .adj = adj};
    clv_asymmetry found = {.from = -1};
    CHECK(clv_symmetry_row(&rows, 0, cursor, &found));
    CHECK(clv_symmetry_row(&rows, 1, cursor, &found));
    CHECK(!clv_symmetry_row(&rows, 2, cursor, &found));
    CHECK(found.from == 2 && found.to == 1 && !found.unequal);
    adj[3] = 0;
    CHECK(clv_symmetry_row(&rows, 0, cursor, &found));
    CHECK_EQ(clv_symmetry_rest(&(clv_rows){.nvtx = 1, .xadj = xadj, .adj = adj}, cursor), 0);
    CHECK(clv_symmetry_row(&rows, 1, cursor, &found));
    CHECK(clv_symmetry_row(&rows, 2, cursor, &found));
    CHECK_EQ(clv_symmetry_rest(&rows, cursor), -1);
}

/* A star whose leaves do not answer: linear, however many there are. */
static void test_symmetry_of_a_star(void)
{
    enum { n = 200000 };
    clv_rows rows = {.nvtx = n,
                     .xadj = clv_alloc(n + 1, sizeof *rows.xadj),
                     .adj = clv_alloc(n - 1, sizeof *rows.adj)};
    rows.xadj[0] = 0;
    for (int32_t v = 0; v < n; v++)
        rows.xadj[v + 1] = n - 1;
    for (int32_t v = 0; v < n - 1; v++)
        rows.adj[v] = v + 1;
    clv_graph *g;
    clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_PATTERN};
    REQUIRE_OK(clv_build_graph(&g, CLEAVE_UNDIRECTED, &rows, &rules, NULL, &err));
    CHECK_EQ(g->narc, 2 * (n - 1));
    bool good = true;
    for (int32_t v = 1; v < n; v++)
        good = good && g->xadj[v + 1] - g->xadj[v] == 1 && g->adj[g->xadj[v]] == 0;
    CHECK(good);
    clv_graph_free(g);
}

/* Every set of arcs between four vertices, loops and all. */
static void test_symmetry_of_small_rows(void)
{
    for (uint32_t set = 0; set < 1u << 16; set++) {
        int64_t xadj[5] = {0};
        int32_t adj[16];
        bool symmetric = true;
        for (int32_t v = 0; v < 4; v++) {
            xadj[v + 1] = xadj[v];
            for (int32_t u = 0; u < 4; u++) {
                bool there = set >> (4 * v + u) & 1, back = set >> (4 * u + v) & 1;
                if (there)
                    adj[xadj[v + 1]++] = u;
                symmetric = symmetric && there == back && !(there && u == v);
            }
        }
        clv_rows rows = {.nvtx = 4, .xadj = xadj, .adj = adj};
        clv_ws ws = {NULL};
        clv_asymmetry found;
        REQUIRE_OK(clv_symmetry_check(&rows, NULL, &ws, &found, &err));
        clv_ws_free(&ws);
        REQUIRE(symmetric == (found.from < 0));
        REQUIRE(symmetric == clv_symmetry_proved(&rows));
        /* What is named is there one way, or is a loop. */
        REQUIRE(symmetric ||
                (set >> (4 * found.from + found.to) & 1 &&
                 (found.from == found.to || !(set >> (4 * found.to + found.from) & 1))));
    }
}

/* Rows of which nothing is known. */
static void test_symmetry_proved(void)
{
    clv_rng rng = clv_rng_make(1, 2, 3, 5);
    int proofs = 0;
    for (int i = 0; i < 100000; i++) {
        int64_t xadj[4] = {0};
        int32_t adj[9], ewgt[9];
        for (int32_t v = 0; v < 3; v++) {
            xadj[v + 1] = xadj[v] + (int64_t)clv_rng_below(&rng, 4);
            for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
                adj[a] = (int32_t)clv_rng_below(&rng, i % 4 ? 3 : 5) - (i % 4 == 0);
                ewgt[a] = (int32_t)clv_rng_below(&rng, 2);
            }
        }
        clv_rows rows = {.nvtx = 3, .xadj = xadj, .adj = adj, .ewgt = i % 3 ? NULL : ewgt};
        bool good = true;
        for (int32_t v = 0; v < 3; v++)
            for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
                bool back = false;
                if (adj[a] >= 0 && adj[a] < 3)
                    for (int64_t b = xadj[adj[a]]; b < xadj[adj[a] + 1]; b++)
                        back = back || (adj[b] == v && (!rows.ewgt || ewgt[a] == ewgt[b]));
                good = good && back && adj[a] != v && (a == xadj[v] || adj[a] > adj[a - 1]);
            }
        REQUIRE(clv_symmetry_proved(&rows) == good);
        proofs += good;
    }
    CHECK(proofs > 1000 && proofs < 50000);
}

/* A random graph whose rows are in any order, sometimes with one arc changed. */
static void test_symmetry_sorted(void)
{
    enum { n = 12 };
    clv_rng rng = clv_rng_make(1, 2, 3, 6);
    for (int i = 0; i < 3000; i++) {
        int32_t weight[n][n] = {{0}}, adj[n * n], ewgt[n * n];
        int64_t xadj[n + 1] = {0};
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++)
                weight[u][v] = weight[v][u] = (int32_t)clv_rng_below(&rng, 4);
        for (int32_t u = 0; u < n; u++) {
            int64_t end = xadj[u];
            for (int32_t v = 0; v < n; v++) {
                if (weight[u][v] == 0)
                    continue;
                int64_t at =
                    xadj[u] + (int64_t)clv_rng_below(&rng, (uint64_t)(end - xadj[u]) + 1);
                adj[end] = adj[at];
                ewgt[end++] = ewgt[at];
                adj[at] = v;
                ewgt[at] = weight[u][v];
            }
            xadj[u + 1] = end;
        }
        bool spoilt = i % 4 == 0 && xadj[n] > 0;
        int64_t where = spoilt ? (int64_t)clv_rng_below(&rng, (uint64_t)xadj[n]) : 0;
        if (spoilt && i % 8 == 0)
            ewgt[where] += 1;
        else if (spoilt)
            adj[where] = (adj[where] + 2) % (n + 2) - 1; /* -1 .. n */
        clv_rows from = {.nvtx = n, .xadj = xadj, .adj = adj, .ewgt = ewgt}, to;
        bool sorted = clv_symmetry_sorted(&to, &from);
        REQUIRE(sorted == !spoilt);
        for (int32_t u = 0; sorted && u < n; u++)
            for (int64_t a = to.xadj[u]; a < to.xadj[u + 1]; a++) {
                CHECK(a == to.xadj[u] || to.adj[a] > to.adj[a - 1]);
                CHECK_EQ(to.ewgt[a], weight[u][to.adj[a]]);
            }
        CHECK(!sorted || memcmp(to.xadj, xadj, sizeof xadj) == 0);
        clv_rows_free(&to);
    }
}

static void test_ascend(void)
{
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    int rising = 0;
    for (int i = 0; i < 20000; i++) {
        int64_t xadj[6] = {0};
        int32_t adj[15];
        bool ascend = true;
        for (int32_t v = 0; v < 5; v++) {
            xadj[v + 1] = xadj[v] + (int64_t)clv_rng_below(&rng, 4);
            for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
                adj[a] = (int32_t)clv_rng_below(&rng, 9);
                ascend = ascend && (a == xadj[v] || adj[a] > adj[a - 1]);
            }
        }
        clv_rows rows = {.nvtx = 5, .xadj = xadj, .adj = adj};
        CHECK_EQ(clv_rows_ascend(&rows), ascend);
        rising += ascend;
    }
    CHECK(rising > 100 && rising < 19900);
}

/* Beyond the size from which fingerprints are compared: a large circle with one thing wrong,
 * in steps of 1, and in large ones, where the ends of edges are far apart. */
enum { large = 100000 };
static int32_t stride = 1;

static clv_asymmetry check_circle(int64_t changed, int32_t neighbour, int32_t weight)
{
    static int64_t xadj[large + 1];
    static int32_t adj[2 * large], ewgt[2 * large];
    for (int32_t v = 0; v < large; v++) {
        int32_t before = (v + large - stride) % large, after = (v + stride) % large;
        adj[2 * v] = before < after ? before : after;
        adj[2 * v + 1] = before < after ? after : before;
        for (int i = 0; i < 2; i++) {
            int32_t u = adj[2 * v + i];
            ewgt[2 * v + i] = u < v ? u * 7 + v : v * 7 + u;
        }
        xadj[v + 1] = 2 * ((int64_t)v + 1);
    }
    if (neighbour >= 0)
        adj[changed] = neighbour;
    if (weight >= 0)
        ewgt[changed] = weight;
    clv_rows rows = {.nvtx = large, .xadj = xadj, .adj = adj, .ewgt = ewgt};
    clv_asymmetry found = {.from = -2}, again = found;
    clv_ws ws = {NULL};
    clv_team *team = NULL;
    CHECK_OK(clv_symmetry_check(&rows, NULL, &ws, &found, &err));
    CHECK_OK(clv_team_create(&team, 3, &err));
    CHECK_OK(clv_symmetry_check(&rows, team, &ws, &again, &err));
    CHECK(found.from == again.from && found.unequal == again.unequal);
    clv_team_free(team);
    clv_ws_free(&ws);
    return found;
}

static void test_symmetry_of_large_rows(void)
{
    clv_asymmetry found = check_circle(0, -1, -1);
    CHECK_EQ(found.from, -1);
    /* 50000 lists 50002 instead of 50001. */
    found = check_circle(2 * 50000 + 1, 50002, -1);
    CHECK(!found.unequal);
    CHECK((found.from == 50000 && found.to == 50002) ||
          (found.from == 50001 && found.to == 50000));
    found = check_circle(2 * (large - 1) + 1, -1, 5);
    CHECK(found.unequal && found.from + found.to == 2 * large - 3);
    CHECK(found.there == 5 || found.back == 5);
    found = check_circle(0, -1, 0);
    CHECK(found.unequal && found.from == 1 && found.to == 0 && found.back == 0);
    stride = 33333;
    CHECK_EQ(check_circle(0, -1, -1).from, -1);
    found = check_circle(2 * 50000 + 1, 83334, -1); /* instead of 83333 */
    CHECK(found.from >= 0 && !found.unequal);
    found = check_circle(2 * 50000 + 1, -1, 5);
    CHECK(found.unequal && (found.there == 5 || found.back == 5));
    stride = 1;
}

int main(void)
{
    RUN(test_sort);
    RUN(test_sort_many_rows);
    RUN(test_sort_without_memory);
    RUN(test_ascend);
    RUN(test_strict);
    RUN(test_faults);
    RUN(test_no_faults);
    RUN(test_symmetry_by_row);
    RUN(test_symmetry_of_a_star);
    RUN(test_symmetry_of_small_rows);
    RUN(test_symmetry_proved);
    RUN(test_symmetry_sorted);
    RUN(test_symmetry_of_large_rows);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
