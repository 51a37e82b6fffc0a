/* SPDX-License-Identifier: Apache-2.0 */
/* formats/schedule_file.h - schedules, and the coefficients of their cost, as files. */
#ifndef CLV_FORMATS_SCHEDULE_FILE_H
#define CLV_FORMATS_SCHEDULE_FILE_H

#include "graph/schedule.h"

/* The path may be compressed, or "-". */
cleave_status clv_schedule_read(clv_schedule **out, const char *path, cleave_error *err);
cleave_status clv_schedule_write(const clv_schedule *s, const char *path, cleave_error *err);

/* formats/costs_file.c: coefficients that are not in the file stay unchanged. */
cleave_status clv_costs_read(cleave_schedule_costs *costs, const char *path,
                             cleave_error *err);
cleave_status clv_costs_write(const cleave_schedule_costs *costs, const char *path,
                              cleave_error *err);

#endif
