/* SPDX-License-Identifier: Apache-2.0 */
/* graph/topology.h - orders, levels and components.
 *
 * Functions that must also work on graphs which may have cycles (validation, quotients)
 * take bare rows; the rest take a finished graph.  Scratch comes from ws and is given
 * back. */
#ifndef CLV_GRAPH_TOPOLOGY_H
#define CLV_GRAPH_TOPOLOGY_H

#include "graph/graph.h"

/* Kahn's algorithm on bare rows, O(nvtx + narc); order (nvtx places) gets the vertices
 * in some order in which every arc runs forward, deterministic.  *complete becomes false
 * when there is a cycle; order then holds only part of the vertices.  Rows need not
 * ascend; loops and parallel arcs (fewer than 2^32 into a vertex) are fine. */
cleave_status clv_topology_sort(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                clv_ws *ws, int32_t *order, bool *complete, cleave_error *err);

/* Some cycle of bare rows: cycle[0] -> cycle[1] -> ... -> cycle[0]; *length 0: acyclic.
 * cycle has nvtx places and starts at its smallest vertex.  A shortest cycle when the
 * graph is small (some thousands of arcs), else a shortest one through some vertex at
 * least.  A loop is a cycle of length 1.  O(nvtx + narc). */
cleave_status clv_topology_find_cycle(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      clv_ws *ws, int32_t *cycle, int32_t *length,
                                      cleave_error *err);

/* Writes "3 -> 7 -> 3" to text: names when there are any (names may be NULL), else
 * numbers plus base; long cycles and names are abbreviated by "...". */
void clv_topology_cycle_text(const int32_t *cycle, int32_t length, const clv_names *names,
                             int base, char *text, size_t size);

/* As cleave_graph_topological_order: smallest ready number first. */
cleave_status clv_topology_order(const clv_graph *g, clv_ws *ws, int32_t *order,
                                 cleave_error *err);

/* level[v] is in 0..*depth-1; depth may be NULL.  ALAP is *depth - 1 - bottom level, so
 * that sinks have the last level and top <= ALAP.  CLEAVE_ECYCLE as above.
 * O(nvtx + narc). */
cleave_status clv_topology_levels(const clv_graph *g, cleave_levels which, clv_ws *ws,
                                  int32_t *level, int32_t *depth, cleave_error *err);

/* As cleave_graph_components.  O(nvtx + narc). */
cleave_status clv_topology_components(const clv_graph *g, clv_ws *ws, int32_t *component,
                                      int32_t *ncomponents, cleave_error *err);

/* As cleave_strong_components: Tarjan's algorithm without recursion (graph/strong.c).
 * Neighbours must be in range; loops and parallel arcs are fine.  O(nvtx + narc). */
cleave_status clv_topology_strong(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                  clv_ws *ws, int32_t *component, int32_t *ncomponents,
                                  cleave_error *err);
/* Are these rows of a directed graph: offsets ascend, neighbours are in range? */
cleave_status clv_topology_check_rows(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      cleave_error *err);

#endif
