/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/boundary_fm.h - the refinement of bisections of dagP's journal version.
 *
 * [Herrmann, Ozkaya, Ucar, Kaya, Catalyurek: Multilevel Algorithms for Acyclic Partitioning of
 * Directed Acyclic Graphs, SIAM J. Sci. Comput. 41(4), 2019], section 4.3: a vertex of the
 * first part is movable if it has no successor there, one of the second part if it has no
 * predecessor there; its gain is then constant. */
#ifndef CLV_REFINE_DAGP_BOUNDARY_FM_H
#define CLV_REFINE_DAGP_BOUNDARY_FM_H

#include "refine/state/partition_state.h"

/* Forces the balance by the vertices with the least loss (clv_acyclic_balance), then makes at
 * most ten FM passes over the movable vertices (clv_acyclic_fm); a pass ends after a quarter
 * of the vertices without gain.  Any number of parts.  Never worse in (overload, cut).  Fails
 * only with CLEAVE_ENOMEM. */
cleave_status clv_dagp_boundary_fm(clv_partition_state *s, clv_context *ctx,
                                   cleave_error *err);

#endif
