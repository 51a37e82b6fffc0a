/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_alloc.c - takes the place of src/base/mem.c: counts the bytes that the
 * library holds and aborts when it allocates too many, so that the stack shows the caller.
 * The nth allocation of a call under test fails if the campaign requests it.  Sizes come from
 * the C library rather than from a header in front of each block, which would hide reads
 * before its start from AddressSanitizer. */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fuzz/fuzz_common.h"

static atomic_llong live, peak, limit;
static atomic_llong calls, most_calls, deny_at;
static atomic_bool under_test, denied;

static void *counted(void *block)
{
    if (!block)
        return NULL;
    long long now = atomic_fetch_add(&live, (long long)malloc_usable_size(block)) +
                    (long long)malloc_usable_size(block);
    if (now > atomic_load(&peak)) /* exact with one thread; close enough with more */
        atomic_store(&peak, now);
    return block;
}

static void uncount(void *block)
{
    if (block)
        atomic_fetch_sub(&live, (long long)malloc_usable_size(block));
}

/* Checks before malloc does, for a better message than those of sanitizers and the system. */
static void refuse_too_much(size_t bytes)
{
    long long most = atomic_load(&limit);
    FUZZ_CHECK(most == 0 ||
               (bytes <= (size_t)most && atomic_load(&live) <= most - (long long)bytes));
}

static bool deny(void)
{
    if (!atomic_load(&under_test) || atomic_fetch_add(&calls, 1) + 1 != atomic_load(&deny_at))
        return false;
    atomic_store(&denied, true);
    return true;
}

void *clv_sys_alloc(size_t bytes)
{
    refuse_too_much(bytes);
    if (deny())
        return NULL;
    return counted(malloc(bytes));
}

void *clv_sys_zalloc(size_t bytes)
{
    refuse_too_much(bytes);
    if (deny())
        return NULL;
    return counted(calloc(1, bytes));
}

void *clv_sys_realloc(void *old, size_t bytes)
{
    refuse_too_much(bytes);
    if (deny())
        return NULL;
    uncount(old);
    void *block = realloc(old, bytes);
    return counted(block ? block : old) && block ? block : NULL;
}

void clv_sys_free(void *block)
{
    uncount(block);
    free(block);
}

void fuzz_alloc_limit(int64_t bytes)
{
    atomic_store(&limit, bytes);
    atomic_store(&peak, atomic_load(&live));
}

int64_t fuzz_alloc_live(void)
{
    return atomic_load(&live);
}

int64_t fuzz_alloc_peak(void)
{
    return atomic_load(&peak);
}

void fuzz_alloc_deny(int64_t nth)
{
    atomic_store(&deny_at, nth);
    atomic_store(&most_calls, 0);
}

void fuzz_alloc_watch(bool begins)
{
    if (begins) {
        atomic_store(&calls, 0);
        atomic_store(&denied, false);
    } else if (atomic_load(&calls) > atomic_load(&most_calls)) {
        atomic_store(&most_calls, atomic_load(&calls));
    }
    atomic_store(&under_test, begins);
}

int64_t fuzz_alloc_calls(void)
{
    return atomic_load(&most_calls);
}

bool fuzz_alloc_denied(void)
{
    return atomic_load(&denied);
}
