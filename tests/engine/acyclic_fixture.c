/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/acyclic_fixture.c - see the header. */
#include "engine/acyclic_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/acyclic_oracle.h"

/* ---- Graphs ----------------------------------------------------------------------------- */

/* place[v]: where v stands in an order that is drawn. */
static void draw_places(uint64_t seed, int32_t n, int32_t *place)
{
    for (int32_t v = 0; v < n; v++)
        place[v] = v;
    for (int32_t v = n - 1; v > 0; v--) {
        int32_t u = fixture_draw(seed, v, v + 1), other = place[u];
        place[u] = place[v];
        place[v] = other;
    }
}

/* Keeps of each edge the direction to the vertex of the higher place. */
static cleave_graph *directed(cleave_graph *plain, const int32_t *place, const char *text)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(plain, &csr);
    int64_t *xadj = fixture_grab(csr.nvtx + 1, sizeof *xadj), narc = 0;
    int32_t *adj = fixture_grab(csr.xadj[csr.nvtx], sizeof *adj);
    int32_t *ewgt = fixture_grab(csr.xadj[csr.nvtx], sizeof *ewgt);
    for (int32_t v = 0; v < csr.nvtx; v++) {
        for (int64_t a = csr.xadj[v]; a < csr.xadj[v + 1]; a++)
            if (place[csr.adj[a]] > place[v]) {
                adj[narc] = csr.adj[a];
                ewgt[narc++] = csr.ewgt ? csr.ewgt[a] : 1;
            }
        xadj[v + 1] = narc;
    }
    csr.kind = CLEAVE_DAG;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.ewgt = csr.ewgt ? ewgt : NULL;
    csr.coords = NULL;
    csr.ndim = 0;
    cleave_graph *g = fixture_create(&csr, text);
    cleave_graph_free(plain);
    free(xadj);
    free(adj);
    free(ewgt);
    return g;
}

/* How an arc of a DAG in which arcs run to higher numbers is drawn. */
typedef bool (*draws_arc)(const int32_t *how, uint64_t seed, int32_t u, int32_t v);

static cleave_graph *drawn(uint64_t seed, int32_t n, draws_arc arc, const int32_t *how,
                           const int32_t *vwgt, int32_t ewgt)
{
    int64_t room = 64, narc = 0, *xadj = fixture_grab(n + 1, sizeof *xadj);
    int32_t *adj = fixture_grab(room, sizeof *adj), *wgt = fixture_grab(room, sizeof *wgt);
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = u + 1; v < n; v++) {
            if (!arc(how, seed, u, v))
                continue;
            if (narc == room) {
                room *= 2;
                adj = realloc(adj, (size_t)room * sizeof *adj);
                wgt = realloc(wgt, (size_t)room * sizeof *wgt);
                if (!adj || !wgt)
                    abort();
            }
            wgt[narc] = ewgt ? 1 + fixture_draw(seed + 2, (int64_t)u * n + v, ewgt) : 1;
            adj[narc++] = v;
        }
        xadj[u + 1] = narc;
    }
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    csr.ewgt = ewgt ? wgt : NULL;
    cleave_graph *g = fixture_create(&csr, "drawn");
    free(xadj);
    free(adj);
    free(wgt);
    return g;
}

static bool in_layers(const int32_t *how, uint64_t seed, int32_t u, int32_t v)
{
    int32_t width = how[0], degree = how[1], apart = v / width - u / width;
    int64_t pair = (int64_t)u * 1000003 + v;
    return apart == 1  ? fixture_draw(seed, pair, width) < degree
           : apart > 1 ? fixture_draw(seed, pair, 40 * width) == 0
                       : false;
}

static bool by_chance(const int32_t *how, uint64_t seed, int32_t u, int32_t v)
{
    return fixture_draw(seed, (int64_t)u * 1009 + v, 1000) < how[0];
}

cleave_graph *acyclic_fixture_random(uint64_t seed, int32_t n, int32_t thousandths,
                                     int32_t vwgt, int32_t ewgt)
{
    int32_t *weights = fixture_grab(n, sizeof *weights);
    for (int32_t v = 0; v < n; v++)
        weights[v] = vwgt ? 1 + fixture_draw(seed + 1, v, vwgt) : 1;
    cleave_graph *g = drawn(seed, n, by_chance, &thousandths, vwgt ? weights : NULL, ewgt);
    free(weights);
    return g;
}

static cleave_graph *generated(const char *text)
{
    cleave_graph *g = NULL;
    cleave_error err;
    if (cleave_graph_generate(&g, text, NULL, &err) != CLEAVE_OK) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        abort();
    }
    return g;
}

