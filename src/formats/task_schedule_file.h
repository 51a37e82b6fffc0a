/* SPDX-License-Identifier: Apache-2.0 */
/* formats/task_schedule_file.h - schedules of task graphs as files. */
#ifndef CLV_FORMATS_TASK_SCHEDULE_FILE_H
#define CLV_FORMATS_TASK_SCHEDULE_FILE_H

#include "graph/task_schedule.h"

/* The path may be compressed, or "-". */
cleave_status clv_task_schedule_read(clv_task_schedule **out, const char *path,
                                     cleave_error *err);
cleave_status clv_task_schedule_write(const clv_task_schedule *s, const char *path,
                                      cleave_error *err);

#endif
