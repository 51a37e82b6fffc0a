/* SPDX-License-Identifier: Apache-2.0 */
/* api/graph.c - graphs from arrays and from streams of edges, and what is in them. */
#include "graph/graph.h"

#include <string.h>

#include "graph/build.h"
#include "graph/rows.h"
#include "graph/symmetry.h"

void cleave_csr_init(cleave_csr *csr, size_t size)
{
    cleave_csr defaults = {.ncon = 1};
    clv_sized_init(csr, size);
    clv_sized_write(csr, &defaults, sizeof defaults);
}

void cleave_repairs_init(cleave_repairs *repairs, size_t size)
{
    clv_sized_init(repairs, size);
}

void cleave_source_init(cleave_source *source, size_t size)
{
    clv_sized_init(source, size);
}

/* ---- From arrays ---------------------------------------------------------------------- */

/* Only looked at: the casts take nothing away from the promise not to write. */
static clv_rows rows_of(const cleave_csr *csr)
{
    return (clv_rows){.nvtx = csr->nvtx,
                      .xadj = (int64_t *)csr->xadj,
                      .adj = (int32_t *)csr->adj,
                      .ewgt = (int32_t *)csr->ewgt};
}

/* Bit 31 of the result: one of the neighbours is outside.  Where rows ascend, the first and
 * the last tell.  No jumps, several at a time. */
static uint32_t outside(const cleave_csr *csr, bool ascending)
{
    int64_t narc = csr->xadj[csr->nvtx];
    uint32_t last = (uint32_t)csr->nvtx - 1, bits = 0;
    for (int32_t v = 0; ascending && v < csr->nvtx; v++)
        if (csr->xadj[v] < csr->xadj[v + 1])
            bits |= (uint32_t)csr->adj[csr->xadj[v]] |
                    (last - (uint32_t)csr->adj[csr->xadj[v + 1] - 1]);
    for (int64_t a = 0; !ascending && a < narc; a++)
        bits |= (uint32_t)csr->adj[a] | (last - (uint32_t)csr->adj[a]);
    return bits;
}

static bool weights_negative(const cleave_csr *csr)
{
    uint32_t bits = 0;
    for (int64_t a = 0; csr->ewgt && a < csr->xadj[csr->nvtx]; a++)
        bits |= (uint32_t)csr->ewgt[a];
    return bits > INT32_MAX;
}

static cleave_status check_row(const cleave_csr *csr, int32_t v, cleave_error *err)
{
    for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++) {
        if (csr->adj[a] < 0 || csr->adj[a] >= csr->nvtx)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %d lists neighbour %d, outside 0..%d",
                            (int)v, (int)csr->adj[a], (int)csr->nvtx - 1);
        if (csr->ewgt && csr->ewgt[a] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "edge %d - %d has the negative weight %d",
                            (int)v, (int)csr->adj[a], (int)csr->ewgt[a]);
    }
    return CLEAVE_OK;
}

static cleave_status check_offsets(const cleave_csr *csr, cleave_error *err)
{
    if (csr->kind != CLEAVE_UNDIRECTED && csr->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL, "csr.kind is %d, not a kind of graph",
                        (int)csr->kind);
    if (csr->nvtx < 0 || csr->nvtx == INT32_MAX)
        return clv_fail(err, CLEAVE_EINVAL, "csr.nvtx is %d, outside 0..2147483646",
                        (int)csr->nvtx);
    if (!csr->xadj)
        return clv_fail(err, CLEAVE_EINVAL, "csr.xadj is NULL");
    if (csr->xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj[0] is %lld, not 0", (long long)csr->xadj[0]);
    for (int32_t v = 0; v < csr->nvtx; v++)
        if (csr->xadj[v + 1] < csr->xadj[v])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%d] is less than xadj[%d]", (int)v + 1,
                            (int)v);
    if (csr->xadj[csr->nvtx] > 0 && !csr->adj)
        return clv_fail(err, CLEAVE_EINVAL, "csr.adj is NULL");
    return CLEAVE_OK;
}

