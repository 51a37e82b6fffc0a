/* SPDX-License-Identifier: Apache-2.0 */
/* generate/factor.h - symbolic Cholesky factorization: the pattern of the factor L of a
 * symmetric positive definite matrix with the given graph.
 *
 * An order is an array of nvtx vertices, the first to be eliminated first.  Vertex k of the
 * factor is vertex order[k] of the graph. */
#ifndef CLV_GENERATE_FACTOR_H
#define CLV_GENERATE_FACTOR_H

#include "graph/graph.h"
#include "matrix/matrix.h"

/* A minimum-degree order: quotient graph with approximate external degrees, element
 * absorption, mass elimination and supervariables [Amestoy, Davis, Duff 1996].  Vertices
 * with more than 10 sqrt(nvtx) neighbours come last. */
cleave_status clv_factor_minimum_degree(const clv_graph *g, clv_ws *ws, int32_t *order,
                                        cleave_error *err);

/* Rearranges an order so that the subtrees of its elimination tree [Liu 1990] are
 * contiguous; L has the same non-zeros up to numbering.  O(nvtx + narc log nvtx). */
cleave_status clv_factor_postorder(const clv_graph *g, clv_ws *ws, int32_t *order,
                                   cleave_error *err);

/* The natural order, or minimum degree and then postorder. */
cleave_status clv_factor_order(const clv_graph *g, bool natural, clv_ws *ws, int32_t *order,
                               cleave_error *err);

/* The filled lower triangle as a DAG: an arc from column j to row i for each non-zero of L
 * below the diagonal.  Coordinates and names go with their vertices.  CLEAVE_ERANGE when
 * there are more than 2^32 of them (found out at once).  O(non-zeros). */
cleave_status clv_factor_dag(clv_graph **out, const clv_graph *g, const int32_t *order,
                             clv_ws *ws, cleave_error *err);

/* As cleave_graph_factor, of an undirected graph: by the name of an order, or by a
 * permutation, which must name every vertex once. */
cleave_status clv_factor_graph(clv_graph **out, const clv_graph *g, const char *order,
                               const int32_t *permutation, clv_ws *ws, cleave_error *err);

/* A lower triangular matrix with the pattern of such a DAG and its diagonal: outside the
 * diagonal multiples of 1/256 in [-1, 0), drawn from the seed; on it, 1 more than the sum of
 * the row's absolute values. */
cleave_status clv_factor_matrix(clv_matrix **out, const clv_graph *dag, uint64_t seed,
                                cleave_error *err);

#endif
