/* SPDX-License-Identifier: Apache-2.0 */
/* target/target.c - creating and freeing targets; validates speeds. */
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

clv_target *clv_target_open(const clv_shape *shape, int32_t npes)
{
    clv_target *t = clv_zalloc(1, sizeof *t);
    if (t) {
        t->npes = npes;
        t->per_node = 1;
        t->equal = true;
        t->shape = shape;
    }
    return t;
}

cleave_status clv_target_set_speeds(clv_target *t, const double *speeds, cleave_error *err)
{
    if (!speeds)
        return CLEAVE_OK;
    CLV_TRY(check_speeds(t->npes, speeds, &t->equal, err));
    double *copy = clv_arena_alloc(&t->arena, t->npes, sizeof *copy);
    if (!copy)
        return clv_fail_memory(err);
    memcpy(copy, speeds, (size_t)t->npes * sizeof *copy);
    t->speed = copy;
    return CLEAVE_OK;
}

double clv_target_sum_speeds(const clv_target *t, int32_t first, int32_t last)
{
    double sum = 0;
    if (!t->speed)
        return (double)last - first + 1;
    for (int64_t pe = first; pe <= last; pe++)
        sum += t->speed[pe];
    return sum;
}

cleave_status clv_target_new(clv_target **out, int32_t npes, const double *speeds,
                             cleave_error *err)
{
    *out = NULL;
    if (npes < 1)
        return clv_fail(err, CLEAVE_EINVAL, "a target cannot have %ld PEs", (long)npes);
    clv_target *t = clv_target_open(&clv_shape_equal, npes);
    cleave_status status = t ? clv_target_set_speeds(t, speeds, err) : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        *out = t;
    else
        clv_target_free(t);
    return status;
}

void clv_target_free(clv_target *t)
{
    if (t)
        clv_arena_free(&t->arena);
    clv_sys_free(t);
}
