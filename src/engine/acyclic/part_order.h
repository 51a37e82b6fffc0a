/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/part_order.h - the order of a DAG's parts that fixed vertices and groups
 * imply.
 *
 * In an acyclic mapping, a fixed vertex of part a that reaches one of part b implies that a
 * precedes b, and vertices on a path between two vertices of one part or group belong to it.
 * Both implications are applied before the search: parts get an order that agrees with the
 * fixed vertices, vertices with a single feasible part become fixed, and groups grow until
 * contracting them gives a DAG. */
#ifndef CLV_ENGINE_ACYCLIC_PART_ORDER_H
#define CLV_ENGINE_ACYCLIC_PART_ORDER_H

#include "engine/groups.h"

typedef struct clv_part_order {
    const int32_t *by_place; /* nparts: the parts in order; NULL: by number */
    const int32_t *place;    /* nparts: the position of each part in it; NULL as well */
} clv_part_order;

/* If a fixed group reaches another, its part does not come after the other's.  Ties: a part
 * comes the earlier, the nearer its fixed groups are to the sources of the graph; parts
 * without fixed groups fill the space between.  *groups is replaced by its closure:
 * contracting it gives a DAG, and each free group could have its own part.  fixed: by vertex,
 * as given by the caller, or NULL; for the message.  CLEAVE_ECYCLE if there is no order; the
 * message names fixed vertices that contradict each other.  Arrays are from ws; the caller
 * restores it. O(narc + (nvtx + nparts) log(nvtx + nparts)). */
cleave_status clv_part_order_make(clv_part_order *order, const clv_graph *g,
                                  clv_groups *groups, const int32_t *fixed,
                                  const clv_limits *limits, clv_ws *ws, cleave_error *err);

/* The mapping in which every free group is in part p, or as near to it in the order as fixed
 * groups allow.  groups and order are from clv_part_order_make. */
cleave_status clv_part_order_fill(const clv_part_order *order, const clv_graph *g,
                                  const clv_groups *groups, int32_t p, clv_ws *ws,
                                  int32_t *part, cleave_error *err);

/* ---- For engine/acyclic/part_conflict.c ------------------------------------------------- */

/* Adjacency of contracted vertices (nodes): parallel arcs possible, no loops. */
typedef struct clv_node_rows {
    int32_t count;
    int64_t *xadj; /* count + 1 */
    int32_t *adj;
} clv_node_rows;

/* node[v] in 0..count-1.  Arrays are from ws.  O(nvtx + narc + count). */
cleave_status clv_node_rows_make(clv_node_rows *rows, const clv_graph *g, const int32_t *node,
                                 int32_t count, clv_ws *ws, cleave_error *err);

#endif
