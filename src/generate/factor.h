/* SPDX-License-Identifier: Apache-2.0 */
/* generate/factor.h - symbolic Cholesky factorization: the pattern of the factor L of a
 * symmetric positive definite matrix with the given graph.
 *
 * An order is an array of the nvtx vertices in the order of elimination.  Vertex k of the
 * factor is vertex order[k] of the graph. */
#ifndef CLV_GENERATE_FACTOR_H
#define CLV_GENERATE_FACTOR_H

#include "graph/graph.h"
#include "matrix/matrix.h"

/* The filled lower triangle as a DAG: an arc from column j to row i for each non-zero of L
 * below the diagonal.  Vertices keep coordinates and names.  CLEAVE_ERANGE: there are more
 * than 2^32 non-zeros (detected before any is computed).  O(non-zeros). */
cleave_status clv_factor_dag(clv_graph **out, const clv_graph *g, const int32_t *order,
                             clv_ws *ws, cleave_error *err);

/* As cleave_graph_factor, for an undirected graph: with the name of an order, or with a
 * permutation of all vertices. */
cleave_status clv_factor_graph(clv_graph **out, const clv_graph *g, const char *order,
                               const int32_t *permutation, clv_ws *ws, cleave_error *err);

/* A lower triangular matrix with the pattern of such a DAG and a diagonal: off-diagonal
 * entries are multiples of 1/256 in [-1, 0), drawn from the seed; diagonal entries are 1 plus
 * the sum of the absolute values in the row. */
cleave_status clv_factor_matrix(clv_matrix **out, const clv_graph *dag, uint64_t seed,
                                cleave_error *err);

#endif
