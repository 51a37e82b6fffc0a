/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/sparsify.h - edge sparsification of coarse graphs that would be too dense.
 *
 * Threshold sampling [Gottesbueren et al., Linear-Time Multilevel Graph Partitioning via Edge
 * Sparsification, 2025]: an edge of weight w below the threshold T is kept with probability w
 * / T and then has weight T, so that the expected weight of every cut is preserved.  Only
 * coarse levels are sparsified: they guide the search, and the finest level keeps all its
 * edges. */
#ifndef CLV_COARSEN_SPARSIFY_H
#define CLV_COARSEN_SPARSIFY_H

#include <stdint.h>

#include "base/rng.h"

enum { clv_sparsify_exact = 256, clv_sparsify_bins = clv_sparsify_exact + 63 };

/* Number of arcs of each weight in a sample of rows: weights below 256 exactly, others by
 * their highest bit. */
typedef struct clv_weight_histogram {
    int64_t count[clv_sparsify_bins];
} clv_weight_histogram;

static inline int clv_weight_bin(int64_t weight)
{
    if (weight < clv_sparsify_exact)
        return (int)weight;
    return clv_sparsify_exact + 63 - __builtin_clzll((unsigned long long)weight);
}

/* The smallest threshold that leaves about `most` arcs; 1: nothing is dropped. */
int64_t clv_sparsify_threshold(const clv_weight_histogram *histogram, double most);

/* Is the edge between coarse vertices x and y kept?  The same for both directions. */
static inline int clv_sparsify_keeps(int32_t x, int32_t y, int64_t weight, int64_t threshold,
                                     uint64_t salt)
{
    uint32_t low = (uint32_t)(x < y ? x : y), high = (uint32_t)(x < y ? y : x);
    uint64_t lot = clv_hash64(salt ^ ((uint64_t)high << 32 | low)) >> 33;
    __extension__ typedef unsigned __int128 uint128;
    return (uint128)lot * (uint64_t)threshold < (uint128)(uint64_t)weight << 31;
}

#endif
