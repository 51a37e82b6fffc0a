/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest paths by [Floyd, Warshall 1962], graphs for targets, and invariants of every
 * target. */
#ifndef CLV_TESTS_TARGET_DISTANCE_ORACLE_H
#define CLV_TESTS_TARGET_DISTANCE_ORACLE_H

#include "graph/graph.h"
#include "support/test.h"
#include "target/shape_checks.h"

/* n * n distances, to be freed; -1: no way. */
static inline int64_t *floyd_warshall(const cleave_graph *g)
{
    int64_t n = g->nvtx, far = INT64_MAX / 4;
    int64_t *d = malloc((size_t)(n * n) * sizeof *d);
    for (int64_t i = 0; i < n * n; i++)
        d[i] = i / n == i % n ? 0 : far;
    for (int32_t v = 0; v < n; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            d[v * n + g->adj[a]] = clv_graph_ewgt(g, a);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j])
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
    return d;
}

typedef struct random_numbers {
    uint64_t state;
} random_numbers;

static inline uint32_t random_below(random_numbers *r, uint32_t bound)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % bound;
}

/* A connected graph: a random tree and `more` edges.  longest 0: no lengths. */
static inline cleave_graph *random_graph(random_numbers *r, int32_t n, int32_t more,
                                         int32_t longest)
{
    cleave_builder *b;
    cleave_graph *g;
    cleave_error err;
    if (cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err) != CLEAVE_OK)
        return NULL;
    cleave_builder_symmetrise(b, "sum", &err);
    for (int32_t i = 1; i < n + more; i++) {
        int32_t v = i < n ? i : (int32_t)random_below(r, (uint32_t)n);
        int32_t u = (int32_t)random_below(r, (uint32_t)(i < n ? i : n));
        int32_t w = longest ? 1 + (int32_t)random_below(r, (uint32_t)longest) : 1;
        if (v != u)
            cleave_builder_add(b, 1, &v, &u, longest ? &w : NULL, &err);
    }
    cleave_status status = cleave_builder_finish(&g, b, n, NULL, &err);
    cleave_builder_free(b);
    return status == CLEAVE_OK ? g : NULL;
}

static inline void check_tree(const cleave_target *t)
{
    check_domains(t);
    check_pes(t);
}

/* The mean over the halves, with rounding as in Scotch but of doubled numbers; the distance
 * of PEs is given. */
static inline int64_t mean_of_halves(const cleave_target *t, clv_domain x, clv_domain y)
{
    clv_domain of_x[2] = {x, x}, of_y[2] = {y, y};
    int many_x = t->shape->bipartition(t, x, of_x), many_y = t->shape->bipartition(t, y, of_y);
    int64_t sum = 0, count = (many_x + 1) * (many_y + 1);
    if (x.a == y.a && x.b == y.b)
        return 0;
    if (count == 1)
        return 2 * clv_target_distance(t, t->shape->pe(t, x), t->shape->pe(t, y));
    for (int i = 0; i <= many_x; i++)
        for (int j = 0; j <= many_y; j++)
            sum += mean_of_halves(t, of_x[i], of_y[j]);
    return (sum + count / 2) / count;
}

/* Reads a file with the n-th allocation failing, for every n; nothing may leak.  How often
 * that was refused: some allocations are not missed. */
static inline int64_t refusals_without_memory(cleave_status (*read)(cleave_target **out,
                                                                    const char *path,
                                                                    cleave_error *err),
                                              const char *path)
{
    cleave_error err = {CLEAVE_OK, ""};
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom)) {
        cleave_target *t = NULL;
        cleave_status status = TEST_OOM(&oom, read(&t, path, &err));
        CHECK((t != NULL) == (status == CLEAVE_OK));
        clv_target_free(t);
    }
    return oom.failures;
}

#endif
