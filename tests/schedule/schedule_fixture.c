/* SPDX-License-Identifier: Apache-2.0 */
#include "schedule/schedule_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "cleave/cleave.h"

/* Is there an arc between places i < j? */
static bool draw_arc(int shape, int32_t i, int32_t j, int32_t n, uint32_t density,
                     clv_rng *rng)
{
    switch (shape) {
    case 0: /* anything */
        return clv_rng_below(rng, 100) < density;
    case 1: /* a band */
        return j - i <= 3 && clv_rng_below(rng, 4) > 0;
    case 2: /* chains */
        return j - i == (int32_t)(1 + density % 5);
    case 3: /* a forest towards the end */
        return j == i + 1 + (int32_t)(clv_hash64((uint64_t)i) % 7);
    case 4: /* all behind the first, all before the last */
        return i == 0 || j == n - 1;
    case 5: /* a grid */
        return j - i == 6 || (j - i == 1 && j % 6 != 0);
    case 6: /* dense at the end, as factors are */
        return i > n - n / 4 ? true : clv_rng_below(rng, 100) < density / 4;
    case 7: /* layers of nine, each behind the one before */
        return j / 9 == i / 9 + 1 && clv_rng_below(rng, 100) < 2 * density;
    case 8: /* trees from their roots on */
        return i == (j - 1) / (int32_t)(2 + density % 3) && j % 17 != 0;
    default: /* hardly any */
        return clv_rng_below(rng, 200) == 0;
    }
}

static void draw_weights(int kind, const int32_t *indegree, int32_t n, clv_rng *rng,
                         int32_t *weight)
{
    for (int32_t v = 0; v < n; v++)
        weight[v] = kind == 1   ? indegree[v] + 1
                    : kind == 2 ? (int32_t)clv_rng_below(rng, 20)
                    : kind == 3 ? (v == n / 2 ? 100000 : 1)
                    : kind == 4 ? INT32_MAX
                                : 0;
}

clv_graph *fixture_dag(uint64_t seed, int32_t largest)
{
    clv_rng rng = clv_rng_make(seed, 77, 0, 0);
    int32_t n = (int32_t)clv_rng_below(&rng, (uint32_t)largest + 1);
    uint64_t hash = clv_hash64(seed); /* tests may take every eighth seed only */
    int shape = (int)(hash % 10), numbering = (int)(hash / 16 % 3);
    int kind = (int)(hash / 64 % 6);
    uint32_t density = 1 + clv_rng_below(&rng, 60);
    int32_t *number = malloc(((size_t)n + 1) * sizeof *number);
    int32_t *indegree = calloc((size_t)n + 1, sizeof *indegree);
    int32_t *weight = malloc(((size_t)n + 1) * sizeof *weight);
    int64_t *xadj = calloc((size_t)n + 2, sizeof *xadj);
    char *arc = calloc((size_t)n * (size_t)n + 1, 1);
    int32_t *adj = malloc(((size_t)n * (size_t)n + 1) * sizeof *adj);
    clv_rng_permutation(&rng, n, number);
    for (int32_t v = 0; v < n; v++)
        number[v] = numbering == 0 ? v : numbering == 1 ? n - 1 - v : number[v];
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            if (draw_arc(shape, i, j, n, density, &rng)) {
                arc[(size_t)number[i] * (size_t)n + (size_t)number[j]] = 1;
                indegree[number[j]]++;
            }
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = xadj[v];
        for (int32_t u = 0; u < n; u++)
            if (arc[(size_t)v * (size_t)n + (size_t)u])
                adj[xadj[v + 1]++] = u;
    }
    draw_weights(kind, indegree, n, &rng, weight);
    cleave_csr csr;
    cleave_graph *g = NULL;
    cleave_error err = {0};
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = kind == 0 ? NULL : weight;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK) {
        fprintf(stderr, "fixture_dag: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    free(number);
    free(indegree);
    free(weight);
    free(xadj);
    free(arc);
    free(adj);
    return g;
}

void fixture_schedule(const clv_graph *g, int32_t threads, clv_rng *rng, int32_t *layer,
                      int32_t *thread)
{
    char *placed = calloc((size_t)g->nvtx + 1, 1);
    for (int32_t count = 0; count < g->nvtx; count++) {
        int32_t v = 0; /* the first that is ready, from a random place on */
        int32_t from = (int32_t)clv_rng_below(rng, (uint32_t)g->nvtx);
        for (int32_t i = 0; i < g->nvtx; i++) {
            v = (from + i) % g->nvtx;
            bool ready = !placed[v];
            for (int64_t a = g->xpred[v]; ready && a < g->xpred[v + 1]; a++)
                ready = placed[g->pred[a]];
            if (ready)
                break;
        }
        int32_t least = 0, owner = -1; /* of its predecessors in the last of their layers */
        bool shared = false;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            if (layer[u] > least || owner < 0) {
                shared = false;
                owner = thread[u];
                least = layer[u];
            } else if (layer[u] == least && thread[u] != owner) {
                shared = true;
            }
        }
        thread[v] = (int32_t)clv_rng_below(rng, (uint32_t)threads);
        bool stays = owner >= 0 && !shared && clv_rng_below(rng, 3) > 0;
        if (stays)
            thread[v] = owner;
        layer[v] = owner < 0 ? 0 : stays ? least : least + 1;
        layer[v] += clv_rng_below(rng, 8) == 0 ? (int32_t)clv_rng_below(rng, 3) : 0;
        placed[v] = 1;
    }
    free(placed);
}
