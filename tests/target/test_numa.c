/* SPDX-License-Identifier: Apache-2.0 */
/* Computers with distances between NUMA nodes: distances from the latencies, and otherwise
 * those of the tree. */
#include "target/numa_target.h"

#include "target/shape_checks.h"

static cleave_error err;

/* nodes * 4 PEs: each NUMA node has two caches of two cores. */
static clv_target *tree_of(int32_t nodes)
{
    static int32_t parent[1000], level[1000];
    int32_t n = 0;
    clv_target *t = NULL;
    parent[n] = -1;
    level[n++] = 3;
    for (int32_t i = 0; i < nodes; i++) {
        int32_t node = n;
        parent[n] = 0;
        level[n++] = 2;
        for (int32_t c = 0; c < 2; c++) {
            int32_t cache = n;
            parent[n] = node;
            level[n++] = 1;
            for (int32_t k = 0; k < 2; k++) {
                parent[n] = cache;
                level[n++] = 0;
            }
        }
    }
    CHECK_OK(clv_target_switches(&t, n, parent, level, level, &err));
    return t;
}

static clv_target *computer(int32_t nodes, const uint64_t *latency)
{
    static int32_t node_of[1000];
    clv_target *t = NULL;
    clv_numa numa = {.nodes = latency ? nodes : 0, .node_of = node_of, .latency = latency};
    for (int32_t pe = 0; pe < 4 * nodes; pe++)
        node_of[pe] = pe / 4;
    CHECK_OK(clv_target_numa(&t, tree_of(nodes), &numa, "words", &err));
    return t;
}

/* Distances from the first PE to: its cache, its node, and each other node. */
static void check_distances(int32_t nodes, const uint64_t *latency, const int32_t *want)
{
    clv_target *t = computer(nodes, latency);
    REQUIRE(t != NULL);
    CHECK_EQ(clv_target_distance(t, 0, 0), 0);
    CHECK_EQ(clv_target_distance(t, 0, 1), want[0]);
    CHECK_EQ(clv_target_distance(t, 0, 2), want[1]);
    CHECK_EQ(clv_target_distance(t, 0, 3), want[1]);
    for (int32_t i = 1; i < nodes; i++)
        for (int32_t k = 0; k < 4; k++)
            CHECK_EQ(clv_target_distance(t, 0, 4 * i + k), want[1 + i]);
    check_domains(t);
    check_pes(t);
    clv_target_free(t);
}

static void test_latencies(void)
{
    check_distances(2, (uint64_t[]){10, 20, 20, 10}, (int32_t[]){1, 2, 4});
    check_distances(2, (uint64_t[]){10, 21, 21, 10}, (int32_t[]){5, 10, 21});
    /* Made symmetric. */
    check_distances(2, (uint64_t[]){10, 20, 30, 10}, (int32_t[]){1, 2, 5});
    /* Not that of a tree: a ring of four. */
    check_distances(
        4, (uint64_t[]){10, 20, 30, 20, 20, 10, 20, 30, 30, 20, 10, 20, 20, 30, 20, 10},
        (int32_t[]){1, 2, 4, 6, 4});
    /* Nothing known from a node to itself; all zero; huge. */
    check_distances(2, (uint64_t[]){0, 20, 20, 0}, (int32_t[]){1, 2, 4});
    check_distances(2, (uint64_t[]){0, 0, 0, 0}, (int32_t[]){1, 2, 2});
    check_distances(2, (uint64_t[]){UINT64_MAX / 2, UINT64_MAX, UINT64_MAX, UINT64_MAX / 2},
                    (int32_t[]){524287, 1048574, 2097150});
    check_distances(3, NULL, (int32_t[]){1, 2, 3, 3});
}

/* Levels, routes, words and the mean over domains. */
static void test_rest(void)
{
    clv_target *t = computer(2, (uint64_t[]){10, 30, 30, 10}), *tree = tree_of(2);
    clv_domain half[2];
    char text[64];
    int64_t load[64] = {0}, want[64] = {0};
    REQUIRE(t && tree);
    t->shape->describe(t, text, sizeof text);
    CHECK_STR(text, "words");
    CHECK_EQ(t->levels, 3);
    CHECK_EQ(t->links, tree->links);
    for (int32_t p = 0; p < 8; p++)
        for (int32_t q = 0; q < 8; q++) {
            CHECK_EQ(t->shape->level(t, p, q), tree->shape->level(tree, p, q));
            clv_target_route(t, p, q, p + q, load);
            clv_target_route(tree, p, q, p + q, want);
        }
    CHECK(memcmp(load, want, sizeof load) == 0);
    CHECK(t->shape->bipartition(t, t->shape->root(t), half));
    CHECK_EQ(t->shape->distance(t, half[0], half[1]), 2 * 6);
    CHECK(mean_distance(t, half[0], half[1]) == 12);
    CHECK_EQ(clv_target_children(t, half[0]), 2);
    clv_target_free(t);
    clv_target_free(tree);
}

static void test_memory(void)
{
    static const uint64_t latency[] = {10, 20, 20, 10};
    static const int32_t node_of[] = {0, 0, 0, 0, 1, 1, 1, 1};
    clv_numa numa = {.nodes = 2, .node_of = node_of, .latency = latency};
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_target *tree = tree_of(2), *t;
        TEST_OOM(&oom, clv_target_numa(&t, tree, &numa, "words", &err));
        clv_target_free(t);
    }
}

int main(void)
{
    RUN(test_latencies);
    RUN(test_rest);
    RUN(test_memory);
    return test_end();
}
