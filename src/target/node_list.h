/* SPDX-License-Identifier: Apache-2.0 */
/* target/node_list.h - names of nodes in Slurm's notation: "n[1-4,7],m3".
 *
 * Names are separated by commas.  Each number of the ranges in brackets gives one name; a
 * range keeps the leading zeros of its first number (n[001-010]).  With several brackets,
 * r[1-2]n[0-3], the last one varies fastest.  Duplicate names are not detected. */
#ifndef CLV_TARGET_NODE_LIST_H
#define CLV_TARGET_NODE_LIST_H

#include "base/mem.h"

enum { clv_most_node_names = 1 << 22, clv_most_node_bytes = 1 << 26 };

/* The number of names in the list, and an upper bound on their bytes with terminating zeros;
 * nothing is allocated.  CLEAVE_EINVAL: the list is invalid, CLEAVE_ERANGE: it exceeds the
 * limits above.  O(length). */
cleave_status clv_node_list_count(const char *text, size_t length, int32_t *count,
                                  int64_t *bytes, cleave_error *err);

/* The zero-terminated names and their array, from the arena.  O(bytes). */
cleave_status clv_node_list_expand(const char *text, size_t length, char ***names,
                                   int32_t *count, clv_arena *arena, cleave_error *err);

#endif
