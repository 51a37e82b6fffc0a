/* SPDX-License-Identifier: Apache-2.0 */
/* generate/assemble.h - builds a finished graph from the edges of a generator.
 *
 * These rows satisfy the invariants of graph/graph.h by construction, so they are not checked
 * again.  Large graphs are assembled in parallel; the result does not depend on the number of
 * threads. */
#ifndef CLV_GENERATE_ASSEMBLE_H
#define CLV_GENERATE_ASSEMBLE_H

#include "graph/build.h"

/* Each use of random numbers has its own stage of base/rng.h. */
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
/* Writes the neighbours of v (successors in a DAG) to `to`, ascending, and returns their
 * number; at most CLV_MOST_LISTED. */
typedef int (*clv_list_fn)(const void *context, int32_t v, int32_t *to);
cleave_status clv_rows_listed(clv_rows *rows, int32_t nvtx, clv_list_fn list,
                              const void *context, clv_team *team, cleave_error *err);

/* Undirected rows from edges listed at their smaller end: rows of up ascend, xup has nvtx + 1
 * offsets into up.  O(nvtx + edges). */
cleave_status clv_rows_mirrored(clv_rows *rows, int32_t nvtx, const int64_t *xup,
                                const int32_t *up, cleave_error *err);

/* The graph of rows that ascend strictly, are symmetric or acyclic, and have no loops.  Takes
 * over the rows and coords (from clv_alloc; NULL: none), also on failure. */
cleave_status clv_assemble(clv_graph **out, cleave_kind kind, clv_rows *rows, int32_t ndim,
                           double *coords, cleave_error *err);

#endif
