/* SPDX-License-Identifier: Apache-2.0 */
/* base/blocks.h - numbers 0..n-1 in blocks of equal size, for parallel passes that number or
 * list some of them in ascending order: what a block adds is counted first.
 *
 * The blocks depend on n only, so the result does not depend on the number of threads.  Few
 * numbers are one block, which one thread processes faster than several. */
#ifndef CLV_BASE_BLOCKS_H
#define CLV_BASE_BLOCKS_H

#include <stdint.h>

enum { clv_block_least = 1 << 14, clv_blocks_most = 512 };
typedef struct clv_even_blocks {
    int32_t n, size, count;
} clv_even_blocks;

static inline clv_even_blocks clv_blocks_of(int32_t n, int32_t least)
{
    clv_even_blocks b = {.n = n, .size = n / clv_blocks_most + 1};
    b.size = b.size < least ? least : b.size;
    b.count = (int32_t)(((int64_t)n + b.size - 1) / b.size);
    return b;
}

/* The first number of a block; of block count: n. */
static inline int32_t clv_block_begin(const clv_even_blocks *b, int64_t block)
{
    int64_t begin = block * b->size;
    return begin < b->n ? (int32_t)begin : b->n;
}

#endif
