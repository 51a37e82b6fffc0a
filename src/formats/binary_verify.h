/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_verify.h - checks the invariants of graph/graph.h for arrays from a file. */
#ifndef CLV_FORMATS_BINARY_VERIFY_H
#define CLV_FORMATS_BINARY_VERIFY_H

#include "graph/graph.h"

/* Sums 64-byte blocks; a change in one 8-byte word always changes the sum.  `count` is a
 * multiple of 64 except in the last call, whose remainder is padded with zeros. */
typedef struct clv_binary_sum {
    uint64_t lane[8];
    uint64_t blocks;
} clv_binary_sum;
void clv_binary_sum_init(clv_binary_sum *sum);
void clv_binary_sum_add(clv_binary_sum *sum, const void *bytes, uint64_t count);
uint64_t clv_binary_sum_value(const clv_binary_sum *sum);

/* Checks all invariants of graph.h; name_bytes is the length of names.text.  CLEAVE_EPARSE or
 * CLEAVE_ECYCLE with path in the message, or CLEAVE_ENOMEM. O(nvtx + narc). */
cleave_status clv_binary_verify(const clv_graph *g, int64_t name_bytes, const char *path,
                                cleave_error *err);

/* The same for a share of the graph: vertices from `first` on, with neighbours among nvtx.
 * Checks xadj, adj, ewgt, vwgt, vsize and coords, as far as is possible without the other
 * shares.  The offsets, which may start at any value, are checked separately, before adj is
 * read. */
cleave_status clv_binary_verify_offsets(const clv_graph *share, int32_t first,
                                        const char *path, cleave_error *err);
cleave_status clv_binary_verify_share(const clv_graph *share, int32_t first, int32_t nvtx,
                                      const char *path, cleave_error *err);

#endif
