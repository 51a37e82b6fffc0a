/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/worth.h - comparison of solutions by (overload, cut). */
#ifndef CLV_REFINE_STATE_WORTH_H
#define CLV_REFINE_STATE_WORTH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_worth {
    int64_t overload; /* overload, see clv_state_overload */
    int64_t cut;      /* with a machine the cost */
} clv_worth;

/* The overload comes first; a tie is not better. */
static inline bool clv_worth_better(clv_worth a, clv_worth b)
{
    return a.overload != b.overload ? a.overload < b.overload : a.cut < b.cut;
}

static inline bool clv_worth_same(clv_worth a, clv_worth b)
{
    return a.overload == b.overload && a.cut == b.cut;
}

/* Worse than any solution. */
static inline clv_worth clv_worth_none(void)
{
    return (clv_worth){.overload = INT64_MAX, .cut = INT64_MAX};
}

/* No solution was found. */
static inline bool clv_worth_is_none(clv_worth a)
{
    return a.overload == INT64_MAX;
}

#endif
