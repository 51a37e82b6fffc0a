/* SPDX-License-Identifier: Apache-2.0 */
/* tests/formats/graph_fixture.h - random graphs with every attribute, comparing graphs,
 * and calls of the functions of a format without the public API. */
#ifndef CLV_TESTS_FORMATS_GRAPH_FIXTURE_H
#define CLV_TESTS_FORMATS_GRAPH_FIXTURE_H

#include <stdbool.h>

#include "base/rng.h"
#include "formats/formats.h"
#include "support/test.h"

static inline clv_read_options fixture_options(void)
{
    static cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    return (clv_read_options){.scale = 1.0, .repairs = &repairs};
}

/* As the public function does it: on failure *out becomes NULL. */
static inline cleave_status fixture_read(clv_graph **out, const clv_format *format,
                                         const char *path, const clv_read_options *opt,
                                         cleave_error *err)
{
    clv_input *in;
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = format->read(out, in, opt, err);
    clv_input_close(in);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

static inline cleave_status fixture_write(const clv_graph *g, const clv_format *format,
                                          const char *path, const int32_t *part,
                                          cleave_error *err)
{
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    cleave_status status = format->write(g, out, part, err);
    if (status == CLEAVE_OK)
        return clv_output_commit(out, err);
    clv_output_abandon(out);
    return status;
}

/* A path in the scratch folder, static. */
static inline const char *fixture_path(const char *name)
{
    static char path[8][4096];
    static int next;
    char *to = path[next++ % 8];
    test_file("fixture.keep", ""); /* so that the folder is removed at the end */
    snprintf(to, sizeof path[0], "%s/%s", test_scratch(), name);
    return to;
}

/* The message from the file name on, without the folder. */
static inline const char *fixture_message(const cleave_error *err)
{
    const char *folder = test_scratch(), *found = strstr(err->message, folder);
    return found ? found + strlen(folder) + 1 : err->message;
}

typedef struct fixture_kind {
    cleave_kind kind;
    int32_t nvtx;
    int64_t nedge;
    bool ewgt, vwgt, vsize, names;
    int32_t ncon, ndim;
} fixture_kind;

static inline void fixture_names(int32_t nvtx, char **text, const char **names)
{
    /* Everything that needs quotes, escapes, or looks like something else. */
    static const char *const odd[] = {
        "",       "node",  "Graph", "a b",      "q\"uote", "back\\",   "\\\"", "line\n2",
        "<html>", "-1.5",  "1a",    "\xc3\xa9", "a->b",    "#comment", "//",   "x;",
        "007",    "[w=1]", "tab\t", "\\n",      "\\\\\\n", "_ok"};
    const int32_t count = sizeof odd / sizeof *odd;
    *text = malloc((size_t)nvtx * 24 + 1);
    for (int32_t v = 0; v < nvtx; v++) {
        char *name = *text + (size_t)v * 24;
        if (v < count)
            snprintf(name, 24, "%s", odd[v]);
        else
            snprintf(name, 24, "v%d", (int)v * 7);
        names[v] = name;
    }
}

static inline void fixture_attributes(clv_graph *g, const fixture_kind *kind, clv_rng *rng)
{
    size_t n = (size_t)kind->nvtx;
    int32_t *vwgt = malloc((n * (size_t)kind->ncon + 1) * sizeof *vwgt);
    int32_t *vsize = malloc((n + 1) * sizeof *vsize);
    double *coords = malloc((n * 3 + 1) * sizeof *coords);
    const char **names = malloc((n + 1) * sizeof *names);
    char *text;
    fixture_names(kind->nvtx, &text, names);
    for (size_t i = 0; i < n * (size_t)kind->ncon; i++)
        vwgt[i] = i % 7 == 3 ? INT32_MAX : (int32_t)clv_rng_below(rng, 5);
    for (size_t i = 0; i < n; i++)
        vsize[i] = (int32_t)clv_rng_below(rng, 4);
    for (size_t i = 0; i < n * 3; i++)
        coords[i] = (clv_rng_unit(rng) - 0.5) * (i % 5 == 0 ? 1e300 : 1e-3);
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.ncon = kind->ncon;
    csr.ndim = kind->ndim;
    csr.vwgt = kind->vwgt ? vwgt : NULL;
    csr.vsize = kind->vsize ? vsize : NULL;
    csr.coords = kind->ndim ? coords : NULL;
    csr.names = kind->names ? names : NULL;
    cleave_error err;
    if (clv_graph_set_attributes(g, &csr, false, &err) != CLEAVE_OK)
        abort();
    free(vwgt);
    free(vsize);
    free(coords);
    free(names);
    free(text);
}

static inline clv_graph *fixture_graph(const fixture_kind *kind, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 2, 3);
    clv_edge_stream stream;
    clv_edge_stream_init(&stream, kind->ewgt);
    for (int64_t e = 0; kind->nvtx > 1 && e < kind->nedge; e++) {
        int32_t a = (int32_t)clv_rng_below(&rng, (uint32_t)kind->nvtx);
        int32_t b = (int32_t)clv_rng_below(&rng, (uint32_t)kind->nvtx);
        /* Arcs of a DAG run along the permutation v -> 3 v + 1 of vertices modulo a prime. */
        bool swap = kind->kind == CLEAVE_DAG &&
                    (3 * (int64_t)a + 1) % 1000003 > (3 * (int64_t)b + 1) % 1000003;
        int32_t tail = swap ? b : a, head = swap ? a : b;
        int32_t weight = (int32_t)clv_rng_below(&rng, 1000);
        if (!clv_edge_stream_add(&stream, 1, &tail, &head, &weight))
            abort();
    }
    clv_rows rows;
    clv_graph *g;
    cleave_error err;
    clv_build_rules rules = {
        .symmetrise = CLV_SYMMETRISE_SUM, .drop_loops = true, .merge_duplicates = true};
    if (clv_edge_stream_rows(&rows, &stream, kind->nvtx, false, &err) != CLEAVE_OK ||
        clv_build_graph(&g, kind->kind, &rows, &rules, NULL, &err) != CLEAVE_OK)
        abort();
    fixture_attributes(g, kind, &rng);
    return g;
}

