/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/oracle_metrics.c - see the header.  Written to be obviously correct: every
 * definition is a loop over all pairs or triples. */
#include "oracle/oracle_metrics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { N = ORACLE_MAX_VERTICES, K = ORACLE_MAX_PARTS };

/* The graph as matrices. */
typedef struct dense {
    int n, k, dag;
    const int32_t *part;
    int has[N][N]; /* 1: an arc from row to column */
    int64_t weight[N][N];
} dense;

static void unpack(dense *d, const cleave_csr *g, int32_t nparts, const int32_t *part)
{
    assert(g->nvtx <= N && nparts <= K && g->ncon <= ORACLE_MAX_CON);
    memset(d, 0, sizeof *d);
    d->n = g->nvtx;
    d->k = nparts;
    d->dag = g->kind == CLEAVE_DAG;
    d->part = part;
    for (int v = 0; v < d->n; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            d->has[v][g->adj[a]] = 1;
            d->weight[v][g->adj[a]] = g->ewgt ? g->ewgt[a] : 1;
        }
}

/* Warshall's transitive closure of an m x m matrix with rows of `stride`. */
static void close_transitively(int m, int stride, int *reach)
{
    for (int via = 0; via < m; via++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                if (reach[i * stride + via] && reach[via * stride + j])
                    reach[i * stride + j] = 1;
}

static void add_cut(oracle_result *out, const dense *d)
{
    int64_t twice = 0;
    for (int u = 0; u < d->n; u++)
        for (int v = 0; v < d->n; v++)
            if (d->has[u][v] && d->part[u] != d->part[v])
                twice += d->dag ? 2 * d->weight[u][v] : d->weight[u][v];
    out->metrics.cut = twice / 2;
}

static void add_volume(oracle_result *out, const dense *d, const cleave_csr *g)
{
    for (int v = 0; v < d->n; v++)
        for (int p = 0; p < d->k; p++) {
            int readers = 0;
            for (int u = 0; u < d->n; u++)
                readers += d->has[v][u] && d->part[u] == p && d->part[v] != p;
            if (readers > 0)
                out->volume[d->part[v]] += g->vsize ? g->vsize[v] : 1;
        }
    for (int p = 0; p < d->k; p++) {
        out->metrics.volume += out->volume[p];
        if (out->volume[p] > out->metrics.max_volume)
            out->metrics.max_volume = out->volume[p];
    }
}

/* One constraint.  share = total * s / sum is kept as a fraction. */
static void add_balance(oracle_result *out, const dense *d, const cleave_csr *g, int con,
                        const oracle_rules *rules)
{
    int64_t weight[K] = {0}, total = 0, sum = 0;
    for (int v = 0; v < d->n; v++) {
        int64_t w = g->vwgt ? g->vwgt[v * g->ncon + con] : 1;
        weight[d->part[v]] += w;
        total += w;
    }
    for (int p = 0; p < d->k; p++)
        sum += rules->shares ? rules->shares[p] : 1;
    for (int p = 0; p < d->k; p++) {
        int64_t numerator = total * (rules->shares ? rules->shares[p] : 1);
        int64_t rounded_up = numerator / sum + (numerator % sum > 0);
        int64_t bound = rounded_up * (1000 + rules->eps_per_thousand) / 1000;
        double excess = numerator > 0   ? (double)(weight[p] * sum) / (double)numerator - 1
                        : weight[p] > 0 ? INFINITY
                                        : 0;
        if (excess > out->metrics.imbalance)
            out->metrics.imbalance = excess;
        if (weight[p] > bound)
            out->metrics.balanced = 0;
        if (con == 0) {
            out->weight[p] = weight[p];
            out->bound[p] = bound;
        }
    }
}

static void add_extremes(oracle_result *out, const dense *d)
{
    for (int p = 0; p < d->k; p++) {
        int members = 0;
        for (int v = 0; v < d->n; v++)
            members += d->part[v] == p;
        out->metrics.empty_parts += members == 0;
        if (p == 0 || out->weight[p] < out->metrics.min_weight)
            out->metrics.min_weight = out->weight[p];
        if (p == 0 || out->weight[p] > out->metrics.max_weight)
            out->metrics.max_weight = out->weight[p];
    }
}

/* A vertex starts a piece when it is the smallest that reaches itself in its part. */
static void add_pieces(oracle_result *out, const dense *d)
{
    int reach[N][N] = {{0}};
    for (int u = 0; u < d->n; u++)
        for (int v = 0; v < d->n; v++)
            reach[u][v] = u == v || ((d->has[u][v] || d->has[v][u]) && //
                                     d->part[u] == d->part[v]);
    close_transitively(d->n, N, &reach[0][0]);
    for (int v = 0; v < d->n; v++) {
        int smallest = 0;
        while (!reach[smallest][v])
            smallest++;
        out->metrics.pieces += smallest == v;
        out->pieces[d->part[v]] += smallest == v;
    }
}

static void add_quotient(oracle_result *out, const dense *d)
{
    int reach[K][K] = {{0}}, pairs = 0;
    for (int u = 0; u < d->n; u++)
        for (int v = 0; v < d->n; v++)
            if (d->has[u][v] && d->part[u] != d->part[v])
                out->adjacent[d->part[u]][d->part[v]] = 1;
    for (int p = 0; p < d->k; p++)
        for (int q = 0; q < d->k; q++) {
            reach[p][q] = out->adjacent[p][q];
            pairs += reach[p][q];
        }
    close_transitively(d->k, K, &reach[0][0]);
    out->metrics.setups = d->dag ? pairs : pairs / 2;
    out->metrics.acyclic = 1;
    for (int p = 0; p < d->k; p++)
        if (reach[p][p])
            out->metrics.acyclic = 0;
}

static void add_convex(oracle_result *out, const dense *d)
{
    int reach[N][N];
    memcpy(reach, d->has, sizeof reach);
    close_transitively(d->n, N, &reach[0][0]);
    out->metrics.convex = 1;
    for (int u = 0; u < d->n; u++)
        for (int x = 0; x < d->n; x++)
            for (int v = 0; v < d->n; v++)
                if (d->part[u] == d->part[v] && d->part[x] != d->part[u] && //
                    reach[u][x] && reach[x][v])
                    out->metrics.convex = 0;
}

/* Bellman and Ford: no topological order needed. */
static void add_critical_path(oracle_result *out, const dense *d, const oracle_rules *rules)
{
    int64_t finish[N];
    for (int v = 0; v < d->n; v++)
        finish[v] = rules->cost_vertex;
    for (int round = 0; round < d->n; round++)
        for (int u = 0; u < d->n; u++)
            for (int v = 0; v < d->n; v++) {
                int64_t arc = d->part[u] == d->part[v] ? rules->cost_inside : rules->cost_cut;
                if (d->has[u][v] && finish[u] + arc + rules->cost_vertex > finish[v])
                    finish[v] = finish[u] + arc + rules->cost_vertex;
            }
    for (int v = 0; v < d->n; v++)
        if (finish[v] > out->metrics.critical_path)
            out->metrics.critical_path = finish[v];
}

void oracle_metrics(oracle_result *out, const cleave_csr *g, int32_t nparts,
                    const int32_t *part, const oracle_rules *rules)
{
    dense d;
    unpack(&d, g, nparts, part);
    memset(out, 0, sizeof *out);
    out->metrics.parts = nparts;
    out->metrics.balanced = 1;
    add_cut(out, &d);
    add_volume(out, &d, g);
    for (int con = 0; con < g->ncon; con++)
        add_balance(out, &d, g, con, rules);
    add_extremes(out, &d);
    add_pieces(out, &d);
    add_quotient(out, &d);
    if (d.dag) {
        add_convex(out, &d);
        add_critical_path(out, &d, rules);
    } else {
        out->metrics.acyclic = out->metrics.convex = -1;
        out->metrics.critical_path = -1;
    }
}
