/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow_cut.h - a small cut of a network that splits it within bounds.
 *
 * FlowCutter [Hamann, Strasser 2018; as in KaHyPar: Gottesbueren, Hamann, Schlag, Wagner
 * 2020].  A minimum cut is rarely balanced.  So the side that is too light is frozen, one
 * node beside it becomes a terminal as well, and the flow goes on from where it was: the cut
 * moves towards the middle while its weight rises as little as it can.  Nodes that the other
 * side does not need are taken first, because they cost nothing; among those that are left,
 * the ones far from the cut that is known.  Once the bounds are met, free nodes go on moving
 * for as long as that evens out the load.
 *
 * Closure networks (refine/flow_corridor.h) are cut the same way, except that a terminal
 * brings along all nodes that it has an infinite path to: lower ones on the source's side,
 * higher ones on the sink's.  So the lowest (highest) node outside the side comes next, which
 * has them all inside: sides grow node by node, and the last resort is the known cut. */
#ifndef CLV_REFINE_FLOW_CUT_H
#define CLV_REFINE_FLOW_CUT_H

#include "refine/maxflow.h"

typedef struct clv_flow_cut {
    /* Set by the caller. */
    clv_maxflow flow;
    int32_t nnode;           /* without the two terminals, which are nnode and nnode + 1 */
    int32_t nsource;         /* nodes below it are on the source's side now */
    bool directed;           /* arcs lead to higher nodes, and infinite ones back */
    const int32_t *distance; /* hops to the known cut: > 0 on the source's side, else < 0; */
    int32_t farthest;        /* the largest absolute value of them; neither if directed */
    int64_t *outside[2];     /* ncon weights behind the terminals */
    const int64_t *total;    /* ncon weights of everything */
    int32_t noutside[2];     /* vertices behind the terminals */
    const int64_t *max[2];   /* ncon upper bounds of the two sides */
    const int64_t *min[2];   /* lower ones, or NULL */
    const int64_t *now[2];   /* ncon weights of the two sides as they are */
    int64_t effort;          /* directed: how often to look at all arcs, about; 0: no bound */
    int64_t most_spent;      /* directed: what the flow may cost at most */
    int64_t cut;             /* between the two sides as they are */
    /* The answer: members 0..count-1 of the flow's tree of that side are on that side, all
     * other nodes on the other. */
    int side;
    int32_t count;
    /* Scratch. */
    int32_t *list[2][2]; /* first and last of the lists of candidates, by side and cost */
    int32_t *after[2];
    uint8_t *seen;
    int32_t bulk; /* nodes that join at once, if they cost something */
    int32_t highest[2][2], nseen[2], fallback[2][2];
    int64_t looked[2]; /* flow->work when the search for cheap nodes last began again */
    int64_t known[2];  /* the flow then */
} clv_flow_cut;

/* Finds a cut that meets the bounds and is lighter than c->cut, or as light with more room
 * on the fuller side.  *found says whether there is one.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_flow_cut_find(clv_flow_cut *c, clv_ws *ws, bool *found, cleave_error *err);

#endif