static cleave_status check_rows(const cleave_csr *csr, bool *ascending, cleave_error *err)
{
    clv_rows rows = rows_of(csr);
    *ascending = clv_rows_ascend(&rows);
    bool valid = outside(csr, *ascending) <= INT32_MAX && !weights_negative(csr);
    for (int32_t v = valid ? csr->nvtx : 0; v < csr->nvtx; v++)
        CLV_TRY(check_row(csr, v, err));
    return CLEAVE_OK;
}

/* Copies of the caller's arrays, to be sorted and mended. */
static cleave_status copy_rows(clv_rows *rows, const cleave_csr *csr, cleave_error *err)
{
    int64_t narc = csr->xadj[csr->nvtx];
    *rows = (clv_rows){.nvtx = csr->nvtx};
    rows->xadj = clv_alloc((int64_t)csr->nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(narc, sizeof *rows->adj);
    if (csr->ewgt)
        rows->ewgt = clv_alloc(narc, sizeof *rows->ewgt);
    if (!rows->xadj || !rows->adj || (csr->ewgt && !rows->ewgt)) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    memcpy(rows->xadj, csr->xadj, ((size_t)csr->nvtx + 1) * sizeof *rows->xadj);
    if (narc > 0)
        memcpy(rows->adj, csr->adj, (size_t)narc * sizeof *rows->adj);
    if (csr->ewgt && narc > 0)
        memcpy(rows->ewgt, csr->ewgt, (size_t)narc * sizeof *rows->ewgt);
    return CLEAVE_OK;
}

/* Can an undirected graph use the caller's rows, which ascend, as they are? */
static cleave_status rows_are_fit(const cleave_csr *csr, bool trust, bool *fit,
                                  cleave_error *err)
{
    clv_rows rows = rows_of(csr);
    if (trust || csr->kind == CLEAVE_DAG) {
        *fit = clv_rows_strict(&rows);
        return CLEAVE_OK;
    }
    clv_ws ws = {NULL};
    clv_asymmetry found = {.from = -1}; /* a self-loop is one, too: it has no pair */
    cleave_status status = clv_symmetry_check(&rows, NULL, &ws, &found, err);
    clv_ws_free(&ws);
    *fit = found.from < 0;
    return status;
}

static cleave_status borrow_rows(clv_graph **out, const cleave_csr *csr, cleave_error *err)
{
    /* Without edges the caller need not have an array; every graph has one. */
    static const int32_t no_neighbours[1];
    clv_graph *g = clv_graph_new();
    *out = g;
    if (!g)
        return clv_fail_memory(err);
    g->kind = csr->kind;
    g->nvtx = csr->nvtx;
    g->narc = csr->xadj[csr->nvtx];
    g->xadj = g->xpred = csr->xadj;
    g->adj = g->pred = csr->adj ? csr->adj : no_neighbours;
    g->ewgt = g->pwgt = csr->ewgt;
    return CLEAVE_OK;
}

static cleave_status graph_from_arrays(clv_graph **out, const cleave_csr *csr, unsigned flags,
                                       cleave_error *err)
{
    bool repair = flags & CLEAVE_REPAIR, trust = flags & CLEAVE_TRUST;
    bool borrow = flags & CLEAVE_BORROW, fit = false, ascending = false;
    clv_rows given = rows_of(csr), rows = {0};
    CLV_TRY(check_offsets(csr, err));
    if (!trust && csr->kind == CLEAVE_UNDIRECTED && !weights_negative(csr)) {
        fit = borrow && clv_symmetry_proved(&given);
        if (!fit && !repair)
            clv_symmetry_sorted(&rows, &given);
    }
    if (!fit && !rows.known_good)
        CLV_TRY(check_rows(csr, &ascending, err));
    if (borrow && ascending)
        CLV_TRY(rows_are_fit(csr, trust, &fit, err));
    if (fit) {
        CLV_TRY(borrow_rows(out, csr, err));
        CLV_TRY(clv_graph_check_sums(*out, err));
        if (csr->kind == CLEAVE_DAG)
            CLV_TRY(clv_graph_finish_dag(*out, trust, err));
    } else {
        clv_build_rules rules = {.drop_loops = repair || (flags & CLEAVE_DROP_LOOPS),
                                 .merge_duplicates = repair,
                                 .trust = trust};
        if (repair)
            rules.symmetrise = csr->ewgt ? CLV_SYMMETRISE_MAX : CLV_SYMMETRISE_PATTERN;
        if (!rows.known_good)
            CLV_TRY(copy_rows(&rows, csr, err));
        CLV_TRY(clv_build_graph(out, csr->kind, &rows, &rules, NULL, err));
    }
    return clv_graph_set_attributes(*out, csr, flags & CLEAVE_BORROW, err);
}

cleave_status cleave_graph_create(cleave_graph **out, const cleave_csr *csr, unsigned flags,
                                  cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !csr)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "csr" : "out");
    if (flags & ~(CLEAVE_BORROW | CLEAVE_REPAIR | CLEAVE_TRUST | CLEAVE_DROP_LOOPS))
        return clv_fail(err, CLEAVE_EINVAL, "flags is %u, which has unknown bits", flags);
    cleave_csr known = {.ncon = 1};
    CLV_TRY(clv_sized_copy(&known, sizeof known, csr, "csr", err));
    clv_graph *g = NULL;
    cleave_status status = graph_from_arrays(&g, &known, flags, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    *out = g;
    return CLEAVE_OK;
}

