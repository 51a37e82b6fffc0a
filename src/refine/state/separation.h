/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/separation.h - a vertex separator of a graph with its two sides, during
 * refinement.
 *
 * No edge leads from side 0 to side 1.  Solutions are compared by overload of the sides,
 * weight of the separator, weight of the fuller side: a refiner never returns a worse one than
 * it was given. */
#ifndef CLV_REFINE_STATE_SEPARATION_H
#define CLV_REFINE_STATE_SEPARATION_H

#include "base/context.h"
#include "graph/graph.h"

enum { clv_separator_part = 2 };

typedef struct clv_separation {
    const clv_graph *g; /* undirected; rows need not be sorted; only the first vertex weight is
                           used */
    int32_t *part;      /* 0, 1: the side; 2: the separator */
    int64_t weight[3];  /* by part */
    int64_t max;        /* of either side */
    bool no_line;       /* in: a side may be empty if the context is stopped so early that the
                           sides would be intervals of a line */
} clv_separation;

/* Computes weight from part.  O(nvtx). */
void clv_separation_measure(clv_separation *s);

static inline int64_t clv_separation_overload(const clv_separation *s)
{
    return (s->weight[0] > s->max ? s->weight[0] - s->max : 0) +
           (s->weight[1] > s->max ? s->weight[1] - s->max : 0);
}

/* The objective of a solution; smaller is better, compared lexicographically. */
typedef struct clv_separation_worth {
    int64_t overload, separator, fuller;
} clv_separation_worth;

static inline clv_separation_worth clv_separation_judge(const clv_separation *s)
{
    return (clv_separation_worth){clv_separation_overload(s), s->weight[2],
                                  s->weight[0] > s->weight[1] ? s->weight[0] : s->weight[1]};
}

static inline bool clv_separation_better(const clv_separation_worth *a,
                                         const clv_separation_worth *b)
{
    if (a->overload != b->overload)
        return a->overload < b->overload;
    if (a->separator != b->separator)
        return a->separator < b->separator;
    return a->fuller < b->fuller;
}

/* ---- refine/fm/node_fm.c ---------------------------------------------------------------- */

typedef struct clv_node_fm_params {
    int32_t passes;   /* at most */
    int32_t patience; /* moves without a new best solution before a pass ends */
} clv_node_fm_params;

/* FM passes with rollback on the separator [Liu 1989; Ashcraft, Liu 1998; Karypis, Kumar
 * 1998]: a vertex leaves it for one side and its neighbours on the other side enter it.  Moves
 * to the lighter side come first while the other is overloaded, else the best gain within the
 * bound.  Fails only with CLEAVE_ENOMEM; sequential. */
cleave_status clv_node_fm(clv_separation *s, const clv_node_fm_params *params,
                          clv_context *ctx, cleave_error *err);

/* ---- refine/flow/vertex_cut.c ----------------------------------------------------------- */

/* s->part has two sides, 0 and 1, with edges between them.  Makes a minimum weight vertex
 * cover of those edges the separator (bipartite, by a flow).  weight need not be set.  When
 * ctx is out of time (NULL: never), unless its credit covers the flow, the separator is one of
 * the two boundaries. */
cleave_status clv_vertex_cover(clv_separation *s, clv_context *ctx, clv_ws *ws,
                               cleave_error *err);

/* A minimum weight separator inside a band around the current one.  The band is so narrow that
 * any result is balanced [Sanders, Schulz: Advanced multilevel node separator algorithms,
 * 2016]. layers: hops on either side.  *better reports whether it changed anything; nothing
 * changes if ctx (NULL: none) is stopped. */
cleave_status clv_vertex_cut(clv_separation *s, int32_t layers, clv_context *ctx, clv_ws *ws,
                             bool *better, cleave_error *err);

#endif
