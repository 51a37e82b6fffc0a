/* SPDX-License-Identifier: Apache-2.0 */
/* target/graph_target.h - a machine as a graph: vertices are PEs, their weights are speeds;
 * edges are links, their weights are lengths.  Distances are lengths of shortest paths. */
#ifndef CLV_TARGET_GRAPH_TARGET_H
#define CLV_TARGET_GRAPH_TARGET_H

#include "graph/graph.h"
#include "target/target.h"

enum { clv_most_exact = 2048 }; /* PEs whose distances are all kept */

/* Takes g over, also on failure; its directions, if any, do not matter.  Names stay.  Up to
 * clv_most_exact PEs distances are exact and routes known; beyond they are estimated by search
 * in ever coarser graphs (target/deco_levels.h), in memory linear in the size of g.
 * CLEAVE_EINVAL: no vertices, a link of length 0, or two PEs without a way between them, both
 * named. */
cleave_status clv_target_graph(clv_target **out, clv_graph *g, cleave_error *err);

/* "graph:FILE", a graph file of any format. */
cleave_status clv_target_graph_file(clv_target **out, const char *path, cleave_error *err);

#endif
