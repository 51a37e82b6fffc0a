/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes, tori, hypercubes and trees against machines built edge by edge. */
#include <math.h>
#include <time.h>

#include "base/rng.h"
#include "target/shape_checks.h"

static cleave_error err;

static void check_all(const clv_target *t)
{
    check_domains(t);
    check_pes(t);
}

/* ---- Meshes and tori -------------------------------------------------------------------- */

typedef struct grid {
    const char *text;
    int32_t dimensions, side[4];
    bool torus;
} grid;

static const grid grids[] = {
    {"mesh:4x2", 2, {4, 2}, false},      {"mesh:1", 1, {1}, false},
    {"mesh:7", 1, {7}, false},           {"mesh:3x1x4", 3, {3, 1, 4}, false},
    {"mesh:3x3x3", 3, {3, 3, 3}, false}, {"mesh:2x3x2x3", 4, {2, 3, 2, 3}, false},
    {"torus:5", 1, {5}, true},           {"torus:6", 1, {6}, true},
    {"torus:2x3", 2, {2, 3}, true},      {"torus:2x2x2", 3, {2, 2, 2}, true},
    {"torus:4x5", 2, {4, 5}, true},      {"torus:3x1x4", 3, {3, 1, 4}, true},
    {"torus:3x4x3", 3, {3, 4, 3}, true}, {"torus:1x1", 2, {1, 1}, true},
    {"mesh:5x5", 2, {5, 5}, false},
};

static void coordinates(const grid *g, int32_t pe, int32_t *at)
{
    for (int32_t i = 0; i < g->dimensions; i++) {
        at[i] = pe % g->side[i];
        pe /= g->side[i];
    }
}

/* Two PEs are linked when they differ by one in one coordinate, on a ring in a torus. */
static bool linked(const grid *g, int32_t p, int32_t q)
{
    int32_t a[4], b[4], apart = 0;
    coordinates(g, p, a);
    coordinates(g, q, b);
    for (int32_t i = 0; i < g->dimensions; i++) {
        int32_t d = abs(a[i] - b[i]);
        apart += g->torus && d == g->side[i] - 1 && d > 0 ? 1 : d;
    }
    return apart == 1;
}

/* Twice the Manhattan distance of the centres of gravity, on rings the shorter way. */
static double centre_distance(const clv_target *t, const grid *g, clv_domain x, clv_domain y)
{
    uint8_t *set[2] = {calloc((size_t)t->npes, 1), calloc((size_t)t->npes, 1)};
    double centre[2][4] = {{0}, {0}}, sum = 0;
    domain_set(t, x, set[0]);
    domain_set(t, y, set[1]);
    for (int k = 0; k < 2; k++)
        for (int32_t pe = 0; pe < t->npes; pe++) {
            int32_t at[4];
            coordinates(g, pe, at);
            for (int32_t i = 0; i < g->dimensions && set[k][pe]; i++)
                centre[k][i] += at[i] / (double)t->shape->pes(t, k ? y : x);
        }
    for (int32_t i = 0; i < g->dimensions; i++) {
        double d = fabs(centre[0][i] - centre[1][i]);
        sum += g->torus ? fmin(d, g->side[i] - d) : d;
    }
    free(set[0]);
    free(set[1]);
    return 2 * sum;
}

static void check_boxes(const clv_target *t, const grid *g)
{
    clv_domain *list = calloc(2 * (size_t)t->npes, sizeof *list);
    int32_t count = all_domains(t, list);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            CHECK(fabs((double)t->shape->distance(t, list[i], list[j]) -
                       centre_distance(t, g, list[i], list[j])) < 1e-9);
    free(list);
}

static void test_grids(void)
{
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        const grid *g = &grids[i];
        clv_target *t = shape_of(g->text);
        oracle o = oracle_new(t->npes);
        for (int32_t p = 0; p < t->npes; p++)
            for (int32_t q = 0; q < p; q++)
                if (linked(g, p, q))
                    oracle_edge(&o, p, q);
        check_all(t);
        check_unit_paths(t, &o);
        check_boxes(t, g);
        oracle_free(&o);
        clv_target_free(t);
    }
}

