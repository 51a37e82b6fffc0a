/* SPDX-License-Identifier: Apache-2.0 */
/* target/switch_builder.h - builds trees of switches node by node, for clv_target_switches.
 *
 * Nodes are added in depth-first order from the root: a parent before its children, everything
 * below a node before its next sibling.  PEs are the nodes without children.  Nodes with a
 * single child distinguish nothing and are removed at the end. */
#ifndef CLV_TARGET_SWITCH_BUILDER_H
#define CLV_TARGET_SWITCH_BUILDER_H

#include "target/target.h"

typedef struct clv_switch_builder { /* zero-initialise: an empty tree */
    int32_t count;
    int64_t room;
    int32_t *parent;
} clv_switch_builder;

/* parent -1: the root, which is the first. */
cleave_status clv_switch_builder_add(clv_switch_builder *b, int32_t parent, int32_t *number,
                                     cleave_error *err);

/* Makes the target.  The level of a node is its height above the lowest PE below it; the
 * distance of two PEs is the level of their lowest common node. all_levels: nodes with a
 * single child also count as levels. */
cleave_status clv_switch_builder_finish(clv_target **out, const clv_switch_builder *b,
                                        bool all_levels, cleave_error *err);
void clv_switch_builder_free(clv_switch_builder *b);

#endif
