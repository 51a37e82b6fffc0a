/* SPDX-License-Identifier: Apache-2.0 */
/* refine/rank_shifts.h - how much weight must go from rank to rank so that all parts of a DAG
 * are within their bounds. */
#ifndef CLV_REFINE_RANK_SHIFTS_H
#define CLV_REFINE_RANK_SHIFTS_H

#include "refine/partition_state.h"

/* Gives the parts that are empty and should not be ranks right behind the heaviest parts;
 * the order of the others stays.  The heavier a part, the more of them it gets. */
cleave_status clv_rank_shifts_seat(clv_partition_state *s, clv_ws *ws, cleave_error *err);

/* shift[r], r in 0..nparts-2: the weight of constraint con that is to go from the part of
 * rank r to that of rank r + 1 (< 0: the other way), smallest sum of all.  Parts that are
 * empty and should not be get 1 at least; bounds that cannot all be met are widened.  label:
 * rank -> part.  O(nparts log nparts). */
cleave_status clv_rank_shifts_plan(const clv_partition_state *s, const int32_t *label,
                                   int32_t con, int64_t *shift, clv_ws *ws, cleave_error *err);

#endif
