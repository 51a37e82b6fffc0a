/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/part_conflict.h - explains why fixed vertices of a DAG allow no acyclic
 * mapping. */
#ifndef CLV_ENGINE_ACYCLIC_PART_CONFLICT_H
#define CLV_ENGINE_ACYCLIC_PART_CONFLICT_H

#include "engine/acyclic/part_order.h"

/* Fixed groups of part p reach other parts and then p again.  Returns CLEAVE_ECYCLE with a
 * message that names as few of them as possible, or CLEAVE_ENOMEM.  fixed: by vertex, as given
 * by the caller.  O(nvtx + narc + nparts). */
cleave_status clv_part_conflict(const clv_graph *g, const clv_groups *groups,
                                const int32_t *fixed, int32_t p, int32_t nparts, clv_ws *ws,
                                cleave_error *err);

#endif
