/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/redivide.h - large-neighbourhood search: divides groups of parts of a DAG
 * anew. */
#ifndef CLV_ENGINE_ACYCLIC_REDIVIDE_H
#define CLV_ENGINE_ACYCLIC_REDIVIDE_H

#include "engine/multilevel/search.h"

/* Improves an acyclic partition that is within its bounds.  A window is a set of parts that
 * follow each other in some topological order of the parts.  The subgraph of each window is
 * searched for a better division into the same parts.  Arcs that leave the window are cut in
 * any case, and the window keeps its place in the order, so that a smaller cut inside it is a
 * smaller cut of the whole, and the partition stays acyclic.
 *
 * Sweeps with windows of 2, 4, ... parts, fewer than all, by effort->dag.redivide_*; windows
 * of a sweep have no part in common and are searched in parallel.  Does nothing with two
 * parts, with fixed vertices, which fix the order of the parts, and on machines, where the cut
 * is not the objective.  Never worse.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_redivide(const clv_multilevel_task *task, const clv_preset *effort,
                           clv_context *ctx, clv_solution *solution, cleave_error *err);

#endif
