/* SPDX-License-Identifier: Apache-2.0 */
/* engine/map_search.h - the methods that search with the multilevel engine, with or without a
 * machine.
 *
 * Each fills task->part (places of task->t.machine; NULL: all at distance 1) with the best by
 * (overload, cost) that it finds.  They are functions of the table in engine/method.c. */
#ifndef CLV_ENGINE_MAP_SEARCH_H
#define CLV_ENGINE_MAP_SEARCH_H

#include "engine/method.h"

/* All parts at once; onto a machine from several starts. */
clv_method_function clv_partition_kway;
/* Dual recursive bisection [Pellegrini, Roman 1996], within the bounds where that can be. */
clv_method_function clv_partition_drb;
/* Along the groups of the machine [Schulz, Woydt 2025], then as kway from there. */
clv_method_function clv_partition_multisection;
/* Multisection, and where there are but a few PEs, compared with kway. */
clv_method_function clv_partition_hierarchy;

/* task->t.start has every vertex on a place of its own; finds better ones. */
clv_method_function clv_spread_singles;

#endif
