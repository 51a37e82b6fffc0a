/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as targets with a table of distances: distances, trees of bipartitions, routes,
 * names, speeds, complaints, failing allocations. */
#include "target/graph_target.h"

#include "target/distance_oracle.h"

static cleave_error err;

static void check_against_oracle(const cleave_target *t, const int64_t *d)
{
    int64_t n = t->npes;
    for (int32_t p = 0; p < n; p++)
        for (int32_t q = 0; q < n; q++)
            CHECK_EQ(clv_target_distance(t, p, q), d[p * n + q]);
}

/* Every route is a walk along links whose lengths add up to the distance. */
static void check_routes(const cleave_target *t, const cleave_graph *g, const int64_t *d)
{
    int64_t *load = calloc((size_t)t->links + 1, sizeof *load);
    int32_t *length = malloc(((size_t)t->links + 1) * sizeof *length);
    int64_t links = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] > v)
                length[links++] = clv_graph_ewgt(g, a);
    CHECK_EQ(t->links, links);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++) {
            int64_t sum = 0;
            clv_target_route(t, p, q, 3, load);
            for (int64_t i = 0; i < links; i++) {
                CHECK(load[i] == 0 || load[i] == 3);
                sum += load[i] / 3 * length[i];
                load[i] = 0;
            }
            CHECK_EQ(sum, d[(int64_t)p * t->npes + q]);
        }
    free(load);
    free(length);
}

static void check_domain_distances(const cleave_target *t, clv_domain x)
{
    clv_domain half[2];
    if (!t->shape->bipartition(t, x, half))
        return;
    CHECK_EQ(t->shape->distance(t, half[0], half[1]), mean_of_halves(t, half[0], half[1]));
    check_domain_distances(t, half[0]);
    check_domain_distances(t, half[1]);
}

static int32_t depth_below(const cleave_target *t, clv_domain d)
{
    clv_domain half[2];
    if (!t->shape->bipartition(t, d, half))
        return 0;
    int32_t x = depth_below(t, half[0]), y = depth_below(t, half[1]);
    return 1 + (x > y ? x : y);
}

static void test_random_graphs(void)
{
    random_numbers r = {1};
    for (int i = 0; i < 60; i += TEST_STRIDE) {
        int32_t n = 1 + (int32_t)random_below(&r, 40), depth = 0;
        cleave_graph *g = random_graph(&r, n, (int32_t)random_below(&r, 60),
                                       i % 3 ? 1 + (int32_t)random_below(&r, 100) : 0);
        REQUIRE(g != NULL);
        int64_t *d = floyd_warshall(g);
        cleave_target *t;
        REQUIRE_OK(clv_target_graph(&t, g, &err));
        CHECK_EQ(t->npes, n);
        check_against_oracle(t, d);
        check_tree(t);
        check_domain_distances(t, t->shape->root(t));
        check_routes(t, g, d); /* t owns g */
        while (1 << depth < n)
            depth++;
        CHECK_EQ(depth_below(t, t->shape->root(t)), depth);
        clv_target_free(t);
        free(d);
    }
}

/* The halves of a mesh are its halves. */
static void test_mesh(void)
{
    cleave_graph *g;
    cleave_target *t;
    clv_domain half[2];
    REQUIRE_OK(cleave_graph_generate(&g, "grid2d:8x8", NULL, &err));
    REQUIRE_OK(clv_target_graph(&t, g, &err));
    REQUIRE(t->shape->bipartition(t, t->shape->root(t), half));
    int cut = 0, side[64] = {0};
    clv_domain stack[64] = {half[0]};
    for (int depth = 1; depth > 0;) {
        clv_domain d = stack[--depth], part[2];
        if (t->shape->bipartition(t, d, part)) {
            stack[depth++] = part[0];
            stack[depth++] = part[1];
        } else {
            side[t->shape->pe(t, d)] = 1;
        }
    }
    for (int v = 0; v < 64; v++) {
        cut += v % 8 < 7 && side[v] != side[v + 1];
        cut += v < 56 && side[v] != side[v + 8];
    }
    CHECK_EQ(cut, 8);
    char text[100];
    t->shape->describe(t, text, sizeof text);
    CHECK_STR(text, "graph of 64 PEs and 112 links, exact distances");
    clv_target_free(t);
}

