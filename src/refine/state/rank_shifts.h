/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/rank_shifts.h - the weights to move between neighbouring ranks so that all
 * parts of a DAG are within their bounds. */
#ifndef CLV_REFINE_STATE_RANK_SHIFTS_H
#define CLV_REFINE_STATE_RANK_SHIFTS_H

#include "refine/state/partition_state.h"

/* Gives empty parts that must not be empty the ranks after the parts that use most of their
 * bounds; the order of the others does not change.  A fuller part is followed by more of them.
 */
cleave_status clv_rank_shifts_seat(clv_partition_state *s, clv_ws *ws, cleave_error *err);

/* shift[r], r in 0..nparts-2: the weight of constraint con to move from the part of rank r to
 * that of rank r + 1 (< 0: the other way), with the smallest total.  Every part whose upper
 * bound is above 0 gets at least 1; bounds that cannot all be met are widened.  label: rank ->
 * part. O(nparts log nparts). */
cleave_status clv_rank_shifts_plan(const clv_partition_state *s, const int32_t *label,
                                   int32_t con, int64_t *shift, clv_ws *ws, cleave_error *err);

#endif
