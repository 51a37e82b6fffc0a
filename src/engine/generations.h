/* SPDX-License-Identifier: Apache-2.0 */
/* engine/generations.h - many solutions that learn from each other.
 *
 * A memetic search after KaFFPaE [Sanders, Schulz 2012].  Two solutions are combined by
 * coarsening that keeps the borders of both: what they agree on is one vertex soon, and
 * refinement, which starts from the better one, chooses between the rest.  The children of a
 * generation do not depend on each other, nor on which thread makes them. */
#ifndef CLV_ENGINE_GENERATIONS_H
#define CLV_ENGINE_GENERATIONS_H

#include "engine/search.h"

/* Improves *best, the first of the population.  Ends after effort->search.generations
 * generations, or with a time limit when that is over.  Scratch: 3 * population part arrays.
 */
cleave_status clv_generations(const clv_multilevel_task *task, const clv_preset *effort,
                              clv_context *ctx, clv_solution *best, clv_search_result *result,
                              cleave_error *err);

#endif
