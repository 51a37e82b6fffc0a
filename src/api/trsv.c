/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv.c - cleave_trsv: creating and describing plans of triangular solves. */
#include "api/run_arguments.h"
#include "api/trsv_arguments.h"
#include "base/context.h"
#include "engine/solve/solve_plan.h"

cleave_status cleave_trsv_create(cleave_trsv **out, const cleave_triangle *t,
                                 const cleave_run_options *opt, cleave_error *err)
{
    cleave_triangle known;
    cleave_run_options how;
    double start = clv_clock();
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_triangle_take(&known, t, err));
    CLV_TRY(clv_run_options_take(&how, opt, err));
    CLV_TRY(clv_sync_parse(&(clv_sync){CLV_SYNC_AUTO}, how.sync, err));
    CLV_TRY(clv_solve_plan_create(out, &known, &how, err));
    (*out)->seconds = clv_clock() - start;
    return CLEAVE_OK;
}

cleave_status cleave_trsv_create_from(cleave_trsv **out, const cleave_trsv *from,
                                      const cleave_triangle *t, int *reused, cleave_error *err)
{
    cleave_triangle known;
    bool fitted = false;
    double start = clv_clock();
    if (out)
        *out = NULL;
    if (!out || !from)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "the plan" : "out");
    CLV_TRY(clv_triangle_take(&known, t, err));
    CLV_TRY(clv_solve_plan_create_from(out, from, &known, &fitted, err));
    (*out)->seconds = clv_clock() - start;
    if (reused)
        *reused = fitted;
    return CLEAVE_OK;
}

void cleave_trsv_free(cleave_trsv *p)
{
    clv_solve_plan_free(p);
}

const int32_t *cleave_trsv_order(const cleave_trsv *p)
{
    return p ? clv_tri_plan_order(p->plan) : NULL;
}

void cleave_trsv_info(const cleave_trsv *p, cleave_run_info *info)
{
    cleave_run_info full = {.method = "", .sync = ""};
    if (p)
        full = (cleave_run_info){.method = p->schedule->method,
                                 .sync = clv_sync_name(clv_tri_plan_sync(p->plan)),
                                 .layers = p->schedule->layers,
                                 .threads = clv_tri_plan_threads(p->plan),
                                 .nonzeros = p->nonzeros,
                                 .bytes = clv_tri_plan_bytes(p->plan),
                                 .waits = clv_tri_plan_waits(p->plan),
                                 .seconds_analysis = p->seconds,
                                 .split_rows = p->split_rows};
    clv_sized_write(info, &full, sizeof full);
}
