/* SPDX-License-Identifier: Apache-2.0 */
/* api/schedule_costs.h - a caller's coefficients, NULL for the defaults. */
#ifndef CLV_API_SCHEDULE_COSTS_H
#define CLV_API_SCHEDULE_COSTS_H

#include "base/status.h"

cleave_status clv_schedule_costs_take(cleave_schedule_costs *costs,
                                      const cleave_schedule_costs *given, cleave_error *err);

#endif
