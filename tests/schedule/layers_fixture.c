/* SPDX-License-Identifier: Apache-2.0 */
/* tests/schedule/layers_fixture.c - see tests/schedule/layers_fixture.h. */
#include "schedule/layers_fixture.h"

#include "base/rng.h"

static bool has_arc(layers_shape shape, int32_t nvtx, int32_t u, int32_t v, clv_rng *rng)
{
    int32_t side = 1;
    switch (shape) {
    case LAYERS_RANDOM:
        return clv_rng_below(rng, (uint32_t)nvtx) < 3;
    case LAYERS_CHAIN:
        return v == u + 1;
    case LAYERS_STAR:
        return u == 0;
    case LAYERS_SINK:
        return v == nvtx - 1;
    case LAYERS_LAYERED:
        return v / 10 == u / 10 + 1 && clv_rng_below(rng, 4) == 0;
    case LAYERS_GRID:
        while (side * side < nvtx)
            side++;
        return v == u + side || (v == u + 1 && v % side != 0);
    case LAYERS_TREES:
        return v / 20 == u / 20 && v % 20 == 19 - (19 - u % 20 - 1) / 2;
    default:
        return false;
    }
}

static int32_t weight_of(layers_weights weights, clv_rng *rng)
{
    switch (weights) {
    case LAYERS_SOME:
        return (int32_t)clv_rng_below(rng, 10);
    case LAYERS_HUGE:
        return clv_rng_below(rng, 5) == 0 ? 0 : INT32_MAX;
    default:
        return 0;
    }
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

clv_graph *layers_graph(layers_shape shape, int32_t nvtx, layers_weights weights,
                        uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, shape, weights, (uint64_t)nvtx);
    size_t n = (size_t)nvtx;
    int64_t *xadj = calloc(n + 1, sizeof *xadj);
    int32_t *name = malloc((n + 1) * sizeof *name), *vwgt = malloc((n + 1) * sizeof *vwgt);
    int32_t **row = calloc(n + 1, sizeof *row), *adj = NULL;
    int64_t narc = 0;
    clv_rng_permutation(&rng, nvtx, name);
    for (int32_t v = 0; v < nvtx; v++) {
        name[v] = shape == LAYERS_GRID ? v : name[v];
        vwgt[v] = weight_of(weights, &rng);
    }
    for (int32_t u = 0; u < nvtx; u++) {
        int32_t *to = row[name[u]] = malloc((n + 1) * sizeof *to), count = 0;
        for (int32_t v = u + 1; v < nvtx; v++)
            if (has_arc(shape, nvtx, u, v, &rng))
                to[count++] = name[v];
        qsort(to, (size_t)count, sizeof *to, compare);
        row[name[u]] = realloc(to, ((size_t)count + 1) * sizeof *to);
        xadj[name[u] + 1] = count;
        narc += count;
    }
    adj = malloc(((size_t)narc + 1) * sizeof *adj);
    for (int32_t v = 0; v < nvtx; v++) {
        memcpy(adj + xadj[v], row[v], (size_t)xadj[v + 1] * sizeof *adj);
        xadj[v + 1] += xadj[v];
        free(row[v]);
    }
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = nvtx,
                      .xadj = xadj,
                      .adj = adj,
                      .vwgt = weights == LAYERS_NONE ? NULL : vwgt,
                      .ncon = 1};
    cleave_graph *g = NULL;
    cleave_error err = {0};
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        fprintf(stderr, "layers_graph: %s\n", err.message);
    free(xadj);
    free(name);
    free(vwgt);
    free(row);
    free(adj);
    return g;
}

const char *layers_fault(const clv_graph *g, int32_t threads, const int32_t *layer,
                         const int32_t *thread)
{
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (layer[v] < 0)
            return "a vertex is in no layer";
        if (thread[v] < 0 || thread[v] >= threads)
            return "a vertex is on no thread";
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (layer[u] < layer[v])
                return "an arc leads to an earlier layer";
            if (layer[u] == layer[v] && thread[u] != thread[v])
                return "an arc joins two threads inside a layer";
        }
    }
    return NULL;
}

static int32_t end_of_layers(const clv_graph *g, const int32_t *layer)
{
    int32_t end = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        end = layer[v] >= end ? layer[v] + 1 : end;
    return end;
}

double layers_cost(const clv_graph *g, int32_t threads, const int32_t *layer,
                   const int32_t *thread, double sync)
{
    size_t end = (size_t)end_of_layers(g, layer), width = (size_t)threads;
    double *work = calloc(end * width + 1, sizeof *work), sum = 0;
    bool *used = calloc(end + 1, sizeof *used);
    for (int32_t v = 0; v < g->nvtx; v++) {
        work[(size_t)layer[v] * width + (size_t)thread[v]] += clv_graph_vwgt(g, v, 0);
        used[layer[v]] = true;
    }
    for (size_t l = 0; l < end; l++) {
        double most = 0;
        for (size_t t = 0; t < width; t++)
            most = work[l * width + t] > most ? work[l * width + t] : most;
        sum += used[l] ? most + sync : 0;
    }
    free(work);
    free(used);
    return sum;
}

int32_t layers_count(const clv_graph *g, const int32_t *layer)
{
    int32_t end = end_of_layers(g, layer), count = 0;
    bool *used = calloc((size_t)end + 1, sizeof *used);
    for (int32_t v = 0; v < g->nvtx; v++)
        used[layer[v]] = true;
    for (int32_t l = 0; l < end; l++)
        count += used[l];
    free(used);
    return count;
}
