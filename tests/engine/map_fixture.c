/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/map_fixture.c - graphs and demands; see the header. */
#include "engine/map_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t fixture_draw(uint64_t seed, int64_t i, int32_t below)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xd1342543de82ef95u + 1;
    for (int round = 0; round < 3; round++) {
        x ^= x >> 32;
        x *= 0xe9846af9b1a615dbu;
    }
    return (int32_t)((x >> 33) % (uint64_t)below);
}

/* ---- Graphs that no generator makes ----------------------------------------------------- */

typedef struct edges {
    int32_t n;
    int64_t count, room;
    int32_t *ends; /* two per edge */
} edges;

static void join(edges *e, int32_t u, int32_t v)
{
    if (e->count == e->room) {
        e->room = 2 * e->room + 64;
        e->ends = realloc(e->ends, (size_t)e->room * 2 * sizeof *e->ends);
    }
    e->ends[2 * e->count] = u;
    e->ends[2 * e->count++ + 1] = v;
}

static void join_grid(edges *e, int32_t first, int32_t side)
{
    for (int32_t i = 0; i < side * side; i++) {
        if (i % side + 1 < side)
            join(e, first + i, first + i + 1);
        if (i + side < side * side)
            join(e, first + i, first + i + side);
    }
}

static void join_clique(edges *e, int32_t first, int32_t size)
{
    for (int32_t u = first; u < first + size; u++)
        for (int32_t v = u + 1; v < first + size; v++)
            join(e, u, v);
}

static void join_path(edges *e, int32_t first, int32_t size)
{
    for (int32_t v = first; v + 1 < first + size; v++)
        join(e, v, v + 1);
}

static void join_pieces(edges *e)
{
    int32_t side = 2;
    while (4 * (side + 1) * (side + 1) < e->n)
        side++;
    int32_t clique = e->n / 40, at = 0;
    for (int i = 0; i < 3; i++, at += side * side)
        join_grid(e, at, side);
    join_clique(e, at, clique);
    join_path(e, at + clique, (e->n - at - clique) / 2); /* the rest stands alone */
}

static void join_planted(edges *e, int32_t k, int32_t size, int32_t in, int32_t out)
{
    e->n = k * size;
    for (int32_t u = 0; u < e->n; u++)
        for (int32_t v = u + 1; v < e->n; v++) {
            bool inside = u / size == v / size;
            int32_t degree = inside ? in : out, others = inside ? size : e->n - size;
            if (fixture_draw(77, (int64_t)u * e->n + v, others) < degree)
                join(e, u, v);
        }
}

static bool join_named(edges *e, const char *text)
{
    int n = 0, size = 0, in = 0, out = 0;
    if (sscanf(text, "planted:%d:%d:%d:%d", &n, &size, &in, &out) == 4) {
        join_planted(e, n, size, in, out);
        return true;
    }
    char kind[16] = "";
    if (sscanf(text, "%15[a-z]:%d", kind, &n) != 2)
        return false;
    e->n = n;
    for (int32_t v = 1; v < n && strcmp(kind, "star") == 0; v++)
        join(e, 0, v);
    if (strcmp(kind, "clique") == 0)
        join_clique(e, 0, n);
    else if (strcmp(kind, "path") == 0 || strcmp(kind, "cycle") == 0)
        join_path(e, 0, n);
    else if (strcmp(kind, "pieces") == 0)
        join_pieces(e);
    else if (strcmp(kind, "star") != 0 && strcmp(kind, "empty") != 0)
        return false;
    if (strcmp(kind, "cycle") == 0)
        join(e, n - 1, 0);
    return true;
}

void *fixture_grab(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

cleave_graph *fixture_create(const cleave_csr *csr, const char *text)
{
    cleave_graph *g = NULL;
    cleave_error err;
    if (cleave_graph_create(&g, csr, 0, &err) != CLEAVE_OK) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        abort();
    }
    return g;
}

static cleave_graph *graph_of_edges(const edges *e, const char *text)
{
    int64_t *xadj = fixture_grab(e->n + 1, sizeof *xadj);
    int32_t *adj = fixture_grab(2 * e->count, sizeof *adj);
    for (int64_t i = 0; i < 2 * e->count; i++)
        xadj[e->ends[i] + 1]++;
    for (int32_t v = 0; v < e->n; v++)
        xadj[v + 1] += xadj[v];
    int64_t *at = fixture_grab(e->n, sizeof *at);
    memcpy(at, xadj, (size_t)e->n * sizeof *at);
    for (int64_t i = 0; i < 2 * e->count; i++)
        adj[at[e->ends[i]]++] = e->ends[i ^ 1];
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = e->n;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *g = fixture_create(&csr, text);
    free(xadj);
    free(adj);
    free(at);
    return g;
}

/* ---- Weights ---------------------------------------------------------------------------- */

/* The second weight is heavy where the first half of the vertices is, the third everywhere
 * else: what balances one of them does not balance the others. */
static int32_t weight_of(const char *words, const cleave_csr *csr, int32_t v, int32_t con)
{
    if (strstr(words, "none") || (strstr(words, "zero") && v % 2))
        return 0;
    if (strstr(words, "heavy") && v == 0 && con == 0)
        return csr->nvtx;
    if (con == 1)
        return v < csr->nvtx / 2 ? 1 + fixture_draw(5, v, 4) : 0;
    if (con == 2)
        return v < csr->nvtx / 2 ? 1 : 1 + fixture_draw(6, v, 3);
    return strstr(words, "vwgt") ? 1 + fixture_draw(7, v, 9) : 1;
}