/* Cuts go across the longest side, the last of several; the first half is the larger one. */
static void test_cuts(void)
{
    clv_target *t = shape_of("mesh:3x5");
    clv_domain half[2];
    CHECK(t->shape->bipartition(t, t->shape->root(t), half));
    CHECK(half[0].a == 0 && half[0].b == 8 && half[1].a == 9 && half[1].b == 14);
    CHECK(t->shape->bipartition(t, half[0], half));
    CHECK(half[0].a == 0 && half[0].b == 5 && half[1].a == 6 && half[1].b == 8);
    CHECK(t->shape->bipartition(t, half[0], half));
    CHECK(half[0].a == 0 && half[0].b == 4 && half[1].a == 2 && half[1].b == 5);
    clv_target_free(t);
}

/* On an even ring the two ways of the same length are used about equally often: 64 in all. */
static void test_ring_load(void)
{
    clv_target *t = shape_of("torus:8");
    int64_t load[8] = {0};
    for (int32_t p = 0; p < 8; p++)
        for (int32_t q = 0; q < p; q++)
            clv_target_route(t, p, q, 1, load);
    for (int32_t link = 0; link < 8; link++)
        CHECK(load[link] >= 7 && load[link] <= 9);
    clv_target_free(t);
}

/* ---- Hypercubes ------------------------------------------------------------------------- */

static void test_hypercubes(void)
{
    for (int32_t d = 0; d <= 5; d++) {
        clv_target *t;
        REQUIRE_OK(clv_target_hypercube(&t, d, &err));
        clv_domain *list = calloc(2 * (size_t)t->npes, sizeof *list);
        oracle o = oracle_new(t->npes);
        for (int32_t p = 0; p < t->npes; p++)
            for (int32_t q = 1; q < t->npes; q *= 2)
                oracle_edge(&o, p, p % (2 * q) < q ? p + q : p - q);
        check_all(t);
        check_unit_paths(t, &o);
        /* For subcubes the seed's formula is the mean distance. */
        int32_t count = all_domains(t, list);
        for (int32_t i = 0; i < count; i++)
            for (int32_t j = 0; j < i; j++)
                CHECK(fabs((double)t->shape->distance(t, list[i], list[j]) -
                           mean_distance(t, list[i], list[j])) < 1e-9);
        oracle_free(&o);
        free(list);
        clv_target_free(t);
    }
}

/* ---- Trees ------------------------------------------------------------------------------ */

/* Nodes level by level from the leaves up, as the links are numbered. */
typedef struct naive_tree {
    int32_t levels, fanout[4], cost[4];
} naive_tree;

static int32_t parent_of(const naive_tree *tr, int32_t npes, int32_t node)
{
    int32_t first = 0, count = npes;
    for (int32_t l = 0;; l++) {
        if (node < first + count)
            return first + count + (node - first) / tr->fanout[l];
        first += count;
        count /= tr->fanout[l];
    }
}

static void check_tree(const clv_target *t, const naive_tree *tr)
{
    int64_t *load = calloc((size_t)t->links + 1, sizeof *load);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++) {
            int32_t up = p, down = q, level = 0;
            clv_target_route(t, p, q, 5, load);
            for (; up != down; level++) {
                CHECK_EQ(load[up], 5);
                CHECK_EQ(load[down], 5);
                load[up] = load[down] = 0;
                up = parent_of(tr, t->npes, up);
                down = parent_of(tr, t->npes, down);
            }
            CHECK_EQ(t->shape->level(t, p, q), level);
            CHECK_EQ(clv_target_distance(t, p, q), level ? tr->cost[level - 1] : 0);
            for (int64_t i = 0; i < t->links; i++)
                CHECK_EQ(load[i], 0);
        }
    free(load);
}

/* Of domains that do not overlap the distance is exact. */
static void check_exact(const clv_target *t)
{
    clv_domain *list = calloc(2 * (size_t)t->npes, sizeof *list);
    uint8_t *set = malloc((size_t)t->npes);
    int32_t count = all_domains(t, list);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++) {
            memset(set, 0, (size_t)t->npes);
            domain_set(t, list[j], set);
            bool inside = set[t->shape->pe(t, list[i])];
            CHECK(inside || fabs((double)t->shape->distance(t, list[i], list[j]) -
                                 mean_distance(t, list[i], list[j])) < 1e-9);
        }
    free(list);
    free(set);
}

