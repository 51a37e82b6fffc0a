/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_list.h - the [list] after a target: "0,4,5-7", or names "n[1-4,7],m3". */
#ifndef CLV_TARGET_PE_LIST_H
#define CLV_TARGET_PE_LIST_H

#include "target/target.h"

/* The listed PEs of t, in this order, as a target; takes over t, also on failure.  Items are
 * separated by commas: PE numbers, ranges of them, or names if PEs have names, including node
 * lists (target/node_list.h). */
cleave_status clv_target_restrict(clv_target **out, clv_target *t, const char *list,
                                  size_t length, cleave_error *err);

#endif
