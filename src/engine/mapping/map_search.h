/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/map_search.h - the search methods of the multilevel engine, with or without a
 * machine.
 *
 * Each fills task->part (places of task->t.machine; NULL: all at distance 1) with the best
 * mapping by (overload, cost) that it finds.  They are listed in the table in
 * engine/method.c. */
#ifndef CLV_ENGINE_MAPPING_MAP_SEARCH_H
#define CLV_ENGINE_MAPPING_MAP_SEARCH_H

#include "engine/method.h"

/* Direct k-way partitioning; with a machine, from several starts. */
clv_method_function clv_partition_kway;
/* Dual recursive bipartitioning [Pellegrini, Roman 1996], within the bounds if possible. */
clv_method_function clv_partition_drb;
/* Multisection along the groups of the machine [Schulz, Woydt 2025], refined as in kway. */
clv_method_function clv_partition_multisection;
/* Multisection; on a few PEs also kway, and the better one is kept. */
clv_method_function clv_partition_hierarchy;

/* Higher efforts have other parameters, so that their search does not contain that of the
 * default: on a machine, the default's result of the same search is a further candidate.
 * *result is that of the better one. */
cleave_status clv_try_lower_effort(clv_method_function *search, const clv_method_task *task,
                                   clv_search_result *result, cleave_error *err);

/* task->t.start assigns each vertex its own place; finds better assignments. */
clv_method_function clv_spread_singles;

#endif