static void test_trees(void)
{
    static const naive_tree trees[] = {
        {3, {4, 3, 2, 0}, {1, 10, 100, 0}}, {1, {7, 0, 0, 0}, {3, 0, 0, 0}},
        {3, {2, 1, 5, 0}, {0, 2, 9, 0}},    {4, {1, 2, 1, 3}, {1, 2, 3, 2147483647}},
        {2, {1, 1, 0, 0}, {5, 6, 0, 0}},
    };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        clv_target *t;
        REQUIRE_OK(clv_target_tree(&t, trees[i].levels, trees[i].fanout, trees[i].cost, &err));
        CHECK_EQ(t->levels, trees[i].levels);
        check_all(t);
        check_tree(t, &trees[i]);
        check_exact(t);
        clv_target_free(t);
    }
    clv_target *t = shape_of("tree:4:3:5@1:10:100");
    clv_domain root = t->shape->root(t), rack = clv_target_child(t, root, 4);
    CHECK_EQ(clv_target_children(t, root), 5);
    CHECK(rack.a == 48 && rack.b == 59 && clv_target_children(t, rack) == 3);
    CHECK_EQ(clv_target_children(t, clv_target_child(t, rack, 1)), 4);
    clv_target_free(t);
}

/* ---- Irregular trees -------------------------------------------------------------------- */

enum { most_nodes = 200 };
typedef struct any_tree {
    int32_t nodes, parent[most_nodes], cost[most_nodes], level[most_nodes];
} any_tree;

static void plant(any_tree *tr, uint64_t seed, int32_t nodes, int32_t reach)
{
    clv_rng rng = clv_rng_make(seed, 0, 0, 0);
    tr->nodes = nodes;
    for (int32_t v = 0; v < nodes; v++) {
        int32_t from = reach && v > reach ? v - reach : 0;
        tr->parent[v] = v ? from + (int32_t)clv_rng_below(&rng, (uint32_t)(v - from)) : -1;
        tr->level[v] = tr->cost[v] = 0;
    }
    for (int32_t v = nodes - 1; v > 0; v--) {
        int32_t up = tr->parent[v];
        tr->level[up] = tr->level[v] >= tr->level[up] ? tr->level[v] + 1 : tr->level[up];
        tr->cost[up] = 10 * tr->level[up] + (int32_t)clv_rng_below(&rng, 10);
    }
}

static void check_any_tree(const clv_target *t, const any_tree *tr)
{
    int32_t node[most_nodes], npes = 0;
    int64_t load[most_nodes] = {0};
    for (int32_t v = 0; v < tr->nodes; v++)
        if (tr->level[v] == 0)
            node[npes++] = v;
    CHECK_EQ(t->npes, npes);
    CHECK_EQ(t->links, tr->nodes - 1);
    for (int32_t p = 0; p < npes; p++)
        for (int32_t q = 0; q < npes; q++) {
            bool above[most_nodes] = {false};
            int32_t meet = node[q];
            for (int32_t v = node[p]; v >= 0; v = tr->parent[v])
                above[v] = true;
            for (; !above[meet]; meet = tr->parent[meet])
                ;
            CHECK_EQ(clv_target_distance(t, p, q), p == q ? 0 : tr->cost[meet]);
            CHECK_EQ(t->shape->level(t, p, q), tr->level[meet]);
            clv_target_route(t, p, q, 2, load);
            for (int32_t v = node[p]; v != meet; v = tr->parent[v])
                load[v - 1] -= 2;
            for (int32_t v = node[q]; v != meet; v = tr->parent[v])
                load[v - 1] -= 2;
            for (int32_t i = 0; i < tr->nodes - 1; i++)
                CHECK_EQ(load[i], 0);
        }
}

static void test_switches(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        any_tree tr;
        clv_target *t;
        int32_t nodes = seed < 4 ? (int32_t)seed + 1 : 10 + 3 * (int32_t)seed;
        plant(&tr, seed, nodes, seed % 3 == 0 ? 0 : seed % 3 == 1 ? 6 : 2);
        REQUIRE_OK(clv_target_switches(&t, nodes, tr.parent, tr.cost, tr.level, &err));
        if (seed % 2) { /* PEs of several speeds */
            double speeds[most_nodes];
            for (int32_t pe = 0; pe < t->npes; pe++)
                speeds[pe] = 1 + pe % 3;
            REQUIRE_OK(clv_target_set_speeds(t, speeds, &err));
        }
        check_all(t);
        check_any_tree(t, &tr);
        check_exact(t);
        clv_target_free(t);
    }
}

