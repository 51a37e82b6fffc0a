/* SPDX-License-Identifier: Apache-2.0 */
/* graph/graph.h - the graph data structure of the library.
 *
 * Compressed rows.  Invariants of a finished graph, checked once where it is made
 * (graph/build.h) and asserted afterwards: the neighbours of a vertex ascend strictly; no
 * self-loops; undirected edges are stored in both directions with equal weights; a DAG has no
 * cycle and also stores its predecessors.  Absent weight arrays (NULL) mean 1.
 *
 * Weights have 32 bits, as in the input.  A coarse graph sums them: if a sum might not fit, it
 * has 64-bit arrays (wide_*) instead, and the 32-bit arrays are NULL: read weights through the
 * functions below.  The sums of all arc weights, and of all vertex weights, are at most
 * CLV_MOST_WEIGHT, so that differences of such sums can be added a few times within
 * int64_t. */
#ifndef CLV_GRAPH_GRAPH_H
#define CLV_GRAPH_GRAPH_H

#include "graph/weights.h"

#define CLV_MOST_WEIGHT (INT64_C(1) << 62)

typedef struct clv_names {
    const int64_t *offset; /* nvtx + 1 offsets into text; NULL: no names */
    const char *text;      /* each name is zero-terminated */
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
    const int32_t *pwgt;                              /* by entry of pred, or NULL */
    int32_t ncon;                                     /* weights per vertex, >= 1 */
    const int32_t *vwgt;                              /* nvtx * ncon, or NULL */
    const int64_t *wide_ewgt, *wide_pwgt, *wide_vwgt; /* coarse graphs, see above, or NULL */
    const int32_t *vsize;                             /* nvtx, or NULL */
    const int64_t *wide_vsize; /* of coarse graphs, instead of vsize, or NULL */
    int32_t ndim;              /* 0, 2, 3 */
    const double *coords;      /* nvtx * ndim, or NULL */
    clv_names names;
    const char *format; /* source format: see cleave_source */
    const char *origin;
    int64_t entries;
    const char *unit;
    clv_arena arena; /* owns the arrays that are not borrowed, and this struct */
};

static inline int64_t clv_graph_edges(const clv_graph *g)
{
    return g->kind == CLEAVE_UNDIRECTED ? g->narc / 2 : g->narc;
}
/* Weights by arc, by entry of pred, and by vertex * ncon. */
static inline clv_weights clv_graph_ewgts(const clv_graph *g)
{
    return (clv_weights){g->ewgt, g->wide_ewgt};
}
static inline clv_weights clv_graph_pwgts(const clv_graph *g)
{
    return (clv_weights){g->pwgt, g->wide_pwgt};
}
static inline clv_weights clv_graph_vwgts(const clv_graph *g)
{
    return (clv_weights){g->vwgt, g->wide_vwgt};
}
static inline int64_t clv_graph_ewgt(const clv_graph *g, int64_t a)
{
    return clv_weight_at(clv_graph_ewgts(g), a);
}
static inline int64_t clv_graph_pwgt(const clv_graph *g, int64_t a)
{
    return clv_weight_at(clv_graph_pwgts(g), a);
}
static inline int64_t clv_graph_vwgt(const clv_graph *g, int32_t v, int32_t con)
{
    return clv_weight_at(clv_graph_vwgts(g), (int64_t)v * g->ncon + con);
}
static inline int64_t clv_graph_vsize(const clv_graph *g, int32_t v)
{
    return clv_weight_at((clv_weights){g->vsize, g->wide_vsize}, v);
}
/* Starts to load the rows of vertices further on in a queue of `ready` vertices, which follow
 * one another neither in the graph nor in memory. */
static inline void clv_graph_prefetch_rows(const clv_graph *g, const int32_t *queue,
                                           int32_t ready)
{
    enum { ahead = 8, far_ahead = 16 };
    if (ready > far_ahead)
        __builtin_prefetch(&g->xadj[queue[far_ahead]]);
    if (ready > ahead)
        __builtin_prefetch(&g->adj[g->xadj[queue[ahead]]]);
}
static inline void clv_graph_set_ewgts(clv_graph *g, clv_weights w)
{
    g->ewgt = w.narrow;
    g->wide_ewgt = w.wide;
}
static inline void clv_graph_set_pwgts(clv_graph *g, clv_weights w)
{
    g->pwgt = w.narrow;
    g->wide_pwgt = w.wide;
}
static inline void clv_graph_set_vwgts(clv_graph *g, clv_weights w)
{
    g->vwgt = w.narrow;
    g->wide_vwgt = w.wide;
}
/* Total of the first vertex weights.  O(nvtx). */
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

/* An empty graph struct in its own arena, for constructors. */
clv_graph *clv_graph_new(void);
void clv_graph_free(clv_graph *g);

#endif
