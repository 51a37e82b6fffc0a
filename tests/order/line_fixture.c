/* SPDX-License-Identifier: Apache-2.0 */
#include "order/line_fixture.h"

static void must(bool fine)
{
    if (!fine)
        abort();
}

static double coordinate(line_shape shape, int32_t v, int32_t d, clv_rng *rng)
{
    double u = clv_rng_unit(rng);
    switch (shape) {
    case LINE_CLUSTERED:
        return u * u * u * u * u * u - 3;
    case LINE_GRID:
        return d == 0 ? v % 7 : d == 1 ? v / 7 % 9 : v / 63;
    case LINE_STRAIGHT:
        return (d + 1) * (double)(v * 7919 % 1000) - 20;
    case LINE_TWICE:
        return (double)clv_hash64((uint64_t)(v / 3 * 3 + d)) * 0x1p-64;
    case LINE_ONE_POINT:
        return 0.1;
    default:
        return u * 1e6;
    }
}

static int32_t weight(line_weights weights, int32_t v, int32_t nvtx, clv_rng *rng)
{
    switch (weights) {
    case LINE_SMALL:
        return 1 + (int32_t)clv_rng_below(rng, 9);
    case LINE_ZEROS:
        return clv_rng_below(rng, 2) ? (int32_t)clv_rng_below(rng, 4) : 0;
    case LINE_HEAVY:
        return v == nvtx / 3 ? nvtx : 1;
    default:
        return 0;
    }
}

/* Undirected edges in both directions; a matrix keeps them single. */
static int64_t fill_rows(int32_t nvtx, int64_t *xadj, int32_t *adj, uint64_t seed)
{
    bool *joined = calloc((size_t)nvtx * (size_t)nvtx + 1, sizeof *joined);
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    int64_t count = 0;
    must(joined);
    for (int32_t v = 0; v < nvtx; v++)
        for (int32_t k = 0; k < 3; k++) {
            int32_t u = k == 0 ? v + 1 : (int32_t)clv_rng_below(&rng, (uint32_t)nvtx);
            if (u < nvtx && u != v)
                joined[(int64_t)v * nvtx + u] = joined[(int64_t)u * nvtx + v] = true;
        }
    for (int32_t v = 0; v < nvtx; v++) {
        xadj[v] = count;
        for (int32_t u = 0; u < nvtx; u++)
            if (joined[(int64_t)v * nvtx + u])
                adj[count++] = u;
    }
    xadj[nvtx] = count;
    free(joined);
    return count;
}

clv_graph *line_graph(line_shape shape, line_weights weights, int32_t nvtx, int32_t ndim,
                      uint64_t seed)
{
    size_t n = (size_t)nvtx + 1;
    int64_t *xadj = malloc(n * sizeof *xadj);
    int32_t *adj = malloc(6 * n * sizeof *adj), *vwgt = malloc(n * sizeof *vwgt);
    double *coords = malloc(n * (size_t)ndim * sizeof *coords);
    clv_rng rng = clv_rng_make(seed, 0, 0, 0);
    cleave_graph *g = NULL;
    must(xadj && adj && vwgt && coords);
    fill_rows(nvtx, xadj, adj, seed);
    for (int32_t v = 0; v < nvtx; v++) {
        vwgt[v] = weight(weights, v, nvtx, &rng);
        for (int32_t d = 0; d < ndim; d++)
            coords[(int64_t)v * ndim + d] = coordinate(shape, v, d, &rng);
    }
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_UNDIRECTED,
                      .nvtx = nvtx,
                      .xadj = xadj,
                      .adj = adj,
                      .vwgt = weights == LINE_UNIT ? NULL : vwgt,
                      .ncon = 1,
                      .ndim = ndim,
                      .coords = coords};
    must(cleave_graph_create(&g, &csr, 0, NULL) == CLEAVE_OK);
    free(xadj);
    free(adj);
    free(vwgt);
    free(coords);
    return g;
}

clv_order *line_order(const clv_graph *g, uint64_t seed)
{
    int32_t *vertex = malloc(((size_t)g->nvtx + 1) * sizeof *vertex);
    clv_rng rng = clv_rng_make(seed, 2, 0, 0);
    clv_ws ws = {0};
    clv_order *o = NULL;
    must(vertex);
    clv_rng_permutation(&rng, g->nvtx, vertex);
    must(clv_order_new(&o, g, "random", vertex, &ws, NULL) == CLEAVE_OK);
    clv_ws_free(&ws);
    free(vertex);
    return o;
}

void line_speeds(double *speed, int32_t npes, double ratio, bool idle, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 3, 0, 0);
    for (int32_t pe = 0; pe < npes; pe++) {
        speed[pe] = 1 + (ratio - 1) * clv_rng_unit(&rng);
        if (idle && clv_rng_below(&rng, 3) == 0)
            speed[pe] = 0;
    }
    speed[clv_rng_below(&rng, (uint32_t)npes)] = ratio;
}

const char *line_fault(int32_t nvtx, const int32_t *vertex)
{
    char *seen = calloc((size_t)nvtx + 1, 1);
    const char *fault = NULL;
    must(seen);
    for (int32_t p = 0; p < nvtx && !fault; p++) {
        if (vertex[p] < 0 || vertex[p] >= nvtx)
            fault = "a vertex is out of range";
        else if (seen[vertex[p]]++)
            fault = "a vertex stands twice";
    }
    free(seen);
    return fault;
}

void line_context(clv_context *ctx, int threads, uint64_t seed)
{
    must(clv_context_open(ctx, threads, seed, NULL) == CLEAVE_OK);
}
