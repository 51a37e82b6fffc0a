/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_graph.c - graphs from a reader: the invariants of graph/graph.h, and round
 * trips through every format.  Slow and simple on purpose; shares nothing with src/. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "graph/graph.h"

/* Larger graphs, which a few bytes can describe, are checked but not written. */
enum { most_written = 1 << 16 };

/* ---- Invariants ------------------------------------------------------------------------ */

static void check_bounds(const clv_graph *g, const int64_t *xadj, const int32_t *adj)
{
    FUZZ_CHECK(xadj[0] == 0 && xadj[g->nvtx] == g->narc);
    for (int32_t v = 0; v < g->nvtx; v++)
        FUZZ_CHECK(xadj[v] <= xadj[v + 1]);
    for (int64_t a = 0; a < g->narc; a++)
        FUZZ_CHECK(adj[a] >= 0 && adj[a] < g->nvtx);
}

static void check_rows(const clv_graph *g, const int64_t *xadj, const int32_t *adj,
                       const int32_t *wgt)
{
    check_bounds(g, xadj, adj);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
            FUZZ_CHECK(adj[a] != v);
            FUZZ_CHECK(a == xadj[v] || adj[a - 1] < adj[a]);
            FUZZ_CHECK(!wgt || wgt[a] >= 0);
        }
}