cleave_graph *acyclic_fixture_graph(const char *text)
{
    int count = 0, how[2] = {0, 0};
    if (sscanf(text, "layers:%d:%d:%d", &count, &how[0], &how[1]) == 3)
        return drawn(3, count * how[0], in_layers, how, NULL, 0);
    const char *rest = strchr(text, ' ');
    if (!rest ||
        (strncmp(text, "up ", 3) && strncmp(text, "mix ", 4) && strncmp(text, "down ", 5)))
        return generated(text);
    cleave_graph *plain = fixture_graph(rest + 1);
    int32_t n = cleave_graph_vertices(plain), *place = fixture_grab(n, sizeof *place);
    if (text[0] == 'm')
        draw_places(11, n, place);
    for (int32_t v = 0; v < n && text[0] != 'm'; v++)
        place[v] = text[0] == 'u' ? v : n - v;
    cleave_graph *g = directed(plain, place, text);
    free(place);
    return g;
}

void ask_dag(asked *a, const char *text, int32_t nparts, cleave_effort effort)
{
    ask_graph(a, text, acyclic_fixture_graph(text), nparts, effort);
}

/* ---- A solution that exists ------------------------------------------------------------- */

/* A topological order: of the vertices that are ready, always one that is drawn. */
static void draw_order(const asked *a, uint64_t seed, int32_t *order)
{
    int32_t *missing = fixture_grab(a->n, sizeof *missing),
            *ready = fixture_grab(a->n, sizeof *ready);
    int32_t count = 0;
    for (int64_t i = 0; i < a->csr.xadj[a->n]; i++)
        missing[a->csr.adj[i]]++;
    for (int32_t v = 0; v < a->n; v++)
        if (!missing[v])
            ready[count++] = v;
    for (int32_t i = 0; i < a->n; i++) {
        /* Mostly the newest: orders between depth-first and any. */
        int32_t at = fixture_draw(seed, i, 4) ? count - 1 : fixture_draw(seed + 1, i, count);
        int32_t v = ready[at];
        ready[at] = ready[--count];
        order[i] = v;
        for (int64_t b = a->csr.xadj[v]; b < a->csr.xadj[v + 1]; b++)
            if (--missing[a->csr.adj[b]] == 0)
                ready[count++] = a->csr.adj[b];
    }
    free(missing);
    free(ready);
}

void acyclic_fixture_slices(const asked *a, uint64_t seed, const int32_t *sizes, int32_t *part)
{
    int32_t *order = fixture_grab(a->n, sizeof *order),
            *label = fixture_grab(a->k, sizeof *label);
    int64_t total = 0, size = 0, weight = 0, until = 0;
    draw_order(a, seed, order);
    draw_places(seed + 5, a->k, label);
    for (int32_t v = 0; v < a->n; v++)
        total += a->csr.vwgt ? a->csr.vwgt[(int64_t)v * a->ncon] : 1;
    for (int32_t p = 0; p < a->k; p++)
        size += sizes ? sizes[p] : 1;
    int32_t slice = 0;
    until = sizes ? sizes[label[0]] : 1;
    for (int32_t i = 0; i < a->n; i++) {
        int64_t w = a->csr.vwgt ? a->csr.vwgt[(int64_t)order[i] * a->ncon] : 1;
        while (slice + 1 < a->k && (2 * weight + w) * size > 2 * total * until) {
            slice++;
            until += sizes ? sizes[label[slice]] : 1;
        }
        part[order[i]] = label[slice];
        weight += w;
    }
    free(order);
    free(label);
}

/* ---- Judging ---------------------------------------------------------------------------- */

static const char *judge_shape(const asked *a, const cleave_mapping *m)
{
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    if (!oracle_parts_acyclic(&a->csr, a->k, cleave_mapping_parts(m)))
        return "the parts form a cycle";
    if (a->report.acyclic != 1)
        return "the report does not say that it is acyclic";
    if (cleave_evaluate(&metrics, a->g, m, NULL, NULL) != CLEAVE_OK ||
        metrics.critical_path != a->report.critical_path)
        return "the report's critical path is not true";
    return NULL;
}

const char *dag_judge(const asked *a, cleave_status status, const cleave_mapping *m, facts *f)
{
    static char text[600];
    const char *wrong = fixture_judge(a, status, m, f);
    if (wrong || !m)
        return wrong;
    wrong = judge_shape(a, m);
    if (!wrong)
        return NULL;
    snprintf(text, sizeof text, "%s into %d parts, effort %d, seed %d, %d threads: %s",
             a->name, a->k, (int)a->opt.effort, (int)a->opt.seed, a->opt.threads, wrong);
    return text;
}

const char *dag_map(asked *a, dag_demand demand, facts *f, cleave_mapping **m)
{
    static char text[700];
    cleave_mapping *own = NULL, **out = m ? m : &own;
    cleave_status status = demand == DAG_OK ? ask_map_in_time(a, 0, out) : ask_map(a, out);
    const char *wrong = dag_judge(a, status, *out, f);
    if (!wrong && demand == DAG_OK && status != CLEAVE_OK) {
        snprintf(text, sizeof text, "%s into %d parts, effort %d, seed %d: %s", a->name, a->k,
                 (int)a->opt.effort, (int)a->opt.seed, a->err.message);
        wrong = text;
    }
    cleave_mapping_free(own);
    return wrong;
}
