/* SPDX-License-Identifier: Apache-2.0 */
/* engine/part_order.h - what fixed vertices and groups of a DAG demand of its parts.
 *
 * In an acyclic mapping a fixed vertex of part a that reaches one of part b puts a before b,
 * and what lies on a path between two vertices of one part or group belongs to it.  Here both
 * consequences are drawn before the search begins: the parts get an order that suits the
 * fixed vertices, vertices that have no choice become fixed as well, and groups grow until
 * contracting them leaves a DAG. */
#ifndef CLV_ENGINE_PART_ORDER_H
#define CLV_ENGINE_PART_ORDER_H

#include "engine/groups.h"

typedef struct clv_part_order {
    const int32_t *by_place; /* nparts: the parts in order; NULL: as they are numbered */
    const int32_t *place;    /* nparts: where each part stands there; NULL as well */
} clv_part_order;

/* Whenever a fixed group reaches another, its part does not stand behind the other's.  Where
 * that leaves a choice, a part comes the earlier the nearer its fixed groups are to the
 * sources of the graph, and parts without any fill the room between.  *groups is replaced by
 * what it amounts to: contracting it gives a DAG, each free group could have a part of its
 * own. fixed: as the caller gave it, by vertex, or NULL; for the sentence.  CLEAVE_ECYCLE when
 * there is no order, naming fixed vertices that contradict each other.  Arrays are from ws;
 * the caller restores.  O(narc + (nvtx + nparts) log(nvtx + nparts)). */
cleave_status clv_part_order_make(clv_part_order *order, const clv_graph *g,
                                  clv_groups *groups, const int32_t *fixed,
                                  const clv_limits *limits, clv_ws *ws, cleave_error *err);

/* The mapping in which every free group is in part p, or as near in the order as fixed groups
 * before and behind it allow.  groups and order are from clv_part_order_make. */
cleave_status clv_part_order_fill(const clv_part_order *order, const clv_graph *g,
                                  const clv_groups *groups, int32_t p, clv_ws *ws,
                                  int32_t *part, cleave_error *err);

/* ---- For engine/part_conflict.c --------------------------------------------------------- */

/* Bare rows of nodes that vertices were drawn together into: parallel arcs, no loops. */
typedef struct clv_node_rows {
    int32_t count;
    int64_t *xadj; /* count + 1 */
    int32_t *adj;
} clv_node_rows;

/* node[v] in 0..count-1.  Arrays are from ws.  O(nvtx + narc + count). */
cleave_status clv_node_rows_make(clv_node_rows *rows, const clv_graph *g, const int32_t *node,
                                 int32_t count, clv_ws *ws, cleave_error *err);

#endif
