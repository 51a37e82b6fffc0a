/* SPDX-License-Identifier: Apache-2.0 */
/* graph/elimination.h - symbolic factorization of a symmetric matrix: the elimination tree of
 * an order and the column counts of the factor.
 *
 * The parent of column j in the tree is the row of the first non-zero below the diagonal in
 * column j of the factor [Liu, SIAM J. Matrix Anal.  1990]. */
#ifndef CLV_GRAPH_ELIMINATION_H
#define CLV_GRAPH_ELIMINATION_H

#include "graph/graph.h"

typedef struct clv_elimination {
    const clv_graph *g;    /* undirected; rows need not ascend */
    const int32_t *order;  /* vertices in elimination order */
    const int32_t *copies; /* by vertex: number of indistinguishable vertices it represents;
                              NULL: 1 each.  Set by the caller */
    int32_t *place;        /* position by vertex */
    int32_t *parent;       /* by position: in the elimination tree; -1: a root */
} clv_elimination;

/* Arrays of e come from ws; the caller restores it.  O(nvtx + narc log nvtx). */
cleave_status clv_elimination_make(clv_elimination *e, const clv_graph *g,
                                   const int32_t *order, clv_ws *ws, cleave_error *err);

/* post[k]: the k-th position in a postorder of the tree: children before parents, subtree
 * after subtree. child and sibling: nvtx entries of scratch. */
void clv_elimination_postorder(int32_t nvtx, const int32_t *parent, int32_t *child,
                               int32_t *sibling, int32_t *post);

/* column[j] becomes the number of non-zeros below the diagonal in column j of the factor,
 * counting copies, but not those of vertex j itself [Gilbert, Ng, Peyton, SIAM J. Matrix Anal.
 * 1994].  Nearly O(nvtx + narc). */
cleave_status clv_elimination_columns(const clv_elimination *e, clv_ws *ws, int64_t *column,
                                      cleave_error *err);

#endif
