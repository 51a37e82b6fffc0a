/* SPDX-License-Identifier: Apache-2.0 */
/* graph/graph.h - the graph that every room works on.
 *
 * Compressed rows.  Invariants of a finished graph, checked once where it is made
 * (graph/build.h) and asserted afterwards: the neighbours of a vertex ascend strictly;
 * no self-loops; undirected edges are stored in both directions with one weight; a DAG
 * has no cycle and carries its predecessors as well.  Absent weight arrays (NULL) mean 1. */
#ifndef CLV_GRAPH_GRAPH_H
#define CLV_GRAPH_GRAPH_H

#include "base/mem.h"

typedef struct clv_names {
    const int64_t *offset; /* nvtx + 1 offsets into text; NULL: no names */
    const char *text;      /* each name ends in a zero byte */
} clv_names;

typedef struct cleave_graph clv_graph;
struct cleave_graph {
    cleave_kind kind;
    int32_t nvtx;
    int64_t narc;         /* entries of adj: two per undirected edge */
    const int64_t *xadj;  /* nvtx + 1 */
    const int32_t *adj;   /* neighbours, or successors of a DAG */
    const int32_t *ewgt;  /* by arc, or NULL */
    const int64_t *xpred; /* predecessors of a DAG; the arrays above if undirected */
    const int32_t *pred;
    const int32_t *pwgt;  /* by entry of pred, or NULL */
    int32_t ncon;         /* weights per vertex, >= 1 */
    const int32_t *vwgt;  /* nvtx * ncon, or NULL */
    const int32_t *vsize; /* nvtx, or NULL */
    int32_t ndim;         /* 0, 2, 3 */
    const double *coords; /* nvtx * ndim, or NULL */
    clv_names names;
    const char *format; /* where it came from: see cleave_source */
    const char *origin;
    int64_t entries;
    const char *unit;
    clv_arena arena; /* owns the arrays that are not borrowed, and this struct */
};

static inline int64_t clv_graph_edges(const clv_graph *g)
{
    return g->kind == CLEAVE_UNDIRECTED ? g->narc / 2 : g->narc;
}
static inline int32_t clv_graph_ewgt(const clv_graph *g, int64_t a)
{
    return g->ewgt ? g->ewgt[a] : 1;
}
static inline int32_t clv_graph_vwgt(const clv_graph *g, int32_t v, int32_t con)
{
    return g->vwgt ? g->vwgt[(int64_t)v * g->ncon + con] : 1;
}
/* Of all vertices, the first constraint.  O(nvtx). */
static inline int64_t clv_graph_weight(const clv_graph *g)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        sum += clv_graph_vwgt(g, v, 0);
    return sum;
}
static inline const char *clv_graph_name(const clv_graph *g, int32_t v)
{
    return g->names.offset ? g->names.text + g->names.offset[v] : NULL;
}

/* An empty graph struct in its own arena: the start of every constructor. */
clv_graph *clv_graph_new(void);
void clv_graph_free(clv_graph *g);

#endif