static inline bool fixture_same_weights(const int32_t *a, const int32_t *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if ((a ? a[i] : 1) != (b ? b[i] : 1))
            return false;
    return true;
}

/* Equal in everything a caller can see, apart from where they came from.  Absent weights
 * equal ones. */
static inline bool fixture_same(const clv_graph *a, const clv_graph *b)
{
    int64_t n = a->nvtx;
    if (a->kind != b->kind || n != b->nvtx || a->narc != b->narc || a->ncon != b->ncon ||
        a->ndim != b->ndim || !a->names.offset != !b->names.offset ||
        memcmp(a->xadj, b->xadj, (size_t)(n + 1) * sizeof *a->xadj) != 0 ||
        memcmp(a->xpred, b->xpred, (size_t)(n + 1) * sizeof *a->xpred) != 0)
        return false;
    for (int64_t i = 0; i < a->narc; i++)
        if (a->adj[i] != b->adj[i] || a->pred[i] != b->pred[i])
            return false;
    for (int32_t v = 0; a->names.offset && v < n; v++)
        if (strcmp(clv_graph_name(a, v), clv_graph_name(b, v)) != 0)
            return false;
    return fixture_same_weights(a->ewgt, b->ewgt, a->narc) &&
           fixture_same_weights(a->pwgt, b->pwgt, a->narc) &&
           fixture_same_weights(a->vwgt, b->vwgt, n * a->ncon) &&
           fixture_same_weights(a->vsize, b->vsize, n) &&
           (!a->ndim ||
            memcmp(a->coords, b->coords, (size_t)(n * a->ndim) * sizeof *a->coords) == 0);
}

static inline int fixture_label(char *to, size_t size, const clv_graph *g, int32_t v)
{
    const char *name = clv_graph_name(g, v);
    return name ? snprintf(to, size, "%s", name) : snprintf(to, size, "%d", (int)v);
}

/* "dag a b(2) | a>b b>c*3": vertices with weights, edges with weights. */
static inline const char *fixture_show(const clv_graph *g)
{
    static char text[4096];
    char *to = text, *end = text + sizeof text;
    to += snprintf(to, (size_t)(end - to), "%s", g->kind == CLEAVE_DAG ? "dag" : "graph");
    for (int32_t v = 0; v < g->nvtx; v++) {
        to += snprintf(to, (size_t)(end - to), " ");
        to += fixture_label(to, (size_t)(end - to), g, v);
        for (int32_t c = 0; g->vwgt && c < g->ncon; c++)
            to += snprintf(to, (size_t)(end - to), "(%d)", (int)clv_graph_vwgt(g, v, c));
    }
    to += snprintf(to, (size_t)(end - to), " |");
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (g->kind == CLEAVE_UNDIRECTED && g->adj[a] < v)
                continue;
            to += snprintf(to, (size_t)(end - to), " ");
            to += fixture_label(to, (size_t)(end - to), g, v);
            to += snprintf(to, (size_t)(end - to), g->kind == CLEAVE_DAG ? ">" : "-");
            to += fixture_label(to, (size_t)(end - to), g, g->adj[a]);
            if (g->ewgt)
                to += snprintf(to, (size_t)(end - to), "*%d", (int)g->ewgt[a]);
        }
    return text;
}

#endif
