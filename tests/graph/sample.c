/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/build.h"
#include "support/test.h"

/* ---- Matrices ---------------------------------------------------------------------- */

static void set_arc(oracle_graph *o, int u, int v, int64_t wgt)
{
    o->arc[u][v] = true;
    o->wgt[u][v] = wgt;
}

void sample_matrix(oracle_graph *o, sample_kind kind, int largest, clv_rng *rng)
{
    int32_t rank[ORACLE_MAX];
    memset(o, 0, sizeof *o);
    o->n = (int)clv_rng_below(rng, (uint32_t)largest + 1);
    clv_rng_permutation(rng, o->n, rank);
    /* From forests to almost complete graphs. */
    uint32_t sparse = 1 + clv_rng_below(rng, 2 * (uint32_t)largest);
    for (int u = 0; u < o->n; u++) {
        for (int v = 0; v < o->n; v++) {
            if (clv_rng_below(rng, sparse) != 0)
                continue;
            int64_t wgt = clv_rng_below(rng, 10);
            if (u == v && kind != SAMPLE_LOOPS)
                continue;
            if (kind == SAMPLE_DAG && rank[u] > rank[v])
                continue;
            set_arc(o, u, v, wgt);
            if (kind == SAMPLE_UNDIRECTED)
                set_arc(o, v, u, wgt);
        }
    }
}

void sample_bare_rows(sample_rows *rows, const oracle_graph *o, bool copies, clv_rng *rng)
{
    int64_t count = 0;
    for (int u = 0; u < o->n; u++) {
        rows->xadj[u] = count;
        for (int v = 0; v < o->n; v++)
            for (uint32_t i = o->arc[u][v] ? 1 + (copies ? clv_rng_below(rng, 3) : 0) : 0;
                 i > 0; i--)
                rows->adj[count++] = v;
        int32_t *row = rows->adj + rows->xadj[u];
        for (int64_t i = 0; i < count - rows->xadj[u]; i++) {
            int64_t j = clv_rng_below(rng, (uint32_t)i + 1);
            int32_t kept = row[i];
            row[i] = row[j];
            row[j] = kept;
        }
    }
    rows->xadj[o->n] = count;
}

/* ---- Attributes -------------------------------------------------------------------- */

sample_attributes sample_any_attributes(clv_rng *rng)
{
    static const int32_t dimensions[] = {0, 2, 3};
    return (sample_attributes){.edge_weights = clv_rng_below(rng, 2),
                               .ncon = (int32_t)clv_rng_below(rng, 4),
                               .vsize = clv_rng_below(rng, 2),
                               .ndim = dimensions[clv_rng_below(rng, 3)],
                               .names = clv_rng_below(rng, 2)};
}

sample_attributes sample_all_attributes(void)
{
    return (sample_attributes){true, 2, true, 3, true};
}

int32_t sample_vwgt(int32_t v, int32_t con)
{
    return v % 5 == 0 ? 0 : 10 * v + con;
}

int32_t sample_vsize(int32_t v)
{
    return 7 * v;
}

double sample_coord(int32_t v, int32_t axis)
{
    return v + axis / 4.0;
}

void sample_name(int32_t v, char name[32])
{
    /* Lengths differ, and one name is empty. */
    snprintf(name, 32, "%.*s", v % 13, "n0123456789abc");
    if (v % 13)
        snprintf(name + strlen(name), 16, "_%d", (int)v);
}

static void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "sample graph: %s\n", what);
        abort();
    }
}

static void attach(clv_graph *g, sample_attributes with)
{
    enum { most = ORACLE_MAX };
    static int32_t vwgt[most * 4], vsize[most];
    static double coords[most * 3];
    static char text[most][32];
    static const char *names[most];
    int32_t ncon = with.ncon ? with.ncon : 1;
    for (int32_t v = 0; v < g->nvtx; v++) {
        for (int32_t con = 0; con < ncon; con++)
            vwgt[v * ncon + con] = sample_vwgt(v, con);
        for (int32_t axis = 0; axis < with.ndim; axis++)
            coords[v * with.ndim + axis] = sample_coord(v, axis);
        vsize[v] = sample_vsize(v);
        sample_name(v, text[v]);
        names[v] = text[v];
    }
    cleave_csr csr = {.size = sizeof csr,
                      .ncon = ncon,
                      .ndim = with.ndim,
                      .vwgt = with.ncon ? vwgt : NULL,
                      .vsize = with.vsize ? vsize : NULL,
                      .coords = with.ndim ? coords : NULL,
                      .names = with.names ? names : NULL};
    cleave_error err;
    require(clv_graph_set_attributes(g, &csr, false, &err) == CLEAVE_OK, "attributes");
}

/* ---- Graphs ------------------------------------------------------------------------ */

