/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the place of src/base/mem.c: counts the library's allocations and makes the
 * n-th one fail. */
#include <stdatomic.h>

#include "base/mem.h"
#include "support/test.h"

static atomic_llong calls, fail_at, live;

static int fails(void)
{
    long long n = atomic_fetch_add(&calls, 1) + 1;
    return n == atomic_load(&fail_at);
}

void *clv_sys_alloc(size_t bytes)
{
    void *block = fails() ? NULL : malloc(bytes);
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

void *clv_sys_zalloc(size_t bytes)
{
    void *block = fails() ? NULL : calloc(1, bytes);
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

void *clv_sys_realloc(void *old, size_t bytes)
{
    void *block = fails() ? NULL : realloc(old, bytes);
    if (block && !old)
        atomic_fetch_add(&live, 1);
    return block;
}

void clv_sys_free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    free(block);
}

void test_alloc_fail_at(int64_t nth)
{
    atomic_store(&calls, 0);
    atomic_store(&fail_at, nth);
}

int64_t test_alloc_calls(void)
{
    return atomic_load(&calls);
}

int64_t test_alloc_live(void)
{
    return atomic_load(&live);
}