void cleave_graph_free(cleave_graph *g)
{
    clv_graph_free(g);
}

/* ---- From a stream of edges ----------------------------------------------------------- */

struct cleave_builder {
    cleave_kind kind;
    clv_symmetrise symmetrise; /* REFUSE, SUM or MAX */
    clv_edge_stream stream;
    bool started, finished;
};

cleave_status cleave_builder_create(cleave_builder **out, cleave_kind kind, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (kind != CLEAVE_UNDIRECTED && kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL, "%d is not a kind of graph", (int)kind);
    cleave_builder *b = clv_zalloc(1, sizeof *b);
    if (!b)
        return clv_fail_memory(err);
    b->kind = kind;
    clv_edge_stream_init(&b->stream, false);
    *out = b;
    return CLEAVE_OK;
}

static cleave_status check_edges(const cleave_builder *b, int64_t count, const int32_t *tail,
                                 const int32_t *head, const int32_t *wgt, cleave_error *err)
{
    enum { last = INT32_MAX - 2 }; /* of as many vertices as a graph can have */
    if (!b || count < 0 || (count > 0 && (!tail || !head)))
        return clv_fail(err, CLEAVE_EINVAL, "%s",
                        !b          ? "builder is NULL"
                        : count < 0 ? "count is negative"
                                    : "tail or head is NULL");
    if (b->finished)
        return clv_fail(err, CLEAVE_EINVAL, "the builder has been finished already");
    if (b->started && b->stream.weighted != (wgt != NULL))
        return clv_fail(err, CLEAVE_EINVAL, "weights must be given in every call or in none");
    for (int64_t i = 0; i < count; i++) {
        if (tail[i] < 0 || head[i] < 0 || tail[i] > last || head[i] > last)
            return clv_fail(err, CLEAVE_EINVAL,
                            "edge %lld is %d - %d; vertices are 0..2147483645", (long long)i,
                            (int)tail[i], (int)head[i]);
        if (wgt && wgt[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "edge %lld has the negative weight %d",
                            (long long)i, (int)wgt[i]);
    }
    return CLEAVE_OK;
}

cleave_status cleave_builder_add(cleave_builder *b, int64_t count, const int32_t *tail,
                                 const int32_t *head, const int32_t *wgt, cleave_error *err)
{
    CLV_TRY(check_edges(b, count, tail, head, wgt, err));
    if (count > 0) {
        b->started = true;
        b->stream.weighted = wgt != NULL;
    }
    return clv_edge_stream_add(&b->stream, count, tail, head, wgt) ? CLEAVE_OK
                                                                   : clv_fail_memory(err);
}

cleave_status cleave_builder_symmetrise(cleave_builder *b, const char *rule, cleave_error *err)
{
    static const char *const rules[] = {"refuse", "sum", "max"};
    if (!b)
        return clv_fail(err, CLEAVE_EINVAL, "builder is NULL");
    if (b->finished)
        return clv_fail(err, CLEAVE_EINVAL, "the builder has been finished already");
    for (int i = 0; i < 3; i++)
        if (strcmp(rule ? rule : "refuse", rules[i]) == 0) {
            b->symmetrise = (clv_symmetrise)i;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "symmetrise is \"%.40s\", which is none of refuse, sum, max", rule);
}

static cleave_status finish_builder(clv_graph **out, cleave_builder *b, int32_t nvtx,
                                    const cleave_csr *attributes, cleave_error *err)
{
    clv_build_rules rules = {.one_way = true, .drop_loops = true, .merge_duplicates = true};
    rules.symmetrise = b->stream.weighted ? b->symmetrise : CLV_SYMMETRISE_PATTERN;
    clv_rows rows;
    CLV_TRY(clv_edge_stream_rows(&rows, &b->stream, nvtx, false, err));
    CLV_TRY(clv_build_graph(out, b->kind, &rows, &rules, NULL, err));
    return attributes ? clv_graph_set_attributes(*out, attributes, false, err) : CLEAVE_OK;
}

cleave_status cleave_builder_finish(cleave_graph **out, cleave_builder *b, int32_t nvtx,
                                    const cleave_csr *attributes, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !b)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "builder" : "out");
    if (b->finished)
        return clv_fail(err, CLEAVE_EINVAL, "the builder has been finished already");
    if (nvtx == -1)
        nvtx = b->stream.max_vertex + 1;
    if (nvtx < 0 || nvtx == INT32_MAX)
        return clv_fail(err, CLEAVE_EINVAL, "nvtx is %d, outside 0..2147483646", (int)nvtx);
    if (nvtx <= b->stream.max_vertex)
        return clv_fail(err, CLEAVE_EINVAL, "nvtx is %d, but an edge names vertex %d",
                        (int)nvtx, (int)b->stream.max_vertex);
    cleave_csr known = {.ncon = 1};
    if (attributes)
        CLV_TRY(clv_sized_copy(&known, sizeof known, attributes, "attributes", err));
    b->finished = true;
    clv_graph *g = NULL;
    cleave_status status = finish_builder(&g, b, nvtx, attributes ? &known : NULL, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    *out = g;
    return CLEAVE_OK;
}