clv_graph *sample_graph(const oracle_graph *o, cleave_kind kind, sample_attributes with)
{
    int32_t *tail = malloc(sizeof *tail * ORACLE_MAX * ORACLE_MAX);
    int32_t *head = malloc(sizeof *head * ORACLE_MAX * ORACLE_MAX);
    int32_t *wgt = malloc(sizeof *wgt * ORACLE_MAX * ORACLE_MAX);
    int64_t count = 0;
    for (int32_t u = 0; u < o->n; u++) {
        for (int32_t v = kind == CLEAVE_UNDIRECTED ? u : 0; v < o->n; v++) {
            if (o->arc[u][v]) {
                tail[count] = u;
                head[count] = v;
                wgt[count++] = (int32_t)o->wgt[u][v];
            }
        }
    }
    clv_graph *g = sample_edges(kind, o->n, count, tail, head, with.edge_weights ? wgt : NULL);
    attach(g, with);
    free(tail);
    free(head);
    free(wgt);
    return g;
}

static void put_arc(clv_rows *rows, int32_t u, int32_t v, const int32_t *wgt, int64_t i)
{
    int64_t place = --rows->xadj[u];
    rows->adj[place] = v;
    if (wgt)
        rows->ewgt[place] = wgt[i];
}

clv_graph *sample_edges(cleave_kind kind, int32_t nvtx, int64_t count, const int32_t *tail,
                        const int32_t *head, const int32_t *wgt)
{
    bool both = kind == CLEAVE_UNDIRECTED;
    int64_t narc = both ? 2 * count : count;
    clv_rows rows = {.nvtx = nvtx,
                     .xadj = clv_zalloc((int64_t)nvtx + 1, sizeof *rows.xadj),
                     .adj = clv_alloc(narc, sizeof *rows.adj),
                     .ewgt = wgt ? clv_alloc(narc, sizeof *rows.ewgt) : NULL};
    require(rows.xadj && rows.adj && (rows.ewgt || !wgt), "memory");
    for (int64_t i = 0; i < count; i++) {
        rows.xadj[tail[i]]++;
        if (both)
            rows.xadj[head[i]]++;
    }
    for (int32_t v = 0; v < nvtx; v++)
        rows.xadj[v + 1] += rows.xadj[v];
    for (int64_t i = count; i-- > 0;) {
        put_arc(&rows, tail[i], head[i], wgt, i);
        if (both)
            put_arc(&rows, head[i], tail[i], wgt, i);
    }
    clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_REFUSE};
    clv_graph *g;
    cleave_error err = {0};
    cleave_status status = clv_build_graph(&g, kind, &rows, &rules, NULL, &err);
    require(status == CLEAVE_OK, err.message);
    return g;
}

/* ---- The invariants ---------------------------------------------------------------- */

static const char *row_fault(int32_t nvtx, int64_t narc, const int64_t *x, const int32_t *adj)
{
    if (x[0] != 0 || x[nvtx] != narc)
        return "offsets do not span the arcs";
    for (int32_t v = 0; v < nvtx; v++) {
        if (x[v] > x[v + 1])
            return "offsets run backwards";
        for (int64_t a = x[v]; a < x[v + 1]; a++) {
            if (adj[a] < 0 || adj[a] >= nvtx)
                return "a neighbour is out of range";
            if (adj[a] == v)
                return "a self-loop";
            if (a > x[v] && adj[a] <= adj[a - 1])
                return "a row does not ascend";
        }
    }
    return NULL;
}

/* Every arc u -> v must stand in the other rows as v, u with the same weight. */
static const char *opposite_fault(const clv_graph *g)
{
    for (int32_t u = 0; u < g->nvtx; u++) {
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
            int64_t b = g->xpred[g->adj[a]];
            while (b < g->xpred[g->adj[a] + 1] && g->pred[b] != u)
                b++;
            if (b == g->xpred[g->adj[a] + 1])
                return "an arc is missing in the other direction";
            if (g->ewgt && g->ewgt[a] != g->pwgt[b])
                return "an arc has two weights";
        }
    }
    return NULL;
}

const char *sample_fault(const clv_graph *g)
{
    const char *fault = row_fault(g->nvtx, g->narc, g->xadj, g->adj);
    if (!fault)
        fault = row_fault(g->nvtx, g->narc, g->xpred, g->pred);
    if (!fault)
        fault = opposite_fault(g);
    if (fault)
        return fault;
    if ((g->ewgt == NULL) != (g->pwgt == NULL))
        return "weights in one direction only";
    if (g->kind == CLEAVE_UNDIRECTED &&
        (g->xadj != g->xpred || g->adj != g->pred || g->ewgt != g->pwgt))
        return "an undirected graph has rows of predecessors";
    if (g->kind == CLEAVE_DAG && g->narc > 0 && g->adj == g->pred)
        return "a DAG has no rows of predecessors";
    if (g->ncon < 1)
        return "ncon is below 1";
    return NULL;
}
