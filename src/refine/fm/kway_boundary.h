/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_boundary.h - the boundary vertices that seed the searches of k-way FM, in
 * parallel. */
#ifndef CLV_REFINE_FM_KWAY_BOUNDARY_H
#define CLV_REFINE_FM_KWAY_BOUNDARY_H

#include "refine/fm/kway_search.h"

/* Makes an entry for each boundary vertex, in the order of their numbers: neighbours often
 * have close numbers, and their entries are then close as well.  Lists the entries, and sets
 * *count to their number; 0 if the context says stop.  Lists of the entries come from the
 * scratch of all threads, which the caller releases. */
cleave_status clv_kway_enter_boundary(clv_kway_search *f, int32_t *list, int32_t *count,
                                      cleave_error *err);

/* Unlocks all entries and lists those on the boundary: after a round every boundary vertex has
 * an entry.  Returns their number. */
int32_t clv_kway_list_boundary(clv_kway_search *f, int32_t *list);

/* Makes maybe_boundary exact: entries tell which vertices are on the boundary, except for
 * edges of weight 0. */
void clv_kway_mark_boundary(clv_kway_search *f);

#endif
