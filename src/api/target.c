/* SPDX-License-Identifier: Apache-2.0 */
/* api/target.c - public targets: making them, looking at them. */
#include "target/target.h"

cleave_status cleave_target_parse(cleave_target **out, const char *spec, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !spec)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "spec" : "out");
    return clv_target_parse(out, spec, err);
}

cleave_status cleave_target_create(cleave_target **out, int32_t npes, const double *speeds,
                                   cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    return clv_target_new(out, npes, speeds, err);
}

int32_t cleave_target_pes(const cleave_target *t)
{
    return t ? t->npes : 0;
}

double cleave_target_speed(const cleave_target *t, int32_t pe)
{
    if (!t || pe < 0 || pe >= t->npes)
        return 0;
    return t->speed ? t->speed[pe] : 1;
}

void cleave_target_free(cleave_target *t)
{
    clv_target_free(t);
}
