/* SPDX-License-Identifier: Apache-2.0 */
/* target/node_list.h - names of nodes as Slurm writes them: "n[1-4,7],m3".
 *
 * Names are separated by commas.  Numbers and ranges in brackets stand for one name each; a
 * range keeps the leading zeros of its first number (n[001-010]).  With several brackets,
 * r[1-2]n[0-3], the last one varies fastest.  Names may occur twice: who cares must look. */
#ifndef CLV_TARGET_NODE_LIST_H
#define CLV_TARGET_NODE_LIST_H

#include "base/mem.h"

enum { clv_most_node_names = 1 << 22, clv_most_node_bytes = 1 << 26 };

/* How many names the list has, and how many bytes with their zeros are enough for them, which
 * nothing is allocated for.  CLEAVE_EINVAL says what is wrong with the list, CLEAVE_ERANGE
 * that it has more than the limits above.  O(length). */
cleave_status clv_node_list_count(const char *text, size_t length, int32_t *count,
                                  int64_t *bytes, cleave_error *err);

/* The names, zero-terminated, and the array of them, from the arena.  O(bytes). */
cleave_status clv_node_list_expand(const char *text, size_t length, char ***names,
                                   int32_t *count, clv_arena *arena, cleave_error *err);

#endif
