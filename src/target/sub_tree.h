/* SPDX-License-Identifier: Apache-2.0 */
/* target/sub_tree.h - the tree that some PEs of a target span. */
#ifndef CLV_TARGET_SUB_TREE_H
#define CLV_TARGET_SUB_TREE_H

#include "target/bipartition_tree.h"

/* PE i of the tree is PE list[i] of t; all differ, 1 <= count <= clv_most_tree_pes.  Arrays
 * from ws; the caller restores it.  O(count log count), and O(npes) for a shape with neither
 * `trace` nor `place`. */
cleave_status clv_sub_tree(clv_pe_tree *tree, const clv_target *t, int32_t count,
                           const int32_t *list, clv_ws *ws, cleave_error *err);

#endif
