/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/generations.h - memetic (evolutionary) search over partitions.
 *
 * Follows KaFFPaE [Sanders, Schulz 2012].  Two solutions are combined by coarsening that
 * contracts no edge cut by either.  Vertices on which both agree are merged early, and
 * refinement, which starts from the better one, decides the rest.  The children of a
 * generation are independent of each other and of the thread that computes them. */
#ifndef CLV_ENGINE_MULTILEVEL_GENERATIONS_H
#define CLV_ENGINE_MULTILEVEL_GENERATIONS_H

#include "engine/multilevel/search.h"

/* Improves *best, the first of the population.  Ends after effort->search.generations
 * generations, or at the time limit if there is one.  Scratch: 3 * population part arrays. */
cleave_status clv_generations(const clv_multilevel_task *task, const clv_preset *effort,
                              clv_context *ctx, clv_solution *best, clv_search_result *result,
                              cleave_error *err);

#endif
