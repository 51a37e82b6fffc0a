/* SPDX-License-Identifier: Apache-2.0 */
/* base/rng.h - random number generators, passed by value.
 *
 * A generator is seeded from (seed, stage, level, index): a stage of an algorithm draws the
 * same numbers on any thread, independent of earlier stages.  SplitMix64 [Steele, Lea, Flood
 * 2014] seeds xoshiro256** [Blackman, Vigna 2018]. */
#ifndef CLV_BASE_RNG_H
#define CLV_BASE_RNG_H

#include <stdint.h>

typedef struct clv_rng {
    uint64_t s[4];
} clv_rng;

/* A 64-bit hash of good quality; also used for random orders. */
static inline uint64_t clv_hash64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline clv_rng clv_rng_make(uint64_t seed, uint64_t stage, uint64_t level,
                                   uint64_t index)
{
    uint64_t x = clv_hash64(clv_hash64(clv_hash64(clv_hash64(seed) ^ stage) ^ level) ^ index);
    clv_rng rng;
    for (int i = 0; i < 4; i++) {
        x += 0x9e3779b97f4a7c15u;
        rng.s[i] = clv_hash64(x);
    }
    return rng;
}

static inline uint64_t clv_rng_u64(clv_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t x = s[1] * 5;
    uint64_t result = ((x << 7) | (x >> 57)) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Uniform in [0, bound), bound > 0, without bias [Lemire 2019]. */
static inline uint32_t clv_rng_below(clv_rng *rng, uint32_t bound)
{
    uint64_t m = (clv_rng_u64(rng) >> 32) * bound;
    if ((uint32_t)m < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)m < threshold)
            m = (clv_rng_u64(rng) >> 32) * bound;
    }
    return (uint32_t)(m >> 32);
}

/* Uniform in [0, 1) with 53 bits. */
static inline double clv_rng_unit(clv_rng *rng)
{
    return (double)(clv_rng_u64(rng) >> 11) * 0x1.0p-53;
}

/* Fills order[0..n) with a random permutation of 0..n-1. */
static inline void clv_rng_permutation(clv_rng *rng, int32_t n, int32_t *order)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t j = (int32_t)clv_rng_below(rng, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

#endif
