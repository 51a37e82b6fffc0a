/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dag_starts.h - initial partitions of a DAG that are computed on the whole
 * graph.
 *
 * Undirected partitioning explores more than a search restricted to acyclic moves.  An
 * undirected partition that is repaired to an acyclic one keeps most of that structure
 * [Herrmann et al. 2019, "undirected initial partitioning"].  Cuts that follow the levels of
 * the computation do not survive coarsening; slices of topological orders find them. */
#ifndef CLV_ENGINE_ACYCLIC_DAG_STARTS_H
#define CLV_ENGINE_ACYCLIC_DAG_STARTS_H

#include "engine/multilevel/search.h"

/* Builds the undirected graph of a DAG: successors and predecessors in one row.  Its arrays
 * are from ws or those of g. */
cleave_status clv_forget_directions(clv_graph *out, const clv_graph *g, clv_ws *ws,
                                    cleave_error *err);

/* Fills start with an acyclic partition of the DAG task->g, repaired from an undirected one.
 * After the deadline it computes none and sets start->is.worth to clv_worth_none().  Scratch
 * comes from ctx->ws. */
cleave_status clv_underlying_start(const clv_multilevel_task *task, const clv_preset *effort,
                                   clv_context *ctx, clv_solution *start, cleave_error *err);

/* Fills start with the best slicing among effort->dag.sliced topological orders. */
cleave_status clv_sliced_start(const clv_multilevel_task *task, const clv_preset *effort,
                               clv_context *ctx, clv_solution *start, cleave_error *err);

/* Fills start with a recursive bisection of the whole graph.  Each bisection is a search with
 * clv_preset_for_split(effort): bisections reach better cuts than a search for many parts at
 * once, whose moves are restricted by all other parts.  After the deadline, blocks are cut
 * along topological orders; with fixed vertices, start->is.worth is clv_worth_none(). */
cleave_status clv_divided_start(const clv_multilevel_task *task, const clv_preset *effort,
                                clv_context *ctx, clv_solution *start, cleave_error *err);

/* Fills start with task->start.  In a DAG, a cyclic start is repaired, and a start too
 * unbalanced to be rebalanced is replaced by slices of a topological order. */
cleave_status clv_given_start(const clv_multilevel_task *task, clv_context *ctx,
                              clv_solution *start, cleave_error *err);

#endif
