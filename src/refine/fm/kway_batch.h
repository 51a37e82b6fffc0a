/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_batch.h - localised k-way FM on several threads: batches of private searches.
 */
#ifndef CLV_REFINE_FM_KWAY_BATCH_H
#define CLV_REFINE_FM_KWAY_BATCH_H

#include "refine/fm/kway_search.h"

typedef struct clv_kway_batch clv_kway_batch;

/* Ranges of the list of boundary entries, each of which seeds a search. */
typedef struct clv_kway_ranges {
    const int32_t *list;
    int32_t count;  /* entries of the list */
    int32_t length; /* of a range */
    int64_t per_seed;
} clv_kway_ranges;

/* Scratch for each thread of the context, from ws[0].  f: the search in place. */
cleave_status clv_kway_batch_make(clv_kway_batch **out, clv_kway_search *f, cleave_error *err);

/* How many of so many searches form a batch; 1: they are too few. */
int32_t clv_kway_batch_size(int32_t searches);

/* Searches from the ranges order[0..count-1] in batches of up to clv_kway_batch_size(count).
 * Lists those that should be searched in place in order[0..], and returns their number: of
 * searches that failed, or all that are left when few searches of a batch fit together or the
 * context says stop. */
int32_t clv_kway_batch_search(clv_kway_batch *b, const clv_kway_ranges *ranges, int32_t *order,
                              int32_t count);

#endif
