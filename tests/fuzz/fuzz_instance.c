/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_instance.c - bytes and graphs; see the header. */
#include "fuzz/fuzz_instance.h"

#include <stdlib.h>
#include <string.h>

enum { N = FUZZ_MOST_VERTICES };

/* ---- Bytes ------------------------------------------------------------------------------ */

static int next_byte(fuzz_input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return (uint8_t)(*in->bytes++ - '0');
}

int fuzz_take(fuzz_input *in, int below)
{
    int value = next_byte(in);
    if (below > 256)
        value += 256 * next_byte(in);
    return value % below;
}

bool fuzz_chance(fuzz_input *in, int odds)
{
    return fuzz_take(in, odds) == 1;
}

fuzz_draws fuzz_take_draws(fuzz_input *in)
{
    return (fuzz_draws){.seed = (uint64_t)fuzz_take(in, 65536)};
}

int32_t fuzz_draw(fuzz_draws *draws, int32_t below)
{
    return fixture_draw(draws->seed, draws->next++, below);
}

/* ---- Edges ------------------------------------------------------------------------------ */

/* A matrix of who is joined to whom: nothing is stored twice, and nothing to itself. */
static uint8_t joined[N][N];

static void join(int32_t n, int32_t u, int32_t v)
{
    if (u != v && u >= 0 && v >= 0 && u < n && v < n)
        joined[u][v] = joined[v][u] = 1;
}

static void join_listed(fuzz_input *in, int32_t n)
{
    for (int left = fuzz_take(in, 256); left > 0 && in->size > 0; left--) {
        int32_t u = fuzz_take(in, n);
        join(n, u, fuzz_take(in, n));
    }
}

static void join_grid(int32_t n, int32_t width)
{
    for (int32_t v = 0; v < n; v++) {
        if ((v + 1) % width != 0)
            join(n, v, v + 1);
        join(n, v, v + width);
    }
}

static void join_randomly(fuzz_input *in, int32_t n, int32_t degree)
{
    fuzz_draws draws = fuzz_take_draws(in);
    for (int64_t left = (int64_t)n * degree / 2; left > 0; left--) {
        int32_t u = fuzz_draw(&draws, n);
        join(n, u, fuzz_draw(&draws, n));
    }
}

/* Some hubs, each joined to the vertices at a regular stride. */
static void join_hubs(fuzz_input *in, int32_t n)
{
    int32_t stride = 1 + fuzz_take(in, 4);
    for (int32_t hub = fuzz_take(in, 4); hub >= 0; hub--)
        for (int32_t v = hub; v < n; v += stride)
            join(n, hub, v);
}

static void join_tree(fuzz_input *in, int32_t n)
{
    fuzz_draws draws = fuzz_take_draws(in);
    for (int32_t v = 1; v < n; v++)
        join(n, v, fuzz_draw(&draws, v));
}

static void join_cliques(fuzz_input *in, int32_t n)
{
    int32_t size = 2 + fuzz_take(in, 24);
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = u + 1; v < n && v / size == u / size; v++)
            join(n, u, v);
}

static void join_sides(int32_t n, int32_t left)
{
    for (int32_t u = 0; u < left; u++)
        for (int32_t v = left; v < n; v++)
            join(n, u, v);
}

/* Of n vertices the last few may stay alone. */
static void join_pattern(fuzz_input *in, int32_t n)
{
    switch (fuzz_take(in, 8)) {
    case 0:
        join_listed(in, n);
        break;
    case 1:
        join_grid(n, 1 + fuzz_take(in, 20));
        break;
    case 2:
        join_randomly(in, n, 1 + fuzz_take(in, 12));
        break;
    case 3:
        join_hubs(in, n);
        break;
    case 4:
        join_tree(in, n);
        break;
    case 5:
        join_cliques(in, n);
        break;
    case 6:
        join_sides(n < 64 ? n : 64, 1 + fuzz_take(in, 6));
        break;
    default:
        break; /* no edges */
    }
}

static void join_all(fuzz_input *in, int32_t n)
{
    for (int32_t v = 0; v < n; v++)
        memset(joined[v], 0, (size_t)n);
    if (n == 0)
        return;
    int32_t alone = fuzz_chance(in, 4) ? fuzz_take(in, n) : 0;
    join_pattern(in, n - alone);
    if (fuzz_chance(in, 3))
        join_pattern(in, n - alone);
}

/* ---- Weights ---------------------------------------------------------------------------- */

/* None is larger than 2^31-1. */
static void take_weights(fuzz_input *in, int32_t count, int32_t *weight)
{
    fuzz_draws draws = fuzz_take_draws(in);
    int how = fuzz_take(in, 7), zeros = fuzz_take(in, 4);
    for (int32_t i = 0; i < count; i++) {
        int32_t small = fuzz_draw(&draws, 10), any = fuzz_draw(&draws, INT32_MAX);
        weight[i] = how == 0   ? 1 + small % 4
                    : how == 1 ? 0
                    : how == 2 ? INT32_MAX - small
                    : how == 3 ? (small == 0 ? any : 1) /* a few heavy ones */
                    : how == 4 ? any
                    : how == 5 ? 7
                               : small * small * small;
        if (zeros == 1 && fuzz_draw(&draws, 2))
            weight[i] = 0;
    }
}

