/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_bisection.h - the initial bisections of dagP's journal version.
 *
 * [Herrmann, Ozkaya, Ucar, Kaya, Catalyurek: Multilevel Algorithms for Acyclic Partitioning of
 * Directed Acyclic Graphs, SIAM J. Sci. Comput. 41(4), 2019], section 4.2. */
#ifndef CLV_INITIAL_DAGP_BISECTION_H
#define CLV_INITIAL_DAGP_BISECTION_H

#include "refine/state/partition_state.h"

/* Both functions need two parts without fixed vertices, refine every candidate
 * (refine/dagp/boundary_fm.h), and keep the best one by (overload, cut).  They fill s->part
 * and s->rank and evaluate.  They fail only with CLEAVE_ENOMEM. */

enum { clv_dagp_grow_kinds = 6 };
/* Greedy directed graph growing: `runs` runs, each with one of three priorities and from the
 * sources or the sinks, in turn. */
cleave_status clv_dagp_grow(clv_partition_state *s, int32_t runs, clv_context *ctx,
                            cleave_error *err);

/* Makes the bisection s->part acyclic: either part becomes the first one, and either all
 * ancestors of its vertices join it or all descendants of the others leave it. */
cleave_status clv_dagp_fix(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
