/* SPDX-License-Identifier: Apache-2.0 */
/* engine/search.h - runs of the multilevel engine, one after the other, towards the best. */
#ifndef CLV_ENGINE_SEARCH_H
#define CLV_ENGINE_SEARCH_H

#include "engine/multilevel.h"

typedef struct clv_search_result {
    clv_multilevel_result last; /* of the best solution; times summed over all runs */
    int32_t runs;
} clv_search_result;

/* Fills part with the best by (overload, cut) of: the independent runs, V-cycles and
 * generations that the effort asks for.  A task with a start begins with a V-cycle from it.
 * When the context says stop, the best so far is handed out; generations without a number
 * go on until then. */
cleave_status clv_search(const clv_multilevel_task *task, const clv_effort *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err);

#endif
