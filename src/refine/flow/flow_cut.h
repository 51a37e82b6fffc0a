/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow_cut.h - a small cut of a network that splits it within bounds.
 *
 * FlowCutter [Hamann, Strasser 2018; as in KaHyPar: Gottesbueren, Hamann, Schlag, Wagner
 * 2020].  A minimum cut is rarely balanced.  So the lighter side is frozen, one adjacent node
 * becomes a terminal as well (piercing), and the flow continues: the cut moves towards the
 * middle while its weight rises as little as possible.  Nodes that the other side does not
 * reach are pierced first, because they cost nothing; among the rest, nodes far from the
 * initial cut.  Once the bounds hold, free nodes continue to move as long as that evens out
 * the load.
 *
 * Closure networks (refine/flow/flow_corridor.h) are cut the same way, except that a terminal
 * brings along all nodes that it has an infinite path to: lower ones on the source side,
 * higher ones on the sink side.  So the lowest (highest) node outside the side is next, which
 * has all of them inside: sides grow node by node, and the last resort is the initial cut. */
#ifndef CLV_REFINE_FLOW_FLOW_CUT_H
#define CLV_REFINE_FLOW_FLOW_CUT_H

#include "refine/flow/maxflow.h"

typedef struct clv_flow_cut {
    /* Set by the caller. */
    clv_maxflow flow;
    int32_t nnode;           /* without the two terminals, which are nnode and nnode + 1 */
    int32_t nsource;         /* nodes below it are on the source side now */
    bool directed;           /* arcs lead to higher nodes, and infinite ones back */
    const int32_t *distance; /* hops to the initial cut: > 0 on the source side, else < 0; */
    int32_t farthest;        /* the largest absolute value of them; neither if directed */
    int64_t *outside[2];     /* ncon weights behind the terminals */
    const int64_t *total;    /* ncon total weights */
    int32_t noutside[2];     /* vertices behind the terminals */
    const int64_t *max[2];   /* ncon upper bounds of the two sides */
    const int64_t *min[2];   /* lower bounds, or NULL */
    const int64_t *now[2];   /* ncon current weights of the two sides */
    int64_t effort;          /* directed: limit on scans of all arcs, approximate; 0: no
                                bound */
    int64_t most_spent;      /* directed: limit on the cost of the flow */
    int64_t cut;             /* current cut between the two sides */
    /* The result: members 0..count-1 of the flow's tree of that side are on that side, all
     * other nodes on the other. */
    int side;
    int32_t count;
    /* Scratch. */
    int32_t *list[2][2]; /* first and last of the lists of candidates, by side and cost */
    int32_t *after[2];
    uint8_t *seen;
    int32_t bulk; /* nodes pierced at once, if they have a cost */
    int32_t highest[2][2], nseen[2], fallback[2][2];
    int64_t looked[2]; /* flow->work at the last search for free nodes */
    int64_t known[2];  /* the flow then */
} clv_flow_cut;

/* Finds a cut that keeps the bounds and is lighter than c->cut, or as light with more
 * remaining capacity on the fuller side.  *found reports whether one exists.  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_flow_cut_find(clv_flow_cut *c, clv_ws *ws, bool *found, cleave_error *err);

#endif
