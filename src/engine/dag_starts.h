/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dag_starts.h - starts for DAGs that see the whole graph.
 *
 * Undirected partitioning sees more of the graph than a search that may only take acyclic
 * steps.  Its partition, repaired, is a start that keeps what it can of that [Herrmann et al.
 * 2019, "undirected initial partitioning"].  Cuts that follow the levels of the computation,
 * on the other hand, do not survive coarsening: slices of topological orders find them. */
#ifndef CLV_ENGINE_DAG_STARTS_H
#define CLV_ENGINE_DAG_STARTS_H

#include "engine/search.h"

/* Fills start with an acyclic partition of the DAG task->g, made from an undirected one.
 * Out of time there is none, and start->is.worth becomes clv_worth_none().  Scratch from
 * ctx->ws.
 */
cleave_status clv_underlying_start(const clv_multilevel_task *task, const clv_preset *effort,
                                   clv_context *ctx, clv_solution *start, cleave_error *err);

/* Fills start with the best slices of effort->dag.sliced orders. */
cleave_status clv_sliced_start(const clv_multilevel_task *task, const clv_preset *effort,
                               clv_context *ctx, clv_solution *start, cleave_error *err);

/* Fills start with what was given, task->start; of a DAG, made acyclic if it is not, and
 * sliced anew if it is too uneven to be balanced. */
cleave_status clv_given_start(const clv_multilevel_task *task, clv_context *ctx,
                              clv_solution *start, cleave_error *err);

#endif