static void take_attributes(fuzz_input *in, fuzz_arrays *arrays)
{
    cleave_csr *csr = &arrays->csr;
    if (fuzz_chance(in, 2)) {
        csr->ncon = fuzz_chance(in, 3) ? 2 + fuzz_take(in, FUZZ_MOST_CON - 1) : 1;
        csr->vwgt = arrays->vwgt;
        take_weights(in, csr->nvtx * csr->ncon, arrays->vwgt);
    }
    if (fuzz_chance(in, 4)) {
        csr->vsize = arrays->vsize;
        take_weights(in, csr->nvtx, arrays->vsize);
    }
    if (fuzz_chance(in, 3)) {
        static const double steps[] = {1, 0.37, 1e-300, 1e300};
        fuzz_draws draws = fuzz_take_draws(in);
        double step = steps[fuzz_take(in, 4)];
        csr->ndim = 2 + fuzz_take(in, 2);
        csr->coords = arrays->coords;
        for (int32_t i = 0; i < csr->nvtx * csr->ndim; i++)
            arrays->coords[i] = (fuzz_draw(&draws, 41) - 20) * step;
    }
}

/* Both directions of an edge have one weight: that of the pair, by number. */
static void take_edge_weights(fuzz_input *in, fuzz_arrays *arrays)
{
    static int32_t of_pair[N * 8];
    enum { pairs = sizeof of_pair / sizeof *of_pair };
    const cleave_csr *csr = &arrays->csr;
    take_weights(in, pairs, of_pair);
    for (int32_t v = 0; v < csr->nvtx; v++)
        for (int64_t a = arrays->xadj[v]; a < arrays->xadj[v + 1]; a++) {
            int32_t u = arrays->adj[a], low = u < v ? u : v, high = u < v ? v : u;
            arrays->ewgt[a] = of_pair[((int64_t)low * 31 + (int64_t)high * 17) % pairs];
        }
}

/* ---- Rows ------------------------------------------------------------------------------- */

/* Where each vertex stands in an order along which the arcs of a DAG run. */
static void take_directions(fuzz_input *in, int32_t n, int32_t *place)
{
    int how = fuzz_take(in, 3);
    fuzz_draws draws = fuzz_take_draws(in);
    for (int32_t v = 0; v < n; v++) {
        place[v] = how == 1 ? n - 1 - v : v;
        if (how == 2) { /* a random exchange with one before */
            int32_t u = fuzz_draw(&draws, v + 1);
            place[v] = place[u];
            place[u] = v;
        }
    }
}

static void fill_rows(fuzz_arrays *arrays, const int32_t *place, bool descending)
{
    int32_t n = arrays->csr.nvtx;
    bool dag = arrays->csr.kind == CLEAVE_DAG;
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++)
        for (int32_t u = 0; u < n; u++)
            count += joined[v][u];
    arrays->adj = malloc((size_t)(count + 1) * sizeof *arrays->adj);
    arrays->ewgt = malloc((size_t)(count + 1) * sizeof *arrays->ewgt);
    FUZZ_CHECK(arrays->adj && arrays->ewgt);
    count = 0;
    for (int32_t v = 0; v < n; v++) {
        arrays->xadj[v] = count;
        for (int32_t i = 0; i < n; i++) {
            int32_t u = descending ? n - 1 - i : i;
            if (joined[v][u] && (!dag || place[v] < place[u]))
                arrays->adj[count++] = u;
        }
    }
    arrays->xadj[n] = count;
}

static int32_t take_size(fuzz_input *in)
{
    switch (fuzz_take(in, 16)) {
    case 0:
        return fuzz_take(in, 4);
    case 1:
        return fuzz_take(in, N + 1);
    case 2:
    case 3:
    case 4:
        return fuzz_take(in, 100);
    default:
        return 1 + fuzz_take(in, 30);
    }
}

void fuzz_take_arrays(fuzz_input *in, fuzz_kinds kinds, fuzz_arrays *arrays)
{
    int32_t place[N];
    cleave_csr *csr = &arrays->csr;
    cleave_csr_init(csr, sizeof *csr);
    bool dag = kinds == FUZZ_DAG_ONLY || (kinds == FUZZ_ANY_KIND && fuzz_take(in, 2));
    csr->kind = dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    csr->nvtx = take_size(in);
    csr->xadj = arrays->xadj;
    join_all(in, csr->nvtx);
    take_directions(in, csr->nvtx, place);
    fill_rows(arrays, place, fuzz_chance(in, 4));
    csr->adj = arrays->adj;
    take_attributes(in, arrays);
    if (fuzz_chance(in, 2)) {
        csr->ewgt = arrays->ewgt;
        take_edge_weights(in, arrays);
    }
}

void fuzz_arrays_free(fuzz_arrays *arrays)
{
    free(arrays->adj);
    free(arrays->ewgt);
}

cleave_graph *fuzz_take_graph(fuzz_input *in, fuzz_kinds kinds)
{
    static fuzz_arrays arrays;
    cleave_error err;
    cleave_graph *g;
    fuzz_take_arrays(in, kinds, &arrays);
    FUZZ_CHECK_OK(cleave_graph_create(&g, &arrays.csr, 0, &err), err);
    fuzz_arrays_free(&arrays);
    return g;
}
