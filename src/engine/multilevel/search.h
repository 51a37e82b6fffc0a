/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/search.h - repeated runs of the multilevel engine: V-cycles and
 * generations. */
#ifndef CLV_ENGINE_MULTILEVEL_SEARCH_H
#define CLV_ENGINE_MULTILEVEL_SEARCH_H

#include "engine/multilevel/multilevel.h"

typedef struct clv_solution {
    int32_t *part;
    clv_multilevel_result is;
} clv_solution;

typedef struct clv_search_result {
    clv_multilevel_result last; /* of the best solution; times summed over all runs */
    int32_t runs;
} clv_search_result;

/* Fills part with the best solution that the preset finds: one run, V-cycles, generations.  A
 * task with a start begins with a V-cycle from it.  If the context is stopped, part is the
 * best solution so far.  See task->known_cut. */
cleave_status clv_search(const clv_multilevel_task *task, const clv_preset *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err);

/* ---- For engine/multilevel/generations.c ------------------------------------------------ */

void clv_search_count(clv_search_result *sum, const clv_multilevel_result *run);
/* The task of a V-cycle from solution a that contracts no edge cut by a, nor by b (may be
 * NULL) if that helps to combine the two.  merge_class: nvtx, filled. */
clv_multilevel_task clv_search_cycle(const clv_multilevel_task *task, const int32_t *a,
                                     const int32_t *b, int32_t *merge_class);

#endif
