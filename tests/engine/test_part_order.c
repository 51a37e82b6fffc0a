/* SPDX-License-Identifier: Apache-2.0 */
/* The order of parts that fixed vertices of a DAG require: on random small DAGs against all
 * mappings and all orders, exact messages, failing allocations. */
#include "engine/acyclic/part_order.h"

#include "base/rng.h"
#include "oracle/oracle_graph.h"
#include "support/test.h"

static cleave_error err;
static clv_ws ws;

enum { most = 8, most_parts = 4 };

/* ---- Random questions ----------------------------------------------------------------- */

typedef struct question {
    int32_t n, k;
    cleave_graph *g;
    oracle_graph dense;
    int32_t fixed[most], groups[most];
    bool has_fixed, has_groups;
} question;

static cleave_graph *graph_of(const oracle_graph *dense)
{
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    for (int32_t u = 0; u < dense->n; u++)
        for (int32_t v = 0; v < dense->n; v++)
            if (dense->arc[u][v])
                CHECK_OK(cleave_builder_add(b, 1, &u, &v, NULL, &err));
    CHECK_OK(cleave_builder_finish(&g, b, dense->n, NULL, &err));
    cleave_builder_free(b);
    return g;
}

/* Arcs along a random order of the vertices. */
static void draw(question *q, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    int32_t order[most];
    memset(q, 0, sizeof *q);
    q->n = (int32_t)clv_rng_below(&rng, most - 1) + 1;
    q->k = (int32_t)clv_rng_below(&rng, most_parts) + 1;
    q->dense.n = q->n;
    for (int32_t i = 0; i < q->n; i++) {
        int32_t j = (int32_t)clv_rng_below(&rng, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int32_t i = 0; i < q->n; i++)
        for (int32_t j = i + 1; j < q->n; j++)
            q->dense.arc[order[i]][order[j]] = clv_rng_below(&rng, 5) < 2;
    q->has_fixed = clv_rng_below(&rng, 8) != 0;
    q->has_groups = clv_rng_below(&rng, 2) != 0;
    for (int32_t v = 0; v < q->n; v++) {
        q->fixed[v] =
            clv_rng_below(&rng, 2) == 0 ? (int32_t)clv_rng_below(&rng, (uint32_t)q->k) : -1;
        q->groups[v] = clv_rng_below(&rng, 5) < 2 ? (int32_t)clv_rng_below(&rng, 2) + 7 : -1;
    }
    q->g = graph_of(&q->dense);
}

/* ---- All mappings ---------------------------------------------------------------------- */

/* Is the quotient acyclic when parts run to nparts - 1? */
static bool is_acyclic(const question *q, int32_t nparts, const int32_t *part)
{
    oracle_graph quotient;
    oracle_quotient(&q->dense, nparts, part, &quotient);
    return oracle_acyclic(&quotient);
}

static bool is_allowed(const question *q, const int32_t *part)
{
    for (int32_t u = 0; u < q->n; u++) {
        if (q->has_fixed && q->fixed[u] >= 0 && part[u] != q->fixed[u])
            return false;
        for (int32_t v = 0; q->has_groups && v < u; v++)
            if (q->groups[u] >= 0 && q->groups[u] == q->groups[v] && part[u] != part[v])
                return false;
    }
    return true;
}

typedef struct survey {
    int64_t mappings;          /* allowed and acyclic */
    int32_t only[most];        /* the part that v is in in all of them; -1: several */
    bool together[most][most]; /* in all of them */
} survey;

/* Goes through all mappings into k parts, or into as many more as there are vertices: then
 * what is not fixed has all the room it could want. */
static void look_at_all(const question *q, int32_t nparts, survey *s)
{
    int32_t part[most] = {0}, v;
    memset(s, 0, sizeof *s);
    memset(s->together, 1, sizeof s->together);
    do {
        if (is_allowed(q, part) && is_acyclic(q, nparts, part)) {
            for (v = 0; v < q->n; v++) {
                s->only[v] = s->mappings == 0 || s->only[v] == part[v] ? part[v] : -1;
                for (int32_t u = 0; u < q->n; u++)
                    s->together[u][v] = s->together[u][v] && part[u] == part[v];
            }
            s->mappings++;
        }
        for (v = 0; v < q->n && ++part[v] == nparts; v++)
            part[v] = 0;
    } while (v < q->n);
}

/* ---- All orders ------------------------------------------------------------------------ */

/* Whatever fixed vertices are before each other, through groups as well. */
static void close_over_groups(const question *q, bool before[ORACLE_MAX][ORACLE_MAX])
{
    oracle_graph joined = q->dense;
    for (int32_t u = 0; u < q->n; u++)
        for (int32_t v = 0; v < q->n; v++)
            if (u != v && q->has_groups && q->groups[u] >= 0 && q->groups[u] == q->groups[v])
                joined.arc[u][v] = true;
    oracle_closure(&joined, before);
}

static bool is_order(const question *q, bool before[ORACLE_MAX][ORACLE_MAX],
                     const int32_t *by_place)
{
    int32_t place[most_parts];
    for (int32_t i = 0; i < q->k; i++)
        place[by_place[i]] = i;
    for (int32_t u = 0; u < q->n; u++)
        for (int32_t v = 0; v < q->n; v++)
            if (q->has_fixed && before[u][v] && q->fixed[u] >= 0 && q->fixed[v] >= 0 &&
                place[q->fixed[u]] > place[q->fixed[v]])
                return false;
    return true;
}

/* Ascending in lexicographic order; false at the end. */
static bool next_permutation(int32_t *p, int32_t n)
{
    int32_t i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return false;
    while (p[j] < p[i])
        j--;
    int32_t t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (i++, j = n - 1; i < j; i++, j--) {
        t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
    return true;
}

static bool has_order(const question *q)
{
    bool before[ORACLE_MAX][ORACLE_MAX];
    int32_t by_place[most_parts];
    close_over_groups(q, before);
    for (int32_t i = 0; i < q->k; i++)
        by_place[i] = i;
    do {
        if (is_order(q, before, by_place))
            return true;
    } while (next_permutation(by_place, q->k));
    return false;
}

/* ---- Against all of them ---------------------------------------------------------------- */

/* k equal parts; their shares are all that is looked at. */
static cleave_status make_for(const cleave_graph *g, int32_t k, const int32_t *fixed,
                              const int32_t *groups, clv_part_order *order,
                              clv_groups *grouped)
{
    int64_t total = cleave_graph_vertices(g);
    double *share = calloc((size_t)k, sizeof *share);
    clv_limits limits = {.bounds = {k, 1, share, NULL, NULL}, .npes = k, .total = &total};
    for (int32_t p = 0; p < k; p++)
        share[p] = (double)total / k;
    cleave_status status = clv_groups_make(grouped, (int32_t)total, fixed, groups, &ws, &err);
    if (status == CLEAVE_OK)
        status = clv_part_order_make(order, g, grouped, fixed, &limits, &ws, &err);
    free(share);
    return status;
}

static cleave_status make(const question *q, clv_part_order *order, clv_groups *grouped)
{
    return make_for(q->g, q->k, q->has_fixed ? q->fixed : NULL,
                    q->has_groups ? q->groups : NULL, order, grouped);
}

static void check_order(const question *q, const clv_part_order *order)
{
    bool before[ORACLE_MAX][ORACLE_MAX];
    int32_t seen = 0;
    close_over_groups(q, before);
    CHECK((order->by_place == NULL) == (order->place == NULL));
    for (int32_t i = 0; i < q->k && order->by_place; i++) {
        REQUIRE(order->by_place[i] >= 0 && order->by_place[i] < q->k);
        CHECK_EQ(order->place[order->by_place[i]], i);
        seen |= 1 << order->by_place[i];
    }
    CHECK(!order->by_place || seen == (1 << q->k) - 1);
    CHECK(is_order(q, before, order->by_place ? order->by_place : (int32_t[]){0, 1, 2, 3}));
}

/* Reported fixed and joined vertices are so in every mapping, and the report is complete: each
 * free group can have a part of its own. */
static void check_groups(const question *q, const clv_groups *grouped, const survey *all)
{
    int32_t part[most], next = q->k;
    for (int32_t v = 0; v < q->n; v++) {
        int32_t u = clv_group_of(grouped, v), p = grouped->fixed ? grouped->fixed[u] : -1;
        CHECK(u >= 0 && u < grouped->count);
        if (p >= 0)
            CHECK_EQ(all->only[v], p);
        if (q->has_fixed && q->fixed[v] >= 0)
            CHECK_EQ(p, q->fixed[v]);
        part[v] = p;
        for (int32_t w = 0; w < v; w++) {
            if (clv_group_of(grouped, w) == u)
                CHECK(all->together[v][w]);
            if (p < 0 && clv_group_of(grouped, w) == u)
                part[v] = part[w];
        }
        if (part[v] < 0)
            part[v] = next++;
    }
    CHECK(is_allowed(q, part));
    CHECK(is_acyclic(q, next, part));
}

/* Every part in turn takes what it may. */
static void check_fill(const question *q, const clv_part_order *order,
                       const clv_groups *grouped)
{
    int32_t part[most];
    for (int32_t p = 0; p < q->k; p++) {
        CHECK_OK(clv_part_order_fill(order, q->g, grouped, p, &ws, part, &err));
        CHECK(is_allowed(q, part));
        CHECK(is_acyclic(q, q->k, part));
        for (int32_t v = 0; v < q->n; v++)
            CHECK(q->has_fixed || part[v] == p);
    }
}

static void test_random(void)
{
    int good = 0, bad = 0, moved = 0, grown = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        question q;
        clv_part_order order;
        clv_groups grouped;
        survey all;
        draw(&q, seed);
        if (q.n > 6)
            q.k = q.k > 3 ? 3 : q.k;
        for (int32_t v = 0; v < q.n; v++)
            q.fixed[v] = q.fixed[v] >= q.k ? 0 : q.fixed[v];
        cleave_status status = make(&q, &order, &grouped);
        look_at_all(&q, q.k, &all);
        if (status == CLEAVE_OK) {
            good++;
            moved += order.by_place != NULL;
            CHECK(all.mappings > 0);
            check_order(&q, &order);
            check_fill(&q, &order, &grouped);
            if (q.n <= 5 && q.k < 4) { /* with room for everybody */
                look_at_all(&q, q.k + 2, &all);
                check_groups(&q, &grouped, &all);
                grown += grouped.group != NULL && grouped.count < q.n - 1;
            }
        } else if (status == CLEAVE_ECYCLE) {
            bad++;
            CHECK_EQ(all.mappings, 0);
            CHECK(!has_order(&q));
            CHECK(strncmp(err.message, "the fixed vertices force a cycle of parts: vertex ",
                          50) == 0);
        } else { /* a group that is fixed to two parts */
            CHECK_EQ(status, CLEAVE_EINVAL);
            CHECK_EQ(all.mappings, 0);
        }
        cleave_graph_free(q.g);
        clv_ws_free(&ws);
    }
    printf("%d orders, %d of them new, %d cycles, %d with groups\n", good, moved, bad, grown);
    CHECK(good > 1000 && moved > 100 && bad > 50 && grown > 20);
}

/* ---- Sentences ------------------------------------------------------------------------- */

static const char *sentence(const char *dot, int32_t k, const int32_t *fixed,
                            const int32_t *groups)
{
    cleave_graph *g = NULL;
    clv_groups grouped;
    clv_part_order order;
    CHECK_OK(cleave_graph_read(&g, test_file("sentence.dot", dot), NULL, &err));
    CHECK_EQ(make_for(g, k, fixed, groups, &order, &grouped), CLEAVE_ECYCLE);
    cleave_graph_free(g);
    clv_ws_free(&ws);
    return err.message;
}

static void test_sentences(void)
{
    CHECK_STR(
        sentence("digraph { 0 -> 1 -> 2 -> 3 }", 2, (const int32_t[]){1, -1, 0, 1}, NULL),
        "the fixed vertices force a cycle of parts: vertex 2 in part 0 reaches vertex 3 "
        "in part 1, vertex 0 in part 1 reaches vertex 2 in part 0");
    CHECK_STR(sentence("digraph { a -> b -> c; d -> e }", 2, (const int32_t[]){0, -1, 1, 1, 0},
                       NULL),
              "the fixed vertices force a cycle of parts: vertex a in part 0 reaches vertex c "
              "in part 1, vertex d in part 1 reaches vertex e in part 0");
    /* One vertex of part 0 stands between two of part 1. */
    CHECK_STR(sentence("digraph { 0 -> 1 -> 2 }", 2, (const int32_t[]){0, 1, 0}, NULL),
              "the fixed vertices force a cycle of parts: vertex 0 in part 0 reaches vertex 1 "
              "in part 1, which reaches vertex 2 in part 0");
    /* A ring of three. */
    CHECK_STR(sentence("digraph { 0 -> 1; 2 -> 3; 4 -> 5 }", 3,
                       (const int32_t[]){0, 2, 2, 1, 1, 0}, NULL),
              "the fixed vertices force a cycle of parts: vertex 0 in part 0 reaches vertex 1 "
              "in part 2, vertex 2 in part 2 reaches vertex 3 in part 1, and so on: "
              "0 -> 2 -> 1 -> 0");
    /* Through a group. */
    CHECK_STR(sentence("digraph { 0 -> 1; 2 -> 3; 4 -> 5 }", 2,
                       (const int32_t[]){0, -1, -1, 1, 1, 0},
                       (const int32_t[]){-1, 4, 4, -1, -1, -1}),
              "the fixed vertices force a cycle of parts: vertex 0 in part 0 reaches vertex 3 "
              "in part 1, vertex 4 in part 1 reaches vertex 5 in part 0");
}

/* ---- Many parts ------------------------------------------------------------------------ */

/* A path on which part i stands where it should not: all of them move. */
static void test_many_parts(void)
{
    enum { k = 5000, n = 4 * k };
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    int32_t *fixed = malloc(n * sizeof *fixed);
    clv_groups grouped;
    clv_part_order order;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    for (int32_t v = 0; v < n; v++) {
        int32_t next = v + 1;
        fixed[v] = v % 4 == 1 || v % 4 == 3 ? k - 1 - v / 4 : -1;
        if (next < n)
            CHECK_OK(cleave_builder_add(b, 1, &v, &next, NULL, &err));
    }
    CHECK_OK(cleave_builder_finish(&g, b, n, NULL, &err));
    CHECK_OK(make_for(g, k, fixed, NULL, &order, &grouped));
    REQUIRE(order.by_place != NULL);
    for (int32_t p = 0; p < k; p++)
        CHECK(order.by_place[p] == k - 1 - p && order.place[p] == k - 1 - p);
    for (int32_t v = 0; v < n; v++) /* between two of a part; between two parts */
        CHECK_EQ(grouped.fixed[v], v % 4 == 0 ? -1 : k - 1 - v / 4);
    cleave_builder_free(b);
    cleave_graph_free(g);
    free(fixed);
    clv_ws_free(&ws);
}

/* Two paths of six vertices: what is near the end of one comes behind what is near the
 * beginning of the other, and parts without fixed vertices where there is room. */
static const char *order_on_paths(int32_t k, const int32_t *fixed)
{
    static char text[64];
    cleave_graph *g = NULL;
    clv_groups grouped;
    clv_part_order order;
    const char *paths = "digraph { 0 -> 1 -> 2 -> 3 -> 4 -> 5; 6 -> 7 -> 8 -> 9 -> 10 -> 11 }";
    CHECK_OK(cleave_graph_read(&g, test_file("paths.dot", paths), NULL, &err));
    CHECK_OK(make_for(g, k, fixed, NULL, &order, &grouped));
    for (int32_t i = 0; i < k; i++)
        snprintf(text + 2 * i, 3, "%d ", order.by_place ? (int)order.by_place[i] : (int)i);
    cleave_graph_free(g);
    clv_ws_free(&ws);
    return text;
}

static void test_room(void)
{
    CHECK_STR(
        order_on_paths(2, (const int32_t[]){-1, -1, -1, -1, 0, -1, -1, 1, -1, -1, -1, -1}),
        "1 0 ");
    CHECK_STR(
        order_on_paths(2, (const int32_t[]){-1, 0, -1, -1, -1, -1, -1, -1, -1, -1, 1, -1}),
        "0 1 ");
    CHECK_STR(
        order_on_paths(3, (const int32_t[]){-1, -1, -1, -1, 0, -1, -1, 1, -1, -1, -1, -1}),
        "1 2 0 ");
    CHECK_STR(
        order_on_paths(4, (const int32_t[]){-1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1}),
        "1 2 3 0 ");
    CHECK_STR(
        order_on_paths(4, (const int32_t[]){3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}),
        "3 0 1 2 ");
    CHECK_STR(
        order_on_paths(3, (const int32_t[]){-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}),
        "0 1 2 ");
}

/* ---- Memory ---------------------------------------------------------------------------- */

static void test_memory(void)
{
    int failures = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        question q;
        draw(&q, seed);
        cleave_status want = CLEAVE_OK;
        for (int64_t nth = 0; nth < 100; nth++) {
            clv_part_order order;
            clv_groups grouped;
            int32_t part[most];
            int64_t live = test_alloc_live();
            test_alloc_fail_at(nth);
            cleave_status status = make(&q, &order, &grouped);
            if (status == CLEAVE_OK)
                status = clv_part_order_fill(&order, q.g, &grouped, 0, &ws, part, &err);
            bool failed = nth > 0 && test_alloc_calls() >= nth;
            test_alloc_fail_at(0);
            clv_ws_free(&ws);
            CHECK_EQ(test_alloc_live(), live);
            if (nth == 0)
                want = status;
            CHECK_EQ(status, failed ? CLEAVE_ENOMEM : want);
            failures += failed;
            if (nth > 0 && !failed)
                break;
        }
        cleave_graph_free(q.g);
    }
    CHECK(failures > 20);
}

int main(void)
{
    RUN(test_random);
    RUN(test_sentences);
    RUN(test_many_parts);
    RUN(test_room);
    RUN(test_memory);
    return test_end();
}