/* The place of u in row v, by bisection; -1: not there. */
static int64_t find(const int64_t *xadj, const int32_t *adj, int32_t v, int32_t u)
{
    int64_t low = xadj[v], high = xadj[v + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (adj[middle] == u)
            return middle;
        if (adj[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Every arc stands in the other rows backwards, with its weight.  Both have narc arcs, so
 * that there are no others. */
static void check_opposite(const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int64_t back = find(g->xpred, g->pred, g->adj[a], v);
            FUZZ_CHECK(back >= 0);
            FUZZ_CHECK(!g->ewgt || g->ewgt[a] == g->pwgt[back]);
        }
}

/* Takes away vertices without predecessors until none are left [Kahn 1962]. */
static void check_acyclic(const clv_graph *g)
{
    int64_t *waits = malloc(((size_t)g->nvtx + 1) * sizeof *waits);
    int32_t *ready = malloc(((size_t)g->nvtx + 1) * sizeof *ready);
    int32_t known = 0, done = 0;
    FUZZ_CHECK(waits && ready);
    for (int32_t v = 0; v < g->nvtx; v++) {
        waits[v] = g->xpred[v + 1] - g->xpred[v];
        if (waits[v] == 0)
            ready[known++] = v;
    }
    for (; done < known; done++)
        for (int64_t a = g->xadj[ready[done]]; a < g->xadj[ready[done] + 1]; a++)
            if (--waits[g->adj[a]] == 0)
                ready[known++] = g->adj[a];
    FUZZ_CHECK(known == g->nvtx);
    free(waits);
    free(ready);
}

static void check_attributes(const clv_graph *g)
{
    int64_t n = g->nvtx;
    FUZZ_CHECK(g->ncon >= 1);
    for (int64_t i = 0; g->vwgt && i < n * g->ncon; i++)
        FUZZ_CHECK(g->vwgt[i] >= 0);
    for (int64_t v = 0; g->vsize && v < n; v++)
        FUZZ_CHECK(g->vsize[v] >= 0);
    FUZZ_CHECK(g->coords ? g->ndim == 2 || g->ndim == 3 : g->ndim == 0);
    for (int64_t i = 0; i < n * g->ndim; i++)
        FUZZ_CHECK(isfinite(g->coords[i]));
    for (int32_t v = 0; g->names.offset && v < n; v++) {
        int64_t begin = g->names.offset[v], end = g->names.offset[v + 1];
        FUZZ_CHECK(begin < end);
        FUZZ_CHECK((int64_t)strlen(g->names.text + begin) == end - begin - 1);
    }
    FUZZ_CHECK(g->format && g->entries >= 0);
}

void fuzz_check_graph(const cleave_graph *g)
{
    FUZZ_CHECK(g->kind == CLEAVE_UNDIRECTED || g->kind == CLEAVE_DAG);
    FUZZ_CHECK(g->nvtx >= 0 && g->narc >= 0);
    check_rows(g, g->xadj, g->adj, g->ewgt);
    if (g->kind == CLEAVE_DAG)
        check_rows(g, g->xpred, g->pred, g->pwgt);
    else
        FUZZ_CHECK(g->xpred == g->xadj && g->pred == g->adj && g->pwgt == g->ewgt);
    FUZZ_CHECK(!g->ewgt == !g->pwgt);
    check_opposite(g);
    if (g->kind == CLEAVE_DAG)
        check_acyclic(g);
    check_attributes(g);
}

/* ---- Comparing ------------------------------------------------------------------------- */

static bool same_weights(const int32_t *a, const int32_t *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if ((a ? a[i] : 1) != (b ? b[i] : 1))
            return false;
    return true;
}

static bool same_pattern(const clv_graph *a, const clv_graph *b)
{
    size_t n = (size_t)a->nvtx;
    return a->kind == b->kind && a->nvtx == b->nvtx && a->narc == b->narc &&
           memcmp(a->xadj, b->xadj, (n + 1) * sizeof *a->xadj) == 0 &&
           memcmp(a->adj, b->adj, (size_t)a->narc * sizeof *a->adj) == 0;
}

static bool same_rows(const clv_graph *a, const clv_graph *b)
{
    return same_pattern(a, b) && same_weights(a->ewgt, b->ewgt, a->narc);
}

/* Weights of no vertices are none; neither are absent ones several. */
static int32_t weights_per_vertex(const clv_graph *g)
{
    return g->vwgt && g->nvtx > 0 ? g->ncon : 1;
}

static bool same_vertex_weights(const clv_graph *a, const clv_graph *b)
{
    int32_t ncon = weights_per_vertex(a);
    return weights_per_vertex(b) == ncon &&
           same_weights(a->vwgt, b->vwgt, (int64_t)a->nvtx * ncon) &&
           same_weights(a->vsize, b->vsize, a->nvtx);
}

static bool same_coords(const clv_graph *a, const clv_graph *b)
{
    if (a->nvtx == 0)
        return true;
    return a->ndim == b->ndim &&
           (a->ndim == 0 || memcmp(a->coords, b->coords,
                                   (size_t)a->nvtx * (size_t)a->ndim * sizeof(double)) == 0);
}

static bool same_names(const clv_graph *a, const clv_graph *b)
{
    if (a->nvtx == 0)
        return true;
    if (!a->names.offset != !b->names.offset)
        return false;
    for (int32_t v = 0; a->names.offset && v < a->nvtx; v++)
        if (strcmp(clv_graph_name(a, v), clv_graph_name(b, v)) != 0)
            return false;
    return true;
}

/* The source format that a binary file records. */
static const char *origin_of(const clv_graph *g)
{
    const char *origin = g->origin ? g->origin : g->format;
    return strcmp(origin, "binary") == 0 ? "" : origin;
}

static bool same_source(const clv_graph *a, const clv_graph *b)
{
    return strcmp(origin_of(a), origin_of(b)) == 0 && a->entries == b->entries &&
           !a->unit == !b->unit && (!a->unit || strcmp(a->unit, b->unit) == 0);
}

bool fuzz_same_graph(const cleave_graph *a, const cleave_graph *b)
{
    return same_rows(a, b) && same_vertex_weights(a, b) && same_coords(a, b) &&
           same_names(a, b) && same_source(a, b);
}

/* ---- Round trips ----------------------------------------------------------------------- */

/* What a format keeps besides the edges and their weights. */
static const struct format_keeps {
    const char *name;
    bool weights, coords, names, source;
    bool dags; /* only DAGs can be written, and not what their arcs weigh */
} formats[] = {
    {"binary", true, true, true, true, false},
    {"dot", true, true, true, false, false},
    {"metis", true, false, false, false, false},
    {"mtx", false, false, false, false, false},
    {"edges", false, false, false, false, false},
    {"scotch", false, false, false, false, false},
    {"pace", false, false, false, false, false},
    {"wfcommons", false, false, false, false, false},
    {"dgraph", false, false, false, false, true},
    {"hdag", false, false, false, false, true},
};

/* Is the name a number as a program would print it?  *value: its value. */
static bool is_number(const char *name, long long *value)
{
    char *end, again[32];
    if (strlen(name) > 20 || !(isdigit((unsigned char)name[0]) || name[0] == '-'))
        return false;
    *value = strtoll(name, &end, 10);
    snprintf(again, sizeof again, "%lld", *value);
    return *end == '\0' && strcmp(again, name) == 0;
}

typedef enum name_order { NO_NUMBERS, ASCENDING, PLAIN, SHUFFLED } name_order;

/* Names that are all numbers stand for an order of the vertices: DOT reads the smallest
 * as vertex 0, and drops names that are 0..n-1 exactly. */
static name_order order_of_names(const clv_graph *g)
{
    long long before = 0, value, first = 0;
    bool ascends = true;
    if (!g->names.offset || g->nvtx == 0)
        return NO_NUMBERS;
    for (int32_t v = 0; v < g->nvtx; v++, before = value) {
        if (!is_number(clv_graph_name(g, v), &value))
            return NO_NUMBERS;
        first = v == 0 ? value : first;
        ascends = ascends && (v == 0 || before < value);
    }
    if (!ascends)
        return SHUFFLED;
    return first == 0 && before == g->nvtx - 1 ? PLAIN : ASCENDING;
}

/* A workflow is a DAG, weights are at least 1, and reading it requires jansson. */
static bool fits_workflow(const clv_graph *g)
{
    for (int64_t a = 0; g->ewgt && a < g->narc; a++)
        if (g->ewgt[a] == 0)
            return false;
    return g->kind == CLEAVE_DAG && strstr(cleave_features(), "jansson");
}

static cleave_status write_as(const clv_graph *g, const char *format, const char *path,
                              cleave_error *err)
{
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = format;
    int32_t *part = calloc((size_t)g->nvtx + 1, sizeof *part);
    for (int32_t v = 0; v < g->nvtx; v++)
        part[v] = v % 5;
    opt.part = part;
    cleave_status status = cleave_graph_write(g, path, &opt, err);
    free(part);
    return status;
}

static clv_graph *read_back(const clv_graph *g, const char *format, const char *path)
{
    cleave_read_options opt;
    cleave_error err;
    clv_graph *again;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = format;
    opt.as = g->kind == CLEAVE_DAG ? "dag" : "undirected";
    opt.weights = g->ewgt && strcmp(format, "mtx") == 0 ? "values" : NULL;
    opt.coords = "";
    opt.threads = 1;
    FUZZ_CHECK_OK(cleave_graph_read(&again, path, &opt, &err), err);
    return again;
}

void fuzz_check_round_trip(const cleave_graph *g, int which)
{
    enum { count = sizeof formats / sizeof *formats, most_weights = 1024 };
    struct format_keeps keeps = formats[which % count];
    bool dot = strcmp(keeps.name, "dot") == 0, binary = keeps.source;
    bool workflow = strcmp(keeps.name, "wfcommons") == 0;
    if (g->nvtx > most_written || g->narc > most_written ||
        (!binary && g->ncon > most_weights))
        return;
    name_order order = order_of_names(g);
    if ((dot && order == SHUFFLED) || (workflow && !fits_workflow(g)) ||
        (keeps.dags && g->kind != CLEAVE_DAG))
        return;
    keeps.names |= workflow && g->names.offset;
    const char *path = fuzz_path(which / count % 2 ? "again.gz" : "again");
    cleave_error err;
    cleave_status status = write_as(g, keeps.name, path, &err);
    /* Two vertices of one name, which neither format can represent, or a name that is not
     * UTF-8. */
    if ((dot || workflow) && status == CLEAVE_EINVAL && g->names.offset)
        return;
    FUZZ_CHECK_OK(status, err);
    clv_graph *again = read_back(g, keeps.name, path);
    fuzz_check_graph(again);
    FUZZ_CHECK(keeps.dags ? same_pattern(g, again) : same_rows(g, again));
    FUZZ_CHECK(!keeps.weights || same_vertex_weights(g, again));
    FUZZ_CHECK(!keeps.coords || same_coords(g, again));
    FUZZ_CHECK(!keeps.names || (dot && order == PLAIN) || same_names(g, again));
    FUZZ_CHECK(!keeps.source || same_source(g, again));
    cleave_graph_free(again);
}

/* ---- Reading --------------------------------------------------------------------------- */

void fuzz_read_options(fuzz_input *in, cleave_read_options *opt, bool *trust)
{
    static const char *const as[] = {NULL, "undirected", "dag", "lower", "upper"};
    static const char *const symmetrise[] = {NULL, "sum", "max"};
    static const double scale[] = {1.0, 1e6, 1e-3};
    cleave_read_options_init(opt, sizeof *opt);
    opt->as = as[fuzz_choose(in, 0, 5)];
    opt->symmetrise = symmetrise[fuzz_choose(in, 1, 3)];
    opt->weights = fuzz_choose(in, 1, 2) ? "values" : NULL;
    opt->flags = fuzz_choose(in, 1, 2) ? CLEAVE_REPAIR : 0;
    *trust = fuzz_choose(in, 1, 2);
    opt->flags |= *trust ? CLEAVE_TRUST : 0;
    opt->scale = scale[fuzz_choose(in, 1, 3)];
    if (fuzz_choose(in, 1, 2))
        opt->weights = "none";
    opt->coords = "";
    opt->threads = 1;
}

static cleave_status read_file(fuzz_input *in, const char *name,
                               const cleave_read_options *opt, cleave_graph **g,
                               cleave_error *err)
{
    *err = (cleave_error){.status = CLEAVE_OK};
    *g = (cleave_graph *)in; /* anything but NULL */
    const char *path = fuzz_file(name, in->bytes, in->size);
    cleave_status status = cleave_graph_read(g, path, opt, err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, err, *g, path);
    return status;
}

void fuzz_graph_file(fuzz_input *in, const char *name, const char *format)
{
    cleave_read_options opt;
    cleave_error err;
    cleave_graph *g;
    bool trust;
    fuzz_read_options(in, &opt, &trust);
    opt.format = format;
    /* A trusted binary file may have any contents: fuzz_binary.c has the checks for it. */
    if (!format || strcmp(format, "binary") == 0) {
        opt.flags &= ~CLEAVE_TRUST;
        trust = false;
    }
    if (read_file(in, name, &opt, &g, &err) != CLEAVE_OK)
        return;
    if (trust) {
        check_bounds(g, g->xadj, g->adj);
    } else {
        fuzz_check_graph(g);
        fuzz_check_round_trip(g, in->choice[2]);
    }
    cleave_graph_free(g);
}

/* The same text with every blank doubled and blanks at the ends of lines. */
static uint8_t *spread(const fuzz_input *in, size_t *size)
{
    uint8_t *spread = malloc(2 * in->size + 1), *to = spread;
    FUZZ_CHECK(spread != NULL);
    for (size_t i = 0; i < in->size; i++) {
        uint8_t c = in->bytes[i];
        if (c == ' ' || c == '\n')
            *to++ = ' ';
        *to++ = c;
    }
    *size = (size_t)(to - spread);
    return spread;
}

void fuzz_check_blanks(const fuzz_input *in, const char *name, const char *format)
{
    cleave_read_options opt;
    cleave_error err, wide_err;
    cleave_graph *g, *wide_g;
    bool trust;
    if (in->size >= 2 && in->bytes[0] == 0x1f && in->bytes[1] == 0x8b)
        return; /* gzip: blanks are not blanks */
    fuzz_input narrow = *in, wide = *in;
    fuzz_read_options(&narrow, &opt, &trust);
    opt.format = format;
    uint8_t *bytes = spread(in, &wide.size);
    wide.bytes = bytes;
    cleave_status status = read_file(&narrow, name, &opt, &g, &err);
    FUZZ_CHECK(read_file(&wide, name, &opt, &wide_g, &wide_err) == status);
    if (status == CLEAVE_OK)
        FUZZ_CHECK(fuzz_same_graph(g, wide_g));
    else
        FUZZ_CHECK(strcmp(err.message, wide_err.message) == 0);
    free(bytes);
    cleave_graph_free(g);
    cleave_graph_free(wide_g);
}
