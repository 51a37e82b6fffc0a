/* SPDX-License-Identifier: Apache-2.0 */
#include "order/spectral_oracle.h"

#include <math.h>

#include "base/rng.h"
#include "support/test.h"

void *sketch_alloc(int64_t count, size_t each)
{
    void *block = calloc((size_t)count + 1, each);
    if (!block)
        abort();
    return block;
}

void sketch_context(clv_context *ctx, int threads)
{
    if (clv_context_open(ctx, threads, 1, NULL) != CLEAVE_OK)
        abort();
}

/* ---- Graphs ----------------------------------------------------------------------------- */

void sketch_open(sketch *s, int32_t n)
{
    *s = (sketch){.n = n};
}

static void *grown(void *block, int64_t count)
{
    block = realloc(block, (size_t)count * sizeof(int32_t));
    if (!block)
        abort();
    return block;
}

void sketch_edge(sketch *s, int32_t u, int32_t v, int32_t weight)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->tail = grown(s->tail, s->room);
        s->head = grown(s->head, s->room);
        s->weight = grown(s->weight, s->room);
    }
    s->tail[s->count] = u;
    s->head[s->count] = v;
    s->weight[s->count++] = weight;
}

static void add_arc(sketch *s, int64_t *at, int32_t u, int32_t v, int32_t weight)
{
    int64_t a = at[u]++;
    /* Rows ascend. */
    for (; a > s->xadj[u] && s->adj[a - 1] > v; a--) {
        s->adj[a] = s->adj[a - 1];
        s->ewgt[a] = s->ewgt[a - 1];
    }
    s->adj[a] = v;
    s->ewgt[a] = weight;
}

void sketch_close(sketch *s, bool weighted)
{
    int32_t n = s->n;
    s->xadj = sketch_alloc(n + 1, sizeof *s->xadj);
    s->adj = sketch_alloc(2 * s->count, sizeof *s->adj);
    s->ewgt = sketch_alloc(2 * s->count, sizeof *s->ewgt);
    for (int64_t e = 0; e < s->count; e++) {
        s->xadj[s->tail[e] + 1]++;
        s->xadj[s->head[e] + 1]++;
    }
    for (int32_t v = 0; v < n; v++)
        s->xadj[v + 1] += s->xadj[v];
    int64_t *at = sketch_alloc(n, sizeof *at);
    memcpy(at, s->xadj, (size_t)n * sizeof *at);
    for (int64_t e = 0; e < s->count; e++) {
        add_arc(s, at, s->tail[e], s->head[e], s->weight[e]);
        add_arc(s, at, s->head[e], s->tail[e], s->weight[e]);
    }
    free(at);
    s->g = (clv_graph){.kind = CLEAVE_UNDIRECTED, .nvtx = n, .narc = 2 * s->count, .ncon = 1};
    s->g.xadj = s->g.xpred = s->xadj;
    s->g.adj = s->g.pred = s->adj;
    s->g.ewgt = s->g.pwgt = weighted ? s->ewgt : NULL;
}

void sketch_free(sketch *s)
{
    free(s->tail);
    free(s->head);
    free(s->weight);
    free(s->xadj);
    free(s->adj);
    free(s->ewgt);
}

void sketch_grid(sketch *s, int32_t width, int32_t height, bool periodic)
{
    sketch_open(s, width * height);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            if (x + 1 < width || periodic)
                sketch_edge(s, y * width + x, y * width + (x + 1) % width, 1);
            if (y + 1 < height || periodic)
                sketch_edge(s, y * width + x, (y + 1) % height * width + x, 1);
        }
    sketch_close(s, false);
}

void sketch_hypercube(sketch *s, int dimension)
{
    sketch_open(s, 1 << dimension);
    for (int32_t v = 0; v < s->n; v++)
        for (int i = 0; i < dimension; i++)
            if (v >> i & 1)
                sketch_edge(s, v, v ^ (1 << i), 1);
    sketch_close(s, false);
}

