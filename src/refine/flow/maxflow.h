/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/maxflow.h - maximum flows with terminals added one after the other.
 *
 * Incremental breadth-first search [Goldberg, Hed, Kaplan, Tarjan, Werneck 2011]: one tree of
 * residual paths grows from the terminals on either side, level by level.  Where the trees
 * meet, flow is pushed, and the nodes that lost their parent find a new one or leave the tree.
 * When both trees have stopped growing they hold exactly the nodes that the source reaches and
 * the nodes that reach the sink: the two extreme minimum cuts.  Flow and trees are kept when a
 * further node becomes a terminal, which makes piercing (refine/flow/flow_cut.h) cheap.
 *
 * Capacities are int32_t: a flow above the known cut is never useful. */
#ifndef CLV_REFINE_FLOW_MAXFLOW_H
#define CLV_REFINE_FLOW_MAXFLOW_H

#include "base/context.h"

enum { clv_flow_source = 0, clv_flow_sink = 1 };
enum {
    clv_maxflow_capacity = (1 << 30) - 1
}; /* the largest capacity of an edge, and of a
      limit */

typedef struct clv_flow_arc {
    int32_t head;
    int32_t back;    /* the same edge in the list of head */
    int32_t out, in; /* residual capacity towards head, and from head */
} clv_flow_arc;

typedef struct clv_flow_front { /* nodes whose arcs the tree has not followed yet */
    int32_t *now, *next;        /* at level `level`, and one further */
    int32_t nnow, nnext;
    int32_t level; /* nodes above it have not been scanned; those below have */
} clv_flow_front;

typedef struct clv_flow_orphans { /* nodes of a tree that lost their parent */
    int32_t *first;               /* of a list, by level */
    int32_t lowest, highest;
} clv_flow_orphans;

typedef struct clv_maxflow {
    int32_t nnode, ncon;
    int64_t flow, limit;
    int64_t work;       /* arcs scanned, approximate: the same on every machine */
    int64_t walked;     /* arcs that flow was pushed along, likewise */
    int64_t most_spent; /* bound on clv_maxflow_spent; INT64_MAX unless the caller sets it */
    clv_context *ctx;   /* polled for the time limit; NULL unless the caller sets it */
    int64_t next_look;  /* work at the next poll */
    int32_t *first, *last; /* arcs of v: first[v] .. last[v] - 1 */
    clv_flow_arc *arc;
    int32_t *label;   /* 1 + distance in the source tree, or minus that in the sink tree */
    int32_t *parent;  /* arc towards the parent, or clv_flow_root, or clv_flow_orphan */
    int32_t *current; /* arcs before it lead to no parent one level up */
    int32_t *after;   /* the next of a list of orphans */
    clv_flow_orphans orphans[2];
    int32_t *lost, *found; /* scratch of the adoption */
    uint8_t *flags;
    clv_flow_front front[2];
    int32_t *member[2]; /* in a tree since the last clv_maxflow_settle, maybe no longer; */
    int32_t nmember[2]; /* before that, nsettled terminals */
    int32_t nsettled[2];
    int32_t held[2];       /* nodes in the tree, terminals of clv_maxflow_start not counted */
    int64_t *load[2];      /* ncon sums of their weights */
    const int64_t *weight; /* nnode * ncon */
} clv_maxflow;

enum { clv_flow_root = -1, clv_flow_orphan = -2 };

/* Allocates nnode nodes and narc arcs (twice the edges, and what the caller leaves unused).
 * The caller sets first and last, adds the edges, and calls clv_maxflow_start.  Memory comes
 * from ws.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_maxflow_init(clv_maxflow *f, int32_t nnode, int32_t narc, int32_t ncon,
                               clv_ws *ws, cleave_error *err);

/* Adds an edge of capacity `out` from u to v and `in` from v to u.  The residual capacities of
 * the two always have the same sum, which fits.  clv_maxflow_capacity is effectively infinite:
 * a flow within its limit does not exhaust it. */
static inline void clv_maxflow_arc(clv_maxflow *f, int32_t u, int32_t v, int32_t out,
                                   int32_t in)
{
    int32_t a = f->last[u]++, b = f->last[v]++;
    f->arc[a] = (clv_flow_arc){v, b, out, in};
    f->arc[b] = (clv_flow_arc){u, a, in, out};
}

static inline void clv_maxflow_edge(clv_maxflow *f, int32_t u, int32_t v, int32_t capacity)
{
    clv_maxflow_arc(f, u, v, capacity, capacity);
}

void clv_maxflow_start(clv_maxflow *f, int32_t source, int32_t sink, const int64_t *weight);

/* The cost of the flow so far.  A step along a path misses the cache more often than the next
 * arc of a list. */
static inline int64_t clv_maxflow_spent(const clv_maxflow *f)
{
    return f->work + 4 * f->walked;
}

/* Augments the flow to the maximum and grows both trees to the end.  Returns false as soon as
 * the flow exceeds limit, or the cost exceeds f->most_spent by more than a scan of the
 * network, or f->ctx is stopped; only the flow and the cost are then defined. */
bool clv_maxflow_run(clv_maxflow *f, int64_t limit);

/* After a run: every node of that tree becomes a terminal. */
void clv_maxflow_settle(clv_maxflow *f, int side);

/* After clv_maxflow_settle(f, side), maybe several times: makes v, not in that tree, a
 * terminal of that side.  The flow stays maximum when v was not in the other tree either. */
void clv_maxflow_pierce(clv_maxflow *f, int32_t v, int side);

/* Whether v is in the tree of that side. */
static inline bool clv_maxflow_in(const clv_maxflow *f, int32_t v, int side)
{
    return side == clv_flow_source ? f->label[v] > 0 : f->label[v] < 0;
}

#endif
