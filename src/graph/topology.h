/* SPDX-License-Identifier: Apache-2.0 */
/* graph/topology.h - orders, levels and components.
 *
 * Functions that must also work on graphs with cycles (validation, quotients) take plain rows;
 * the others take a finished graph.  Scratch comes from ws and is released. */
#ifndef CLV_GRAPH_TOPOLOGY_H
#define CLV_GRAPH_TOPOLOGY_H

#include "graph/graph.h"

/* Kahn's algorithm on plain rows, O(nvtx + narc); order (nvtx entries) gets the vertices in a
 * topological order, deterministic.  *complete false: there is a cycle, and order has only
 * some of the vertices.  Rows need not ascend and may have loops and parallel arcs (fewer than
 * 2^32 into a vertex). */
cleave_status clv_topology_sort(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                clv_ws *ws, int32_t *order, bool *complete, cleave_error *err);

/* A cycle of plain rows: cycle[0] -> cycle[1] -> ...  -> cycle[0]; *length 0: acyclic. cycle
 * has nvtx entries and starts at its smallest vertex.  A shortest cycle if the graph is small
 * (some thousands of arcs), otherwise a shortest one through some vertex.  A loop is a cycle
 * of length 1.  O(nvtx + narc). */
cleave_status clv_topology_find_cycle(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      clv_ws *ws, int32_t *cycle, int32_t *length,
                                      cleave_error *err);

/* Writes "3 -> 7 -> 3" to text: names if there are any (names may be NULL), otherwise numbers
 * plus base; long cycles and names are abbreviated by "...". */
void clv_topology_cycle_text(const int32_t *cycle, int32_t length, const clv_names *names,
                             int base, char *text, size_t size);

/* As cleave_graph_topological_order: smallest ready number first. */
cleave_status clv_topology_order(const clv_graph *g, clv_ws *ws, int32_t *order,
                                 cleave_error *err);

/* level[v] is in 0..*depth-1; depth may be NULL. ALAP is *depth - 1 - bottom level, so that
 * sinks have the last level and top <= ALAP. CLEAVE_ECYCLE: the graph has a cycle.  O(nvtx +
 * narc). */
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
/* Checks the rows of a directed graph: offsets ascend, neighbours are in range. */
cleave_status clv_topology_check_rows(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      cleave_error *err);

#endif