void sketch_random(sketch *s, const sketch_options *o)
{
    clv_rng rng = clv_rng_make(o->seed, 1, 2, 3);
    int32_t *parent = sketch_alloc(o->n, sizeof *parent);
    sketch_open(s, o->n);
    for (int32_t v = 0; v < o->n; v++) {
        parent[v] = o->connected && v > 0 ? (int32_t)clv_rng_below(&rng, (uint32_t)v) : -1;
        for (int32_t u = 0; u < v; u++) {
            bool tree = parent[v] == u;
            if (!tree && clv_rng_unit(&rng) >= o->chance)
                continue;
            int32_t w = 1 + (int32_t)clv_rng_below(&rng, (uint32_t)o->most);
            if (o->extreme)
                w = clv_rng_below(&rng, 2) ? 1 : o->most;
            if (!tree && clv_rng_unit(&rng) < o->zero)
                w = 0;
            sketch_edge(s, u, v, w);
        }
    }
    free(parent);
    sketch_close(s, o->most > 1 || o->zero > 0);
}

/* ---- Jacobi's method -------------------------------------------------------------------- */

static void rotate_pair(int32_t n, double *a, double *vectors, int32_t p, int32_t q)
{
    if (fabs(a[p * n + q]) <= 1e-300)
        return;
    double angle = 0.5 * atan2(2 * a[p * n + q], a[p * n + p] - a[q * n + q]);
    double c = cos(angle), s = sin(angle);
    for (int32_t i = 0; i < n; i++) {
        double x = a[p * n + i], y = a[q * n + i];
        a[p * n + i] = c * x + s * y;
        a[q * n + i] = c * y - s * x;
        x = vectors[p * n + i], y = vectors[q * n + i];
        vectors[p * n + i] = c * x + s * y;
        vectors[q * n + i] = c * y - s * x;
    }
    for (int32_t i = 0; i < n; i++) {
        double x = a[i * n + p], y = a[i * n + q];
        a[i * n + p] = c * x + s * y;
        a[i * n + q] = c * y - s * x;
    }
}

static double off_diagonal(int32_t n, const double *a, double *all)
{
    double sum = 0;
    *all = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            sum += i == j ? 0 : a[i * n + j] * a[i * n + j];
            *all += a[i * n + j] * a[i * n + j];
        }
    return sum;
}

static void exchange_rows(int32_t n, double *values, double *vectors, int32_t i, int32_t j)
{
    double kept = values[i];
    values[i] = values[j];
    values[j] = kept;
    for (int32_t k = 0; k < n; k++) {
        kept = vectors[i * n + k];
        vectors[i * n + k] = vectors[j * n + k];
        vectors[j * n + k] = kept;
    }
}

void oracle_eigen(int32_t n, double *a, double *values, double *vectors)
{
    double all;
    memset(vectors, 0, (size_t)n * (size_t)n * sizeof *vectors);
    for (int32_t i = 0; i < n; i++)
        vectors[i * n + i] = 1;
    for (int sweep = 0; sweep < 60 && off_diagonal(n, a, &all) > 1e-30 * all; sweep++)
        for (int32_t p = 0; p < n; p++)
            for (int32_t q = p + 1; q < n; q++)
                rotate_pair(n, a, vectors, p, q);
    for (int32_t i = 0; i < n; i++)
        values[i] = a[i * n + i];
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            if (values[j] < values[i])
                exchange_rows(n, values, vectors, i, j);
}

double *oracle_laplacian(const clv_graph *g)
{
    int32_t n = g->nvtx;
    double *a = sketch_alloc((int64_t)n * n, sizeof *a);
    for (int32_t v = 0; v < n; v++)
        for (int64_t e = g->xadj[v]; e < g->xadj[v + 1]; e++) {
            double w = g->ewgt ? g->ewgt[e] : 1;
            a[v * n + v] += w;
            a[v * n + g->adj[e]] -= w;
        }
    return a;
}

double oracle_fiedler(const clv_graph *g)
{
    int32_t n = g->nvtx;
    double *a = oracle_laplacian(g), *values = sketch_alloc(n, sizeof *values);
    double *vectors = sketch_alloc((int64_t)n * n, sizeof *vectors);
    oracle_eigen(n, a, values, vectors);
    double value = values[1];
    free(a);
    free(values);
    free(vectors);
    return value;
}
