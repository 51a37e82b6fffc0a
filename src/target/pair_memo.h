/* SPDX-License-Identifier: Apache-2.0 */
/* target/pair_memo.h - a cache of distances of PE pairs.
 *
 * A mapping is evaluated several times, by the engine, for the report and by the caller, with
 * nearly the same distances each time.  Each slot is one word that holds both PEs and their
 * distance, so that threads share the table without locks: a read returns what some thread has
 * written for this pair, or nothing.  If both slots of a new pair are in use, it replaces an
 * older one. */
#ifndef CLV_TARGET_PAIR_MEMO_H
#define CLV_TARGET_PAIR_MEMO_H

#include <stdatomic.h>

#include "base/mem.h"
#include "base/rng.h"

enum {
    clv_memo_per_pe = 16,
    clv_memo_most_bits = 20 /* of the number of slots: 8 MB */
};

typedef struct clv_pair_memo {
    _Atomic uint64_t *slot; /* both PEs and the distance; 0: empty */
    int bits;               /* of the number of slots */
    int pe_bits;
    _Atomic int64_t searched; /* distances that were not in the cache */
} clv_pair_memo;

static inline int clv_memo_bits_for(int64_t count, int most)
{
    int bits = 1;
    while (bits < most && (INT64_C(1) << bits) < count)
        bits++;
    return bits;
}

/* CLEAVE_ENOMEM. */
static inline cleave_status clv_pair_memo_make(clv_pair_memo *m, int32_t npes,
                                               clv_arena *arena, cleave_error *err)
{
    m->pe_bits = clv_memo_bits_for(npes, 31);
    m->bits = clv_memo_bits_for(clv_memo_per_pe * (int64_t)npes, clv_memo_most_bits);
    m->slot = clv_arena_zalloc(arena, INT64_C(1) << m->bits, sizeof *m->slot);
    return m->slot ? CLEAVE_OK : clv_fail_memory(err);
}

static inline uint64_t clv_pair_memo_key(const clv_pair_memo *m, int32_t p, int32_t q)
{
    return (uint64_t)p << m->pe_bits | (uint64_t)q;
}

/* The first of the two slots for a pair; the other is its neighbour. */
static inline uint64_t clv_pair_memo_slot(const clv_pair_memo *m, uint64_t key)
{
    return clv_hash64(key) >> (64 - m->bits);
}

/* 0 <= p < q.  The distance; -1: not in the cache. */
static inline int32_t clv_pair_memo_find(const clv_pair_memo *m, int32_t p, int32_t q)
{
    int shift = 64 - 2 * m->pe_bits;
    uint64_t key = clv_pair_memo_key(m, p, q), at = clv_pair_memo_slot(m, key);
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t word = atomic_load_explicit(&m->slot[at ^ i], memory_order_relaxed);
        if (word >> shift == key)
            return (int32_t)(word & ((UINT64_C(1) << shift) - 1));
    }
    return -1;
}

/* Distances that do not fit into a word are not stored. */
static inline void clv_pair_memo_keep(clv_pair_memo *m, int32_t p, int32_t q, int32_t distance)
{
    int shift = 64 - 2 * m->pe_bits;
    uint64_t key = clv_pair_memo_key(m, p, q), at = clv_pair_memo_slot(m, key);
    atomic_fetch_add_explicit(&m->searched, 1, memory_order_relaxed);
    if ((uint64_t)distance >> shift != 0)
        return;
    if (atomic_load_explicit(&m->slot[at], memory_order_relaxed) != 0 &&
        atomic_load_explicit(&m->slot[at ^ 1], memory_order_relaxed) == 0)
        at ^= 1;
    atomic_store_explicit(&m->slot[at], key << shift | (uint64_t)distance,
                          memory_order_relaxed);
}

#endif
