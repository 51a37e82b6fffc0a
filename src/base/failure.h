/* SPDX-License-Identifier: Apache-2.0 */
/* base/failure.h - failures in parallel loops: keeps the status and message of the failed item
 * with the smallest index, on any thread, and passes them to the caller. */
#ifndef CLV_BASE_FAILURE_H
#define CLV_BASE_FAILURE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct clv_failure {
    atomic_int any;   /* nonzero: some item failed */
    atomic_flag busy; /* lock for the other fields */
    int64_t index;
    cleave_status status;
    cleave_error error;
} clv_failure;

static inline void clv_failure_init(clv_failure *f)
{
    atomic_init(&f->any, 0);
    atomic_flag_clear(&f->busy);
    f->index = INT64_MAX;
    f->status = CLEAVE_OK;
}

static inline bool clv_failure_any(clv_failure *f)
{
    return atomic_load_explicit(&f->any, memory_order_relaxed) != 0;
}

/* Records, from any thread, that item `index` failed with this status and message.  Only
 * failures take the lock. */
static inline void clv_failure_note(clv_failure *f, int64_t index, cleave_status status,
                                    const cleave_error *error)
{
    while (atomic_flag_test_and_set_explicit(&f->busy, memory_order_acquire))
        ;
    if (index < f->index) {
        f->index = index;
        f->status = status;
        f->error = *error;
    }
    atomic_flag_clear_explicit(&f->busy, memory_order_release);
    atomic_store_explicit(&f->any, 1, memory_order_relaxed);
}

/* To be called after the loop: CLEAVE_OK, or the failure with its message in err (may be
 * NULL). */
static inline cleave_status clv_failure_result(const clv_failure *f, cleave_error *err)
{
    if (f->status != CLEAVE_OK && err)
        *err = f->error;
    return f->status;
}

#endif
