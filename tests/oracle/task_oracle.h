/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/task_oracle.h - is a schedule of a task graph valid, how long is it, and how
 * long is the shortest one?
 *
 * Compares all pairs of tasks, in rational-free doubles: the tests use numbers that doubles
 * hold exactly.  Shares nothing with src/; reads the public interface alone. */
#ifndef CLV_TESTS_TASK_ORACLE_H
#define CLV_TESTS_TASK_ORACLE_H

#include "cleave/cleave.h"

/* The makespan; -1: the schedule is not valid. */
double oracle_task_makespan(const cleave_task_schedule *s, const cleave_graph *g,
                            const cleave_target *t, double bandwidth, double latency);
/* The least makespan, by branch and bound over all orders and PEs; at most 10 tasks. */
double oracle_task_best(const cleave_graph *g, const cleave_target *t, double bandwidth,
                        double latency);

#endif
