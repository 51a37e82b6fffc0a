/* SPDX-License-Identifier: Apache-2.0 */
/* target/target.c - making and freeing targets; speeds are sound ever after. */
#include "target/target.h"

#include <math.h>
#include <string.h>

static cleave_status check_speeds(int32_t npes, const double *speeds, bool *equal,
                                  cleave_error *err)
{
    bool moves = false;
    *equal = true;
    for (int32_t pe = 0; pe < npes; pe++) {
        if (!(speeds[pe] >= 0) || !isfinite(speeds[pe]))
            return clv_fail(err, CLEAVE_EINVAL, "the speed of PE %ld is not a number >= 0",
                            (long)pe);
        moves = moves || speeds[pe] > 0;
        *equal = *equal && speeds[pe] == speeds[0];
    }
    if (!moves)
        return clv_fail(err, CLEAVE_EINVAL, "the speeds of all PEs are 0");
    return CLEAVE_OK;
}

cleave_status clv_target_new(clv_target **out, int32_t npes, const double *speeds,
                             cleave_error *err)
{
    bool equal = true;
    *out = NULL;
    if (npes < 1)
        return clv_fail(err, CLEAVE_EINVAL, "a target cannot have %ld PEs", (long)npes);
    if (speeds)
        CLV_TRY(check_speeds(npes, speeds, &equal, err));
    clv_target *t = clv_alloc(1, sizeof *t);
    double *copy = speeds ? clv_alloc(npes, sizeof *copy) : NULL;
    if (!t || (speeds && !copy)) {
        clv_sys_free(t);
        clv_sys_free(copy);
        return clv_fail_memory(err);
    }
    if (copy)
        memcpy(copy, speeds, (size_t)npes * sizeof *copy);
    *t = (clv_target){npes, equal, copy};
    *out = t;
    return CLEAVE_OK;
}

void clv_target_free(clv_target *t)
{
    if (t)
        clv_sys_free((void *)t->speed);
    clv_sys_free(t);
}
