/* SPDX-License-Identifier: Apache-2.0 */
/* For programs with the failing allocator. */
#include "order/line_fixture.h"

const char *line_memory_fault(cleave_status (*call)(const void *context, cleave_error *err),
                              const void *context)
{
    for (int64_t nth = 1; nth < 1000; nth++) {
        cleave_error err = {0};
        int64_t live = test_alloc_live();
        test_alloc_fail_at(nth);
        cleave_status status = call(context, &err);
        int64_t calls = test_alloc_calls();
        test_alloc_fail_at(0);
        if (test_alloc_live() != live)
            return "a leak";
        if (calls < nth) /* nothing was left to fail */
            return status == CLEAVE_OK && nth > 1 ? NULL : "no success";
        if (status != CLEAVE_ENOMEM || err.status != CLEAVE_ENOMEM || !err.message[0])
            return "not CLEAVE_ENOMEM with a message";
    }
    return "no end";
}