static const char *complaint(const char *name, const char *text)
{
    cleave_target *t = (cleave_target *)&err;
    memset(&err, 0, sizeof err);
    const char *path = test_file(name, text);
    cleave_status status = clv_target_graph_file(&t, path, &err);
    CHECK(status != CLEAVE_OK);
    CHECK(t == NULL);
    if (status == CLEAVE_OK)
        clv_target_free(t);
    size_t length = strlen(path);
    return strncmp(err.message, path, length) == 0 ? err.message + length : err.message;
}

static void test_files(void)
{
    cleave_target *t;
    REQUIRE_OK(clv_target_graph_file(&t, test_data("target/ub3.grf"), &err));
    CHECK_EQ(t->npes, 8);
    CHECK_EQ(clv_target_distance(t, 0, 7), 3);
    CHECK_EQ(clv_target_distance(t, 7, 3), 1);
    CHECK(t->equal && !t->name);
    clv_target_free(t);
    REQUIRE_OK(clv_target_graph_file(&t, test_data("target/weighted.grf"), &err));
    CHECK_EQ(clv_target_distance(t, 0, 3), 9);
    CHECK(!t->equal && t->speed[1] == 7);
    clv_target_free(t);
    REQUIRE_OK(clv_target_graph_file(
        &t, test_file("n.dot", "digraph { left -> right [weight=5]; right -> top }"), &err));
    CHECK_EQ(t->npes, 3);
    CHECK_STR(t->name[1], "right");
    CHECK_EQ(clv_target_distance(t, 0, 2), 6);
    clv_target_free(t);
    CHECK_STR(complaint("zero.graph", "2 1 1\n2 0\n1 0\n"),
              "the length of a link must be 1 at least; it is 0 between 0 and 1 of the target "
              "graph");
    CHECK_STR(complaint("two.graph", "4 2\n2\n1\n4\n3\n"),
              "there is no path between the vertices 0 and 2 of the target graph");
    CHECK_STR(complaint("two.dot", "graph { a -- b; c -- d }"),
              "there is no path between the vertices a and c of the target graph");
    CHECK_STR(complaint("none.graph", "0 0\n"), "the target graph has no vertices");
    CHECK_STR(complaint("idle.graph", "2 1 10\n0 2\n0 1\n"), "the speeds of all PEs are 0");
    CHECK_STR(complaint("far.graph", "3 2 1\n2 2147483647\n1 2147483647 3 2\n2 2\n"),
              "PEs 0 and 2 are 2147483649 apart: more than a distance can be");
    CHECK_STR(complaint("empty", ""), ": the file is empty");
    CHECK_STR(complaint("odd", "hello\n"),
              ":1: unknown graph format (see 'cleave help formats')");
    CHECK_STR(complaint("bad.graph", "2 1\n2\n3\n"), ":3: neighbour 3 is outside 1..2");
    CHECK_EQ(clv_target_graph_file(&t, "/nowhere/x.graph", &err), CLEAVE_EIO);
    CHECK_STR(err.message, "/nowhere/x.graph: cannot open it: no such file or directory");
}

static void test_memory(void)
{
    const char *path = test_file("m.dot", "graph { a -- b [weight=2]; b -- c; c -- d; d -- a;"
                                          "c -- e [weight=7] }");
    CHECK(refusals_without_memory(clv_target_graph_file, path) > 20);
}

int main(void)
{
    RUN(test_random_graphs);
    RUN(test_mesh);
    RUN(test_files);
    RUN(test_memory);
    return test_end();
}