/* Children are the machine's own: 3 racks of 1, 5 and 2 nodes. */
static void test_switch_children(void)
{
    static const int32_t parent[] = {-1, 0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3};
    static const int32_t cost[] = {9, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    static const int32_t level[] = {2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    clv_target *t;
    REQUIRE_OK(clv_target_switches(&t, 12, parent, cost, level, &err));
    clv_domain root = t->shape->root(t), half[2];
    CHECK_EQ(clv_target_children(t, root), 3);
    CHECK_EQ(t->shape->pes(t, clv_target_child(t, root, 0)), 1);
    CHECK_EQ(t->shape->pes(t, clv_target_child(t, root, 1)), 5);
    CHECK_EQ(t->shape->pes(t, clv_target_child(t, root, 2)), 2);
    CHECK_EQ(clv_target_children(t, clv_target_child(t, root, 1)), 5);
    CHECK(t->shape->bipartition(t, root, half)); /* 1 + 5 and 2 */
    CHECK_EQ(t->shape->pes(t, half[0]), 6);
    CHECK_EQ(clv_target_children(t, half[0]), 2);
    CHECK_EQ(clv_target_children(t, half[1]), 2);
    clv_target_free(t);
}

/* ---- A million PEs ---------------------------------------------------------------------- */

static void descend(const clv_target *t, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    clv_domain d = t->shape->root(t), half[2];
    while (t->shape->bipartition(t, d, half)) {
        int32_t a = t->shape->pes(t, half[0]), b = t->shape->pes(t, half[1]);
        CHECK_EQ(a + b, t->shape->pes(t, d));
        CHECK(a >= b && a <= 2 * b);
        d = half[clv_rng_below(&rng, 2)];
    }
    clv_domain same = t->shape->terminal(t, t->shape->pe(t, d));
    CHECK(same.a == d.a && same.b == d.b && t->shape->pes(t, d) == 1);
}

static void test_million(void)
{
    clv_target *torus = shape_of("torus:100x100x100");
    clv_target *tree = shape_of("tree:1024:1024@1:5");
    clv_rng rng = clv_rng_make(7, 0, 0, 0);
    CHECK_EQ(torus->npes, 1000000);
    CHECK_EQ(torus->links, 3000000);
    CHECK_EQ(tree->npes, 1 << 20);
    CHECK_EQ(tree->links, (1 << 20) + 1024);
    for (int i = 0; i < 2000; i++) {
        int32_t p = (int32_t)clv_rng_below(&rng, 1000000), q, want = 0;
        q = (int32_t)clv_rng_below(&rng, 1000000);
        for (int32_t a = p, b = q, k = 0; k < 3; k++, a /= 100, b /= 100) {
            int32_t d = abs(a % 100 - b % 100);
            want += d < 100 - d ? d : 100 - d;
        }
        CHECK_EQ(clv_target_distance(torus, p, q), want);
        CHECK_EQ(clv_target_distance(tree, p, q), p == q ? 0 : p >> 10 == q >> 10 ? 1 : 5);
        descend(torus, (uint64_t)i);
        descend(tree, (uint64_t)i);
    }
    clv_target_free(torus);
    clv_target_free(tree);
}

/* ---- Text ------------------------------------------------------------------------------- */

static const char *described(const char *text)
{
    static char line[256];
    clv_target *t = shape_of(text);
    t->shape->describe(t, line, sizeof line);
    clv_target_free(t);
    return line;
}

static void test_described(void)
{
    CHECK_STR(described("mesh:4x2"), "mesh of 4 x 2");
    CHECK_STR(described("torus:8x1x8"), "torus of 8 x 8");
    CHECK_STR(described("mesh:1x1"), "mesh of 1");
    CHECK_STR(described("hypercube:10"), "hypercube of 10 dimensions");
    CHECK_STR(described("hypercube:1"), "hypercube of 1 dimension");
    CHECK_STR(described("tree:4:8@1:10"), "tree of 4 x 8 PEs at distance 1, 10");
    CHECK_STR(described("mesh:4x2[0,5]"), "2 PEs out of: mesh of 4 x 2");
    CHECK_STR(described("8[1,2]"), "2 equal PEs");
    /* Cut where the room ends, at every size. */
    for (size_t size = 1; size < 40; size++) {
        static const char *const texts[] = {"mesh:4x2x3", "tree:4:8@1:10", "mesh:4x2[0,5]"};
        for (int i = 0; i < 3; i++) {
            char line[48];
            clv_target *t = shape_of(texts[i]);
            memset(line, 'x', sizeof line);
            t->shape->describe(t, line, size);
            CHECK(strlen(line) < size && line[size] == 'x');
            clv_target_free(t);
        }
    }
}

static const char *refused(const char *text)
{
    clv_target *t = (clv_target *)&err;
    CHECK(clv_target_parse(&t, text, &err) != CLEAVE_OK && t == NULL);
    return err.message;
}

static void test_refused(void)
{
    CHECK_STR(refused("hypercube:31"), "a hypercube has 0 to 30 dimensions, not 31");
    CHECK_STR(refused("hypercube:"), "\"\" is not the number of dimensions of a hypercube: "
                                     "write hypercube:10");
    CHECK_STR(refused("hypercube:2x2"), "\"2x2\" is not the number of dimensions of a "
                                        "hypercube: write hypercube:10");
    CHECK_STR(refused("mesh:"), "\"\" are not the sides of a mesh: write mesh:4x2");
    CHECK_STR(refused("mesh:4x"), "\"4x\" are not the sides of a mesh: write mesh:4x2");
    CHECK_STR(refused("mesh:x4"), "\"x4\" are not the sides of a mesh: write mesh:4x2");
    CHECK_STR(refused("mesh:4,2"), "\"4,2\" are not the sides of a mesh: write mesh:4x2");
    CHECK_STR(refused("mesh:-4"), "\"-4\" are not the sides of a mesh: write mesh:4x2");
    CHECK_STR(refused("torus:4x 2"), "\"4x 2\" are not the sides of a torus: write "
                                     "torus:8x8x8");
    CHECK_STR(refused("torus:4x0"), "\"4x0\" are not the sides of a torus: each is 1 to "
                                    "2147483647");
    CHECK_STR(refused("mesh:99999999999999999999"),
              "\"99999999999999999999\" are not the sides of a mesh: each is 1 to 2147483647");
    CHECK_STR(refused("mesh:65536x32768"), "a mesh cannot have more than 2147483647 PEs");
    CHECK_STR(refused("tree:65536:32768@1:2"), "a tree cannot have more than 2147483647 "
                                               "leaves");
    CHECK_STR(refused("tree:4:8"), "the tree \"4:8\" has no distances: write one for each "
                                   "level, as in tree:4:8:16@1:10:100");
    CHECK_STR(refused("tree:4:8@1"), "a tree of 2 levels has 1 distance: write one for each "
                                     "level, as in tree:4:8:16@1:10:100");
    CHECK_STR(refused("tree:4@1:2"), "a tree of 1 level has 2 distances: write one for each "
                                     "level, as in tree:4:8:16@1:10:100");
    CHECK_STR(refused("tree:4@"), "\"\" are not the distances of a tree: write "
                                  "tree:4:8:16@1:10:100");
    CHECK_STR(refused("tree:0@1"), "\"0\" are not the numbers of children of a tree: each is "
                                   "1 to 2147483647");
    CHECK_STR(refused("machine:core"), "\"machine:core\" is not a target: write machine (its "
                                       "cores) or machine:pu (its hardware threads)");
    char long_text[400] = "mesh:1";
    for (int i = 0; i < 64; i++)
        strcat(long_text, "x1");
    CHECK(strstr(refused(long_text), "are more than 64 numbers") != NULL);
    long_text[strlen(long_text) - 2] = '\0';
    clv_target_free(shape_of(long_text));
}

static void test_oom(void)
{
    static const char *const texts[] = {"mesh:4x2", "hypercube:3", "tree:4:2@1:2"};
    for (int i = 0; i < 4; i++)
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            static const int32_t parent[] = {-1, 0, 0, 1, 1}, cost[] = {3, 1, 0, 0, 0};
            static const int32_t level[] = {2, 1, 0, 0, 0};
            clv_target *t;
            TEST_OOM(&oom, i < 3 ? clv_target_parse(&t, texts[i], &err)
                                 : clv_target_switches(&t, 5, parent, cost, level, &err));
            clv_target_free(t);
        }
}

int main(void)
{
    RUN(test_grids);
    RUN(test_cuts);
    RUN(test_ring_load);
    RUN(test_hypercubes);
    RUN(test_trees);
    RUN(test_switches);
    RUN(test_switch_children);
    RUN(test_million);
    RUN(test_described);
    RUN(test_refused);
    RUN(test_oom);
    return test_end();
}
