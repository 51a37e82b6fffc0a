/* SPDX-License-Identifier: Apache-2.0 */
/* api/graph.c - graphs from arrays and from streams of edges, and their accessors. */
#include "graph/graph.h"

#include <string.h>

#include "graph/build.h"

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
    cleave_status status = clv_graph_from_csr(&g, &known, flags, err);
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
                    "symmetrise is \"%.40s\"; expected one of refuse, sum, max", rule);
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
    cleave_status status = clv_edge_stream_graph(&g, &b->stream, b->kind, b->symmetrise, nvtx,
                                                 attributes ? &known : NULL, err);
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

/* ---- Accessors ------------------------------------------------------------------------ */

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