void cleave_builder_free(cleave_builder *b)
{
    if (!b)
        return;
    clv_edge_stream_free(&b->stream);
    clv_sys_free(b);
}

/* ---- What is in a graph --------------------------------------------------------------- */

cleave_kind cleave_graph_kind(const cleave_graph *g)
{
    return g ? g->kind : CLEAVE_UNDIRECTED;
}

int32_t cleave_graph_vertices(const cleave_graph *g)
{
    return g ? g->nvtx : 0;
}

int64_t cleave_graph_edges(const cleave_graph *g)
{
    return g ? clv_graph_edges(g) : 0;
}

static void fill_view(const clv_graph *g, bool predecessors, cleave_csr *view)
{
    cleave_csr full = {.ncon = 1};
    if (g)
        full = (cleave_csr){
            .kind = g->kind,
            .nvtx = g->nvtx,
            .xadj = predecessors ? g->xpred : g->xadj,
            .adj = predecessors ? g->pred : g->adj,
            .vwgt = g->vwgt,
            .ewgt = predecessors ? g->pwgt : g->ewgt,
            .ncon = g->ncon,
            .ndim = g->ndim,
            .vsize = g->vsize,
            .coords = g->coords,
        };
    clv_sized_write(view, &full, sizeof full);
}

void cleave_graph_view(const cleave_graph *g, cleave_csr *view)
{
    fill_view(g, false, view);
}

void cleave_graph_view_predecessors(const cleave_graph *g, cleave_csr *view)
{
    fill_view(g, true, view);
}

const char *cleave_graph_name(const cleave_graph *g, int32_t v)
{
    return g && v >= 0 && v < g->nvtx ? clv_graph_name(g, v) : NULL;
}

void cleave_graph_source(const cleave_graph *g, cleave_source *source)
{
    cleave_source full = {.format = NULL};
    if (g)
        full = (cleave_source){
            .format = g->format, .entries = g->entries, .unit = g->unit, .origin = g->origin};
    clv_sized_write(source, &full, sizeof full);
}
