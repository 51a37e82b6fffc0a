/* SPDX-License-Identifier: Apache-2.0 */
/* api/schedule_costs.c - the coefficients of the cost model of a schedule. */
#include "graph/schedule_costs.h"

#include "formats/schedule_file.h"
#include "schedule/schedulers.h"

void cleave_schedule_costs_init(cleave_schedule_costs *costs, size_t size)
{
    cleave_schedule_costs defaults = clv_schedule_costs_defaults();
    clv_sized_init(costs, size);
    clv_sized_write(costs, &defaults, sizeof defaults);
}

static cleave_status check_target(const cleave_schedule_costs *costs, const char *path,
                                  cleave_error *err)
{
    if (!costs || costs->size < sizeof costs->size || costs->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "costs needs cleave_schedule_costs_init first");
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    return CLEAVE_OK;
}

cleave_status cleave_schedule_costs_read(cleave_schedule_costs *costs, const char *path,
                                         cleave_error *err)
{
    cleave_schedule_costs read;
    CLV_TRY(check_target(costs, path, err));
    cleave_schedule_costs_init(&read, sizeof read);
    CLV_TRY(clv_costs_read(&read, path, err));
    clv_sized_write(costs, &read, sizeof read);
    return CLEAVE_OK;
}

cleave_status cleave_schedule_costs_write(const cleave_schedule_costs *costs, const char *path,
                                          cleave_error *err)
{
    cleave_schedule_costs given;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    CLV_TRY(clv_schedule_costs_take(&given, costs, err));
    return clv_costs_write(&given, path, err);
}

cleave_status cleave_schedule_costs_measure(cleave_schedule_costs *costs, double *seconds,
                                            int threads, cleave_error *err)
{
    cleave_schedule_costs result;
    clv_schedule_costs measured;
    double unit;
    CLV_TRY(check_target(costs, "", err));
    if (threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", threads);
    CLV_TRY(clv_measure_costs(&measured, &unit, threads, err));
    cleave_schedule_costs_init(&result, sizeof result);
    result.sync = measured.sync;
    result.read = measured.read;
    clv_sized_write(costs, &result, sizeof result);
    if (seconds)
        *seconds = unit;
    return CLEAVE_OK;
}
