/* SPDX-License-Identifier: Apache-2.0 */
/* graph/schedule_costs.h - the coefficients of the cost model of a schedule. */
#ifndef CLV_GRAPH_SCHEDULE_COSTS_H
#define CLV_GRAPH_SCHEDULE_COSTS_H

#include "base/status.h"

cleave_schedule_costs clv_schedule_costs_defaults(void);
/* Copies the caller's coefficients; NULL: the defaults.  CLEAVE_EINVAL: one is negative or not
 * finite. */
cleave_status clv_schedule_costs_take(cleave_schedule_costs *costs,
                                      const cleave_schedule_costs *given, cleave_error *err);

#endif
