/* SPDX-License-Identifier: Apache-2.0 */
/* generate/assemble.h - builds a finished graph from the edges of a generator.
 *
 * Rows made here keep the promises of graph/graph.h by construction, so nothing is checked
 * again.  Parallel where that helps; the result never depends on the number of threads. */
#ifndef CLV_GENERATE_ASSEMBLE_H
#define CLV_GENERATE_ASSEMBLE_H

#include "graph/build.h"

/* Every use of random numbers has its own stage of base/rng.h. */
enum clv_generate_stage {
    CLV_STAGE_MESH = 1,
    CLV_STAGE_RGG,
    CLV_STAGE_RMAT,
    CLV_STAGE_GNP,
    CLV_STAGE_TREE,
    CLV_STAGE_LAYERED,
    CLV_STAGE_FACTOR
};

enum { CLV_MOST_LISTED = 32 };
/* Writes the neighbours of v (successors of a DAG) to `to`, ascending, and returns how
 * many; at most CLV_MOST_LISTED. */
typedef int (*clv_list_fn)(const void *context, int32_t v, int32_t *to);
cleave_status clv_rows_listed(clv_rows *rows, int32_t nvtx, clv_list_fn list,
                              const void *context, clv_team *team, cleave_error *err);

/* Undirected rows from the half of each edge that runs to the larger vertex: rows ascend,
 * xup has nvtx + 1 offsets into up.  O(nvtx + edges). */
cleave_status clv_rows_mirrored(clv_rows *rows, int32_t nvtx, const int64_t *xup,
                                const int32_t *up, cleave_error *err);

/* The graph of the rows, which ascend strictly, are symmetric or acyclic and have no loops.
 * Takes over the rows and coords (from clv_alloc; NULL: none), also on failure. */
cleave_status clv_assemble(clv_graph **out, cleave_kind kind, clv_rows *rows, int32_t ndim,
                           double *coords, cleave_error *err);

#endif
