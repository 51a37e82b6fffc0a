/* SPDX-License-Identifier: Apache-2.0 */
/* target/graph_target.h - a machine as a graph: vertices are PEs, their weights are speeds;
 * edges are links, their weights are lengths.  Distances are lengths of shortest paths. */
#ifndef CLV_TARGET_GRAPH_TARGET_H
#define CLV_TARGET_GRAPH_TARGET_H

#include "graph/graph.h"
#include "target/target.h"

enum { clv_most_exact = 2048 }; /* largest number of PEs with a table of all distances */

/* Takes over g, also on failure; directions are ignored.  Names are kept.  Up to
 * clv_most_exact PEs, distances are exact and routes known; above, they are estimated by
 * searches in coarser graphs (target/deco_levels.h), in memory linear in the size of g.
 * CLEAVE_EINVAL: no vertices, a link of length 0, or two PEs without a path between them,
 * which the message names. */
cleave_status clv_target_graph(clv_target **out, clv_graph *g, cleave_error *err);

/* "graph:FILE", a graph file of any format. */
cleave_status clv_target_graph_file(clv_target **out, const char *path, cleave_error *err);

#endif
