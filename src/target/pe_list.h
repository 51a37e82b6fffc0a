/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_list.h - the [list] after a target: "0,4,5-7", or names "n[1-4,7],m3". */
#ifndef CLV_TARGET_PE_LIST_H
#define CLV_TARGET_PE_LIST_H

#include "target/target.h"

/* The PEs of t that the list names, in its order, as a target of their own; takes t over, also
 * on failure.  Items are separated by commas: PE numbers, ranges of them, or names where the
 * target has any, which may be those of a node list (target/node_list.h). */
cleave_status clv_target_restrict(clv_target **out, clv_target *t, const char *list,
                                  size_t length, cleave_error *err);

#endif