static cleave_graph *weighted(cleave_graph *plain, const char *words, const char *text)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(plain, &csr);
    csr.ncon = strstr(words, "three") ? 3 : strstr(words, "two") ? 2 : 1;
    int64_t n = csr.nvtx, narc = csr.xadj[n];
    int32_t *vwgt = fixture_grab(n * csr.ncon, sizeof *vwgt),
            *ewgt = fixture_grab(narc, sizeof *ewgt), *vsize = fixture_grab(n, sizeof *vsize);
    for (int32_t v = 0; v < n; v++) {
        vsize[v] = 1 + fixture_draw(8, v, 6);
        for (int32_t c = 0; c < csr.ncon; c++)
            vwgt[(int64_t)v * csr.ncon + c] = weight_of(words, &csr, v, c);
        for (int64_t a = csr.xadj[v]; a < csr.xadj[v + 1]; a++) {
            int64_t low = csr.adj[a] < v ? csr.adj[a] : v, high = csr.adj[a] + v - low;
            ewgt[a] = 1 + fixture_draw(9, low * n + high, 20);
        }
    }
    csr.vwgt = vwgt;
    csr.ewgt = strstr(words, "ewgt") ? ewgt : NULL;
    csr.vsize = strstr(words, "vsize") ? vsize : NULL;
    cleave_graph *g = fixture_create(&csr, text);
    cleave_graph_free(plain);
    free(vwgt);
    free(ewgt);
    free(vsize);
    return g;
}

cleave_graph *fixture_graph(const char *text)
{
    edges e = {0};
    cleave_graph *g = NULL;
    cleave_error err;
    const char *words = strchr(text, ' ');
    char form[64] = "";
    memcpy(form, text, words ? (size_t)(words - text) : strlen(text));
    if (join_named(&e, form)) {
        g = graph_of_edges(&e, text);
    } else if (cleave_graph_generate(&g, form, NULL, &err) != CLEAVE_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    free(e.ends);
    return words ? weighted(g, words, text) : g;
}

/* ---- Asking ----------------------------------------------------------------------------- */

void ask_effort(asked *a, cleave_effort effort)
{
    a->opt.effort = effort;
    a->opt.time_limit = effort == CLEAVE_EFFORT_BEST ? 0.03 : 0;
}

void ask(asked *a, const char *graph, int32_t nparts, cleave_effort effort)
{
    ask_graph(a, graph, fixture_graph(graph), nparts, effort);
}

void ask_graph(asked *a, const char *name, cleave_graph *g, int32_t nparts,
               cleave_effort effort)
{
    memset(a, 0, sizeof *a);
    a->name = name;
    a->g = g;
    cleave_csr_init(&a->csr, sizeof a->csr);
    cleave_graph_view(a->g, &a->csr);
    a->n = a->csr.nvtx;
    a->ncon = a->csr.ncon;
    a->k = nparts;
    a->thousandths = 30;
    if (cleave_target_create(&a->t, nparts, NULL, NULL) != CLEAVE_OK)
        abort();
    cleave_constraints_init(&a->c, sizeof a->c);
    cleave_options_init(&a->opt, sizeof a->opt);
    a->opt.threads = 1;
    ask_effort(a, effort);
}

void ask_speeds(asked *a, const int32_t *speeds)
{
    double *values = fixture_grab(a->k, sizeof *values);
    for (int32_t p = 0; p < a->k; p++)
        values[p] = speeds[p];
    cleave_target_free(a->t);
    if (cleave_target_create(&a->t, a->k, values, NULL) != CLEAVE_OK)
        abort();
    a->speeds = speeds;
    free(values);
}

void asked_open(asked_call *call, asked *a)
{
    double *shares = fixture_grab((int64_t)a->k * a->ncon, sizeof *shares);
    double *each = fixture_grab(a->k, sizeof *each);
    for (int64_t i = 0; a->shares && i < (int64_t)a->k * a->ncon; i++)
        shares[i] = a->shares[i];
    for (int32_t p = 0; a->each && p < a->k; p++)
        each[p] = a->each[p] / 1000.0;
    *call = (asked_call){.shares = shares, .each = each, .c = a->c, .opt = a->opt};
    call->c.shares = a->shares ? shares : NULL;
    call->c.imbalance = a->each ? each : NULL;
    call->opt.imbalance = a->thousandths / 1000.0;
    call->opt.constraints = &call->c;
    call->opt.report = &a->report;
    memset(&a->err, 0, sizeof a->err);
    cleave_map_report_init(&a->report, sizeof a->report);
}

void asked_close(asked_call *call)
{
    free(call->shares);
    free(call->each);
}

cleave_status ask_map(asked *a, cleave_mapping **m)
{
    asked_call call;
    asked_open(&call, a);
    cleave_status status = cleave_map(m, a->g, a->t, &call.opt, &a->err);
    asked_close(&call);
    return status;
}

/* Out of time before everything was met that can be. */
static bool too_late(const asked *a, cleave_status status, int64_t least, cleave_mapping *m)
{
    facts f;
    if (status != CLEAVE_EBALANCE || !a->report.timed_out || !m)
        return false;
    fixture_facts(a, cleave_mapping_parts(m), &f);
    return f.overload > least || !f.connected;
}

cleave_status ask_map_in_time(asked *a, int64_t least, cleave_mapping **m)
{
    double limit = a->opt.time_limit;
    cleave_status status = ask_map(a, m);
    while (too_late(a, status, least, *m) && a->opt.time_limit < 2) {
        cleave_mapping_free(*m);
        a->opt.time_limit *= 4;
        status = ask_map(a, m);
    }
    a->opt.time_limit = limit;
    return status;
}

void asked_free(asked *a)
{
    cleave_graph_free(a->g);
    cleave_target_free(a->t);
}
