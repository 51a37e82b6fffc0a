/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces src/base/mem.c: counts the library's allocations and their bytes, and makes the
 * n-th one fail. */
#include <malloc.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "support/test.h"

static atomic_llong calls, fail_at, live, bytes, peak;

static void count_bytes(long long more)
{
    long long now = atomic_fetch_add(&bytes, more) + more, most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now))
        ;
}

static int fails(void)
{
    long long n = atomic_fetch_add(&calls, 1) + 1;
    return n == atomic_load(&fail_at);
}

void *clv_sys_alloc(size_t size)
{
    void *block = fails() ? NULL : malloc(size);
    if (block)
        atomic_fetch_add(&live, 1);
    count_bytes((long long)malloc_usable_size(block));
    return block;
}

void *clv_sys_zalloc(size_t size)
{
    void *block = fails() ? NULL : calloc(1, size);
    if (block)
        atomic_fetch_add(&live, 1);
    count_bytes((long long)malloc_usable_size(block));
    return block;
}

void *clv_sys_realloc(void *old, size_t size)
{
    long long before = (long long)malloc_usable_size(old);
    void *block = fails() ? NULL : realloc(old, size);
    if (block && !old)
        atomic_fetch_add(&live, 1);
    if (block)
        count_bytes((long long)malloc_usable_size(block) - before);
    return block;
}

void clv_sys_free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    count_bytes(-(long long)malloc_usable_size(block));
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

int64_t test_alloc_bytes(void)
{
    return atomic_load(&bytes);
}

void test_alloc_forget_peak(void)
{
    atomic_store(&peak, atomic_load(&bytes));
}

int64_t test_alloc_peak(void)
{
    return atomic_load(&peak);
}

int64_t test_alloc_live(void)
{
    return atomic_load(&live);
}

/* ---- Every allocation of a call ----------------------------------------------------------
 */

static void check_round(const test_oom_rounds *oom)
{
    if (oom->lenient && oom->status == CLEAVE_OK)
        test_checks_++;
    else
        CHECK_EQ(oom->status, oom->reached ? CLEAVE_ENOMEM : CLEAVE_OK);
    CHECK_EQ(test_alloc_live(), oom->live);
}

bool test_oom_next(test_oom_rounds *oom)
{
    enum { endless = 10000 };
    if (oom->nth > 0)
        check_round(oom);
    bool more = oom->nth == 0 || oom->reached;
    CHECK(oom->nth < endless);
    oom->nth++;
    oom->live = test_alloc_live();
    oom->reached = false;
    oom->status = CLEAVE_OK;
    return more && oom->nth <= endless;
}

void test_oom_begin(const test_oom_rounds *oom)
{
    test_alloc_fail_at(oom->nth);
}

cleave_status test_oom_end(test_oom_rounds *oom, cleave_status status)
{
    oom->reached = test_alloc_calls() >= oom->nth;
    oom->status = status;
    oom->failures += status == CLEAVE_ENOMEM;
    test_alloc_fail_at(0);
    return status;
}

void test_oom_call(cleave_status (*call)(const void *context, cleave_error *err),
                   const void *context)
{
    int before = test_failures_;
    test_oom_rounds oom = {0};
    while (test_failures_ == before && test_oom_next(&oom)) {
        cleave_error err = {0};
        TEST_OOM(&oom, call(context, &err));
        CHECK(oom.status == CLEAVE_OK || (err.status == CLEAVE_ENOMEM && err.message[0]));
    }
    CHECK(oom.failures > 0);
    if (test_failures_ != before)
        fprintf(stderr, "with allocation %lld\n", (long long)oom.nth - 1);
}
