/* SPDX-License-Identifier: Apache-2.0 */
/* engine/search.h - runs of the multilevel engine, one after the other, towards the best. */
#ifndef CLV_ENGINE_SEARCH_H
#define CLV_ENGINE_SEARCH_H

#include "engine/multilevel.h"

typedef struct clv_solution {
    int32_t *part;
    clv_multilevel_result is;
} clv_solution;

typedef struct clv_search_result {
    clv_multilevel_result last; /* of the best solution; times summed over all runs */
    int32_t runs;
} clv_search_result;

/* Fills part with the best of what the effort asks for: one run, V-cycles,
 * generations.  A task with a start begins with a V-cycle from it.  When the context says
 * stop, the best so far is handed out. */
cleave_status clv_search(const clv_multilevel_task *task, const clv_preset *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err);

/* ---- For engine/generations.c ----------------------------------------------------------- */

void clv_search_count(clv_search_result *sum, const clv_multilevel_result *run);
/* The task of climbing again from solution a with its borders kept, and those of b (may be
 * NULL) where that helps to combine the two.  merge_class: nvtx, filled. */
clv_multilevel_task clv_search_cycle(const clv_multilevel_task *task, const int32_t *a,
                                     const int32_t *b, int32_t *merge_class);

#endif
