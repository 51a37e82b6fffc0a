/* SPDX-License-Identifier: Apache-2.0 */
/* graph/schedule_costs.c - the coefficients of the cost model of a schedule. */
#include "graph/schedule_costs.h"

#include <math.h>

cleave_schedule_costs clv_schedule_costs_defaults(void)
{
    return (cleave_schedule_costs){
        .size = sizeof(cleave_schedule_costs), .sync = 500, .read = 0};
}

cleave_status clv_schedule_costs_take(cleave_schedule_costs *costs,
                                      const cleave_schedule_costs *given, cleave_error *err)
{
    *costs = clv_schedule_costs_defaults();
    if (given)
        CLV_TRY(clv_sized_copy(costs, sizeof *costs, given, "cleave_schedule_costs", err));
    if (!(costs->sync >= 0) || !isfinite(costs->sync))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the cost of a synchronisation is not a number >= 0");
    if (!(costs->read >= 0) || !isfinite(costs->read))
        return clv_fail(err, CLEAVE_EINVAL, "the cost of a read is not a number >= 0");
    return CLEAVE_OK;
}
