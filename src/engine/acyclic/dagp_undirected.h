/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp_undirected.h - dagP's bisections without directions.
 *
 * [Herrmann, Ozkaya, Ucar, Kaya, Catalyurek: Multilevel Algorithms for Acyclic Partitioning of
 * Directed Acyclic Graphs, SIAM J. Sci. Comput. 41(4), 2019], section 4.2.2.  The paper uses
 * METIS or Scotch; this is the undirected bisection of the engine at effort fast. */
#ifndef CLV_ENGINE_ACYCLIC_DAGP_UNDIRECTED_H
#define CLV_ENGINE_ACYCLIC_DAGP_UNDIRECTED_H

#include "engine/multilevel/multilevel.h"

/* Bisects the undirected graph of s->g `runs` times (0: once), makes each bisection acyclic
 * and refines it (clv_dagp_fix), and keeps the best.  Fills s->part and s->rank and evaluates.
 * Fails only with CLEAVE_ENOMEM. */
cleave_status clv_dagp_undirected(clv_partition_state *s, int32_t runs, clv_context *ctx,
                                  cleave_error *err);

#endif
